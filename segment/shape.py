"""Shapes of elements (tag paths below them), and whether two elements have the same template."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn
from ..page.page import Page

#: Levels below an element that are its shape; share of the smaller shape that two elements of one template share.
_LEVELS, _SAME_TEMPLATE = 3, 0.6

Shape = frozenset[int]


class Shapes:
    """Tag paths of the levels below each element; ``counted`` marks the nodes that belong to shapes, texts never do."""

    def __init__(self, page: Page, counted: BoolColumn) -> None:
        rows = np.flatnonzero(counted & (page.parent >= 0) & (page.text < 0))
        owner: NDArray[np.signedinteger] = rows
        path = np.zeros(len(rows), dtype=np.int64)
        owners, paths = [], []
        for _ in range(_LEVELS):
            path = (path + page.tag[owner] + 1) * np.int64(1_000_003)
            owner = page.parent[owner]
            inside = owner >= 0
            owner, path = owner[inside], path[inside]
            owners.append(owner)
            paths.append(path)
        below, path = np.concatenate(owners), np.concatenate(paths)
        order = np.lexsort((path, below))
        below, path = below[order], path[order]
        new = np.ones(len(below), dtype=bool)
        new[1:] = (np.diff(below) != 0) | (np.diff(path) != 0)
        self._paths = path[new].tolist()
        self._start = np.searchsorted(below[new], np.arange(len(page) + 1)).tolist()
        self._known: dict[int, Shape] = {}

    def of(self, row: int) -> Shape:
        """Return the tag paths below an element."""
        shape = self._known.get(row)
        if shape is None:
            shape = self._known[row] = frozenset(self._paths[self._start[row] : self._start[row + 1]])
        return shape


def same_template(one: Shape, other: Shape) -> bool:
    """Return whether most of the smaller of two shapes is in the other."""
    if not one or not other:
        return not one and not other
    return len(one & other) >= _SAME_TEMPLATE * min(len(one), len(other))
