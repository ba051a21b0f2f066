"""Systems against each other on the same pages: tests of the difference, and better, tie, worse."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from ..measures.grading import Duel, duel
from ..measures.measures import Measure
from ..measures.significance import Difference, difference, holm, signed_rank
from ..scoring import BASELINE
from .leaderboard import Leaderboard, usable, values

#: So many systems are set against each other.
CONTESTANTS = 6

#: A system and what it was given.
Name = tuple[str, str]


def contestants(ranking: Leaderboard, most: int = CONTESTANTS) -> list[Name]:
    """Return the first systems of a board, each on the input that suits it best, and behind them the baseline."""
    best: dict[str, Name] = {}
    for line in ranking.lines:
        best.setdefault(line.system, (line.system, line.input))
    baseline = best.pop(BASELINE, None)
    return list(best.values())[:most] + ([baseline] if baseline else [])


def label(name: Name) -> str:
    """Write a system and its input in words.

    >>> label(("bte", "raw"))
    'bte on raw'
    """
    return " on ".join(name)


def paired(table: pd.DataFrame, measure: Measure, names: Sequence[Name]) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the rows of systems on the pages that all of them have, in the same order."""
    rows = usable(table, measure)
    parts = {name: rows[(rows["system"] == name[0]) & (rows["input"] == name[1])].set_index("page") for name in names}
    shared = sorted(set.intersection(*(set(part.index) for part in parts.values()))) if parts else []
    return {name: part.loc[shared] for name, part in parts.items()}


def differences(
    table: pd.DataFrame, measure: Measure, names: Sequence[Name], *, resamples: int = 2000
) -> list[Difference]:
    """Test each pair of systems on the pages that all have; Holm's correction is over all pairs given.

    Parameters
    ----------
    table : DataFrame
    measure : Measure
    names : sequence of (system, input)
    """
    parts = paired(table, measure, names)
    pairs = list(combinations(names, 2))
    if not pairs or not len(parts[names[0]]):
        return []
    tests = [
        signed_rank(parts[one][measure.main].tolist(), parts[other][measure.main].tolist()) for one, other in pairs
    ]
    corrected = holm(tests).tolist()
    found = []
    for (one, other), test, strict in zip(pairs, tests, corrected, strict=True):
        gap, p = difference(
            values(parts[one], measure), values(parts[other], measure), measure.summary, resamples=resamples
        )
        found.append(
            Difference(
                first=label(one),
                second=label(other),
                difference=gap,
                p_bootstrap=p,
                p_wilcoxon=test,
                p_holm=strict,
            )
        )
    return found


def duels(table: pd.DataFrame, measure: Measure, names: Sequence[Name]) -> dict[tuple[str, str], Duel]:
    """Count for each ordered pair of labels on how many pages the first does better, as well, and worse."""
    parts = paired(table, measure, names)
    sign = -1.0 if measure.lower else 1.0
    scores = {label(name): (sign * part[measure.main]).tolist() for name, part in parts.items()}
    return {(one, other): duel(scores[one], scores[other]) for one in scores for other in scores if one != other}
