"""Columns and groups of columns of the block table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray
from .rows import Rows

#: Values by the names of their columns, float64 (rows,) each.
Columns = Mapping[str, FloatArray]
#: Source of columns that are from no paper.
OURS = "blocksight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Column of the block table."""

    name: str  # identifies the column in models and data sets
    meaning: str
    unit: str
    low: float = 0.0  # least and greatest possible value
    high: float = inf  # infinite without a bound. Missing values are NaN.
    source: str = OURS  # the paper that defines it, or :data:`OURS`


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGroup:
    """Columns that one function measures together."""

    name: str  # groups of the same name are requested together
    columns: tuple[Column, ...]
    #: from the rows of a page to the values of exactly these columns. Its second argument has the values of all other
    #: groups by name, measured on first access and once per page.
    measure: Callable[[Rows, Columns], Columns]
    needs_geometry: bool = False  # Without the geometry of a rendered page, its columns are NaN
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)  # names of its columns

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(column.name for column in self.columns))


def numeric(name: str, meaning: str, unit: str, *, low: float = 0.0, high: float = inf, source: str = OURS) -> Column:
    """Return a column of numbers."""
    return Column(name=name, meaning=meaning, unit=unit, low=low, high=high, source=source)


def flag(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of 0 and 1."""
    return Column(name=name, meaning=meaning, unit="0 or 1", high=1.0, source=source)


def share(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of shares, 0 to 1."""
    return Column(name=name, meaning=meaning, unit="share", high=1.0, source=source)


def log_count(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of ln(1 + n)."""
    return Column(name=name, meaning=meaning, unit="ln(1 + n)", source=source)


def flags(bits: NDArray[np.uint64], names: Sequence[str]) -> dict[str, FloatArray]:
    """Return the columns of 0 and 1 for the bits of a uint64 (rows,) column, the lowest bit first."""
    bit_numbers = np.arange(len(names), dtype=np.uint64)
    columns = (bits >> bit_numbers[:, None] & np.uint64(1)).astype(np.float64)
    return dict(zip(names, columns, strict=True))


def columns_named(columns: Columns, names: tuple[str, ...]) -> tuple[FloatArray, ...]:
    """Return some columns, in the order of their names."""
    return _getter(names)(columns) if len(names) > 1 else tuple(columns[name] for name in names)


@lru_cache(64)
def _getter(names: tuple[str, ...]) -> Callable[[Columns], tuple[FloatArray, ...]]:
    """Return a function that gets several columns, for the few lists of names that models have."""
    return itemgetter(*names)


def next_to_each_other(columns: Sequence[FloatArray]) -> FloatArray:
    """Return one or more columns as float64 (rows, columns), column by column in memory."""
    return np.concatenate(columns).reshape(len(columns), -1).T
