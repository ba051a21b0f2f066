"""A support vector machine with a radial kernel as plain numbers: what :mod:`.kernel_fitting` has fitted, in use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....render.arrays import FloatArray
from .learned import Learned

_ROWS_AT_ONCE = 4096


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelSvm:
    """``decision = sum of weight · exp(-gamma · |x - vector|²) + bias`` over the support vectors, of scaled features.

    Attributes
    ----------
    low, high : float64 (columns,)
        What features are scaled by: these become -1 and 1.
    vector : float32 (vectors, columns)
        Scaled.
    weight : float64 (vectors,)
    bias, gamma, penalty : float
    slope, offset : float
        Of the probability, ``1 / (1 + exp(-(slope · decision + offset)))`` (Platt 1999).
    """

    low: FloatArray
    high: FloatArray
    vector: NDArray[np.float32]
    weight: FloatArray
    bias: float
    gamma: float
    penalty: float
    slope: float
    offset: float

    def decision(self, matrix: FloatArray) -> FloatArray:
        """float64 (rows,): positive means content."""
        scaled = scale(matrix, self.low, self.high)
        vector = self.vector.astype(np.float64)
        found = np.zeros(len(scaled))
        for first in range(0, len(scaled), _ROWS_AT_ONCE):
            part = scaled[first : first + _ROWS_AT_ONCE]
            distance = (part**2).sum(axis=1)[:, None] - 2 * part @ vector.T + (vector**2).sum(axis=1)
            found[first : first + len(part)] = np.exp(-self.gamma * distance) @ self.weight + self.bias
        return found

    def probability(self, matrix: FloatArray) -> FloatArray:
        """float64 (rows,): probability of content."""
        return np.asarray(0.5 * (1.0 + np.tanh((self.slope * self.decision(matrix) + self.offset) / 2)))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return it as named arrays."""
        numbers = [self.bias, self.gamma, self.penalty, self.slope, self.offset]
        return {
            "low": self.low,
            "high": self.high,
            "vector": self.vector,
            "weight": self.weight,
            "numbers": np.asarray(numbers),
        }


def kernel_of(learned: Learned) -> KernelSvm:
    """Read the machine from a model."""
    bias, gamma, penalty, slope, offset = learned.array("numbers").tolist()
    return KernelSvm(
        low=learned.array("low"),
        high=learned.array("high"),
        vector=learned.array("vector"),
        weight=learned.array("weight"),
        bias=bias,
        gamma=gamma,
        penalty=penalty,
        slope=slope,
        offset=offset,
    )


def scale(matrix: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Bring features to -1 to 1; what is missing (NaN) stands in the middle."""
    scaled = 2 * (matrix - low) / np.where(high > low, high - low, 1.0) - 1
    return np.clip(np.nan_to_num(scaled, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)
