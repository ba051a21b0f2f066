"""The marked content around elements without text of their own, such as pictures, and the captions of these."""

from __future__ import annotations

import re

import numpy as np

from .arrays import BoolColumn, IntColumn, Marks
from .page import Page, cached_column
from .urls import Addresses
from .visibility import invisible_leaves

#: Least marked share of the text around an element without leaves for it to be in the content.
SHARE_AROUND = 0.5
#: Class names of captions, and the most characters of one.
_CAPTION = re.compile(r"caption|(?:^|[\s_-])(?:credits?|legend)(?![a-z])", re.IGNORECASE)
_CAPTION_WORDS = ("caption", "credit", "legend")
CAPTION_CHARACTERS = 1000


class Surroundings:
    """The marked content around any element of a page; ``marks`` and ``seen`` are bool (leaves,).

    ``addresses`` resolves what elements show.
    """

    def __init__(self, page: Page, marks: Marks) -> None:
        self.page, self.marks, self.addresses = page, marks, Addresses(page)
        self.seen = ~invisible_leaves(page)
        size = page.leaf_lengths.astype(np.float64)
        self.caption: BoolColumn = _captions(page)
        counted = self.seen & ~self.caption[page.leaves]
        size *= counted
        self._all, self._marked = page.sum_leaves(size), page.sum_leaves(size * marks)
        self._filled = page.nearest(self._all > 0)
        self._counted = counted.nonzero()[0]
        self._has_captions = bool(self.caption.any())

    def holds(self, row: int) -> bool:
        """Return whether an element is in the content (:meth:`holding`)."""
        return bool(self.holding([row])[0])

    def holding(self, rows: list[int]) -> BoolColumn:
        """Return which elements are in the content: the text before and after one is marked, or most around it."""
        above = self._filled[rows]
        first, last = np.searchsorted(self._counted, self.page.leaf_range[rows]).T
        # None of the text is before the first or after the last of it.
        marked = np.append(self.marks[self._counted], False)
        between = marked[first - 1] & marked[last]
        around = self._marked[above] >= SHARE_AROUND * self._all[above]
        # Without an element around, captions are all there is.
        held: BoolColumn = np.where(above < 0, self.marks.any(), between | around)
        return held

    def captions_of(self, row: int) -> IntColumn:
        """Return the leaves of captions around an element that has no other text next to it."""
        while self._has_captions and self.page.parent[row] >= 0 and self._all[self.page.parent[row]] == 0:
            row = int(self.page.parent[row])
            first, last = self.page.leaf_range[row]
            if last > first:
                leaves = np.arange(first, last, dtype=np.int32)
                found: IntColumn = leaves[self.seen[leaves] & self.caption[self.page.leaves[leaves]]]
                return found
        return np.zeros(0, dtype=np.int32)


@cached_column
def _captions(page: Page) -> BoolColumn:
    """Mark captions, by tag or class, labels in the drawing of a figure, and what is in them."""
    named = page.attribute_matches("class", lambda name: _CAPTION.search(name) is not None, needs=_CAPTION_WORDS)
    size = page.sum_leaves(page.leaf_lengths.astype(np.float64))
    drawing = page.has_tag("svg") & page.below(page.has_tag("figure"))
    return page.below((page.has_tag("figcaption") | named | drawing) & (size <= CAPTION_CHARACTERS))
