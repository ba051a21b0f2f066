"""The rows of the block table: a page's blocks in reading order, and what all features start from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..lexicon.words import words
from ..page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, prefix_sums
from ..page.page import Page
from ..segment.blocks import Blocks, leaf_boxes
from ..segment.outlines import Outlines, outline_measures
from .strings.characters import CharacterCounts

#: Levels of ancestors that features look at: the block's own node, its parent, and so on.
LEVELS = 6
#: A block with more words than this is a long one: a paragraph rather than a label.
LONG_WORDS = 20.0
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """A page's blocks with text in them, in reading order.

    What follows from them is worked out when it is first asked for, and kept.

    Attributes
    ----------
    page : Page
    block : int32 (rows,)
        The block of each row.
    node : int32 (rows,)
        Its node in the page.
    leaf_row : int32 (leaves,)
        The row of each text leaf, -1 for leaves outside all blocks.
    """

    page: Page
    block: IntColumn
    node: IntColumn
    leaf_row: IntColumn

    def __len__(self) -> int:
        return len(self.block)

    # -- text -----------------------------------------------------------------------------------------------------

    @cached_property
    def leaf_words(self) -> FloatArray:
        """Words a leaf; characters of scripts without spaces count half, as their words have two on average."""
        signs = CharacterCounts(self.page.leaf_texts)
        return signs.words - signs.unspaced / 2

    @cached_property
    def leaf_linked(self) -> BoolColumn:
        """Whether a leaf stands in a link."""
        return self.page.below(self.page.has_tag("a"))[self.page.leaves]

    @cached_property
    def words(self) -> FloatArray:
        """Words a row."""
        return self.summed(self.leaf_words)

    @cached_property
    def link_words(self) -> FloatArray:
        """Words in links a row."""
        return self.summed(self.leaf_words * self.leaf_linked)

    @cached_property
    def link_density(self) -> FloatArray:
        """Share of a row's words that stand in links, 0 to 1."""
        return self.link_words / np.maximum(self.words, 1e-9)

    @cached_property
    def long(self) -> FloatArray:
        """1 for rows that are paragraphs rather than labels."""
        return ((self.words > LONG_WORDS) & (self.link_density < 0.5)).astype(np.float64)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Text a row, white space collapsed."""
        parts: list[list[str]] = [[] for _ in range(len(self))]
        for text, row in zip(self.page.leaf_texts, self.leaf_row.tolist(), strict=True):
            if row >= 0:
                parts[row].append(text)
        return tuple(" ".join(" ".join(part).split()) for part in parts)

    @cached_property
    def signs(self) -> CharacterCounts:
        """What the characters of each text are."""
        return CharacterCounts(self.texts)

    @cached_property
    def texts_words(self) -> tuple[list[str], ...]:
        """The words of each text."""
        return tuple(map(words, self.texts))

    @cached_property
    def word_sets(self) -> tuple[frozenset[str], ...]:
        """The different words of each text."""
        return tuple(map(frozenset, self.texts_words))

    @cached_property
    def characters(self) -> FloatArray:
        """Characters of each text."""
        return self.signs.lengths.astype(np.float64)

    @cached_property
    def sentences(self) -> FloatArray:
        """Ends of sentences in each text."""
        return self.signs.sentences

    @cached_property
    def commas(self) -> FloatArray:
        """Commas in each text, also those of Chinese and Japanese."""
        return self.signs.commas

    # -- place in the tree ----------------------------------------------------------------------------------------

    @cached_property
    def in_heading(self) -> BoolColumn:
        """Rows that are or stand in a heading, by tag or by role."""
        page = self.page
        return page.below(page.has_tag(*HEADINGS) | page.attribute_matches("role", "heading".__eq__))[self.node]

    @cached_property
    def chain(self) -> IntColumn:
        """int32 (rows, LEVELS): the row's node, its parent and so on; the root repeats."""
        chain = np.zeros((len(self), LEVELS), dtype=np.int32)
        node = self.node
        for level in range(LEVELS):
            chain[:, level] = node
            node = np.maximum(self.page.parent[node], 0)
        return chain

    @cached_property
    def node_rows(self) -> IntColumn:
        """int32 (nodes, 2): the rows ``[first, last)`` that begin inside each node."""
        return np.searchsorted(self.first_leaf, self.page.leaf_range).astype(np.int32)

    @cached_property
    def first_leaf(self) -> IntColumn:
        """int32 (rows,): first text leaf of each row; increasing."""
        first = np.full(len(self), len(self.leaf_row), dtype=np.int32)
        some = np.flatnonzero(self.leaf_row >= 0).astype(np.int32)
        # Of several values for one place the last counts: here that of the first leaf.
        first[self.leaf_row[some[::-1]]] = some[::-1]
        return first

    # -- geometry -------------------------------------------------------------------------------------------------

    @cached_property
    def box(self) -> FloatColumn:
        """float32 (rows, 4): ``[x, y, width, height]`` in CSS pixels of the rendered lines; NaN without."""
        return leaf_boxes(self.page, self.leaf_row, len(self))

    @cached_property
    def outlines(self) -> Outlines:
        """The shape of each row's rendered lines."""
        return outline_measures(self.page, self.leaf_row, len(self))

    # -- sums -----------------------------------------------------------------------------------------------------

    def summed(self, leaf_values: FloatArray) -> FloatArray:
        """Add up a column of the leaves by row."""
        inside = self.leaf_row >= 0
        added = np.bincount(self.leaf_row[inside], weights=leaf_values[inside], minlength=len(self))
        return added.astype(np.float64)

    def over_nodes(self, row_values: FloatArray) -> FloatArray:
        """Add up a column of the rows over every node's subtree."""
        sums = prefix_sums(row_values)
        added: FloatArray = sums[self.node_rows[:, 1]] - sums[self.node_rows[:, 0]]
        return added

    def count_tags(self, *tags: str) -> FloatArray:
        """Count the elements of some tags that each row's element holds, itself among them."""
        return self.page.count_within(self.page.has_tag(*tags))[self.node]


def rows_of(page: Page, blocks: Blocks) -> Rows:
    """Bring the blocks that hold text of their own into reading order."""
    inside = blocks.leaf_block >= 0
    block, first = np.unique(blocks.leaf_block[inside], return_index=True)
    order = np.argsort(first, kind="stable")
    block = block[order].astype(np.int32)
    row_of = np.full(len(blocks) + 1, -1, dtype=np.int32)
    row_of[block] = np.arange(len(block))
    row_of[-1] = -1
    return Rows(page=page, block=block, node=np.maximum(blocks.node[block], 0), leaf_row=row_of[blocks.leaf_block])
