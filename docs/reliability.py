"""Draw ``docs/reliability.svg``: the confidence of the shipped models against the F1 that pages of unseen sites reach.

python docs/reliability.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

from blocksight.classify.model.model import load_model

#: Width of a panel with its margin, and of its square; the largest radius, of a point with all pages.
PANEL, SIDE, LARGEST = 380, 300, 40.0
MODELS = (
    ("blocksight.npz", "blocksight, rendered"),
    ("blocksight-dom.npz", "blocksight-dom, raw HTML"),
)


def drawing(tables: Mapping[str, Sequence[Mapping[str, float]]]) -> str:
    """Return the diagram as SVG: a panel for each table, a point for each of its rows, as large as its pages."""
    font = 'font-family="system-ui, sans-serif" font-size="12"'
    width, height = PANEL * max(len(tables), 1), SIDE + 80
    title = "<title>Mean F1 over confidence, pages of unseen sites; a point's area is its number of pages</title>"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>', title]
    parts.append(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    for number, (name, rows) in enumerate(tables.items()):
        parts += _panel(name, rows, PANEL * number + 50)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(name: str, rows: Sequence[Mapping[str, float]], left: float) -> list[str]:
    top, bottom, right = 30, 30 + SIDE, left + SIDE
    parts = [
        f'<text x="{left}" y="20" font-weight="600">{name}</text>',
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#aaa"/>',
        f'<path d="M{left} {bottom} L{right} {top}" stroke="#aaa" stroke-dasharray="4 4"/>',
        f'<text x="{left + SIDE / 2}" y="{bottom + 34}" text-anchor="middle">confidence</text>',
        f'<text transform="translate({left - 32} {top + SIDE / 2}) rotate(-90)" text-anchor="middle">mean F1</text>',
    ]
    for mark in (0.0, 0.5, 1.0):
        x, y = left + SIDE * mark, bottom - SIDE * mark
        parts.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{mark:g}</text>')
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{mark:g}</text>')
    total = max(sum(row["pages"] for row in rows), 1.0)
    for row in sorted(rows, key=lambda row: -row["pages"]):
        x, y = left + SIDE * row["confidence"], bottom - SIDE * row["f1"]
        radius = max(LARGEST * sqrt(row["pages"] / total), 2.0)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#3f7d4e" fill-opacity=".45"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="9">{row["pages"]:.0f}</text>')
    return parts


if __name__ == "__main__":
    folder = Path(__file__).parents[1] / "classify" / "model"
    known = {name: load_model(folder / file).about.get("confidence on unseen sites", {}) for file, name in MODELS}
    tables = {name: about["table"] for name, about in known.items() if about.get("table")}
    if not tables:
        raise SystemExit("no shipped model has a fitted confidence: run `blocksight train shipped` first")
    Path(__file__).with_name("reliability.svg").write_text(drawing(tables), encoding="utf-8")
