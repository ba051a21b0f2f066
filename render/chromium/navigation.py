"""Navigate to a document, wait until it has settled, and bring into view what it loads only there.

Measured over pages that fetch late, chain fetches, poll for ever, hang, or run a clock, Chromium's virtual time and
"network idle" were the only rules that missed no content, and virtual time the only one that does not wait for polling
to end: the page's clock runs as fast as it can, pauses during requests, and stops when its budget is used up. A page
that grows without end is stopped while it can still be captured.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

from ...errors import NoAnswer
from ..devtools.channel import Channel, CommandFailed, Reply
from ..devtools.scripts import call, script
from ..render_options import UNMATCHED, RenderOptions
from ..visibility.pixels.window_capture import Frames
from .identity import window_command
from .page_clock import PageClock
from .requests.interception import RequestHandler
from .requests.main_response import MainResponse
from .time_budget import TimeBudget

Window = tuple[int, int]
#: Address of a page before its document.
EMPTY = "about:blank"
#: Seconds of the page's clock after each change of its window.
REVEAL = 0.5
#: Seconds between two tests of a selector.
_INTERVAL = 0.05
#: Seconds that an expression may take.
_REPLY_SECONDS = 2.0
#: Seconds between two counts, and for a reply. The browser replies during scripts that run without a pause, but not
#: during layout.
_COUNT_INTERVAL, _COUNT_SECONDS = 0.2, 1.0
#: Seconds to capture and judge a node, in total, on a slow machine, and a character of text.
NODE_SECONDS, CHARACTER_SECONDS = 2e-4, 1e-6
#: Tallest window in CSS pixels.
TALLEST = 30_000
#: A page that keeps less than this share of its text when the window shrinks again shows only what is in view.
_KEPT_TEXT = 0.9
#: Distance between two positions in heights of the window or box, their maximum numbers, and the seconds of the clock
#: at each position, and at the end.
_SCROLL_STEP, _MOST_POSITIONS, _MOST_OF_A_BOX, _SCROLL_SECONDS, _END_SECONDS = 0.8, 30, 8, 0.3, 1.5
#: Reply of ``has_lazy_content.js`` for a page whose scripts follow scrolling.
_BY_SCRIPTS = 2
#: Beginning of the reason of a page that has settled but had more to load at its end.
LOADS_ON = "it loads on"
_TEXT_SIZE = "document.body ? document.body.textContent.length : 0"


async def navigate(
    channel: Channel,
    address: str,
    prepared: list[Reply],
    response: MainResponse,
    handler: RequestHandler,
    budget: TimeBudget,
) -> None:
    """Navigate to an address; raises ``PageFailed`` when it cannot be loaded, is too large, or does not answer.

    ``prepared`` are the replies to commands that have been posted: the document is requested when all have arrived.
    """
    navigation = channel.post("Page.navigate", {"url": address}, timeout=budget.total_left)
    await asyncio.gather(*prepared)
    handler.ready.set()
    too_large = asyncio.ensure_future(response.too_large.wait())
    try:
        tasks: set[asyncio.Future[Any]] = {navigation, too_large}
        await asyncio.wait(tasks, timeout=budget.answer_left, return_when=asyncio.FIRST_COMPLETED)
        response.check()
        if not navigation.done():
            seconds = response.options.timeout
            raise NoAnswer(response.name, f"no answer within {seconds:g} s (timeout sets it)")
        error_text = navigation.result().get("errorText")
    finally:
        for task in (navigation, too_large):
            task.cancel()
    if error_text:
        raise handler.refused or response.failure(error_text)
    budget.skip_retry_if_late()


async def load(
    channel: Channel, parsed: Parsed, response: MainResponse, growth: SizeLimit, budget: TimeBudget, clock: PageClock
) -> tuple[str, Window]:
    """Wait until a page has settled, or is too large to be captured; return why it has not ("" if so), and its window.

    It starts with :data:`~blocksight.render.render_options.UNMATCHED` if nothing matched the selector to wait for.
    """
    late = f"still loading when it had to be captured, to end within {budget.page_time.limit}"
    loading = asyncio.ensure_future(_settled(channel, parsed, response, budget, clock, late))
    watching = asyncio.ensure_future(growth.watch())
    too_large = asyncio.ensure_future(response.too_large.wait())
    tasks = (loading, watching, too_large)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        response.check()
        if loading.done():
            return loading.result()
        watching.result()
        return late, response.options.viewport
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _settled(
    channel: Channel, parsed: Parsed, response: MainResponse, budget: TimeBudget, clock: PageClock, late: str
) -> tuple[str, Window]:
    options = response.options
    reason, window, selector = late, options.viewport, options.wait_for
    if selector and not await wait_for_selector(channel, clock.frames, selector, budget.load_left):
        reason = f"{UNMATCHED} wait_for {selector!r}; {reason}"
    ready = await settle(clock, parsed, options, budget.settle_left) and not reason.startswith(UNMATCHED)
    response.check()
    if ready and options.javascript:
        ready, goes_on, window = await reveal(channel, options, budget.settle_left, clock)
        if ready and goes_on:
            return f"{LOADS_ON} at its end, also after {options.scroll} times (scroll sets how often)", window
    return "" if ready and not clock.requests.gave_up else reason, window


class Parsed:
    """Waits until the document has been parsed and its scripts have run; create it before the navigation.

    A page that tries to navigate away, and may not, stops being parsed: the end of all loading counts as well. The
    events of the empty page before it do not count.
    """

    def __init__(self, channel: Channel, frame: str) -> None:
        self._event = asyncio.Event()
        self._frame = frame
        self._committed = False
        channel.on("Page.domContentEventFired", self._fired)
        channel.on("Page.frameNavigated", self._navigated)
        channel.on("Page.frameStoppedLoading", self._stopped)

    def _fired(self, _: dict[str, Any]) -> None:
        if self._committed:
            self._event.set()

    def _navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        self._committed = self._committed or (frame["id"] == self._frame and frame["url"] != EMPTY)

    def _stopped(self, event: dict[str, Any]) -> None:
        if self._committed and event["frameId"] == self._frame:
            self._event.set()

    async def wait(self) -> None:
        """Wait for the event, without a deadline."""
        await self._event.wait()


async def settle(clock: PageClock, parsed: Parsed, options: RenderOptions, cap: float) -> bool:
    """Wait for the parser, then for ``options.settle`` seconds of the page's clock; False after ``cap`` real seconds.

    A clock started before the parser has requested the first script would find no request to wait for.
    """
    try:
        async with asyncio.timeout(cap):
            async with clock.frames.drawing():
                await parsed.wait()
            await clock.run(options.settle, cap)
    except TimeoutError:
        return False
    return True


async def wait_for_selector(channel: Channel, frames: Frames, selector: str, cap: float) -> bool:
    """Wait, in real time, until an element matches a CSS selector; False when ``cap`` seconds passed first."""
    test = {"expression": f"!!document.querySelector({json.dumps(selector)})", "timeout": 1000}
    try:
        async with asyncio.timeout(cap), frames.drawing():
            while True:
                reply = await channel.send("Runtime.evaluate", test, timeout=cap)
                if "exceptionDetails" in reply:
                    raise CommandFailed(f"{selector!r} is no CSS selector")
                if reply["result"].get("value"):
                    return True
                await asyncio.sleep(_INTERVAL)
    except TimeoutError:
        return False


async def rest(clock: PageClock, cap: float) -> None:
    """Let pending work finish: drawing, images that failed, the last timers."""
    with suppress(TimeoutError, CommandFailed):
        async with asyncio.timeout(cap):
            for _ in range(2):
                await clock.frames.draw()
                await clock.run(REVEAL, cap)


async def evaluate_int(channel: Channel, expression: str, timeout: float = _REPLY_SECONDS) -> int:
    """Evaluate an expression; 0 unless it is a number."""
    reply = await channel.send("Runtime.evaluate", {"expression": expression, "timeout": 1000}, timeout=timeout)
    value = reply["result"].get("value")
    return int(value) if isinstance(value, (bool, int, float)) else 0


class SizeLimit:
    """Counts the nodes of a page while it loads; it must be captured by ``deadline`` (``time.monotonic()``)."""

    def __init__(self, channel: Channel, most: int, deadline: float) -> None:
        self._channel = channel
        self._most = most
        self._deadline = deadline
        self.nodes = 0

    @property
    def is_reached(self) -> bool:
        """Whether there are too many nodes, or as many as can be captured in the remaining time."""
        return self.nodes > self._most or time.monotonic() > self._deadline - self.nodes * NODE_SECONDS

    async def watch(self) -> None:
        """Count nodes until the limit is reached."""
        with suppress(TimeoutError, CommandFailed):
            await self._channel.send("Performance.enable", timeout=_COUNT_SECONDS)
        while not self.is_reached:
            await asyncio.sleep(_COUNT_INTERVAL)
            with suppress(TimeoutError, CommandFailed):
                reply = await self._channel.send("Performance.getMetrics", timeout=_COUNT_SECONDS)
                self.nodes = int({metric["name"]: metric["value"] for metric in reply["metrics"]}.get("Nodes", 0))


async def reveal(channel: Channel, options: RenderOptions, cap: float, clock: PageClock) -> tuple[bool, bool, Window]:
    """Make the window as tall as the document, and boxes that scroll inside it as tall as their content, and back.

    This is repeated while it loads more. A list that keeps only what is in view in the document would lose the rest
    when the window shrinks: for such a page the tall window stays. Returns False if the page had not settled after
    ``cap`` seconds, whether it would load more, and the final width and height of the window.
    """
    width, height = options.viewport
    view = _Viewport(channel, options, cap, clock)
    ready, is_whole = True, False
    try:
        async with asyncio.timeout(cap):
            if options.scroll and (lazy := await view.number(script("has_lazy_content"))):
                before = await view.text_size()
                if lazy == _BY_SCRIPTS:
                    # Observers report changes: they must have seen that content is out of view before it enters.
                    await clock.frames.draw(script("probe_scroll_lock"))
                is_whole = await view.grow(is_patient=lazy == _BY_SCRIPTS)
                if view.height > height and await view.text_size() > before:
                    await view.shrink_unless_text_is_lost()
    except TimeoutError:
        ready = False
    if view.height > height and not view.stays_tall:
        with suppress(TimeoutError, CommandFailed):
            await view.shrink()
    if ready and options.scroll and not view.stays_tall:
        with suppress(TimeoutError, CommandFailed):
            async with asyncio.timeout(cap):
                await _scroll_through(channel, clock, cap, is_whole=is_whole)
    return ready, view.loads_on, (width, view.height)


async def _scroll_through(channel: Channel, clock: PageClock, cap: float, *, is_whole: bool) -> None:
    """Scroll through a page that reacts to scrolling, window by window; give each text the look that it has in view.

    ``is_whole``: all of the page has been in the tall window, where the browser loads lazy images and frames. At the
    end the page is at its top again. A reader stays a moment at each position: the clock runs there.
    """
    if not await evaluate_int(channel, call("reacts_to_scrolling", is_whole), cap):
        return
    # Handlers may know the tall window only: they learn of the usual one by a short scroll.
    await clock.frames.draw(script("scroll_briefly"))
    await clock.run(_SCROLL_SECONDS, cap, is_drawn=True)
    positions = await clock.frames.draw(call("scroll_looks", _SCROLL_STEP, _MOST_POSITIONS, _MOST_OF_A_BOX))
    if not isinstance(positions, list) or not positions:
        return
    await clock.visit(positions, _SCROLL_SECONDS, cap)
    await clock.visit([(0, 0)], _END_SECONDS, cap)
    await clock.frames.draw('globalThis[Symbol.for("blocksight.looks")].restore()')


class _Viewport:
    """The window of a page, which can be made taller temporarily."""

    def __init__(self, channel: Channel, options: RenderOptions, cap: float, clock: PageClock) -> None:
        self.height = options.viewport[1]
        self.stays_tall = self.loads_on = False
        self._channel = channel
        self._options = options
        self._cap = cap
        self._clock = clock

    async def text_size(self) -> int:
        return await self.number(_TEXT_SIZE)

    async def number(self, expression: str) -> int:
        with suppress(CommandFailed):
            return await evaluate_int(self._channel, expression, self._cap)
        return 0

    async def grow(self, *, is_patient: bool) -> bool:
        """Make the window as tall as the document; return whether all of it has been in the window."""
        size = 0
        for number in range(self._options.scroll):
            height = await self._full_height()
            if height <= self.height and number and is_patient:
                # A page may need a moment to notice what has entered the viewport.
                await self._refresh()
                height = await self._full_height()
            if height <= self.height:
                return self.height < TALLEST
            size = await self.text_size()
            await self._resize(height)
            await self._refresh()
        if is_patient:
            await self._refresh()
        # What is as tall as the window grows with it.
        self.loads_on = await self.text_size() > size and await self._full_height() > self.height
        return False

    async def shrink(self) -> None:
        await self.number(script("restore_scrollers"))
        await self._resize(self._options.viewport[1])

    async def shrink_unless_text_is_lost(self) -> None:
        size, tall = await self.text_size(), self.height
        await self.shrink()
        await self._refresh()
        if await self.text_size() < _KEPT_TEXT * size:
            await self._expand_scrollers()
            await self._resize(tall)
            await self._refresh()
            self.stays_tall = True

    async def _expand_scrollers(self) -> int:
        return await self.number(call("expand_scrollers", self._options.viewport[1]))

    async def _full_height(self) -> int:
        """Return the height of the window in which everything would be in view."""
        excess = await self._expand_scrollers()
        metrics = await self._channel.send("Page.getLayoutMetrics", timeout=self._cap)
        content = int(metrics["cssContentSize"]["height"])
        return min(max(content, self.height + excess if excess else 0), TALLEST)

    async def _refresh(self) -> None:
        """Run the clock after a change of the window."""
        await self._clock.run(REVEAL, self._cap, is_changed=True)

    async def _resize(self, height: int) -> None:
        await self._channel.send(*window_command(self._options, height), timeout=_REPLY_SECONDS)
        if height > self.height:
            # What fades in on scrolling tests only then what is in view.
            await self.number("dispatchEvent(new Event('scroll')), document.dispatchEvent(new Event('scroll')), 0")
        self.height = height
