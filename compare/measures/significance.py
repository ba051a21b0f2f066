"""How sure a difference is: bootstrap intervals, paired tests, and a correction for many of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...page.arrays import FloatArray

#: From the values of pages, float64 (..., pages, columns), to one figure for them all, float64 (...,).
Statistic = Callable[[FloatArray], FloatArray]

RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def mean(columns: FloatArray) -> FloatArray:
    """Mean over pages of the first column."""
    result: FloatArray = columns[..., 0].mean(axis=-1)
    return result


def interval(
    columns: FloatArray, statistic: Statistic = mean, *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Return a figure over pages and its interval by the percentile bootstrap over pages (Efron 1979).

    Parameters
    ----------
    columns : float64 (pages, columns)
    statistic : callable
        By default the mean of the first column.

    Raises
    ------
    ValueError
        When there is no page.
    """
    if not len(columns):
        raise ValueError("there is no mean of no values")
    value = float(statistic(columns))
    if len(columns) == 1:
        return Interval(value=value, low=value, high=value)
    low, high = np.percentile(_resampled(columns, statistic, resamples, seed), [2.5, 97.5])
    return Interval(value=value, low=float(low), high=float(high))


def mean_interval(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> tuple[float, float, float]:
    """Return the mean over pages and its 95 % interval.

    Returns
    -------
    tuple of float
        Mean, lower and upper end.
    """
    found = interval(np.asarray(values, dtype=np.float64).reshape(-1, 1), resamples=resamples, seed=seed)
    return found.value, found.low, found.high


def _resampled(columns: FloatArray, statistic: Statistic, resamples: int, seed: int) -> FloatArray:
    """float64 (resamples,): the statistic on pages drawn anew; all columns of a page stay together."""
    from scipy.stats import bootstrap

    def over_pages(*samples: FloatArray, axis: int = -1) -> FloatArray:
        return statistic(np.stack([np.moveaxis(sample, axis, -1) for sample in samples], axis=-1))

    found = bootstrap(
        tuple(columns.T),
        over_pages,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        batch=100,
        rng=np.random.default_rng(seed),
    )
    distribution: FloatArray = found.bootstrap_distribution
    return distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How a system differs from another on the same pages.

    Attributes
    ----------
    first, second : str
    difference : Interval
        First minus second, by the paired bootstrap.
    p_bootstrap : float
        Two-sided: twice the share of resamples on the other side of 0.
    p_wilcoxon : float
        Wilcoxon's signed-rank test on the pages' own scores.
    p_holm : float
        The same, corrected for all pairs of the family by Holm's method.
    """

    first: str
    second: str
    difference: Interval
    p_bootstrap: float
    p_wilcoxon: float
    p_holm: float


def difference(
    first: FloatArray, second: FloatArray, statistic: Statistic = mean, *, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Interval, float]:
    """Resample the pages of two systems together (paired bootstrap).

    Parameters
    ----------
    first, second : float64 (pages, columns)
        The same pages in the same order.

    Returns
    -------
    Interval
        First minus second.
    float
        Two-sided probability of no difference, not below 1 / resamples.
    """
    width = first.shape[1]

    def between(both: FloatArray) -> FloatArray:
        return statistic(both[..., :width]) - statistic(both[..., width:])

    both = np.concatenate([first, second], axis=1)
    value = float(between(both))
    if len(both) < 2:
        return Interval(value=value, low=value, high=value), 1.0
    drawn = _resampled(both, between, resamples, seed)
    low, high = np.percentile(drawn, [2.5, 97.5])
    p = 2 * min(float((drawn <= 0).mean()), float((drawn >= 0).mean()))
    return Interval(value=value, low=float(low), high=float(high)), min(max(p, 1 / resamples), 1.0)


def signed_rank(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided probability of Wilcoxon's signed-rank test; ties are ranked, but on no side (Pratt)."""
    from scipy.stats import wilcoxon

    gap = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    # Differences that only rounding makes are ties.
    gap[np.abs(gap) < 1e-12] = 0.0
    return float(wilcoxon(gap, zero_method="pratt").pvalue) if gap.any() else 1.0


def holm(probabilities: Sequence[float]) -> FloatArray:
    """Correct the probabilities of a family of tests by Holm's step-down method (1979).

    The k-th smallest of n is multiplied by n - k + 1; none falls below a smaller one, none exceeds 1. Written here
    because SciPy corrects for the false discovery rate only.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(probabilities, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
