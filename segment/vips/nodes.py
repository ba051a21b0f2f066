"""Columns of a rendered page's nodes in the terms of VIPS: valid, virtual text, line-breaking, size and style."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, mask_of
from ...page.html import TEXT
from ...page.page import Page
from ..visible_boxes import VisibleBoxes, visible_boxes
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
    shown = mask_of(len(page.leaves), visible.leaf)
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
    has_valid_child = mask_of(len(page), page.parent[valid & (page.parent >= 0)])
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


# -- lines as high as their font size ----------------------------------------------------------------------------------

# Chromium rounds the ascent and the descent of a font, and the leading above a line, to whole pixels of the screen. The
# heights of lines, and the gaps between them, are then not proportional to the zoom, and a decision next to a limit may
# differ.

#: Greatest difference of a line from the height of its font: pixels by which Chromium rounds, and share of the height.
_ROUNDED, _OTHER_FONT = 1.0, 0.03
#: Pixels by which a line that fills its block may differ from it.
_EXACT = 0.1
#: Height of lines of most fonts in font sizes, and zooms of pages. Heights that are lower or higher by a share count as
#: one of these: they are the same at other scales, in other fonts (17 to 19 pixels of 16), and whatever else is there.
_USUAL, _LOWER, _HIGHER = 1.17, 0.11, 0.06
_ZOOMS = np.asarray([0.25, 0.33, 0.5, 0.67, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0])


def even_lines(page: Page, visible: VisibleBoxes) -> VisibleBoxes:
    """Return the lines of a page with heights in proportion to their font size, centred in their block.

    Lines of another height (another font, a part that is clipped) and lines further from the centre stay as they are.
    """
    assert page.geometry is not None
    line = visible.line
    if not len(line):
        return visible
    height = line[:, 3] - line[:, 1]
    font = np.maximum(page.geometry.font_size[page.leaves[visible.leaf]].astype(np.float64), 1e-9)
    usual = np.sort(height / font)[len(font) // 2]
    tolerance = _ROUNDED + _OTHER_FONT * height
    near = np.abs(height - usual * font) <= tolerance
    heights, sizes = np.unique(np.stack([height[near], font[near]]).round(2), axis=1)
    even = font * _rounded(float(heights.sum() / sizes.sum()))
    near |= np.abs(height - even) <= tolerance
    half = np.where(near, even, height) / 2
    center = (line[:, 1] + line[:, 3]) / 2 + _shift(page, visible)
    return replace(visible, line=np.stack([line[:, 0], center - half, line[:, 2], center + half], axis=1))


def _rounded(ratio: float) -> float:
    """Return the height of lines in font sizes, the usual one if it is near."""
    usual = _USUAL * _ZOOMS
    nearest = usual[np.argmin(np.abs(np.log(usual / ratio)))]
    return float(nearest) if -_HIGHER <= nearest / ratio - 1 <= _LOWER else ratio


def filling_lines(page: Page, visible: VisibleBoxes, even: VisibleBoxes) -> VisibleBoxes:
    """Return even lines, but those that fill their block as they are.

    Such a block is as high as Chromium rounds its lines, and the margins around it are exact: an even line in its
    centre would add a part of a pixel to them.
    """
    if not len(visible.line):
        return even
    order, first, box = _blocks(page, visible)
    top = np.minimum.reduceat(visible.line[order, 1], first)
    bottom = np.maximum.reduceat(visible.line[order, 3], first)
    fills = (np.abs(top - box[:, 1]) <= _EXACT) & (np.abs(bottom - box[:, 1] - box[:, 3]) <= _EXACT)
    filling = np.zeros(len(order), dtype=bool)
    filling[order] = np.repeat(fills, np.diff(np.append(first, len(order))))
    return replace(even, line=np.where(filling[:, None], visible.line, even.line))


def _blocks(page: Page, visible: VisibleBoxes) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]:
    """Return the lines by the block around them, where those of each block begin, and the boxes of these blocks."""
    assert page.geometry is not None
    block = page.nearest(page.block_level)[page.leaves[visible.leaf]]
    order = np.argsort(block, kind="stable")
    first = np.flatnonzero(np.diff(block[order], prepend=-2))
    return order, first, page.geometry.box[block[order[first]]].astype(np.float64)


def _shift(page: Page, visible: VisibleBoxes) -> FloatArray:
    """Return how far the lines of each block are from its centre, float64 (lines,); 0 if it is not by rounding."""
    line = visible.line
    order, first, box = _blocks(page, visible)
    center = (line[order, 1] + line[order, 3]) / 2
    middle = (np.minimum.reduceat(center, first) + np.maximum.reduceat(center, first)) / 2
    shift = box[:, 1] + box[:, 3] / 2 - middle
    shift = np.where(np.abs(shift) <= _ROUNDED, shift, 0.0)
    shifts = np.zeros(len(line))
    shifts[order] = np.repeat(shift, np.diff(np.append(first, len(order))))
    return shifts
