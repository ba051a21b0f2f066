"""The load of the machine by other programs, by which limits of time are extended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

#: A limit is extended to at most so many times its seconds.
MOST_STRETCH = 2.0
#: Processors that a page uses: with as many unused ones it is not slowed down.
_NEEDED = 2.0
#: Seconds between two measurements, and how many of them count.
INTERVAL, _MEASUREMENTS = 0.5, 8


class Contention:
    """Measures the processor time of other programs.

    ``own`` returns the seconds of processor time that our own processes have used: what a page does to itself does not
    count. ``total`` returns the seconds that all programs have used, and ``clock`` the time.
    """

    def __init__(
        self,
        own: Callable[[], float],
        total: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        processors: int | None = None,
    ) -> None:
        # Only a browser needs the library: the base package reads raw HTML without it.
        import psutil

        self._own, self._total, self._clock = own, total or _busy_seconds, clock
        self._processors = processors or psutil.cpu_count() or 1
        #: Time, seconds of all programs, and seconds of ours.
        self._samples: deque[tuple[float, float, float]] = deque(maxlen=_MEASUREMENTS)

    def measure(self) -> None:
        """Take a sample, unless the last one is recent."""
        now = self._clock()
        if not self._samples or now - self._samples[-1][0] >= INTERVAL:
            self._samples.append((now, self._total(), self._own()))

    @property
    def stretch(self) -> float:
        """Factor of limits of time: 1 if there are processors to spare, :data:`MOST_STRETCH` if others use all."""
        self.measure()
        samples = list(self._samples)
        seconds = samples[-1][0] - samples[0][0]
        if not seconds > 0:
            return 1.0
        # Processes of ours that have ended are missing: the time of ours never decreases.
        others = sum(
            max(after[1] - before[1] - max(after[2] - before[2], 0.0), 0.0) for before, after in pairwise(samples)
        )
        unused = self._processors - others / seconds
        lacking = min(max(1.0 - unused / min(_NEEDED, self._processors), 0.0), 1.0)
        return 1.0 + lacking * (MOST_STRETCH - 1.0)


def _busy_seconds() -> float:
    """Return the processor time of all programs; on Linux without those of low priority, unless we are one of them."""
    import psutil

    times = psutil.cpu_times()
    busy = times.user + times.system + getattr(times, "irq", 0.0) + getattr(times, "softirq", 0.0)
    busy += getattr(times, "steal", 0.0)
    with suppress(psutil.Error, AttributeError, TypeError):
        busy += times.nice if psutil.Process().nice() > 0 else 0.0
    return float(busy)
