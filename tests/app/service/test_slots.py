"""Waits and deadlines of requests: each is answered in time, with a word on how long it waited."""

import asyncio
import json
import time

import pytest
from blocksight.app.service.slots import Busy, Slots
from blocksight.app.service.work import ServiceWorker
from blocksight.classify.systems import system_named
from blocksight.errors import TimedOut
from blocksight.render.render_options import RenderOptions

from .conftest import eventually, everything, request, serve, status


def headers(answer):
    lines = answer.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}


def all_of(client):
    with client:
        return everything(client)


def with_timeout(address, seconds):
    return request(address, body=json.dumps({"url": address, "timeout": seconds}).encode(), close=True)


def test_a_deadline_ends_work_and_leaves_the_slot(held):
    with serve(held, workers=1) as served:
        answer = served.ask(with_timeout("slow", 0.2))
        assert status(answer) == 504
        assert b"not done within the timeout of the request" in answer
        assert eventually(lambda: held.cancelled == ["slow"])
        assert served.good() == 200


def test_a_deadline_includes_the_wait(held):
    with serve(held, workers=1) as served:
        first = served.connect(request("slow", close=True))
        assert eventually(lambda: held.started == ["slow"])
        answer = served.ask(with_timeout("late", 0.2))
        assert status(answer) == 503
        assert headers(answer)["retry-after"] == "2"
        assert held.started == ["slow"]
        held.let_go()
        assert "work;dur=" in headers(all_of(first))["server-timing"]


def test_eight_requests_at_once_are_all_answered(held):
    with serve(held, workers=2, queue=4) as served:
        clients = [served.connect(request(f"slow {number}", close=True)) for number in range(8)]
        assert eventually(lambda: len(held.started) == 2 and served.service.metrics.under_way == 6)
        held.let_go()
        answers = [all_of(client) for client in clients]
    assert sorted(map(status, answers)) == [200] * 6 + [503] * 2
    assert all(("server-timing" if status(each) == 200 else "retry-after") in headers(each) for each in answers)


async def timed(seconds):
    await asyncio.sleep(seconds)
    return b""


def test_a_wait_that_would_be_too_long_is_refused_at_once():
    async def talk():
        slots = Slots(1, most_wait=1.0)
        slots._mean_seconds = 5.0
        assert await slots.acquire(None) < 4.0
        start = time.monotonic()
        with pytest.raises(Busy) as error:
            await slots.acquire(None)
        return error.value.seconds, time.monotonic() - start

    seconds, took = asyncio.run(talk())
    assert seconds == 5.0
    assert took < 4.0


def test_a_slot_is_free_when_its_work_has_ended_and_not_before():
    ended = []

    async def stubborn():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.05)
            ended.append(True)
            raise
        return b""

    async def talk():
        slots = Slots(1, most_wait=10.0)
        await slots.acquire(None)
        with pytest.raises(TimedOut, match="not done within the timeout of the request"):
            await slots.work(stubborn(), 0.01)
        assert not ended
        await slots.acquire(None)
        assert ended
        assert await slots.work(timed(0.0), None) == b""
        assert slots._mean_seconds > 0

    asyncio.run(talk())


def test_workers_are_warm_before_the_first_request():
    with ServiceWorker(system_named("bte"), RenderOptions(), workers=2, browser=False) as work:
        assert len(work._workers._cold) == 2
        work.warm_up()
        assert not work._workers._cold
