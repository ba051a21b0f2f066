"""Layers over a page: elements fixed to the window, and elements painted over the text of others."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...page.geometry import Position
from ...page.page import Page

#: Most boxes that are tested for covering others, the largest first.
_MOST = 256
#: A box with this share of the page's area counts as the page.
_NEARLY_ALL = 0.5


def raised_nodes(page: Page, extent: FloatArray, painted: BoolColumn, marks: BoolColumn) -> BoolColumn:
    """Return the layers over the page, bool (nodes,): the outermost nodes above its normal flow.

    These are elements fixed to the window, and painted boxes with absolute or sticky position, and dialogs, that cover
    texts or pictures beyond the positioned box around them. ``extent`` is the visible extent of each node, ``painted``
    marks boxes with paint of their own, ``marks`` visible texts and pictures.
    """
    geometry = page.geometry
    assert geometry is not None
    visible = np.isfinite(extent[:, 0]) & (page.parent >= 0)
    raised: BoolColumn = visible & (geometry.position == Position.FIXED)
    positioned = np.isin(geometry.position, (Position.ABSOLUTE, Position.STICKY)) | page.has_tag("dialog")
    rows = np.flatnonzero(visible & painted & positioned & ~raised)
    if len(rows):
        _mark_covering(page, extent, rows, np.flatnonzero(marks & visible), raised)
    outermost: BoolColumn = raised & ~page.below(raised)[page.parent]
    return outermost


def _mark_covering(page: Page, extent: FloatArray, rows: np.ndarray, marks: np.ndarray, raised: BoolColumn) -> None:
    geometry = page.geometry
    assert geometry is not None
    containing = page.nearest(geometry.position > Position.STATIC)[page.parent[rows]]
    area = (extent[:, 2] - extent[:, 0]) * (extent[:, 3] - extent[:, 1])
    order = np.argsort(-area[rows], kind="stable")[:_MOST]
    center = (extent[marks, :2] + extent[marks, 2:]) / 2
    paint = geometry.paint_order
    for row, container in zip(rows[order].tolist(), containing[order].tolist(), strict=True):
        inside = ((center > extent[row, :2]) & (center < extent[row, 2:])).all(axis=1)
        inside &= (marks < row) | (marks >= page.end[row])
        if container >= 0 and area[container] < _NEARLY_ALL * area[0]:
            inside &= (marks < container) | (marks >= page.end[container])
        below = (paint[marks] < paint[row]) | ((paint[marks] == paint[row]) & (marks < row))
        raised[row] = bool((inside & below).any())
