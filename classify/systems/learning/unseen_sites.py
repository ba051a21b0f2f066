"""Judging by sites that were not seen: folds by site, and the probability that decisions on them stand for.

Systems that learn, and all of training, take both from here. Scikit-learn is imported when they are used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from ...model.calibration import Calibration


class TooFewSites(ValueError):
    """All rows are of one site: nothing can be judged on sites that were not seen."""


def folds_by_site(sites: Sequence[str] | NDArray[np.str_] | NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """Return each row a fold, such that a site's rows share one and folds are about equally large.

    Parameters
    ----------
    sites : (rows,)
        The site of each row, or of each page.
    folds : int
        At most; no more than there are sites.

    Returns
    -------
    int64 (rows,)

    Raises
    ------
    TooFewSites
        When there are not two sites.
    """
    from sklearn.model_selection import GroupKFold

    count = min(folds, len(np.unique(sites)))
    if count < 2:
        raise TooFewSites("training needs pages of two sites at least, to judge on sites that were not seen")
    fold = np.zeros(len(sites), dtype=np.int64)
    for number, (_, held_out) in enumerate(GroupKFold(count).split(fold, groups=sites)):
        fold[held_out] = number
    return fold


def fit_platt(decisions: FloatArray, labels: NDArray[np.bool_], weight: FloatArray | None = None) -> Calibration:
    """Fit the probability of content to decisions on sites that were not seen (Platt 1999).

    Parameters
    ----------
    decisions : float64 (rows,)
        Of support vector machines, each of which had not seen the site of the row.
    labels : bool (rows,)
    weight : float64 (rows,), optional
        With a mean of 1; by default all rows count the same.
    """
    from sklearn.linear_model import LogisticRegression

    logistic = LogisticRegression(C=1e6).fit(decisions[:, None], labels, sample_weight=weight)
    return Calibration(slope=float(logistic.coef_[0, 0]), offset=float(logistic.intercept_[0]))
