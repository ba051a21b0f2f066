"""The reading model of a block model, fitted to the readings of pages of unseen sites.

A log-linear model, by cross-entropy: the target is a distribution over the readings of a page, the softmax of their F1,
so that readings that are nearly as good count nearly as much. A page counts by the doubt that its blocks leave, as the
choice heeds the model by it: most pages are articles without any. The penalty is on the distance from a model that
knows the expected F1 alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..classify.model.reading_columns import COLUMNS
from ..classify.model.reading_model import ReadingModel
from ..classify.model.svm import scaling, standardise
from ..page.arrays import FloatArray

#: Strength of the penalty, weight of the expected F1 without evidence, and temperature of the targets.
STRENGTH, START, TEMPERATURE = 0.01, 3.0, 0.02
#: Doubt of a page whose blocks leave none.
_LEAST_DOUBT = 0.02
_EXPECTED = COLUMNS.index("expected_f1")
_STEPS = {"maxiter": 200}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageChoice:
    """The readings of a training page."""

    columns: NDArray[np.float32]  # float32 (readings, COLUMNS)
    f1: FloatArray  # float64 (readings,): F1 in words against the labels
    overlaps: FloatArray  # float64 (readings, readings): F1 of each two


def fit_readings(pages: Sequence[PageChoice]) -> ReadingModel:
    """Fit a reading model to pages; ValueError without any."""
    if not pages:
        raise ValueError("no page has readings to choose between")
    matrix = np.concatenate([page.columns for page in pages])
    mean, deviation = scaling(matrix)
    rows = standardise(matrix, mean, deviation)
    counts = [len(page.f1) for page in pages]
    starts, page_of = np.cumsum([0, *counts])[:-1], np.repeat(np.arange(len(pages)), counts)

    def softmax(values: FloatArray) -> FloatArray:
        likely = np.exp(values - np.maximum.reduceat(values, starts)[page_of])
        share: FloatArray = likely / np.add.reduceat(likely, starts)[page_of]
        return share

    doubt = np.asarray([_LEAST_DOUBT + 1.0 - float(page.columns[:, _EXPECTED].max()) for page in pages])
    weight_of = (doubt / doubt.sum())[page_of]
    target = softmax(np.concatenate([page.f1 for page in pages]) / TEMPERATURE)
    start = np.zeros(len(COLUMNS))
    start[_EXPECTED] = START

    def loss(weight: FloatArray) -> tuple[float, FloatArray]:
        likely, away = softmax(rows @ weight), weight - start
        entropy = -float((weight_of * target * np.log(np.maximum(likely, 1e-300))).sum())
        gradient = rows.T @ (weight_of * (likely - target))
        return entropy + STRENGTH / 2 * float(away @ away), gradient + STRENGTH * away

    weight: FloatArray = minimize(loss, start, jac=True, method="L-BFGS-B", options=_STEPS).x
    return ReadingModel(mean=mean, deviation=deviation, weight=weight)


def cross_validated(pages: Sequence[PageChoice], folds: NDArray[np.int64]) -> FloatArray:
    """Return the F1 of the chosen reading of each page by models of the other folds, float64 (pages,)."""
    f1 = np.zeros(len(pages))
    for fold in np.unique(folds).tolist():
        model = fit_readings([page for page, own in zip(pages, folds.tolist(), strict=True) if own != fold])
        for number in np.flatnonzero(folds == fold).tolist():
            page = pages[number]
            f1[number] = page.f1[model.best(page.columns.astype(np.float64), page.overlaps)]
    return f1
