"""Whether two pictures of a text, with it and without it, differ by something that can be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Red, green, blue from 0 to 255: int16 (height, width, 3).
Picture = NDArray[np.int16]

#: A letter's edge is a change of at least so many levels within so many pixels.
EDGE, _REACH = 10, 2
#: A line of text has so much of its area in edges, over such a height in pixels and such a share of its width.
AREA, HEIGHT, WIDTH = 0.015, 4, 0.2
#: A stretch of a line in which nothing can be read is no space between words if it has so many times the line's height.
GAP = 2.5


def legible(before: Picture, after: Picture, box: Sequence[float], *, letters: bool = True) -> bool:
    """Return whether something that can be read is in a box of the one picture and not of the other.

    Parameters
    ----------
    before, after : int16 (height, width, 3)
    box : sequence of float
        left, top, right, bottom in pixels.
    letters : bool
        Whether there should be letters or digits; points and dashes are lower, and fill less of their line.
    """
    found = edges(before, after, box)
    if found is None:
        return False
    if not letters:
        return bool(found.any())
    rows, columns = np.flatnonzero(found.any(axis=1)), np.flatnonzero(found.any(axis=0))
    if found.sum() < AREA * found.size or len(columns) < WIDTH * found.shape[1]:
        return False
    # The edge below a letter lies below it.
    return bool(len(rows)) and int(rows[-1] - rows[0]) + 1 - _REACH >= HEIGHT


def edges(before: Picture, after: Picture, box: Sequence[float]) -> NDArray[np.bool_] | None:
    """bool (height, width): where in a box of two pictures something with edges came or went; None outside of them."""
    high, wide = before.shape[:2]
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), wide), min(int(np.ceil(box[3])), high)
    if right <= left or bottom - top < HEIGHT:
        return None
    change = before[top:bottom, left:right] - after[top:bottom, left:right]
    # A veil changes everything alike; letters have edges.
    found = np.zeros((bottom - top, right - left), dtype=bool)
    # Colour by colour: NumPy is slow along an axis of three.
    for color in np.moveaxis(change, 2, 0):
        found[:, _REACH:] |= np.abs(color[:, _REACH:] - color[:, :-_REACH]) >= EDGE
        found[_REACH:, :] |= np.abs(color[_REACH:] - color[:-_REACH]) >= EDGE
    return found


def is_partly_legible(before: Picture, after: Picture, box: Sequence[float]) -> bool:
    """Return whether some of a line can be read, and a good stretch of it cannot."""
    found = edges(before, after, box)
    if found is None or not found.any():
        return False
    columns = np.flatnonzero(found.any(axis=0))
    gaps = np.diff(np.concatenate([[-1], columns, [found.shape[1]]])) - 1
    return bool(gaps.max() >= GAP * found.shape[0])
