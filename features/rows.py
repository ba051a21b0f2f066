"""What all features start from: words and links a leaf and a block, in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..render.arrays import BoolColumn, FloatArray, IntColumn
from ..render.page import Page
from ..segment.blocks import Blocks
from .words import count_unspaced, count_words

#: Levels of ancestors that features look at: the block's own node, its parent, and so on.
LEVELS = 6
#: A block with more words than this is a long one: a paragraph rather than a label.
LONG_WORDS = 20.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """A page's blocks with text in them, in reading order.

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

    @cached_property
    def leaf_words(self) -> FloatArray:
        """Words a leaf; characters of scripts without spaces count half, as their words have two on average."""
        return np.asarray(
            [count_words(text) - count_unspaced(text) / 2 for text in self.page.leaf_texts], dtype=np.float64
        )

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
        first_leaf = self.first_leaf
        return np.searchsorted(first_leaf, self.page.leaf_range).astype(np.int32)

    @cached_property
    def first_leaf(self) -> IntColumn:
        """int32 (rows,): first text leaf of each row; increasing."""
        first = np.full(len(self), len(self.leaf_row), dtype=np.int32)
        some = np.flatnonzero(self.leaf_row >= 0).astype(np.int32)
        np.minimum.at(first, self.leaf_row[some], some)
        return first

    def summed(self, leaf_values: FloatArray) -> FloatArray:
        """Add up a column of the leaves by row."""
        inside = self.leaf_row >= 0
        added = np.bincount(self.leaf_row[inside], weights=leaf_values[inside], minlength=len(self))
        return added.astype(np.float64)

    def over_nodes(self, row_values: FloatArray) -> FloatArray:
        """Add up a column of the rows over every node's subtree."""
        total = np.concatenate([[0.0], np.cumsum(row_values)])
        added: FloatArray = total[self.node_rows[:, 1]] - total[self.node_rows[:, 0]]
        return added


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
