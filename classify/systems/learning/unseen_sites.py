"""Cross-validation by site, and Platt scaling of the decisions on held-out sites.

Scikit-learn is imported when they are used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from ...model.calibration import Calibration


class TooFewSites(ValueError):
    """Cross-validation by site needs at least two sites."""


def folds_by_site(sites: Sequence[str] | NDArray[np.str_] | NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """Return the fold of each row, int64 (rows,): rows of one site share a fold, and folds have about equal sizes.

    There are at most ``folds``, and not more than sites; TooFewSites with less than two sites.
    """
    from sklearn.model_selection import GroupKFold

    count = min(folds, len(np.unique(sites)))
    if count < 2:
        raise TooFewSites("training needs pages of at least two sites, to validate on sites that were held out")
    fold = np.zeros(len(sites), dtype=np.int64)
    for number, (_, held_out) in enumerate(GroupKFold(count).split(fold, groups=sites)):
        fold[held_out] = number
    return fold


def fit_platt(decisions: FloatArray, labels: NDArray[np.bool_], weight: FloatArray | None = None) -> Calibration:
    """Fit the probability of content to decisions on held-out sites (Platt 1999); ``weight`` has the mean 1."""
    from sklearn.linear_model import LogisticRegression

    logistic = LogisticRegression(C=1e6).fit(decisions[:, None], labels, sample_weight=weight)
    return Calibration(slope=float(logistic.coef_[0, 0]), offset=float(logistic.intercept_[0]))
