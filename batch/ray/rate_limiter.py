"""RateLimits among several processes: who may ask a host, and when. One gate stands for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ..batch_options import RateLimits
from ..host_queue import Pace

#: Seconds until the next look, where it is not known when a host is free.
_LOOK = 0.5
#: Hosts that are remembered when nobody asks them.
_REMEMBERED = 100_000


@dataclass(slots=True)
class _Host(Pace):
    """A host, and until when each of its places is held."""

    held: list[float] = field(default_factory=list)


class RateLimiter:
    """Places at hosts.

    A place that is not returned is free again after some time: whoever held it may have died.

    Parameters
    ----------
    polite : RateLimits
    lease : float
        Seconds for which a place is held at most.
    clock : callable, optional
        Seconds that only grow.
    """

    def __init__(self, polite: RateLimits, lease: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._polite = polite
        self._lease = lease
        self._clock = clock
        self._hosts: dict[str, _Host] = {}

    def ask(self, host: str) -> float:
        """Take a place at a host and return 0, or return the seconds after which to ask again."""
        now = self._clock()
        place = self._at(host, now)
        if place.free_at > now:
            return place.free_at - now
        if place.running >= self._polite.per_host:
            return _LOOK
        place.held.append(now + self._lease)
        return 0.0

    def over(self, host: str, delay: float) -> None:
        """Return a place; the next page of the host begins ``delay`` seconds later."""
        self._returned(host).over(self._clock(), delay)

    def busy(self, host: str, delay: float, seconds: float | None) -> None:
        """Return a place at a host that is busy, for so many seconds as it says."""
        self._returned(host).busy(self._clock(), delay, seconds, self._polite.longest_wait)

    def _returned(self, host: str) -> _Host:
        place = self._at(host, self._clock())
        del place.held[:1]
        return place

    def _at(self, host: str, now: float) -> _Host:
        if host not in self._hosts and len(self._hosts) >= _REMEMBERED:
            idle = [name for name, one in self._hosts.items() if one.free_at <= now and not one.held]
            for name in idle:
                del self._hosts[name]
        place = self._hosts.setdefault(host, _Host())
        place.held = [until for until in place.held if until > now]
        place.running = len(place.held)
        return place
