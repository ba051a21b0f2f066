"""Connections that wait for their clients: half heads, answers that are not taken, and too many of them."""

import subprocess
import sys
import time

import pytest
from blocksight.app.service.connections import ConnectionLimits, fitting_limits
from blocksight.app.service.connections import _owner as owner

from .conftest import PATIENCE, Served, closes, eventually, everything, request, serve, status

HALF = b"GET /health HTTP/1.1\r\nHost: a\r\nX: "


def test_a_head_that_never_ends_is_closed(served):
    with served.connect(HALF) as client:
        assert everything(client) == b""
    assert eventually(lambda: len(served.connections) == 0)


def test_a_head_that_drips_is_closed(served):
    with served.connect(HALF) as client:
        assert closes(client, b"x")


def test_a_connection_that_sends_nothing_is_closed(served):
    with served.connect() as client:
        assert everything(client) == b""


def test_a_second_head_that_never_ends_is_closed(served):
    with served.connect(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n" + HALF) as client:
        assert everything(client).count(b"HTTP/1.1 200") == 1


def test_a_request_in_progress_is_not_closed(served, held):
    with served.connect(request("slow", close=True)) as client:
        time.sleep(2.5)
        held.let_go()
        assert status(everything(client)) == 200


def test_the_rest_of_a_refused_body_does_not_hold_the_connection(served):
    head = b"POST /extract HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
    with served.connect(head) as client:
        assert client.recv(12) == b"HTTP/1.1 401"
        assert closes(client, b"x")


def test_many_half_heads_of_a_client_leave_place_for_a_good_request(served):
    clients = [served.connect(HALF) for _ in range(100)]
    assert served.good() == 200
    assert len(served.connections) <= 20
    assert served.connections.dropped >= 80
    for client in clients:
        client.close()


def test_one_connection_is_closed_for_each_that_is_too_many(held):
    """The oldest that waits: those with a request in progress stay."""
    with serve(held, workers=2, head_seconds=60.0, most=3, per_client=3) as served:
        first = served.connect(request("slow"))
        assert eventually(lambda: held.started)
        halves = [served.connect(HALF) for _ in range(3)]
        assert everything(halves[0]) == b""
        assert len(served.connections) == 3
        held.let_go()
        assert first.recv(12) == b"HTTP/1.1 200"
        for client in (first, *halves):
            client.close()


def test_the_limit_of_all_clients_counts_all(held):
    with serve(held, head_seconds=60.0, most=3, per_client=100) as served:
        clients = [served.connect(HALF) for _ in range(6)]
        assert eventually(lambda: len(served.connections) == 3)
        assert [everything(client) for client in clients[:3]] == [b""] * 3
        for client in clients:
            client.close()


def test_a_client_that_does_not_take_its_answers_is_closed(served):
    """Answers to requests in a row fill the buffers of the connection."""
    with served.connect() as client:
        assert closes(client, b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n" * 1000)
        assert eventually(lambda: len(served.connections) == 0)


def test_a_large_answer_may_take_longer_than_a_head(held):
    """At 20 kB a second at least: 8 MB may take 400 s."""
    with serve(held, most_body=10_000_000, head_seconds=0.2) as served:
        body = b'{"url": "fast' + b"x" * 8_000_000 + b'"}'
        with served.connect(request(body=body, close=True)) as client:
            start = client.recv(100)
            time.sleep(1.0)
            assert len(start + everything(client)) > 8_000_000


def test_requests_behind_one_in_progress_are_bounded(served, held):
    with served.connect(request("slow")) as client:
        assert eventually(lambda: held.started)
        assert closes(client, request("next") * 100)
    assert eventually(lambda: held.cancelled == ["slow"])


def test_requests_in_a_row_are_answered_in_order(served):
    answers = served.ask(request("fast-1") + request("fast-2") + request("fast-3", close=True))
    assert answers.count(b"HTTP/1.1 200") == 3
    assert answers.index(b"fast-1") < answers.index(b"fast-2") < answers.index(b"fast-3")


@pytest.mark.parametrize(
    ("client", "other", "same"),
    [
        ("1.2.3.4", "1.2.3.4", True),
        ("1.2.3.4", "1.2.3.5", False),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_a_client_is_an_address_or_a_network_of_ipv6(client, other, same):
    assert (owner((client, 1)) == owner((other, 2))) == same


def test_pages_keep_half_of_the_files(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    assert fitting_limits(300, 64) == ConnectionLimits(most=128, per_client=64)
    assert fitting_limits(100, 200) == ConnectionLimits(most=100, per_client=100)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert fitting_limits(300, 64) == ConnectionLimits(most=300, per_client=64)


_FEW_FILES = """
import asyncio, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))
sys.path[:0] = sys.argv[1:]
from blocksight.app.service.connections import Connections, LimitedServer, fitting_limits
from blocksight.app.service.service import Service
connections = Connections(fitting_limits(256, 64))
service = Service(None, token="secret", most_body=1000, workers=1, queue=1)
with socket.create_server(("127.0.0.1", 0)) as listening:
    print(listening.getsockname()[1], flush=True)
    LimitedServer(service.app, connections).run(sockets=[listening])
"""


def test_a_thousand_connections_at_256_files():
    command = [sys.executable, "-c", _FEW_FILES, *filter(None, sys.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        served = Served(None, None, int(process.stdout.readline()))
        clients = [served.connect(HALF) for _ in range(1000)]
        assert status(served.ask(b"GET /health HTTP/1.0\r\n\r\n")) == 200
        for client in clients:
            client.close()
        process.terminate()
        assert process.communicate(timeout=PATIENCE)[1] == ""
