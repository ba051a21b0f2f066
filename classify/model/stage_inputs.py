"""Inputs of a stage, assembled some rows at a time: whole matrices of a page of 60,000 blocks would take a gigabyte."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...features.columns import columns_named, next_to_each_other
from ...page.arrays import FloatArray, RowIndex

#: Rows that are assembled at once; most pages have fewer.
ROWS_AT_ONCE = 1024
#: Some columns of all rows: returns those of some rows, float64 (rows, columns).
RowSource = Callable[[RowIndex], FloatArray]


def named_columns(columns: Mapping[str, FloatArray], names: tuple[str, ...]) -> RowSource:
    """Return some columns, float64 (rows,) each, in the order of their names."""
    chosen = columns_named(columns, names)
    if chosen and len(chosen[0]) <= ROWS_AT_ONCE:
        # All stages read the same matrix.
        return next_to_each_other(chosen).__getitem__
    return lambda rows: next_to_each_other([column[rows] for column in chosen])


class StageInputs:
    """The input of a stage: the columns of some sources next to each other; ``len`` is the number of rows."""

    def __init__(self, rows: int, *sources: RowSource) -> None:
        self._rows = rows
        self._sources = sources

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the input of some rows, float64 (rows, columns)."""
        parts = [source(rows) for source in self._sources]
        if len(parts) == 1:
            return parts[0]
        # Column by column, as they are measured: a copy row by row takes ten times as long.
        whole = np.empty((sum(part.shape[1] for part in parts), len(parts[0]))).T
        return np.concatenate(parts, axis=1, out=whole)

    def joined(self, source: RowSource) -> StageInputs:
        """Return these inputs followed by the columns of another source."""
        return StageInputs(self._rows, *self._sources, source)

    def apply(self, decide: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return what a function of the input of rows returns for all rows."""
        starts = range(0, max(self._rows, 1), ROWS_AT_ONCE)
        parts = [decide(self[first : first + ROWS_AT_ONCE]) for first in starts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
