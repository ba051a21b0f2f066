"""The grid of a table in clean HTML, with cells that span columns and rows."""

from __future__ import annotations

from lxml import etree

Element = etree._Element


def grid_of(table: Element) -> list[list[tuple[Element, bool]]]:
    """Return the cell in each column of each row, and whether it starts there."""
    rows = [list(row.iter("td", "th")) for row in table.iter("tr")]
    most = max(map(len, rows), default=0)  # a span over more columns than there are cells means "all the rest"
    below: dict[int, tuple[Element, int]] = {}  # by column, with the number of rows left
    grid = []
    for cells in rows:
        line: list[tuple[Element, bool]] = []
        for cell in cells:
            _continue_spans(line, below)
            for number in range(min(int(cell.get("colspan", "1")), most)):
                below[len(line)] = cell, int(cell.get("rowspan", "1")) - 1
                line.append((cell, number == 0))
        _continue_spans(line, below)
        grid.append(line)
    return grid


def _continue_spans(line: list[tuple[Element, bool]], below: dict[int, tuple[Element, int]]) -> None:
    """Add the cells of rows above that span the next columns."""
    while (column := len(line)) in below and below[column][1] > 0:
        cell, left = below[column]
        below[column] = cell, left - 1
        line.append((cell, False))
