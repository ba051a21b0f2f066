"""Maximum subsequence segmentation (Pasternack and Roth, WWW 2009): the systems without training."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ....features.stretches import Ties, best_stretch, maximal_stretches
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ...system import Card, card_of
from ..linear_page import Stream, leaf_words, stream_of

_SYMBOL = re.compile(r"[^\w\s]")
#: Elements that make a div inside an article junk (section 4.2).
_JUNK = "a iframe table img embed applet object".split()

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MssSimple:
    """The paper's second baseline: words and symbols score 1, tags -3.25, the best range is the article.

    Sections 6.2 and 7.2. The tag score was the best one on the paper's own evaluation data.
    """

    tag_score: float = -3.25
    card: ClassVar[Card] = card_of("mss-simple")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of the best range."""
        stream = stream_of(page)
        return stream.marks(*self.stretch_of(page, stream))

    def stretch_of(self, page: Page, stream: Stream) -> Stretch:
        """Return the best range of the page's stream."""
        return best_stretch(stream.scores(_token_counts(page), self.tag_score), Ties.FIRST)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongestDiv:
    """The paper's first baseline: the table cell or div with most characters (section 7.1).

    Of equals the innermost; the result is empty for a page without any. White space is not counted.
    """

    card: ClassVar[Card] = card_of("longest-div")

    def mark(self, page: Page) -> Marks:
        """Mark the largest cell or div."""
        hidden = invisible_leaves(page)
        sizes = np.asarray([len("".join(text.split())) for text in page.leaf_texts], dtype=np.float64) * ~hidden
        rows = np.flatnonzero(page.has_tag("div", "td"))
        marks = np.zeros(len(page.leaves), dtype=bool)
        if len(rows):
            size = page.sum_leaves(sizes)[rows]
            first, last = page.leaf_range[rows[np.flatnonzero(size == size.max())[-1]]]
            marks[first:last] = ~hidden[first:last]
        return marks


def best_stretches(scores: FloatArray, count: int) -> list[Stretch]:
    """Return the ``count`` best disjoint ranges of positive sum, best first.

    A single one is that of the paper's figure 1, including a prefix with sum 0; several are those of Ruzzo and Tompa,
    to whom the paper refers, without such a prefix.
    """
    if count == 1:
        return [best_stretch(scores, Ties.FIRST)]
    # The sort is stable: of equals the first one is kept.
    ranges = sorted(maximal_stretches(scores), key=lambda stretch: -stretch[0])
    return [(start, stop) for _, start, stop in ranges[:count]]


def junk(page: Page, stream: Stream, stretch: Stretch) -> Marks:
    """Mark the text that the cleaning rules remove from an article's range (section 4.2).

    This is the text in an ``<iframe>`` or ``<table>``, and in a ``<div>`` that contains a link, a frame, a table, an
    image or an embedded object. Only elements with both tags in the range are considered.
    """
    rows = stream.row[slice(*stretch)][stream.leaf[slice(*stretch)] < 0]
    whole = np.bincount(rows, minlength=len(page)) == 2
    contains = page.count_below(page.has_tag(*_JUNK)) > 0
    bad = page.has_tag("iframe", "table") | (page.has_tag("div") & contains)
    return page.below(whole & bad)[page.leaves]


def _token_counts(page: Page) -> FloatArray:
    symbols = [len(_SYMBOL.findall(text)) for text in page.leaf_texts]
    return leaf_words(page) + np.asarray(symbols, dtype=np.float64)
