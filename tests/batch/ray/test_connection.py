"""The connection to a cluster, with a fake library."""

import os
import signal
import socket

import pytest
from blocksight.batch.ray import connection
from blocksight.errors import RunStopped

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


class FakeRay:
    """As Ray, takes over SIGTERM."""

    def __init__(self):
        self.addresses, self.ended = [], 0

    def is_initialized(self):
        return False

    def init(self, address, **_):
        self.addresses.append(address)
        signal.signal(signal.SIGTERM, lambda *_: None)

    def shutdown(self):
        self.ended += 1


@pytest.fixture
def ray(monkeypatch):
    fake, before = FakeRay(), signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(connection, "library", lambda: fake)
    yield fake
    signal.signal(signal.SIGTERM, before)


def test_sigterm_is_handled_by_the_program_as_before(ray):
    def ours(*_):
        pass

    signal.signal(signal.SIGTERM, ours)
    with connection.connected("auto"):
        assert signal.getsignal(signal.SIGTERM) is ours
    assert (ray.addresses, ray.ended) == (["auto"], 1)


def test_ray_handles_sigterm_where_nothing_else_does(ray):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with connection.connected():
        assert callable(signal.getsignal(signal.SIGTERM))
    assert ray.addresses == [None]


@pytest.mark.parametrize("prefix", ["", "ray://"])
def test_an_address_where_nothing_answers_is_named_at_once(ray, prefix):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"{prefix}127.0.0.1:{server.getsockname()[1]}"
        with connection.connected(address):
            pass
    with (
        pytest.raises(RunStopped, match=rf"no Ray cluster answers at {address} .*--ray=local"),
        connection.connected(address),
    ):
        pass
    assert ray.addresses == [address]


def test_a_cluster_that_is_not_found_is_an_error_in_words(ray, monkeypatch):
    def init(**_):
        raise ConnectionError("Could not find any running Ray instance.")

    monkeypatch.setattr(ray, "init", init)
    with (
        pytest.raises(RunStopped, match=r"no Ray cluster answers at auto .Could not find any"),
        connection.connected("auto"),
    ):
        pass
