"""Decide whether the difference of two screenshots, with a text and without it, is legible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..css_values import LEGIBLE_DIFFERENCE, visible_difference

#: Red, green, blue from 0 to 255: int16 (height, width, 3).
Picture = NDArray[np.int16]

#: An edge is a change of so many levels within so many pixels.
EDGE, _REACH = 10, 2
#: A line of text has this share of its area in edges, over this height in pixels and this share of its width.
AREA, HEIGHT, WIDTH = 0.015, 4, 0.3
#: A gap without edges is no space between words if it is so many times as wide as the line is high.
GAP = 2.5


def legible(before: Picture, after: Picture, box: Sequence[float], *, letters: bool = True) -> bool:
    """Return whether a difference of two pictures in a box is legible; with ``letters``, as high and broad as text."""
    found = edges(before, after, box)
    if found is None:
        return False
    if not letters:
        return bool(found.any())
    rows, columns = np.flatnonzero(found.any(axis=1)), np.flatnonzero(found.any(axis=0))
    if found.sum() < AREA * found.size or len(columns) < WIDTH * found.shape[1]:
        return False
    # The lower edge of a letter is below it.
    return bool(len(rows)) and int(rows[-1] - rows[0]) + 1 - _REACH >= HEIGHT


def edges(before: Picture, after: Picture, box: Sequence[float]) -> NDArray[np.bool_] | None:
    """Return the edges of the difference in a box, bool (height, width); None if the box is outside."""
    # Rounding at the edges of a part of the window may take a pixel of one of them.
    height, width = np.minimum(before.shape[:2], after.shape[:2]).tolist()
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), width), min(int(np.ceil(box[3])), height)
    if right <= left or bottom - top < HEIGHT:
        return None
    change = before[top:bottom, left:right] - after[top:bottom, left:right]
    visible = _is_visible(before[top:bottom, left:right], after[top:bottom, left:right], change)
    # A transparent layer changes all pixels alike; letters have edges.
    found = np.zeros((bottom - top, right - left), dtype=bool)
    # Color by color: NumPy is slow along an axis of three.
    for color in np.moveaxis(change, 2, 0):
        found[:, _REACH:] |= np.abs(color[:, _REACH:] - color[:, :-_REACH]) >= EDGE
        found[_REACH:, :] |= np.abs(color[_REACH:] - color[:-_REACH]) >= EDGE
    # Both ends of an edge count.
    near = visible.copy()
    near[:, _REACH:] |= visible[:, :-_REACH]
    near[_REACH:, :] |= visible[:-_REACH]
    return found & near


def _is_visible(before: Picture, after: Picture, change: Picture) -> NDArray[np.bool_]:
    """Return the pixels with a difference that the eye can see, bool (height, width)."""
    visible = np.asarray((np.abs(change) >= EDGE).any(axis=2))
    visible[visible] = visible_difference(before[visible], after[visible]) >= LEGIBLE_DIFFERENCE
    return visible


def is_partly_legible(before: Picture, after: Picture, box: Sequence[float]) -> bool:
    """Return whether some of a line is legible, and a long part of it is not."""
    found = edges(before, after, box)
    if found is None or not found.any():
        return False
    columns = np.flatnonzero(found.any(axis=0))
    gaps = np.diff(np.concatenate([[-1], columns, [found.shape[1]]])) - 1
    return bool(gaps.max() >= GAP * found.shape[0])
