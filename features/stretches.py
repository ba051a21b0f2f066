"""Contiguous parts of a sequence with the largest sums."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from ..page.arrays import BoolColumn, FloatArray, prefix_sums


class Ties(StrEnum):
    """Choice among several equally good stretches: the shortest or the longest, or of those that end first the longest.

    Among equally long ones, the first is chosen.
    """

    SHORTEST = "shortest"
    LONGEST = "longest"
    FIRST = "first"


def best_stretch(scores: FloatArray, ties: Ties) -> tuple[int, int]:
    """Return the stretch with the greatest sum, in linear time (Kadane, in Bentley 1984).

    With ``Ties.FIRST`` it is figure 1 of MSS (Pasternack and Roth, WWW 2009): a stretch continues while its sum is not
    below zero, and only a greater sum replaces the best. Returns the first index and one past the last; ``(0, 0)`` if
    no stretch has a sum above zero (ours).

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
    end = int(gains.argmax())
    if not gains[end] > 0:
        return 0, 0
    if ties == Ties.FIRST:
        return int((lowest == lowest[end]).argmax()), end
    ends = (gains == gains[end]).nonzero()[0]
    if ties == Ties.SHORTEST:
        starts = np.maximum.accumulate(np.where(sums == lowest, np.arange(len(sums)), 0))[ends]
    else:
        falls = np.concatenate([[False], lowest[1:] < lowest[:-1]])
        starts = np.maximum.accumulate(np.where(falls, np.arange(len(sums)), 0))[ends]
    lengths = (ends - starts) * (1 if ties == Ties.SHORTEST else -1)
    chosen = int(np.argmin(lengths))
    return int(starts[chosen]), int(ends[chosen])


def maximal_stretches(scores: FloatArray, ends: BoolColumn | None = None) -> list[tuple[float, int, int]]:
    """Return all maximal scoring stretches, in linear time (Ruzzo and Tompa 1999), as (sum, first, one past last).

    They are disjoint, in the order of the sequence, and none can be extended or shortened without a loss. ``ends``
    marks the members that a stretch may start and end with; by default all.

    >>> maximal_stretches(np.array([4.0, -5.0, 3.0, -3.0, 1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 5.0]))
    [(4.0, 0, 1), (3.0, 2, 3), (7.0, 4, 11)]
    >>> maximal_stretches(np.array([4.0, -5.0, 3.0, -1.0, 6.0]), np.array([True, False, False, True, True]))
    [(4.0, 0, 1), (6.0, 4, 5)]
    """
    # A score that is not above zero is an end only if ``ends`` requires it.
    may_end = scores > 0 if ends is None else ends
    # Each candidate: the sum before it, the sum up to its end, its two ends, and the nearest earlier candidate with a
    # smaller sum before it.
    candidates: list[tuple[float, float, int, int, int]] = []
    total = 0.0
    for index, (score, ending) in enumerate(zip(scores.tolist(), may_end.tolist(), strict=True)):
        before, total = total, total + score
        if not ending:
            continue
        low, start = before, index
        while True:
            below = len(candidates) - 1
            while below >= 0 and candidates[below][0] >= low:
                below = candidates[below][4]
            if below < 0 or candidates[below][1] >= total:
                break
            low, _, start, _, _ = candidates[below]
            del candidates[below:]
        candidates.append((low, total, start, index + 1, below))
    return [(high - low, start, stop) for low, high, start, stop, _ in candidates if high > low]
