"""Entries of a table that are several rows each: the title in one row, by whom and when in the next one."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn
from ..page.page import Page
from .shape import CELLS

Span = tuple[int, int]
Layout = tuple[tuple[str, int, bool], ...]

#: Most rows of one entry, least number of entries, and least share of the rows of a table that are in entries.
_LONGEST, _FEWEST, _MOST = 4, 3, 0.8
#: Header cells of a row from which on it names columns: each row of the table is a record then.
_COLUMNS = 2


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

        The rows of an entry differ in which cells are empty or span columns.
        """
        if len(rows) < 2 * _FEWEST:
            return []
        layouts = self._layouts(rows)
        if any(sum(tag == "th" for tag, _, _ in layout) >= _COLUMNS for layout in layouts):
            return []
        first, length, count = _repeated(layouts)
        if count < _FEWEST or length * count < _MOST * len(rows):
            return []
        end = self.page.end
        starts = range(first, first + count * length, length)
        return [(rows[start], int(end[rows[start + length - 1]])) for start in starts]

    def _layouts(self, rows: list[int]) -> list[Layout]:
        """Return the tag of each cell of each row, the columns that it spans as written, and whether it is empty."""
        page, spans = self.page, self.page.attribute("colspan")
        first, last = np.searchsorted(self._cells, (rows[0], page.end[rows[-1]]))
        cells: dict[int, list[tuple[str, int, bool]]] = {row: [] for row in rows}
        for cell in self._cells[first:last].tolist():
            if (row := int(page.parent[cell])) in cells:
                cells[row].append((page.tag_of(cell), int(spans[cell]), bool(self.counted[cell])))
        return [tuple(cells[row]) for row in rows]


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
