"""Significance of differences: bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def interval(columns: FloatArray, statistic: Statistic = mean, groups: Sequence[str] | None = None) -> Interval:
    """Return a statistic of ``columns``, float64 (pages, columns), and its percentile bootstrap interval (Efron 1979).

    Pages of one site, such as those of one template, are not independent: with ``groups``, a name for each page, a
    group is drawn as a whole (Field and Welsh, 2007). With a single page or group the interval is the value itself.
    ValueError without a page.
    """
    if not len(columns):
        raise ValueError("no values to average")
    value = float(statistic(columns))
    units = np.arange(len(columns))[:, None] if groups is None else _members(groups)
    if len(units) < 2:
        return Interval(value=value, low=value, high=value)
    drawn = np.random.default_rng(0).integers(0, len(units), size=(RESAMPLES, len(units)))
    pages = drawn if groups is None else (np.concatenate([units[unit] for unit in row]) for row in drawn.tolist())
    low, high = np.percentile([float(statistic(columns[chosen])) for chosen in pages], [2.5, 97.5])
    return Interval(value=value, low=float(low), high=float(high))


def _members(groups: Sequence[str]) -> list[NDArray[np.intp]]:
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    return [np.flatnonzero(group == number) for number in range(int(group.max()) + 1)]


def difference(
    first: FloatArray, second: FloatArray, statistic: Statistic = mean, groups: Sequence[str] | None = None
) -> Interval:
    """Return first minus second, both float64 (pages, columns), and its interval: pages are drawn together."""
    width = first.shape[1]
    both = np.concatenate([first, second], axis=1)
    return interval(both, lambda both: statistic(both[..., :width]) - statistic(both[..., width:]), groups)
