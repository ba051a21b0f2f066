"""A page as the classic systems read it: one stream of tags and text, derived from the page's columns.

An element gives an opening and a closing tag, an element that cannot hold anything one tag, each where it stands. Tags
that HTML lets authors leave out (``</p>``, ``<tbody>``) are there as well: a parsed page knows no difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ....features.words import count_words
from ....render.arrays import BoolColumn, FloatArray, IntColumn, Marks, prefix_sums
from ....render.page import VOID_TAGS, Page
from ....render.visibility import concealed


class Ties(StrEnum):
    """Which of several equally good stretches is taken; among equally long ones it is the first."""

    SHORTEST = "shortest"
    LONGEST = "longest"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """Tags and text leaves in the order of the source.

    Attributes
    ----------
    row : int32 (events,)
        The page's node that each event belongs to.
    leaf : int32 (events,)
        Index of the text leaf, -1 for a tag.
    opens : bool (events,)
        Whether the event is an opening tag (also that of an element without a closing one).
    leaves : int
        How many text leaves the page has.
    """

    row: IntColumn
    leaf: IntColumn
    opens: BoolColumn
    leaves: int

    def __len__(self) -> int:
        return len(self.row)

    def marks(self, start: int, stop: int) -> Marks:
        """Mark the leaves among the events ``[start, stop)``."""
        marks = np.zeros(self.leaves, dtype=bool)
        inside = self.leaf[start:stop]
        marks[inside[inside >= 0]] = True
        return marks

    def scores(self, leaf_values: FloatArray, tag_value: float) -> FloatArray:
        """Return each leaf's event its value and each tag's the same one."""
        scores: FloatArray = np.append(leaf_values, tag_value)[self.leaf]
        return scores


def stream_of(page: Page) -> Stream:
    """Read a page as a stream, from the end of its head on.

    What is no page text (scripts, styles, forms' values) is left out with its tags, and hidden text without.
    """
    leaf = np.full(len(page), -1, dtype=np.int32)
    leaf[page.leaves] = np.where(concealed(page), -1, np.arange(len(page.leaves)))
    opening = np.flatnonzero(page.written | (leaf >= 0)).astype(np.int32)
    closing = np.flatnonzero(page.written & ~page.has_tag(*VOID_TAGS)).astype(np.int32)
    row = np.concatenate([opening, closing])
    place = np.concatenate([opening * 2 + 1, page.end[closing] * 2])
    # At one place the innermost element closes first.
    order = np.lexsort([np.concatenate([opening, -closing]), place])
    opens = np.concatenate([leaf[opening] < 0, np.zeros(len(closing), dtype=bool)])
    return Stream(row=row[order], leaf=leaf[row][order], opens=opens[order], leaves=len(page.leaves))


def leaf_words(page: Page) -> FloatArray:
    """float64 (leaves,): words of each text leaf; a character of a script without spaces is one."""
    return np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)


def best_stretch(scores: FloatArray, ties: Ties = Ties.SHORTEST) -> tuple[int, int]:
    """Find the stretch with the greatest sum, in linear time (Bentley 1984; MSS figure 1).

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
    >>> best_stretch(np.array([-1.0, 2.0, -1.0, 1.0, -1.0]))
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
