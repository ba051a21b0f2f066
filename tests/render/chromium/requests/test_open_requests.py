"""Which requests are open, by the browser's events, and how long their bodies are waited for."""

import asyncio
import time

import pytest
from blocksight.render.chromium.requests import main_response
from blocksight.render.chromium.requests.main_response import OpenRequests


def record(*events):
    requests = OpenRequests()
    for name, number, kind in events:
        getattr(requests, name)({"requestId": number, "type": kind, "request": {"url": "http://a/"}})
    return requests


def waited(requests):
    start, requests._ended = time.monotonic(), asyncio.Event()  # of a new loop
    asyncio.run(asyncio.wait_for(requests.wait_for_streams(0.1), 5.0))
    return time.monotonic() - start


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], False),
        ([("requested", "1", "EventSource")], True),
        ([("requested", "1", "EventSource"), ("requested", "2", "EventSource")], True),
        ([("requested", "1", "EventSource"), ("requested", "2", "XHR")], False),
        ([("requested", "1", "EventSource"), ("requested", "2", "XHR"), ("end", "2", "XHR")], True),
        ([("requested", "1", "EventSource"), ("end", "1", "EventSource")], False),
    ],
)
def test_only_event_streams_are_open(events, expected):
    assert record(*events).are_given_up() is expected


def test_are_given_up_after_silence(monkeypatch):
    requests = record(("requested", "1", "XHR"))
    assert not requests.are_given_up()
    monkeypatch.setattr(main_response, "UNANSWERED_SECONDS", 0.05)
    time.sleep(0.1)
    assert requests.are_given_up()
    requests.responded({"requestId": "1", "type": "XHR"})
    assert not requests.are_given_up()


def test_a_body_is_waited_for_until_it_ends():
    requests = record(("requested", "1", "Fetch"), ("responded", "1", "Fetch"))

    async def run():
        waiting = asyncio.ensure_future(requests.wait_for_streams(0.1))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        requests.end({"requestId": "1"})
        await asyncio.wait_for(waiting, 2.0)

    asyncio.run(run())


def test_a_body_whose_next_piece_is_late_is_waited_for_when_it_comes(monkeypatch):
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 0.2)
    requests = record(("requested", "1", "Fetch"), ("responded", "1", "Fetch"), ("received", "1", ""))
    assert waited(requests) >= 0.1
    assert waited(requests) < 0.1
    requests.received({"requestId": "1"})
    assert waited(requests) >= 0.1


@pytest.mark.parametrize("kind", ["Fetch", "EventSource"])
def test_endless_bodies_leave_time_to_the_clock(monkeypatch, kind):
    monkeypatch.setattr(main_response, "_MOST_STREAM_SECONDS", 0.1)
    requests = record(("requested", "1", kind), ("responded", "1", kind))
    assert waited(requests) >= 0.1
    requests.received({"requestId": "1"})
    assert waited(requests) < 0.1


def test_the_clock_of_a_page_that_polls_is_slow():
    few = record(*[("requested", str(number), "Fetch") for number in range(3)])
    many = record(*[("requested", str(number), "XHR") for number in range(4)])
    assert waited(few) < 0.05 < waited(many)


class Worker:
    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers[name] = handler

    async def send(self, name, *, timeout):
        assert name == "Network.enable"


def test_bodies_of_a_worker_are_waited_for_and_do_not_count_as_requests_of_the_page(monkeypatch):
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 0.2)
    requests, worker = record(("requested", "1", "EventSource")), Worker()
    asyncio.run(requests.watch(worker, 1.0))
    for kind in ("Fetch", "EventSource"):
        worker.handlers["Network.responseReceived"]({"requestId": kind, "type": kind})
    assert requests.are_given_up()
    assert waited(requests) >= 0.19
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 4.0)
    for ended in ("1", "Fetch"):
        requests.end({"requestId": ended})
    worker.handlers["Network.responseReceived"]({"requestId": "2", "type": "Fetch"})
    worker.handlers["Network.loadingFinished"]({"requestId": "2"})
    assert waited(requests) < 2.0


def test_the_head_of_an_event_stream_is_waited_for(monkeypatch):
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 0.05)

    async def run():
        requests = OpenRequests()
        requests.requested({"requestId": "1", "type": "EventSource"})
        start = time.monotonic()
        await requests.wait_for_streams(0.1)
        return time.monotonic() - start

    assert 0.04 < asyncio.run(run()) < 5


@pytest.mark.parametrize(("messages", "is_closed", "least"), [(0, False, 0.09), (2, False, 0.14), (0, True, 0.0)])
def test_sockets_are_waited_for_until_they_are_quiet(monkeypatch, messages, is_closed, least):
    monkeypatch.setattr(main_response, "_SILENT_SECONDS", 0.1)

    async def run():
        requests, event = OpenRequests(), {"requestId": "1"}
        requests.touch_socket(event)
        if is_closed:
            requests.end(event)
        start = time.monotonic()
        waiting = asyncio.ensure_future(requests.wait_for_streams(0.1))
        for _ in range(messages):
            await asyncio.sleep(0.03)
            requests.touch_socket(event)
        await waiting
        return time.monotonic() - start

    seconds = asyncio.run(run())
    assert least <= seconds < 5
