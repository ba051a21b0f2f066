"""Load what a page loads, or fades in, only when it enters the viewport."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..devtools.channel import Channel, CommandFailed
from ..devtools.scripts import call, script
from ..render_options import RenderOptions
from .identity import window_command
from .page_clock import PageClock
from .settle import REVEAL, evaluate_int

_CALL = 2.0
#: Tallest window in CSS pixels.
TALLEST = 30_000
#: A page that keeps less than this share of its text when the window shrinks again shows only what is in view.
_KEPT_TEXT = 0.9
#: Distance between two positions in heights of the window or box, their maximum numbers, and the seconds of the clock
#: at each position, and at the end.
_SCROLL_STEP, _MOST_POSITIONS, _MOST_OF_A_BOX, _SCROLL_SECONDS, _END_SECONDS = 0.8, 30, 8, 0.3, 1.5
#: Reply of ``has_lazy_content.js`` for a page whose scripts follow scrolling.
_BY_SCRIPTS = 2
_TEXT_SIZE = "document.body ? document.body.textContent.length : 0"


async def reveal(
    channel: Channel, options: RenderOptions, cap: float, clock: PageClock
) -> tuple[bool, tuple[int, int]]:
    """Make the window as tall as the document, and boxes that scroll inside it as tall as their content, and back.

    This is repeated while it loads more. A list that keeps only what is in view in the document would lose the rest
    when the window shrinks: for such a page the tall window stays. Returns False if the page had not settled after
    ``cap`` seconds, and the final width and height of the window.
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
    return ready, (width, view.height)


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
        self.stays_tall = False
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
        for number in range(self._options.scroll):
            height = await self._full_height()
            if height <= self.height and number and is_patient:
                # A page may need a moment to notice what has entered the viewport.
                await self._refresh()
                height = await self._full_height()
            if height <= self.height:
                return self.height < TALLEST
            await self._resize(height)
            await self._refresh()
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
        await self._channel.send(*window_command(self._options, height), timeout=_CALL)
        if height > self.height:
            # What fades in on scrolling tests only then what is in view.
            await self.number("dispatchEvent(new Event('scroll')), document.dispatchEvent(new Event('scroll')), 0")
        self.height = height
