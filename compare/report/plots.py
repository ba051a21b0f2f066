"""What the report's plots show, as plain values; the templates draw them."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ..scoring import BASELINE, RAW, RENDERED
from .leaderboard import GROUPS, Leaderboard, LeaderboardRow, by_group, with_groups
from .pairwise import Name, contestants, label, paired

#: So many systems are shown for each group of pages.
PLOTTED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A score with its interval."""

    label: str
    value: float
    low: float
    high: float
    visual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BarValue:
    """An amount, and the same in words."""

    label: str
    amount: float
    words: str
    visual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Scores by one way of grouping pages: a heading and the systems' scores for each group."""

    title: str
    plots: tuple[tuple[str, tuple[Dot, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A page's scores by two systems."""

    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Two systems page by page."""

    x_label: str
    y_label: str
    points: tuple[Point, ...]


def dot(line: LeaderboardRow) -> Dot:
    """Return a line of the board as a dot."""
    score = line.score
    name = label((line.system, line.input))
    return Dot(label=name, value=score.value, low=score.low, high=score.high, visual=line.visual)


def panels(table: pd.DataFrame, ranking: Leaderboard) -> list[Panel]:
    """Return the first systems' scores for each way of grouping pages that has two groups or more."""
    shown = contestants(ranking, PLOTTED)
    grouped = with_groups(table)
    grouped = grouped[[name in shown for name in zip(grouped["system"], grouped["input"], strict=True)]]
    lines = {name: line for line in ranking.lines if (name := (line.system, line.input)) in shown}
    panels = []
    for column, title in GROUPS.items():
        found = by_group(grouped, column, ranking.measure)
        parts = found.groupby("group", sort=False)
        plots = tuple((f"{group} ({int(part['pages'].max())} pages)", _group(part, lines)) for group, part in parts)
        if plots:
            panels.append(Panel(title=title, plots=plots))
    return panels


def _group(part: pd.DataFrame, lines: dict[Name, LeaderboardRow]) -> tuple[Dot, ...]:
    """Scores in one group, in the order of the board."""
    rows = {
        (system, source): Dot(
            label=label((system, source)), value=value, low=low, high=high, visual=lines[system, source].visual
        )
        for _, system, source, _, value, low, high in part.itertuples(index=False, name=None)
    }
    return tuple(rows[name] for name in lines if name in rows)


def pages_of_two(table: pd.DataFrame, ranking: Leaderboard) -> Pages | None:
    """Set the best visual system against the best other one; where there are not both, the best two."""
    lines = [line for line in ranking.lines if line.system != BASELINE]
    visual = next((line for line in lines if line.visual), None)
    plain = next((line for line in lines if not line.visual), None)
    pair = (plain, visual) if plain and visual else tuple(lines[1::-1])
    names: list[Name] = [(line.system, line.input) for line in pair if line]
    if len(names) < 2 or ranking.measure.lower:
        return None
    parts = paired(table, ranking.measure, names)
    columns = [parts[name][ranking.measure.main] for name in names]
    places = zip(columns[0].index, *columns, strict=True)
    points = tuple(Point(label=str(page), x=float(x), y=float(y)) for page, x, y in places)
    return Pages(x_label=label(names[0]), y_label=label(names[1]), points=points)


def cost(ranking: Leaderboard) -> list[BarValue]:
    """Return CPU time a page, fastest first."""
    return [
        BarValue(
            label=label((line.system, line.input)),
            amount=line.seconds,
            words=f"{line.seconds * 1000:.1f} ms",
            visual=line.visual,
        )
        for line in sorted(ranking.lines, key=lambda line: line.seconds)
    ]


def opening(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the mean time to open a page, by input, as far as it is known."""
    opened = table.drop_duplicates(["page", "input"]).groupby("input")["open_seconds"].mean().dropna()
    words = {RAW: "Parsing raw HTML", RENDERED: "Rendering"}
    return [(words[str(source)], f"{seconds * 1000:.0f} ms") for source, seconds in opened.items()]
