"""Fitting of the confidence: the F1 of pages of unseen sites by facts about the page and its output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from ..classify.model.confidence import Confidence
from ..page.arrays import FloatArray

#: Inverse strength of regularisation; ranks at which the columns' values are kept, and the step between equal values.
STRENGTH, _RANKS, _STEP = 1.0, 21, 1e-9
#: Pages of one knot of the monotone map, and the least deviation of a column.
_PAGES, _MOST_KNOTS, _LEAST_DEVIATION = 40, 14, 1e-3
#: Bounds of the rows of a reliability table.
EDGES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)
#: F1 below which an output counts as wrong.
WRONG = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedPage:
    """A page of an unseen site: its columns, float64 (columns,), and the F1 of its output."""

    columns: FloatArray
    f1: float


def fit_confidence(pages: Sequence[JudgedPage], folds: NDArray[np.int64]) -> tuple[Confidence, FloatArray]:
    """Fit the confidence; return also that of each page by the other folds, float64 (pages,).

    Raises ValueError if the pages are of one fold.
    """
    if len(set(folds.tolist())) < 2:
        raise ValueError("the confidence is fitted by folds: it needs pages of two sites")
    rows, f1 = np.stack([page.columns for page in pages]), np.asarray([page.f1 for page in pages])
    raw, known = np.zeros(len(f1)), np.zeros(len(f1))
    for fold in np.unique(folds).tolist():
        raw[folds == fold] = _regression(rows[folds != fold], f1[folds != fold]).raw(rows[folds == fold])
    for fold in np.unique(folds).tolist():
        known[folds == fold] = np.interp(raw[folds == fold], *_knots(raw[folds != fold], f1[folds != fold]))
    return replace(_regression(rows, f1), knots=_knots(raw, f1)), known


def _regression(rows: FloatArray, f1: FloatArray) -> Confidence:
    """Return a logistic regression of shares: a page counts as a success by its F1, as a failure by the rest."""
    quantiles = np.quantile(rows, np.linspace(0.0, 1.0, _RANKS), axis=0).T
    empty = Confidence(
        mean=rows.mean(axis=0),
        deviation=np.maximum(rows.std(axis=0), _LEAST_DEVIATION),
        # Equal values get the highest of their ranks: without the small steps it would be any of them.
        quantiles=quantiles + _STEP * np.arange(_RANKS),
        weight=np.zeros(2 * rows.shape[1]),
        bias=0.0,
        knots=np.asarray([[0.0, 1.0], [0.0, 1.0]]),
    )
    side, weight = np.repeat([1, 0], len(f1)), np.concatenate([f1, 1.0 - f1]) + 1e-9
    inputs = np.tile(empty.inputs(rows), (2, 1))
    fitted = LogisticRegression(C=STRENGTH, max_iter=3000).fit(inputs, side, sample_weight=weight)
    return replace(empty, weight=fitted.coef_[0], bias=float(fitted.intercept_[0]))


def _knots(raw: FloatArray, f1: FloatArray) -> FloatArray:
    """Return a monotone map from values of the regression to the mean F1 around them, from 0 to 1."""
    order = np.argsort(raw, kind="stable")
    parts = np.array_split(order, int(np.clip(len(raw) // _PAGES, 1, _MOST_KNOTS)))
    at, mean = (np.asarray([values[part].mean() for part in parts]) for values in (raw, f1))
    mean = IsotonicRegression().fit_transform(at, mean, sample_weight=[len(part) for part in parts])
    apart = np.append(True, np.diff(at) > 1e-6) & (at > 1e-6) & (at < 1.0 - 1e-6)
    return np.asarray([[0.0, *at[apart], 1.0], [0.0, *mean[apart], 1.0]])


def reliability(known: FloatArray, f1: FloatArray, edges: Sequence[float] = EDGES) -> list[dict[str, float]]:
    """Return pages, mean confidence, mean F1 and the share of wrong outputs between two edges each."""
    table = []
    for low, high in pairwise(edges):
        inside = (known >= low) & (known < high)
        if inside.any():
            row = {"from": low, "to": min(high, 1.0), "pages": float(inside.sum()), "confidence": known[inside].mean()}
            row |= {"f1": f1[inside].mean(), "wrong": (f1[inside] < WRONG).mean()}
            table.append({name: round(float(value), 4) for name, value in row.items()})
    return table


def rank_correlation(known: FloatArray, f1: FloatArray) -> float:
    """Return Spearman's correlation of confidence and F1, 0 if one of them is constant."""
    if np.ptp(known) == 0 or np.ptp(f1) == 0:
        return 0.0
    return float(spearmanr(known, f1).statistic)
