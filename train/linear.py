"""Linear support vector machines of the shipped models, fitted to half a million rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..classify.model.svm import LinearSvm, scaling, standardise
from ..page.arrays import FloatArray

#: Strengths of regularisation on the mean loss, of the first and the second stage. By cross-validation over sites, the
#: first stage alone is best at .03 to .1, the second, which has the scores of the first, at 1e-4; over corpora at 1e-3
#: (docs/results/models.md).
FIRST, LAMBDA = 0.05, 1e-3
#: Of the optimiser.
_STEPS = {"maxiter": 70, "maxcor": 20}
#: Least probability with which light rows are sampled, and the weight from which all rows are.
LEAST_KEPT, KEPT_WEIGHT = 0.08, 0.01


def fit_linear(
    matrix: NDArray[np.float32],
    labels: NDArray[np.bool_],
    weight: FloatArray,
    columns: tuple[str, ...],
    seed: int,
    strength: float = LAMBDA,
) -> LinearSvm:
    """Fit a linear SVM to a sample of rows: light rows are kept with a low probability, and weigh more for it."""
    random = np.random.default_rng(seed)
    chance = np.clip(weight / KEPT_WEIGHT, LEAST_KEPT, 1.0)
    chosen = np.flatnonzero(random.random(len(weight)) < chance)
    some = matrix[chosen]
    mean, deviation = scaling(some)
    rows = standardise(some, mean, deviation).astype(np.float32)
    weights, bias = squared_hinge(rows, labels[chosen], weight[chosen] / chance[chosen], strength)
    return LinearSvm(columns=columns, mean=mean, deviation=deviation, weight=weights, bias=bias)


def squared_hinge(
    rows: NDArray[np.float32],
    labels: NDArray[np.bool_],
    weight: FloatArray,
    strength: float = LAMBDA,
    held: tuple[FloatArray, float] | None = None,
    margin: float = 1.0,
) -> tuple[FloatArray, float]:
    """Return weights and bias of a linear SVM (:func:`minimise_hinge`) that separates the rows by their labels."""
    sides = np.where(labels, 1, -1).astype(np.int8)[:, None]
    old = None if held is None else np.append(*held)[:, None]
    planes = minimise_hinge(rows, sides, weight, strength, held=old, margin=margin)
    return planes[:-1, 0], float(planes[-1, 0])


def minimise_hinge(
    rows: NDArray[np.float32],
    sides: NDArray[np.int8],
    weight: FloatArray,
    strength: float,
    *,
    held: FloatArray | None = None,
    margin: float = 1.0,
) -> FloatArray:
    """Minimise mean squared hinge loss + strength / 2 · |weights|² of each class, float64 (columns + 1, classes).

    ``sides``, int8 (rows, classes), are 1 for rows of the class, -1 for others, and 0 where that is unknown. Biases are
    in the last row. With ``held``, the distance from these planes is penalised instead, bias included, so that they
    stay where the rows say nothing else. ``margin`` is the distance from the plane at which a row has no loss.

    Solves the primal by L-BFGS, which takes a tenth of the time of scikit-learn's LinearSVC on half a million rows.
    """
    side = sides.astype(np.float32)
    labelled = weight[:, None] * (sides != 0)
    share = (labelled / np.maximum(labelled.sum(axis=0), 1e-12)).astype(np.float32)
    start = np.zeros((rows.shape[1] + 1, sides.shape[1])) if held is None else held

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        planes = flat.reshape(start.shape)
        short = np.maximum(margin - side * (rows @ planes[:-1].astype(np.float32) + planes[-1].astype(np.float32)), 0.0)
        slope = -2.0 * share * short * side
        gradient = np.concatenate([rows.T @ slope, slope.sum(axis=0, dtype=np.float64)[None]]).astype(np.float64)
        away = planes - start
        if held is None:
            away[-1] = 0.0
        value = float((share * short * short).sum(dtype=np.float64)) + strength / 2 * float((away * away).sum())
        return value, (gradient + strength * away).ravel()

    solution: FloatArray = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=_STEPS).x
    return solution.reshape(start.shape)
