"""The role model: one linear support vector machine for each role, in two stages, as plain numbers.

The first stage classifies a block by its features and the first-stage content scores around it. The second stage
classifies it again, by the same and by the roles predicted around it: a date is below a title.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...page.arrays import FloatArray, RowIndex, prefix_sums, product, shifted
from ...page.clean_text import letters_of
from .second_stage import template_groups
from .stage_inputs import MatrixColumns, RowSource, ScaledRows, StageInputs, scaled_rows
from .svm import standardise

#: Context columns of each role: the block, blocks before and after, the template, and two ancestors.
CONTEXT = ("own", "before", "after", "before2", "make", "up1", "up2")
#: Of which blocks before and after, and how many ancestors.
_NEAR, ANCESTORS = (-1, 1, -2), 2
#: Context columns of the most likely title.
TITLE_COLUMNS = ("title_far", "title_likely")
#: Distances from the title are clipped here, in blocks.
_MOST_DISTANCE = 20


def context_columns(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the second-stage columns in addition to those of the first."""
    return (*(f"role_{role}_{part}" for part in CONTEXT for role in roles), *TITLE_COLUMNS)


def role_columns(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the role probabilities as columns of the content's second stage."""
    return tuple(f"likely_{role}" for role in roles)


@dataclass(frozen=True, kw_only=True, eq=False)
class OneVsRestSvm:
    """One-vs-rest linear support vector machines, one for each role, and their calibration."""

    #: mean, deviation: float64 (columns,)
    mean: FloatArray
    deviation: FloatArray
    #: float64 (roles, columns)
    weight: FloatArray
    bias: FloatArray  # float64 (roles,)
    #: slope, offset: float64 (roles,): Of the probability of each role, ``1 / (1 + exp(-(slope · decision + offset)))``
    #: (Platt 1999).
    slope: FloatArray
    offset: FloatArray

    def decision(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return the signed distance from the plane of each role, float64 (rows, roles)."""
        return self.decide(standardise(matrix, self.mean, self.deviation))

    def decide(self, scaled: FloatArray) -> FloatArray:
        """Return the decision for each standardised row."""
        return product(scaled, self._planes) + self.bias

    @cached_property
    def _planes(self) -> FloatArray:
        """The weights as a product needs them, float64 (columns, roles)."""
        return np.ascontiguousarray(self.weight.T, dtype=np.float64)

    def probability(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return the probability of each role, float64 (rows, roles); each row sums to 1."""
        return normalised_probability(self.decision(matrix), self.slope, self.offset)

    def probability_of(self, inputs: StageInputs, scaled: ScaledRows) -> FloatArray:
        """Return the same for the rows of a stage."""
        return inputs.apply_scaled(
            lambda rows: normalised_probability(self.decide(rows), self.slope, self.offset),
            self.mean,
            self.deviation,
            scaled,
        )


def normalised_probability(decision: FloatArray, slope: FloatArray, offset: FloatArray) -> FloatArray:
    """Return probabilities from decisions, normalised so that each row sums to 1."""
    likely = 1.0 / (1.0 + np.exp(-np.clip(slope * decision + offset, -30, 30)))
    normalised: FloatArray = likely / likely.sum(axis=1, keepdims=True)
    return normalised


@dataclass(frozen=True, kw_only=True, eq=False)
class RoleModel:
    """Predicts the roles of blocks."""

    roles: tuple[str, ...]  # in the order of the outputs
    columns: tuple[str, ...]  # its features
    #: Columns of the content's second stage (:data:`~blocksight.classify.model.second_stage.COLUMNS`) that follow them.
    surroundings: tuple[str, ...]
    #: first, second: The second also has the columns of :func:`context_columns`.
    first: OneVsRestSvm
    second: OneVsRestSvm

    def predict(self, rows: Rows, inputs: StageInputs) -> tuple[FloatArray, StageInputs]:
        """Return the probability of each role, float64 (rows, roles), and the input of the second stage.

        ``inputs`` are those of the first.
        """
        with scaled_rows(len(rows), self.second.weight.shape[1]) as scaled:
            inputs = inputs.joined(self._context(rows, self.first.probability_of(inputs, scaled)))
            return self.second.probability_of(inputs, scaled), inputs

    def _context(self, rows: Rows, probability: FloatArray) -> RowSource:
        if not len(rows):
            return MatrixColumns(np.zeros((0, len(context_columns(self.roles)))))
        return RoleContext(rows, probability, self.roles)


def role_context(rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> FloatArray:
    """Compute :func:`context_columns` from first-stage probabilities, float64 (rows, roles)."""
    return RoleContext(rows, probability, roles)[:]


class RoleContext:
    """:func:`context_columns` from first-stage probabilities, float64 (rows, roles); those of some rows at a time."""

    def __init__(self, rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> None:
        self._rows = rows
        self._probability = np.ascontiguousarray(probability)
        self._group = template_groups(rows)
        self._template_mean = _group_sums(self._group, probability) / np.bincount(self._group)[:, None]
        self._sums = prefix_sums(probability)
        self._title = _title_columns(probability[:, roles.index("title")])

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(CONTEXT) * int(self._probability.shape[1]) + len(TITLE_COLUMNS)

    def __getitem__(self, rows: RowIndex) -> FloatArray:
        """Return the columns of some rows."""
        return np.concatenate(self.parts(rows), axis=1)

    def parts(self, rows: RowIndex | None = None) -> list[FloatArray]:
        """Return the columns of some rows, by default all."""
        some = slice(None) if rows is None else rows
        return [*(column[some] for column in self._near), *self._around(np.arange(len(self._rows))[some])]

    @cached_property
    def _near(self) -> list[FloatArray]:
        """The probabilities of each row, and of rows near it."""
        return [self._probability, *shifted(self._probability, _NEAR, 0.0)]

    def _around(self, row: NDArray[np.intp]) -> list[FloatArray]:
        means = [self._ancestor_mean(row, level + 1) for level in range(ANCESTORS)]
        return [self._template_mean[self._group[row]], *means, self._title[row]]

    def _ancestor_mean(self, row: NDArray[np.intp], level: int) -> FloatArray:
        """Return the mean over the blocks in an ancestor, ``level`` elements up."""
        first, last = self._rows.node_rows[self._rows.chain[row, level]].T
        mean: FloatArray = (self._sums[last] - self._sums[first]) / np.maximum(last - first, 1)[:, None]
        return mean


def _group_sums(group: NDArray[np.intp], values: FloatArray) -> FloatArray:
    """Return the sum of the rows of each group, float64 (groups, columns)."""
    columns = values.shape[1]
    cell = group[:, None] * columns + np.arange(columns)
    return np.bincount(cell.ravel(), weights=values.ravel()).astype(np.float64).reshape(-1, columns)


def _title_columns(likely: FloatArray) -> FloatArray:
    """Return the signed logarithmic distance to the most likely title, and the probability of that."""
    best = int(np.argmax(likely))
    steps = np.clip(np.arange(len(likely)) - best, -_MOST_DISTANCE, _MOST_DISTANCE)
    return np.stack([np.sign(steps) * np.log1p(np.abs(steps)), np.full(len(likely), likely[best])], axis=1)


def decide_roles(rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> NDArray[np.int8]:
    """Return a role for each block, int8 (rows,); a page has one title, except for blocks with the same text."""
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    likely = probability.copy()
    title = roles.index("title")
    best = int(np.argmax(likely[:, title]))
    title_letters = letters_of(rows.texts[best])
    chosen: NDArray[np.int8] = likely.argmax(axis=1).astype(np.int8)
    others = [row for row in (chosen == title).nonzero()[0].tolist() if letters_of(rows.texts[row]) != title_letters]
    likely[others, title] = 0.0
    chosen[others] = likely[others].argmax(axis=1)
    return chosen
