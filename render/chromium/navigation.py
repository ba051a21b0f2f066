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
#: Distance between two positions in heights of the window or box, and their maximum numbers.
_SCROLL_STEP, _MOST_POSITIONS, _MOST_OF_A_BOX = 0.8, 30, 20
#: Seconds of the clock at each position, for a page that looks from time to time where it is, and at the end.
_SCROLL_SECONDS, _POLL_SECONDS, _END_SECONDS = 0.3, 1.0, 1.5
#: Replies of ``reacts_to_scrolling.js``.
_NOTHING, _FOLLOWS, _POLLS, _LAZY = range(4)
#: Beginning of the reason of a page that has settled but had more to load at its end.
LOADS_ON = "it loads on"


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
) -> str:
    """Wait until a page has settled, or is too large to be captured; return why it has not ("" if so).

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
        return late
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _settled(
    channel: Channel, parsed: Parsed, response: MainResponse, budget: TimeBudget, clock: PageClock, late: str
) -> str:
    options = response.options
    reason, selector = late, options.wait_for
    if selector and not await wait_for_selector(channel, clock.frames, selector, budget.load_left):
        reason = f"{UNMATCHED} wait_for {selector!r}; {reason}"
    ready = await settle(clock, parsed, options, budget.settle_left) and not reason.startswith(UNMATCHED)
    response.check()
    if ready and options.javascript and options.scroll:
        ready, goes_on = await bring_into_view(channel, options, budget.settle_left, clock)
        if ready and goes_on:
            return f"{LOADS_ON} at its end, also after {options.scroll} times (scroll sets how often)"
    return "" if ready and not clock.requests.gave_up else reason


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
    test = f"(() => {{ try {{ return !!document.querySelector({json.dumps(selector)}) }} catch {{ return '' }} }})()"
    try:
        async with asyncio.timeout(cap), frames.drawing():
            while True:
                found = await channel.evaluate(test, timeout=cap)
                if found == "":
                    raise CommandFailed(f"{selector!r} is no CSS selector")
                if found:
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


async def bring_into_view(channel: Channel, options: RenderOptions, cap: float, clock: PageClock) -> tuple[bool, bool]:
    """Bring into view what loads only there, or looks different; return whether the page has settled, and loads on.

    A page whose scripts do not react to scrolling only gets a window as tall as the document for a moment, in which the
    browser loads lazy images and frames.
    """
    reacts, loads_on = _NOTHING, False
    with suppress(CommandFailed):
        try:
            async with asyncio.timeout(cap):
                reacts = await channel.evaluate(script("reacts_to_scrolling"), timeout=cap)
                if reacts == _LAZY:
                    await _load_lazy(channel, options, cap, clock)
                    reacts = await channel.evaluate(script("reacts_to_scrolling"), timeout=cap)
                if reacts in {_FOLLOWS, _POLLS}:
                    seconds = _POLL_SECONDS if reacts == _POLLS else _SCROLL_SECONDS
                    loads_on = await _scroll_through(options.scroll, seconds, cap, clock)
        except TimeoutError:
            return False, False
    return True, loads_on


async def _load_lazy(channel: Channel, options: RenderOptions, cap: float, clock: PageClock) -> None:
    metrics = await channel.send("Page.getLayoutMetrics", timeout=cap)
    for height in (int(metrics["cssContentSize"]["height"]), options.viewport[1]):
        tall = min(max(height, options.viewport[1]), TALLEST)
        await channel.send(*window_command(options, tall), timeout=_REPLY_SECONDS)
        await clock.run(REVEAL, cap)


async def _scroll_through(most: int, seconds: float, cap: float, clock: PageClock) -> bool:
    """Scroll window by window to the end of a page, ``most`` times if it grows; return whether it would load more.

    Each text gets the look that it has in view. At the end the page is at its top again. A reader stays a moment at
    each position: the clock runs there.
    """
    await clock.frames.draw(script("probe_scroll_lock"))
    positions = await clock.frames.draw(call("scroll_looks", _SCROLL_STEP, _MOST_POSITIONS, _MOST_OF_A_BOX, TALLEST))
    for _ in range(most):
        if not positions:
            break
        await clock.visit(positions, seconds, cap)
        # A page may need a moment to notice that its end has come.
        await clock.run(REVEAL, cap)
        positions = await clock.frames.draw("blocksight.looks.positions()")
    await clock.visit([(0, 0)], _END_SECONDS, cap)
    if returns := await clock.frames.draw("blocksight.looks.returns()"):
        await clock.visit([*returns, (0, 0)], seconds, cap)
    await clock.frames.draw("blocksight.looks.restore()")
    return bool(positions)
