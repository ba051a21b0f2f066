"""Lines of text as high as their font size, whatever the zoom.

Chromium rounds the ascent and the descent of a font, and the leading above a line, to whole pixels of the screen. The
heights of lines, and the gaps between them, are then not proportional to the zoom, and a decision next to a limit may
differ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray
from ...page.page import Page
from ..visible_boxes import VisibleBoxes

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
