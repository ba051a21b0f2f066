"""The connection to a cluster, with a fake library."""

import os
import signal

import pytest
from blocksight.batch.ray import connection

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
