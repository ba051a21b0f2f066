"""What the scores of a support vector machine mean: the probability of content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...render.arrays import FloatArray

#: Points at which the distribution of a page's shift is looked at.
_SHIFTS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What scores mean.

    Attributes
    ----------
    slope, offset : float
        Of the probability of content, ``1 / (1 + exp(-(slope · score + offset)))`` (Platt 1999).
    spread : float
        Standard deviation of the shift that all scores of a page share.
    """

    slope: float
    offset: float
    spread: float = 0.0

    def probability(self, scores: FloatArray) -> FloatArray:
        """Return the probability of content for each score."""
        return 1.0 / (1.0 + np.exp(-np.clip(self.slope * scores + self.offset, -30, 30)))

    def shifts(self) -> tuple[FloatArray, FloatArray]:
        """Return the shifts to look at and the weight of each (Gauss-Hermite quadrature)."""
        if self.spread <= 0:
            return np.zeros(1), np.ones(1)
        places, share = _points()
        return self.spread * places, share


@cache
def _points() -> tuple[FloatArray, FloatArray]:
    places, weight = np.polynomial.hermite_e.hermegauss(_SHIFTS)
    return places, weight / weight.sum()
