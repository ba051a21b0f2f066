"""Rows of the block table: a page's blocks in reading order, and the columns that all features use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..lexicon.words import words_of_lines
from ..page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, cached_by_owner, prefix_sums, span_sums
from ..page.page import Page
from ..segment.blocks import Blocks, leaf_boxes
from ..segment.outlines import Outlines, outline_measures
from .strings.characters import CharacterCounts

#: Levels of ancestors that features use: the block's own node, its parent, and so on.
LEVELS = 6
#: A block with more words than this, and a smaller share of them in links, is long: a paragraph rather than a label.
LONG_WORDS, LONG_LINKED = 20.0, 0.5
#: A block with more words than this is no label, title or by-line.
LABEL_WORDS = 120.0
_NO_WORDS: frozenset[str] = frozenset()
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """A page's blocks with text, in reading order; derived columns are computed on first access."""

    page: Page
    block: IntColumn  # (rows,): block of each row
    node: IntColumn  # (rows,): node of each row in the page
    leaf_row: IntColumn  # (leaves,): row of each text leaf, -1 for leaves outside all blocks

    def __len__(self) -> int:
        return len(self.block)

    # -- text -----------------------------------------------------------------------------------------------------

    @cached_property
    def leaf_words(self) -> FloatArray:
        """Words per leaf; characters of scripts without spaces count half, as their words have two on average."""
        counts = CharacterCounts(self.page.leaf_texts)
        return counts.words - counts.unspaced / 2

    @cached_property
    def leaf_linked(self) -> BoolColumn:
        """Whether a leaf is inside a link."""
        return self.page.below(self.page.has_tag("a"))[self.page.leaves]

    @cached_property
    def words(self) -> FloatArray:
        """Words per row."""
        return self.summed(self.leaf_words)

    @cached_property
    def link_words(self) -> FloatArray:
        """Words inside links per row."""
        return self.summed(self.leaf_words * self.leaf_linked)

    @cached_property
    def link_density(self) -> FloatArray:
        """Share of a row's words inside links, 0 to 1."""
        return self.link_words / np.maximum(self.words, 1e-9)

    @cached_property
    def long(self) -> FloatArray:
        """1 for paragraphs, 0 for labels."""
        return ((self.words > LONG_WORDS) & (self.link_density < LONG_LINKED)).astype(np.float64)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Text per row, white space collapsed."""
        return tuple(map(" ".join, spaced_words(self)))

    @cached_property
    def character_counts(self) -> CharacterCounts:
        """Character counts of each text."""
        return CharacterCounts(self.texts)

    @cached_property
    def texts_words(self) -> tuple[tuple[str, ...], ...]:
        """Words of each text."""
        return tuple(words_of_lines(self.texts))

    @cached_property
    def word_sets(self) -> tuple[frozenset[str], ...]:
        """Distinct words of each text of at most :data:`LABEL_WORDS`, none of longer ones."""
        short = (self.words <= LABEL_WORDS).tolist()
        pairs = zip(self.texts_words, short, strict=True)
        return tuple([frozenset(of_text) if is_short else _NO_WORDS for of_text, is_short in pairs])

    # -- position in the tree -------------------------------------------------------------------------------------

    @cached_property
    def in_heading(self) -> BoolColumn:
        """Rows that are or are inside a heading, by tag or by role."""
        page = self.page
        return page.below(page.has_tag(*HEADINGS) | page.attribute_matches("role", "heading".__eq__))[self.node]

    @cached_property
    def chain(self) -> IntColumn:
        """The row's node, its parent and so on, int32 (rows, LEVELS); the root repeats."""
        chain = np.zeros((len(self), LEVELS), dtype=np.int32)
        node = self.node
        for level in range(LEVELS):
            chain[:, level] = node
            node = np.maximum(self.page.parent[node], 0)
        return chain

    @cached_property
    def node_rows(self) -> NDArray[np.intp]:
        """Rows ``[first, last)`` that start inside each node, int (nodes, 2): indices that NumPy need not convert."""
        starts = np.zeros(len(self.leaf_row), dtype=bool)
        starts[self.first_leaf] = True
        return np.asfortranarray(prefix_sums(starts)[self.page.leaf_range])

    @cached_property
    def first_leaf(self) -> IntColumn:
        """First text leaf of each row, int32 (rows,); increasing."""
        first = np.full(len(self), len(self.leaf_row), dtype=np.int32)
        leaves = (self.leaf_row >= 0).nonzero()[0].astype(np.int32)
        # Of several values for one index the last is kept: here that of the first leaf.
        first[self.leaf_row[leaves[::-1]]] = leaves[::-1]
        return first

    # -- geometry -------------------------------------------------------------------------------------------------

    @cached_property
    def box(self) -> FloatColumn:
        """``[x, y, width, height]`` of the rendered lines in CSS pixels, float32 (rows, 4); NaN without."""
        return leaf_boxes(self.page, self.leaf_row, len(self))

    @cached_property
    def outlines(self) -> Outlines:
        """Shape of each row's rendered lines."""
        return outline_measures(self.page, self.leaf_row, len(self))

    # -- sums -----------------------------------------------------------------------------------------------------

    def summed(self, leaf_values: FloatArray) -> FloatArray:
        """Return the sums of a column of the leaves by row."""
        inside = self.leaf_row >= 0
        added = np.bincount(self.leaf_row[inside], weights=leaf_values[inside], minlength=len(self))
        return added.astype(np.float64)

    def over_nodes(self, row_values: FloatArray) -> FloatArray:
        """Return the sums of a column of the rows over every node's subtree."""
        first, last = self.node_rows.T
        return span_sums(row_values, first, last)

    def count_tags(self, *tags: str) -> FloatArray:
        """Return the number of elements with some tags in each row's element, itself included."""
        return self.page.count_within(self.page.has_tag(*tags))[self.node]


def compiled_rows(rows: Rows) -> tuple[NDArray[Any], ...]:
    """Return what the compiled loop over blocks takes first: parents, nodes, chains, rows of nodes, and measures."""
    measures = np.stack([rows.words, rows.link_words, rows.link_density, rows.long])
    return rows.page.parent, rows.node, rows.chain, rows.node_rows.T, measures


@cached_by_owner
def spaced_words(rows: Rows) -> list[tuple[str, ...]]:
    """Return the parts of each text between white space."""
    leaves = rows.leaf_row.argsort(kind="stable").tolist()
    texts = [rows.page.leaf_texts[leaf] for leaf in leaves]
    starts = np.searchsorted(rows.leaf_row[leaves], np.arange(len(rows) + 1)).tolist()
    # Python's garbage collector forgets tuples of strings, and not lists.
    return [tuple(" ".join(texts[start:end]).split()) for start, end in pairwise(starts)]


@cached_by_owner
def node_words(rows: Rows) -> FloatArray:
    """Return the words of the rows in each node's subtree, float64 (nodes,)."""
    return rows.over_nodes(rows.words)


@cached_by_owner
def node_link_words(rows: Rows) -> FloatArray:
    """Return the words inside links of the rows in each node's subtree, float64 (nodes,)."""
    return rows.over_nodes(rows.link_words)


def over_ancestors(rows: Rows, levels: int, *row_values: FloatArray) -> FloatArray:
    """Return the sums of columns of the rows over the first levels of their chain, float64 (columns, levels, rows)."""
    first, last = rows.node_rows.T[:, rows.chain.T[:levels]]
    sums = np.stack([prefix_sums(values) for values in row_values])
    return sums[:, last] - sums[:, first]


def _in_order(values: IntColumn) -> IntColumn:
    """Return each of some values once, in the order in which they occur first."""
    new = np.empty(len(values), dtype=bool)
    new[:1] = True
    np.greater(values[1:], values[:-1], out=new[1:])
    if len(values) and (values[1:] < values[:-1]).any():
        distinct, first = np.unique(values, return_index=True)
        return distinct[first.argsort(kind="stable")].astype(np.int32)
    return values[new]


def rows_of(page: Page, blocks: Blocks) -> Rows:
    """Return the blocks that have text of their own, in reading order."""
    inside = blocks.leaf_block >= 0
    block = _in_order(blocks.leaf_block[inside])
    row_of = np.full(len(blocks) + 1, -1, dtype=np.int32)
    row_of[block] = np.arange(len(block))
    row_of[-1] = -1
    return Rows(page=page, block=block, node=np.maximum(blocks.node[block], 0), leaf_row=row_of[blocks.leaf_block])
