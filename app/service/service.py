"""The HTTP service: authentication, limits, and the answers."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ...inspector.server.requests import JSON, Refusal, json_answer, read_body, refused
from ...version import VERSION
from .request_fields import ServiceRequest, parse_fields, parse_query
from .work import ServiceWorker, failure

_PAGE = "application/vnd.blocksight.page"
_FAULT = 500
#: The status for a request whose client has gone; none is sent.
_GONE = 499
#: Seconds after which a refused request may be sent again.
_RETRY_AFTER = 2
_LOG = logging.getLogger(__name__)

T = TypeVar("T")
#: Does the work of a request.
Work = Callable[[ServiceRequest], Awaitable[bytes]]


class Service:
    """The service as an ASGI application (:attr:`app`).

    All but ``/health`` needs the token (``Authorization: Bearer TOKEN``). ``workers`` requests
    are in progress at once and at most ``queue`` wait, no longer than the timeout of their pages; others get 503.
    ``most_body`` is the limit of a request's body in bytes. The work of a client that has gone is cancelled.
    """

    def __init__(self, work: ServiceWorker, *, token: str, most_body: int, workers: int, queue: int) -> None:
        self._work = work
        self._token = token
        self._most_body = most_body
        self._most = workers + queue
        self._slots = asyncio.Semaphore(workers)
        self.under_way = 0
        self.app = Starlette(
            routes=[
                Route("/extract", self._extract, methods=["POST"]),
                Route("/render", self._render, methods=["POST"]),
                Route("/health", self._health, methods=["GET"]),
            ],
            exception_handlers={Refusal: _refused},
        )
        # A redirect would name the host that the request names.
        self.app.router.redirect_slashes = False

    async def _health(self, request: Request) -> Response:
        answer: dict[str, object] = {"status": "ok"}
        if self._is_authorized(request):
            answer |= {"blocksight": VERSION, "under_way": self.under_way}
        return json_answer(answer)

    async def _extract(self, request: Request) -> Response:
        return await self._answer(request, self._work.extract)

    async def _render(self, request: Request) -> Response:
        return await self._answer(request, self._work.render, _PAGE)

    async def _answer(self, request: Request, do: Work, kind: str = "") -> Response:
        self.under_way += 1
        try:
            self._check(request)
            if self.under_way > self._most:
                raise _busy()
            parsed = await self._parsed(request)
            return await while_connected(request, self._done(do, parsed, kind or parsed.media))
        except ClientDisconnect:
            return Response(status_code=_GONE)
        finally:
            self.under_way -= 1

    async def _done(self, do: Work, asked: ServiceRequest, kind: str) -> Response:
        """Wait for a slot, and do the work in the time that is left."""
        seconds, start = asked.timeout or self._work.seconds, time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                await self._slots.acquire()
        except TimeoutError as error:
            raise _busy() from error
        waited = time.monotonic() - start
        try:
            answer = await do(replace(asked, timeout=max(round(seconds - waited, 2), 0.01)))
        except Exception as error:  # one page must not end the service
            status, failed = failure(error)
            if status == _FAULT:
                _LOG.exception("a fault of the program; please report it")
            return json_answer(failed, status)
        finally:
            self._slots.release()
        return Response(answer, media_type=kind)

    def _check(self, request: Request) -> None:
        if not self._is_authorized(request):
            raise Refusal(401, "send the header Authorization: Bearer TOKEN")

    def _is_authorized(self, request: Request) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_valid = secrets.compare_digest(token.strip().encode(), self._token.encode())
        return scheme.lower() == "bearer" and is_valid

    async def _parsed(self, request: Request) -> ServiceRequest:
        """Parse a request: JSON with ``url`` or ``html``, or the document itself with its options in the query."""
        body = await read_body(request, self._most_body, remedy=" (--max-body raises it)")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            if not body:
                raise Refusal(400, "send JSON with url or html, or the document itself")
            return parse_query(request.query_params, body, most_seconds=self._work.seconds)
        try:
            values = orjson.loads(body)
        except ValueError as error:
            raise Refusal(400, f"the body is not JSON ({error})") from error
        return parse_fields(values, most_seconds=self._work.seconds)


def _busy() -> Refusal:
    return Refusal(503, "too many requests are in progress; try again later")


async def _refused(request: Request, refusal: Exception) -> Response:
    del request
    assert isinstance(refusal, Refusal)
    response = refused(refusal)
    if refusal.status == 503:
        response.headers["Retry-After"] = str(_RETRY_AFTER)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


async def while_connected(request: Request, work: Awaitable[T]) -> T:
    """Do the work of a request whose body was read; if its client goes, cancel it and raise ClientDisconnect."""
    working = asyncio.ensure_future(work)
    tasks = {working, asyncio.ensure_future(_leaving(request))}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def server(service: Service, *, connections: int) -> uvicorn.Server:
    """Return the server of a service; beyond ``connections`` open connections it answers 503.

    No answer may be stored by a cache on its way. A proxy in front has to limit the time for the head of a request.
    """
    config = uvicorn.Config(
        service.app,
        http="h11",
        ws="none",
        limit_concurrency=connections,
        timeout_keep_alive=5,
        # Strangers could fill the log with warnings; access logs would contain addresses.
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        headers=[("cache-control", "no-store"), ("x-content-type-options", "nosniff")],
    )
    return uvicorn.Server(config)
