"""One browser process behind a thread of its own: started, watched, renewed and ended.

The connection to it runs on an event loop in that thread, so that a Browser works the same in a script, in a notebook
(where a loop already runs) and under threads. Nothing here waits without a deadline.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import psutil

from ...errors import BrowserMissing, PageFailed, Refused, TimedOut
from ...page.page import Page
from ..devtools import malloc
from ..devtools.channel import ChannelClosed
from ..network.guard import Policy
from ..network.proxy import open_proxy
from ..render_options import RenderOptions, parse_proxy
from ..sources.sources import PageSource
from ..sources.truncated import truncate_html
from .browser_context import open_context
from .environment import installed_fonts
from .page_session import PageCrashed, PageLate, PageSession, PageTooMuch
from .process.executable import FoundBrowser
from .process.launch import START_SECONDS, Running, start
from .process.process_tree import ProcessTree

T = TypeVar("T")

_END_SECONDS = 10.0
#: A page that has less time left than this is not tried again.
_LEAST_SECONDS = 1.0
#: Seconds beyond a page's time in which it must be over, whatever happened.
_GRACE_SECONDS = 0.5
#: Seconds between two looks at the memory of a page's processes, and looks between two at what processes there are.
_WATCH_SECONDS, _FAMILY_LOOKS = 0.08, 3

#: A browser is renewed after so many documents, or when it and its children hold more memory than this.
MOST_DOCUMENTS = 500
MOST_BYTES = 3_000_000_000
#: The process of a page that holds more than this of its own is ended: with all else it shall not reach a gigabyte
#: before that is noticed. Pages of applications hold up to 400 MB.
MOST_PAGE_BYTES = 650_000_000
#: A browser whose own process holds more, as it does the blobs and stored data of pages, has its pages ended.
MOST_BROWSER_BYTES = 450_000_000


class Worker:
    """Renders documents, several at once, in a browser that is renewed when it has grown, hung or died.

    Parameters
    ----------
    found : FoundBrowser
    pages : int
        Documents at once.
    """

    def __init__(self, found: FoundBrowser, pages: int) -> None:
        self._found = found
        self._pages = pages
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="blocksight-browser", daemon=True)
        self._thread.start()
        try:
            self._process = self._call(_Process.launch(found), START_SECONDS)
            self._free = asyncio.Semaphore(pages)
            self._renewal: asyncio.Future[None] | None = None
            self._endings: set[asyncio.Future[None]] = set()
        except BaseException:
            self._end_thread()
            raise

    def submit(self, target: str | PageSource, options: RenderOptions) -> Future[Page]:
        """Begin with a document; the future gives its page or raises PageFailed."""
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
            deadline = time.monotonic() + options.timeout
            page = await self._tried(target, options, deadline)
            if not len(page.leaves) and options.javascript and deadline - time.monotonic() > _LEAST_SECONDS:
                page = await self._unwiped(page, target, options, deadline)
        if page.has_tag("html", "head", "body").all():
            raise PageFailed(page.url, "the page is empty")
        return page

    async def _unwiped(self, page: Page, target: str | PageSource, options: RenderOptions, deadline: float) -> Page:
        """Return a page without text as it is without its scripts, where there is text then.

        Scripts may wipe a page or leave it again and again, those of a saved page for want of its site.
        """
        with suppress(PageFailed):
            plain = await self._beginning(target, options, deadline, PageFailed(page.url, "the page is empty"))
            return plain if len(plain.leaves) else page
        return page

    async def _tried(self, target: str | PageSource, options: RenderOptions, deadline: float) -> Page:
        """Render; a page that died, perhaps of its neighbours, gets one more chance on a fresh browser.

        If it dies again, or is late, it is its own doing: its beginning comes out, without its scripts.
        """
        name = target if isinstance(target, str) else target.name
        died: Exception = TimeoutError()
        for last in (False, True):
            used = self._process
            try:
                return await self._attempt(target, options, deadline, instead_of=used if last else None)
            except (PageCrashed, PageLate, PageTooMuch, ChannelClosed, TimeoutError) as error:
                died = error
            # What is left then is for the beginning.
            if isinstance(died, (PageLate, PageTooMuch)) or deadline - time.monotonic() < options.timeout / 2:
                break
        if deadline - time.monotonic() < _LEAST_SECONDS:
            raise _ended(name, died, options) from died
        return await self._beginning(target, options, deadline, died)

    async def _beginning(
        self, target: str | PageSource, options: RenderOptions, deadline: float, died: Exception
    ) -> Page:
        """Render the beginning of a page of which the browser made nothing, or too much."""
        plain = replace(options, javascript=False, scroll=0, settle=0.0, wait_for="")
        name = target if isinstance(target, str) else target.name
        try:
            if isinstance(target, PageSource):
                left = deadline - time.monotonic()
                target = replace(target, html=await asyncio.to_thread(truncate_html, target.html, target.name, left))
            self._process.end_pages()
            page = await self._attempt(target, plain, deadline, begins=True)
        except Refused:
            raise
        except (PageFailed, ChannelClosed, TimeoutError):
            raise _ended(name, died, options) from died
        return page.replace(partial=True)

    async def _attempt(
        self,
        target: str | PageSource,
        options: RenderOptions,
        deadline: float,
        *,
        instead_of: _Process | None = None,
        begins: bool = False,
    ) -> Page:
        # Whatever waits inside has a deadline of its own; this one is for the sum of them.
        async with asyncio.timeout(deadline - time.monotonic() + _GRACE_SECONDS):
            process = await self._ready(instead_of)
            process.busy += 1
            process.documents += 1
            ended = process.ended
            try:
                return await process.render(target, options, deadline, begins=begins)
            except PageCrashed as crashed:
                if process.ended > ended:
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
        """End a worn browser that nobody uses any more, without making anybody wait for it."""
        if process.worn and not process.busy and process is not self._process:
            task = asyncio.ensure_future(process.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def _ready(self, instead_of: _Process | None) -> _Process:
        """Return the browser process to use now; one that is worn is left to those who still use it."""
        if self._process is instead_of or self._process.is_worn():
            if self._renewal is None:
                self._renewal = asyncio.ensure_future(self._renew())
            # Whoever gives up waiting must not leave half a browser behind.
            await asyncio.shield(self._renewal)
        return self._process

    async def _renew(self) -> None:
        try:
            old = self._process
            old.worn = True
            self._process = await self._launched()
            self._drop(old)
        finally:
            self._renewal = None

    async def _launched(self) -> _Process:
        """Start another browser; one that has started here before and is ended as it starts has been killed."""
        try:
            return await _Process.launch(self._found)
        except BrowserMissing:
            return await _Process.launch(self._found)


class _Process:
    """One browser, and what it has done."""

    def __init__(self, running: Running, version: str) -> None:
        self._running = running
        self._connection = running.connection
        self._version = version
        self._watch = asyncio.ensure_future(self._watched())
        self.busy = 0
        self.documents = 0
        self.ended = 0
        self.worn = False
        self._family = ProcessTree(running.pid)
        self._members: list[psutil.Process] = []
        self._looks = 0

    @classmethod
    async def launch(cls, found: FoundBrowser) -> _Process:
        """Start the browser.

        Raises
        ------
        BrowserMissing
            When it does not start.
        """
        await asyncio.to_thread(installed_fonts)
        running = await start(found)
        return cls(running, f"{Path(found.path).name} {running.version}")

    def is_worn(self) -> bool:
        """Return whether this browser has died or has done enough."""
        return (
            self.worn
            or self._connection.worn
            or self.documents >= MOST_DOCUMENTS
            or self._connection.browser.crashed.is_set()
        )

    async def _watched(self) -> None:
        """Look at the memory of the browser's processes, and at our own, now and then."""
        while not self.worn:
            await asyncio.sleep(_WATCH_SECONDS)
            if self.busy:
                self._weigh()
            if malloc.is_due():
                await asyncio.to_thread(malloc.give_back)
            elif malloc.is_over():
                await asyncio.to_thread(malloc.sweep)

    def _weigh(self) -> None:
        """Renew the browser when it has grown too much, and end a page's process before it eats the machine."""
        if self._looks % _FAMILY_LOOKS == 0:
            self._members = self._family.members()
        self._looks += 1
        total = 0
        for process in self._members[1:]:
            size = _own_bytes(process)
            total += size
            if size > MOST_PAGE_BYTES:
                with suppress(psutil.Error):
                    process.kill()
                    self.ended += 1
        self.worn = self.worn or total > MOST_BYTES
        if self._members and _own_bytes(self._members[0]) > MOST_BROWSER_BYTES:
            self.worn = True
            self.ended += 1
            self._end_renderers()

    def end_pages(self) -> None:
        """End the processes of pages that are still there although nobody uses this browser: they may be busy."""
        if not self.busy:
            self._end_renderers()

    def _end_renderers(self) -> None:
        for process in self._family.members()[1:]:
            with suppress(psutil.Error):
                if "--type=renderer" in process.cmdline():
                    process.kill()

    async def end(self) -> None:
        """End the browser, whatever state it is in."""
        self.worn = True
        self._watch.cancel()
        await self._running.end()

    async def render(self, target: str | PageSource, options: RenderOptions, deadline: float, *, begins: bool) -> Page:
        """Render one document in a context of its own, which leaves nothing behind."""
        policy = Policy.for_page(options, target)
        exit_ = open_proxy(
            policy,
            max_bytes=options.max_bytes,
            max_requests=options.max_requests,
            proxy=parse_proxy(options.proxy) if options.proxy else None,
            proxy_resolves=options.proxy_resolves,
        )
        async with exit_ as way:
            if isinstance(target, str):
                await way.check(target)
            async with open_context(self._connection, options, way) as channel:
                session = PageSession(channel, options, way, deadline, self._version, begins=begins)
                return await session.render(target)


def _own_bytes(process: psutil.Process) -> int:
    """Return the memory that a process shares with no other, where the system tells; 0 for one that has ended."""
    with suppress(psutil.Error):
        found = process.memory_info()
        return int(found.rss - getattr(found, "shared", 0))
    return 0


def _ended(name: str, died: Exception, options: RenderOptions) -> PageFailed:
    """Put into words how the last attempt ended."""
    if isinstance(died, PageFailed):
        return died
    if isinstance(died, TimeoutError):
        return TimedOut(name, f"not done within {options.timeout:g} s (--timeout sets it)")
    return PageFailed(name, "the browser died")
