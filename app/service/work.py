"""The work of the service on one page: opened in the browser, extracted in a worker process.

Cancelling it ends both.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Self, TypeVar

import orjson

from ...batch.row_schema import error_kind
from ...classify.extract import extract
from ...classify.route import raw_route, render_reason
from ...classify.system import System
from ...document.document import Document
from ...errors import PageFailed, Refused
from ...page.page import Page
from ...page.store import dumps, is_saved
from ...processes.workers import WorkerPool
from ...render.browser import Browser
from ...render.render_options import RenderOptions
from ...render.sources.raw import RawPage, as_page
from ...render.sources.sources import is_address
from .request_fields import ServiceRequest

T = TypeVar("T")

#: Seconds that an extraction may go on after it was cancelled: most end sooner, and a new worker process costs more.
_GRACE_SECONDS = 1.0


class ServiceWorker(ExitStack):
    """The browser and the worker processes of a service; use it as a context manager.

    Without ``browser`` it reads raw HTML and saved pages only; with "auto" raw HTML first, and it renders the pages for
    which the verdict or the confidence asks for it.
    """

    def __init__(
        self,
        system: System,
        options: RenderOptions,
        *,
        workers: int,
        browser: bool | Literal["auto"] = True,
        executable: str | None = None,
    ) -> None:
        super().__init__()
        self._system = system
        self._options = options
        self._is_auto = browser == "auto"
        self._workers = WorkerPool(workers, _warm_up, system)
        self._threads = ThreadPoolExecutor(workers, "blocksight-work")
        self._browser = Browser(executable, pages=workers, options=options) if browser else None

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        if self._browser is not None:
            self.callback(self._browser.close)
        self.callback(self._threads.shutdown, wait=False, cancel_futures=True)
        return self

    def warm_up(self) -> None:
        """Load the models and start the browser, so that the first request takes no longer; BrowserMissing without."""
        self._workers.warm_up()
        if self._browser is not None:
            self._browser.open(b"<p>Fresh water boils.")

    async def extract(self, request: ServiceRequest) -> bytes:
        """Return the document of a page in the format of the request."""
        asked = (self._system, request.format, request.keep)
        if not self._is_auto or not request.browser:
            return await self._run(request, _extract, *asked)
        reason, answer = await self._run(request, _extract_or_ask, *asked, raw=True)
        return await self._run(request, _extract, *asked, f"rendered ({reason})") if reason else answer

    async def render(self, request: ServiceRequest) -> bytes:
        """Return a page as a saved page."""
        return await self._run(request, _save)

    async def _run(self, request: ServiceRequest, task: Callable[..., T], *arguments: Any, raw: bool = False) -> T:
        page = await self._open(request, raw=raw)
        stop = threading.Event()
        work = partial(
            self._workers.run, task, page, *arguments, seconds=request.timeout or self._options.timeout, stop=stop
        )
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            try:
                await asyncio.wait({running}, timeout=_GRACE_SECONDS)
            finally:
                stop.set()
            # The next request may have this worker only when it is free.
            await asyncio.wait({running})
            raise

    async def _open(self, request: ServiceRequest, *, raw: bool) -> Page | RawPage:
        address, data = request.address, request.data
        browser = self._browser if request.browser else None
        if data is not None and (browser is None or is_saved(data)):
            return RawPage(
                data=data,
                name=address or "the page",
                url=address or None,
                encoding=request.encoding,
                limit=self._options.max_bytes,
                geometry=browser is not None,
            )
        if browser is None:
            raise PageFailed(address, "an address needs the browser; send the HTML")
        if data is None and not is_address(address):
            # The browser would open it as a file of this machine.
            raise Refused(address, "this is not an address: it should look like https://example.org/page")
        source, url = (address, None) if data is None else (data, address or None)
        # In a thread: the browser may have to be started, or an archive to be read.
        options = replace(self._options_of(request), fetch_only=raw)
        submit = partial(browser.submit, source, url=url, encoding=request.encoding, options=options)
        submitted = asyncio.get_running_loop().run_in_executor(self._threads, submit)
        try:
            rendering = await asyncio.shield(submitted)
        except asyncio.CancelledError:
            submitted.add_done_callback(_cancel_rendering)
            raise
        return await asyncio.wrap_future(rendering)

    def _options_of(self, request: ServiceRequest) -> RenderOptions:
        changes: dict[str, Any] = {"wait_for": request.wait_for, "timeout": request.timeout}
        return replace(self._options, **{name: value for name, value in changes.items() if value})

    @property
    def seconds(self) -> float:
        """The most seconds of a page."""
        return self._options.timeout


def _cancel_rendering(submitted: asyncio.Future[Future[Page]]) -> None:
    if not submitted.cancelled() and submitted.exception() is None:
        submitted.result().cancel()


#: HTTP statuses of kinds of failure; 422 for all others.
_STATUS = {"timeout": 504, "refused": 403, "http": 502, "fault": 500}


def failure(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and the JSON answer for an error."""
    kind = error_kind(error)
    answer: dict[str, Any] = {"kind": kind, "message": str(error) if kind != "fault" else "a fault of the program"}
    if status := getattr(error, "status", 0):
        answer["status"] = status
    return _STATUS.get(kind, 422), {"error": answer}


def _extract(
    page: Page | RawPage, system: System, form: str = "json", keep: str | None = None, route: str = ""
) -> bytes:
    return _written(replace(_document(as_page(page), system, keep), route=route), form)


def _extract_or_ask(page: Page | RawPage, system: System, form: str, keep: str | None) -> tuple[str, bytes]:
    """Return why a page should be rendered, or "" and its document."""
    opened = as_page(page)
    document = _document(opened, system, keep)
    reason = render_reason(opened, document)
    return reason, b"" if reason else _written(replace(document, route=raw_route(opened, document)), form)


def _document(page: Page, system: System, keep: str | None) -> Document:
    try:
        return extract(page, system=system, keep=keep)
    except ValueError as error:
        raise PageFailed(page.url, str(error)) from error


def _written(document: Document, form: str) -> bytes:
    # Text with surrogates is possible in Python only.
    return orjson.dumps(document.to_dict()) if form == "json" else document.written(form).encode("utf-8", "replace")


def _save(page: Page | RawPage) -> bytes:
    return dumps(as_page(page))


def _warm_up(system: System) -> None:
    _extract(RawPage(data=b"<p>Fresh water boils.", name="warm", url=None, encoding=None, limit=1000), system)
