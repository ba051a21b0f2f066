"""One gate for many processes: no host is asked more often than it bears, and who dies keeps no place."""

from blocksight.batch.batch_options import RateLimits
from blocksight.batch.ray.rate_limiter import RateLimiter


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def limiter_of(**more):
    clock = Clock()
    return RateLimiter(RateLimits(**more), 60.0, clock), clock


def test_a_host_has_so_many_slots():
    limiter, _ = limiter_of()
    assert limiter.acquire("http://a", 0.0, 2) == limiter.acquire("http://a", 0.0, 2) == 0.0
    assert limiter.acquire("http://a", 0.0, 2) > 0.0
    assert limiter.acquire("http://b", 0.0, 2) == 0.0


def test_the_delay_counts_from_the_last_start():
    limiter, clock = limiter_of()
    assert limiter.acquire("http://a", 3.0, 2) == 0.0
    limiter.release("http://a")
    assert limiter.acquire("http://a", 3.0, 2) == 3.0
    clock.now += 3.0
    assert limiter.acquire("http://a", 3.0, 2) == 0.0


def test_a_busy_host_is_left_alone_as_long_as_it_says_or_twice_as_long_each_time():
    limiter, clock = limiter_of(max_backoff=50.0)
    for said, pause in ((7.0, 7.0), (None, 4.0), (None, 8.0), (3600.0, 50.0)):
        assert limiter.acquire("http://a", 1.0, 2) == 0.0
        limiter.back_off("http://a", 1.0, said)
        assert limiter.acquire("http://a", 1.0, 2) == pause
        clock.now += pause


def test_a_slot_whose_holder_died_is_free_after_a_while():
    limiter, clock = limiter_of()
    assert limiter.acquire("http://a", 0.0, 1) == 0.0
    clock.now += 59.0
    assert limiter.acquire("http://a", 0.0, 1) > 0.0
    clock.now += 2.0
    assert limiter.acquire("http://a", 0.0, 1) == 0.0
