"""The steps of a page's clock, worked out by hand, with a channel that keeps what is sent."""

import asyncio
from contextlib import nullcontext

import pytest
from blocksight.render.chromium import page_clock
from blocksight.render.chromium.page_clock import PageClock
from blocksight.render.chromium.requests import main_response
from blocksight.render.devtools.channel import Channel
from blocksight.render.devtools.scripts import script
from blocksight.render.render_options import RenderOptions


class Sent(Channel):
    """A channel whose clock expires at once; ``hangs`` are methods without a reply."""

    def __init__(self, hangs=()):
        self.commands = []
        self.crashed = asyncio.Event()
        self._hangs = hangs
        self._expire = None

    def on(self, event, handler):
        self._expire = handler

    async def send(self, method, params=None, *, timeout):
        self.commands.append((method, params))
        if method in self._hangs:
            await asyncio.sleep(timeout)
            raise TimeoutError
        if self._expire and "budget" in (params or {}):
            self._expire({})
        return {}

    @property
    def budgets(self):
        return [params["budget"] for _, params in self.commands if "budget" in params]


class Drawn:
    """Frames that return one reply after another; the last one again and again."""

    def __init__(self, *replies):
        self._replies = list(replies)
        self.arguments = []
        self.last = 0.0

    def drawing(self):
        return nullcontext()

    async def draw(self, expression, *, most=1):
        self.arguments.append(expression.rpartition("(")[2])
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


def run(seconds, *replies):
    channel = Sent()
    asyncio.run(PageClock(channel, Drawn(*replies), RenderOptions()).run(seconds, 5.0))
    return channel.budgets


def test_the_steps_of_a_page_that_waits_for_no_frames_double():
    assert run(10.0, [-1, 0, 0, True]) == [500, 1000, 2000, 2000, 2000, 2000, 500]


def test_one_step_is_the_rest_of_a_page_that_time_does_not_change():
    # Not the first one, in which its resources are loaded; a script that one of them brings has steps again.
    assert run(10.0, [-2, 0, 0, True]) == [500, 9500]
    assert run(4.0, [-2, 0, 0, True], [-1, 0, 0, True]) == [500, 1000, 2000, 500]


def test_the_steps_of_a_page_that_waits_for_frames_are_a_second_at_most():
    assert run(4.0, [1e9, 0, 0, True]) == [500, 1000, 1000, 1000, 500]


def test_a_step_ends_with_an_animation():
    assert run(1.0, [300, 0, 0, True], [2, 0, 0, True], [-1, 0, 0, True]) == pytest.approx(
        [300, 10, 20, 40, 80, 160, 320, 70]
    )


def test_after_a_call_that_the_browser_answers_the_steps_are_short():
    # Five steps of ten milliseconds, then a quarter of a second; another call, and the same again.
    assert run(0.6, [-1, 1, 0, True]) == pytest.approx([10] * 5 + [250, 250, 50])
    assert run(0.4, [-1, 1, 0, True], *[[-1, 1, 0, True]] * 5, [-1, 2, 0, True]) == pytest.approx(
        [10] * 5 + [250] + [10] * 5 + [50]
    )


def test_the_steps_are_short_while_a_call_is_pending(monkeypatch):
    monkeypatch.setattr(page_clock, "_PENDING_STEPS", 3)
    pending, done = [-1, 1, 1, True], [-1, 1, 0, True]
    assert run(0.35, *[pending] * 7, done) == pytest.approx([10] * 7 + [250, 30])
    # One that does not end: later calls have no more steps than others.
    assert run(0.5, pending) == pytest.approx([10] * 8 + [250, 170])
    later = [-1, 2, 1, True]
    assert run(0.5, *[pending] * 9, later) == pytest.approx([10] * 8 + [250] + [10] * 5 + [120])


def test_the_short_steps_of_a_page_are_limited(monkeypatch):
    monkeypatch.setattr(page_clock, "_MOST_SHORT_STEPS", 3)
    assert run(0.3, [-1, 1, 0, True], [-1, 2, 0, True], [-1, 3, 0, True], [-1, 4, 0, True]) == pytest.approx(
        [10] * 3 + [250, 20]
    )


def test_a_worker_that_does_not_answer_is_closed(monkeypatch):
    monkeypatch.setattr(page_clock, "_LOOP_SECONDS", 0.01)
    monkeypatch.setattr(page_clock, "_WORKER_SECONDS", 0.01)
    clock = PageClock(Sent(), Drawn([-1, 0, 0, True]), RenderOptions())
    busy, idle = Sent(hangs=("Runtime.evaluate",)), Sent()
    clock._workers = [busy, idle]

    async def end_loops():
        task = asyncio.ensure_future(clock._end_loops())
        while len(busy.commands) < 3:
            await asyncio.sleep(0.001)
        task.cancel()

    asyncio.run(asyncio.wait_for(end_loops(), 5.0))
    asked, ended, closed = busy.commands[:3]
    assert (asked[0], ended[0]) == ("Runtime.evaluate", "Runtime.terminateExecution")
    assert closed == ("Runtime.evaluate", {"expression": script("close_worker")})
    assert {method for method, _ in idle.commands} == {"Runtime.evaluate"}
    assert closed not in idle.commands


def test_frames_of_a_page_with_workers_are_drawn_while_they_run():
    frames = Drawn([-1, 0, 0, True])
    channel, worker = Sent(), Sent()
    clock = PageClock(channel, frames, RenderOptions())
    clock._workers = [worker]
    asyncio.run(clock.run(0.5, 5.0))
    worker.crashed.set()
    asyncio.run(clock.run(1.5, 5.0))
    assert channel.budgets == [250, 250, 500, 1000]
    assert [arguments.split(", ")[3] for arguments in frames.arguments] == ["false"] * 4 + ["true", "false"]


class Paused(Sent):
    """A channel whose clock pauses for an event stream, unless it may not."""

    async def send(self, method, params=None, *, timeout):
        is_paused = (params or {}).get("policy") == "pauseIfNetworkFetchesPending"
        expire, self._expire = self._expire, None if is_paused else self._expire
        await super().send(method, params, timeout=timeout)
        self._expire = expire


def test_the_clock_does_not_pause_for_event_streams(monkeypatch):
    monkeypatch.setattr(page_clock, "_STREAM_SECONDS", 0.01)
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 0.01)
    channel = Paused()
    clock = PageClock(channel, Drawn([-1, 0, 0, True]), RenderOptions())
    clock.requests.requested({"requestId": "1", "type": "EventSource"})
    asyncio.run(asyncio.wait_for(clock.run(1.0, 5.0), 5.0))
    assert channel.budgets == [500, 500]


def test_an_event_stream_that_is_opened_during_a_step_ends_its_pause(monkeypatch):
    monkeypatch.setattr(page_clock, "_STREAM_SECONDS", 0.01)
    channel = Paused()
    clock = PageClock(channel, Drawn([-1, 0, 0, True]), RenderOptions())

    async def run():
        running = asyncio.ensure_future(clock.run(0.5, 5.0))
        await asyncio.sleep(0.05)
        assert not running.done()
        clock.requests.requested({"requestId": "1", "type": "EventSource"})
        await asyncio.wait_for(running, 5.0)

    asyncio.run(run())
    assert channel.budgets == [500, 500]
