"""Visual features that neither zoom nor a wider window changes, even where the text runs into other lines.

A block's height and lines follow from how wide the window is. Its ink (the length of its lines times their size of
type) does not: text that is set in fewer, longer lines covers the same area. These columns count in shares of the
page's ink, and take widths and edges from the block's element instead of its lines.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, prefix_sums
from ..columns import Column, ColumnGroup, Columns, share
from ..rows import Rows
from .look import BlockAppearance

COLUMNS = (
    share("ink_share", "share of the page's ink that is the block's; ink is length of line times size of type"),
    share("ink_of_largest", "share of the ink of the block with most of it"),
    share("ink_before", "share of the page's ink in the blocks before this one"),
    Column(
        name="element_x",
        meaning="left edge of the innermost line-breaking element with a box, relative to the page's width",
        unit="page widths",
        low=-inf,
    ),
    Column(name="element_width", meaning="width of that element, relative to the page's", unit="page widths"),
    Column(
        name="element_center",
        meaning="distance of its middle from the page's vertical axis, relative to half the width",
        unit="half page widths",
        low=-inf,
    ),
    share(
        "column_ink", "share of the page's ink in blocks whose elements begin at the same left edge (± 1 % of the page)"
    ),
    share("width_ink", "share of the page's ink in blocks whose elements are of the same width (± 2 % of the page)"),
    share("font_ink", "share of the page's ink in the same size of type (± 2 %)"),
    share("color_ink", "share of the page's ink in the same colour"),
    share("background_ink", "share of the page's ink on the same background"),
)
_SAME_LEFT, _SAME_WIDTH, _SAME_FONT = 0.01, 0.02, 0.02


def proportion_features(rows: Rows, _: Columns) -> Columns:
    """Return the scale-free columns, float64 (rows,) each; NaN where a block is not shown."""
    look = BlockAppearance(rows)
    geometry = look.geometry
    ink = _ink(rows)
    total = max(float(ink.sum()), 1e-9)
    page = rows.page
    boxed = page.block_level & (np.nan_to_num(geometry.box[:, 2]) > 0)
    element = geometry.box[np.maximum(page.nearest(boxed)[rows.node], 0)].astype(np.float64)
    left, width = element[:, 0] / look.page_width, element[:, 2] / look.page_width
    columns = {
        "ink_share": ink / total,
        "ink_of_largest": ink / max(float(ink.max(initial=0.0)), 1e-9),
        "ink_before": (np.cumsum(ink) - ink) / total,
        "element_x": left,
        "element_width": width,
        "element_center": (left + width / 2 - 0.5) / 0.5,
        "column_ink": _nearby_sums(left, ink, _SAME_LEFT) / total,
        "width_ink": _nearby_sums(width, ink, _SAME_WIDTH) / total,
        "font_ink": _nearby_sums(np.log(np.maximum(look.font, 1e-3)), ink, _SAME_FONT) / total,
        "color_ink": _same_value_sums(look.color, ink) / total,
        "background_ink": _same_value_sums(look.background, ink) / total,
    }
    return {name: np.where(look.shown, column, np.nan) for name, column in columns.items()}


def _ink(rows: Rows) -> FloatArray:
    """Length of the lines times their size of type; line boxes are not taken, whose heights are whole pixels."""
    page, geometry = rows.page, rows.page.geometry
    assert geometry is not None
    row_of_node = np.full(len(page), -1, dtype=np.int32)
    row_of_node[page.leaves] = rows.leaf_row
    row = row_of_node[geometry.line_node]
    length = np.maximum(geometry.line_box[:, 2], 0).astype(np.float64)
    area = length * geometry.font_size[geometry.line_node]
    return np.bincount(row[row >= 0], weights=area[row >= 0], minlength=len(rows)).astype(np.float64)


def _nearby_sums(values: FloatArray, ink: FloatArray, tolerance: float) -> FloatArray:
    """For each value, the ink of all values that are no further away than the tolerance."""
    order = np.argsort(values, kind="stable")
    total = prefix_sums(ink[order])
    low = np.searchsorted(values[order], values - tolerance, side="left")
    high = np.searchsorted(values[order], values + tolerance, side="right")
    found: FloatArray = total[high] - total[low]
    return found


def _same_value_sums(values: NDArray[np.uint32], ink: FloatArray) -> FloatArray:
    if not len(values):
        return np.zeros(0)
    _, group = np.unique(values, return_inverse=True)
    return np.bincount(group, weights=ink).astype(np.float64)[group]


GROUP = ColumnGroup(name="proportion", columns=COLUMNS, measure=proportion_features, needs="geometry")
