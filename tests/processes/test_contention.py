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


def test_an_idle_machine():
    assert Machine().measured((1.0, 0.1, 0.1)) == 1.0


def test_a_page_that_uses_everything_itself():
    assert Machine().measured((1.0, 2.0, 2.0)) == 1.0


def test_others_use_everything():
    assert Machine().measured((1.0, 2.0, 0.0)) == MOST_STRETCH


@pytest.mark.parametrize(("others", "stretch"), [(0.5, 1.25), (1.0, 1.5), (1.5, 1.75)])
def test_others_use_a_part_of_two_processors(others, stretch):
    assert Machine().measured((1.0, others + 0.2, 0.2)) == pytest.approx(stretch)


@pytest.mark.parametrize(("others", "stretch"), [(6.0, 1.0), (7.0, 1.5), (8.0, 2.0)])
def test_on_eight_processors_two_unused_ones_are_enough(others, stretch):
    assert Machine().measured((1.0, others, 0.0), processors=8) == pytest.approx(stretch)


def test_on_one_processor_that_is_unused_nothing_is_lacking():
    assert Machine().measured((1.0, 0.2, 0.2), processors=1) == 1.0


def test_a_process_of_ours_that_ended_is_no_time_of_others():
    # Ours fall by 3 as a process ends; others used 0.5 of 2 seconds: 0.25 of 2 processors.
    assert Machine().measured((1.0, 0.5, -3.0), (1.0, 0.0, 0.0)) == pytest.approx(1.125)


def test_what_was_long_ago_does_not_count():
    assert Machine().measured(*[(1.0, 2.0, 0.0)] * 3, *[(1.0, 0.0, 0.0)] * 8) == 1.0


def test_samples_are_not_closer_than_half_a_second():
    assert Machine().measured((0.1, 0.2, 0.0)) == 1.0
