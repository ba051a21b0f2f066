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
