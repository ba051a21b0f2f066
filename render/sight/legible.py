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
    high, wide = before.shape[:2]
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), wide), min(int(np.ceil(box[3])), high)
    if right <= left or bottom - top < HEIGHT:
        return False
    change = (before[top:bottom, left:right] - after[top:bottom, left:right]).astype(np.int32)
    # A veil changes everything alike; letters have edges.
    edges = np.zeros((bottom - top, right - left), dtype=bool)
    edges[:, _REACH:] = np.abs(change[:, _REACH:] - change[:, :-_REACH]).max(axis=2, initial=0) >= EDGE
    edges[_REACH:, :] |= np.abs(change[_REACH:] - change[:-_REACH]).max(axis=2, initial=0) >= EDGE
    if not letters:
        return bool(edges.any())
    rows, columns = np.flatnonzero(edges.any(axis=1)), np.flatnonzero(edges.any(axis=0))
    if edges.sum() < AREA * edges.size or len(columns) < WIDTH * edges.shape[1]:
        return False
    # The edge below a letter lies below it.
    return bool(len(rows)) and int(rows[-1] - rows[0]) + 1 - _REACH >= HEIGHT
