"""Blocks: a tree (or a flat list) over the text leaves of a page, and the plainest way of making one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, FloatColumn, IntColumn
from ..page.page import Page
from ..page.visible import invisible_leaves
from ..render.visibility.backgrounds import visible_boxes

#: What the weight of a separator is made of; the parts add up to it. "series" and "heading" are what a series and a
#: heading take away.
PARTS = ("distance", "rule", "background", "font", "smaller_above", "series", "heading", "columns")
#: Boxes that a notebook draws.
_MOST_DRAWN = 2000
NO_BOXES = np.zeros((0, 4), dtype=np.float32)


@dataclass(frozen=True, kw_only=True, eq=False)
class Separators:
    """The white (or ruled) stripes that VIPS finds between blocks.

    Attributes
    ----------
    block : int32 (separators,)
        The block inside which the stripe lies.
    box : float32 (separators, 4)
        ``[x, y, width, height]`` in CSS pixels of the document.
    horizontal : bool (separators,)
        True for a stripe that has blocks above and below.
    weight : float32 (separators,)
        How strongly it parts the blocks on its two sides.
    parts : float32 (separators, parts)
        What the weight is made of, one column for each of :data:`PARTS`.
    """

    block: IntColumn = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    box: FloatColumn = field(default_factory=NO_BOXES.copy)
    horizontal: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    weight: FloatColumn = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    parts: FloatColumn = field(default_factory=lambda: np.zeros((0, len(PARTS)), dtype=np.float32))

    def __len__(self) -> int:
        return len(self.block)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blocks:
    """A segmentation of a page. Rows stand in preorder: each parent before its children.

    Attributes
    ----------
    parent : int32 (blocks,)
        Row of the block around this one, -1 for a root; a flat segmentation has roots only.
    node : int32 (blocks,)
        The page's node that the block stands on (its smallest enclosing element), -1 if it has none of its own.
    doc : int16 (blocks,)
        Degree of coherence, 1 to 10 (VIPS); 0 where the segmentation knows none.
    leaf_block : int32 (leaves,)
        The innermost block of each text leaf of the page, -1 outside of all.
    box : float32 (blocks, 4)
        ``[x, y, width, height]`` in CSS pixels of the document; NaN without geometry.
    separators : Separators
        Empty where the segmentation knows none.
    rule : int8 (blocks,), optional
        The rule that decided each (:data:`~blocksight.segment.vips.rules.RULE_NAMES`), -1 for none: what separators
        part is a block by no rule. None where the segmentation has no rules.
    """

    parent: IntColumn
    node: IntColumn
    doc: NDArray[np.int16]
    leaf_block: IntColumn
    box: FloatColumn
    separators: Separators = field(default_factory=Separators)
    rule: NDArray[np.int8] | None = None

    def __len__(self) -> int:
        return len(self.parent)

    def __repr__(self) -> str:
        laid_out = int(np.isfinite(self.box[:, 0]).sum()) if len(self) else 0
        return f"<Blocks {len(self)} blocks, {laid_out} with boxes>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the boxes, drawn to scale with their row numbers."""
        rows = np.flatnonzero(np.isfinite(self.box[:, 0])) if len(self) else np.zeros(0, dtype=np.intp)
        facts = f"<p><small>{escape(repr(self))}</small></p>"
        if not len(rows):
            return facts
        far = self.box[rows, :2] + self.box[rows, 2:]
        drawn = [_svg_rect(row, *self.box[row].tolist()) for row in rows[:_MOST_DRAWN].tolist()]
        size = f"0 0 {max(float(far[:, 0].max()), 1):.0f} {max(float(far[:, 1].max()), 1):.0f}"
        return f'{facts}<svg viewBox="{size}" style="max-width:480px;border:1px solid #ccc">{"".join(drawn)}</svg>'

    def leaves_of(self, block: int) -> IntColumn:
        """Return the leaves that lie in a block or in a block inside it, in document order."""
        # In preorder a block's subtree ends where the next row with a parent outside of it stands.
        outside = np.flatnonzero(self.parent[block + 1 :] < block)
        end = block + 1 + int(outside[0]) if len(outside) else len(self)
        return np.flatnonzero((self.leaf_block >= block) & (self.leaf_block < end)).astype(np.int32)


def _svg_rect(row: int, x: float, y: float, width: float, height: float) -> str:
    title = f"<title>block {row}</title>"
    place = f'x="{x:.0f}" y="{y:.0f}" width="{max(width, 0):.0f}" height="{max(height, 0):.0f}"'
    return f'<rect {place} fill="#0072b218" stroke="#0072b2" stroke-width="2">{title}</rect>'


def flat_blocks(page: Page, node: IntColumn, leaf_block: IntColumn) -> Blocks:
    """Make blocks that lie in no other block, of the node and the leaves of each."""
    return Blocks(
        parent=np.full(len(node), -1, dtype=np.int32),
        node=node,
        doc=np.zeros(len(node), dtype=np.int16),
        leaf_block=leaf_block,
        box=leaf_boxes(page, leaf_block, len(node)),
    )


def text_blocks(page: Page, *, breaks: int = 2) -> Blocks:
    """Cut a page into paragraphs: runs of text leaves that no line-breaking element parts.

    A run belongs to its nearest block-level ancestor and ends at any block-level element and at two ``<br>`` in a row
    (as in the preprocessing of WCC's baseline). It works with and without geometry; with it, the computed ``display``
    decides what breaks a line. The result is flat, in document order.

    Parameters
    ----------
    page : Page
    breaks : int
        How many ``<br>`` in a row end a run: 2, or 1 as in the preprocessing of FIASCO and of StupidOS.
    """
    owner = page.owner[page.leaves]
    leaf_block = text_runs(page, page.leaves, page.block_level, breaks=breaks)
    starts = np.diff(leaf_block, prepend=-1) > 0
    node = np.maximum(owner[starts], 0).astype(np.int32)
    return flat_blocks(page, node, leaf_block)


def text_runs(page: Page, rows: IntColumn, block_level: BoolColumn, *, breaks: int = 2) -> IntColumn:
    """Number the runs of some nodes, as :func:`text_blocks` does those of the text leaves.

    Parameters
    ----------
    page : Page
    rows : int32 (n,)
        In document order.
    block_level : bool (nodes,)
        What breaks a line.
    breaks : int
        How many ``<br>`` in a row end a run.

    Returns
    -------
    int32 (n,)
        From 0.
    """
    owner = (page.owner if block_level is page.block_level else page.nearest(block_level))[rows]
    starts = np.ones(len(rows), dtype=bool)
    if len(rows):
        starts[1:] = (owner[1:] != owner[:-1]) | _parted(page, rows, block_level, breaks)
    return (np.cumsum(starts) - 1).astype(np.int32)


def visible_blocks(page: Page, blocks: Blocks) -> Blocks:
    """Leave out of some blocks the text that nobody sees."""
    return replace(blocks, leaf_block=np.where(invisible_leaves(page), np.int32(-1), blocks.leaf_block))


def leaf_blocks(page: Page) -> Blocks:
    """Cut a page at every tag: each text leaf is a block of its own, in the element that it stands in.

    So do Victor (Marek, Pecina, Spousta, WAC3 2007: ``<p>Hello<b>world</b>!</p>`` is Hello, world and !) and KrdWrd
    (Steger, Stemle, WAC5 2009).
    """
    return flat_blocks(page, page.parent[page.leaves], np.arange(len(page.leaves), dtype=np.int32))


def _parted(page: Page, rows: IntColumn, block_level: BoolColumn, breaks: int) -> NDArray[np.bool_]:
    """Return for each two neighbours whether a block-level element or enough breaks stand between them."""
    block = block_level & ~page.has_tag("br")
    edges = np.zeros(len(page) + 1, dtype=np.int32)
    opened = np.flatnonzero(block)
    edges[opened] += 1
    before = np.cumsum(edges[:-1])
    parted: NDArray[np.bool_] = before[rows[1:]] != before[rows[:-1]]
    number = break_count(page, breaks)
    parted |= number[rows[1:]] != number[rows[:-1]]
    return parted


def break_count(page: Page, in_row: int) -> NDArray[np.int64]:
    """int64 (nodes,): breaks up to each node.

    One ``<br>`` is a break by itself (``in_row`` 1), or right after another, with nothing to read between (2).
    """
    if in_row not in (1, 2):
        raise ValueError(f"breaks must be 1 or 2, not {in_row}")
    if in_row == 1:
        return np.cumsum(page.has_tag("br"))
    breaks = np.flatnonzero(page.has_tag("br"))
    marks = np.zeros(len(page), dtype=bool)
    if len(breaks) > 1:
        read = np.searchsorted(page.leaves, breaks)
        second = (read[1:] == read[:-1]) & (page.parent[breaks[1:]] == page.parent[breaks[:-1]])
        marks[breaks[1:][second]] = True
    return np.cumsum(marks)


def leaf_boxes(page: Page, leaf_block: IntColumn, count: int) -> FloatColumn:
    """Return the bounding box of each block's rendered lines.

    Parameters
    ----------
    page : Page
    leaf_block : int32 (leaves,)
        Block of each leaf, -1 for none.
    count : int
        Number of blocks.

    Returns
    -------
    float32 (count, 4)
        ``[x, y, width, height]`` in CSS pixels; NaN where a block has no rendered line.
    """
    box = np.full((count, 4), np.nan, dtype=np.float32)
    if page.geometry is None or not len(page.geometry.line_node):
        return box
    lines, block = lines_of(page, leaf_block)
    low = np.full((count, 2), np.inf, dtype=np.float32)
    high = np.full((count, 2), -np.inf, dtype=np.float32)
    np.minimum.at(low, block, lines[:, :2])
    np.maximum.at(high, block, lines[:, :2] + lines[:, 2:])
    some = np.isfinite(low[:, 0])
    box[some, :2] = low[some]
    box[some, 2:] = high[some] - low[some]
    return box


def lines_of(page: Page, leaf_block: IntColumn) -> tuple[FloatColumn, IntColumn]:
    """Return the rendered line boxes of positive area that belong to blocks, and the block of each.

    Of blocks of which something is seen, only that: lines are cut to what clips them (``line-clamp``, scrolled boxes).
    A block that nobody sees has the lines that it would have.
    """
    geometry = page.geometry
    if geometry is None:
        return NO_BOXES.copy(), np.zeros(0, dtype=np.int32)
    seen = visible_boxes(page)
    block_of_node = np.full(len(page) + 1, -1, dtype=np.int32)
    block_of_node[page.leaves] = leaf_block
    shown = np.isin(block_of_node, leaf_block[seen.leaf])
    node = np.concatenate([page.leaves[seen.leaf], np.where(shown[geometry.line_node], -1, geometry.line_node)])
    cut = np.concatenate([seen.line[:, :2], seen.line[:, 2:] - seen.line[:, :2]], axis=1).astype(np.float32)
    box = np.concatenate([cut, geometry.line_box])
    block = block_of_node[node]
    kept = np.flatnonzero((block >= 0) & (box[:, 2] > 0) & (box[:, 3] > 0))
    kept = kept[np.argsort(node[kept], kind="stable")]
    return box[kept], block[kept]
