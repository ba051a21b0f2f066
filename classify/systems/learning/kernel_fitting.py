"""Fits a support vector machine with a radial kernel by scikit-learn (LIBSVM); only training needs that library."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.svm import SVC

from ....render.arrays import FloatArray
from .kernel import KernelSvm, scale

#: KrdWrd's grid (Steger and Stemle, WAC5 2009): C from 1 to 1000, three widths of the kernel.
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
GAMMAS = (0.005, 0.05, 0.5)
FOLDS = 3
#: Rows to fit on; LIBSVM's time grows faster than their square.
MOST_ROWS = 4000
#: Fitting ends after so many steps, where a penalty is far too large for the data.
MOST_STEPS = 200_000
#: Features are scaled to -1 to 1 between these percentiles, and cut off there.
PERCENTILES = (1.0, 99.0)


def fit_kernel(
    matrix: FloatArray,
    labels: NDArray[np.bool_],
    sites: Sequence[str],
    words: FloatArray,
    *,
    penalties: Sequence[float] = PENALTIES,
    gammas: Sequence[float] = GAMMAS,
    most_rows: int = MOST_ROWS,
    seed: int = 0,
) -> KernelSvm:
    """Fit a machine; the penalty and the kernel's width are those that do best on sites not seen in fitting.

    Parameters
    ----------
    matrix : float64 (rows, columns)
    labels : bool (rows,)
    sites : sequence of str, (rows,)
    words : float64 (rows,)
        How much a row counts in the choice of penalty and width; all count the same in fitting, as in LIBSVM.
    penalties, gammas : sequence of float
        What is tried, each with each.
    most_rows : int
        A sample of so many rows is fitted on.
    seed : int
        Of the sample.

    Raises
    ------
    ValueError
        When there is one site or one label only.
    """
    chosen = np.sort(np.random.default_rng(seed).permutation(len(matrix))[:most_rows])
    rows, truth, groups = matrix[chosen], labels[chosen], np.asarray(sites)[chosen]
    if len(np.unique(truth)) < 2 or len(np.unique(groups)) < 2:
        raise ValueError("a machine is fitted on content and other text of two sites at least")
    low, high = np.nanpercentile(rows, PERCENTILES, axis=0)
    scaled = scale(rows, low, high)
    trials = [
        (_unseen_decisions(scaled, truth, groups, penalty, gamma), penalty, gamma)
        for penalty, gamma in itertools.product(penalties, gammas)
    ]
    weight = words[chosen]
    decision, penalty, gamma = max(trials, key=lambda trial: float(weight @ ((trial[0] > 0) == truth)))
    logistic = LogisticRegression(C=1e6).fit(decision[:, None], truth)
    machine = _fitted(scaled, truth, penalty, gamma)
    return KernelSvm(
        low=low,
        high=high,
        vector=machine.support_vectors_.astype(np.float32),
        weight=machine.dual_coef_[0].copy(),
        bias=float(machine.intercept_[0]),
        gamma=gamma,
        penalty=penalty,
        slope=float(logistic.coef_[0, 0]),
        offset=float(logistic.intercept_[0]),
    )


def _unseen_decisions(
    matrix: FloatArray, labels: NDArray[np.bool_], groups: NDArray[np.str_], penalty: float, gamma: float
) -> FloatArray:
    """Return each row's decision by a machine that has not seen its site."""
    decision = np.zeros(len(matrix))
    splitter = GroupKFold(min(FOLDS, len(np.unique(groups))))
    for seen, held_out in splitter.split(matrix, groups=groups):
        if len(np.unique(labels[seen])) == 2:
            machine = _fitted(matrix[seen], labels[seen], penalty, gamma)
            decision[held_out] = machine.decision_function(matrix[held_out])
    return decision


def _fitted(matrix: FloatArray, labels: NDArray[np.bool_], penalty: float, gamma: float) -> SVC:
    machine = SVC(C=penalty, gamma=gamma, kernel="rbf", max_iter=MOST_STEPS, cache_size=400)
    with warnings.catch_warnings():
        # A penalty at which the machine does not settle in time loses against the others by what it does.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return machine.fit(matrix, labels)
