"""The next input of a batch: hosts take turns, each within its rate limits."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from .batch_options import RateLimits
from .robots import ALLOW_ALL, RobotsRules
from .sources.inputs import Input

#: Inputs that are read ahead, so that a slow host does not block the others.
WINDOW = 500
#: Statuses by which a server says that it is busy.
BUSY = frozenset({429, 503})
#: Hosts whose rules are remembered while none of their pages waits.
_MAX_HOSTS = 10_000


@dataclass(slots=True)
class HostPace:
    """State of one host: pages in progress, when the next may start, and how often it was busy in a row."""

    running: int = 0
    free_at: float = 0.0
    refusals: int = 0

    def finish(self, now: float, delay: float) -> None:
        """Record the end of a page."""
        self.refusals = 0
        self.free_at = max(self.free_at, now + delay)

    def back_off(self, now: float, delay: float, seconds: float | None, longest: float) -> None:
        """Pause a busy host for the seconds that it requests, else twice as long each time."""
        self.refusals += 1
        pause = seconds if seconds is not None else max(delay, 1.0) * 2.0**self.refusals
        self.free_at = max(self.free_at, now + min(pause, longest))


@dataclass(slots=True)
class _Host(HostPace):
    waiting: deque[Input] = field(default_factory=deque)
    rules: RobotsRules | None = None
    rules_requested: bool = False


class HostQueue:
    """Inputs by host, read from an iterator as needed; files have no host, and never wait."""

    def __init__(self, inputs: Iterator[Input], limits: RateLimits) -> None:
        self._inputs = inputs
        self._limits = limits
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._waiting = 0
        self._running = 0
        self._exhausted = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits and nothing runs."""
        self._fill()
        return self._exhausted and not self._waiting and not self._running

    def _fill(self) -> None:
        while not self._exhausted and self._waiting < WINDOW:
            entry = next(self._inputs, None)
            if entry is None:
                self._exhausted = True
                return
            self._host(entry.host).waiting.append(entry)
            self._waiting += 1

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            self._hosts[name] = _Host(rules=None if name and self._limits.robots else ALLOW_ALL)
        return self._hosts[name]

    def next(self, now: float) -> Input | str | None:
        """Return an input to start, or a host whose ``robots.txt`` is to be read first; None if all must wait.

        An input ends with :meth:`finish` or :meth:`back_off`, a host with :meth:`set_rules`.
        """
        self._fill()
        for name in list(self._hosts):
            host = self._hosts[name]
            if not host.waiting:
                if len(self._hosts) > _MAX_HOSTS and not host.running and host.free_at <= now:
                    del self._hosts[name]
                continue
            if name and (not self._has_slot(host) or host.free_at > now):
                continue
            self._hosts.move_to_end(name)
            self._running += 1
            if host.rules is None:
                host.rules_requested = True
                return name
            host.running += 1
            self._waiting -= 1
            return host.waiting.popleft()
        return None

    def _has_slot(self, host: _Host) -> bool:
        return host.running < self._limits.per_host and (host.rules is not None or not host.rules_requested)

    def wait(self, now: float) -> float | None:
        """Return the seconds until a host is free, None if that depends on pages in progress."""
        times = [
            host.free_at - now for name, host in self._hosts.items() if name and host.waiting and self._has_slot(host)
        ]
        return max(min(times), 0.0) if times else None

    def forbids(self, entry: Input) -> str:
        """Return why the rules of its host forbid an input, "" if they allow it."""
        rules = self._host(entry.host).rules
        return "" if rules is None else rules.forbids(entry.source, self._limits.user_agent)

    def set_rules(self, name: str, rules: RobotsRules, now: float) -> None:
        """Store the rules of a host."""
        host = self._host(name)
        host.rules = rules
        host.free_at = max(host.free_at, now + delay_of(rules, self._limits))
        self._running -= 1

    def finish(self, entry: Input, now: float, *, requested: bool = True) -> None:
        """Record the end of an input; ``requested`` is whether anything was requested of its host."""
        host = self._release(entry)
        if requested and entry.host:
            host.finish(now, delay_of(host.rules, self._limits))

    def back_off(self, entry: Input, now: float, seconds: float | None) -> None:
        """Put an input back, and pause its busy host for the seconds that it requests, if it does."""
        host = self._release(entry)
        host.back_off(now, delay_of(host.rules, self._limits), seconds, self._limits.max_backoff)
        host.waiting.appendleft(entry)
        self._waiting += 1

    def _release(self, entry: Input) -> _Host:
        host = self._host(entry.host)
        host.running -= 1
        self._running -= 1
        return host


def delay_of(rules: RobotsRules | None, limits: RateLimits) -> float:
    """Return the seconds between two pages of a host: the larger of our delay and that of its rules."""
    requested = rules.delay(limits.user_agent) if rules is not None else 0.0
    return max(limits.delay, min(requested, limits.max_backoff))
