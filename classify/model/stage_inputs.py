"""Inputs of a stage, assembled some rows at a time: whole matrices of a page of 60,000 blocks would take a gigabyte."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import numpy as np

from ...features.block_table import Table
from ...page import arrays
from ...page.arrays import FloatArray, RowIndex
from .svm import CLIP, standardise

#: Rows that are assembled at once; most pages have fewer.
ROWS_AT_ONCE = 1024


class _Scratch(threading.local):
    """Memory of a thread for standardised rows: the system takes and clears new memory a page at a time, slowly."""

    values: FloatArray = np.empty(0)

    def rows(self, count: int, columns: int) -> FloatArray:
        if len(self.values) < count * columns:
            self.values = np.empty(count * columns)
        return self.values[: count * columns].reshape(count, columns)


_scratch = _Scratch()


class RowSource(Protocol):
    """Some columns of all rows; those of some rows are assembled when they are asked for."""

    def __getitem__(self, rows: RowIndex, /) -> FloatArray:
        """Return the columns of some rows, float64 (rows, columns)."""


class NamedColumns:
    """Some columns of a block table, in the order of their names."""

    def __init__(self, table: Table, names: tuple[str, ...]) -> None:
        self._table = table
        self._names = names

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the columns of some rows."""
        return self._table.matrix(self._names, rows)

    @cached_property
    def every(self) -> list[FloatArray]:
        """The columns of all rows, float64 (rows,) each: two stages have the same."""
        return [self._table.columns[name] for name in self._names]


class StageInputs:
    """The input of a stage: the columns of some sources next to each other; ``len`` is the number of rows."""

    def __init__(self, rows: int, *sources: RowSource) -> None:
        self._rows = rows
        self._sources = sources

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the input of some rows, float64 (rows, columns)."""
        parts = [source[rows] for source in self._sources]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def joined(self, source: RowSource) -> StageInputs:
        """Return these inputs followed by the columns of another source."""
        return StageInputs(self._rows, *self._sources, source)

    def apply_scaled(
        self, decide: Callable[[FloatArray], FloatArray], mean: FloatArray, deviation: FloatArray
    ) -> FloatArray:
        """Return what a function of standardised rows returns for all rows (:func:`~.svm.standardise`).

        The function must not keep the rows: their memory is used again.
        """
        if not arrays.compiled or not 0 < self._rows <= ROWS_AT_ONCE:
            return self.apply(lambda inputs: decide(standardise(inputs, mean, deviation)))
        # One pass from the columns to the rows of all sources, which are not put next to each other before.
        parts: list[FloatArray] = []
        for source in self._sources:
            parts += source.every if isinstance(source, NamedColumns) else [source[:]]
        scaled = _scratch.rows(self._rows, len(mean))
        arrays.compiled.standardise(parts, mean.astype(np.float64), deviation.astype(np.float64), CLIP, scaled)
        return decide(scaled)

    def apply(self, decide: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return what a function of the input of rows returns for all rows."""
        if self._rows <= ROWS_AT_ONCE:
            return decide(self[:])
        return np.concatenate(
            [decide(self[first : first + ROWS_AT_ONCE]) for first in range(0, self._rows, ROWS_AT_ONCE)]
        )
