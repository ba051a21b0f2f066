"""Columns of a rendered page's nodes in the terms of VIPS: valid, virtual text, line-breaking, size and style."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.html import TEXT
from ...page.page import Page
from ..visible_boxes import VisibleBoxes, visible_boxes
from .even_lines import even_lines, filling_lines
from .painted import CONTROLS, LINE, Painted, painted_on

#: The rows of the rules' table.
INLINE, TABLE, TR, TD, P, OTHER = range(6)
#: Computed values of ``display`` that make a node a table, row or cell, whatever its tag.
_TABLE_DISPLAYS = {"table": TABLE, "inline-table": TABLE, "table-row": TR, "table-cell": TD}


#: Pages are immutable and often segmented at several degrees of coherence.
_PAINTED: WeakKeyDictionary[Page, Painted] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True, eq=False)
class Nodes:
    """Columns of a rendered page's nodes."""

    page: Page
    valid: BoolColumn  # (nodes,): visible nodes
    text: BoolColumn  # (nodes,): text nodes
    #: (nodes,): text and virtual text nodes (inline elements whose valid children are all text or virtual text)
    texty: BoolColumn
    box: FloatArray  # (nodes, 4): [left, top, right, bottom] of the visible extent, CSS pixels; NaN if invisible
    area: FloatArray  # (nodes,): area of that box in square CSS pixels
    line: FloatArray  # (nodes,): line height of most text in each node, or else around it, CSS pixels
    size: FloatArray  # (nodes,): area in squares of that line height, so that nothing outside of the node counts
    painted: Painted  # pictures, painted boxes, layers and rules
    flow: BoolColumn  # (nodes,): valid nodes that count for their parent: all but the root and layers over the page
    holds_control: BoolColumn  # (nodes,): whether a visible control is inside
    group: NDArray[np.int8]  # (nodes,): applicable row of the rules' table
    shown: BoolColumn  # (leaves,): visible text leaves
    shown_rows: IntColumn  # (shown leaves,): their nodes
    shown_range: NDArray[np.int64]  # (nodes, 2): visible leaves [first, last) in each node's subtree
    font_changes: NDArray[np.int64]  # (shown leaves,): number of changes of font size or weight up to each visible leaf

    def summed(self, values: NDArray[np.generic]) -> FloatArray:
        """Return the sum of a column over the valid children of each node."""
        rows = np.flatnonzero(self.flow)
        added = np.bincount(self.page.parent[rows], weights=values[rows], minlength=len(self.page))
        return added.astype(np.float64)

    def children(self) -> tuple[list[int], list[int]]:
        """Return the valid children of all nodes, by parent, and where those of each node start in this list."""
        rows = np.flatnonzero(self.flow)
        order = rows[np.argsort(self.page.parent[rows], kind="stable")]
        starts = np.searchsorted(self.page.parent[order], np.arange(len(self.page) + 1))
        return order.tolist(), starts.tolist()


def nodes_of(page: Page) -> Nodes:
    """Return the columns of a page with geometry."""
    geometry = page.geometry
    assert geometry is not None
    seen = visible_boxes(page)
    visible = even_lines(page, seen)
    painted = _PAINTED.get(page)
    if painted is None:
        painted = _PAINTED[page] = painted_on(page, filling_lines(page, seen, visible), visible)
    size = np.nan_to_num(painted.extent[:, 2:] - painted.extent[:, :2])
    area = size[:, 0] * size[:, 1]
    line = _line_heights(page, visible)
    shown = np.zeros(len(page.leaves), dtype=bool)
    shown[visible.leaf] = True
    rows = page.leaves[shown]
    valid, text = np.isfinite(painted.extent[:, 0]), page.has_tag(TEXT)
    flow = valid & (page.parent >= 0) & ~painted.raised
    fonts = np.stack([geometry.font_size[rows], geometry.font_weight[rows].astype(np.float32)], axis=1)
    changes = np.zeros(len(rows), dtype=np.int64)
    changes[1:] = np.cumsum((fonts[1:] != fonts[:-1]).any(axis=1))
    return Nodes(
        page=page,
        valid=valid,
        text=text,
        texty=_texty(page, valid, text | (valid & painted.icon)),
        box=painted.extent,
        area=area,
        line=line,
        size=area / line**2,
        painted=painted,
        flow=flow,
        holds_control=page.count_within(valid & page.has_tag(*CONTROLS)) > 0,
        group=_groups(page),
        shown=shown,
        shown_rows=rows,
        shown_range=np.stack([np.searchsorted(rows, np.arange(len(page))), np.searchsorted(rows, page.end)], axis=1),
        font_changes=changes,
    )


def _line_heights(page: Page, visible: VisibleBoxes) -> FloatArray:
    """Return the height of the lines in each node, its mean over characters; of those around it if it has none."""
    width, height = visible.line[:, 2] - visible.line[:, 0], visible.line[:, 3] - visible.line[:, 1]
    sums = [
        page.sum_leaves(np.bincount(visible.leaf, weights=values, minlength=len(page.leaves)).astype(np.float64))
        for values in (width, width / np.maximum(height, 1e-9))  # a character is as wide as a share of its height
    ]
    holder = page.nearest(sums[0] > 0)
    assert page.geometry is not None
    none = LINE * page.geometry.viewport[0]
    return np.where(holder >= 0, sums[0][holder] / np.maximum(sums[1][holder], 1e-9), none)


def _texty(page: Page, valid: BoolColumn, text: BoolColumn) -> BoolColumn:
    """Return valid nodes that contain only text, icons and inline elements around text, bool (nodes,)."""
    has_valid_child = np.zeros(len(page), dtype=bool)
    has_valid_child[page.parent[valid & (page.parent >= 0)]] = True
    other = valid & ~text & (page.block_level | ~has_valid_child)
    texty: BoolColumn = valid & (page.count_within(other) == 0)
    return texty


def _groups(page: Page) -> NDArray[np.int8]:
    """Return the row of the rules' table of each node: by computed display, P by its tag."""
    assert page.geometry is not None
    group_of_name = np.asarray([*(_TABLE_DISPLAYS.get(name, OTHER) for name in page.names), OTHER], dtype=np.int8)
    group = group_of_name[page.geometry.display]
    group[(group == OTHER) & page.has_tag("p")] = P
    group[~page.block_level] = INLINE
    return group
