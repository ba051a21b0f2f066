"""Run one browser process behind a thread of its own: start it, watch its memory, replace it and end it.

The connection runs on an event loop in that thread, so that a Browser works the same in a script, in a notebook
(where a loop already runs) and with threads. Nothing here waits without a deadline.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import psutil

from ...errors import BrowserMissing, PageEmpty, PageFailed, Refused, TimedOut
from ...page.page import Page
from ...processes.contention import Contention
from ..devtools import malloc
from ..devtools.channel import ChannelClosed
from ..network.guard import Policy
from ..network.proxy import open_proxy
from ..render_options import RenderOptions, parse_proxy
from ..sources.sources import PageSource
from ..sources.truncated import truncate_html
from .beginning import Beginning, marked_partial
from .browser_context import open_context
from .environment import installed_fonts
from .page_session import PageCrashed, PageLate, PageSession, PageTooMuch
from .process.executable import FoundBrowser
from .process.launch import START_SECONDS, Running, start
from .process.process_tree import ProcessTree
from .shared_workers import SharedWorkers
from .time_budget import PageTime, TimeBudget

T = TypeVar("T")

_END_SECONDS = 10.0
#: A page with less time left than this is not tried again.
_LEAST_SECONDS = 1.0
#: Seconds after a page's deadline at which it is abandoned in any case.
_GRACE_SECONDS = 0.5
#: Seconds between two measurements of memory, and measurements between two listings of the processes.
_WATCH_SECONDS, _LISTING_INTERVAL = 0.08, 3

#: A browser is replaced after so many documents, or when its child processes have more memory than this.
MOST_DOCUMENTS = 500
MOST_BYTES = 3_000_000_000
#: The process of a page with more memory of its own is killed: with everything else it must not reach a gigabyte before
#: this is noticed. Pages of applications have up to 400 MB.
MOST_PAGE_BYTES = 650_000_000
#: The pages of a browser whose own process has more are killed: it stores the blobs and data of pages.
MOST_BROWSER_BYTES = 450_000_000


class BrowserWorker:
    """Renders documents, several at once, in a browser that is replaced when it grows, hangs or dies.

    ``options`` are the usual ones, whose user agent the browser sends where a page cannot give it another.
    """

    def __init__(self, found: FoundBrowser, pages: int, options: RenderOptions) -> None:
        self._found = found
        self._options = options
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="blocksight-browser", daemon=True)
        self._thread.start()
        try:
            self._contention = Contention(self._cpu_seconds)
            self._contention.measure()
            self._process = self._call(self._launched(attempts=1), START_SECONDS)
            self._free = asyncio.Semaphore(pages)
            self._renewal: asyncio.Future[None] | None = None
            self._endings: set[asyncio.Future[None]] = set()
        except BaseException:
            self._end_thread()
            raise

    @property
    def stretch(self) -> float:
        """Factor of the timeouts of pages on a busy machine."""
        return self._contention.stretch

    def submit(self, target: str | PageSource, options: RenderOptions) -> Future[Page]:
        """Start rendering a document; the future returns its page or raises PageFailed."""
        return asyncio.run_coroutine_threadsafe(self._render(target, options), self._loop)

    def stop(self) -> None:
        """End the browser and the thread."""
        with suppress(TimeoutError):
            self._call(self._end(), _END_SECONDS)
        self._end_thread()

    async def _end(self) -> None:
        if self._renewal is not None:
            with suppress(BrowserMissing):
                await self._renewal
        await asyncio.gather(self._process.end(), *self._endings)

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T], limit: float) -> T:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, limit), self._loop)
        try:
            return future.result(limit + 5.0)
        except BaseException:
            future.cancel()
            raise

    async def _render(self, target: str | PageSource, options: RenderOptions) -> Page:
        async with self._free:
            await self._ready(None)
            limits = PageTime(options.timeout, self.stretch)
            task = _Rendering(target=target, options=options, time=limits, beginning=Beginning(target))
            page = await self._render_with_retries(task)
            if not len(page.leaves) and options.javascript and limits.left > _LEAST_SECONDS:
                page = await self._without_scripts(page, task)
        if page.has_tag("html", "head", "body").all():
            # A page that leaves again and again may be captured while it has no text.
            page = await task.beginning.page("the page is empty") or page
        if page.has_tag("html", "head", "body").all():
            raise PageEmpty(page.url, "the page is empty")
        return page

    async def _without_scripts(self, page: Page, task: _Rendering) -> Page:
        """Render a page without text again without its scripts; return the page that has text.

        Scripts may clear a page or navigate repeatedly, those of a saved page because its site is missing.
        """
        with suppress(PageFailed):
            plain = await self._truncated(task, PageFailed(page.url, "the page is empty"))
            return plain if len(plain.leaves) else page
        return page

    async def _render_with_retries(self, task: _Rendering) -> Page:
        """Render; a page that crashed, perhaps because of other pages, gets a second attempt in a fresh browser.

        If it crashes again, or is late, it is truncated and rendered without its scripts. If there is no time for that,
        or it is late again, the HTML that has arrived is parsed without a browser.
        """
        failure: Exception = TimeoutError()
        for last in (False, True):
            used = self._process
            try:
                return await self._attempt(task, instead_of=used if last else None)
            except (PageCrashed, PageLate, PageTooMuch, ChannelClosed, TimeoutError) as error:
                failure = error
            # The remaining time is for the truncated page.
            if isinstance(failure, (PageLate, PageTooMuch)) or task.time.left < task.options.timeout / 2:
                break
        try:
            if task.time.left < _LEAST_SECONDS + task.time.opening:
                raise task.failed(failure) from failure
            return await self._truncated(task, failure)
        except Refused as refused:
            if not isinstance(refused, PageTooMuch):
                raise
            late: PageFailed = refused
        except PageFailed as failed:
            late = failed
        if page := await task.beginning.page(late.reason):
            return page
        raise late

    async def _truncated(self, task: _Rendering, failure: Exception) -> Page:
        target, failed = task.target, task.failed(failure)
        plain = replace(task.options, javascript=False, scroll=0, settle=0.0, wait_for="")
        try:
            if isinstance(target, PageSource):
                html = await asyncio.to_thread(truncate_html, target.html, target.name, task.time.work_left)
                target = replace(target, html=html)
            self._process.end_pages()
            page = await self._attempt(replace(task, target=target, options=plain), truncated=True)
        except Refused:
            raise
        except (PageFailed, ChannelClosed, TimeoutError):
            raise failed from failure
        return marked_partial(page, f"its first part, without scripts: {failed.reason}")

    async def _attempt(self, task: _Rendering, *, instead_of: _Process | None = None, truncated: bool = False) -> Page:
        # Every call inside has a deadline of its own; this one is for their sum.
        async with asyncio.timeout(task.time.most_left + _GRACE_SECONDS):
            task.time.begin_opening()
            process = await self._ready(instead_of)
            process.busy += 1
            process.documents += 1
            killed = process.killed
            try:
                return await process.render(task, truncated=truncated)
            except PageCrashed as crashed:
                if process.killed > killed:
                    why = f"it takes more than {MOST_PAGE_BYTES // 1_000_000} MB of memory"
                    raise PageTooMuch(crashed.url, why) from crashed
                process.worn = True
                raise
            except (ChannelClosed, TimeoutError):
                process.worn = True
                raise
            finally:
                process.busy -= 1
                self._drop(process)

    def _drop(self, process: _Process) -> None:
        """End a worn browser without pages in the background."""
        if process.worn and not process.busy and process is not self._process:
            task = asyncio.ensure_future(process.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def _ready(self, instead_of: _Process | None) -> _Process:
        """Return the browser process to use; a worn one finishes its pages."""
        if self._process is instead_of or self._process.is_worn():
            if self._renewal is None:
                self._renewal = asyncio.ensure_future(self._renew())
            # A cancelled caller must not leave a browser half started.
            await asyncio.shield(self._renewal)
        return self._process

    async def _renew(self) -> None:
        try:
            old = self._process
            old.worn = True
            self._process = await self._launched(attempts=2)
            self._drop(old)
        finally:
            self._renewal = None

    async def _launched(self, *, attempts: int) -> _Process:
        """Start a browser; one that has started before gets a second attempt: it was killed from outside."""
        try:
            return await _Process.launch(self._found, self._options, self._contention)
        except BrowserMissing:
            if attempts < 2:
                raise
            return await _Process.launch(self._found, self._options, self._contention)

    def _cpu_seconds(self) -> float:
        """Return the processor time of this process and its browser."""
        process = getattr(self, "_process", None)
        return time.process_time() + (process.cpu_seconds() if process is not None else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rendering:
    """A document to be rendered."""

    target: str | PageSource
    options: RenderOptions
    #: Shared by all attempts.
    time: PageTime
    beginning: Beginning

    def failed(self, failure: Exception) -> PageFailed:
        """Return the error for the failure of an attempt."""
        name = self.target if isinstance(self.target, str) else self.target.name
        if isinstance(failure, PageFailed):
            return failure
        if isinstance(failure, TimeoutError):
            return TimedOut(name, f"not done within {self.time.limit} (--timeout sets it)")
        return PageFailed(name, "the browser died")


class _Process:
    """One browser process with its counters."""

    def __init__(self, running: Running, version: str, contention: Contention) -> None:
        self._running = running
        self._connection = running.connection
        self._workers = SharedWorkers(running.connection)
        self._version = version
        self._contention = contention
        self._watching = asyncio.ensure_future(self._watch())
        self.busy = 0
        self.documents = 0
        self.killed = 0
        self.worn = False
        self._tree = ProcessTree(running.pid)
        self._members = self._tree.members()
        self._measurements = 0

    @classmethod
    async def launch(cls, found: FoundBrowser, options: RenderOptions, contention: Contention) -> _Process:
        await asyncio.to_thread(installed_fonts)
        running = await start(found, options)
        return cls(running, f"{Path(found.path).name} {running.version}", contention)

    def is_worn(self) -> bool:
        """Return whether this browser has died or must be replaced."""
        return (
            self.worn
            or self._connection.worn
            or self.documents >= MOST_DOCUMENTS
            or self._connection.browser.crashed.is_set()
        )

    async def _watch(self) -> None:
        """Measure the memory of the browser's processes, and release our own, at intervals."""
        while not self.worn:
            await asyncio.sleep(_WATCH_SECONDS)
            self._contention.measure()
            if self.busy:
                self._limit_memory()
            if malloc.is_due():
                await asyncio.to_thread(malloc.give_back)
            elif malloc.is_over():
                await asyncio.to_thread(malloc.sweep)

    def _limit_memory(self) -> None:
        """Mark the browser as worn when it has grown too much, and kill a page's process that takes too much memory."""
        if self._measurements % _LISTING_INTERVAL == 0:
            self._members = self._tree.members()
        self._measurements += 1
        total = 0
        for process in self._members[1:]:
            size = _own_bytes(process)
            total += size
            if size > MOST_PAGE_BYTES:
                with suppress(psutil.Error):
                    process.kill()
                    self.killed += 1
        self.worn = self.worn or total > MOST_BYTES
        if self._members and _own_bytes(self._members[0]) > MOST_BROWSER_BYTES:
            self.worn = True
            self.killed += 1
            self._kill_renderers()

    def cpu_seconds(self) -> float:
        """Return the processor time that the browser's processes have used."""
        return sum(map(_cpu_seconds, self._members))

    def end_pages(self) -> None:
        """Kill the processes of pages in a browser without pages: they may still be busy."""
        if not self.busy:
            self._kill_renderers()

    def _kill_renderers(self) -> None:
        for process in self._tree.members()[1:]:
            with suppress(psutil.Error):
                if "--type=renderer" in process.cmdline():
                    process.kill()

    async def end(self) -> None:
        self.worn = True
        self._watching.cancel()
        await self._running.end()

    async def render(self, task: _Rendering, *, truncated: bool) -> Page:
        target, options = task.target, task.options
        opening = open_proxy(
            Policy.for_page(options, target),
            max_bytes=options.max_bytes,
            max_requests=options.max_requests,
            proxy=parse_proxy(options.proxy) if options.proxy else None,
            proxy_resolves=options.proxy_resolves,
        )
        async with opening as proxy:
            if isinstance(target, str):
                await proxy.check(target)
            async with open_context(self._connection, options, proxy, self._workers) as channel:
                task.time.end_opening()
                budget = TimeBudget(task.time, options, truncated=truncated)
                session = PageSession(channel, options, proxy, budget, self._version, beginning=task.beginning)
                return await session.render(target)


def _own_bytes(process: psutil.Process) -> int:
    """Return the unshared memory of a process, if the system reports it; 0 for one that has ended."""
    with suppress(psutil.Error):
        memory = process.memory_info()
        return int(memory.rss - getattr(memory, "shared", 0))
    return 0


def _cpu_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process and its former children; 0 for one that has ended."""
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0
