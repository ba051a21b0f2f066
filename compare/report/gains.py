"""Gains by rendering and by vision: the same pages, judged in three ways that differ in one respect each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..measures.grading import PagewiseComparison, compare_pagewise
from ..measures.measures import Measure
from ..measures.significance import Interval, grouped_difference
from ..scoring import RAW, RENDERED
from .leaderboard import figure_columns
from .pairwise import SystemInput, paired

#: The visual system, and the same without geometry.
VISUAL, DOM = "blocksight", "blocksight-dom"
#: What is compared: name, with it, without it.
_PAIRS: tuple[tuple[str, SystemInput, SystemInput], ...] = (
    ("vision", (VISUAL, RENDERED), (DOM, RENDERED)),
    ("rendering", (DOM, RENDERED), (DOM, RAW)),
    ("both", (VISUAL, RENDERED), (DOM, RAW)),
)
#: Pages that are listed for and against.
MOST_LISTED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """The gain of vision, of rendering, or of both, on a group of pages."""

    name: str  # "vision", "rendering" or "both"
    pages: str  # "all", "styled" or "plain"
    number: int  # of pages
    difference: Interval  # with minus without; sites are resampled
    counts: PagewiseComparison  # pages on which it is better, as good, and worse
    best: tuple[str, ...]  # pages with the largest gain, and with the largest loss
    worst: tuple[str, ...]


def gains(table: pd.DataFrame, measure: Measure) -> list[Gain]:
    """Return the gains that an evaluation can show, over all pages and by style; empty without rendered pages."""
    found = []
    for name, first, second in _PAIRS:
        parts = paired(table, measure, (first, second))
        with_it, without = parts[first], parts[second]
        if not len(with_it):
            continue
        styled = with_it["styled"].fillna(False).to_numpy(dtype=bool)
        groups = [("all", np.ones(len(styled), dtype=bool)), ("styled", styled), ("plain", ~styled)]
        # A group that is all pages, or none, says nothing more.
        found += [
            _gain(name, pages, with_it[some], without[some], measure)
            for pages, some in groups
            if pages == "all" or 0 < some.sum() < len(some)
        ]
    return found


def styled_pages(table: pd.DataFrame) -> tuple[int, int] | None:
    """Return how many rendered pages are styled, and how many there are; None without rendered pages."""
    rendered = table[table["input"] == RENDERED].dropna(subset="styled").drop_duplicates("page")
    return (int(rendered["styled"].astype(bool).sum()), len(rendered)) if len(rendered) else None


def _gain(name: str, pages: str, first: pd.DataFrame, second: pd.DataFrame, measure: Measure) -> Gain:
    sign = -1.0 if measure.lower else 1.0
    columns = figure_columns(first, measure), figure_columns(second, measure)
    gap = sign * (first[measure.main] - second[measure.main]).sort_values(ascending=False, kind="stable")
    return Gain(
        name=name,
        pages=pages,
        number=len(first),
        difference=grouped_difference(*columns, first["site"].tolist(), measure.summary),
        counts=compare_pagewise((sign * first[measure.main]).tolist(), (sign * second[measure.main]).tolist()),
        best=tuple(map(str, gap.index[gap > 0][:MOST_LISTED])),
        worst=tuple(map(str, gap.index[gap < 0][::-1][:MOST_LISTED])),
    )
