"""The HTTP service: authentication, limits, and the answers."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar
from urllib.parse import unquote

import orjson
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ...inspector.server.requests import JSON, Refusal, json_answer, read_body, refused
from ...version import VERSION
from .request_fields import ServiceRequest, openapi, parse_accepted, parse_fields, parse_query
from .slots import Busy, Slots
from .work import ServiceWorker, failure

_PAGE = "application/vnd.blocksight.page"
_FAULT = 500
#: The status in the metrics of a request whose client has gone; none is sent.
_GONE = 499
_LOG = logging.getLogger(__name__)

T = TypeVar("T")
#: Does the work of a request.
Work = Callable[[ServiceRequest], Awaitable[bytes]]


class Metrics:
    """Answers by path and status and their seconds, for the text format of Prometheus."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, float] = {}
        self.under_way = 0

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._answers[path, status] += 1
            self._seconds[path] = self._seconds.get(path, 0.0) + seconds

    def text(self) -> str:
        """Return all counts, one per line."""
        with self._lock:
            lines = ["# HELP blocksight_answers_total Answers by path and status."]
            lines.append("# TYPE blocksight_answers_total counter")
            for (path, status), count in sorted(self._answers.items()):
                lines.append(f'blocksight_answers_total{{path="{path}",status="{status}"}} {count}')
            lines += ["# HELP blocksight_seconds_total Seconds by path.", "# TYPE blocksight_seconds_total counter"]
            for path, seconds in sorted(self._seconds.items()):
                lines.append(f'blocksight_seconds_total{{path="{path}"}} {seconds:.6f}')
            lines += ["# HELP blocksight_under_way Pages in progress.", "# TYPE blocksight_under_way gauge"]
            lines.append(f"blocksight_under_way {self.under_way}")
        return "\n".join(lines) + "\n"


class Service:
    """The service as an ASGI application (:attr:`app`).

    All but ``/health`` needs the token (``Authorization: Bearer TOKEN``). At most ``queue`` requests wait for one of
    ``workers`` slots, and none longer than ``most_wait`` seconds; others get 503 at once, with the expected wait in
    ``Retry-After``. ``most_body`` is the limit of a request's body in bytes. The work of a client that has gone, or
    whose ``timeout`` is over, is cancelled; that timeout includes the wait.
    """

    def __init__(
        self, work: ServiceWorker, *, token: str, most_body: int, workers: int, queue: int, most_wait: float = 30.0
    ) -> None:
        self._work = work
        self._token = token
        self._most_body = most_body
        self._most = workers + queue
        self._slots = Slots(workers, most_wait)
        self._body_bytes = 0
        self.metrics = Metrics()
        self.app = Starlette(
            routes=[
                Route("/extract", self._extract, methods=["POST"]),
                Route("/render", self._render, methods=["POST"]),
                Route("/health", self._health, methods=["GET"]),
                Route("/metrics", self._metrics, methods=["GET"]),
                Route("/openapi.json", _openapi, methods=["GET"]),
                Route("/{address:path}", self._read, methods=["GET"]),
            ],
            middleware=[Middleware(strict_framing)],
            lifespan=self._lifespan,
        )
        # A redirect would name the host that the request names.
        self.app.router.redirect_slashes = False

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        self._slots.reset()
        yield

    async def _health(self, request: Request) -> Response:
        answer: dict[str, object] = {"status": "ok"}
        if self._is_authorized(request):
            answer |= {"blocksight": VERSION, "under_way": self.metrics.under_way}
        return json_answer(answer)

    async def _metrics(self, request: Request) -> Response:
        try:
            self._check(request)
        except Refusal as refusal:
            return _refused(refusal)
        return PlainTextResponse(self.metrics.text())

    async def _extract(self, request: Request) -> Response:
        return await self._answer(request, "/extract", self._work.extract)

    async def _render(self, request: Request) -> Response:
        return await self._answer(request, "/render", self._work.render, _PAGE)

    async def _read(self, request: Request) -> Response:
        """Answer GET /https://example.org/page with the page as Markdown."""
        path = request.scope.get("raw_path", b"").decode("latin-1").partition("?")[0].removeprefix("/")
        path = path if path.startswith(("http://", "https://")) else unquote(path)
        address = f"{path}?{request.url.query}" if request.url.query else path
        if not address.startswith(("http://", "https://")):
            return refused(
                Refusal(404, "there is /extract, /render, /health, /metrics, /openapi.json and /https://...")
            )
        asked = parse_accepted(address, request.headers.get("accept", ""))
        return await self._answer(request, "/address", self._work.extract, asked=asked)

    async def _answer(
        self, request: Request, path: str, do: Work, kind: str = "", asked: ServiceRequest | None = None
    ) -> Response:
        start = time.monotonic()
        try:
            self._check(request)
            self._check_slots()
            with self._counted_bytes() as count:
                parsed = asked or await self._parsed(request, count)
                with self._slot():
                    response = await while_connected(request, self._done(do, parsed, kind or parsed.media))
        except Refusal as refusal:
            response = _refused(refusal)
        except ClientDisconnect:
            response = Response(status_code=_GONE)
        self.metrics.answered(path, response.status_code, time.monotonic() - start)
        return response

    def _check_slots(self) -> None:
        if self.metrics.under_way >= self._most:
            raise Busy()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold a place among the requests that work or wait."""
        self._check_slots()
        self.metrics.under_way += 1
        try:
            yield
        finally:
            self.metrics.under_way -= 1

    @contextmanager
    def _counted_bytes(self) -> Iterator[Callable[[int], None]]:
        """Count the bytes of a body, and refuse those of all requests that exceed the memory for them.

        Bodies that come slowly take memory, and no place of others.
        """
        counted = 0

        def count(size: int) -> None:
            nonlocal counted
            counted += size
            self._body_bytes += size
            if self._body_bytes > self._most * self._most_body:
                raise Busy()

        try:
            yield count
        finally:
            self._body_bytes -= counted

    async def _done(self, do: Work, parsed: ServiceRequest, kind: str) -> Response:
        try:
            waited = await self._slots.acquire(parsed.timeout)
            start = time.monotonic()
            left = None if parsed.timeout is None else max(parsed.timeout - waited, 0.01)
            response = Response(await self._slots.work(do(parsed), left), media_type=kind)
        except Refusal:
            raise
        except Exception as error:  # one page must not end the service
            status, answer = failure(error)
            if status == _FAULT:
                _LOG.exception("a fault of the program; please report it")
            return json_answer(answer, status)
        seconds = time.monotonic() - start
        response.headers["Server-Timing"] = f"wait;dur={waited * 1000:.0f}, work;dur={seconds * 1000:.0f}"
        return response

    def _check(self, request: Request) -> None:
        if not self._is_authorized(request):
            raise Refusal(401, "send the header Authorization: Bearer TOKEN")

    def _is_authorized(self, request: Request) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_valid = secrets.compare_digest(token.strip().encode(), self._token.encode())
        return scheme.lower() == "bearer" and is_valid

    async def _parsed(self, request: Request, count: Callable[[int], None]) -> ServiceRequest:
        """Parse a request: JSON with ``url`` or ``html``, or the document itself with its options in the query."""
        body = await read_body(request, self._most_body, remedy=" (--max-body raises it)", count=count)
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


async def _openapi(request: Request) -> Response:
    del request
    return json_answer(openapi())


def _refused(refusal: Refusal) -> Response:
    response = refused(refusal)
    if isinstance(refusal, Busy):
        response.headers["Retry-After"] = str(math.ceil(refusal.seconds))
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


def strict_framing(app: ASGIApp) -> ASGIApp:
    """Return the application without requests whose end two servers could place differently (RFC 9112 section 6.1).

    A proxy in front of the service could take the rest of such a request for one of another client.
    """

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if "transfer-encoding" in headers and ("content-length" in headers or scope["http_version"] == "1.0"):
                response = refused(Refusal(400, "send either Content-Length or, in HTTP/1.1, Transfer-Encoding"))
                response.headers["connection"] = "close"
                await response(scope, receive, send)
                return
        await app(scope, receive, send)

    return checked
