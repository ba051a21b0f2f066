"""Rendered enough: when a page's scripts have had their time, and how to stop them.

Measured over pages that fetch late, chain fetches, poll for ever, hang, or run a clock, Chromium's virtual time was the
only rule beside "network idle" that missed no content, and the only one that does not wait for polling to end: the
page's clock runs as fast as it can, stands still while requests are under way, and stops when its budget is used up.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..devtools.channel import Channel, CommandFailed
from ..render_options import RenderOptions
from ..visibility.pixels.window_capture import Frames
from .freeze import AnimationFreezer, locked_boxes, still

_CALL = 2.0
#: Tallest window in CSS pixels, and seconds of the page's clock after each growth.
TALLEST = 30_000
REVEAL = 0.5
#: A page that keeps less than this share of its text when the window shrinks again shows only what is in view.
_KEPT_TEXT = 0.9
#: A tall window is painted this much smaller: nobody looks at it, and the page does not notice.
_SMALL = 0.05
#: Seconds between two looks for what is waited for.
_LOOK = 0.05
#: Seconds that each step of stopping a page may take, and after which it is busy.
_FREEZE, _ANSWER = 2.0, 0.7

#: Notes, before any script of the page runs, whether one asks to be told what comes into view, which boxes' scrolling
#: one minds, whether one moves the page itself when the wheel is turned, and whether one fails or does not come.
WATCH = """(() => {
  const key = Symbol.for("blocksight.lazy"), wheel = Symbol.for("blocksight.wheel");
  const note = () => { globalThis[key] = true; };
  const minded = globalThis[Symbol.for("blocksight.minded")] = new Set();
  const mind = one => { note(); if (one instanceof Element && minded.size < 50) minded.add(one); };
  addEventListener("error", event => {
    if (event.target?.localName === "script") globalThis[Symbol.for("blocksight.missing")] = true;
    else if (event.error !== undefined || event.message) globalThis[Symbol.for("blocksight.failed")] = true;
  }, true);
  const Observer = globalThis.IntersectionObserver;
  if (Observer) globalThis.IntersectionObserver = new Proxy(Observer, {
    construct(target, given, made) { note(); return Reflect.construct(target, given, made); } });
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    if (kind === "scroll" || kind === "scrollend") mind(this);
    if (kind === "wheel" || kind === "mousewheel" || kind === "touchmove") globalThis[wheel] = true;
    return listen.call(this, kind, ...rest);
  };
  const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "onscroll");
  if (own) Object.defineProperty(HTMLElement.prototype, "onscroll", {...own,
    set(value) { mind(this); own.set.call(this, value); }});
})()"""
_LAZY = """!!(globalThis[Symbol.for("blocksight.lazy")] || globalThis.onscroll
  || document.querySelector("[loading=lazy],[onscroll]"))"""

#: Scrolls, by one pixel and for two frames, what scripts mind the scrolling of; notes what they scroll back, twice.
_TUG = """(async () => {
  const minded = [...(globalThis[Symbol.for("blocksight.minded")] || []), ...document.querySelectorAll("[onscroll]")];
  const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const to = (one, top) => one.scrollTo({top, behavior: "instant"});
  const tugged = async all => {
    const before = all.map(one => one.scrollTop);
    all.forEach((one, i) => to(one, before[i] + 1));
    const moved = all.filter((one, i) => one.scrollTop !== before[i]);
    await frames();
    const back = all.filter((one, i) => moved.includes(one) && one.scrollTop === before[i]);
    all.forEach((one, i) => to(one, before[i]));
    return back;
  };
  const first = await tugged([...new Set([document.scrollingElement || document.documentElement, ...minded])]);
  globalThis[Symbol.for("blocksight.locked")] = first.length ? await tugged(first) : [];
})()"""

#: Whether a script failed, whether one is missing (an own one that came empty is), whether one minds the wheel, and
#: what one scrolls back.
_SIGNS = """(() => {
  const own = performance.getEntriesByType("resource").filter(one => one.initiatorType === "script"
    && one.decodedBodySize === 0 && new URL(one.name).origin === location.origin);
  const locked = [...(globalThis[Symbol.for("blocksight.locked")] || [])];
  return {locked: locked.includes(document.scrollingElement), boxes: locked.length > 0,
    failed: !!globalThis[Symbol.for("blocksight.failed")],
    missing: !!globalThis[Symbol.for("blocksight.missing")] || own.length > 0,
    wheel: !!globalThis[Symbol.for("blocksight.wheel")] || !!globalThis.onwheel};
})()"""

_TEXT_SIZE = "document.body ? document.body.textContent.length : 0"
#: Makes what scrolls inside the window, and takes up a good part of it, as tall as its content; gives by how much.
_UNROLL = """(() => {
  const unrolled = globalThis[Symbol.for("blocksight.unrolled")] ||= new Map();
  const all = document.getElementsByTagName("*");
  let most = 0;
  for (let i = 0; i < Math.min(all.length, 20000); i++) {
    const one = all[i], high = one.clientHeight;
    if (high < HEIGHT * 0.3 || one.clientWidth < innerWidth * 0.3) continue;
    const excess = one.scrollHeight - high;
    if (excess < 50 || [document.documentElement, document.body].includes(one) || one.tagName === "TEXTAREA") continue;
    if (!/auto|scroll/.test(getComputedStyle(one).overflowY)) continue;
    if (!unrolled.has(one)) unrolled.set(one, one.style.cssText);
    for (const name of ["height", "min-height"]) one.style.setProperty(name, one.scrollHeight + "px", "important");
    one.style.setProperty("max-height", "none", "important");
    most = Math.max(most, excess);
  }
  return most;
})()"""
_ROLL_UP = """(() => {
  const unrolled = globalThis[Symbol.for("blocksight.unrolled")] || new Map();
  for (const [one, style] of unrolled) one.style.cssText = style;
  unrolled.clear();
  return 0;
})()"""


class Parsed:
    """Waits for the document to have been parsed and its scripts to have run; made before the navigation.

    A page that tries to leave and may not stops being parsed where it is: the end of all loading counts as well.
    """

    def __init__(self, channel: Channel, frame: str) -> None:
        self._event = asyncio.Event()
        self._frame = frame
        self._committed = False
        channel.on("Page.domContentEventFired", self._fired)
        channel.on("Page.frameNavigated", self._navigated)
        channel.on("Page.frameStoppedLoading", self._stopped)

    def _fired(self, _: dict[str, Any]) -> None:
        self._event.set()

    def _navigated(self, event: dict[str, Any]) -> None:
        self._committed = self._committed or event["frame"]["id"] == self._frame

    def _stopped(self, event: dict[str, Any]) -> None:
        if self._committed and event["frameId"] == self._frame:
            self._event.set()

    async def wait(self) -> None:
        """Wait for the event; without end, so give it a deadline."""
        await self._event.wait()


async def settle(channel: Channel, parsed: Parsed, options: RenderOptions, cap: float) -> bool:
    """Wait until the document is parsed, and then until the page's virtual time budget is used up.

    A clock that is set off before the parser has asked for the first script would find nothing to wait for.

    Parameters
    ----------
    channel : Channel
        To a page that has committed its navigation.
    parsed : Parsed
        Made before the navigation.
    options : RenderOptions
        ``settle`` is the budget, in seconds of the page's clock.
    cap : float
        Seconds of real time to wait at most.

    Returns
    -------
    bool
        False when the cap came first: the page is still loading.
    """
    try:
        async with asyncio.timeout(cap):
            await parsed.wait()
            await _run_clock(channel, options.settle, cap)
    except TimeoutError:
        return False
    return True


async def matched(channel: Channel, selector: str, cap: float) -> bool:
    """Wait, in real time, until something on the page matches a CSS selector; False when the cap came first."""
    look = {"expression": f"!!document.querySelector({json.dumps(selector)})", "timeout": 1000}
    try:
        async with asyncio.timeout(cap):
            while True:
                answer = await channel.send("Runtime.evaluate", look, timeout=cap)
                if "exceptionDetails" in answer:
                    raise CommandFailed(f"{selector!r} is no CSS selector")
                if answer["result"].get("value"):
                    return True
                await asyncio.sleep(_LOOK)
    except TimeoutError:
        return False


async def _run_clock(channel: Channel, seconds: float, cap: float) -> None:
    """Let the page's clock run for so many of its seconds; it stands still while requests are under way."""
    if not seconds > 0:
        return
    expired = asyncio.Event()

    def over(_: dict[str, Any]) -> None:
        expired.set()

    channel.on("Emulation.virtualTimeBudgetExpired", over)
    budget = {"policy": "pauseIfNetworkFetchesPending", "budget": seconds * 1000}
    await channel.send("Emulation.setVirtualTimePolicy", budget, timeout=cap)
    await expired.wait()


async def reveal(channel: Channel, options: RenderOptions, cap: float, frames: Frames) -> tuple[bool, tuple[int, int]]:
    """Bring in what a page loads, or fades in, only when it comes into view.

    Instead of scrolling, the window is made as tall as the document, and what scrolls inside it as tall as its content,
    as often as that brings in more; then all get their own size back. A list that keeps in the document only what is in
    view would lose the rest again: for such a page the tall window stays.

    Returns
    -------
    ready : bool
        False when the cap came before the page had settled.
    window : tuple of int
        Width and height of the window that the page is left with.
    """
    width, height = options.viewport
    view = _Viewport(channel, options, cap, frames)
    ready = True
    try:
        async with asyncio.timeout(cap):
            if options.scroll and await _is_lazy(channel, cap):
                before = await view.text_size()
                # Observers report changes: they must have seen what is out of view before it comes in.
                await frames.draw(_TUG)
                await view.grow()
                if view.height > height and await view.text_size() > before:
                    await view.shrink_unless_text_is_lost()
    except TimeoutError:
        ready = False
    if view.height > height and not view.kept:
        with suppress(TimeoutError, CommandFailed):
            await view.shrink()
    return ready, (width, view.height)


class _Viewport:
    """The window of a page, which can be made taller for a while."""

    def __init__(self, channel: Channel, options: RenderOptions, cap: float, frames: Frames) -> None:
        self.height = options.viewport[1]
        self.kept = False
        self._channel = channel
        self._options = options
        self._cap = cap
        self._frames = frames

    async def text_size(self) -> int:
        return await self._number(_TEXT_SIZE)

    async def grow(self) -> None:
        for number in range(self._options.scroll):
            wanted = await self._wanted()
            if wanted <= self.height and number:
                # A page may need a moment longer to notice what has come into view.
                await self._wait()
                wanted = await self._wanted()
            if wanted <= self.height:
                break
            await self._resize(wanted)
            await self._refresh()

    async def _wanted(self) -> int:
        """Height of the window in which everything would be in view."""
        excess = await self._number(_UNROLL.replace("HEIGHT", str(self._options.viewport[1])))
        metrics = await self._channel.send("Page.getLayoutMetrics", timeout=self._cap)
        content = int(metrics["cssContentSize"]["height"])
        return min(max(content, self.height + excess if excess else 0), TALLEST)

    async def shrink(self) -> None:
        await self._number(_ROLL_UP)
        await self._resize(self._options.viewport[1])

    async def shrink_unless_text_is_lost(self) -> None:
        size, tall = await self.text_size(), self.height
        await self.shrink()
        await self._refresh()
        if await self.text_size() < _KEPT_TEXT * size:
            await self._number(_UNROLL.replace("HEIGHT", str(self._options.viewport[1])))
            await self._resize(tall)
            await self._refresh()
            self.kept = True

    async def _refresh(self) -> None:
        await self._frames.draw()
        await self._wait()

    async def _wait(self) -> None:
        await _run_clock(self._channel, REVEAL, self._cap)
        await self._frames.draw()

    async def _resize(self, height: int) -> None:
        scale = self._options.device_scale
        size = {"width": self._options.viewport[0], "height": height, "deviceScaleFactor": scale, "mobile": False}
        size["scale"] = _SMALL if height > self._options.viewport[1] else 1
        await self._channel.send("Emulation.setDeviceMetricsOverride", size, timeout=_CALL)
        if height > self.height:
            # What fades in as one scrolls asks only then what is in view.
            await self._number("dispatchEvent(new Event('scroll')), document.dispatchEvent(new Event('scroll')), 0")
        self.height = height

    async def _number(self, expression: str) -> int:
        with suppress(CommandFailed):
            return await _evaluated(self._channel, expression, self._cap)
        return 0


async def rest(channel: Channel, cap: float, frames: Frames) -> None:
    """Have what is still under way come to its end: drawing, pictures that failed, the last timers."""
    with suppress(TimeoutError, CommandFailed):
        async with asyncio.timeout(cap):
            for _ in range(2):
                await frames.draw()
                await _run_clock(channel, REVEAL, cap)


async def _is_lazy(channel: Channel, cap: float) -> bool:
    with suppress(CommandFailed):
        return bool(await _evaluated(channel, _LAZY, cap))
    return False


async def freeze(channel: Channel, cap: float, *, at_once: bool) -> AnimationFreezer:
    """Stop a page's clock and its running script, and bring animations to rest.

    A page that does not let go of its thread is interrupted, one that shall be stopped at once anyway; what it has made
    so far stays. No step takes more than a part of ``cap`` seconds.
    """
    step = min(_FREEZE, cap / 5)
    if at_once:
        await _stop(channel, step)
    try:
        await channel.send("Emulation.setVirtualTimePolicy", {"policy": "pause"}, timeout=min(_ANSWER, step))
    except TimeoutError:
        await _stop(channel, step)
    found, nodes = await asyncio.gather(_stilled(channel, step), _counted(channel, step))
    return replace(found, nodes=nodes)


async def _stilled(channel: Channel, step: float) -> AnimationFreezer:
    """Bring animations to rest, and tell what became of the page's scripts."""
    found = AnimationFreezer()
    with suppress(TimeoutError, CommandFailed):
        signs, found = await asyncio.gather(
            channel.send("Runtime.evaluate", {"expression": _SIGNS, "returnByValue": True}, timeout=step),
            still(channel, step),
        )
        noted = signs["result"].get("value")
        if isinstance(noted, dict):  # the page's scripts may have made something else of it
            told = {name: bool(noted.get(name)) for name in ("failed", "missing", "wheel", "locked")}
            found = replace(found, **told)
            if noted.get("boxes"):
                found = replace(found, boxes=await locked_boxes(channel, step))
    return found


async def _counted(channel: Channel, step: float) -> int:
    """Return how many nodes there are; 0 where the browser does not say."""
    with suppress(TimeoutError, CommandFailed):
        return int((await channel.send("Memory.getDOMCounters", timeout=step))["nodes"])
    return 0


async def _stop(channel: Channel, timeout: float) -> None:
    """End the scripts of a page that does not let go of its thread, and let no other begin."""
    no_more = channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=timeout)
    await asyncio.gather(no_more, channel.send("Runtime.terminateExecution", timeout=timeout), return_exceptions=True)


async def _evaluated(channel: Channel, expression: str, timeout: float = _FREEZE) -> int:
    """Evaluate an expression to a whole number; 0 where it gives none."""
    answer = await channel.send("Runtime.evaluate", {"expression": expression, "timeout": 1000}, timeout=timeout)
    value = answer["result"].get("value")
    return int(value) if isinstance(value, (bool, int, float)) else 0
