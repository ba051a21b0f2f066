"""Limits of time are extended by what other programs use of the processors."""

import pytest
from blocksight.processes.contention import MOST_STRETCH, Contention


class Machine:
    """A machine whose clock and counters the test sets."""

    def __init__(self):
        self.now = self.total = self.own = 0.0

    def measured(self, *seconds, processors=2):
        """Return the stretch after steps of (seconds, seconds of all programs, seconds of ours)."""
        contention = Contention(lambda: self.own, lambda: self.total, lambda: self.now, processors)
        contention.measure()
        for passed, total, own in seconds:
            self.now, self.total, self.own = self.now + passed, self.total + total, self.own + own
            contention.measure()
        return contention.stretch


@pytest.mark.parametrize(
    ("steps", "processors", "stretch"),
    [
        ([(1.0, 0.1, 0.1)], 2, 1.0),  # idle
        ([(1.0, 2.0, 2.0)], 2, 1.0),  # a page that uses everything itself
        ([(1.0, 2.0, 0.0)], 2, MOST_STRETCH),  # others use everything
        *(([(1.0, others + 0.2, 0.2)], 2, 1.0 + others / 2) for others in (0.5, 1.0, 1.5)),
        *(([(1.0, others, 0.0)], 8, others / 2 - 2.0) for others in (6.0, 7.0, 8.0)),  # two unused ones are enough
        ([(1.0, 0.2, 0.2)], 1, 1.0),
        # Ours fall by 3 as a process ends; others used 0.5 of 2 seconds: 0.25 of 2 processors.
        ([(1.0, 0.5, -3.0), (1.0, 0.0, 0.0)], 2, 1.125),
        ([(1.0, 2.0, 0.0)] * 3 + [(1.0, 0.0, 0.0)] * 8, 2, 1.0),  # what was long ago does not count
        ([(0.1, 0.2, 0.0)], 2, 1.0),  # samples are not closer than half a second
    ],
)
def test_stretch(steps, processors, stretch):
    assert Machine().measured(*steps, processors=processors) == pytest.approx(stretch)
