"""Selection of a block from the VIPS tree: by words and tags, and by the gold (an upper bound)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import GeometryMissing
from ...lexicon.words import words
from ...page.arrays import FloatArray, Marks
from ...page.page import Page
from ...segment.blocks import Blocks, subtree_sums
from ...segment.vips.vips import vips
from ..system import Card, card_of
from .linear_page import leaf_words, stream_of


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsWords:
    """The VIPS block with the most words, minus two for each tag (Pasternack and Roth 2009, section 7.6).

    Ours: a tag is counted if the element is within the block's smallest enclosing element and all its text within the
    block; of equals the outermost block is selected. ``granularity`` is the permitted degree of coherence; 8 was best
    in the paper.
    """

    granularity: int = 8
    tag_cost: float = 2.0
    card: ClassVar[Card] = card_of("vips-words")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of the best block; GeometryMissing for a page that is not rendered."""
        blocks = _tree(page, self.granularity, self.card.name)
        inside = blocks.leaf_block >= 0
        count = np.bincount(blocks.leaf_block[inside], weights=leaf_words(page)[inside], minlength=len(blocks))
        return _marked(page, blocks, subtree_sums(blocks, count - self.tag_cost * block_tags(page, blocks)))


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsOracle:
    """The block of the VIPS tree with the best word F1 against the gold text: the upper bound of any selection.

    For evaluation only, as it needs the gold; the paper's figures for VIPS are computed like this.
    """

    gold: str
    granularity: int = 8
    card: ClassVar[Card] = card_of("vips-oracle")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of the best block; GeometryMissing for a page that is not rendered."""
        blocks = _tree(page, self.granularity, self.card.name)
        gold = Counter(words(self.gold))
        bags: list[Counter[str]] = [Counter() for _ in range(len(blocks))]
        for text, block in zip(page.leaf_texts, blocks.leaf_block.tolist(), strict=True):
            if block >= 0:
                bags[block].update(words(text))
        for row in range(len(blocks) - 1, 0, -1):
            if blocks.parent[row] >= 0:
                bags[blocks.parent[row]].update(bags[row])
        f1 = [2 * (bag & gold).total() / max(bag.total() + gold.total(), 1) for bag in bags]
        return _marked(page, blocks, np.asarray(f1, dtype=np.float64))


def block_tags(page: Page, blocks: Blocks) -> FloatArray:
    """Count the opening and closing tags in each block that are in no block inside it, float64 (blocks,)."""
    stream = stream_of(page)
    tags = np.bincount(stream.row[stream.leaf < 0], minlength=len(page))
    lowest, highest = _block_span(page, blocks)
    counts = np.zeros(len(blocks))
    for row in np.flatnonzero((tags > 0) & (highest >= 0)).tolist():
        block = int(lowest[row])
        while block >= 0 and not _contains(page, blocks, block, row, int(highest[row])):
            block = int(blocks.parent[block])
        if block >= 0:
            counts[block] += tags[row]
    return counts


def _contains(page: Page, blocks: Blocks, block: int, row: int, last: int) -> bool:
    node = int(blocks.node[block])
    if not node <= row < page.end[node]:
        return False
    above = last
    while above > block:
        above = int(blocks.parent[above])
    return above == block


def _block_span(page: Page, blocks: Blocks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and last block, in preorder, of each node's text, or of its nearest ancestor with text."""
    none = len(blocks)
    lowest, highest = np.full(len(page), none, dtype=np.int64), np.full(len(page), -1, dtype=np.int64)
    lowest[page.leaves] = np.where(blocks.leaf_block >= 0, blocks.leaf_block, none)
    highest[page.leaves] = blocks.leaf_block
    parents = page.parent.tolist()
    for row in range(len(page) - 1, 0, -1):
        above = parents[row]
        lowest[above], highest[above] = min(lowest[above], lowest[row]), max(highest[above], highest[row])
    for row in range(1, len(page)):
        if highest[row] < 0:
            lowest[row], highest[row] = lowest[parents[row]], highest[parents[row]]
    return lowest, highest


def _tree(page: Page, granularity: int, system: str) -> Blocks:
    if page.geometry is None:
        raise GeometryMissing(system)
    return vips(page, pdoc=granularity)


def _marked(page: Page, blocks: Blocks, score: FloatArray) -> Marks:
    marks = np.zeros(len(page.leaves), dtype=bool)
    if len(blocks):
        marks[blocks.leaves_of(int(np.argmax(score)))] = True
    return marks
