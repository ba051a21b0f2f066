"""Layers over a page: what stays in the window, and what is painted over the text of others."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...page.page import Page, Position

#: So many boxes that may lie over others are looked at, the largest.
_MOST = 256
#: A box with this share of the page is as good as the page.
_NEARLY_ALL = 0.5


def raised_nodes(page: Page, extent: FloatArray, painted: BoolColumn, marks: BoolColumn) -> BoolColumn:
    """Find the layers that lie over the page: the outermost of the nodes that are lifted out of it.

    Those are what is fixed to the window, and painted boxes that are placed freely, stick, or are dialogs and lie over
    texts or pictures beyond the positioned box around them.

    Parameters
    ----------
    page : Page
        With geometry.
    extent : float64 (nodes, 4)
        What is seen of each node.
    painted : bool (nodes,)
        Boxes painted as such.
    marks : bool (nodes,)
        Texts and pictures that are seen.

    Returns
    -------
    bool (nodes,)
    """
    geometry = page.geometry
    assert geometry is not None
    seen = np.isfinite(extent[:, 0]) & (page.parent >= 0)
    raised: BoolColumn = seen & (geometry.position == Position.FIXED)
    free = np.isin(geometry.position, (Position.ABSOLUTE, Position.STICKY)) | page.has_tag("dialog")
    rows = np.flatnonzero(seen & painted & free & ~raised)
    if len(rows):
        _mark_covering(page, extent, rows, np.flatnonzero(marks & seen), raised)
    outermost: BoolColumn = raised & ~page.below(raised)[page.parent]
    return outermost


def _mark_covering(page: Page, extent: FloatArray, rows: np.ndarray, marks: np.ndarray, raised: BoolColumn) -> None:
    geometry = page.geometry
    assert geometry is not None
    holder = page.nearest(geometry.position > Position.STATIC)[page.parent[rows]]
    area = (extent[:, 2] - extent[:, 0]) * (extent[:, 3] - extent[:, 1])
    order = np.argsort(-area[rows], kind="stable")[:_MOST]
    center = (extent[marks, :2] + extent[marks, 2:]) / 2
    paint = geometry.paint_order
    for row, around in zip(rows[order].tolist(), holder[order].tolist(), strict=True):
        inside = ((center > extent[row, :2]) & (center < extent[row, 2:])).all(axis=1)
        inside &= (marks < row) | (marks >= page.end[row])
        if around >= 0 and area[around] < _NEARLY_ALL * area[0]:
            inside &= (marks < around) | (marks >= page.end[around])
        below = (paint[marks] < paint[row]) | ((paint[marks] == paint[row]) & (marks < row))
        raised[row] = bool((inside & below).any())
