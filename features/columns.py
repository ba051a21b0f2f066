"""What a column of the block table is, and what a group of columns is that are measured together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray
from .rows import Rows

#: Values by the names of their columns, float64 (rows,) each.
Columns = Mapping[str, FloatArray]
#: What columns are NaN without: the geometry of a rendered page, or a tagger of parts of speech, the extra
#: ``blocksight[research]``.
Need = Literal["geometry", "tagger"]
#: The source of what no paper names.
OURS = "blocksight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the block table.

    Attributes
    ----------
    name : str
        By which models and data sets know it.
    meaning : str
    unit : str
        What its numbers count.
    low, high : float
        The least and the greatest value that it can have; infinite where there is no bound. Missing values are NaN.
    source : str
        The paper that names it, or :data:`OURS`.
    """

    name: str
    meaning: str
    unit: str
    low: float = 0.0
    high: float = inf
    source: str = OURS


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGroup:
    """Columns that one function measures: all of them, or none.

    Attributes
    ----------
    name : str
        By which it is asked for. Groups of the same name are asked for together.
    columns : tuple of Column
    measure : callable
        From the rows of a page to the values of these columns, and no others. Its second argument has the values of all
        other groups by name: what is looked up there is measured then, and once for a page.
    needs : "geometry", "tagger" or None
        What its columns are NaN without. A group that needs geometry is measured on rendered pages only.
    names : tuple of str
        The names of its columns; they follow from these.
    """

    name: str
    columns: tuple[Column, ...]
    measure: Callable[[Rows, Columns], Columns]
    needs: Need | None = None
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(column.name for column in self.columns))


def flag(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of 0 and 1."""
    return Column(name=name, meaning=meaning, unit="0 or 1", high=1.0, source=source)


def share(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of shares, 0 to 1."""
    return Column(name=name, meaning=meaning, unit="share", high=1.0, source=source)


def log_count(name: str, meaning: str, source: str = OURS) -> Column:
    """Return a column of logarithms of a number and 1, so that none is 0."""
    return Column(name=name, meaning=meaning, unit="ln(1 + n)", source=source)


def flags(bits: NDArray[np.uint64], names: Sequence[str]) -> dict[str, FloatArray]:
    """Return the columns of 0 and 1 that bits stand for, the lowest bit first.

    Parameters
    ----------
    bits : uint64 (rows,)
    names : sequence of str
        Of the columns, float64 (rows,) each.
    """
    places = np.arange(len(names), dtype=np.uint64)
    columns = (bits >> places[:, None] & np.uint64(1)).astype(np.float64)
    return dict(zip(names, columns, strict=True))
