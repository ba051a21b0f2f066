"""The service: what may be asked over HTTP, by whom, and how much of it at once."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
import anyio.to_thread
import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ...inspector.server.requests import JSON, Refusal, json_answer, read_body, refused
from ...version import VERSION
from .metrics import Metrics
from .work import ServiceRequest, ServiceWorker, failure

_PAGE = "application/vnd.blocksight.page"
#: Seconds after which a client may come again when the service is busy.
_AGAIN = "2"
_FAULT = 500
_LOG = logging.getLogger(__name__)


class Service:
    """The service as an ASGI application (:attr:`app`).

    Parameters
    ----------
    work : ServiceWorker
    token : str
        Who does not send it (``Authorization: Bearer TOKEN``) gets nothing but ``/health``.
    most_body : int
        Bytes of a request's body.
    workers : int
        Pages at once.
    queue : int
        Requests that may wait for their turn; further ones are sent away with 503.
    """

    def __init__(self, work: ServiceWorker, *, token: str, most_body: int, workers: int, queue: int) -> None:
        self._work = work
        self._token = token
        self._most_body = most_body
        self._most = workers + queue
        self._workers = workers
        self._turns: anyio.CapacityLimiter | None = None
        self.metrics = Metrics()
        self.app = Starlette(
            routes=[
                Route("/extract", self._extract, methods=["POST"]),
                Route("/render", self._render, methods=["POST"]),
                Route("/health", self._health, methods=["GET"]),
                Route("/metrics", self._metrics, methods=["GET"]),
            ],
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        self._turns = anyio.CapacityLimiter(self._workers)
        yield

    async def _health(self, request: Request) -> Response:
        del request
        return json_answer({"status": "ok", "blocksight": VERSION, "under_way": self.metrics.under_way})

    async def _metrics(self, request: Request) -> Response:
        try:
            self._check(request)
        except Refusal as refusal:
            return _refused(refusal)
        return PlainTextResponse(self.metrics.text())

    async def _extract(self, request: Request) -> Response:
        return await self._answer(request, "/extract", self._work.extract, JSON)

    async def _render(self, request: Request) -> Response:
        return await self._answer(request, "/render", self._work.render, _PAGE)

    async def _answer(self, request: Request, path: str, do: Callable[[ServiceRequest], bytes], kind: str) -> Response:
        began = time.monotonic()
        try:
            self._check(request)
            with self._place():
                response = await self._done(do, await self._asked(request), kind)
        except Refusal as refusal:
            response = _refused(refusal)
        self.metrics.answered(path, response.status_code, time.monotonic() - began)
        return response

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Hold a place from before the body is read: no more bodies than places are ever in memory."""
        if self.metrics.under_way >= self._most:
            raise Refusal(503, "too much is under way; come again later")
        self.metrics.under_way += 1
        try:
            yield
        finally:
            self.metrics.under_way -= 1

    async def _done(self, do: Callable[[ServiceRequest], bytes], asked: ServiceRequest, kind: str) -> Response:
        try:
            done = await anyio.to_thread.run_sync(do, asked, limiter=self._turns)
            return Response(done, media_type=kind)
        except Exception as error:  # one page shall not be the end of the service
            status, told = failure(error)
            if status == _FAULT:
                _LOG.exception("a fault of the program; please report it")
            return json_answer(told, status)

    def _check(self, request: Request) -> None:
        scheme, _, told = request.headers.get("authorization", "").partition(" ")
        known = secrets.compare_digest(told.strip().encode(), self._token.encode())
        if scheme.lower() != "bearer" or not known:
            raise Refusal(401, "send the header Authorization: Bearer TOKEN")

    async def _asked(self, request: Request) -> ServiceRequest:
        """Read what a request is about: JSON with ``url`` or ``html``, or the document itself."""
        body = await read_body(request, self._most_body, remedy=" (--max-body raises it)")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            if not body:
                raise Refusal(400, "send JSON with url or html, or the document itself")
            return ServiceRequest(address=request.query_params.get("url", ""), data=body)
        try:
            told = orjson.loads(body)
        except ValueError as error:
            raise Refusal(400, f"the body is no JSON ({error})") from error
        url, html = (told.get("url"), told.get("html")) if isinstance(told, dict) else (None, None)
        if url is None and html is None:
            raise Refusal(400, "the JSON has neither url nor html")
        if not (isinstance(url, str | None) and isinstance(html, str | None)):
            raise Refusal(400, "url and html must be texts")
        data = None if html is None else html.encode("utf-8", "replace")
        return ServiceRequest(address=url or "", data=data, encoding=None if data is None else "utf-8")


def _refused(refusal: Refusal) -> Response:
    response = refused(refusal)
    if refusal.status == 503:
        response.headers["Retry-After"] = _AGAIN
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
