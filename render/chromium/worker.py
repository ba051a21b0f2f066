"""Run one browser process behind a thread of its own: start it, watch its memory, replace it and end it.

The connection runs on an event loop in that thread, so that a Browser works the same in a script, in a notebook
(where a loop already runs) and with threads. Nothing here waits without a deadline.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from ...errors import BrowserMissing, PageEmpty, PageFailed, Refused
from ...page.page import Page
from ...processes.contention import Contention
from ..devtools.channel import ChannelClosed
from ..render_options import RenderOptions
from ..sources.sources import PageSource
from ..sources.truncated import truncate_html
from .beginning import Beginning, marked_partial
from .browser_process import MOST_PAGE_BYTES, BrowserProcess, Rendering
from .page_session import PageCrashed, PageLate, PageTooMuch
from .process.executable import FoundBrowser
from .process.launch import START_SECONDS
from .time_budget import PageTime

T = TypeVar("T")
_LOG = logging.getLogger(__name__)

_END_SECONDS = 10.0
#: Seconds that pages have to fail once their browser has ended.
_FAIL_SECONDS = 1.0
#: A page with less time left than this is not tried again.
_LEAST_SECONDS = 1.0
#: Seconds after a page's deadline at which it is abandoned in any case.
_GRACE_SECONDS = 0.5


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
            self._rendering: set[asyncio.Task[Page] | None] = set()
            self._is_ending = False
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
        self._is_ending = True
        if self._renewal is not None:
            with suppress(BrowserMissing):
                await self._renewal
        await asyncio.gather(self._process.end(), *self._endings)
        # Without a browser they fail at once, unless one is parsed in a thread.
        for _ in range(2):
            if pending := [task for task in self._rendering if task is not None]:
                await asyncio.wait(pending, timeout=_FAIL_SECONDS)
                for task in pending:
                    task.cancel()

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
        current = asyncio.current_task()
        self._rendering.add(current)
        try:
            page = await self._render_in_turn(target, options)
            if page.partial:
                _LOG.info("%s: partial: %s", page.url, page.partial_reason)
            return page
        except BrowserMissing as missing:
            if self._is_ending:
                raise PageFailed(target if isinstance(target, str) else target.name, str(missing)) from missing
            raise
        finally:
            self._rendering.discard(current)

    async def _render_in_turn(self, target: str | PageSource, options: RenderOptions) -> Page:
        async with self._free:
            await self._ready(None)
            limits = PageTime(options.timeout, self.stretch)
            task = Rendering(target=target, options=options, time=limits, beginning=Beginning(target))
            page = await self._render_with_retries(task)
            runs = options.javascript and not options.fetch_only
            if not len(page.leaves) and runs and limits.left > _LEAST_SECONDS:
                page = await self._without_scripts(page, task)
        if page.has_tag("html", "head", "body").all():
            # A page that leaves again and again may be captured while it has no text.
            page = await task.beginning.page("the page is empty") or page
        if page.has_tag("html", "head", "body").all():
            raise PageEmpty(page.url, "the page is empty")
        return page

    async def _without_scripts(self, page: Page, task: Rendering) -> Page:
        """Render a page without text again without its scripts; return the page that has text.

        Scripts may clear a page or navigate repeatedly, those of a saved page because its site is missing.
        """
        with suppress(PageFailed):
            plain = await self._truncated(task, PageFailed(page.url, "the page is empty"))
            return plain if len(plain.leaves) else page
        return page

    async def _render_with_retries(self, task: Rendering) -> Page:
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
            reason = task.failed(failure).reason
            # The remaining time is for the truncated page.
            if isinstance(failure, (PageLate, PageTooMuch)) or task.time.left < task.options.timeout / 2:
                _LOG.info("%s: %s; only its first part is rendered, without scripts", task.name, reason)
                break
            if not last:
                _LOG.info("%s: %s; it is tried again in a new browser", task.name, reason)
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

    async def _truncated(self, task: Rendering, failure: Exception) -> Page:
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

    async def _attempt(
        self, task: Rendering, *, instead_of: BrowserProcess | None = None, truncated: bool = False
    ) -> Page:
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

    def _drop(self, process: BrowserProcess) -> None:
        """End a worn browser without pages in the background."""
        if process.worn and not process.busy and process is not self._process:
            task = asyncio.ensure_future(process.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def _ready(self, instead_of: BrowserProcess | None) -> BrowserProcess:
        """Return the browser process to use; a worn one finishes its pages. BrowserMissing while we end."""
        if self._is_ending:
            raise BrowserMissing("the browser was closed")
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

    async def _launched(self, *, attempts: int) -> BrowserProcess:
        """Start a browser; one that has started before gets a second attempt: it was killed from outside."""
        try:
            return await BrowserProcess.launch(self._found, self._options, self._contention)
        except BrowserMissing:
            if attempts < 2:
                raise
            return await BrowserProcess.launch(self._found, self._options, self._contention)

    def _cpu_seconds(self) -> float:
        """Return the processor time of this process and its browser."""
        process = getattr(self, "_process", None)
        return time.process_time() + (process.cpu_seconds() if process is not None else 0.0)
