"""Pairwise comparison of systems on the same pages: significance tests, and pages better, tied and worse."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from ..measures.grading import PagewiseComparison, compare_pagewise
from ..measures.measures import Measure
from ..measures.significance import Difference, difference, holm, signed_rank
from ..scoring import BASELINE
from .leaderboard import Leaderboard, figure_columns, rows_with_measure

#: The number of systems that are compared.
MOST_SYSTEMS = 6

#: The name of a system, and its input.
SystemInput = tuple[str, str]


def top_systems(ranking: Leaderboard, most: int = MOST_SYSTEMS) -> list[SystemInput]:
    """Return the best systems of a leaderboard, each on its best input, followed by the baseline."""
    best: dict[str, SystemInput] = {}
    for row in ranking.rows:
        best.setdefault(row.system, (row.system, row.input))
    baseline = best.pop(BASELINE, None)
    return list(best.values())[:most] + ([baseline] if baseline else [])


def label(name: SystemInput) -> str:
    """Return the label of a system and its input.

    >>> label(("bte", "raw"))
    'bte on raw'
    """
    return " on ".join(name)


def paired(table: pd.DataFrame, measure: Measure, names: Sequence[SystemInput]) -> dict[SystemInput, pd.DataFrame]:
    """Return the rows of systems on the pages that all of them have, in the same order."""
    rows = rows_with_measure(table, measure)
    parts = {name: rows[(rows["system"] == name[0]) & (rows["input"] == name[1])].set_index("page") for name in names}
    shared = sorted(set.intersection(*(set(part.index) for part in parts.values()))) if parts else []
    return {name: part.loc[shared] for name, part in parts.items()}


def pairwise_differences(
    table: pd.DataFrame, measure: Measure, names: Sequence[SystemInput], *, resamples: int = 2000
) -> list[Difference]:
    """Test each pair of systems on the pages that all have, with Holm's correction over all pairs."""
    parts = paired(table, measure, names)
    pairs = list(combinations(names, 2))
    if not pairs or not len(parts[names[0]]):
        return []
    scores = {name: part[measure.main].tolist() for name, part in parts.items()}
    columns = {name: figure_columns(part, measure) for name, part in parts.items()}
    tests = [signed_rank(scores[first], scores[second]) for first, second in pairs]
    differences = []
    for (first, second), test, corrected in zip(pairs, tests, holm(tests).tolist(), strict=True):
        gap, p = difference(columns[first], columns[second], measure.summary, resamples=resamples)
        differences.append(
            Difference(
                first=label(first),
                second=label(second),
                difference=gap,
                p_bootstrap=p,
                p_wilcoxon=test,
                p_holm=corrected,
            )
        )
    return differences


def pagewise_comparisons(
    table: pd.DataFrame, measure: Measure, names: Sequence[SystemInput]
) -> dict[tuple[str, str], PagewiseComparison]:
    """Return for each ordered pair of labels the number of pages on which the first is better, as good, and worse."""
    sign = -1.0 if measure.lower else 1.0
    parts = paired(table, measure, names).items()
    scores = {label(name): (sign * part[measure.main]).tolist() for name, part in parts}
    return {
        (first, second): compare_pagewise(scores[first], scores[second])
        for first in scores
        for second in scores
        if first != second
    }
