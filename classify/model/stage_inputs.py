"""Inputs of a stage, assembled some rows at a time: whole matrices of a page of 60,000 blocks would take a gigabyte."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from ...features.columns import columns_named, next_to_each_other
from ...page.arrays import FloatArray, RowIndex
from .svm import standardise

#: Rows that are assembled at once; most pages have fewer.
ROWS_AT_ONCE = 1024


class RowSource(Protocol):
    """Some columns of all rows; those of some rows are assembled when they are asked for."""

    def __len__(self) -> int:
        """Return the number of columns."""

    def __getitem__(self, rows: RowIndex, /) -> FloatArray:
        """Return the columns of some rows, float64 (rows, columns)."""

    def parts(self, rows: slice | None = None) -> list[FloatArray]:
        """Return the columns of some rows, by default all, in matrices to be put next to each other."""


class NamedColumns:
    """Some columns, float64 (rows,) each, in the order of their names."""

    def __init__(self, columns: Mapping[str, FloatArray], names: tuple[str, ...]) -> None:
        self._columns = list(columns_named(columns, names))

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._columns)

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the columns of some rows."""
        return next_to_each_other(self._columns, rows)

    def parts(self, rows: slice | None = None) -> list[FloatArray]:
        """Return the matrix of some rows: concatenating hundreds of columns one by one is slow."""
        return [self[slice(None) if rows is None else rows]]


class MatrixColumns:
    """The columns of a matrix, float64 (rows, columns)."""

    def __init__(self, matrix: FloatArray) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        """Return the number of columns."""
        return int(self._matrix.shape[1])

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the columns of some rows."""
        return self._matrix[rows]

    def parts(self, rows: slice | None = None) -> list[FloatArray]:
        """Return the matrix."""
        return [self._matrix if rows is None else self._matrix[rows]]


class _Memory(threading.local):
    """Memory of a thread for standardised rows: the system takes and clears new memory a page at a time, slowly."""

    def __init__(self) -> None:
        self.free: list[FloatArray] = []


_memory = _Memory()


class ScaledRows:
    """Standardised inputs of successive stages, which share the columns that they scale equally."""

    def __init__(self, values: FloatArray) -> None:
        self._values = values
        self._sources: tuple[RowSource, ...] = ()
        self._mean = self._deviation = np.empty(0)

    def of(self, sources: tuple[RowSource, ...], mean: FloatArray, deviation: FloatArray) -> FloatArray:
        """Return columns standardised (:func:`~.svm.standardise`), float64 (rows, columns), until the next call."""
        known, first = self._known(sources, mean, deviation)
        if parts := [part for source in sources[known:] for part in source.parts()]:
            _scale(parts, mean[first:], deviation[first:], self._values, first)
        self._sources, self._mean, self._deviation = sources, mean, deviation
        return self._values[:, : len(mean)]

    def some(self, sources: tuple[RowSource, ...], rows: slice, mean: FloatArray, deviation: FloatArray) -> FloatArray:
        """Return the same of some rows, at most :data:`ROWS_AT_ONCE`."""
        parts = [part for source in sources for part in source.parts(rows)]
        values = self._values[: len(parts[0])]
        _scale(parts, mean, deviation, values, 0)
        self._sources = ()
        return values[:, : len(mean)]

    def _known(self, sources: tuple[RowSource, ...], mean: FloatArray, deviation: FloatArray) -> tuple[int, int]:
        """Return how many of the sources, and of their columns, are scaled like this already."""
        known = first = 0
        for mine, source in zip(self._sources, sources, strict=False):
            part = slice(first, first + len(source))
            same = np.array_equal(mean[part], self._mean[part])
            if mine is not source or not same or not np.array_equal(deviation[part], self._deviation[part]):
                break
            known, first = known + 1, part.stop
        return known, first


@contextmanager
def scaled_rows(rows: int, most_columns: int) -> Iterator[ScaledRows]:
    """Yield standardised inputs of some rows; their memory is kept for the next page."""
    size = min(rows, ROWS_AT_ONCE) * most_columns
    memory = _memory.free.pop() if _memory.free else np.empty(0)
    if len(memory) < size:
        memory = np.empty(size)
    try:
        yield ScaledRows(memory[:size].reshape(-1, most_columns))
    finally:
        _memory.free.append(memory)


def _scale(parts: list[FloatArray], mean: FloatArray, deviation: FloatArray, values: FloatArray, first: int) -> None:
    """Write columns standardised into a matrix, from its column ``first`` on."""
    part = values[:, first : first + len(mean)]
    np.concatenate(parts, axis=1, out=part)
    standardise(part, mean, deviation, out=part)


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
        self, decide: Callable[[FloatArray], FloatArray], mean: FloatArray, deviation: FloatArray, scaled: ScaledRows
    ) -> FloatArray:
        """Return what a function of standardised rows returns for all rows (:func:`~.svm.standardise`).

        ``scaled`` has what stages before have standardised. The function must not keep the rows: their memory is used
        again.
        """
        if 0 < self._rows <= ROWS_AT_ONCE:
            return decide(scaled.of(self._sources, mean, deviation))
        if not self._rows:
            return self.apply(lambda inputs: decide(standardise(inputs, mean, deviation)))
        starts = range(0, self._rows, ROWS_AT_ONCE)
        parts = (slice(first, first + ROWS_AT_ONCE) for first in starts)
        return np.concatenate([decide(scaled.some(self._sources, rows, mean, deviation)) for rows in parts])

    def apply(self, decide: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return what a function of the input of rows returns for all rows."""
        if self._rows <= ROWS_AT_ONCE:
            return decide(self[:])
        return np.concatenate(
            [decide(self[first : first + ROWS_AT_ONCE]) for first in range(0, self._rows, ROWS_AT_ONCE)]
        )
