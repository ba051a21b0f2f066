"""GitHub's Markdown tables: rows of equal length, with a header."""

from __future__ import annotations

from collections import Counter

from lxml import etree

Element = etree._Element

CELL_END = "\x1f"  # no page text holds it: control characters are dropped before


def table(element: Element, text: str) -> str:
    """Return a table with the header that Markdown requires, empty if there is none.

    ``text`` has one row a line, with :data:`CELL_END` behind each cell; other lines are captions.
    """
    lines = text.strip("\n").split("\n")
    captions = [line for line in lines if CELL_END not in line and line]
    rows = _grid(element, [line.split(CELL_END)[:-1] for line in lines if CELL_END in line])
    first = next(element.iter("tr"))
    above = first.getparent()
    if (above is None or above.tag != "thead") and any(cell.tag == "td" for cell in first.iter("td", "th")):
        rows.insert(0, [""] * len(rows[0]))
    rows.insert(1, ["---"] * len(rows[0]))
    written = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return "\n\n" + "\n\n".join([*captions, written]) + "\n\n"


def _grid(element: Element, rows: list[list[str]]) -> list[list[str]]:
    """Return rows of equal length, with empty cells for spans."""
    below: Counter[int] = Counter()
    grid = []
    most = max(len(row) for row in rows)  # a span over more columns than there are cells means "all the rest"
    for row, texts in zip(element.iter("tr"), rows, strict=True):
        line: list[str] = []
        for cell, text in zip(row.iter("td", "th"), texts, strict=True):
            _skip_spanned(line, below)
            width, height = min(int(cell.get("colspan", "1")), most), int(cell.get("rowspan", "1"))
            for column in range(len(line), len(line) + width):
                below[column] = max(height - 1, 0)
            line.extend([text, *[""] * (width - 1)])
        _skip_spanned(line, below)
        grid.append(line)
    widest = max(len(line) for line in grid)
    return [line + [""] * (widest - len(line)) for line in grid]


def _skip_spanned(line: list[str], below: Counter[int]) -> None:
    while below[len(line)] > 0:
        below[len(line)] -= 1
        line.append("")
