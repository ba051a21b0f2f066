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
from ...page.arrays import FloatArray, RowIndex, logistic, prefix_sums, product, shifted
from ...page.clean_text import letters_of
from .second_stage import template_groups
from .stage_inputs import RowSource, StageInputs
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
        return product(standardise(matrix, self.mean, self.deviation), self._planes) + self.bias

    @cached_property
    def _planes(self) -> FloatArray:
        """The weights as a product needs them, float64 (columns, roles)."""
        return np.ascontiguousarray(self.weight.T, dtype=np.float64)

    def probability(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return the probability of each role, float64 (rows, roles); each row sums to 1."""
        return normalised_probability(self.decision(matrix), self.slope, self.offset)


def normalised_probability(decision: FloatArray, slope: FloatArray, offset: FloatArray) -> FloatArray:
    """Return probabilities from decisions, normalised so that each row sums to 1."""
    likely = logistic(slope * decision + offset)
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
        inputs = inputs.joined(role_context(rows, inputs.apply(self.first.probability), self.roles))
        return inputs.apply(self.second.probability), inputs


def role_context(rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> RowSource:
    """Return :func:`context_columns` from first-stage probabilities, float64 (rows, roles), for some rows at a time."""
    if not len(rows):
        return lambda _: np.zeros((0, len(context_columns(roles))))
    group = template_groups(rows)
    template_mean = _group_sums(group, probability) / np.bincount(group)[:, None]
    near = [np.ascontiguousarray(probability), *shifted(np.ascontiguousarray(probability), _NEAR, 0.0)]
    sums, title = prefix_sums(probability), _title_columns(probability[:, roles.index("title")])

    def ancestor_mean(some: RowIndex, level: int) -> FloatArray:
        first, last = rows.node_rows[rows.chain[some, level]].T
        mean: FloatArray = (sums[last] - sums[first]) / np.maximum(last - first, 1)[:, None]
        return mean

    def columns(some: RowIndex) -> FloatArray:
        above = [ancestor_mean(some, level + 1) for level in range(ANCESTORS)]
        return np.concatenate([*(of[some] for of in near), template_mean[group[some]], *above, title[some]], axis=1)

    return columns


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
