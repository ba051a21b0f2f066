"""Visual features that are independent of zoom and of the width of the window, even if the text is wrapped differently.

A block's height and lines depend on the width of the window. Its ink (length of its lines times font size) does not:
text in fewer, longer lines covers the same area. These columns are shares of the page's ink, and use widths and edges
of the block's element instead of its lines.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray
from ..columns import ColumnGroup, Columns, numeric, share
from ..rows import Rows
from .look import BlockAppearance, nearby_sums

COLUMNS = (
    share("ink_share", "share of the page's ink in the block; ink is length of lines times font size"),
    share("ink_of_largest", "ratio of the block's ink to the greatest ink of a block"),
    share("ink_before", "share of the page's ink in the blocks before this one"),
    numeric(
        "element_x",
        "left edge of the innermost block-level element with a box, relative to the page's width",
        "page widths",
        low=-inf,
    ),
    numeric("element_width", "width of that element, relative to the page's", "page widths"),
    numeric(
        "element_center",
        "distance of its middle from the page's vertical axis, relative to half the width",
        "half page widths",
        low=-inf,
    ),
    share("column_ink", "share of the page's ink in blocks whose elements have the same left edge (± 1 % of the page)"),
    share("width_ink", "share of the page's ink in blocks whose elements are of the same width (± 2 % of the page)"),
    share("font_ink", "share of the page's ink in the same font size (± 2 %)"),
    share("color_ink", "share of the page's ink in the same colour"),
    share("background_ink", "share of the page's ink on the same background"),
)
_SAME_LEFT, _SAME_WIDTH, _SAME_FONT = 0.01, 0.02, 0.02


def proportion_features(rows: Rows, _: Columns) -> Columns:
    """Return the scale-free columns; NaN for an invisible block."""
    appearance = BlockAppearance(rows)
    geometry = appearance.geometry
    ink = _ink(rows)
    total = max(float(ink.sum()), 1e-9)
    page = rows.page
    boxed = page.block_level & (np.nan_to_num(geometry.box[:, 2]) > 0)
    element = geometry.box[np.maximum(page.nearest(boxed)[rows.node], 0)].astype(np.float64)
    left, width = element[:, 0] / appearance.page_width, element[:, 2] / appearance.page_width
    columns = {
        "ink_share": ink / total,
        "ink_of_largest": ink / max(float(ink.max(initial=0.0)), 1e-9),
        "ink_before": (np.cumsum(ink) - ink) / total,
        "element_x": left,
        "element_width": width,
        "element_center": (left + width / 2 - 0.5) / 0.5,
        "column_ink": nearby_sums(left, ink, _SAME_LEFT) / total,
        "width_ink": nearby_sums(width, ink, _SAME_WIDTH) / total,
        "font_ink": nearby_sums(np.log(np.maximum(appearance.font, 1e-3)), ink, _SAME_FONT) / total,
        "color_ink": _same_value_sums(appearance.color, ink) / total,
        "background_ink": _same_value_sums(appearance.background, ink) / total,
    }
    return {name: np.where(appearance.shown, column, np.nan) for name, column in columns.items()}


def _ink(rows: Rows) -> FloatArray:
    """Return the length of the lines times their font size; line boxes have heights in whole pixels."""
    page, geometry = rows.page, rows.page.geometry
    assert geometry is not None
    row_of_node = np.full(len(page), -1, dtype=np.int32)
    row_of_node[page.leaves] = rows.leaf_row
    row = row_of_node[geometry.line_node]
    length = np.maximum(geometry.line_box[:, 2], 0).astype(np.float64)
    area = length * geometry.font_size[geometry.line_node]
    return np.bincount(row[row >= 0], weights=area[row >= 0], minlength=len(rows)).astype(np.float64)


def _same_value_sums(values: NDArray[np.uint32], ink: FloatArray) -> FloatArray:
    if not len(values):
        return np.zeros(0)
    _, group = np.unique(values, return_inverse=True)
    return np.bincount(group, weights=ink).astype(np.float64)[group]


GROUP = ColumnGroup(name="proportion", columns=COLUMNS, measure=proportion_features, needs_geometry=True)
