"""LabelPlacer for labels in a picture: they cover neither text nor each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...page.arrays import FloatArray

#: Pixels between a label and what it stands beside.
_GAP = 2
#: How far from its block a label is looked a place for, and the steps of that.
_FAR, _STEP = 160, 8


class LabelPlacer:
    """Which pixels of a picture are taken.

    Parameters
    ----------
    size : tuple of int
        Width and height.
    taken : float64 (boxes, 4)
        ``[left, top, right, bottom]`` of what labels must not cover.
    """

    def __init__(self, size: tuple[int, int], taken: FloatArray) -> None:
        self._width, self._height = size
        self._taken = np.zeros((size[1], size[0]), dtype=bool)
        edges = np.concatenate([np.floor(taken[:, :2]), np.ceil(taken[:, 2:])], axis=1)
        for left, top, right, bottom in np.clip(np.nan_to_num(edges), 0, None).astype(int).tolist():
            self._taken[top:bottom, left:right] = True

    def place(self, box: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, int] | None:
        """Find a free place for a label near a block, and take it.

        Parameters
        ----------
        box : tuple of float
            ``left, top, right, bottom`` of the block.
        size : tuple of int
            Width and height of the label.

        Returns
        -------
        (int, int) or None
            Left and top; None where there is no room in reach.
        """
        for x, y in _candidates(box, size):
            if self._free(x, y, *size):
                self._taken[y : y + size[1], x : x + size[0]] = True
                return x, y
        return None

    def place_along(
        self, box: tuple[float, float, float, float], size: tuple[int, int], *, level: bool
    ) -> tuple[int, int] | None:
        """Find a free place on a stripe, first in its middle, and take it."""
        for share in (0.5, 0.3, 0.7, 0.1, 0.9):
            across, down = (share, 0.5) if level else (0.5, share)
            x = round(box[0] + (box[2] - box[0]) * across - size[0] / 2)
            y = round(box[1] + (box[3] - box[1]) * down - size[1] / 2)
            if self._free(x, y, *size):
                self._taken[y : y + size[1], x : x + size[0]] = True
                return x, y
        return None

    def _free(self, x: int, y: int, width: int, height: int) -> bool:
        if x < 0 or y < 0 or x + width > self._width or y + height > self._height:
            return False
        return not self._taken[y : y + height, x : x + width].any()


def _candidates(box: tuple[float, float, float, float], size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield places beside the upper corners, on the upper edge, in the corners, and then ever farther around."""
    left, top, right, bottom = (round(value) for value in box)
    width, height = size
    yield left - width - _GAP, top
    yield right + _GAP, top
    yield left, top - height - _GAP
    yield right - width, top - height - _GAP
    yield left + _GAP, top + _GAP
    yield right - width - _GAP, top + _GAP
    yield left + _GAP, bottom - height - _GAP
    yield right - width - _GAP, bottom - height - _GAP
    yield left, bottom + _GAP
    for x in range(left, right - width, max((right - left) // 8, 1)):
        yield x, top - height - _GAP
        yield x, top + _GAP
    for far in range(_STEP, _FAR, _STEP):
        for x, y in ((left - width - far, top), (right + far, top), (left, top - height - far), (left, bottom + far)):
            yield x, y
            yield x + far, y
            yield x, y + far
