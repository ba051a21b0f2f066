"""Rankings of an evaluation: figures with confidence intervals, and paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from ...page.arrays import FloatArray
from ..measures.measures import Interval, Measure, difference, interval
from ..scoring import BASELINE

#: Rows of the leaderboard that are compared pair by pair; the baseline comes on top.
COMPARED = 6
#: Difference of two scores of a page up to which they are a tie.
TIE = 0.01

#: The name of a system, and its input.
SystemInput = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """One system on one input."""

    system: str
    input: str
    visual: bool
    score: Interval  # By the leading measure
    poor: float  # Share of pages that score below .5
    figures: dict[str, float]  # Figure of each measure over the pages to which it applies
    seconds: float  # Mean CPU time for a page
    pages: int  # Pages measured, and pages on which the system failed
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """The leaderboard of an evaluation: ``rows`` by the leading ``measure``, best first; ``title`` is the corpus."""

    title: str
    measure: Measure
    pages: int
    rows: tuple[LeaderboardRow, ...]

    @property
    def compared(self) -> list[SystemInput]:
        """The first rows, and the best of the baseline, as names and inputs."""
        rows = [(row.system, row.input) for row in self.rows]
        others = [row for row in rows if row[0] != BASELINE]
        return others[:COMPARED] + [row for row in rows if row[0] == BASELINE][:1]


class Difference(NamedTuple):
    """The difference between two systems on the pages that both have."""

    first: SystemInput
    second: SystemInput
    difference: Interval  # First minus second, by the paired bootstrap
    #: Pages on which the first is better than, as good as (within :data:`TIE`), and worse than the second.
    better: int
    tie: int
    worse: int


def rows_with_measure(table: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the rows to which a measure applies."""
    return table[table[list(measure.figures)].notna().all(axis=1)]


def leading_measure(table: pd.DataFrame, measures: Sequence[Measure]) -> Measure:
    """Return the measure used for ranking: the first one that applies to most pages; ValueError without scores."""
    counts = [len(rows_with_measure(table, measure)) for measure in measures]
    if not any(counts):
        raise ValueError("no page could be measured: scores.csv has the reasons")
    return measures[counts.index(max(counts))]


def rank_systems(table: pd.DataFrame, measures: Sequence[Measure]) -> Leaderboard:
    """Rank systems and inputs by the leading measure."""
    measure = leading_measure(table, measures)
    scored = rows_with_measure(table, measure)
    rows = [
        _row(str(system), str(source), group, measure, measures)
        for (system, source), group in scored.groupby(["system", "input"], sort=False)
    ]
    rows.sort(key=lambda row: -row.score.value)
    title = ", ".join(scored["corpus"].unique())
    return Leaderboard(title=title, measure=measure, pages=int(scored["page"].nunique()), rows=tuple(rows))


def _row(
    system: str, source: str, group: pd.DataFrame, measure: Measure, measures: Sequence[Measure]
) -> LeaderboardRow:
    main = group[measure.main].to_numpy(dtype=np.float64)
    return LeaderboardRow(
        system=system,
        input=source,
        visual=bool(group["visual"].iloc[0]),
        score=interval(figure_columns(group, measure), measure.summary),
        poor=float((main < 0.5).mean()),
        figures={other.name: figure(group, other) for other in measures if len(rows_with_measure(group, other))},
        seconds=float(group["cpu_seconds"].mean()),
        pages=len(group),
        failed=int((group["error"].fillna("") != "").sum()),
    )


def figure_columns(rows: pd.DataFrame, measure: Measure) -> FloatArray:
    """Return the columns from which a measure's figure is computed, float64 (pages, columns)."""
    return rows[list(measure.figures)].to_numpy(dtype=np.float64)


def figure(rows: pd.DataFrame, measure: Measure) -> float:
    """Return a measure's figure over the pages to which it applies."""
    return float(measure.summary(figure_columns(rows_with_measure(rows, measure), measure)))


def pairwise_differences(table: pd.DataFrame, measure: Measure, names: Sequence[SystemInput]) -> list[Difference]:
    """Compare each pair of systems on the pages that all have."""
    rows = rows_with_measure(table, measure).set_index(["system", "input", "page"]).sort_index()
    parts = {name: cast(pd.DataFrame, rows.loc[name]) for name in names}
    shared = sorted(set.intersection(*(set(part.index) for part in parts.values()))) if parts else []
    pairs = list(combinations(names, 2)) if shared else []
    columns = {name: figure_columns(part.loc[shared], measure) for name, part in parts.items()}
    scores = {name: part.loc[shared, measure.main].to_numpy(dtype=np.float64) for name, part in parts.items()}
    differences = []
    for first, second in pairs:
        gap = difference(columns[first], columns[second], measure.summary)
        pages = scores[first] - scores[second]
        better, worse = int((pages > TIE).sum()), int((pages < -TIE).sum())
        differences.append(Difference(first, second, gap, better, len(pages) - better - worse, worse))
    return differences
