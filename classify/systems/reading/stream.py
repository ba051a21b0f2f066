"""The input of the classic systems: one stream of tags and text, derived from the page's columns.

An element has an opening and a closing tag, a void element one tag, in document order. Tags that are optional in HTML
(``</p>``, ``<tbody>``) are always included: a parsed page does not distinguish them.
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
    """Tags and text leaves in document order."""

    row: IntColumn  # int32 (events,): the page's node of each event
    leaf: IntColumn  # int32 (events,): index of the text leaf, -1 for a tag
    opens: BoolColumn  # bool (events,): whether the event is an opening tag (also of a void element)
    leaves: int  # number of the page's text leaves

    def __len__(self) -> int:
        return len(self.row)

    def marks(self, start: int, stop: int) -> Marks:
        """Mark the leaves among the events ``[start, stop)``."""
        marks = np.zeros(self.leaves, dtype=bool)
        inside = self.leaf[start:stop]
        marks[inside[inside >= 0]] = True
        return marks

    def scores(self, leaf_values: FloatArray, tag_value: float) -> FloatArray:
        """Return a value for each event: that of its leaf, or the same one for all tags."""
        return np.append(leaf_values, tag_value)[self.leaf]


def stream_of(page: Page) -> Stream:
    """Return a page as a stream, starting after its head.

    Scripts, styles and form values are removed with their tags, hidden text without its tags.
    """
    leaf = np.full(len(page), -1, dtype=np.int32)
    leaf[page.leaves] = np.where(invisible_leaves(page), -1, np.arange(len(page.leaves)))
    opening = np.flatnonzero(page.in_source | (leaf >= 0)).astype(np.int32)
    closing = np.flatnonzero(page.in_source & ~page.has_tag(*VOID_TAGS)).astype(np.int32)
    row = np.concatenate([opening, closing])
    position = np.concatenate([opening * 2 + 1, page.end[closing] * 2])
    # At equal positions the innermost element closes first.
    order = np.lexsort([np.concatenate([opening, -closing]), position])
    opens = np.concatenate([leaf[opening] < 0, np.zeros(len(closing), dtype=bool)])
    return Stream(row=row[order], leaf=leaf[row][order], opens=opens[order], leaves=len(page.leaves))


def leaf_words(page: Page) -> FloatArray:
    """Count the words of each leaf, float64 (leaves,); each character of a script without spaces is one."""
    return np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)
