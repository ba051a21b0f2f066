"""From one row a page to a leader board: figures with intervals, over all pages and by groups of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...page.arrays import FloatArray
from ..measures.grading import Grade, grade_rates
from ..measures.measures import Measure
from ..measures.significance import Interval, interval

#: Bounds of gold text in bytes: SCEDD calls pages below the first short (2016, section 4.2); the second is ours.
SHORT, LONG = 450, 2000
#: Columns by which pages are grouped, and what they are called.
GROUPS = {
    "kind": "type of page",
    "language": "language",
    "script": "script",
    "length": "length of the gold",
    "complexity_band": "page complexity",
    "look": "style",
}
#: Groups of fewer pages than this say nothing.
LEAST_PAGES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """One system on one input.

    Attributes
    ----------
    system, input : str
    visual : bool
    score : Interval
        By the leading measure.
    poor : float
        Share of pages that score below .5 (above, where lower is better).
    figures : dict
        Measure's name to its figure over all pages to which it applies.
    grades : dict
        Share of pages by NewsFeed's grade; empty where they were not given.
    rates : dict
        Precision and recall by these grades (:func:`~blocksight.compare.measures.grading.grade_rates`).
    seconds : float
        CPU time a page.
    pages, failed : int
        Pages measured; pages on which the system failed.
    """

    system: str
    input: str
    visual: bool
    score: Interval
    poor: float
    figures: dict[str, float]
    grades: dict[str, float]
    rates: dict[str, float]
    seconds: float
    pages: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """The leader board of an evaluation, best first.

    Attributes
    ----------
    title : str
        The corpus.
    measure : Measure
        The leading one.
    pages : int
    lines : tuple of LeaderboardRow
    """

    title: str
    measure: Measure
    pages: int
    lines: tuple[LeaderboardRow, ...]


def usable(table: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the rows to which a measure applies."""
    return table[table[list(measure.figures)].notna().all(axis=1)]


def leading_measure(table: pd.DataFrame, measures: Sequence[Measure]) -> Measure:
    """Return the measure that ranks: the first one that applies to most pages.

    Raises
    ------
    ValueError
        When no page was measured.
    """
    counts = [len(usable(table, measure)) for measure in measures]
    if not any(counts):
        raise ValueError("no page could be measured: the rows of scores.csv say why")
    return measures[counts.index(max(counts))]


def board(table: pd.DataFrame, measures: Sequence[Measure], *, resamples: int = 2000) -> Leaderboard:
    """Rank systems and inputs by the leading measure."""
    measure = leading_measure(table, measures)
    rows = usable(table, measure)
    lines = [
        _line(str(system), str(source), group, measure, measures, resamples)
        for (system, source), group in rows.groupby(["system", "input"], sort=False)
    ]
    lines.sort(key=lambda line: line.score.value * (1 if measure.lower else -1))
    title = ", ".join(rows["corpus"].unique())
    return Leaderboard(title=title, measure=measure, pages=int(rows["page"].nunique()), lines=tuple(lines))


def _line(
    system: str, source: str, group: pd.DataFrame, measure: Measure, measures: Sequence[Measure], resamples: int
) -> LeaderboardRow:
    main = group[measure.main].to_numpy(dtype=np.float64)
    return LeaderboardRow(
        system=system,
        input=source,
        visual=bool(group["visual"].iloc[0]),
        score=interval(values(group, measure), measure.summary, resamples=resamples),
        poor=float(((main > 0.5) if measure.lower else (main < 0.5)).mean()),
        figures={one.name: figure(group, one) for one in measures if len(usable(group, one))},
        grades=_grades(group),
        rates=_rates(group),
        seconds=float(group["cpu_seconds"].mean()),
        pages=len(group),
        failed=int((group["error"].fillna("") != "").sum()),
    )


def values(rows: pd.DataFrame, measure: Measure) -> FloatArray:
    """float64 (pages, columns): what a measure's figure is made of."""
    return rows[list(measure.figures)].to_numpy(dtype=np.float64)


def figure(rows: pd.DataFrame, measure: Measure) -> float:
    """Return a measure's figure over the pages to which it applies."""
    return float(measure.summary(values(usable(rows, measure), measure)))


def _grades(group: pd.DataFrame) -> dict[str, float]:
    if "grade" not in group or not group["grade"].notna().any():
        return {}
    given = group["grade"].dropna()
    return {str(one): float((given == one).mean()) for one in Grade}


def _rates(group: pd.DataFrame) -> dict[str, float]:
    if "grade" not in group or not group["grade"].notna().any():
        return {}
    return dict(zip(("precision", "recall"), grade_rates(group["grade"].dropna().tolist()), strict=True))


def with_groups(table: pd.DataFrame) -> pd.DataFrame:
    """Add the columns by which pages are grouped: band of length, band of complexity, and style.

    Complexity is cut at the quartiles of the pages at hand, as Bevendorff and others do (SIGIR 2023).
    """
    table = table.copy()
    length = pd.cut(table["gold_bytes"], [-1, 0, SHORT - 1, LONG, np.inf], labels=_lengths())
    table["length"] = length.astype("object")
    table["complexity_band"] = _bands(table["complexity"])
    table["look"] = table["styled"].map({True: "styled", False: "plain"})
    return table


def _bands(complexity: pd.Series) -> pd.Series:
    bands = pd.Series("medium", index=complexity.index, dtype="object")
    low, high = complexity.quantile(0.25), complexity.quantile(0.75)
    bands[complexity >= high] = "high"
    bands[complexity <= low] = "low"
    bands[complexity.isna()] = None
    return bands


def _lengths() -> list[str]:
    return ["no content", f"under {SHORT} bytes", f"{SHORT} to {LONG} bytes", f"over {LONG} bytes"]


def by_group(table: pd.DataFrame, column: str, measure: Measure, *, resamples: int = 1000) -> pd.DataFrame:
    """Return each system's figure and interval in each group of pages.

    Returns
    -------
    DataFrame
        Columns group, system, input, pages, value, low, high; empty where there is but one group.
    """
    rows = usable(table, measure)
    rows = rows[rows[column].notna() & (rows[column] != "")]
    found = []
    for (group, system, source), part in rows.groupby([column, "system", "input"], sort=False):
        if len(part) >= LEAST_PAGES:
            score = interval(values(part, measure), measure.summary, resamples=resamples)
            found.append((group, system, source, len(part), score.value, score.low, score.high))
    # Bands in their order; other groups, largest first.
    ranks = [*_lengths(), "low", "medium", "high"]
    found.sort(key=lambda one: (ranks.index(one[0]) if one[0] in ranks else 0, -one[3]))
    frame = pd.DataFrame(found, columns=["group", "system", "input", "pages", "value", "low", "high"])
    return frame if frame["group"].nunique() > 1 else frame.iloc[:0]
