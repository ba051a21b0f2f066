"""One browser process with the pages that it renders, with limits of memory; a slot replaces it when it is worn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...errors import BrowserMissing, PageFailed, TimedOut
from ...page.page import Page
from ...processes.contention import Contention
from ..devtools.channel import Channel
from ..network.proxy import proxy_for
from ..render_options import RenderOptions
from ..sources.sources import PageSource
from .browser_context import SharedWorkers, open_context
from .page_session import Beginning, PageSession
from .process.executable import FoundBrowser
from .process.launch import ProcessTree, Running, own_bytes, start
from .time_budget import PageTime, TimeBudget

#: Seconds between two measurements of memory, and measurements between two listings of the processes.
_WATCH_SECONDS, _LISTING_INTERVAL = 0.08, 3

#: Seconds for the last frame of a page.
_FRAME_SECONDS = 0.3

#: A browser is replaced after so many documents, or when its child processes have more memory than this.
MOST_DOCUMENTS = 500
MOST_BYTES = 3_000_000_000
#: The process of a page with more memory of its own is killed: with everything else it must not reach a gigabyte before
#: this is noticed. Pages of applications have up to 400 MB.
MOST_PAGE_BYTES = 650_000_000
#: The pages of a browser whose own process has more are killed: it stores the blobs and data of pages, and on Linux up
#: to so much of the responses of each.
MOST_BROWSER_BYTES, MOST_CACHE_BYTES = 450_000_000, 64_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A document to be rendered."""

    target: str | PageSource
    options: RenderOptions
    #: Shared by all attempts.
    time: PageTime
    beginning: Beginning

    @property
    def name(self) -> str:
        """The address or the name of the source."""
        return self.target if isinstance(self.target, str) else self.target.name

    def failed(self, failure: Exception) -> PageFailed:
        """Return the error for the failure of an attempt."""
        name = self.name
        if isinstance(failure, PageFailed):
            return failure
        if isinstance(failure, TimeoutError):
            return TimedOut(name, f"not done within {self.time.limit} (timeout sets it)")
        return PageFailed(name, "the browser died")


class BrowserProcess:
    """One browser process with its counters."""

    def __init__(self, running: Running, version: str, contention: Contention) -> None:
        self._running = running
        self._connection = running.connection
        self._workers = SharedWorkers(running.connection)
        self._version = version
        self._contention = contention
        self._watching = asyncio.ensure_future(self._watch())
        self._closing: set[asyncio.Future[None]] = set()
        self.busy = 0
        self.documents = 0
        self.killed = 0
        self.worn = False
        self._tree = ProcessTree(running.pid)
        self._members = self._tree.members()
        self._measurements = 0

    @classmethod
    async def launch(cls, found: FoundBrowser, options: RenderOptions, contention: Contention) -> BrowserProcess:
        """Start a browser; BrowserMissing if it does not start."""
        try:
            running = await start(found, options)
        except BrowserMissing as error:
            # A browser that something killed, for want of memory for instance, may start the next time.
            if "SIGKILL" not in str(error):
                raise
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
        """Measure the memory of the browser's processes at intervals."""
        while not self.worn:
            await asyncio.sleep(_WATCH_SECONDS)
            self._contention.measure()
            if self.busy:
                self._limit_memory()

    def _limit_memory(self) -> None:
        """Mark the browser as worn when it has grown too much, and kill a page's process that takes too much memory."""
        if self._measurements % _LISTING_INTERVAL == 0:
            self._members = self._tree.members()
        self._measurements += 1
        total = 0
        for process in self._members[1:]:
            size = own_bytes(process)
            total += size
            if size > MOST_PAGE_BYTES:
                with suppress(psutil.Error):
                    process.kill()
                    self.killed += 1
        self.worn = self.worn or total > MOST_BYTES
        limit = MOST_BROWSER_BYTES + self.busy * MOST_CACHE_BYTES
        if self._members and own_bytes(self._members[0]) > limit:
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
        """End the browser and all its processes."""
        self.worn = True
        self._watching.cancel()
        await self._running.end()
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def render(self, task: Rendering, *, truncated: bool) -> Page:
        """Render a document in a context and through a proxy of its own."""
        target, options = task.target, task.options
        async with AsyncExitStack() as opened:
            proxy = await opened.enter_async_context(proxy_for(target, options))
            is_loaded = isinstance(target, str)
            context = open_context(self._connection, options, proxy, self._workers, is_loaded=is_loaded)
            channel, frame = await opened.enter_async_context(context)
            task.time.end_opening()
            budget = TimeBudget(task.time, options, truncated=truncated)
            session = PageSession(channel, options, proxy, budget, self._version, beginning=task.beginning)
            try:
                page = await session.render(target, frame)
            finally:
                await self._end_frames(channel)
            # The caller does not wait until the browser has closed the page.
            closing = asyncio.ensure_future(opened.pop_all().aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            return page

    async def _end_frames(self, channel: Channel) -> None:
        """Wait for the last frame of a page: if it ended while another page draws one, so would the browser."""
        is_finished = channel.frames is None
        try:
            is_finished = channel.frames is None or await channel.frames.finish(_FRAME_SECONDS)
        finally:
            self.worn = self.worn or not is_finished


def _cpu_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process and its former children; 0 for one that has ended."""
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


class BrowserSlot:
    """The browser process of one page at a time; it starts with the first page."""

    def __init__(self, launch: Callable[[], Awaitable[BrowserProcess]]) -> None:
        self.process: BrowserProcess | None = None
        self._launch = launch
        self._renewal: asyncio.Future[BrowserProcess] | None = None
        self._endings: set[asyncio.Future[None]] = set()
        self._is_ending = False

    async def ready(self, instead_of: BrowserProcess | None = None) -> BrowserProcess:
        """Return the process to use, a new one if it is worn. Raises BrowserMissing while the slot ends."""
        if self._is_ending:
            raise BrowserMissing("the browser was closed")
        process = self.process
        if process is not None and process is not instead_of and not process.is_worn():
            return process
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(self._renew())
        renewal = self._renewal
        # It goes on if the caller is cancelled: others may wait for it, too.
        await asyncio.wait({renewal})
        if renewal.cancelled():
            raise BrowserMissing("the browser was closed")
        return renewal.result()

    def drop(self, process: BrowserProcess) -> None:
        """End a worn process without pages in the background, if another one has taken its place."""
        if process.worn and not process.busy and process is not self.process:
            task = asyncio.ensure_future(process.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def end(self) -> None:
        """End the process, also one that is being started, and let none start."""
        self._is_ending = True
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.wait({self._renewal})
        processes = [self.process.end()] if self.process is not None else []
        await asyncio.gather(*processes, *self._endings, return_exceptions=True)

    async def _renew(self) -> BrowserProcess:
        try:
            old = self.process
            if old is not None:
                old.worn = True
            self.process = process = await self._launched(attempts=1 if old is None else 2)
            if old is not None:
                self.drop(old)
            return process
        finally:
            self._renewal = None

    async def _launched(self, *, attempts: int) -> BrowserProcess:
        """Start a browser; one that has started before gets a second attempt: it was killed from outside."""
        try:
            return await self._launch()
        except BrowserMissing:
            if attempts < 2:
                raise
            return await self._launch()
