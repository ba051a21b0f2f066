"""Which input is next: hosts in turn, each no faster and no more often than it bears."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from .batch_options import RateLimits
from .robots import OPEN, RobotsRules
from .sources.inputs import Input

#: Inputs that are looked at ahead, so that a slow host does not hold up the others.
WINDOW = 500
#: Statuses by which a server says that it is busy.
BUSY = frozenset({429, 503})
#: Hosts whose rules are kept when none of their pages waits.
_REMEMBERED = 10_000


@dataclass(slots=True)
class Pace:
    """How one host is asked: what runs, when the next may begin, how often it was busy without a break."""

    running: int = 0
    free_at: float = 0.0
    refusals: int = 0

    def over(self, now: float, delay: float) -> None:
        """Note that a page is done."""
        self.refusals = 0
        self.free_at = max(self.free_at, now + delay)

    def busy(self, now: float, delay: float, seconds: float | None, longest: float) -> None:
        """Note that the host is busy, for so many seconds as it says; without, twice as long each time."""
        self.refusals += 1
        pause = seconds if seconds is not None else max(delay, 1.0) * 2.0**self.refusals
        self.free_at = max(self.free_at, now + min(pause, longest))


@dataclass(slots=True)
class _Host(Pace):
    """What waits for one host."""

    waiting: deque[Input] = field(default_factory=deque)
    rules: RobotsRules | None = None
    asked: bool = False


class HostQueue:
    """Inputs by host.

    Files have no host, and are never waited for.

    Parameters
    ----------
    inputs : iterator of Input
        Read as needed.
    polite : RateLimits
    """

    def __init__(self, inputs: Iterator[Input], polite: RateLimits) -> None:
        self._inputs = inputs
        self._polite = polite
        self._lanes: OrderedDict[str, _Host] = OrderedDict()
        self._waiting = 0
        self._running = 0
        self._exhausted = False

    @property
    def is_over(self) -> bool:
        """Whether nothing waits and nothing runs."""
        self._fill()
        return self._exhausted and not self._waiting and not self._running

    def _fill(self) -> None:
        while not self._exhausted and self._waiting < WINDOW:
            found = next(self._inputs, None)
            if found is None:
                self._exhausted = True
                return
            self._lane(found.host).waiting.append(found)
            self._waiting += 1

    def _lane(self, host: str) -> _Host:
        if host not in self._lanes:
            self._lanes[host] = _Host(rules=None if host and self._polite.robots else OPEN)
        return self._lanes[host]

    def next(self, now: float) -> Input | str | None:
        """Return an input to begin with; or a host whose ``robots.txt`` is to be read first; None where all must wait.

        Each that is returned is to be ended by :meth:`done` or :meth:`ruled`.
        """
        self._fill()
        for host in list(self._lanes):
            lane = self._lanes[host]
            if not lane.waiting:
                self._forget(host, lane, now)
                continue
            if not self._is_free(host, lane, now):
                continue
            self._lanes.move_to_end(host)
            self._running += 1
            if lane.rules is None:
                lane.asked = True
                return host
            lane.running += 1
            self._waiting -= 1
            return lane.waiting.popleft()
        return None

    def _is_free(self, host: str, lane: _Host, now: float) -> bool:
        if not host:
            return True
        if lane.rules is None and lane.asked:
            return False
        return lane.running < self._polite.per_host and lane.free_at <= now

    def _forget(self, host: str, lane: _Host, now: float) -> None:
        if len(self._lanes) > _REMEMBERED and not lane.running and lane.free_at <= now:
            del self._lanes[host]

    def wait(self, now: float) -> float | None:
        """Return the seconds until a host may be asked again, None where that depends on what is under way."""
        times = [
            lane.free_at - now
            for host, lane in self._lanes.items()
            if host
            and lane.waiting
            and lane.running < self._polite.per_host
            and not (lane.asked and lane.rules is None)
        ]
        return max(min(times), 0.0) if times else None

    def allows(self, found: Input) -> str:
        """Return why an input may not be asked for by its host's rules, "" where it may."""
        rules = self._lane(found.host).rules
        return "" if rules is None else rules.forbids(found.source, self._polite.agent)

    def ruled(self, host: str, rules: RobotsRules, now: float) -> None:
        """Note the rules of a host."""
        lane = self._lane(host)
        lane.rules = rules
        lane.free_at = max(lane.free_at, now + self._delay(lane))
        self._running -= 1

    def done(self, found: Input, now: float, *, asked: bool = True) -> None:
        """Note that an input is over; ``asked`` tells whether its host was asked for anything."""
        lane = self._lane(found.host)
        lane.running -= 1
        self._running -= 1
        if asked and found.host:
            lane.over(now, self._delay(lane))

    def busy(self, found: Input, now: float, seconds: float | None) -> None:
        """Note that a host is busy: the input waits again, and nothing is asked of the host meanwhile.

        Parameters
        ----------
        seconds : float or None
            That the host itself has named; without, it is waited twice as long each time.
        """
        lane = self._lane(found.host)
        lane.running -= 1
        self._running -= 1
        lane.busy(now, self._delay(lane), seconds, self._polite.longest_wait)
        lane.waiting.appendleft(found)
        self._waiting += 1

    def _delay(self, lane: _Host) -> float:
        return delay_of(lane.rules, self._polite)


def delay_of(rules: RobotsRules | None, polite: RateLimits) -> float:
    """Return the seconds between two pages of a host: ours, or those of its rules where they are more."""
    wanted = rules.delay(polite.agent) if rules is not None else 0.0
    return max(polite.delay, min(wanted, polite.longest_wait))
