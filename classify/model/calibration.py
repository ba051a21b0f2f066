"""Calibration: map the scores of a support vector machine to the probability of content."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...page.arrays import FloatArray

#: Nodes and weights of Gauss-Hermite quadrature, ``numpy.polynomial.hermite_e.hermegauss(9)`` with the weights divided
#: by their sum; importing that module takes longer than using it.
_NODES = np.asarray(
    (
        *(-4.512745863399783, -3.20542900285647, -2.07684797867783, -1.0232556637891326, 0.0),
        *(1.0232556637891326, 2.07684797867783, 3.20542900285647, 4.512745863399783),
    )
)
_WEIGHTS = np.asarray(
    (
        *(2.2345844007746607e-05, 0.0027891413212317692, 0.04991640676521782, 0.24409750289493953, 0.40634920634920635),
        *(0.24409750289493953, 0.04991640676521782, 0.0027891413212317692, 2.2345844007746607e-05),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Platt scaling, and the uncertainty of a page's scores."""

    #: slope, offset: Of the probability of content, ``1 / (1 + exp(-(slope · score + offset)))`` (Platt 1999).
    slope: float
    offset: float
    spread: float = 0.0  # standard deviation of a shift that is common to all scores of a page

    def probability(self, scores: FloatArray) -> FloatArray:
        """Return the probability of content for each score."""
        return 1.0 / (1.0 + np.exp(-np.clip(self.slope * scores + self.offset, -30, 30)))

    def shifts(self) -> tuple[FloatArray, FloatArray]:
        """Return the shifts to evaluate and the weight of each (Gauss-Hermite quadrature)."""
        if self.spread <= 0:
            return np.zeros(1), np.ones(1)
        return self.spread * _NODES, _WEIGHTS.copy()
