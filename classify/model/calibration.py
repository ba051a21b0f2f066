"""Calibration: map the scores of a support vector machine to the probability of content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...page.arrays import FloatArray, logistic

#: Shifts of the scores of a page that are tried.
_SHIFTS = 9


@cache
def _quadrature() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss-Hermite quadrature for the standard normal distribution."""
    from numpy.polynomial.hermite_e import hermegauss  # takes some milliseconds

    nodes, weights = hermegauss(_SHIFTS)
    return nodes, weights / weights.sum()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Platt scaling, and the uncertainty of a page's scores."""

    #: slope, offset: Of the probability of content, ``1 / (1 + exp(-(slope · score + offset)))`` (Platt 1999).
    slope: float
    offset: float
    spread: float = 0.0  # standard deviation of a shift that is common to all scores of a page

    def probability(self, scores: FloatArray) -> FloatArray:
        """Return the probability of content for each score."""
        return logistic(self.slope * scores + self.offset)

    def shifts(self) -> tuple[FloatArray, FloatArray]:
        """Return the shifts to evaluate and the weight of each (Gauss-Hermite quadrature)."""
        if self.spread <= 0:
            return np.zeros(1), np.ones(1)
        nodes, weights = _quadrature()
        return self.spread * nodes, weights.copy()
