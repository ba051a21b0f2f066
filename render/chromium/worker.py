"""Run browser processes, one for each page at a time, behind a thread of their own.

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
from functools import partial
from typing import Any, TypeVar

from ...errors import BrowserMissing, PageEmpty, PageFailed, Refused
from ...page.page import Page
from ...processes.contention import Contention
from ..devtools.channel import ChannelClosed
from ..render_options import RenderOptions
from ..sources.alternates import ADDRESS, ALONE, ALTERNATE, alternate_link
from ..sources.sources import PageSource, check_is_page
from ..sources.truncated import truncate_html
from .browser_process import MOST_PAGE_BYTES, BrowserProcess, BrowserSlot, Rendering
from .page_session import Beginning, PageCrashed, PageLate, PageTooMuch, marked_partial
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
    """Renders documents, several at once, in browsers that are replaced when they grow, hang or die.

    ``options`` are the usual ones, whose user agent the browser sends where a page cannot give it another.
    """

    def __init__(self, found: FoundBrowser, pages: int, options: RenderOptions) -> None:
        self._slots: list[BrowserSlot] = []
        self._rendering: set[asyncio.Task[Page] | None] = set()
        self._is_ending = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="blocksight-browser", daemon=True)
        self._thread.start()
        try:
            self._contention = Contention(self._cpu_seconds)
            self._contention.measure()
            launch = partial(BrowserProcess.launch, found, options, self._contention)
            self._slots = [BrowserSlot(launch) for _ in range(pages)]
            # The one that was used last is used next: as few browsers as possible.
            self._idle: asyncio.LifoQueue[BrowserSlot] = asyncio.LifoQueue()
            for slot in reversed(self._slots):
                self._idle.put_nowait(slot)
            self._call(self._slots[0].ready(), START_SECONDS + _END_SECONDS)
        except BaseException:
            self.stop()
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
        try:
            with suppress(TimeoutError):
                self._call(self._end(), _END_SECONDS)
        finally:
            self._end_thread()

    async def _end(self) -> None:
        self._is_ending = True
        await asyncio.gather(*(slot.end() for slot in self._slots))
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
        slot = await self._idle.get()
        try:
            await slot.ready()
            limits = PageTime(options.timeout, self.stretch)
            task = Rendering(target=target, options=options, time=limits, beginning=Beginning(target))
            page = await self._render_with_retries(slot, task)
            runs = options.javascript and not options.fetch_only
            if not len(page.leaves) and runs and limits.left > _LEAST_SECONDS:
                page = await self._without_scripts(slot, page, task)
            if options.fetch_only and options.alternate:
                page = await self._with_alternate(slot, page, task)
        finally:
            self._idle.put_nowait(slot)
        if page.has_tag("html", "head", "body").all():
            # A page that leaves again and again may be captured while it has no text.
            page = await task.beginning.page("the page is empty") or page
        if page.has_tag("html", "head", "body").all():
            raise PageEmpty(page.url, "the page is empty")
        return check_is_page(page)

    async def _with_alternate(self, slot: BrowserSlot, page: Page, task: Rendering) -> Page:
        """Return a fetched page with the Markdown of its site: with the page for the Markdown that came in its place.

        Only what a page shows can tell what the Markdown adds to it. Without a page the Markdown is all there is.
        """
        address, options = alternate_link(page, task.name), replace(task.options, conditions=())
        if ALONE in page.environment:
            address, options = task.name, replace(options, alternate=False)
        if not address or (options.alternate and options.follow is not None and options.follow(address)):
            return page
        with suppress(PageFailed, TimeoutError, ChannelClosed):
            other = await self._attempt(slot, replace(task, target=address, options=options))
            shown, served = (page, other) if options.alternate else (other, page)
            markdown = "" if served.partial else served.environment.get(ALTERNATE, "")
            if markdown and ALONE not in shown.environment and shown.geometry is None:
                found = {ALTERNATE: markdown, ADDRESS: served.environment[ADDRESS]}
                return shown.replace(environment={**shown.environment, **found})
        return page

    async def _without_scripts(self, slot: BrowserSlot, page: Page, task: Rendering) -> Page:
        """Render a page without text again without its scripts; return the page that has text.

        Scripts may clear a page or navigate repeatedly, those of a saved page because its site is missing.
        """
        with suppress(PageFailed):
            plain = await self._truncated(slot, task, PageFailed(page.url, page.partial_reason or "the page is empty"))
            return plain if len(plain.leaves) else page
        return page

    async def _render_with_retries(self, slot: BrowserSlot, task: Rendering) -> Page:
        """Render; a page that crashed, perhaps because of other pages, gets a second attempt in a fresh browser.

        If it crashes again, or is late, it is truncated and rendered without its scripts. If there is no time for that,
        or it is late again, the HTML that has arrived is parsed without a browser.
        """
        failure: Exception = TimeoutError()
        for last in (False, True):
            used = slot.process
            try:
                return await self._attempt(slot, task, instead_of=used if last else None)
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
            return await self._truncated(slot, task, failure)
        except Refused as refused:
            if not isinstance(refused, PageTooMuch):
                raise
            late: PageFailed = refused
        except PageFailed as failed:
            late = failed
        if page := await task.beginning.page(late.reason):
            return page
        raise late

    async def _truncated(self, slot: BrowserSlot, task: Rendering, failure: Exception) -> Page:
        target, failed = task.target, task.failed(failure)
        plain = replace(task.options, javascript=False, scroll=0, settle=0.0, wait_for="")
        try:
            if isinstance(target, PageSource):
                html = await asyncio.to_thread(truncate_html, target.html, target.name, task.time.work_left)
                target = replace(target, html=html)
            if slot.process is not None:
                slot.process.end_pages()
            page = await self._attempt(slot, replace(task, target=target, options=plain), truncated=True)
        except Refused:
            raise
        except (PageFailed, ChannelClosed, TimeoutError):
            raise failed from failure
        return marked_partial(page, f"its first part, without scripts: {failed.reason}")

    async def _attempt(
        self,
        slot: BrowserSlot,
        task: Rendering,
        *,
        instead_of: BrowserProcess | None = None,
        truncated: bool = False,
    ) -> Page:
        # Every call inside has a deadline of its own; this one is for their sum.
        async with asyncio.timeout(task.time.most_left + _GRACE_SECONDS):
            task.time.begin_opening()
            process = await slot.ready(instead_of)
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
                slot.drop(process)

    def _cpu_seconds(self) -> float:
        """Return the processor time of this process and its browsers."""
        processes = [slot.process for slot in self._slots]
        return sum((process.cpu_seconds() for process in processes if process is not None), time.process_time())
