"""A support vector machine with an RBF kernel and Platt scaling, as in FIASCO and KrdWrd (LIBSVM).

Its parameters are plain numbers, evaluated with NumPy; only fitting needs scikit-learn.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from ...model.calibration import Calibration
from .trainable import Learned
from .unseen_sites import fit_platt, folds_by_site

if TYPE_CHECKING:
    from sklearn.svm import SVC

#: KrdWrd's grid (Steger and Stemle, WAC5 2009): C from 1 to 1000, three kernel widths.
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
GAMMAS = (0.005, 0.05, 0.5)
FOLDS = 3
#: Rows for fitting; LIBSVM's time is more than quadratic.
MOST_ROWS = 4000
#: Most iterations of the solver, for penalties that are too large for the data.
MOST_STEPS = 200_000
#: Rows that are compared with all support vectors at once.
ROWS_AT_ONCE = 512
#: Features are scaled to -1 to 1 between these percentiles, and clipped.
PERCENTILES = (1.0, 99.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelSvm:
    """The decision of :func:`rbf_decision` on features scaled to -1 to 1."""

    low: FloatArray  # float64 (columns,): the value of each column that is scaled to -1, and that scaled to 1
    high: FloatArray
    #: float32 (vectors, columns): support vectors, scaled.
    vector: NDArray[np.float32]
    weight: FloatArray  # float64 (vectors,)
    bias: float
    gamma: float
    penalty: float
    calibration: Calibration

    def decision(self, matrix: FloatArray) -> FloatArray:
        """Return the decision, float64 (rows,); positive means content."""
        scaled = scale(matrix, self.low, self.high)
        return rbf_decision(scaled, self.vector, self.weight, gamma=self.gamma, bias=self.bias)

    def probability(self, matrix: FloatArray) -> FloatArray:
        """Return the probability of content, float64 (rows,)."""
        return self.calibration.probability(self.decision(matrix))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays of a model."""
        numbers = [self.bias, self.gamma, self.penalty, self.calibration.slope, self.calibration.offset]
        return {
            "low": self.low,
            "high": self.high,
            "vector": self.vector,
            "weight": self.weight,
            "numbers": np.asarray(numbers),
        }


@lru_cache(maxsize=8)
def kernel_of(learned: Learned, columns: int | None = None) -> KernelSvm:
    """Read the support vector machine from a model, for a number of columns or for any."""
    bias, gamma, penalty, slope, offset = learned.array("numbers", (5,), kind="f").tolist()
    if gamma < 0:
        raise learned.damaged("gamma")
    low = learned.array("low", (columns,), kind="f")
    weight = learned.array("weight", (None,), kind="f")
    return KernelSvm(
        low=low,
        high=learned.array("high", low.shape, kind="f"),
        vector=learned.array("vector", (len(weight), columns), kind="f"),
        weight=weight,
        bias=bias,
        gamma=gamma,
        penalty=penalty,
        calibration=Calibration(slope=slope, offset=offset),
    )


def scale(matrix: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Scale features to -1 to 1; missing values (NaN) are 0."""
    scaled = 2 * (matrix - low) / np.where(high > low, high - low, 1.0) - 1
    return np.clip(np.nan_to_num(scaled, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)


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
    """Fit on a sample of rows; penalty and kernel width are the best in cross-validation by site (grid search)."""
    # ``words`` weight the rows in the grid search only. ValueError if there is only one site or one label.
    chosen = np.sort(np.random.default_rng(seed).permutation(len(matrix))[:most_rows])
    rows, truth = matrix[chosen], labels[chosen]
    if len(np.unique(truth)) < 2:
        raise ValueError("a support vector machine needs training rows of content and of other text")
    fold = folds_by_site(np.asarray(sites)[chosen], FOLDS)
    low, high = np.nanpercentile(rows, PERCENTILES, axis=0)
    scaled = scale(rows, low, high)
    trials = [
        (_held_out_decisions(scaled, truth, fold, penalty, gamma), penalty, gamma)
        for penalty, gamma in itertools.product(penalties, gammas)
    ]
    weight = words[chosen]
    decision, penalty, gamma = max(trials, key=lambda trial: float(weight @ ((trial[0] > 0) == truth)))
    svm = _fit(scaled, truth, penalty, gamma)
    return KernelSvm(
        low=low,
        high=high,
        vector=svm.support_vectors_.astype(np.float32),
        weight=svm.dual_coef_[0].copy(),
        bias=float(svm.intercept_[0]),
        gamma=gamma,
        penalty=penalty,
        calibration=fit_platt(decision, truth),
    )


def _held_out_decisions(
    matrix: FloatArray, labels: NDArray[np.bool_], fold: NDArray[np.int64], penalty: float, gamma: float
) -> FloatArray:
    decision = np.zeros(len(matrix))
    for number in range(int(fold.max()) + 1):
        training = fold != number
        if len(np.unique(labels[training])) == 2:
            svm = _fit(matrix[training], labels[training], penalty, gamma)
            decision[~training] = svm.decision_function(matrix[~training])
    return decision


def _fit(matrix: FloatArray, labels: NDArray[np.bool_], penalty: float, gamma: float) -> SVC:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    svm = SVC(C=penalty, gamma=gamma, kernel="rbf", max_iter=MOST_STEPS, cache_size=400)
    with warnings.catch_warnings():
        # A penalty that does not converge is rejected by its score.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return svm.fit(matrix, labels)


def rbf_decision(
    rows: FloatArray, vectors: NDArray[np.float32], dual: FloatArray, *, gamma: float, bias: float
) -> FloatArray:
    """Return ``Σ dual · exp(-gamma · |row - vector|²) + bias`` for rows scaled like the vectors, float64 (rows,)."""
    support = vectors.astype(np.float64)
    length = (support**2).sum(axis=1)
    decision = np.zeros(len(rows))
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        # By rounding, the distance of a row from itself can be below 0.
        distance = np.maximum((part**2).sum(axis=1)[:, None] + length - 2 * part @ support.T, 0)
        decision[start : start + ROWS_AT_ONCE] = np.exp(-gamma * distance) @ dual + bias
    return decision
