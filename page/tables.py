"""Tables as grids of cells with row and column spans and bounding boxes (HTML Standard, "Forming a table")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

from .page import Page

#: Maximum spans (HTML Standard).
MAX_COLUMNS, MAX_ROWS = 1_000, 65_534

#: Least number of texts of a row with the names of columns.
_NAMED = 2
#: Most columns that one header names: a span over more is no header of each.
_MOST_NAMED = 100
#: Most characters of a cell that is one of the rows below as well, and of all such cells in all rows of a table.
_LONGEST_ABOVE, _MOST_ABOVE = 200, 100_000

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table.

    Attributes
    ----------
    node : int
        Row of its element in the page.
    row, column : int
        Its upper left slot in the grid, from 0.
    rowspan, colspan : int
        Number of rows and columns that it covers; never beyond its row group.
    header : bool
        Whether it is a ``th``.
    box : tuple of float or None
        ``(x, y, width, height)`` in CSS pixels of the document; None without layout.
    text : str
        Text with white space collapsed.
    """

    node: int
    row: int
    column: int
    rowspan: int
    colspan: int
    header: bool
    box: Box | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One table as a grid of slots.

    Attributes
    ----------
    node : int
        Row of the ``table`` element.
    rows, columns : int
        Size of the grid.
    box : tuple of float or None
    cells : tuple of Cell
        In document order; a nested table is a separate grid.
    """

    node: int
    rows: int
    columns: int
    box: Box | None
    cells: tuple[Cell, ...]


def html_tables(page: Page) -> tuple[Grid, ...]:
    """Return the tables of a page (``table`` elements) in document order, nested tables after their outer table."""
    owner = page.nearest(page.has_tag("table"))
    rows_of: dict[int, list[int]] = {}
    for row in page.has_tag("tr").nonzero()[0].tolist():
        if owner[row] >= 0:
            rows_of.setdefault(int(owner[row]), []).append(row)
    cells_of: dict[int, list[int]] = {}
    for row in page.has_tag("td", "th").nonzero()[0].tolist():
        cells_of.setdefault(int(page.parent[row]), []).append(row)
    return tuple(
        _table(page, node, rows_of.get(node, []), cells_of) for node in page.has_tag("table").nonzero()[0].tolist()
    )


def headed_rows(page: Page) -> dict[int, tuple[tuple[str, Cell], ...]]:
    """Return the cells of rows below the names of columns, by the node of the row, each with that name, "" for none.

    A row of ``thead``, or of header cells alone, with two texts or more has names; the last one above a row counts. The
    cells of a row are in the order of their columns, with those of rows above that cover it.

    >>> from .parse import parse
    >>> page = parse("<table><tr><th>Day<th>High water<tr><td>Monday<td>9:40</table>")
    >>> [[(name, cell.text) for name, cell in row] for row in headed_rows(page).values()]
    [[('Day', 'Monday'), ('High water', '9:40')]]
    """
    headed: dict[int, tuple[tuple[str, Cell], ...]] = {}
    for grid in html_tables(page):
        rows: dict[int, list[Cell]] = {}
        for cell in grid.cells:
            rows.setdefault(cell.row, []).append(cell)
        names: dict[int, str] = {}
        above, characters = list[Cell](), 0
        for number, cells in rows.items():
            row = int(page.parent[cells[0].node])
            above = [cell for cell in above if cell.row + cell.rowspan > number and characters <= _MOST_ABOVE]
            characters += sum(len(cell.text) + 1 for cell in above)
            if _names_columns(page, row, cells):
                for cell in cells:
                    covered = range(cell.column, cell.column + min(cell.colspan, _MOST_NAMED))
                    names |= dict.fromkeys(covered, cell.text)
                continue
            if names:
                ordered = sorted([*above, *cells], key=lambda cell: cell.column) if above else cells
                headed[row] = tuple((names.get(cell.column, ""), cell) for cell in ordered)
            above += [cell for cell in cells if cell.rowspan > 1 and len(cell.text) <= _LONGEST_ABOVE]
    return headed


def _names_columns(page: Page, row: int, cells: list[Cell]) -> bool:
    above = int(page.parent[row])
    in_head = above >= 0 and page.tag_of(above) == "thead"
    headers = in_head or all(cell.header or not cell.text for cell in cells)
    return headers and sum(bool(cell.text) for cell in cells) >= _NAMED


def _table(page: Page, node: int, rows: list[int], cells_of: dict[int, list[int]]) -> Grid:
    cells = tuple(_place_cells(page, rows, cells_of))
    columns = max((cell.column + cell.colspan for cell in cells), default=0)
    return Grid(node=node, rows=len(rows), columns=columns, box=_box(page, node), cells=cells)


def _place_cells(page: Page, rows: list[int], cells_of: dict[int, list[int]]) -> Iterator[Cell]:
    # Number of rows for which each column is still covered by a cell above.
    covered: dict[int, int] = {}
    ends = _group_ends(page, rows)
    for index, row in enumerate(rows):
        column = 0
        started: dict[int, int] = {}
        for node in cells_of.get(row, []):
            while covered.get(column, 0) > 0:
                column += 1
            attributes = page.attributes_of(node)
            colspan = min(_parse_number(attributes.get("colspan", ""), 1) or 1, MAX_COLUMNS)
            left = ends[index] - index
            rowspan = min(_parse_number(attributes.get("rowspan", ""), 1) or left, MAX_ROWS, left)
            yield Cell(
                node=node,
                row=index,
                column=column,
                rowspan=rowspan,
                colspan=colspan,
                header=page.tag_of(node) == "th",
                box=_box(page, node),
                text=_text(page, node),
            )
            if rowspan > 1:
                started |= dict.fromkeys(range(column, column + colspan), rowspan)
            column += colspan
        covered = {column: count - 1 for column, count in covered.items() if count > 1}
        covered |= {column: count - 1 for column, count in started.items() if count > 1}


def _group_ends(page: Page, rows: list[int]) -> list[int]:
    """Return the number of the row after the row group (``thead``, ``tbody``) of each row, where cells end."""
    ends = [len(rows)] * len(rows)
    for index in range(len(rows) - 2, -1, -1):
        ends[index] = ends[index + 1] if page.parent[rows[index]] == page.parent[rows[index + 1]] else index + 1
    return ends


def _parse_number(value: str, default: int) -> int:
    digits = value.strip()
    return int(digits[:6]) if digits.isascii() and digits.isdigit() else default


def _box(page: Page, node: int) -> Box | None:
    if page.geometry is None:
        return None
    x, y, width, height = page.geometry.box[node].tolist()
    return None if isnan(x) else (x, y, width, height)


def _text(page: Page, node: int) -> str:
    first, last = page.leaf_range[node].tolist()
    return " ".join(" ".join(page.leaf_texts[first:last]).split())
