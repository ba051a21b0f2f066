"""The HTTP service: authentication, limits, and the answers."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter
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
from .work import ServiceRequest, ServiceWorker, failure

_PAGE = "application/vnd.blocksight.page"
#: Retry-After of a busy service, in seconds.
_RETRY_AFTER = "2"
_FAULT = 500
_LOG = logging.getLogger(__name__)


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
    ``workers`` slots; further ones get 503. ``most_body`` is the limit of a request's body in bytes.
    """

    def __init__(self, work: ServiceWorker, *, token: str, most_body: int, workers: int, queue: int) -> None:
        self._work = work
        self._token = token
        self._most_body = most_body
        self._most = workers + queue
        self._workers = workers
        self._slots: anyio.CapacityLimiter | None = None
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
        self._slots = anyio.CapacityLimiter(self._workers)
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
        start = time.monotonic()
        try:
            self._check(request)
            with self._slot():
                response = await self._done(do, await self._parsed(request), kind)
        except Refusal as refusal:
            response = _refused(refusal)
        self.metrics.answered(path, response.status_code, time.monotonic() - start)
        return response

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold a slot from before the body is read, to bound the bodies in memory."""
        if self.metrics.under_way >= self._most:
            raise Refusal(503, "too many requests are in progress; try again later")
        self.metrics.under_way += 1
        try:
            yield
        finally:
            self.metrics.under_way -= 1

    async def _done(self, do: Callable[[ServiceRequest], bytes], parsed: ServiceRequest, kind: str) -> Response:
        try:
            done = await anyio.to_thread.run_sync(do, parsed, limiter=self._slots)
            return Response(done, media_type=kind)
        except Exception as error:  # one page must not end the service
            status, answer = failure(error)
            if status == _FAULT:
                _LOG.exception("a fault of the program; please report it")
            return json_answer(answer, status)

    def _check(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        valid = secrets.compare_digest(token.strip().encode(), self._token.encode())
        if scheme.lower() != "bearer" or not valid:
            raise Refusal(401, "send the header Authorization: Bearer TOKEN")

    async def _parsed(self, request: Request) -> ServiceRequest:
        """Parse a request: JSON with ``url`` or ``html``, or the document itself."""
        body = await read_body(request, self._most_body, remedy=" (--max-body raises it)")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            if not body:
                raise Refusal(400, "send JSON with url or html, or the document itself")
            return ServiceRequest(address=request.query_params.get("url", ""), data=body)
        try:
            values = orjson.loads(body)
        except ValueError as error:
            raise Refusal(400, f"the body is not JSON ({error})") from error
        url, html = (values.get("url"), values.get("html")) if isinstance(values, dict) else (None, None)
        if url is None and html is None:
            raise Refusal(400, "the JSON has neither url nor html")
        if not (isinstance(url, str | None) and isinstance(html, str | None)):
            raise Refusal(400, "url and html must be strings")
        data = None if html is None else html.encode("utf-8", "replace")
        return ServiceRequest(address=url or "", data=data, encoding=None if data is None else "utf-8")


def _refused(refusal: Refusal) -> Response:
    response = refused(refusal)
    if refusal.status == 503:
        response.headers["Retry-After"] = _RETRY_AFTER
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
