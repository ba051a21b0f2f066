"""The contiguous part of a sequence with the largest sum: one search for all readers that look for a stretch."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from ..render.arrays import FloatArray, prefix_sums


class Ties(StrEnum):
    """Which of several equally good stretches is taken.

    The shortest or the longest, and among equally long ones the first; or of those that end first the longest.
    """

    SHORTEST = "shortest"
    LONGEST = "longest"
    FIRST = "first"


def best_stretch(scores: FloatArray, ties: Ties) -> tuple[int, int]:
    """Find the stretch with the greatest sum, in linear time (Kadane, in Bentley 1984; MSS figure 1).

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


def maximal_stretches(scores: FloatArray) -> list[tuple[float, int, int]]:
    """Find all maximal scoring stretches, in linear time (Ruzzo and Tompa 1999).

    They are disjoint, in the order of the sequence, and none can be made longer or shorter without losing.

    Returns
    -------
    list of (sum, first, one past last)

    Examples
    --------
    >>> maximal_stretches(np.array([4.0, -5.0, 3.0, -3.0, 1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 5.0]))
    [(4.0, 0, 1), (3.0, 2, 3), (7.0, 4, 11)]
    """
    # Each candidate: the sum before it, the sum up to its end, its two ends, and the nearest earlier one that begins
    # lower.
    found: list[tuple[float, float, int, int, int]] = []
    total = 0.0
    for index, score in enumerate(scores.tolist()):
        before, total = total, total + score
        if score <= 0:
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
    return [(high - low, start, stop) for low, high, start, stop, _ in found]
