"""Tracks of grids, flex boxes, tables and floats: boxes in a row are as large as their track."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...page.page import Page

_ROWS = ("grid", "inline-grid", "flex", "inline-flex", "table-row")


def track_boxes(page: Page, box: FloatArray, extent: FloatArray, excluded: BoolColumn) -> FloatArray:
    """Return extents in which boxes in tracks of equal width fill their track except for common padding.

    Ragged text would make the gaps between equal tracks unequal. Siblings of the same tag and width are tracks if a
    grid, flex box or table row contains them, or if some of them are side by side (floats, inline blocks). ``box`` and
    ``extent``, float64 (nodes, 4), are ``[left, top, right, bottom]`` as laid out and as visible. An invisible node has
    an empty extent (infinite corners).
    """
    geometry = page.geometry
    assert geometry is not None
    filled = np.where(np.isfinite(extent), extent, [np.inf, np.inf, -np.inf, -np.inf])
    usable = np.isfinite(extent[:, 0]) & np.isfinite(box[:, 0]) & (page.text < 0) & ~excluded & (page.parent >= 0)
    rows = np.flatnonzero(usable & page.block_level)
    if not len(rows):
        return filled
    width = np.rint(box[rows, 2] - box[rows, 0]).astype(np.int64)
    key = np.stack([page.parent[rows], page.tag[rows], width])
    order = np.lexsort(key[::-1])
    rows, key = rows[order], key[:, order]
    starts = np.ones(len(rows), dtype=bool)
    starts[1:] = (np.diff(key) != 0).any(axis=0)
    group = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    placed = page.has_name(geometry.display, *_ROWS)[page.parent[rows]] | _has_row_neighbour(box, rows, group)
    tracked = np.maximum.reduceat(placed, first) & (np.bincount(group) > 1)
    signs = np.asarray([1.0, 1.0, -1.0, -1.0])
    padding = np.maximum((extent[rows] - box[rows]) * signs, 0.0)
    common = np.minimum.reduceat(padding, first)[group]
    track_box = box[rows] + common * signs
    in_track = tracked[group]
    tracked_rows = rows[in_track]
    filled[tracked_rows, :2] = np.minimum(filled[tracked_rows, :2], track_box[in_track, :2])
    filled[tracked_rows, 2:] = np.maximum(filled[tracked_rows, 2:], track_box[in_track, 2:])
    return filled


def _has_row_neighbour(box: FloatArray, rows: np.ndarray, group: np.ndarray) -> BoolColumn:
    """Return the boxes with another of their group at the same height, bool (rows,)."""
    order = np.lexsort((box[rows, 1], group))
    same = (np.diff(group[order]) == 0) & (np.abs(np.diff(box[rows, 1][order])) <= 1)
    has_neighbour = np.zeros(len(rows), dtype=bool)
    has_neighbour[order[1:]] |= same
    has_neighbour[order[:-1]] |= same
    return has_neighbour
