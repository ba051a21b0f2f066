"""Tracks of grids, flex boxes, tables and floats: boxes side by side are as large as their place in the row."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...page.page import Page

_ROWS = ("grid", "inline-grid", "flex", "inline-flex", "table-row")


def track_boxes(page: Page, box: FloatArray, extent: FloatArray, apart: BoolColumn) -> FloatArray:
    """Let boxes that stand in tracks of one width fill them, but for the padding that all of them have.

    Ragged text would make the gaps between equal tracks unequal. Siblings of one tag and width count as such where a
    grid, flex box or table row holds them, or where some of them stand side by side (floats, inline blocks).

    Parameters
    ----------
    page : Page
        With geometry.
    box, extent : float64 (nodes, 4)
        ``[left, top, right, bottom]``: as laid out, and as seen.
    apart : bool (nodes,)
        What takes no part.

    Returns
    -------
    float64 (nodes, 4)
        The extents, larger for what stands in tracks; without end before their beginning where nothing is seen.
    """
    geometry = page.geometry
    assert geometry is not None
    found = np.where(np.isfinite(extent), extent, [np.inf, np.inf, -np.inf, -np.inf])
    usable = np.isfinite(extent[:, 0]) & np.isfinite(box[:, 0]) & (page.text < 0) & ~apart & (page.parent >= 0)
    rows = np.flatnonzero(usable & page.block_level)
    if not len(rows):
        return found
    width = np.rint(box[rows, 2] - box[rows, 0]).astype(np.int64)
    key = np.stack([page.parent[rows], page.tag[rows], width])
    order = np.lexsort(key[::-1])
    rows, key = rows[order], key[:, order]
    begins = np.ones(len(rows), dtype=bool)
    begins[1:] = (np.diff(key) != 0).any(axis=0)
    group = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    placed = page.named(geometry.display, *_ROWS)[page.parent[rows]] | _has_row_neighbour(box, rows, group)
    tracked = np.maximum.reduceat(placed, first) & (np.bincount(group) > 1)
    signs = np.asarray([1.0, 1.0, -1.0, -1.0])
    padding = np.maximum((extent[rows] - box[rows]) * signs, 0.0)
    common = np.minimum.reduceat(padding, first)[group]
    filled = box[rows] + common * signs
    chosen = tracked[group]
    at = rows[chosen]
    found[at, :2] = np.minimum(found[at, :2], filled[chosen, :2])
    found[at, 2:] = np.maximum(found[at, 2:], filled[chosen, 2:])
    return found


def _has_row_neighbour(box: FloatArray, rows: np.ndarray, group: np.ndarray) -> BoolColumn:
    """bool (rows,): boxes with another of their group at the same height."""
    order = np.lexsort((box[rows, 1], group))
    same = (np.diff(group[order]) == 0) & (np.abs(np.diff(box[rows, 1][order])) <= 1)
    beside = np.zeros(len(rows), dtype=bool)
    beside[order[1:]] |= same
    beside[order[:-1]] |= same
    return beside
