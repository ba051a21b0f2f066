"""A support vector machine with a radial kernel and a probability, as FIASCO and KrdWrd use it (LIBSVM).

What it has learned is plain numbers, in use by NumPy alone; only fitting needs scikit-learn.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from ...model.calibration import Calibration
from ...model.svm import rbf_decision
from .trainable import Learned
from .unseen_sites import fit_platt, folds_by_site

if TYPE_CHECKING:
    from sklearn.svm import SVC

#: KrdWrd's grid (Steger and Stemle, WAC5 2009): C from 1 to 1000, three widths of the kernel.
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
GAMMAS = (0.005, 0.05, 0.5)
FOLDS = 3
#: Rows to fit on; LIBSVM's time grows faster than their square.
MOST_ROWS = 4000
#: Fitting ends after this number of steps, where a penalty is far too large for the data.
MOST_STEPS = 200_000
#: Features are scaled to -1 to 1 between these percentiles, and cut off there.
PERCENTILES = (1.0, 99.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelSvm:
    """The decision of :func:`~blocksight.classify.model.svm.rbf_decision` on features scaled to -1 to 1.

    Attributes
    ----------
    low, high : float64 (columns,)
        What features are scaled by: these become -1 and 1.
    vector : float32 (vectors, columns)
        Support vectors, scaled.
    weight : float64 (vectors,)
    bias, gamma, penalty : float
    calibration : Calibration
        What its decisions mean.
    """

    low: FloatArray
    high: FloatArray
    vector: NDArray[np.float32]
    weight: FloatArray
    bias: float
    gamma: float
    penalty: float
    calibration: Calibration

    def decision(self, matrix: FloatArray) -> FloatArray:
        """float64 (rows,): positive means content."""
        scaled = scale(matrix, self.low, self.high)
        return rbf_decision(scaled, self.vector, self.weight, gamma=self.gamma, bias=self.bias)

    def probability(self, matrix: FloatArray) -> FloatArray:
        """float64 (rows,): probability of content."""
        return self.calibration.probability(self.decision(matrix))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return it as named arrays."""
        numbers = [self.bias, self.gamma, self.penalty, self.calibration.slope, self.calibration.offset]
        return {
            "low": self.low,
            "high": self.high,
            "vector": self.vector,
            "weight": self.weight,
            "numbers": np.asarray(numbers),
        }


def kernel_of(learned: Learned, columns: int | None = None) -> KernelSvm:
    """Read the support vector machine from a model, for this number of columns or for any."""
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
    """Bring features to -1 to 1; what is missing (NaN) stands in the middle."""
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
    """Fit a support vector machine; penalty and width of the kernel are those that do best on sites not seen.

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
        A sample of this size is fitted on.
    seed : int
        Of the sample.

    Raises
    ------
    ValueError
        When there is one site or one label only.
    """
    chosen = np.sort(np.random.default_rng(seed).permutation(len(matrix))[:most_rows])
    rows, truth = matrix[chosen], labels[chosen]
    if len(np.unique(truth)) < 2:
        raise ValueError("a support vector machine is fitted on content and other text, not on one of them alone")
    fold = folds_by_site(np.asarray(sites)[chosen], FOLDS)
    low, high = np.nanpercentile(rows, PERCENTILES, axis=0)
    scaled = scale(rows, low, high)
    trials = [
        (_unseen_decisions(scaled, truth, fold, penalty, gamma), penalty, gamma)
        for penalty, gamma in itertools.product(penalties, gammas)
    ]
    weight = words[chosen]
    decision, penalty, gamma = max(trials, key=lambda trial: float(weight @ ((trial[0] > 0) == truth)))
    svm = _fitted(scaled, truth, penalty, gamma)
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


def _unseen_decisions(
    matrix: FloatArray, labels: NDArray[np.bool_], fold: NDArray[np.int64], penalty: float, gamma: float
) -> FloatArray:
    """Return each row's decision by a support vector machine that has not seen its site."""
    decision = np.zeros(len(matrix))
    for number in range(int(fold.max()) + 1):
        seen = fold != number
        if len(np.unique(labels[seen])) == 2:
            svm = _fitted(matrix[seen], labels[seen], penalty, gamma)
            decision[~seen] = svm.decision_function(matrix[~seen])
    return decision


def _fitted(matrix: FloatArray, labels: NDArray[np.bool_], penalty: float, gamma: float) -> SVC:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    svm = SVC(C=penalty, gamma=gamma, kernel="rbf", max_iter=MOST_STEPS, cache_size=400)
    with warnings.catch_warnings():
        # A penalty at which it does not settle in time loses against the others by what it does.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return svm.fit(matrix, labels)
