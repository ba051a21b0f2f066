"""Shapes of elements (tag paths below them), their class names, and whether two have the same template."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..page import arrays
from ..page.arrays import BoolColumn, prefix_sums
from ..page.page import Page

#: Levels below an element that are its shape; share of the smaller shape that two elements of one template share.
_LEVELS, _SAME_TEMPLATE = 3, 0.6
#: Bits of a path with its element, an odd number that spreads the bits of a path, and half of its bits.
_BITS, _ODD, _HALF = 62, np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
#: Cells of a row are columns, which may share a class name; only their shape counts.
CELLS = frozenset(("td", "th"))
#: Share of common class names of two siblings of one kind; of common tag paths; the same if only one of them has a
#: class name.
_SAME_NAMES, _SAME_PATHS, _SAME_PATHS_UNNAMED = 0.5, 0.5, 0.7
#: Number of latest kinds that a sibling is compared with.
LATEST = 30
_LIMITS = np.asarray((_SAME_NAMES, _SAME_PATHS, _SAME_PATHS_UNNAMED, LATEST))

Shape = frozenset[int]
Names = frozenset[str]
#: Most values of attributes whose names are cached, and the longest of them: pages of a site have the same ones.
_MOST_KNOWN, _LONGEST_KNOWN = 1 << 14, 200
_DIGITS = re.compile(r"\d+")


class Shapes:
    """Tag paths of the levels below each element; ``counted`` marks the nodes that belong to shapes, texts never do."""

    def __init__(self, page: Page, counted: BoolColumn) -> None:
        rows = (counted & (page.parent >= 0) & (page.text < 0)).nonzero()[0]
        owner: NDArray[np.signedinteger] = rows
        # A path is a number with some bits a level, and the element around it more bits before them. Where a page has
        # so many tags that they do not fit, some paths are one.
        bits, path = np.int64(len(page.names).bit_length()), np.zeros(len(rows), dtype=np.int64)
        shift = np.int64(min(_LEVELS * int(bits), _BITS - len(page).bit_length()))
        inner = (np.int64(1) << shift) - 1
        found = []
        for _ in range(_LEVELS):
            path = ((path << bits) + page.tag[owner] + 1) & inner
            owner = page.parent[owner]
            inside = owner >= 0
            owner, path = owner[inside], path[inside]
            found.append((owner.astype(np.int64) << shift) + path)
        path = np.concatenate(found)
        path.sort()
        new = np.ones(len(path), dtype=bool)
        np.not_equal(path[1:], path[:-1], out=new[1:])
        path = path[new]
        #: The first path of each element and, as the last one, the number of all of them.
        self.start: NDArray[np.int64] = path.searchsorted(np.arange(len(page) + 1) << shift)
        #: All paths, those of each element in ascending order.
        self.paths: NDArray[np.int64] = path & inner
        mixed = self.paths.view(np.uint64) * _ODD
        sums = prefix_sums(((mixed ^ (mixed >> _HALF)) * _ODD).view(np.int64))[self.start]
        #: A number of each element's shape; two shapes have the same one by chance once in 2**64.
        self.numbers = (sums[1:] - sums[:-1]).data
        #: Number of tag paths below each element.
        self.sizes = (self.start[1:] - self.start[:-1]).data
        self._known: dict[int, Shape] = {}

    def of(self, row: int) -> Shape:
        """Return the tag paths below an element."""
        shape = self._known.get(row)
        if shape is None:
            first, last = self.start[row : row + 2].tolist()
            shape = self._known[row] = frozenset(self.paths[first:last].tolist())
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


class ClassNames(dict[int, Names]):
    """Class names by the index of the attribute's value (known ones cost no call of Python), and who has them.

    ``rows`` are the elements that are numbered by their names, and found by them.
    """

    def __init__(self, page: Page, rows: NDArray[np.signedinteger]) -> None:
        super().__init__({-1: frozenset()})
        self._strings, self._rows = page.strings, rows
        codes = [*set(page.attribute("class")[rows].tolist())]
        self._number = number = dict[Names, int]()
        numbers = np.zeros(len(page.strings) + 1, dtype=np.int64)
        # The last one is for elements without class names.
        numbers[codes] = [number.setdefault(self[code], len(number)) for code in codes]
        #: int64 (nodes,): a number of each element's names.
        self.numbers: NDArray[np.int64] = numbers[page.attribute("class")]

    def __missing__(self, code: int) -> Names:
        names = self[code] = class_names(self._strings[code])
        return names

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of the names with each number, and the hashes of all names, ascending for each number."""
        hashes = [*map(_hashes, self._number)]
        start = np.zeros(len(hashes) + 1, dtype=np.int64)
        np.cumsum([*map(len, hashes)], out=start[1:])
        return start // 8, np.frombuffer(b"".join(hashes), dtype=np.int64)

    @cached_property
    def _by_number(self) -> tuple[NDArray[np.signedinteger], list[int]]:
        """The rows by the number of their names, in ascending order each, and where those of each number start."""
        numbers = self.numbers[self._rows]
        return self._rows[numbers.argsort(kind="stable")], [0, *np.bincount(numbers).cumsum().tolist()]

    @cached_property
    def _having(self) -> dict[str, list[Names]]:
        """The sets of names that have a name."""
        having = defaultdict[str, list[Names]](list)
        for names in self._number:
            for name in names:
                having[name].append(names)
        return having

    def rows_named(self, names: Names, first: int, last: int) -> list[int]:
        """Return the rows in ``[first, last)`` that have all of some names, those with the same names together."""
        found, (ordered, starts) = list[int](), self._by_number
        for one in min((self._having[name] for name in names), key=len):
            if names <= one:
                number = self._number[one]
                rows = ordered[starts[number] : starts[number + 1]].tolist()
                found += rows[bisect_left(rows, first) : bisect_left(rows, last)]
        return found


@lru_cache(_MOST_KNOWN)
def _hashes(names: Names) -> bytes:
    """Return the hashes of names in ascending order; two names have the same one by chance once in 2**64."""
    return np.asarray(sorted(map(hash, names)), dtype=np.int64).tobytes()


#: Tag, shape and class names of the first of some siblings, and their rows.
Kind = tuple[str, Shape, Names, list[int]]


def kind_of(kinds: list[Kind], first: int, tag: str, shape: Shape, names: Names) -> int:
    """Return the index, from ``first`` on, of the first kind that an element fits; the number of kinds for none."""
    for index in range(first, len(kinds)):
        if kinds[index][0] == tag and same_kind(kinds[index], shape, names):
            return index
    return len(kinds)


def same_kind(kind: Kind, shape: Shape, names: Names) -> bool:
    """Return whether an element with the tag of some siblings has most of their class names or of their shape."""
    shared, total = len(kind[2] & names), len(kind[2] | names)
    if total and kind[0] not in CELLS:
        # If only one of the two has a class name, more of the shape must be the same.
        least = _SAME_PATHS if shared > 0 or bool(kind[2]) == bool(names) else _SAME_PATHS_UNNAMED
        return shared >= _SAME_NAMES * total or shapes_overlap(kind[1], shape, least)
    return shapes_overlap(kind[1], shape)


def shapes_overlap(one: Shape, other: Shape, least: float = _SAME_PATHS) -> bool:
    """Return whether two shapes share at least some of all their paths, by default half."""
    return one == other or len(one & other) >= least * len(one | other)


def sibling_kinds(
    page: Page, rows: NDArray[np.signedinteger], shapes: Shapes, names: ClassNames
) -> NDArray[np.int64] | None:
    """Return the number of each sibling's kind, those of each parent one after the other; None without a compiler.

    Each is that of :func:`kind_of` for the kinds before it, of which the latest are compared.
    """
    if arrays.compiled is None:
        return None
    siblings = np.empty((4, len(rows)), dtype=np.int64)
    siblings[0], siblings[1], siblings[2], tag = page.parent[rows], rows, names.numbers[rows], page.tag[rows]
    siblings[3] = np.where(page.has_name(tag, *CELLS), ~tag, tag)
    kinds, memory = np.empty((2, len(rows)), dtype=np.int64)
    arrays.compiled.kinds(siblings, shapes.start, shapes.paths, *names.columns(), _LIMITS, memory, kinds)
    return kinds
