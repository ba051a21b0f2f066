"""The work of the service on one page: opened in the browser, extracted in a worker process.

Cancelling it ends both.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar

import orjson

from ...batch.row_schema import error_kind
from ...classify.system import System
from ...document.extract import extract
from ...document.route import routed
from ...errors import PageFailed, Refused
from ...page.page import Page
from ...page.store import dumps, is_saved
from ...render.sources.raw import RawPage
from ...render.sources.sources import is_address
from ..page_runner import PageRunner
from .request_fields import ServiceRequest

T = TypeVar("T")

#: Seconds that an extraction may go on after it was cancelled: most end sooner, and a new worker process costs more.
_GRACE_SECONDS = 1.0


class ServiceWorker(ExitStack):
    """Processes pages of requests in ``workers`` threads; use it as a context manager.

    Parameters
    ----------
    system : System
    runner : PageRunner
        It is entered and closed with this worker.
    workers : int
    """

    def __init__(self, system: System, runner: PageRunner, *, workers: int) -> None:
        super().__init__()
        self._system = system
        self._runner = runner
        self._threads = ThreadPoolExecutor(workers, "blocksight-work")

    def __enter__(self) -> Self:
        self.enter_context(self._runner)
        self.callback(self._threads.shutdown, wait=False, cancel_futures=True)
        return self

    @property
    def seconds(self) -> float:
        """The most seconds of a page."""
        return self._runner.options.timeout

    async def extract(self, request: ServiceRequest) -> bytes:
        """Return the document of a page in the format of the request."""
        return await self.run(self._runner.run_by_route, request, _extract, self._system, request.format, request.keep)

    async def render(self, request: ServiceRequest) -> bytes:
        """Return a page as a saved page."""
        return await self.run(self._runner.run, request, dumps)

    async def run(self, run: Callable[..., T], request: ServiceRequest, task: Callable[..., Any], *arguments: Any) -> T:
        """Run a task on the page of a request by a method of the runner; when it is cancelled, wait until it ended."""
        changes: dict[str, Any] = {"wait_for": request.wait_for, "timeout": request.timeout}
        options = replace(self._runner.options, **{name: value for name, value in changes.items() if value})
        stop = threading.Event()
        opening = {"url": request.address or None, "encoding": request.encoding, "options": options, "stop": stop}
        work = partial(run, self._source(request), task, *arguments, **opening)
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

    def _source(self, request: ServiceRequest) -> str | bytes | RawPage:
        address, data = request.address, request.data
        has_browser = request.browser and self._runner.browser is not None
        if data is None:
            if not is_address(address):
                # The browser would open it as a file of this machine.
                raise Refused(address, "this is not an address: it should look like https://example.org/page")
            if not has_browser:
                raise PageFailed(address, "an address needs the browser; send the HTML")
            return address
        if has_browser and not is_saved(data):
            return data
        return RawPage(
            data=data,
            name=address or "the page",
            url=address or None,
            encoding=request.encoding,
            limit=self._runner.options.max_bytes,
            geometry=has_browser,
        )


#: HTTP statuses of kinds of failure; 422 for all others.
_STATUS = {"timeout": 504, "refused": 403, "http": 502, "fault": 500}


def failure(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and the JSON answer for an error."""
    kind = error_kind(error)
    answer: dict[str, Any] = {"kind": kind, "message": str(error) if kind != "fault" else "a fault of the program"}
    if status := getattr(error, "status", 0):
        answer["status"] = status
    return _STATUS.get(kind, 422), {"error": answer}


def _extract(page: Page, system: System, form: str, keep: str | None, reason: str | None) -> tuple[bytes, str]:
    try:
        document, wanted = routed(page, extract(page, system=system, keep=keep), reason)
    except ValueError as error:
        raise PageFailed(page.url, str(error)) from error
    if wanted:
        return b"", wanted
    # Text with surrogates is possible in Python only.
    written = orjson.dumps(document.to_dict()) if form == "json" else document.written(form).encode("utf-8", "replace")
    return written, ""
