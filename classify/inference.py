"""Scores of blocks to the choice of a page: the set of blocks with the largest expected F1.

A threshold for all pages loses some of them wholly: scores of one page lie higher or lower together. Here several ways
of choosing (thresholds, the best contiguous stretch, the best subtree) each offer a set, and the one is taken whose F1
against the unknown content is expected to be largest, given each block's probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..features.counts import Counts, FloatArray
from ..features.regions import best_stretch

BoolArray = NDArray[np.bool_]

THRESHOLDS = (-1.0, -0.7, -0.5, -0.35, -0.2, 0.0, 0.25)
#: Zero points for the best stretch and the best subtree.
LEVELS = (-0.6, -0.3, 0.0)
#: Inside a stretch or subtree, blocks that score below this are still left out.
FLOOR = -0.7
#: Elements that are taken in between chosen blocks, and the largest share of their words that may be links.
_PARTS = ("table", "ul", "ol", "dl", "pre", "blockquote", "figure")
_MOST_LINKED = 0.3


@dataclass(frozen=True, kw_only=True, eq=False)
class Choice:
    """A set of blocks and what it is expected to be worth.

    Attributes
    ----------
    rows : bool (rows,)
    expected_f1 : float
        Between 0 and 1.
    """

    rows: BoolArray
    expected_f1: float


def probabilities(scores: FloatArray, slope: float, offset: float) -> FloatArray:
    """Give the probability of content for each SVM score (Platt 1999), with slope and offset from training."""
    return 1.0 / (1.0 + np.exp(-np.clip(slope * scores + offset, -30, 30)))


def choose(counts: Counts, scores: FloatArray, probability: FloatArray) -> Choice:
    """Choose the content of a page.

    Parameters
    ----------
    counts : Counts
    scores : float64 (rows,)
        SVM decision of each row.
    probability : float64 (rows,)

    Returns
    -------
    Choice
        The candidate with the largest expected F1.
    """
    nothing = Choice(rows=np.zeros(len(counts), dtype=bool), expected_f1=0.0)
    weight = np.maximum(counts.words, 0.5)
    offered = (
        Choice(rows=rows, expected_f1=expected_f1(rows, weight, probability)) for rows in candidates(counts, scores)
    )
    return max(offered, key=lambda choice: choice.expected_f1, default=nothing)


def filled(counts: Counts, rows: BoolArray) -> BoolArray:
    """Take in tables, lists, code, quotes and figures that stand between chosen blocks of the same parent.

    Their cells and items look like labels one by one; between two paragraphs of an article they are part of it,
    unless they are links for the most part or as long as the rest together.
    """
    page = counts.page
    result = rows.copy()
    most = counts.words[rows].sum() / 2
    for element in np.flatnonzero(page.has_tag(*_PARTS)).tolist():
        first, last = counts.node_rows[element].tolist()
        low, high = counts.node_rows[max(int(page.parent[element]), 0)].tolist()
        between = low < first < last < high and rows[first - 1] and rows[last]
        if between and not rows[first:last].all():
            amount, links = counts.words[first:last].sum(), counts.link_words[first:last].sum()
            if amount <= most and links <= _MOST_LINKED * amount:
                result[first:last] = True
    return result


def expected_f1(rows: BoolArray, weight: FloatArray, probability: FloatArray) -> float:
    """Approximate the expected F1 of a set: ``2 Σ_in w p / (Σ_in w + Σ_all w p)``."""
    size = float((weight * rows).sum() + (weight * probability).sum())
    return 2.0 * float((weight * probability * rows).sum()) / size if size > 0 else 0.0


def candidates(counts: Counts, scores: FloatArray) -> Iterator[BoolArray]:
    """Yield the sets of rows that are worth considering; none of them is empty."""
    for threshold in THRESHOLDS:
        yield from _some(scores > threshold)
    for level in LEVELS:
        value = (scores - level) * np.maximum(counts.words, 0.5)
        for rows in (_stretch(value), _subtree(counts, value)):
            yield from _some(rows)
            yield from _some(rows & (scores > FLOOR))


def _some(rows: BoolArray) -> Iterator[BoolArray]:
    if rows.any():
        yield rows


def _stretch(value: FloatArray) -> BoolArray:
    rows = np.zeros(len(value), dtype=bool)
    start, end = best_stretch(value)
    rows[start:end] = True
    return rows


def _subtree(counts: Counts, value: FloatArray) -> BoolArray:
    rows = np.zeros(len(value), dtype=bool)
    if len(value):
        best = int(np.argmax(counts.over_nodes(value)))
        first, last = counts.node_rows[best]
        rows[first:last] = True
    return rows
