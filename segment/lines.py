"""Lines of text in the flow of a page, and how far down its text leaves are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from .visible_boxes import visible_boxes

#: Gap in line heights between pieces of one line from which they belong to different columns.
COLUMN_GAP = 2.0


def flow_lines(boxes: FloatArray, block: IntColumn) -> IntColumn:
    """Return the number of the text line of each box ``[x, y, width, height]``, over all blocks from 0, int32 (boxes,).

    Boxes are in document order. A box continues the line of the previous box of its block if the two overlap by more
    than half of the smaller height. A new line starts where text continues at the top of the next column.
    """
    order = np.argsort(block, kind="stable")
    top, height = boxes[order, 1], boxes[order, 3]
    bottom = top + height
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    same = (block[order][1:] == block[order][:-1]) & (shared > np.minimum(height[1:], height[:-1]) / 2)
    line = np.zeros(len(order), dtype=np.int32)
    line[order[1:]] = np.cumsum(~same)
    return line


def depths(page: Page) -> FloatArray:
    """Return how far down the first visible line of each leaf is, as a share of the page's height, float64 (leaves,).

    NaN for leaves without a visible line, and without geometry.
    """
    top = np.full(len(page.leaves), np.inf)
    if page.geometry is not None:
        visible = visible_boxes(page)
        np.minimum.at(top, visible.leaf, visible.line[:, 1])
        top /= page.geometry.size[1]
    return np.where(np.isfinite(top), top, np.nan)


def running_maximum(values: FloatArray, group: IntColumn | NDArray[np.int64]) -> FloatArray:
    """Return the running maximum within each group; groups are contiguous and numbered in ascending order."""
    span = float(np.ptp(values)) + 1.0
    running: FloatArray = np.maximum.accumulate(values + group * span) - group * span
    return running
