"""Cells of table rows that are records: their values by the headers of their columns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...page.page import Page
from ...page.tables import Cell, html_tables
from ...segment.record_groups import RecordGroup, Span
from .record import FIELDS

#: Header cells of a row from which on they name columns, and most characters of a name.
_FEWEST, _LONGEST = 2, 60
#: Keys of a record that no column has as its name.
RESERVED = frozenset(
    (*FIELDS, "html", "quotes", "records", "box", "selector", "set", "kind", "type", "number", "depth", "page", "url")
)


class RowCells:
    """The cells of a page's tables by their row, with the headers of their columns."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def of(self, group: RecordGroup, span: Span) -> Iterator[tuple[str, Cell]]:
        """Yield the cells of a record that is one row below a row of headers, each with its header ("" for none)."""
        first, end = span
        if group.tag == "tr" and end == self.page.end[first]:
            yield from self._named.get(first, ())

    @cached_property
    def _named(self) -> dict[int, list[tuple[str, Cell]]]:
        named: dict[int, list[tuple[str, Cell]]] = {}
        for grid in html_tables(self.page):
            rows: dict[int, list[Cell]] = {}
            for cell in grid.cells:
                rows.setdefault(cell.row, []).append(cell)
            headers: dict[int, str] = {}
            for cells in rows.values():
                if self._names_columns(cells):
                    headers |= {
                        column: cell.text for cell in cells for column in range(cell.column, cell.column + cell.colspan)
                    }
                elif headers:
                    row = int(self.page.parent[cells[0].node])
                    named[row] = [(self._name(headers, cell), cell) for cell in cells]
        return named

    def _names_columns(self, cells: list[Cell]) -> bool:
        row = int(self.page.parent[cells[0].node])
        if self.page.tag_of(int(self.page.parent[row])) != "thead" and not all(
            cell.header or not cell.text for cell in cells
        ):
            return False
        return sum(bool(cell.text) for cell in cells) >= _FEWEST

    def _name(self, headers: dict[int, str], cell: Cell) -> str:
        name = headers.get(cell.column, "")
        return name if len(name) <= _LONGEST and name not in RESERVED else ""
