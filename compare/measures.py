"""Measures of extracted text against gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..features.words import words


def word_bag_f1(found: str, gold: str) -> float:
    """Harmonic mean of precision and recall of two multisets of words; two empty texts agree.

    >>> word_bag_f1("a b b", "b b c")
    0.6666666666666666
    """
    one, other = Counter(words(found)), Counter(words(gold))
    if not one and not other:
        return 1.0
    return 2 * (one & other).total() / (one.total() + other.total())


def mean_interval(values: Sequence[float], *, resamples: int = 2000, seed: int = 0) -> tuple[float, float, float]:
    """Give the mean over pages and its 95 % interval by the percentile bootstrap (Efron 1979).

    Returns
    -------
    tuple of float
        Mean, lower and upper end.
    """
    column = np.asarray(values, dtype=np.float64)
    if not len(column):
        raise ValueError("there is no mean of no values")
    picks = np.random.default_rng(seed).integers(0, len(column), (resamples, len(column)))
    low, high = np.percentile(column[picks].mean(axis=1), [2.5, 97.5])
    return float(column.mean()), float(low), float(high)
