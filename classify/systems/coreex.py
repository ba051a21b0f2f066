"""CoreEx (Prasad and Paepcke, CIKM 2008), and two variants that the authors of SCEDD used for comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...lexicon.words import count_sentences
from ...page.arrays import BoolColumn, FloatArray, IntColumn, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ..system import Card, card_of
from .cetd import dense_nodes, densities
from .linear_page import characters, elements, leaf_words, leaves_under


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreEx:
    """The node whose children have much text and few links.

    For every node, the children with more than 0.9 of their text outside of links form a set; the node's score
    is ``0.99 (set text - set links) / set text + 0.01 set text / page text``. The set of the best node is the content;
    of equals the first. Text is counted in words, and a link counts as one word and one link, regardless of its length.
    """

    least_free: float = 0.9  # share of its text outside of links that a child of the set must exceed
    #: free_weight, text_weight: Weights of the share of the set's text outside of links, and of the set's share of the
    #: page's text.
    free_weight: float = 0.99
    text_weight: float = 0.01
    card: ClassVar[Card] = card_of("coreex")

    def mark(self, page: Page) -> Marks:
        """Mark the best node's set of children."""
        rows = core(page, self.least_free, self.free_weight, self.text_weight)
        return leaves_under(page, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constor:
    """In the spirit of Constor, the unpublished variant of CoreEx by the authors of SCEDD.

    Their changes are unknown. Here, the best node of CoreEx keeps all children that are not mostly links, so that a
    paragraph full of links stays in its article, and the amount of text has a larger weight.
    """

    #: least_free, free_weight, text_weight: As in :class:`CoreEx`.
    least_free: float = 0.9
    free_weight: float = 0.8
    text_weight: float = 0.2
    kept_free: float = 0.5  # share of its text outside of links that a child of the best node must exceed to be kept
    card: ClassVar[Card] = card_of("constor")

    def mark(self, page: Page) -> Marks:
        """Mark the children of the best node that are not mostly links."""
        rows = core(page, self.least_free, self.free_weight, self.text_weight)
        if not len(rows):
            return leaves_under(page, rows)
        siblings = np.flatnonzero((page.parent == page.parent[rows[0]]) & _free(*_amounts(page), self.kept_free))
        return leaves_under(page, siblings.astype(np.int32))


@dataclass(frozen=True, slots=True, kw_only=True)
class Constor2:
    """In the spirit of Constor V2.0, the unpublished variant of CETD by the authors of SCEDD.

    Their changes are unknown. Here, the densities of CETD are multiplied by ``1 + ln(1 + sentences)`` with the
    sentences that end below the node: lists of labels are dense, but contain no sentences.
    """

    card: ClassVar[Card] = card_of("constor2")

    def mark(self, page: Page) -> Marks:
        """Mark the content of the dense nodes."""
        sizes = characters(page)
        ends = np.asarray([count_sentences(text) for text in page.leaf_texts], dtype=np.float64) * (sizes > 0)
        weight = 1.0 + np.log1p(page.sum_leaves(ends))
        result = densities(page, sizes)
        inner = elements(page) & (page.parent >= 0)
        added = np.zeros(len(page))
        np.add.at(added, page.parent[inner], (result.density * (weight - 1.0))[inner])
        return leaves_under(page, dense_nodes(page, result.density * weight, result.density_sum + added))


def core(page: Page, least_free: float, free_weight: float, text_weight: float) -> IntColumn:
    """Return the rows of the best node's set of children; none for a page without text outside links."""
    text, links = _amounts(page)
    members = np.flatnonzero(_free(text, links, least_free) & (page.parent >= 0) & ~page.below(page.has_tag("a")))
    above = page.parent[members]
    set_text = np.bincount(above, weights=text[members], minlength=len(page))
    set_links = np.bincount(above, weights=links[members], minlength=len(page))
    divisor = np.maximum(set_text, 1.0)
    score = free_weight * (set_text - set_links) / divisor + text_weight * set_text / max(text.max(initial=0.0), 1.0)
    score[set_text == 0] = -1.0
    best = int(np.argmax(score))
    return np.compress(above == best, members).astype(np.int32)


def _amounts(page: Page) -> tuple[FloatArray, FloatArray]:
    """Return the text of each node in words (a link is one), and its links, both float64 (nodes,)."""
    link = page.has_tag("a")
    unlinked = ~page.below(link)[page.leaves] & ~invisible_leaves(page)
    links = page.count_within(link)
    return page.sum_leaves(leaf_words(page) * unlinked) + links, links


def _free(text: FloatArray, links: FloatArray, least: float) -> BoolColumn:
    return (text > 0) & (text - links > least * text)
