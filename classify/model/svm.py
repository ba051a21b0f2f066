"""Support vector machines as plain numbers: read from a file, evaluated by NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Standardised features are cut off here: one odd page must not swing a decision.
CLIP = 6.0
#: Least standard deviation a feature is divided by; rarer flags would be blown up.
LEAST_DEVIATION = 0.05
#: Rows that are laid against all support vectors at once.
ROWS_AT_ONCE = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearSvm:
    """``decision = ((x - mean) / deviation, cut off) · weight + bias``; missing values (NaN) count as the mean.

    Attributes
    ----------
    columns : tuple of str
        Names of the features, in the order of the numbers.
    mean, deviation, weight : float64 (columns,)
    bias : float
    """

    columns: tuple[str, ...]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    weight: NDArray[np.float64]
    bias: float

    def standardise(self, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
        """Bring features to mean 0 and deviation 1."""
        return standardise(matrix, self.mean, self.deviation)

    def decision(self, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the signed distance from the separating plane for each row; positive means content.

        Parameters
        ----------
        matrix : float (rows, columns)

        Returns
        -------
        float64 (rows,)
        """
        return self.standardise(matrix) @ self.weight + self.bias


def standardise(
    matrix: NDArray[np.floating], mean: NDArray[np.float64], deviation: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Bring features to mean 0 and deviation 1, cut off at ±:data:`CLIP`; NaN becomes 0."""
    scaled = (matrix - mean) / deviation
    return np.clip(np.nan_to_num(scaled, nan=0.0, posinf=CLIP, neginf=-CLIP), -CLIP, CLIP)


@dataclass(frozen=True, kw_only=True, eq=False)
class RbfSvm:
    """``decision = Σ dual · exp(-gamma · |z - vector|²) + bias``, where ``z`` is the standardised row.

    Attributes
    ----------
    columns : tuple of str
        Names of the features, in the order of the numbers.
    mean, deviation : float64 (columns,)
    vectors : float32 (vectors, columns)
        Support vectors, standardised.
    dual : float64 (vectors,)
        Their weights, the sign being the class.
    gamma, bias : float
    """

    columns: tuple[str, ...]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    vectors: NDArray[np.float32]
    dual: NDArray[np.float64]
    gamma: float
    bias: float

    def decision(self, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the decision for each row; positive means content. See :meth:`LinearSvm.decision`."""
        rows = standardise(matrix, self.mean, self.deviation)
        vectors = self.vectors.astype(np.float64)
        length = (vectors**2).sum(axis=1)
        found = np.zeros(len(rows))
        for start in range(0, len(rows), ROWS_AT_ONCE):
            part = rows[start : start + ROWS_AT_ONCE]
            distance = (part**2).sum(axis=1)[:, None] + length - 2 * part @ vectors.T
            found[start : start + ROWS_AT_ONCE] = np.exp(-self.gamma * np.maximum(distance, 0)) @ self.dual + self.bias
        return found


#: Either kind of machine, told apart by what it stores.
Machine = LinearSvm | RbfSvm
