"""Rate limits of hosts among several processes: one limiter actor serves all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ..batch_options import RateLimits
from ..host_queue import HostPace

#: Seconds until the next attempt, if it is unknown when a host is free.
_POLL = 0.5
#: Idle hosts that are remembered.
_MAX_HOSTS = 100_000


@dataclass(slots=True)
class _LimitedHost(HostPace):
    """A host, with the expiry time of each of its slots in use."""

    leases: list[float] = field(default_factory=list)


class RateLimiter:
    """Slots at hosts. A slot is free again after ``lease`` seconds, as its holder may have died."""

    def __init__(self, limits: RateLimits, lease: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._lease = lease
        self._clock = clock
        self._hosts: dict[str, _LimitedHost] = {}

    def acquire(self, name: str, delay: float, slots: int) -> float:
        """Acquire one of the slots at a host and return 0, or return the seconds until the next attempt.

        The next page of the host starts ``delay`` seconds later at the earliest.
        """
        now = self._clock()
        host = self._host(name, now)
        if host.free_at > now:
            return host.free_at - now
        if host.running >= slots:
            return _POLL
        host.leases.append(now + self._lease)
        host.start(now, delay)
        return 0.0

    def release(self, name: str) -> None:
        """Release a slot."""
        self._released(name).refusals = 0

    def back_off(self, name: str, delay: float, seconds: float | None) -> None:
        """Release a slot at a busy host, and pause it for the seconds that it requests, if it does."""
        self._released(name).back_off(self._clock(), delay, seconds, self._limits.max_backoff)

    def _released(self, name: str) -> _LimitedHost:
        host = self._host(name, self._clock())
        del host.leases[:1]
        return host

    def _host(self, name: str, now: float) -> _LimitedHost:
        if name not in self._hosts and len(self._hosts) >= _MAX_HOSTS:
            self._hosts = {name: host for name, host in self._hosts.items() if host.free_at > now or host.leases}
        host = self._hosts.setdefault(name, _LimitedHost())
        host.leases = [expiry for expiry in host.leases if expiry > now]
        host.running = len(host.leases)
        return host
