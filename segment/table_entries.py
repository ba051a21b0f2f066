"""Entries of a table that are several rows each: the title in one row, by whom and when in the next one."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn
from ..page.page import Page
from .shape import CELLS, class_names

Span = tuple[int, int]
Layout = tuple[tuple[object, ...], ...]

#: Most rows of one entry, least number of entries and of those of many rows, and least share of the rows in entries.
_LONGEST, _FEWEST, _FEWEST_LONG, _MOST = 4, 3, 2, 0.8
#: Rows from which on an entry is one of many; most header cells above entries: each row below more is a record.
_MANY, _COLUMNS = 3, 2
#: Attributes that old tables give to the cells of one row of an entry.
_LOOKS = ("colspan", "rowspan", "height", "valign", "nowrap")


class TableEntries:
    """Finds the entries of the tables of one page; ``counted``, bool (nodes,), marks elements with visible content."""

    def __init__(self, page: Page, counted: BoolColumn) -> None:
        self.page, self.counted = page, counted

    @cached_property
    def _cells(self) -> NDArray[np.intp]:
        """The nodes of all cells, ascending."""
        return self.page.has_tag(*CELLS).nonzero()[0]

    def of(self, rows: list[int]) -> list[Span]:
        """Return the entries of sibling table rows with content, as nodes [first, end); none if each row is a record.

        The rows of an entry differ in which cells are empty or span columns, or in how their cells are made.
        """
        if len(rows) < 2 * _FEWEST:
            return []
        layouts = self._layouts(rows)
        headers = [sum(cell[0] == "th" for cell in layout) for layout in layouts]
        if headers[0] > _COLUMNS or max(headers[1:]) >= _COLUMNS:
            return []
        first, length, count = _repeated(layouts)
        if count < (_FEWEST_LONG if length >= _MANY else _FEWEST) or length * count < _MOST * headers.count(0):
            return []
        end = self.page.end
        starts = range(first, first + count * length, length)
        return [(rows[start], int(end[rows[start + length - 1]])) for start in starts]

    def _layouts(self, rows: list[int]) -> list[Layout]:
        """Return the cells of each row: tag, columns that it spans as written, whether it is empty, and its look.

        Class names that all cells of a row share tell odd rows from even ones, and are no part of the look.
        """
        page = self.page
        classes, *looks = (page.attribute(name) for name in ("class", *_LOOKS))
        first, last = np.searchsorted(self._cells, (rows[0], page.end[rows[-1]]))
        cells: dict[int, list[int]] = {row: [] for row in rows}
        for cell in self._cells[first:last].tolist():
            if (row := int(page.parent[cell])) in cells:
                cells[row].append(cell)
        layouts = list[Layout]()
        for some in cells.values():
            names = [class_names(page.strings[code] if code >= 0 else "") for code in classes[some].tolist()]
            shared, seen = frozenset[str]().union(*names).intersection(*names), self.counted[some].tolist()
            written = zip(*(look[some].tolist() for look in looks), strict=True)
            own = (name - shared for name in names)
            layouts.append(tuple(zip(map(page.tag_of, some), seen, written, own, strict=True)))
        return layouts


def _repeated(layouts: list[Layout]) -> tuple[int, int, int]:
    """Return the first row, the length and the repetitions of the pattern of different layouts with most rows."""
    best = (0, 0, 0)
    for length in range(2, _LONGEST + 1):
        for first in range(min(2 * length, len(layouts) - length)):
            pattern, count = layouts[first : first + length], 1
            while layouts[first + count * length : first + (count + 1) * length] == pattern:
                count += 1
            if len(set(pattern)) == length and count * length > best[1] * best[2]:
                best = (first, length, count)
    return best
