"""Requests over sockets: clients that go, slow and odd requests, waits and deadlines. Then a good one is answered."""

import json
import socket
import struct
import time

import pytest
from blocksight.app.service import connection
from blocksight.inspector.server import requests

from .conftest import TOKEN, eventually, everything, request, serve, status, unused

HEAD = "POST /extract HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer " + TOKEN + "\r\n"
HIDDEN = "GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n"


def abort(client):
    """Close a connection by a reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def headers(answer):
    lines = answer.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}


def all_of(client):
    with client:
        return everything(client)


# -- clients that go --------------------------------------------------------------------------------------------------


def test_aborted_requests_leave_no_places_taken(served, held):
    abort(served.connect(request("slow")))
    assert eventually(lambda: held.started == ["slow"])
    held.let_go()
    assert eventually(lambda: served.service.under_way == 0)
    assert served.good() == 200


@pytest.mark.parametrize("share", [0.02, 0.6, 0.99])
def test_a_request_aborted_while_it_is_sent_leaves_nothing(served, held, share):
    sent = request("slow", body=b" " * 50_000 + b'{"url": "slow"}')
    client = served.connect(sent[: int(len(sent) * share)])
    time.sleep(0.05)
    abort(client)
    assert eventually(lambda: served.service.under_way == 0)
    assert held.started == []
    assert served.good() == 200


# -- limits -----------------------------------------------------------------------------------------------------------


def test_a_body_that_does_not_arrive_is_bounded_in_time(served, monkeypatch):
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.5)
    with served.connect(request("slow")[:-1]) as client:
        assert client.recv(12) == b"HTTP/1.1 408"
    assert served.good() == 200


@pytest.mark.parametrize("share", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("token", [TOKEN, ""])
def test_a_request_that_arrives_slowly_is_refused_however_it_goes_on(served, monkeypatch, share, token):
    monkeypatch.setattr(connection, "GRACE", 0.3)
    sent = request("slow", body=b" " * 500, token=token)
    first = int(share * len(sent))
    with served.connect(sent[:first]) as client:
        client.settimeout(0.1)
        received, deadline = b"", time.monotonic() + 20.0
        while time.monotonic() < deadline:
            try:
                client.send(sent[first : first + 1] if first else b"")
                first += bool(first)
                if not (piece := client.recv(65_536)):
                    break
                received += piece
            except TimeoutError:
                continue
            except ConnectionError:
                break
    assert time.monotonic() < deadline
    assert status(received) == (0 if not share else 401 if not token and share > 0.5 else 408)
    assert served.good() == 200


def test_chunks_are_bounded_in_size(served):
    head = request("slow", body=b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    with served.connect(head + b"c350\r\n" + b"x" * 50_000 + b"\r\n" + b"c351\r\n" + b"x" * 50_001 + b"\r\n") as client:
        assert client.recv(12) == b"HTTP/1.1 413"


def test_connections_are_bounded(held):
    with serve(unused(), work=held, connections=3) as served:
        waiting = [served.connect(b"GET /health HTTP/1.1\r\nHost: a\r\nX: ") for _ in range(4)]
        assert eventually(lambda: served.good() == 503)
        for client in waiting:
            client.close()
        assert eventually(lambda: served.good() == 200)


def test_a_deadline_includes_the_wait(served, held):
    first = served.connect(request("slow", close=True))
    assert eventually(lambda: held.started == ["slow"])
    answer = served.ask(request(body=json.dumps({"url": "late", "timeout": 0.2}).encode(), close=True))
    assert status(answer) == 503
    assert headers(answer)["retry-after"] == "2"
    assert held.started == ["slow"]
    held.let_go()
    assert status(all_of(first)) == 200


def test_eight_requests_at_once_are_all_answered(held):
    with serve(unused(), work=held, workers=2, queue=4) as served:
        clients = [served.connect(request(f"slow {number}", close=True)) for number in range(8)]
        assert eventually(lambda: len(held.started) == 2 and served.service.under_way == 6)
        held.let_go()
        answers = [all_of(client) for client in clients]
    assert sorted(map(status, answers)) == [200] * 6 + [503] * 2
    assert all("retry-after" in headers(each) for each in answers if status(each) == 503)


# -- shapes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 0\r\nContent-Length: 5\r\n\r\n",
        "Content-Length: +0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "X: a\x00b\r\n\r\n",
    ],
)
def test_no_second_request_is_hidden_in_an_ambiguous_one(served, framing):
    answers = served.ask((HEAD + framing + HIDDEN).encode("latin-1"))
    assert status(answers) in (400, 501)
    assert answers.count(b"HTTP/1.1 ") == 1
    assert served.good() == 200


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (b"GET /health HTTP/1.0\r\n\r\n", 200),
        (b"GET /health HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200, 400),  # TLS
        (b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
        (b"GET /health/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 404),
        (b"GET /../health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
        (b"TRACE /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    ],
)
def test_odd_requests_have_plain_answers(served, sent, found):
    answer = served.ask(sent)
    assert status(answer) == found
    for word in (b"evil", b"uvicorn", b"python", b"blocksight", b"raceback"):
        assert word not in answer.lower()
    assert served.good() == 200


@pytest.mark.parametrize(
    "sent",
    [request("fast", close=True), request("fast", close=True, token=""), b"GET /health HTTP/1.0\r\n\r\n"],
)
def test_no_answer_may_be_stored_on_its_way(served, sent):
    assert b"cache-control: no-store" in served.ask(sent)
