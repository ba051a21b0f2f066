"""The HTTP service: authentication, limits, and the answers."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import anyio.to_thread
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ...batch.row_schema import error_kind
from ...classify.roles import roles_to_keep
from ...classify.system import System
from ...document.extract import extract
from ...document.formats import FORMATS
from ...document.route import routed
from ...errors import PageFailed, unknown_name
from ...inspector.server.requests import JSON, Refusal, json_answer, read_body, refused
from ...page.page import Page
from ...page.store import dumps, is_saved
from ...render.sources.sources import RawPage, demand_web_address
from ...version import VERSION
from ..console import with_options
from ..page_runner import PageRunner
from .connection import Protocol

#: The format of answers.
DEFAULT = "json"
_MEDIA = {form.name: form.media for form in FORMATS}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
#: The fields of a request: the name of their type in messages, and the types.
_FIELDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "url": ("string", (str,)),
    "html": ("string", (str,)),
    "format": ("string", (str,)),
    "keep": ("string", (str,)),
    "wait_for": ("string", (str,)),
    "timeout": ("number", (int, float)),
    "browser": ("boolean", (bool,)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """The page of a request, and what to do with it."""

    address: str  # Of the page to open, or of ``data``
    data: bytes | None = None  # An HTML document, an archive or a saved page
    encoding: str | None = None  # Of the document, if the request specifies it
    format: str = DEFAULT
    keep: str | None = None  # Roles, as in ``extract``
    wait_for: str = ""  # A CSS selector
    timeout: float | None = None  # Seconds, at most those of the service
    browser: bool = True  # Whether to render the page

    @property
    def media(self) -> str:
        """The media type of the answer."""
        media = _MEDIA[self.format]
        return f"{media}; charset=utf-8" if media.startswith("text/") else media


def parse_fields(values: object, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a JSON object; Refusal for unknown fields and wrong values."""
    if not isinstance(values, dict):
        raise Refusal(400, "the JSON must be an object with url or html")
    given = {name: value for name, value in values.items() if value is not None}
    if "url" not in given and "html" not in given:
        raise Refusal(400, "the JSON has neither url nor html")
    return _request(given, most_seconds)


def parse_query(query: Mapping[str, str], body: bytes, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a body that is a document, with its address and options in the query of the URL."""
    given: dict[str, Any] = dict(query)
    if "html" in given:
        raise Refusal(400, "html is for JSON: the body is the document")
    if "timeout" in given:
        try:
            given["timeout"] = float(given["timeout"])
        except ValueError as error:
            raise Refusal(400, f"timeout must be a number of seconds, not {given['timeout']!r}") from error
    if "browser" in given:
        given["browser"] = _TRUTH.get(given["browser"].lower(), given["browser"])
    return replace(_request(given, most_seconds), data=body)


def _request(given: dict[str, Any], most_seconds: float) -> ServiceRequest:
    for name, value in given.items():
        if name not in _FIELDS:
            raise Refusal(400, str(unknown_name("field", str(name), tuple(_FIELDS))))
        kind, types = _FIELDS[name]
        if not isinstance(value, types) or (kind == "number" and isinstance(value, bool)):
            raise Refusal(400, f"{name} must be a {kind}, not {value!r:.80}")
    try:
        if given.get("format", DEFAULT) not in _MEDIA:
            raise unknown_name("format", given["format"], tuple(_MEDIA))
        if "keep" in given:
            roles_to_keep(given["keep"])
    except ValueError as error:
        raise Refusal(400, str(error)) from error
    if not 0 < given.get("timeout", most_seconds) <= most_seconds:
        raise Refusal(400, f"timeout must be above 0 and at most {most_seconds:g}, as the service was started")
    request = ServiceRequest(address=given.pop("url", ""))
    if "html" in given:
        request = replace(request, data=given.pop("html").encode("utf-8", "replace"), encoding="utf-8")
    return replace(request, **given)


_PAGE = "application/vnd.blocksight.page"
#: The status for a request whose client has gone; none is sent.
_GONE = 499
#: Seconds after which a refused request may be sent again.
_RETRY_AFTER = 2
#: Open connections, beyond which the server answers 503.
_CONNECTIONS = 256
#: HTTP statuses of kinds of failure; 422 for all others.
_STATUS = {"timeout": 504, "refused": 403, "http": 502, "fault": 500}
_LOG = logging.getLogger(__name__)


class Service:
    """The service as an ASGI application (:attr:`app`).

    All but ``/health`` needs the token (``Authorization: Bearer TOKEN``). ``workers`` requests are in progress at once
    and at most ``queue`` wait, no longer than the timeout of their pages; others get 503. ``most_body`` is the limit of
    a request's body in bytes. The page of a client that has gone ends within its timeout.
    """

    def __init__(
        self, runner: PageRunner, system: System, *, token: str, most_body: int, workers: int, queue: int
    ) -> None:
        self._runner = runner
        self._system = system
        self._token = token
        self._most_body = most_body
        self._most = workers + queue
        self._slots = asyncio.Semaphore(workers)
        self.under_way = 0
        self.app = Starlette(
            routes=[
                Route("/extract", partial(self._answer, is_page=False), methods=["POST"]),
                Route("/render", partial(self._answer, is_page=True), methods=["POST"]),
                Route("/health", self._health, methods=["GET"]),
            ],
            exception_handlers={Refusal: _refused, ClientDisconnect: _gone},
        )
        # A redirect would name the host that the request names.
        self.app.router.redirect_slashes = False

    async def _health(self, request: Request) -> Response:
        answer: dict[str, object] = {"status": "ok"}
        if self._is_authorized(request):
            answer |= {"blocksight": VERSION, "under_way": self.under_way}
        return json_answer(answer)

    async def _answer(self, request: Request, *, is_page: bool) -> Response:
        if not self._is_authorized(request):
            raise Refusal(401, "send the header Authorization: Bearer TOKEN")
        if self.under_way >= self._most:
            raise _busy()
        self.under_way += 1
        try:
            asked = await self._parsed(request)
            return await self._done(asked, is_page=is_page)
        finally:
            self.under_way -= 1

    async def _done(self, asked: ServiceRequest, *, is_page: bool) -> Response:
        """Wait for a slot, and do the work in the time that is left."""
        seconds, start = asked.timeout or self._runner.options.timeout, time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                await self._slots.acquire()
        except TimeoutError as error:
            raise _busy() from error
        try:
            left = max(round(seconds - (time.monotonic() - start), 2), 0.01)
            answer = await anyio.to_thread.run_sync(partial(self.work, replace(asked, timeout=left), is_page=is_page))
        except Exception as error:  # one page must not end the service
            status, failed = failure(error)
            if status == _STATUS["fault"]:
                _LOG.exception("a fault of the program; please report it")
            return json_answer(failed, status)
        finally:
            self._slots.release()
        return Response(answer, media_type=_PAGE if is_page else asked.media)

    def work(self, asked: ServiceRequest, *, is_page: bool = False) -> bytes:
        """Return the document of a page in the format of its request, or the saved page."""
        runner, changes = self._runner, {"wait_for": asked.wait_for, "timeout": asked.timeout}
        options = replace(runner.options, **{name: value for name, value in changes.items() if value})  # type: ignore[arg-type]
        opening: dict[str, Any] = {"url": asked.address or None, "encoding": asked.encoding, "options": options}
        source = self._source(asked)
        if is_page:
            return runner.run(source, dumps, **opening)
        return runner.run_by_route(source, _extracted, self._system, asked.format, asked.keep, **opening)

    def _source(self, asked: ServiceRequest) -> str | bytes | RawPage:
        address, data = asked.address, asked.data
        has_browser = asked.browser and self._runner.browser is not None
        if data is None:
            demand_web_address(address)
            if not has_browser:
                raise PageFailed(address, "an address needs the browser; send the HTML")
            return address
        if has_browser and not is_saved(data):
            return data
        return RawPage(
            data=data,
            name=address or "the page",
            url=address or None,
            encoding=asked.encoding,
            limit=self._runner.options.max_bytes,
            geometry=has_browser,
        )

    def _is_authorized(self, request: Request) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_valid = secrets.compare_digest(token.strip().encode(), self._token.encode())
        return scheme.lower() == "bearer" and is_valid

    async def _parsed(self, request: Request) -> ServiceRequest:
        """Parse a request: JSON with ``url`` or ``html``, or the document itself with its options in the query."""
        most_seconds = self._runner.options.timeout
        body = await read_body(request, self._most_body, remedy=" (--max-body of `blocksight serve` raises it)")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            if not body:
                raise Refusal(400, "send JSON with url or html, or the document itself")
            return parse_query(request.query_params, body, most_seconds=most_seconds)
        try:
            values = orjson.loads(body)
        except ValueError as error:
            raise Refusal(400, f"the body is not JSON ({error})") from error
        return parse_fields(values, most_seconds=most_seconds)


def _extracted(page: Page, system: System, form: str, keep: str | None, reason: str | None) -> tuple[bytes, str]:
    try:
        document, wanted = routed(page, extract(page, system=system, keep=keep), reason)
    except ValueError as error:
        raise PageFailed(page.url, str(error)) from error
    if wanted:
        return b"", wanted
    # Text with surrogates is possible in Python only.
    written = orjson.dumps(document.to_dict()) if form == "json" else document.written(form).encode("utf-8", "replace")
    return written, ""


def failure(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and the JSON answer for an error."""
    kind = error_kind(error)
    answer: dict[str, Any] = {"kind": kind, "message": "a fault of the program"}
    if kind != "fault":
        answer["message"] = with_options(str(error), of=" of `blocksight serve`", kept=_FIELDS)
    if status := getattr(error, "status", 0):
        answer["status"] = status
    return _STATUS.get(kind, 422), {"error": answer}


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


async def _gone(request: Request, error: Exception) -> Response:
    del request, error
    return Response(status_code=_GONE)


def server(service: Service, *, connections: int = _CONNECTIONS) -> uvicorn.Server:
    """Return the server of a service; beyond ``connections`` open connections it answers 503.

    No answer may be stored by a cache on its way.
    """
    config = uvicorn.Config(
        service.app,
        http=Protocol,
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
