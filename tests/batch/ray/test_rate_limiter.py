"""One gate for many processes: no host is asked more often than it bears, and who dies keeps no place."""

from blocksight.batch.batch_options import RateLimits
from blocksight.batch.ray.rate_limiter import RateLimiter


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def gate(**more):
    clock = Clock()
    return RateLimiter(RateLimits(**{"per_host": 2, "delay": 1.0} | more), 60.0, clock), clock


def test_a_host_has_so_many_places():
    door, _ = gate()
    assert door.acquire("http://a") == door.acquire("http://a") == 0.0
    assert door.acquire("http://a") > 0.0
    assert door.acquire("http://b") == 0.0


def test_between_two_pages_is_the_delay():
    door, clock = gate(per_host=1)
    assert door.acquire("http://a") == 0.0
    door.release("http://a", 3.0)
    assert door.acquire("http://a") == 3.0
    clock.now += 3.0
    assert door.acquire("http://a") == 0.0


def test_a_busy_host_is_left_alone_as_long_as_it_says_or_twice_as_long_each_time():
    door, clock = gate(max_backoff=50.0)
    for said, pause in ((7.0, 7.0), (None, 4.0), (None, 8.0), (3600.0, 50.0)):
        assert door.acquire("http://a") == 0.0
        door.back_off("http://a", 1.0, said)
        assert door.acquire("http://a") == pause
        clock.now += pause


def test_a_place_whose_holder_died_is_free_after_a_while():
    door, clock = gate(per_host=1)
    assert door.acquire("http://a") == 0.0
    clock.now += 59.0
    assert door.acquire("http://a") > 0.0
    clock.now += 2.0
    assert door.acquire("http://a") == 0.0
