"""The virtual clock of a page: timers, animation frames, workers and animations advance with it.

Chromium's virtual time runs as fast as the page's tasks allow, and pauses during requests. It moves the timers of a
page, and those of a worker once the worker has the same policy. Frames are drawn by real time, or on demand
(:mod:`~blocksight.render.devtools.channel`): ``page_frames.js`` drives animation frames by timers. A page that
waits for what only real frames bring (observers, the events of animations, lazy images) gets one after each step of the
clock; any other one is only laid out, as a frame takes up to a sixtieth of a real second. What the browser answers in
real time (databases, locks, files) is counted by ``browser_calls.js``: after a call the clock takes short steps, with
real time between them.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from ..devtools.channel import Channel, ChannelClosed, CommandFailed
from ..devtools.scripts import joined, script
from ..render_options import RenderOptions
from ..visibility.pixels.window_capture import Frames
from .identity import window_bounds
from .requests.main_response import OpenRequests

#: Seconds of the clock between two frames of a page with animations. Other steps double, to the longest for a page that
#: waits for frames, and for one that does not.
_STEP, _LONGEST_WITH_FRAMES, _LONGEST = 0.5, 1.0, 2.0
#: Seconds to the end of an animation that is not in sight.
_FAR = 100.0
#: Step of a page with workers, whose messages arrive in real time, or with calls that the browser answers.
_ANSWER_STEP = 0.25
#: Step after a call that the browser answers in real time, real seconds before it, the number of such steps after each
#: call, of further ones while it is pending, whose pauses grow, and for a page: a limit of work, whatever the load is.
_SHORT_STEP, _SHORT_PAUSE, _SHORT_STEPS, _PENDING_STEPS, _MOST_SHORT_STEPS = 0.01, 0.002, 5, 20, 300
#: Real seconds for a second of the clock, above which animation frames become fewer, by this factor.
_SLOW, _FEWER = 0.1, 2
#: Real seconds to wait for the replies of workers.
_WORKER_SECONDS = 1.0
#: Real seconds of a step after which workers that do not answer are closed.
_LOOP_SECONDS = 2.0
#: Tasks without a pause after which the clock moves on.
_MOST_TASKS = 5_000
_PAUSE = {"policy": "pause"}
#: Of all targets that a page starts. A worklet that is not attached to would never start. Service workers answer
#: requests, which the clock waits for: they keep real time.
_WORKERS = [{"type": "worker"}, {"type": "worklet"}, {"exclude": True}]
#: A worker without timers would stop the clock, unless a budget remains to it.
_WORKER_BUDGET = {"budget": 1e7}
#: Real seconds after which a step counts as paused by an event stream.
_STREAM_SECONDS = 0.5
_RUN = {"policy": "pauseIfNetworkFetchesPending", "maxVirtualTimeTaskStarvationCount": _MOST_TASKS}
#: Does not pause for requests.
_RUN_ON = _RUN | {"policy": "advance"}


class PageClock:
    """Runs the clock of a page; call :meth:`watch_workers` before the navigation.

    Dates do not advance with ``deterministic``.
    """

    def __init__(self, channel: Channel, frames: Frames, options: RenderOptions) -> None:
        self.frames = frames
        self.requests = OpenRequests()
        dates = script("deterministic") if options.deterministic else script("busy_clock")
        self._window = f"const WINDOW = {json.dumps(window_bounds(options))};"
        self._parts = [script("natives"), script("page_frames"), script("browser_calls"), dates]
        self._channel = channel
        self._calls = _Calls()
        self._start, self._passed = 0.0, 0.0
        #: Real seconds that the page's own work may still take.
        self.work_left = options.settle_cap
        self._workers: list[Channel] = []
        self._new_workers: list[Channel] = []

    @property
    def script(self) -> str:
        """The script that has to run before those of the page."""
        return joined(self._window, *self._parts, script("finish_animations"), script("page_watch"))

    def watch_workers(self) -> tuple[str, dict[str, Any]]:
        """Return the command that attaches to every worker that the page starts."""
        return self._watch_workers_of(self._channel)

    async def run(self, seconds: float, cap: float) -> None:
        """Run the clock for some of its seconds; each call has ``cap`` real seconds."""
        if seconds <= 0:
            return
        factor = await self._take_steps(seconds, cap, await self._draw_frame(after=1))
        await self._draw_frame(factor, after=1)

    async def visit(self, positions: Iterable[tuple[int, int]], seconds: float, cap: float) -> None:
        """Scroll to positions of ``scroll_looks.js``, and run the clock for some of its seconds at each.

        Each position has one call of the browser and one frame: what the clock changes is laid out when it is recorded.
        """
        factor = 1
        for position in positions:
            due = await self._draw_frame(factor, position=position)
            factor = await self._take_steps(seconds, cap, due)
        await self._draw_frame(factor, after=1)

    async def _take_steps(self, seconds: float, cap: float, due: float | None) -> int:
        """Run the clock with a frame between two steps; return the factor for the frame after the last one."""
        step, factor = _STEP / 2, 1
        while True:
            seconds -= await self._take_short_steps(seconds, cap)
            step = _next_step(step, due)
            await self.requests.wait_for_streams(min(step, seconds))
            part = min(step, _ANSWER_STEP, seconds) if self._has_workers or self._calls.count else min(step, seconds)
            start = time.monotonic()
            await self._advance(part, cap)
            is_slow = time.monotonic() - start > _SLOW * max(part, _STEP)
            factor = _FEWER if is_slow else 1
            seconds -= part
            if seconds <= 0:
                return factor
            due = await self._draw_frame(factor, after=1, is_optional=True)

    @property
    def _has_workers(self) -> bool:
        return not all(worker.crashed.is_set() for worker in self._workers + self._new_workers)

    async def _take_short_steps(self, seconds: float, cap: float) -> float:
        """Run the clock while the browser answers calls; return its seconds."""
        passed = 0.0
        while (pauses := self._calls.take_step()) and passed + _SHORT_STEP < seconds:
            await asyncio.sleep(_SHORT_PAUSE * pauses)
            await self._advance(_SHORT_STEP, cap)
            await self._draw_frame(is_short=True)
            passed += _SHORT_STEP
        return passed

    async def _advance(self, seconds: float, cap: float) -> None:
        expired, passed = asyncio.Event(), seconds

        def expire(_: dict[str, Any]) -> None:
            expired.set()

        self._channel.on("Emulation.virtualTimeBudgetExpired", expire)
        self._start = self._start or time.monotonic()
        await self._share_clock()
        ending = asyncio.ensure_future(self._end_loops())
        try:
            async with self.frames.drawing():
                while not expired.is_set():
                    policy = _RUN_ON if self.requests.are_given_up() else _RUN
                    budget = {"budget": seconds * 1000}
                    most = min(cap, self.work_left)
                    await self._channel.send("Emulation.setVirtualTimePolicy", policy | budget, timeout=most)
                    await self._wait(expired, is_paused=policy is _RUN)
                    seconds = min(seconds, _STEP)
            self._passed += passed
        finally:
            ending.cancel()

    async def _wait(self, expired: asyncio.Event, *, is_paused: bool) -> None:
        """Wait for the end of a step, or until only requests are left that the clock does not wait for."""
        while not expired.is_set():
            start = time.monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(_STREAM_SECONDS):
                    await expired.wait()
            if not self.requests.are_open:
                self.work_left -= time.monotonic() - start
            if self.work_left <= 0:
                raise TimeoutError
            if is_paused and self.requests.are_given_up():
                return

    async def _end_loops(self) -> None:
        """Close the workers that do not answer: the clock of the page waits for them."""

        async def end_loop(worker: Channel) -> None:
            try:
                await worker.send("Runtime.evaluate", {"expression": "0"}, timeout=_WORKER_SECONDS)
            except TimeoutError:
                await worker.send("Runtime.terminateExecution", timeout=_WORKER_SECONDS)
                closing = {"expression": script("close_worker")}
                await worker.send("Runtime.evaluate", closing, timeout=_WORKER_SECONDS)

        while True:
            await asyncio.sleep(_LOOP_SECONDS)
            await asyncio.gather(*map(end_loop, self._workers + self._new_workers), return_exceptions=True)

    async def _share_clock(self) -> None:
        """Give new workers the clock of the page: it must be paused then, as a clock without a budget runs away."""
        if not self._new_workers:
            return
        with suppress(TimeoutError):
            await self._channel.send("Emulation.setVirtualTimePolicy", _PAUSE, timeout=_WORKER_SECONDS)
            new, self._new_workers = self._new_workers, []
            policy = _RUN | _WORKER_BUDGET
            calls = (worker.send("Emulation.setVirtualTimePolicy", policy, timeout=_WORKER_SECONDS) for worker in new)
            await asyncio.gather(*calls, return_exceptions=True)
            self._workers += new

    async def _draw_frame(
        self,
        factor: int = 1,
        *,
        is_short: bool = False,
        after: int = 0,
        is_optional: bool = False,
        position: tuple[int, int] | None = None,
    ) -> float | None:
        """Draw frames; return the seconds to the end of an animation, None without one, infinite without scripts too.

        ``is_optional``: none after the step, unless the page waits for something that they bring, or has workers.
        """
        if self._is_held():
            after = 0
        last = self.frames.last
        is_optional = is_optional and not self._has_workers
        arguments = json.dumps([factor, is_short, after, is_optional, position])
        expression = f"blocksight.step(...{arguments})"
        value = await self.frames.draw(expression, most=after + (position is not None))
        due, calls, pending, is_drawn = value or (-1, self._calls.count, 0, True)
        self._calls.note(calls, pending)
        if not is_drawn:
            self.frames.last = last
        return due / 1000 if due >= 0 else math.inf if due < -1 else None

    def _is_held(self) -> bool:
        """Return whether the browser holds the next frame back.

        Frames come at real times. After one the clock of the page has to reach its time: a clock that has waited for a
        request lags behind.
        """
        return bool(self._start) and self._start + self._passed < self.frames.last

    def _watch_workers_of(self, channel: Channel) -> tuple[str, dict[str, Any]]:
        async def start(event: dict[str, Any]) -> None:
            worker = channel.child(event["sessionId"])
            self._new_workers.append(worker)
            for step in (
                partial(worker.send, *self._watch_workers_of(worker), timeout=_WORKER_SECONDS),
                partial(self.requests.watch, worker, _WORKER_SECONDS),
                partial(self._prepare, worker),
                partial(_run, worker),
            ):
                with suppress(TimeoutError, ChannelClosed, CommandFailed):
                    await step()

        channel.on("Target.attachedToTarget", start)
        settings = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": _WORKERS}
        return "Target.setAutoAttach", settings

    async def _prepare(self, worker: Channel) -> None:
        """Run the scripts in a worker before its own, which is when it has the functions of its kind."""

        async def run(_: dict[str, Any]) -> None:
            source = joined(*self._parts)
            await worker.send("Runtime.evaluate", {"expression": source}, timeout=_WORKER_SECONDS)
            await worker.send("Debugger.disable", timeout=_WORKER_SECONDS)

        worker.on("Debugger.paused", run)
        breakpoint_ = {"instrumentation": "beforeScriptExecution"}
        await worker.send("Debugger.enable", timeout=_WORKER_SECONDS)
        await worker.send("Debugger.setInstrumentationBreakpoint", breakpoint_, timeout=_WORKER_SECONDS)


class _Calls:
    """The calls of a page that the browser answers in real time, and the short steps that they get."""

    def __init__(self) -> None:
        self.count = self._pending = self._endless = 0.0
        self._left = _MOST_SHORT_STEPS
        self._due = 0

    def note(self, count: float, pending: float) -> None:
        """Note the number of calls so far, and how many of them are pending."""
        self._pending = pending
        if count != self.count:
            self.count, self._due = count, _SHORT_STEPS

    def take_step(self) -> int:
        """Return the pauses before the short step that is due, which it counts; 0 for none.

        What is pending after all steps of a call is no longer waited for.
        """
        least = -_PENDING_STEPS if self._pending > self._endless else 0
        if self._due <= least or not self._left:
            self._endless = self._pending
            return 0
        self._due -= 1
        self._left -= 1
        return max(1, -self._due)


async def _run(worker: Channel) -> None:
    await worker.send("Runtime.runIfWaitingForDebugger", timeout=_WORKER_SECONDS)


def _next_step(step: float, due: float | None) -> float:
    """Return the seconds to the next frame after a step; ``due`` as of ``_draw_frame``."""
    if due is None or due == math.inf:
        # The first step waits for requests, after which time changes nothing where no script has run.
        return math.inf if due and step >= _STEP else min(step * 2, _LONGEST)
    return min(step * 2, _LONGEST_WITH_FRAMES) if due > _FAR else max(min(_STEP, due), 0.01)
