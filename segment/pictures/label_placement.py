"""Placement of labels in a picture: they cover neither text nor each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...page.arrays import FloatArray

#: Pixels between a label and its block.
_GAP = 2
#: Greatest distance of a label from its block, and the step of the search.
_FAR, _STEP = 160, 8


class LabelPlacer:
    """Occupied pixels of a picture, which labels must not cover; boxes are ``[left, top, right, bottom]``."""

    def __init__(self, size: tuple[int, int], occupied: FloatArray) -> None:
        self._width, self._height = size
        self._occupied = np.zeros((size[1], size[0]), dtype=bool)
        edges = np.concatenate([np.floor(occupied[:, :2]), np.ceil(occupied[:, 2:])], axis=1)
        for left, top, right, bottom in np.clip(np.nan_to_num(edges), 0, None).astype(int).tolist():
            self._occupied[top:bottom, left:right] = True

    def place(self, box: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, int] | None:
        """Occupy a free position near a box ``left, top, right, bottom``; return its left top corner, None for none."""
        return self._first_free(_candidates(box, size), size)

    def occupy(self, position: tuple[int, int], size: tuple[int, int]) -> bool:
        """Occupy a position if it is free; return whether it was."""
        return self._first_free([position], size) is not None

    def _first_free(self, positions: Iterable[tuple[int, int]], size: tuple[int, int]) -> tuple[int, int] | None:
        for x, y in positions:
            if self._free(x, y, *size):
                self._occupied[y : y + size[1], x : x + size[0]] = True
                return x, y
        return None

    def _free(self, x: int, y: int, width: int, height: int) -> bool:
        if x < 0 or y < 0 or x + width > self._width or y + height > self._height:
            return False
        return not self._occupied[y : y + height, x : x + width].any()


def _candidates(box: tuple[float, float, float, float], size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield positions next to the upper corners, on the upper edge, in the corners, then at increasing distance."""
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
