"""Charts as SVG: lines over a unit square, bars, and the picture of a confusion."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

#: Side of a square chart, and the margin for its labels, in pixels.
SIDE, MARGIN = 260, 40
_INK, _GRID, _LINE = "#333", "#ddd", "#0072b2"
_RIGHT, _WRONG = "0,114,178", "213,94,0"


def curve(
    points: Sequence[tuple[float, float]], *, across: str, up: str, dots: bool = False, diagonal: bool = False
) -> str:
    """Draw a line through points between 0 and 1."""
    places = [(MARGIN + x * SIDE, 10 + (1 - y) * SIDE) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [_frame(across, up)]
    if diagonal:
        parts.append(f'<line x1="{MARGIN}" y1="{10 + SIDE}" x2="{MARGIN + SIDE}" y2="10" stroke="{_GRID}"/>')
    parts.append(f'<polyline points="{path}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    if dots:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_LINE}"/>' for x, y in places]
    return _svg(SIDE + MARGIN + 20, SIDE + MARGIN + 10, parts)


def _frame(across: str, up: str) -> str:
    lines = []
    for step in range(6):
        at = step / 5
        x, y = MARGIN + at * SIDE, 10 + (1 - at) * SIDE
        lines.append(f'<line x1="{MARGIN}" y1="{y}" x2="{MARGIN + SIDE}" y2="{y}" stroke="{_GRID}"/>')
        lines.append(f'<text x="{MARGIN - 5}" y="{y + 4}" text-anchor="end">{at:.1f}</text>')
        lines.append(f'<text x="{x}" y="{SIDE + 24}" text-anchor="middle">{at:.1f}</text>')
    middle = MARGIN + SIDE / 2
    lines.append(f'<text x="{middle}" y="{SIDE + 42}" text-anchor="middle">{escape(across)}</text>')
    lines.append(
        f'<text transform="translate(10 {10 + SIDE / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'
    )
    return "".join(lines)


def bars(values: Sequence[tuple[str, float]], *, what: str) -> str:
    """Draw a horizontal bar for each value, those below 0 to the left in another colour."""
    most = max((abs(value) for _, value in values), default=0.0) or 1.0
    width, zero, height = 240, 240, 22
    parts = [f'<text x="{zero}" y="14" text-anchor="middle">{escape(what)}</text>']
    for number, (name, value) in enumerate(values):
        top, long = 24 + number * height, abs(value) / most * width / 2
        color = _LINE if value >= 0 else f"rgb({_WRONG})"
        left = zero if value >= 0 else zero - long
        parts.append(f'<text x="110" y="{top + 13}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{left:.1f}" y="{top}" width="{max(long, 1):.1f}" height="16" fill="{color}"/>')
        parts.append(f'<text x="{zero + width / 2 + 8}" y="{top + 13}">{value:+.4f}</text>')
    return _svg(zero + width // 2 + 70, 34 + len(values) * height, parts)


def confusion(shares: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    """Draw a square for each pair of true (rows) and found (columns) label, the darker the larger its share."""
    cell, left = 110, 110
    parts = []
    for row, values in enumerate(shares):
        parts.append(f'<text x="{left - 8}" y="{90 + row * cell}" text-anchor="end">{escape(names[row])}</text>')
        parts.append(f'<text x="{left + (row + 0.5) * cell}" y="24" text-anchor="middle">{escape(names[row])}</text>')
        for column, share in enumerate(values):
            x, y = left + column * cell, 34 + row * cell
            color = f"rgba({_RIGHT if row == column else _WRONG},{0.08 + 0.92 * min(share * 1.2, 1):.2f})"
            ink = "#fff" if share > 0.5 else _INK
            parts.append(f'<rect x="{x}" y="{y}" width="{cell - 4}" height="{cell - 4}" fill="{color}"/>')
            middle = f'x="{x + cell / 2 - 2}" y="{y + cell / 2 + 4}" text-anchor="middle"'
            parts.append(f'<text {middle} fill="{ink}">{share:.1%}</text>')
    return _svg(left + cell * len(shares), 40 + cell * len(shares), parts)


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    style = f'font-family="sans-serif" font-size="12" fill="{_INK}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>{"".join(parts)}</svg>'
