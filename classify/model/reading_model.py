"""The reading model: the probability of each of a page's readings, and the choice of the content by them.

A log-linear model of the whole reading: the probabilities of blocks are one column of many, the expected F1 of the set.
The others say what blocks do not: how much of it is comments, teasers or menus, how much of the likely text it leaves
out, whether it breaks a series, whether it starts at the headline.

The content is the reading with the largest expected F1 (minimum Bayes risk): by the probabilities of the blocks where
these are sure; the less sure they are, the more by the F1 against all other readings, weighted by their probability.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ModelMismatch
from ...files.npz import FileKind, read_npz, write_npz
from ...page.arrays import MOSTLY, ONE_THREAD, TINY, FloatArray
from .calibration import Calibration
from .reading_columns import COLUMNS, reading_columns
from .readings import PageReadings
from .selection import Selection
from .svm import standardise

KIND = FileKind(
    format="blocksight-readings",
    version=1,
    title="model of readings",
    remedy="pass an .npz file that `blocksight train` has written",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadingModel:
    """A log-linear model of the readings of a page: softmax of ``((x - mean) / deviation, clipped) · weight``.

    ``mean``, ``deviation`` and ``weight`` are float64 (:data:`COLUMNS`,).
    """

    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray

    def probability(self, columns: FloatArray) -> FloatArray:
        """Return the probability of each reading of a page to be its content, float64 (readings,)."""
        worth = standardise(columns, self.mean, self.deviation) @ self.weight
        likely = np.exp(worth - worth.max())
        probability: FloatArray = likely / likely.sum()
        return probability

    def best(self, columns: FloatArray, overlaps: FloatArray) -> int:
        """Return the index of the reading with the largest expected F1; ``overlaps`` are the F1 of each two of them."""
        by_blocks = columns[:, COLUMNS.index("expected_f1")]
        # The weight of the other readings, by what the expected F1 by blocks lacks to 1.
        doubt = MOSTLY * (1.0 - float(by_blocks.max()))
        return int(np.argmax((1.0 - doubt) * by_blocks + doubt * (overlaps @ self.probability(columns))))

    def save(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        """Write the model to an ``.npz`` file of plain numbers, with what it was fitted to."""
        parts = {part.name: getattr(self, part.name).astype(np.float32) for part in fields(self)}
        write_npz(path, KIND, {"columns": COLUMNS, "about": dict(about)}, parts)


def load_readings(path: str | os.PathLike[str]) -> ReadingModel:
    """Read a saved reading model; ModelMismatch if it is damaged or has other columns, ModelMissing without one."""
    head, arrays = read_npz(path, KIND)
    parts = {part.name: arrays.get(part.name, np.zeros(0)).astype(np.float64) for part in fields(ReadingModel)}
    whole = all(values.shape == (len(COLUMNS),) and np.isfinite(values).all() for values in parts.values())
    if tuple(head.get("columns", ())) != COLUMNS or not whole or not (parts["deviation"] > 0).all():
        raise ModelMismatch(f"{os.fsdecode(path)}: this model of readings is damaged, or of another version")
    return ReadingModel(**parts)


@cache
def shipped_readings() -> ReadingModel:
    """Return the reading model of the package, for models of blocks and roles that have none of their own."""
    return load_readings(Path(__file__).with_name("readings.npz"))


def choose_reading(model: ReadingModel, reading: PageReadings, calibration: Calibration) -> Selection:
    """Return the best reading of a page, and its expected F1 by the probabilities of its blocks."""
    sets = reading.sets()
    if not len(sets):
        return Selection(rows=np.zeros(len(reading.rows), dtype=bool), expected_f1=0.0)
    columns = reading_columns(reading, sets, calibration)
    best = model.best(columns, overlaps_of(sets.astype(np.float64), reading.weight))
    return Selection(rows=sets[best], expected_f1=float(columns[best, COLUMNS.index("expected_f1")]))


def overlaps_of(sets: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the F1 of each two sets, float64 (sets, sets), by the weights of their rows."""
    common = _sums(sets, sets.T * weight[:, None])
    size = common.diagonal()
    f1: FloatArray = 2 * common / np.maximum(size[:, None] + size[None], TINY)
    return f1


def _sums(sets: FloatArray, columns: FloatArray) -> FloatArray:
    """Return the sums of columns, float64 (rows, columns), over each set: ``sets @ columns``, in one thread.

    As :func:`~blocksight.page.arrays.product`, but there are few sets, so that some rows of the columns are taken at a
    time.
    """
    at_once = max(ONE_THREAD // max(len(sets) * columns.shape[1], 1), 1)
    sums = np.zeros((len(sets), columns.shape[1]))
    for first in range(0, len(columns), at_once):
        sums += sets[:, first : first + at_once] @ columns[first : first + at_once]
    return sums
