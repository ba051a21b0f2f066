"""Scores of blocks to the choice of a page: the set of blocks with the largest expected F1.

A threshold for all pages loses some of them wholly: scores of one page lie higher or lower together. Here several ways
of choosing (thresholds, the best contiguous stretch, the best subtree) each offer a set, and the one is taken whose F1
against the unknown content is expected to be largest, given each block's probability.

Blocks of a page are not wrong independently: a support vector machine that has not met such a page is too low (or too
high) on all of it. So the expectation is also over a shift of all scores of the page, normally distributed. Where they
are clear, it changes nothing; where all of them are doubtful, it takes rather more than the few blocks that happen to
lead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...features.rows import Rows
from ...features.stretches import Ties, best_stretch
from ...page.arrays import BoolColumn, FloatArray
from .calibration import Calibration

THRESHOLDS = (-1.0, -0.7, -0.5, -0.35, -0.2, 0.0, 0.25)
#: Zero points for the best stretch and the best subtree.
LEVELS = (-0.6, -0.3, 0.0)
#: Inside a stretch or subtree, blocks that score below this are still left out.
FLOOR = -0.7
#: Stands for the score of a block that nobody sees.
UNSEEN = -9.0
#: Elements that are taken in between chosen blocks, and the largest share of their words that may be links.
_PARTS = ("table", "ul", "ol", "dl", "pre", "blockquote", "figure")
_MOST_LINKED = 0.3


@dataclass(frozen=True, kw_only=True, eq=False)
class Selection:
    """A set of blocks and what it is expected to be worth.

    Attributes
    ----------
    rows : bool (rows,)
    expected_f1 : float
        Between 0 and 1.
    """

    rows: BoolColumn
    expected_f1: float


def choose(rows: Rows, scores: FloatArray, calibration: Calibration, unseen: BoolColumn | None = None) -> Selection:
    """Choose the content of a page.

    Parameters
    ----------
    rows : Rows
    scores : float64 (rows,)
        SVM decision of each row.
    calibration : Calibration
    unseen : bool (rows,), optional
        Rows that take no part: nobody sees them.

    Returns
    -------
    Selection
        The candidate with the largest expected F1.
    """
    out = np.zeros(len(rows), dtype=bool) if unseen is None else unseen
    score = np.where(out, UNSEEN, scores)
    offered = list(candidates(rows, score))
    if not offered:
        return Selection(rows=np.zeros(len(rows), dtype=bool), expected_f1=0.0)
    sets = np.stack(offered)
    weight = np.where(out, 0.0, np.maximum(rows.words, 0.5))
    shifts, share = calibration.shifts()
    probability = calibration.probability(scores + shifts[:, None])
    worth = share @ np.stack([expected_f1(sets, weight, given) for given in probability])
    best = int(np.argmax(worth))
    return Selection(rows=sets[best], expected_f1=float(worth[best]))


def filled(rows: Rows, chosen: BoolColumn) -> BoolColumn:
    """Take in tables, lists, code, quotes and figures that stand between chosen blocks of the same parent.

    Their cells and items look like labels one by one; between two paragraphs of an article they are part of it,
    unless they are links for the most part or as long as the rest together.
    """
    page = rows.page
    result = chosen.copy()
    most = rows.words[chosen].sum() / 2
    for element in np.flatnonzero(page.has_tag(*_PARTS)).tolist():
        first, last = rows.node_rows[element].tolist()
        low, high = rows.node_rows[max(int(page.parent[element]), 0)].tolist()
        between = low < first < last < high and chosen[first - 1] and chosen[last]
        if between and not chosen[first:last].all():
            amount, links = rows.words[first:last].sum(), rows.link_words[first:last].sum()
            if amount <= most and links <= _MOST_LINKED * amount:
                result[first:last] = True
    return result


def expected_f1(rows: BoolColumn, weight: FloatArray, probability: FloatArray) -> FloatArray:
    """Approximate the expected F1 of sets of rows: ``2 Σ_in w p / (Σ_in w + Σ_all w p)``.

    Parameters
    ----------
    rows : bool (..., rows)
        One set or several.
    weight, probability : float64 (rows,)

    Returns
    -------
    float64 (...)
        0 where nothing has a weight.
    """
    likely = weight * probability
    size = rows @ weight + likely.sum()
    found: FloatArray = np.where(size > 0, 2.0 * (rows @ likely) / np.maximum(size, 1e-12), 0.0)
    return found


def candidates(rows: Rows, scores: FloatArray) -> Iterator[BoolColumn]:
    """Yield the sets of rows that are worth considering; none of them is empty."""
    for threshold in THRESHOLDS:
        yield from _some(scores > threshold)
    for level in LEVELS:
        value = (scores - level) * np.maximum(rows.words, 0.5)
        for chosen in (_stretch(value), _subtree(rows, value)):
            yield from _some(chosen)
            yield from _some(chosen & (scores > FLOOR))


def _some(rows: BoolColumn) -> Iterator[BoolColumn]:
    if rows.any():
        yield rows


def _stretch(value: FloatArray) -> BoolColumn:
    rows = np.zeros(len(value), dtype=bool)
    start, end = best_stretch(value, Ties.FIRST)
    rows[start:end] = True
    return rows


def _subtree(rows: Rows, value: FloatArray) -> BoolColumn:
    chosen = np.zeros(len(value), dtype=bool)
    if len(value):
        best = int(np.argmax(rows.over_nodes(value)))
        first, last = rows.node_rows[best]
        chosen[first:last] = True
    return chosen
