"""Support vector machines as plain numbers, evaluated with NumPy."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray

#: Standardised features are clipped here, so that one outlier cannot determine a decision.
CLIP = 6.0
#: Least standard deviation a feature is divided by; rare flags would be scaled up too much.
LEAST_DEVIATION = 0.05
#: Rows that are compared with all support vectors at once.
ROWS_AT_ONCE = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearSvm:
    """``decision = ((x - mean) / deviation, clipped) · weight + bias``; missing values (NaN) count as the mean."""

    #: Names of the features, in the order of the numbers.
    columns: tuple[str, ...]
    #: mean, deviation, weight: float64 (columns,)
    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray
    bias: float

    def standardise(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Scale features to mean 0 and deviation 1."""
        return standardise(matrix, self.mean, self.deviation)

    def decision(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return the signed distance of each row from the separating plane, float64 (rows,); positive means content."""
        decision: FloatArray = self.standardise(matrix) @ self.weight + self.bias
        return decision


@dataclass(frozen=True, kw_only=True, eq=False)
class RbfSvm:
    """The decision of :func:`rbf_decision` on standardised rows; missing values (NaN) count as the mean."""

    #: Names of the features, in the order of the numbers.
    columns: tuple[str, ...]
    #: mean, deviation: float64 (columns,)
    mean: FloatArray
    deviation: FloatArray
    #: float32 (vectors, columns): Support vectors, standardised.
    vectors: NDArray[np.float32]
    dual: FloatArray  # float64 (vectors,): Their weights, the sign being the class
    gamma: float
    bias: float

    def decision(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return the decision for each row; positive means content. See :meth:`LinearSvm.decision`."""
        scaled = standardise(matrix, self.mean, self.deviation)
        return rbf_decision(scaled, self.vectors, self.dual, gamma=self.gamma, bias=self.bias)


Svm = LinearSvm | RbfSvm


def scaling(matrix: NDArray[np.floating]) -> tuple[FloatArray, FloatArray]:
    """Return mean and deviation, at least :data:`LEAST_DEVIATION`, of the known values of each column."""
    known = np.where(np.isfinite(matrix), matrix, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of empty columns
        mean = np.nan_to_num(np.nanmean(known, axis=0, dtype=np.float64))
        deviation = np.nan_to_num(np.nanstd(known, axis=0, dtype=np.float64))
    return mean, np.maximum(deviation, LEAST_DEVIATION)


def standardise(matrix: NDArray[np.floating], mean: FloatArray, deviation: FloatArray) -> FloatArray:
    """Scale features to mean 0 and deviation 1, clipped at ±:data:`CLIP`; NaN is replaced by 0."""
    scaled: FloatArray = matrix - mean
    scaled /= deviation
    np.clip(scaled, -CLIP, CLIP, out=scaled)
    if np.isnan(scaled.sum()):
        scaled[np.isnan(scaled)] = 0.0
    return scaled


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
