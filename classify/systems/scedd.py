"""SCEDD: short content extraction via the depth of the DOM tree (Xi, Guo et al., 2016), by tags and by coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...errors import GeometryMissing
from ...lexicon.words import count_unspaced, words
from ...page.arrays import BoolColumn, FloatArray, Marks, mask_of
from ...page.metadata.title import title_of
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.lines import depths
from ..system import Card, card_of
from .cetd import Cetd, dense_nodes, densities
from .linear_page import HEADINGS, characters, elements, lines_of_text

_FORM_PARTS = ("button", "label", "legend")


def rough_bytes(page: Page) -> int:
    """Return the bytes of the text of the densest element: a rough extraction (section 2.2).

    Ours: the densest element is that with the largest density sum of CETD. The paper uses the densest tag, that with
    the most characters for each element below it: a single paragraph on most long pages, so that 51 of 60 Chinese news
    pages would be short. Bytes are those of the Chinese encodings, two for each Han character.
    """
    densest = int(np.argmax(densities(page, characters(page)).density_sum))
    first, last = page.leaf_range[densest]
    hidden = invisible_leaves(page)[first:last]
    texts = zip(page.leaf_texts[first:last], hidden, strict=True)
    return sum(len(" ".join(text.split())) + count_unspaced(text) for text, is_hidden in texts if not is_hidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scedd:
    """Short pages by their densest node at a credible height, others by density (CETD).

    Text before the title, the title itself and a heading directly after it are removed, as are parts of forms (step 2:
    "input, noembed, noscript and so on"; text of these three is never text of the page). A node's line is the number of
    block-level tags before it. The densest node is the content's centre; if it is in the
    first 5 % or the last 5 % of the lines, the search is repeated after or before it, at most five times. The least
    density among its ancestors, up to ``html``, is the threshold above which nodes are content.

    Ours: the other parts of forms are buttons, labels and legends inside of one; density is characters by elements
    below (at least 1), characters in links weighing a tenth; the title is found by
    :func:`~blocksight.page.metadata.title.title_of`; the marking is that of CETD, with the density where CETD
    has the density sum.
    """

    #: Fewer bytes of the densest element are a short page: if that is the content, it is short; if not, the content is
    #: even shorter. A density method failed on half of the pages below it (section 4.2).
    short_bytes: int = 450
    #: top_coefficient, bottom_coefficient: Shares of the page's lines (section 4.3.1).
    top_coefficient: float = 0.05
    bottom_coefficient: float = 0.95
    #: Section 3.2, step 6.
    searches: int = 5
    link_weight: float = 0.1  # weight of a character in a link
    otherwise: Cetd = field(default_factory=Cetd)  # used for pages that are not short
    card: ClassVar[Card] = card_of("scedd")

    def mark(self, page: Page) -> Marks:
        """Mark the content."""
        return self.mark_short(page) if rough_bytes(page) < self.short_bytes else self.otherwise.mark(page)

    def mark_short(self, page: Page) -> Marks:
        """Mark the content as if the page were short."""
        form_parts = page.below(page.has_tag(*_FORM_PARTS)) & page.below(page.has_tag("form"))
        kept = ~invisible_leaves(page) & ~form_parts[page.leaves]
        kept &= np.arange(len(kept)) >= _after_title(page)
        kept = self._credible(page, kept)
        density = self._density(page, kept)
        chosen = mask_of(len(page), dense_nodes(page, density, density, last=0))
        return page.below(chosen)[page.leaves] & kept

    def _credible(self, page: Page, kept: BoolColumn) -> BoolColumn:
        """Remove the text up to, or from, a densest node too near to the page's top or bottom (step 6)."""
        height = self._heights(page)
        for _ in range(self.searches):
            densest = int(np.argmax(self._density(page, kept)))
            if height[densest] < self.top_coefficient:
                narrower = kept & (page.leaves >= page.end[densest])
            elif height[densest] > self.bottom_coefficient:
                narrower = kept & (page.leaves < densest)
            else:
                break
            if not narrower.any():
                break
            kept = narrower
        return kept

    def _density(self, page: Page, kept: BoolColumn) -> FloatArray:
        linked = page.below(page.has_tag("a"))[page.leaves]
        return _density(page, characters(page) * np.where(linked, self.link_weight, 1.0) * kept)

    def _heights(self, page: Page) -> FloatArray:
        before: FloatArray = np.cumsum(page.block_level, dtype=np.float64) - page.block_level
        return before / max(int(page.block_level.sum()), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SceddVisual(Scedd):
    """SCEDD with visual lines, otherwise as :class:`Scedd`.

    A node's line is the top of its first visible text in median line heights, the page's lines are its height in such:
    only their ratio counts, from which the line height cancels out.
    """

    card: ClassVar[Card] = card_of("scedd-visual")

    def mark(self, page: Page) -> Marks:
        """Mark the content; GeometryMissing for a page that is not rendered."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        # super() does not work: a dataclass with slots is a new class.
        return Scedd.mark(self, page)

    def _heights(self, page: Page) -> FloatArray:
        depth = depths(page)
        # The height of each leaf, or of the next visible one; after the last one it is the page's.
        visible = np.flatnonzero(~np.isnan(depth))
        height = np.append(depth[visible], 1.0)
        first = np.searchsorted(visible, page.leaf_range[:, 0])
        return height[first]


def _density(page: Page, sizes: FloatArray) -> FloatArray:
    element = elements(page)
    return np.where(element, page.sum_leaves(sizes) / np.maximum(page.count_below(element), 1.0), 0.0)


def _after_title(page: Page) -> int:
    """Return the first leaf after the title and a heading directly after it; 0 without a title or text after it."""
    title = words(title_of(page))
    lines = lines_of_text(page)
    titles = [index for index, text in enumerate(lines.texts) if title and words(text) == title]
    if not titles:
        return 0
    heading = page.nearest(page.has_tag(*HEADINGS))[lines.node] >= 0
    last = next((index for index in titles if heading[index]), titles[0])
    if last + 1 < len(lines) and heading[last + 1]:
        last += 1
    following = np.flatnonzero(lines.leaf_line > last)
    return int(following[0]) if len(following) else 0
