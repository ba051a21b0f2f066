"""Rendered enough: when a page's scripts have had their time, and how to stop them.

Measured over pages that fetch late, chain fetches, poll for ever, hang, or run a clock, Chromium's virtual time was the
only rule beside "network idle" that missed no content, and the only one that does not wait for polling to end: the
page's clock runs as fast as it can, stands still while requests are under way, and stops when its budget is used up.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from .channel import Channel, CommandFailed
from .options import RenderOptions

_CALL = 2.0
#: Tallest window in CSS pixels, and seconds of the page's clock after each growth.
TALLEST = 30_000
REVEAL = 0.5
_DRAW = 0.5
#: Seconds between two looks for what is waited for.
_LOOK = 0.05
#: Seconds that each step of stopping a page may take.
_FREEZE = 1.0

#: Ends fades and slides, which would leave text transparent or away from its place, and lays out what a page leaves
#: out while it is off the screen.
_STILL = """(() => {
  const style = new CSSStyleSheet();
  style.replaceSync('*{content-visibility:visible!important;transition:none!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  for (const animation of document.getAnimations()) {
    try { animation.finish(); } catch { animation.pause(); }
  }
})()"""


#: Notes, before any script of the page runs, whether one asks to be told what comes into view.
WATCH = """(() => {
  const key = Symbol.for("blocksight.lazy");
  const note = () => { globalThis[key] = true; };
  const Observer = globalThis.IntersectionObserver;
  if (Observer) globalThis.IntersectionObserver = new Proxy(Observer, {
    construct(target, given, made) { note(); return Reflect.construct(target, given, made); } });
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    if (kind === "scroll") note();
    return listen.call(this, kind, ...rest);
  };
})()"""
_LAZY = """!!(globalThis[Symbol.for("blocksight.lazy")] || globalThis.onscroll
  || document.querySelector("[loading=lazy]"))"""


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


async def reveal(channel: Channel, options: RenderOptions, cap: float) -> bool:
    """Bring in what a page loads, or fades in, only when it comes into view.

    Instead of scrolling, the window is made as tall as the document, as often as that makes the document grow, and is
    given its own size back in the end.

    Returns
    -------
    bool
        False when the cap came before the page had settled.
    """
    width, height = options.viewport
    tallest = height
    try:
        async with asyncio.timeout(cap):
            rounds = options.scroll if await _is_lazy(channel, cap) else 0
            for _ in range(rounds):
                metrics = await channel.send("Page.getLayoutMetrics", timeout=cap)
                wanted = min(int(metrics["cssContentSize"]["height"]), TALLEST)
                if wanted <= tallest:
                    break
                tallest = wanted
                await _resize(channel, width, tallest, options.device_scale)
                await _draw(channel)
                await _run_clock(channel, REVEAL, cap)
                await _draw(channel)
    except TimeoutError:
        return False
    finally:
        if tallest > height:
            with suppress(TimeoutError, CommandFailed):
                await _resize(channel, width, height, options.device_scale)
    return True


async def _is_lazy(channel: Channel, cap: float) -> bool:
    with suppress(CommandFailed):
        answer = await channel.send("Runtime.evaluate", {"expression": _LAZY, "timeout": 1000}, timeout=cap)
        return bool(answer["result"].get("value"))
    return False


async def _resize(channel: Channel, width: int, height: int, scale: float) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
    await channel.send("Emulation.setDeviceMetricsOverride", size, timeout=_CALL)


async def _draw(channel: Channel) -> None:
    """Have two frames drawn: only then do observers learn what has come into view."""
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    with suppress(TimeoutError, CommandFailed):
        await channel.send("Runtime.evaluate", {"expression": frames, "awaitPromise": True}, timeout=_DRAW)


async def freeze(channel: Channel) -> None:
    """Stop a page's clock and its running script, and bring animations to their end.

    A page that never lets go of its thread is interrupted; what it has made so far stays.
    """
    try:
        await asyncio.gather(
            channel.send("Emulation.setVirtualTimePolicy", {"policy": "pause"}, timeout=_FREEZE),
            channel.send("Runtime.evaluate", {"expression": _STILL, "timeout": 1000}, timeout=_FREEZE),
        )
    except CommandFailed:
        return
    except TimeoutError:
        with suppress(TimeoutError, CommandFailed):
            await channel.send("Runtime.terminateExecution", timeout=_FREEZE)
        with suppress(TimeoutError, CommandFailed):
            await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_FREEZE)
