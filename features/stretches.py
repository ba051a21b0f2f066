"""The contiguous part of a sequence with the largest sum: one search for all readers that look for a stretch."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from ..page.arrays import BoolColumn, FloatArray, prefix_sums


class Ties(StrEnum):
    """Which of several equally good stretches is taken.

    The shortest or the longest, and among equally long ones the first; or of those that end first the longest.
    """

    SHORTEST = "shortest"
    LONGEST = "longest"
    FIRST = "first"


def best_stretch(scores: FloatArray, ties: Ties) -> tuple[int, int]:
    """Find the stretch with the greatest sum, in linear time (Kadane, in Bentley 1984).

    With ``Ties.FIRST`` it is figure 1 of MSS (Pasternack and Roth, WWW 2009): a stretch goes on while its sum is not
    below zero, and only a greater sum replaces the best. Ours: where no sum is above zero there is no stretch.

    Parameters
    ----------
    scores : float64 (n,)
    ties : Ties

    Returns
    -------
    tuple of int
        First index and one past the last; ``(0, 0)`` where no stretch has a sum above zero.

    Examples
    --------
    >>> best_stretch(np.array([-1.0, 2.0, -1.0, 1.0, -1.0]), Ties.SHORTEST)
    (1, 2)
    >>> best_stretch(np.array([-1.0, 2.0, -1.0, 1.0, -1.0]), Ties.LONGEST)
    (1, 4)
    >>> best_stretch(np.array([1.0, -1.0, 2.0, -1.0, 1.0, -1.0]), Ties.FIRST)
    (0, 3)
    """
    sums = prefix_sums(scores)
    lowest = np.minimum.accumulate(sums)
    gains = sums - lowest
    ends = np.flatnonzero(gains == gains.max())
    if not gains[ends[0]] > 0:
        return 0, 0
    ends = ends[:1] if ties == Ties.FIRST else ends
    if ties == Ties.SHORTEST:
        starts = np.maximum.accumulate(np.where(sums == lowest, np.arange(len(sums)), 0))[ends]
    else:
        falls = np.concatenate([[False], lowest[1:] < lowest[:-1]])
        starts = np.maximum.accumulate(np.where(falls, np.arange(len(sums)), 0))[ends]
    lengths = (ends - starts) * (1 if ties == Ties.SHORTEST else -1)
    chosen = int(np.argmin(lengths))
    return int(starts[chosen]), int(ends[chosen])


def maximal_stretches(scores: FloatArray, ends: BoolColumn | None = None) -> list[tuple[float, int, int]]:
    """Find all maximal scoring stretches, in linear time (Ruzzo and Tompa 1999).

    They are disjoint, in the order of the sequence, and none can be made longer or shorter without losing: the best
    one, and those on its two sides.

    Parameters
    ----------
    scores : float64 (n,)
    ends : bool (n,), optional
        The members that a stretch may begin and end with; by default all.

    Returns
    -------
    list of (sum, first, one past last)

    Examples
    --------
    >>> maximal_stretches(np.array([4.0, -5.0, 3.0, -3.0, 1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 5.0]))
    [(4.0, 0, 1), (3.0, 2, 3), (7.0, 4, 11)]
    >>> maximal_stretches(np.array([4.0, -5.0, 3.0, -1.0, 6.0]), np.array([True, False, False, True, True]))
    [(4.0, 0, 1), (6.0, 4, 5)]
    """
    # One that is not above zero is an end only where others are not allowed to be.
    may_end = scores > 0 if ends is None else ends
    # Each candidate: the sum before it, the sum up to its end, its two ends, and the nearest earlier one that begins
    # lower.
    found: list[tuple[float, float, int, int, int]] = []
    total = 0.0
    for index, (score, ending) in enumerate(zip(scores.tolist(), may_end.tolist(), strict=True)):
        before, total = total, total + score
        if not ending:
            continue
        low, start = before, index
        while True:
            below = len(found) - 1
            while below >= 0 and found[below][0] >= low:
                below = found[below][4]
            if below < 0 or found[below][1] >= total:
                break
            low, _, start, _, _ = found[below]
            del found[below:]
        found.append((low, total, start, index + 1, below))
    return [(high - low, start, stop) for low, high, start, stop, _ in found if high > low]
