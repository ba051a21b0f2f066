"""Appearance of the blocks of a rendered page, relative to its body text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, prefix_sums
from ..rows import Rows


class BlockAppearance:
    """Blocks of a rendered page, and the appearance of its body text."""

    def __init__(self, rows: Rows) -> None:
        geometry = rows.page.geometry
        assert geometry is not None
        self.rows = rows
        self.geometry = geometry
        self.page_width = max(geometry.size[0], 1.0)
        self.page_height = max(geometry.size[1], 1.0)
        self.box = rows.box.astype(np.float64)
        self.shown = np.isfinite(self.box[:, 0])
        self.weight = np.where(self.shown, rows.words, 0.0)
        #: The leaf with most words determines the font and colour of its block.
        self.leaf = self._chief_leaves()
        node = rows.page.leaves[self.leaf] if len(rows) else np.zeros(0, dtype=np.int32)
        self.font = geometry.font_size[node].astype(np.float64)
        self.bold = geometry.font_weight[node] >= 600
        self.color = geometry.color[node]
        self.background = _effective_background(rows)
        long = self.weight * (1 - rows.link_density) + 1e-9
        self.body_font = max(_weighted_mode(self.font, long, 16.0), 1.0)
        self.body_bold = bool(_weighted_mode(self.bold.astype(np.float64), long, 0.0))
        self.body_color = _weighted_mode(self.color, long, 0)
        self.body_background = _weighted_mode(self.background, long, 0)
        self.line = 1.2 * self.body_font

    def _chief_leaves(self) -> NDArray[np.int64]:
        inside = np.flatnonzero(self.rows.leaf_row >= 0)
        order = inside[np.lexsort((-self.rows.leaf_words[inside], self.rows.leaf_row[inside]))]
        _, first = np.unique(self.rows.leaf_row[order], return_index=True)
        return order[first]


def _weighted_mode(values: NDArray[np.generic], weight: FloatArray, empty: float) -> float:
    if not len(values):
        return empty
    distinct, group = np.unique(values, return_inverse=True)
    return float(distinct[np.argmax(np.bincount(group, weights=weight))])


def _effective_background(rows: Rows) -> NDArray[np.uint32]:
    """Return the background of the nearest ancestor that has one, else white, uint32 (rows,)."""
    page, geometry = rows.page, rows.page.geometry
    assert geometry is not None
    painted = page.nearest((geometry.background & 0xFF) >= 0x80)[rows.node]
    return np.where(painted >= 0, geometry.background[painted], np.uint32(0xFFFFFFFF))


def lightness(color: NDArray[np.uint32]) -> FloatArray:
    """Return the lightness of colours (rgba, 8 bits each), 0 to 1."""
    red, green, blue = color >> 24 & 0xFF, color >> 16 & 0xFF, color >> 8 & 0xFF
    lightness: FloatArray = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255.0
    return lightness


def nearby_sums(values: FloatArray, weight: FloatArray, tolerance: FloatArray | float) -> FloatArray:
    """Return for each value the weight of all values within its tolerance; NaN stays NaN."""
    known = np.isfinite(values)
    order = np.argsort(values[known], kind="stable")
    ordered = values[known][order]
    total = prefix_sums(weight[known][order])
    margin = np.broadcast_to(tolerance, values.shape)[known]
    low = np.searchsorted(ordered, values[known] - margin, side="left")
    high = np.searchsorted(ordered, values[known] + margin, side="right")
    sums = np.full(len(values), np.nan)
    sums[known] = total[high] - total[low]
    return sums
