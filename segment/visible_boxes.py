"""Compute the visible box and the background of each node of a rendered page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, FloatArray, IntColumn, cached_by_owner, corners_of
from ..page.geometry import Geometry
from ..page.page import Page
from ..page.tree import rows_by_depth
from ..page.visibility import hidden_leaves, invisible_leaves

#: Backgrounds with less alpha count as transparent.
OPAQUE = 0x80
WHITE = np.uint32(0xFFFFFFFF)
#: Elements with visible content other than text.
_REPLACED = tuple("img video canvas svg object embed iframe hr input textarea select button".split())


@dataclass(frozen=True, kw_only=True, eq=False)
class VisibleBoxes:
    """The visible boxes of a rendered page, as ``[left, top, right, bottom]``."""

    #: float64 (lines, 4): The lines of visible text, clipped; CSS pixels of the document, in document order.
    line: FloatArray
    #: int32 (lines,): The text leaf of each line.
    leaf: IntColumn
    #: float64 (nodes, 4): The visible part of each node, NaN for none: lines of visible text, images and other replaced
    #: elements, and boxes with a background of their own. Boxes without one are as large as their content.
    extent: FloatArray
    #: uint32 (nodes,): The background color of each node or of its nearest ancestor with one; white without any.
    ground: NDArray[np.uint32]
    #: float64 (nodes, 4): The clip rectangle of each node, infinite if nothing clips it.
    window: FloatArray


def _clip_windows(page: Page, geometry: Geometry) -> FloatArray:
    """Return the clip rectangle of each node, float64 (nodes, 4); scrollers do not clip."""
    # Imported late: raw HTML is read without it.
    from ..render.visibility.clipping import clip_rects

    rects = clip_rects(page, geometry)
    corners = [corner[rects.index].astype(np.float32) for corner in (rects.low, rects.high)]
    return np.concatenate(corners, axis=1).astype(np.float64)


@cached_by_owner
def visible_boxes(page: Page) -> VisibleBoxes:
    """Compute the visible boxes of a page with geometry; raises ``ValueError`` when the page has no geometry."""
    geometry = page.geometry
    if geometry is None:
        raise ValueError("nothing is seen of a page without geometry: render it with Browser().open(...)")
    window = _clip_windows(page, geometry)
    line, leaf = _visible_lines(page, geometry, window)
    opaque = page.nearest((geometry.background & 0xFF) >= OPAQUE)
    ground = np.where(opaque >= 0, geometry.background[opaque], WHITE)
    low, high = np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)
    rows = page.leaves[leaf]
    np.minimum.at(low, rows, line[:, :2])
    np.maximum.at(high, rows, line[:, 2:])
    solid = np.flatnonzero(_solid(page, geometry, ground))
    own = clipped(corners_of(geometry.box[solid]), window[solid])
    has_area = (own[:, 2:] > own[:, :2]).all(axis=1)
    low[solid[has_area]], high[solid[has_area]] = own[has_area, :2], own[has_area, 2:]
    extent = gathered(page, np.concatenate([low, high], axis=1))
    return VisibleBoxes(line=line, leaf=leaf, extent=extent, ground=ground, window=window)


def _visible_lines(page: Page, geometry: Geometry, window: FloatArray) -> tuple[FloatArray, IntColumn]:
    hidden = invisible_leaves(page)
    leaf_of_node = np.full(len(page), -1, dtype=np.int32)
    leaf_of_node[page.leaves[~hidden]] = np.flatnonzero(~hidden)
    leaf = leaf_of_node[geometry.line_node]
    corners = corners_of(geometry.line_box).reshape(-1, 4)
    # If nearly everything is hidden, nothing counts as hidden, so nothing may be clipped either.
    if hidden.any() or not hidden_leaves(page).any():
        corners = clipped(corners, window[geometry.line_node])
    visible = (leaf >= 0) & (corners[:, 2:] > corners[:, :2]).all(axis=1)
    return corners[visible], leaf[visible]


def clipped(corners: FloatArray, window: FloatArray) -> FloatArray:
    """Clip boxes, as corners, to windows; a box outside has its right end left of its left end, or its bottom above."""
    return np.concatenate(
        [np.maximum(corners[:, :2], window[:, :2]), np.minimum(corners[:, 2:], window[:, 2:])], axis=1
    )


def _solid(page: Page, geometry: Geometry, ground: NDArray[np.uint32]) -> BoolColumn:
    """Return replaced elements, and elements whose background differs from that around them, bool (nodes,)."""
    sized = (geometry.box[:, 2] > 0) & (geometry.box[:, 3] > 0) & ~geometry.invisible
    opaque = (geometry.background & 0xFF) >= OPAQUE
    below = np.where(page.parent >= 0, ground[page.parent], WHITE)
    painted = opaque & (geometry.background != below) & ~page.has_tag("html", "body")
    solid: BoolColumn = sized & (painted | page.has_tag(*_REPLACED))
    return solid


def gathered(page: Page, own: FloatArray, apart: BoolColumn | None = None) -> FloatArray:
    """Return the union of each node's box with those of its descendants, float64 (nodes, 4); NaN for none.

    Nodes marked in ``apart`` do not count for their ancestors.
    """
    union = own.copy()
    # Rows of one depth are in document order: those of one parent follow each other.
    for rows in rows_by_depth(page)[::-1]:
        inner = rows if apart is None else rows[~apart[rows]]
        parent = page.parent[inner]
        first = np.flatnonzero(np.diff(parent, prepend=-1))
        if len(first):
            above, boxes = parent[first], union[inner]
            low, high = np.minimum.reduceat(boxes[:, :2], first), np.maximum.reduceat(boxes[:, 2:], first)
            union[above, :2] = np.minimum(union[above, :2], low)
            union[above, 2:] = np.maximum(union[above, 2:], high)
    union[~np.isfinite(union[:, 0])] = np.nan
    return union
