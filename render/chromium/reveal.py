"""Load what a page loads, or fades in, only when it enters the viewport."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..devtools.channel import Channel, CommandFailed
from ..devtools.scripts import call, script
from ..render_options import RenderOptions
from ..visibility.pixels.window_capture import Frames
from .identity import window_metrics
from .settle import REVEAL, evaluate_int, run_clock

_CALL = 2.0
#: Tallest window in CSS pixels.
TALLEST = 30_000
#: A page that keeps less than this share of its text when the window shrinks again shows only what is in view.
_KEPT_TEXT = 0.9
#: A tall window is painted at this scale, which the page cannot observe.
_SMALL = 0.05
_TEXT_SIZE = "document.body ? document.body.textContent.length : 0"


async def reveal(channel: Channel, options: RenderOptions, cap: float, frames: Frames) -> tuple[bool, tuple[int, int]]:
    """Make the window as tall as the document, and boxes that scroll inside it as tall as their content, and back.

    This is repeated while it loads more. A list that keeps only what is in view in the document would lose the rest
    when the window shrinks: for such a page the tall window stays. Returns False if the page had not settled after
    ``cap`` seconds, and the final width and height of the window.
    """
    width, height = options.viewport
    view = _Viewport(channel, options, cap, frames)
    ready = True
    try:
        async with asyncio.timeout(cap):
            if options.scroll and await view.number(script("has_lazy_content")):
                before = await view.text_size()
                # Observers report changes: they must have seen that content is out of view before it enters.
                await frames.draw(script("probe_scroll_lock"))
                await view.grow()
                if view.height > height and await view.text_size() > before:
                    await view.shrink_unless_text_is_lost()
    except TimeoutError:
        ready = False
    if view.height > height and not view.stays_tall:
        with suppress(TimeoutError, CommandFailed):
            await view.shrink()
    return ready, (width, view.height)


class _Viewport:
    """The window of a page, which can be made taller temporarily."""

    def __init__(self, channel: Channel, options: RenderOptions, cap: float, frames: Frames) -> None:
        self.height = options.viewport[1]
        self.stays_tall = False
        self._channel = channel
        self._options = options
        self._cap = cap
        self._frames = frames

    async def text_size(self) -> int:
        return await self.number(_TEXT_SIZE)

    async def number(self, expression: str) -> int:
        with suppress(CommandFailed):
            return await evaluate_int(self._channel, expression, self._cap)
        return 0

    async def grow(self) -> None:
        for number in range(self._options.scroll):
            height = await self._full_height()
            if height <= self.height and number:
                # A page may need a moment to notice what has entered the viewport.
                await self._wait()
                height = await self._full_height()
            if height <= self.height:
                break
            await self._resize(height)
            await self._refresh()

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
        await self._frames.draw()
        await self._wait()

    async def _wait(self) -> None:
        await run_clock(self._channel, REVEAL, self._cap)
        await self._frames.draw()

    async def _resize(self, height: int) -> None:
        size = window_metrics(self._options, height) | {"scale": _SMALL if height > self._options.viewport[1] else 1}
        await self._channel.send("Emulation.setDeviceMetricsOverride", size, timeout=_CALL)
        if height > self.height:
            # What fades in on scrolling tests only then what is in view.
            await self.number("dispatchEvent(new Event('scroll')), document.dispatchEvent(new Event('scroll')), 0")
        self.height = height
