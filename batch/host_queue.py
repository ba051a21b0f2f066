"""The next input of a batch: hosts take turns, each within its rate limits.

Inputs stay in the ledger; the queue has a few inputs of at most :data:`MAX_HOSTS` hosts. A host waits in a heap by the
time when it may start its next page, then in a heap by the time that its remaining pages take at least: the longest
first, as it ends last. Each step takes O(log n).
"""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from ..errors import ConnectionFailed, HttpFailed, NoAnswer, PageFailed, TimedOut
from .batch_options import RateLimits
from .output.ledger import WaitingInputs
from .robots import ALLOW_ALL, RobotsRules
from .sources.inputs import Input

#: Hosts in memory: with a delay of a minute they are enough for 300 pages a second.
MAX_HOSTS = 20_000
#: Inputs of a host that are read at once; files have no host and no delay.
_INPUTS, _FILES = 8, 500


@dataclass(slots=True)
class _Host:
    """State of one host: pages in progress, when the next may start, how often it was busy in a row, or silent."""

    running: int = 0
    free_at: float = 0.0
    refusals: int = 0
    failures: int = 0
    left: int = 0
    after: int = 0
    inputs: deque[Input] = field(default_factory=deque)
    rules: RobotsRules | None = None
    rules_requested: bool = False
    is_queued: bool = False
    down: PageFailed | None = None

    def start(self, now: float, delay: float) -> None:
        """Record the start of a page."""
        self.running += 1
        self.free_at = max(self.free_at, now + delay)

    def back_off(self, now: float, delay: float, seconds: float | None, longest: float) -> None:
        """Pause a busy host for the seconds that it requests, else twice as long each time."""
        self.refusals += 1
        pause = seconds if seconds is not None else max(delay, 1.0) * 2.0**self.refusals
        self.free_at = max(self.free_at, now + min(pause, longest))

    def record(self, error: Exception | None, now: float, limits: RateLimits) -> None:
        """Record the end of a request; a host that did not answer several in a row is paused, then down."""
        self.refusals = 0
        if self.down is not None:
            return
        if not is_unreachable(error):
            self.failures = 0
            return
        self.failures += 1
        self.free_at = max(self.free_at, now + host_pause(self.failures, limits))
        if self.failures >= DOWN_AFTER:
            self.down, self.free_at = error, now

    def has_slot(self, limits: RateLimits) -> bool:
        """Decide whether a page, or the request for the rules, may be in progress besides the present ones."""
        return self.running < slots_of(self.rules, limits) if self.rules is not None else not self.rules_requested

    def seconds_left(self, limits: RateLimits) -> float:
        """Return the least time for the remaining pages, if each takes a second."""
        return self.left * max(delay_of(self.rules, limits), 1.0 / slots_of(self.rules, limits))


class HostQueue:
    """Waiting inputs by host; files have no host, and never wait."""

    def __init__(self, store: WaitingInputs, limits: RateLimits) -> None:
        self._store = store
        self._limits = limits
        self._hosts: dict[str, _Host] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()
        self._has_more = True
        #: Hosts by the time when they may start a page, and those that may, by the work that is left.
        self._timed: list[tuple[float, int, str]] = []
        self._ready: list[tuple[float, int, str]] = []
        self._pushes = 0
        #: Inputs that are to be requested again, by time.
        self._later: list[tuple[float, int, Input]] = []
        self._running = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits and nothing runs."""
        self._load()
        return not self._running and not self._later and not self._has_more and len(self._hosts) == len(self._idle)

    def add(self, counts: Mapping[str, int]) -> None:
        """Add numbers of new inputs by host, which the store has."""
        others = {}
        for name, count in counts.items():
            host = self._hosts.get(name)
            if host is None:
                others[name] = count
            else:
                host.left += count
                self._push(name, host)
        if others:
            self._store.add(others)
            self._has_more = True

    def _load(self) -> None:
        """Load hosts while there is room for many."""
        free = MAX_HOSTS - len(self._hosts) + len(self._idle)
        if not self._has_more or free < MAX_HOSTS // 2:
            return
        found = self._store.take_hosts(free)
        self._has_more = len(found) == free
        for name, count in found:
            host = self._host(name)
            host.left += count
            self._push(name, host)

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            self._hosts[name] = _Host(rules=None if name and self._limits.robots else ALLOW_ALL)
        return self._hosts[name]

    def _push(self, name: str, host: _Host) -> None:
        """Queue a host that may start a page now or later."""
        if host.is_queued or not host.left or (name and not host.has_slot(self._limits)):
            return
        self._idle.pop(name, None)
        host.is_queued = True
        self._pushes += 1
        heapq.heappush(self._timed, (host.free_at, self._pushes, name))

    def _forget(self, now: float) -> None:
        """Forget the oldest hosts without inputs, as far as they are many and their delay is over."""
        while len(self._idle) > MAX_HOSTS // 2 and self._hosts[next(iter(self._idle))].free_at <= now:
            name, _ = self._idle.popitem(last=False)
            del self._hosts[name]

    def next(self, now: float) -> Input | str | None:
        """Return an input to start, or a host whose ``robots.txt`` is to be read first; None if all must wait.

        An input ends with :meth:`finish` or :meth:`back_off`, a host with :meth:`set_rules`.
        """
        self._load()
        self._forget(now)
        while self._later and self._later[0][0] <= now:
            self._put_back(heapq.heappop(self._later)[-1])
        while self._timed and self._timed[0][0] <= now:
            _, number, name = heapq.heappop(self._timed)
            work = self._hosts[name].seconds_left(self._limits) if name else 0.0
            heapq.heappush(self._ready, (-work, number, name))
        while self._ready:
            _, number, name = heapq.heappop(self._ready)
            host = self._hosts[name]
            if host.free_at > now:  # it was paused meanwhile
                heapq.heappush(self._timed, (host.free_at, number, name))
                continue
            host.is_queued = False
            if host.rules is None:
                host.rules_requested = True
                self._started(name, host, now)
                return name
            if (taken := self._taken(name, host)) is not None:
                self._started(name, host, now, is_requested=host.down is None and not self.forbids(taken))
                self._push(name, host)
                return taken
            self._idle[name] = None
        return None

    def _put_back(self, entry: Input) -> None:
        """Make an input the next one of its host."""
        host = self._host(entry.host)
        host.inputs.appendleft(entry)
        host.left += 1
        self._push(entry.host, host)

    def _taken(self, name: str, host: _Host) -> Input | None:
        if not host.inputs and host.left:
            found = self._store.inputs(name, host.after, _INPUTS if name else _FILES)
            host.inputs.extend(entry for _, entry in found)
            host.after = found[-1][0] if found else host.after
        if not host.inputs:
            host.left = 0
            return None
        host.left -= 1
        return host.inputs.popleft()

    def _started(self, name: str, host: _Host, now: float, *, is_requested: bool = True) -> None:
        self._running += 1
        host.start(now, delay_of(host.rules, self._limits) if name and is_requested else 0.0)

    def wait(self, now: float) -> float | None:
        """Return the seconds until a host is free, None if that depends on pages in progress."""
        if self._ready:
            return 0.0
        times = [heap[0][0] - now for heap in (self._timed, self._later) if heap]
        return max(min(times), 0.0) if times else None

    def forbids(self, entry: Input) -> str:
        """Return why the rules of its host forbid an input, "" if they allow it."""
        rules = self._host(entry.host).rules
        return "" if rules is None else rules.forbids(entry.address, self._limits.user_agent)

    def rules(self, entry: Input) -> RobotsRules:
        """Return the rules of the host of an input in progress."""
        return self._hosts[entry.host].rules or ALLOW_ALL

    def set_rules(self, name: str, rules: RobotsRules) -> None:
        """Store the rules of a host; its first page starts a delay after the request for them."""
        host = self._host(name)
        host.rules = rules
        # The request started a delay of ours ago at least.
        host.free_at += delay_of(rules, self._limits) - self._limits.delay
        self._released(name, host)

    def down(self, entry: Input) -> PageFailed | None:
        """Return the error of the last request to the host of an input, if the host is down."""
        return self._hosts[entry.host].down

    def finish(self, entry: Input, now: float, error: Exception | None = None) -> None:
        """Record the end of an input, and its error."""
        host = self._host(entry.host)
        if entry.host:
            host.record(error, now, self._limits)
        self._released(entry.host, host)

    def back_off(self, entry: Input, now: float, seconds: float | None) -> None:
        """Put an input back, and pause its busy host for the seconds that it requests, if it does."""
        host = self._host(entry.host)
        host.back_off(now, delay_of(host.rules, self._limits), seconds, self._limits.max_backoff)
        self._put_back(entry)
        self._released(entry.host, host)

    def retry(self, entry: Input, now: float, seconds: float, error: Exception | None) -> None:
        """End an input, and put it back after some seconds."""
        self._pushes += 1
        heapq.heappush(self._later, (now + seconds, self._pushes, entry))
        self.finish(entry, now, error)

    def move(self, entry: Input, moved: Input, now: float) -> None:
        """End an input, and put it back as one of another host, to which it redirects."""
        self._put_back(moved)
        self.finish(entry, now)

    def _released(self, name: str, host: _Host) -> None:
        host.running -= 1
        self._running -= 1
        self._push(name, host)
        if not host.left and not host.running:
            self._idle[name] = None


def delay_of(rules: RobotsRules | None, limits: RateLimits) -> float:
    """Return the seconds between the starts of two pages of a host: the larger of our delay and that of its rules."""
    return max(limits.delay, _crawl_delay(rules, limits))


def slots_of(rules: RobotsRules | None, limits: RateLimits) -> int:
    """Return the number of concurrent pages of a host: one if its rules state a delay."""
    return 1 if _crawl_delay(rules, limits) > 0 else limits.per_host


def _crawl_delay(rules: RobotsRules | None, limits: RateLimits) -> float:
    return min(rules.delay(limits.user_agent), limits.max_backoff) if rules is not None else 0.0


#: Statuses by which a server says that it is busy, and those of its faults that may pass.
_BUSY, _FAULTS = frozenset({429, 503}), frozenset({500, 502, 504})
#: Waits before the second attempt, in multiples of ``retry_wait``, and their growth with each further one.
_AFTER_FAULT, _AFTER_TIMEOUT, _GROWTH = 2.5, 5.0, 4.0
#: Failed requests in a row after which a host is paused, and after which no more of its pages are requested.
PAUSE_AFTER, DOWN_AFTER = 5, 9


def retry_seconds(error: Exception | None, attempts: int, limits: RateLimits) -> float | None:
    """Return the seconds until a page is requested again after some attempts; None if it is not.

    They are 0 for a busy host, which is paused itself.
    """
    if attempts >= limits.max_attempts:
        return None
    factor = _retry_factor(error)
    return None if factor is None else min(limits.retry_wait * factor * _GROWTH ** (attempts - 1), limits.max_backoff)


def _retry_factor(error: Exception | None) -> float | None:
    if is_busy(error):
        return 0.0
    if isinstance(error, ConnectionFailed):
        return 1.0
    if isinstance(error, TimedOut):
        return _AFTER_TIMEOUT
    return _AFTER_FAULT if isinstance(error, HttpFailed) and error.status in _FAULTS else None


def is_busy(error: Exception | None) -> TypeGuard[HttpFailed]:
    """Decide whether a server is too busy to answer."""
    return isinstance(error, HttpFailed) and error.status in _BUSY


def is_unreachable(error: Exception | None) -> TypeGuard[ConnectionFailed | NoAnswer]:
    """Decide whether a host did not answer."""
    return isinstance(error, ConnectionFailed | NoAnswer)


def down_error(url: str, last: PageFailed) -> PageFailed:
    """Return the error of a page that is not requested, as its host is down; ``last`` is that of the last request."""
    why = f"not requested: its host did not answer {DOWN_AFTER} requests in a row (the last one: {last.reason})"
    return type(last)(url, why)


def host_pause(failures: int, limits: RateLimits) -> float:
    """Return the seconds for which a host is paused after some failed requests in a row."""
    if failures < PAUSE_AFTER:
        return 0.0
    return min(limits.retry_wait * 2.0 ** (failures - PAUSE_AFTER), limits.max_backoff)
