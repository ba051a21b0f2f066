"""SCEDD: short content extraction via the depth of the DOM tree (Xi, Guo et al., 2016), by tags and by sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import numpy as np

from ...document.metadata.title import title_of
from ...errors import GeometryMissing
from ...lexicon.words import count_unspaced, words
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.lines import number_lines
from ..system import Card
from .cetd import Cetd, dense_nodes, densities
from .reading.counts import characters, elements, lines_of_text

_PAPER = "Xi, Guo et al.: A Content Extraction Method for Short Web Pages (J. Chinese Information Processing 30)"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_FORM_PARTS = ("button", "label", "legend")


class TextVolume(StrEnum):
    """How much text a page has to give."""

    SHORT = "short"
    LONG = "long"


def text_volume(page: Page, *, short_bytes: int = 450, by_sum: bool = True) -> TextVolume:
    """Tell short-content pages from others (section 2.2): by the text of the densest element.

    If that is the content, the content is short; if it is not, the content is shorter still.

    Parameters
    ----------
    page : Page
        Its geometry is not looked at.
    short_bytes : int
        Section 4.2: half of the pages below it went wrong with a density method.
    by_sum : bool
        See :func:`rough_bytes`.
    """
    return TextVolume.SHORT if rough_bytes(page, by_sum=by_sum) < short_bytes else TextVolume.LONG


def rough_bytes(page: Page, *, by_sum: bool = True) -> int:
    """Return the bytes of the text of the densest element: a rough extraction (section 2.2).

    Ours: the densest element is that of the largest density sum of CETD. The paper says densest tag; by plain density
    that is a single paragraph on most long pages, and 51 of 60 Chinese news pages would be short. Bytes
    are those of the Chinese encodings, two a Han character.

    Parameters
    ----------
    page : Page
    by_sum : bool
        False for the densest tag, as in the paper: of most characters by elements below it.
    """
    sizes = characters(page)
    densest = int(np.argmax(densities(page, sizes).density_sum if by_sum else _density(page, sizes)))
    first, last = page.leaf_range[densest]
    hidden = invisible_leaves(page)[first:last]
    texts = [text for text, unseen in zip(page.leaf_texts[first:last], hidden, strict=True) if not unseen]
    return sum(map(_size_in_bytes, texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scedd:
    """Short pages by their densest node at a credible height, others by density (CETD).

    What stands before the title, the title itself and a heading right behind it are left out, as are parts of forms. A
    node's line is the number of block-level tags before it. The densest node is the content's centre; if it stands in
    the first 5 % or the last 5 % of the lines, the search goes on behind or before it, five times at most. The least
    density among its ancestors, up to ``html``, is the threshold above which nodes are content.

    Ours: density is characters by elements below (at least 1), characters in links weighing a tenth; the title is found
    by :func:`~blocksight.document.metadata.title.title_of`; the marking is that of CETD, with the density where CETD
    has the density sum.

    Parameters
    ----------
    short_bytes : int
        See :func:`text_volume`.
    top_coefficient, bottom_coefficient : float
        Shares of the page's lines (section 4.3.1).
    searches : int
        Section 3.2, step 6.
    link_weight : float
        Weight of a character in a link.
    otherwise : Cetd
        Takes the pages that are not short.
    """

    short_bytes: int = 450
    top_coefficient: float = 0.05
    bottom_coefficient: float = 0.95
    searches: int = 5
    link_weight: float = 0.1
    otherwise: Cetd = field(default_factory=Cetd)
    card: ClassVar[Card] = Card(
        name="scedd",
        title="short pages by their densest node at a credible height, others by CETD",
        paper=_PAPER,
        year=2016,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark the content."""
        if text_volume(page, short_bytes=self.short_bytes) is TextVolume.LONG:
            return self.otherwise.mark(page)
        return self.mark_short(page)

    def mark_short(self, page: Page) -> Marks:
        """Mark the content as if the page were short."""
        kept = ~invisible_leaves(page) & ~page.below(page.has_tag(*_FORM_PARTS))[page.leaves]
        kept &= np.arange(len(kept)) >= _after_title(page)
        kept = self._credible(page, kept)
        density = self._density(page, kept)
        chosen = np.zeros(len(page), dtype=bool)
        chosen[dense_nodes(page, density, density, last=0)] = True
        marks: Marks = page.below(chosen)[page.leaves] & kept
        return marks

    def _credible(self, page: Page, kept: BoolColumn) -> BoolColumn:
        """Leave out what stands up to, or from, a densest node too near to the page's top or bottom (step 6)."""
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
        """float64 (nodes,): line of each node as a share of the page's lines."""
        before: FloatArray = np.cumsum(page.block_level, dtype=np.float64) - page.block_level
        return before / max(int(page.block_level.sum()), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SceddVisual(Scedd):
    """SCEDD with the lines that a person sees.

    A node's line is the top of its first seen text in median line heights, the page's lines are its height in such.
    The rest is :class:`Scedd`, with its parameters.
    """

    card: ClassVar[Card] = Card(
        name="scedd-visual",
        title="scedd with lines from coordinates instead of counted tags",
        paper=_PAPER,
        year=2016,
        visual=True,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark the content.

        Raises
        ------
        GeometryMissing
            When no browser has seen the page.
        """
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        # Called by name: slots make a new class, of which super() knows nothing.
        return Scedd.mark(self, page)

    def _heights(self, page: Page) -> FloatArray:
        numbers = number_lines(page)
        # The height of each leaf, or of the next one that is seen; beyond the last one it is the page's.
        seen = np.flatnonzero(~np.isnan(numbers.line))
        height = np.append(numbers.line[seen] / numbers.line_sum, 1.0)
        first = np.searchsorted(seen, page.leaf_range[:, 0])
        heights: FloatArray = height[first]
        return heights


def _density(page: Page, sizes: FloatArray) -> FloatArray:
    """float64 (nodes,): characters by elements below, 0 for texts."""
    element = elements(page)
    return np.where(element, page.sum_leaves(sizes) / np.maximum(page.count_below(element), 1.0), 0.0)


def _size_in_bytes(text: str) -> int:
    return len(" ".join(text.split())) + count_unspaced(text)


def _after_title(page: Page) -> int:
    """Index of the first leaf behind the title and a heading that follows it.

    0 where no line is the title, or nothing stands behind it.
    """
    wanted = words(title_of(page))
    lines = lines_of_text(page)
    found = [index for index, text in enumerate(lines.texts) if wanted and words(text) == wanted]
    if not found:
        return 0
    heading = page.nearest(page.has_tag(*_HEADINGS))[lines.node] >= 0
    last = next((index for index in found if heading[index]), found[0])
    if last + 1 < len(lines) and heading[last + 1]:
        last += 1
    behind = np.flatnonzero(lines.leaf_line > last)
    return int(behind[0]) if len(behind) else 0
