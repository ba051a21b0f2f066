"""Wait until a page is rendered enough: until its scripts have had their time.

Measured over pages that fetch late, chain fetches, poll for ever, hang, or run a clock, Chromium's virtual time and
"network idle" were the only rules that missed no content, and virtual time the only one that does not wait for polling
to end: the page's clock runs as fast as it can, pauses during requests, and stops when its budget is used up.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from ..devtools.channel import Channel, CommandFailed
from ..render_options import RenderOptions
from ..visibility.pixels.window_capture import Frames
from .page_clock import PageClock

#: Address of a page before its document.
EMPTY = "about:blank"
#: Seconds of the page's clock after each change of its window.
REVEAL = 0.5
#: Seconds between two tests of a selector.
_INTERVAL = 0.05
#: Seconds that an expression may take.
_CALL = 2.0


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


async def evaluate_int(channel: Channel, expression: str, timeout: float = _CALL) -> int:
    """Evaluate an expression; 0 unless it is a number."""
    reply = await channel.send("Runtime.evaluate", {"expression": expression, "timeout": 1000}, timeout=timeout)
    value = reply["result"].get("value")
    return int(value) if isinstance(value, (bool, int, float)) else 0
