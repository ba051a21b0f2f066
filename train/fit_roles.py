"""Linear support vector machines for the roles of blocks, one per role, fitted together.

A row of known role is a positive example of that role and a negative one of all others; a row with excluded roles only
is a negative example of these.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..classify.model.role_model import OneVsRestSvm
from ..classify.model.svm import scaling, standardise
from ..classify.systems.learning.unseen_sites import fit_platt
from ..page.arrays import BoolColumn, FloatArray
from ..page.role_names import ROLES
from .linear import minimise_hinge

#: Strength of regularisation on the mean loss of each role: of 1e-4, .05 and .15, the log loss on unseen sites is least
#: here.
LAMBDA = 0.05
#: Largest number of sampled rows of a role; their weight is increased accordingly.
MOST_ROWS = 6_000
#: Roles with fewer examples are never predicted.
LEAST_EXAMPLES = 20
#: The decision of a role that is never predicted.
_NEVER = -30.0


def role_sides(role: NDArray[np.int8], excluded: BoolColumn) -> NDArray[np.int8]:
    """Return 1 where a row has the role, -1 where it certainly has not, 0 where that is unknown, int8 (rows, roles)."""
    sides = -excluded.astype(np.int8)
    known = np.flatnonzero(role >= 0)
    sides[known] = -1
    sides[known, role[known]] = 1
    return sides


def role_weights(role: NDArray[np.int8], sides: NDArray[np.int8], page: NDArray[np.int64]) -> FloatArray:
    """Return the weight of each row, divided by the root of the numbers of rows on its page and of its role."""
    labelled = (sides != 0).any(axis=1)
    # Rows with excluded roles only are a class of their own.
    kind = np.where(role >= 0, role, len(ROLES)).astype(np.int64)
    on_page = np.bincount(page, weights=labelled)[page]
    alike = np.bincount(kind, weights=labelled)[kind]
    inverse: FloatArray = labelled / np.sqrt(np.maximum(on_page, 1.0) * np.maximum(alike, 1.0))
    weight: FloatArray = inverse / inverse.mean()
    return weight


def fit_roles(
    matrix: NDArray[np.float32], role: NDArray[np.int8], sides: NDArray[np.int8], weight: FloatArray, seed: int
) -> OneVsRestSvm:
    """Fit one support vector machine per role on a sample of rows; its decisions are not calibrated yet."""
    chosen, share = _sample_rows(role, weight > 0, seed)
    mean, deviation = scaling(matrix[chosen])
    rows = standardise(matrix[chosen], mean, deviation).astype(np.float32)
    some = sides[chosen]
    solution = minimise_hinge(rows, some, weight[chosen] / share, LAMBDA)
    planes, bias = solution[:-1].T.copy(), solution[-1].copy()
    rare = (some > 0).sum(axis=0) < LEAST_EXAMPLES
    planes[rare], bias[rare] = 0.0, _NEVER
    one = np.ones(len(bias))
    return OneVsRestSvm(mean=mean, deviation=deviation, weight=planes, bias=bias, slope=one, offset=0 * one)


def calibrate_roles(
    svms: OneVsRestSvm, decision: FloatArray, sides: NDArray[np.int8], weight: FloatArray
) -> OneVsRestSvm:
    """Return the machines calibrated by decisions on unseen sites, float64 (rows, roles)."""
    slope, offset = svms.slope.copy(), svms.offset.copy()
    for number in range(len(ROLES)):
        labelled = (sides[:, number] != 0) & (weight > 0)
        has = sides[labelled, number] > 0
        if has.sum() >= LEAST_EXAMPLES and not has.all():
            platt = fit_platt(decision[labelled, number], has, weight[labelled] / weight[labelled].mean())
            slope[number], offset[number] = platt.slope, platt.offset
    return replace(svms, slope=slope, offset=offset)


def _sample_rows(role: NDArray[np.int8], usable: BoolColumn, seed: int) -> tuple[NDArray[np.int64], FloatArray]:
    """Sample the rows of frequent roles; return the sampled rows, and the sampled share of their role."""
    random = np.random.default_rng(seed)
    kind = np.where(role >= 0, role, len(ROLES)).astype(np.int64)
    many = np.bincount(kind[usable], minlength=len(ROLES) + 1)
    share = np.minimum(MOST_ROWS / np.maximum(many, 1), 1.0)[kind]
    chosen = np.flatnonzero(usable & (random.random(len(role)) < share))
    return chosen, share[chosen]


def move_roles(
    svms: OneVsRestSvm, matrix: FloatArray, sides: NDArray[np.int8], weight: FloatArray, strength: float
) -> OneVsRestSvm:
    """Move the planes towards the roles of some rows; the distance from the old ones is penalised, bias included."""
    rows = standardise(matrix, svms.mean, svms.deviation).astype(np.float32)
    moved = minimise_hinge(rows, sides, weight, strength, held=np.concatenate([svms.weight.T, svms.bias[None]]))
    return replace(svms, weight=moved[:-1].T.copy(), bias=moved[-1].copy())
