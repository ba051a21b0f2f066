"""Tables as grids: which cell covers which rows and columns, and where it stands (HTML Standard, "Forming a table")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

from .page import Page

#: Spans beyond these are errors of the author (HTML Standard: 1,000 columns, 65,534 rows).
MOST_COLUMNS, MOST_ROWS = 1_000, 65_534

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell.

    Attributes
    ----------
    node : int
        Row of its element in the page.
    row, column : int
        Its upper left slot in the grid, from 0.
    rowspan, colspan : int
        How many slots it covers; never beyond the table's last row.
    header : bool
        Whether it is a ``th``.
    box : tuple of float or None
        ``(x, y, width, height)`` in CSS pixels of the document; None where the page knows of none.
    text : str
        White space collapsed.
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
        In document order; a table within a cell is a table of its own.
    """

    node: int
    rows: int
    columns: int
    box: Box | None
    cells: tuple[Cell, ...]


def html_tables(page: Page) -> tuple[Grid, ...]:
    """Find the tables of a page (``table`` elements), in document order, nested ones after those around them."""
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


def _table(page: Page, node: int, rows: list[int], cells_of: dict[int, list[int]]) -> Grid:
    cells = tuple(_placed(page, rows, cells_of))
    columns = max((cell.column + cell.colspan for cell in cells), default=0)
    return Grid(node=node, rows=len(rows), columns=columns, box=_box(page, node), cells=cells)


def _placed(page: Page, rows: list[int], cells_of: dict[int, list[int]]) -> Iterator[Cell]:
    #: How many more rows each column is covered from above.
    covered: dict[int, int] = {}
    for number, row in enumerate(rows):
        column = 0
        begun: dict[int, int] = {}
        for node in cells_of.get(row, []):
            while covered.get(column, 0) > 0:
                column += 1
            attributes = page.attributes_of(node)
            colspan = min(_number(attributes.get("colspan", ""), 1) or 1, MOST_COLUMNS)
            left = len(rows) - number
            rowspan = min(_number(attributes.get("rowspan", ""), 1) or left, MOST_ROWS, left)
            yield Cell(
                node=node,
                row=number,
                column=column,
                rowspan=rowspan,
                colspan=colspan,
                header=page.tag_of(node) == "th",
                box=_box(page, node),
                text=_text(page, node),
            )
            begun |= dict.fromkeys(range(column, column + colspan), rowspan)
            column += colspan
        covered = {column: more - 1 for column, more in covered.items() if more > 1}
        covered |= {column: more - 1 for column, more in begun.items() if more > 1}


def _number(written: str, default: int) -> int:
    digits = written.strip()
    return int(digits[:6]) if digits.isascii() and digits.isdigit() else default


def _box(page: Page, node: int) -> Box | None:
    if page.geometry is None:
        return None
    x, y, width, height = page.geometry.box[node].tolist()
    return None if isnan(x) else (x, y, width, height)


def _text(page: Page, node: int) -> str:
    first, last = page.leaf_range[node].tolist()
    return " ".join(" ".join(page.leaf_texts[first:last]).split())
