"""Requests as attackers and impatient clients send them: aborted, slow, ambiguous. Then a good one is answered."""

import random
import socket
import struct
import threading
import time
from contextlib import suppress

import pytest
from blocksight.inspector.server import requests

from .conftest import TOKEN, closes, eventually, everything, request, serve, status


def abort(client):
    """Close a connection by a reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


# -- clients that go --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", [abort, socket.socket.close])
def test_running_work_of_a_client_that_has_gone_is_cancelled(served, held, leave):
    client = served.connect(request("slow"))
    assert eventually(lambda: held.started == ["slow"])
    leave(client)
    assert eventually(lambda: held.cancelled == ["slow"])
    assert eventually(lambda: served.service.metrics.under_way == 0)
    assert served.good() == 200


def test_queued_work_of_a_client_that_has_gone_is_not_started(served, held):
    first = served.connect(request("first"))
    assert eventually(lambda: held.started == ["first"])
    queued = served.connect(request("queued"))
    assert eventually(lambda: served.service.metrics.under_way == 2)
    abort(queued)
    assert eventually(lambda: served.service.metrics.under_way == 1)
    held.let_go()
    assert first.recv(12) == b"HTTP/1.1 200"
    first.close()
    assert served.good() == 200
    assert held.started == ["first"]


def test_aborted_requests_leave_no_places_taken(served):
    """Eight aborted requests once made the next thirteen fail with 503."""
    for _ in range(8):
        abort(served.connect(request("slow")))
    assert eventually(lambda: served.good() == 200)
    assert [served.good() for _ in range(13)] == [200] * 13


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_request_aborted_while_it_is_sent_leaves_nothing(served, held, share):
    sent = request("slow", body=b" " * 50_000 + b'{"url": "slow"}')
    client = served.connect(sent[: int(len(sent) * share)])
    time.sleep(0.05)
    abort(client)
    assert eventually(lambda: len(served.connections) == 0)
    assert served.service.metrics.under_way == 0
    assert held.started == []
    assert served.good() == 200


def test_a_client_that_goes_behind_a_second_request_is_noticed(served, held):
    client = served.connect(request("slow") + request("next"))
    assert eventually(lambda: held.started == ["slow"])
    abort(client)
    assert eventually(lambda: held.cancelled == ["slow"])
    assert held.started == ["slow"]


# -- bodies -----------------------------------------------------------------------------------------------------------


def test_slow_bodies_take_no_places(served):
    """They are at most as many as connections, and their bytes are counted."""
    slow = [served.connect(request("slow")[:-1]) for _ in range(15)]
    assert served.good() == 200
    assert served.service.metrics.under_way == 0
    for client in slow:
        client.close()


def test_a_body_that_drips_is_bounded_in_time(served, monkeypatch):
    monkeypatch.setattr(requests, "BODY_SECONDS", 1.0)
    head = request("slow", body=b"").replace(b"Content-Length: 0", b"Content-Length: 100000")
    with served.connect(head) as client:
        threading.Thread(target=closes, args=(client, b" ")).start()
        assert client.recv(12) == b"HTTP/1.1 408"
        everything(client)
    assert served.good() == 200


def test_chunks_are_bounded_in_size(served):
    head = request("slow", body=b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    with served.connect(head + b"c350\r\n" + b"x" * 50_000 + b"\r\n" + b"c351\r\n" + b"x" * 50_001 + b"\r\n") as client:
        assert client.recv(12) == b"HTTP/1.1 413"


def test_bodies_of_all_requests_are_bounded_together(held):
    """Two requests may work or wait, so there is memory for two bodies."""
    with serve(held, workers=1, queue=1, most_body=1000) as served:
        part = request("slow", body=b" " * 1000)[:-100]
        slow = [served.connect(part) for _ in range(2)]
        assert eventually(lambda: served.service._body_bytes == 1800)
        assert status(served.ask(request(body=b"{" + b" " * 500, close=True))) == 503
        for client in slow:
            client.close()
        assert eventually(lambda: served.service._body_bytes == 0)
        assert served.good() == 200


# -- shapes -----------------------------------------------------------------------------------------------------------

HEAD = "POST /extract HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer " + TOKEN + "\r\n"
HIDDEN = "GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n"


@pytest.mark.parametrize(
    "framing",
    [
        f"Content-Length: {len(HIDDEN) + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + HIDDEN,
        "Content-Length: 0, 5\r\n\r\n" + HIDDEN,
        "Content-Length: +0\r\n\r\n" + HIDDEN,
        "Content-Length: -1\r\n\r\n" + HIDDEN,
        "Content-Length: 0x0\r\n\r\n" + HIDDEN,
        "Content-Length : 5\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\n\r\n1x\r\na\r\n0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\n\r\n1\r\nabc0\r\n\r\n" + HIDDEN,
        "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n" + HIDDEN,
        "X: a\r\n folded: b\r\n:\r\n\r\n" + HIDDEN,
        "X: a\x00b\r\n\r\n" + HIDDEN,
    ],
)
def test_no_second_request_is_hidden_in_an_ambiguous_one(served, framing):
    answers = served.ask((HEAD + framing).encode("latin-1"))
    assert status(answers) in (400, 501)
    assert answers.count(b"HTTP/1.1 ") == 1
    assert served.good() == 200


def test_a_body_in_chunks_is_refused_in_http_1_0(served):
    answers = served.ask(
        (HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0").encode()
    )
    assert status(answers) == 400


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (b"GET /health HTTP/1.0\r\n\r\n", 200),
        (b"GET /health HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: " + b"x" * 200_000 + b"\r\n\r\n", 400),
        (b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200, 400),  # TLS
        (b"GET http://b/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
        (b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
        (b"GET /health/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 404),
        (b"GET /../health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
        (b"TRACE /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
        (
            b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            200,
        ),
    ],
)
def test_odd_requests_have_plain_answers(served, sent, found):
    answer = served.ask(sent)
    # Of a head that is too large the rest is not read, and the system may discard the answer.
    assert status(answer) in ((found, 0) if len(sent) > 100_000 else (found,))
    for word in (b"evil", b"uvicorn", b"python", b"blocksight", b"raceback"):
        assert word not in answer.lower()
    assert served.good() == 200


def test_no_answer_may_be_stored_on_its_way(served):
    for sent in (
        request("fast", close=True),
        request("fast", close=True, token=""),
        b"GET /health HTTP/1.0\r\n\r\n",
        b"GET /no HTTP/1.0\r\n\r\n",
    ):
        assert b"cache-control: no-store" in served.ask(sent)


def test_odd_bytes_leave_the_service_alive(served, held):
    """Good requests with random damage: each connection ends, and good requests are answered."""
    held.let_go()
    rng = random.Random(29)
    samples = [
        request("fast"),
        (HEAD + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n").encode(),
        HIDDEN.encode(),
    ]
    for number in range(100):
        damaged = bytearray(b"".join(rng.choices(samples, k=rng.randint(1, 3))))
        for _ in range(rng.randint(1, 8)):
            place, odd = rng.randrange(len(damaged)), bytes([rng.randrange(256)])
            damaged[place : place + rng.randint(0, 3)] = rng.choice((b"", b"\r", b"\n", b"\0", b":", b" ", odd))
        with served.connect(bytes(damaged)) as client:
            client.settimeout(0.02)
            with suppress(OSError):
                client.recv(100)
            if number % 2:
                abort(client)
        if number % 20 == 0:
            assert served.good() == 200
    assert served.good() == 200
    assert eventually(lambda: (len(served.connections), served.service.metrics.under_way) == (0, 0))
