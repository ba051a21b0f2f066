"""Grid search of support vector machines, cross-validated by site."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_fscore_support
from sklearn.svm import SVC, LinearSVC

from ..classify.model.svm import LinearSvm, RbfSvm, Svm, scaling, standardise
from ..classify.systems.learning.unseen_sites import TooFewSites, folds_by_site
from ..page.arrays import FloatArray
from .examples import Examples, NoExamples
from .settings import C_ROWS, Fitting, Setting


@dataclass(frozen=True, kw_only=True)
class RowScore:
    """Scores of rows of unseen sites, weighted by words, normalised per page."""

    f1: float  # At the decision 0
    precision: float
    recall: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Trial:
    """One setting with its score on unseen sites."""

    setting: Setting
    score: RowScore
    decisions: FloatArray


def fit_svm(
    examples: Examples, setting: Setting, weight: FloatArray, rows: NDArray[np.int64], *, blocks: int, seed: int
) -> Svm:
    """Fit a scikit-learn support vector machine to some rows; of more than ``blocks``, a weighted sample is drawn."""
    rows, sample = draw_sample(rows, weight[rows], blocks, seed)
    matrix, label = examples.matrix[rows].astype(np.float64), examples.label[rows]
    mean, deviation = scaling(matrix)
    scaled, sample = standardise(matrix, mean, deviation), sample / sample.mean()
    c = setting.c * C_ROWS / len(rows)
    if setting.kernel == "linear":
        line = LinearSVC(C=c, loss="squared_hinge", dual=False, intercept_scaling=10.0, max_iter=200, tol=1e-3)
        line.fit(scaled, label, sample_weight=sample)
        return LinearSvm(
            columns=examples.columns,
            mean=mean,
            deviation=deviation,
            weight=line.coef_[0].copy(),
            bias=float(line.intercept_[0]),
        )
    gamma = setting.gamma / len(examples.columns)
    curve = SVC(C=c, gamma=gamma, cache_size=500).fit(scaled, label, sample_weight=sample)
    return RbfSvm(
        columns=examples.columns,
        mean=mean,
        deviation=deviation,
        vectors=scaled[curve.support_].astype(np.float32),
        dual=curve.dual_coef_[0].copy(),
        gamma=gamma,
        bias=float(curve.intercept_[0]),
    )


def draw_sample(
    rows: NDArray[np.int64], weight: FloatArray, most: int, seed: int
) -> tuple[NDArray[np.int64], FloatArray]:
    """Sample about ``most`` rows by weight; return them and the weight that each represents.

    A row is kept with probability ``min(1, weight · scale)`` and then counts ``weight / probability``, so that sums
    stay the same on average (Poisson sampling).
    """
    if len(rows) <= most:
        return rows, weight
    scale = 0.0
    for _ in range(20):  # rows that are certainly kept leave less room for the others
        certain = weight * scale >= 1
        if certain.sum() >= most:
            break
        scale = (most - certain.sum()) / max(float(weight[~certain].sum()), 1e-12)
    chance = np.clip(weight * scale, 1e-6, 1.0)
    sampled = np.random.default_rng(seed).random(len(rows)) < chance
    return rows[sampled], weight[sampled] / chance[sampled]


def cross_validate(examples: Examples, setting: Setting, fitting: Fitting, *, blocks: int) -> Trial:
    """Score each row by a support vector machine that was not trained on its site; raises NoExamples."""
    weight = examples.weights()
    try:
        fold = folds_by_site(examples.site, fitting.folds)
    except TooFewSites as error:
        raise NoExamples(str(error)) from error
    decisions = np.zeros(len(examples))
    for number in range(int(fold.max()) + 1):
        seen = np.flatnonzero(fold != number)
        if examples.label[seen].all() or not examples.label[seen].any():
            raise NoExamples("a fold has one label only: training needs content and boilerplate of more sites")
        svm = fit_svm(examples, setting, weight, seen, blocks=blocks, seed=fitting.seed)
        decisions[fold == number] = svm.decision(examples.matrix[fold == number])
    return Trial(setting=setting, score=score_rows(examples, decisions), decisions=decisions)


def score_rows(examples: Examples, decisions: FloatArray) -> RowScore:
    """Score decisions against the labels."""
    weight, label, prediction = examples.weights(), examples.label, decisions > 0
    precision, recall, f1, _ = precision_recall_fscore_support(
        label, prediction, average="binary", sample_weight=weight, zero_division=0.0
    )
    return RowScore(
        f1=float(f1),
        precision=float(precision),
        recall=float(recall),
    )
