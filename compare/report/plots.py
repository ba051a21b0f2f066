"""The data of the report's plots; the templates draw them."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from ..scoring import BASELINE, RAW, RENDERED
from .leaderboard import GROUPS, Leaderboard, LeaderboardRow, by_group, with_groups
from .pairwise import SystemInput, label, paired, top_systems

#: The number of systems that are shown for each group of pages.
PLOTTED = 8


class Dot(NamedTuple):
    """A score with its interval."""

    label: str
    value: float
    low: float
    high: float
    visual: bool


class BarValue(NamedTuple):
    """An amount, and its text."""

    label: str
    amount: float
    text: str
    visual: bool


class Panel(NamedTuple):
    """Scores by one way of grouping pages: a heading and the systems' scores for each group."""

    title: str
    plots: tuple[tuple[str, tuple[Dot, ...]], ...]


class Point(NamedTuple):
    """A page's scores by two systems."""

    label: str
    x: float
    y: float


class ScatterPlot(NamedTuple):
    """Scores of two systems, one point for each page."""

    x_label: str
    y_label: str
    points: tuple[Point, ...]


def dot(row: LeaderboardRow) -> Dot:
    """Return a row of the leaderboard as a dot."""
    score = row.score
    return Dot(label((row.system, row.input)), score.value, score.low, score.high, row.visual)


def panels(table: pd.DataFrame, ranking: Leaderboard) -> list[Panel]:
    """Return the top systems' scores for each way of grouping pages that has at least two groups."""
    shown = top_systems(ranking, PLOTTED)
    grouped = with_groups(table)
    grouped = grouped[[name in shown for name in zip(grouped["system"], grouped["input"], strict=True)]]
    rows = {name: row for row in ranking.rows if (name := (row.system, row.input)) in shown}
    panels = []
    for column, title in GROUPS.items():
        parts = by_group(grouped, column, ranking.measure).groupby("group", sort=False)
        plots = tuple((f"{group} ({int(part['pages'].max())} pages)", _group(part, rows)) for group, part in parts)
        if plots:
            panels.append(Panel(title=title, plots=plots))
    return panels


def _group(part: pd.DataFrame, rows: dict[SystemInput, LeaderboardRow]) -> tuple[Dot, ...]:
    """Return the scores in one group, in the order of the leaderboard."""
    dots = {
        (system, source): Dot(label((system, source)), value, low, high, rows[system, source].visual)
        for _, system, source, _, value, low, high in part.itertuples(index=False, name=None)
    }
    return tuple(dots[name] for name in rows if name in dots)


def scatter_plot(table: pd.DataFrame, ranking: Leaderboard) -> ScatterPlot | None:
    """Compare the best visual system with the best other one; if one kind is missing, the best two."""
    rows = [row for row in ranking.rows if row.system != BASELINE]
    visual = next((row for row in rows if row.visual), None)
    plain = next((row for row in rows if not row.visual), None)
    pair = (plain, visual) if plain and visual else tuple(rows[1::-1])
    names: list[SystemInput] = [(row.system, row.input) for row in pair if row]
    if len(names) < 2 or ranking.measure.lower:
        return None
    parts = paired(table, ranking.measure, names)
    x, y = (parts[name][ranking.measure.main] for name in names)
    points = tuple(Point(str(page), float(one), float(other)) for page, one, other in zip(x.index, x, y, strict=True))
    return ScatterPlot(x_label=label(names[0]), y_label=label(names[1]), points=points)


def cpu_times(ranking: Leaderboard) -> list[BarValue]:
    """Return the mean CPU time for a page, fastest system first."""
    return [
        BarValue(label((row.system, row.input)), row.seconds, f"{row.seconds * 1000:.1f} ms", row.visual)
        for row in sorted(ranking.rows, key=lambda row: row.seconds)
    ]


def opening_times(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the mean time to open a page by input, if known."""
    opened = table.drop_duplicates(["page", "input"]).groupby("input")["open_seconds"].mean().dropna()
    steps = {RAW: "Parsing raw HTML", RENDERED: "Rendering"}
    return [(steps[str(source)], f"{seconds * 1000:.0f} ms") for source, seconds in opened.items()]
