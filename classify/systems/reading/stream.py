"""A page as the classic systems read it: one stream of tags and text, derived from the page's columns.

An element gives an opening and a closing tag, an element that cannot hold anything one tag, each where it stands. Tags
that HTML lets authors leave out (``</p>``, ``<tbody>``) are there as well: a parsed page knows no difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....lexicon.words import count_words
from ....page.arrays import BoolColumn, FloatArray, IntColumn, Marks
from ....page.html import VOID_TAGS
from ....page.page import Page
from ....page.visibility import invisible_leaves


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
    leaf[page.leaves] = np.where(invisible_leaves(page), -1, np.arange(len(page.leaves)))
    opening = np.flatnonzero(page.in_source | (leaf >= 0)).astype(np.int32)
    closing = np.flatnonzero(page.in_source & ~page.has_tag(*VOID_TAGS)).astype(np.int32)
    row = np.concatenate([opening, closing])
    place = np.concatenate([opening * 2 + 1, page.end[closing] * 2])
    # At one place the innermost element closes first.
    order = np.lexsort([np.concatenate([opening, -closing]), place])
    opens = np.concatenate([leaf[opening] < 0, np.zeros(len(closing), dtype=bool)])
    return Stream(row=row[order], leaf=leaf[row][order], opens=opens[order], leaves=len(page.leaves))


def leaf_words(page: Page) -> FloatArray:
    """float64 (leaves,): words of each text leaf; a character of a script without spaces is one."""
    return np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)
