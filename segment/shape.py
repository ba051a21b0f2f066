"""Shapes of elements (tag paths below them), their class names, and whether two have the same template."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn
from ..page.page import Page

#: Levels below an element that are its shape; share of the smaller shape that two elements of one template share.
_LEVELS, _SAME_TEMPLATE = 3, 0.6

Shape = frozenset[int]
Names = frozenset[str]
#: Most values of attributes whose names are cached, and the longest of them: pages of a site have the same ones.
_MOST_KNOWN, _LONGEST_KNOWN = 1 << 14, 200
_DIGITS = re.compile(r"\d+")


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
        # Of sorted owners each row's first path follows those of all rows before.
        start = np.zeros(len(page) + 1, dtype=np.int64)
        np.cumsum(np.bincount(below[new], minlength=len(page)), out=start[1:])
        #: The tag paths below each element, by its row.
        self.by_row = _ShapesByRow(path[new].tolist(), start.tolist())

    def of(self, row: int) -> Shape:
        """Return the tag paths below an element."""
        return self.by_row[row]


class _ShapesByRow(dict[int, Shape]):
    """Shapes by row, of all paths and the start of each row's; known ones cost no call of Python."""

    def __init__(self, paths: list[int], start: list[int]) -> None:
        super().__init__()
        self._paths, self._start = paths, start

    def __missing__(self, row: int) -> Shape:
        shape = self[row] = frozenset(self._paths[self._start[row] : self._start[row + 1]])
        return shape


def same_template(one: Shape, other: Shape) -> bool:
    """Return whether most of the smaller of two shapes is in the other."""
    if not one or not other:
        return not one and not other
    return len(one & other) >= _SAME_TEMPLATE * min(len(one), len(other))


def class_names(written: str) -> Names:
    """Return the names in an attribute ``class``, digits as "#": "post-12" and "post-13" are one name."""
    return _known_names(written) if len(written) <= _LONGEST_KNOWN else _names_in(written)


def _names_in(written: str) -> Names:
    return frozenset(_DIGITS.sub("#", written.lower()).split())


_known_names = lru_cache(_MOST_KNOWN)(_names_in)


class NamesByCode(dict[int, Names]):
    """Class names by the index of the attribute's value; known ones cost no call of Python."""

    def __init__(self, page: Page) -> None:
        super().__init__({-1: frozenset()})
        self.page = page

    def __missing__(self, code: int) -> Names:
        names = self[code] = class_names(self.page.strings[code])
        return names
