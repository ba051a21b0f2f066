"""Significance of differences: bootstrap intervals, paired tests, and a correction for multiple tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...page.arrays import FloatArray

#: From the values of pages, float64 (..., pages, columns), to one figure for them all, float64 (...,).
Statistic = Callable[[FloatArray], FloatArray]

RESAMPLES = 2000


class Interval(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def mean(columns: FloatArray) -> FloatArray:
    """Return the mean of the first column over pages."""
    result: FloatArray = columns[..., 0].mean(axis=-1)
    return result


def interval(
    columns: FloatArray, statistic: Statistic = mean, *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Return a statistic of ``columns``, float64 (pages, columns), and its percentile bootstrap interval (Efron 1979).

    ValueError without a page.
    """
    if not len(columns):
        raise ValueError("no values to average")
    value = float(statistic(columns))
    if len(columns) == 1:
        return Interval(value=value, low=value, high=value)
    low, high = np.percentile(_bootstrap(columns, statistic, resamples, seed), [2.5, 97.5])
    return Interval(value=value, low=float(low), high=float(high))


def _bootstrap(columns: FloatArray, statistic: Statistic, resamples: int, seed: int) -> FloatArray:
    """Return the statistic on resampled pages, float64 (resamples,); all columns of a page stay together."""
    from scipy.stats import bootstrap

    def over_pages(*samples: FloatArray, axis: int = -1) -> FloatArray:
        return statistic(np.stack([np.moveaxis(sample, axis, -1) for sample in samples], axis=-1))

    result = bootstrap(
        tuple(columns.T),
        over_pages,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        batch=100,
        rng=np.random.default_rng(seed),
    )
    distribution: FloatArray = result.bootstrap_distribution
    return distribution


def difference(
    first: FloatArray, second: FloatArray, statistic: Statistic = mean, *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Return first minus second, both float64 (pages, columns), and its interval by the paired bootstrap."""
    both, between = np.concatenate([first, second], axis=1), _gap(statistic, first.shape[1])
    return interval(both, between, resamples=resamples, seed=seed)


def _gap(statistic: Statistic, width: int) -> Statistic:
    """Return a statistic of the first ``width`` columns minus that of the others."""
    return lambda both: statistic(both[..., :width]) - statistic(both[..., width:])


def grouped_difference(
    first: FloatArray,
    second: FloatArray,
    groups: Sequence[str],
    statistic: Statistic = mean,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return first minus second, both float64 (pages, columns), and its interval by resampling groups of pages.

    Pages of one site, such as those of one template, are not independent: a group is drawn as a whole (Field and Welsh,
    2007). With a single group the interval is the value itself.
    """
    both = np.concatenate([first, second], axis=1)
    return grouped_interval(both, groups, _gap(statistic, first.shape[1]), resamples=resamples, seed=seed)


def grouped_interval(
    columns: FloatArray,
    groups: Sequence[str],
    statistic: Statistic = mean,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return a statistic of ``columns``, float64 (pages, columns), and its interval by resampling groups of pages."""
    value = float(statistic(columns))
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    members = [np.flatnonzero(group == number) for number in range(int(group.max(initial=-1)) + 1)]
    if len(members) < 2:
        return Interval(value=value, low=value, high=value)
    random = np.random.default_rng(seed)
    drawn = random.integers(0, len(members), size=(resamples, len(members)))
    resampled = [np.concatenate([members[number] for number in row]) for row in drawn.tolist()]
    low, high = np.percentile([float(statistic(columns[pages])) for pages in resampled], [2.5, 97.5])
    return Interval(value=value, low=float(low), high=float(high))


def signed_rank(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided probability of Wilcoxon's signed-rank test; ties are ranked without a sign (Pratt)."""
    from scipy.stats import wilcoxon

    gap = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    # Differences caused only by rounding are ties.
    gap[np.abs(gap) < 1e-12] = 0.0
    return float(wilcoxon(gap, zero_method="pratt").pvalue) if gap.any() else 1.0


def holm(probabilities: Sequence[float]) -> FloatArray:
    """Correct the probabilities of a family of tests by Holm's step-down method (1979).

    The k-th smallest of n is multiplied by n - k + 1; the results are monotonic and at most 1. Implemented here because
    SciPy corrects for the false discovery rate only.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(probabilities, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
