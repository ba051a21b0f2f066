"""Scores of predicted roles: right, wrong and missed rows of each role, and the macro F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..features.rows import Rows
from ..page.arrays import FloatArray
from ..page.role_names import ROLE
from .role_votes import RoleLabels

#: The scored roles: those around a text.
MEASURED = ("title", "standfirst", "author", "date", "caption", "comment", "related")
#: The counts of each role.
COUNTS = ("right", "wrong", "missed")


def role_counts(predicted: NDArray[np.int8], labels: RoleLabels) -> NDArray[np.int64]:
    """Count right, wrong and missed rows of each role of :data:`MEASURED`, int64 (roles, 3).

    A row with a predicted role that it certainly does not have is wrong; a row that may have it is not counted.
    """
    if predicted.shape != labels.role.shape:
        raise ValueError(f"{predicted.shape[0]} roles for {labels.role.shape[0]} rows")
    counts = []
    for code in (ROLE[name] for name in MEASURED):
        is_predicted, is_role = predicted == code, labels.role == code
        wrong = is_predicted & labels.excluded[:, code]
        counts.append([(is_predicted & is_role).sum(), wrong.sum(), (is_role & ~is_predicted).sum()])
    return np.asarray(counts, dtype=np.int64)


def role_f1(counts: NDArray[np.generic]) -> FloatArray:
    """Return the F1 of each role from counts (..., roles, 3), NaN for roles that no row has, float64 (..., roles)."""
    right, wrong, missed = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    whole = 2 * right + wrong + missed
    return np.where(right + missed > 0, 2 * right / np.maximum(whole, 1.0), np.nan)


def macro_f1(counts: NDArray[np.generic]) -> FloatArray:
    """Return the mean F1 over the roles that some row has, NaN if there is none, float64 (...)."""
    f1 = role_f1(counts)
    known = ~np.isnan(f1)
    total = np.where(known, f1, 0.0).sum(axis=-1)
    return np.where(known.any(axis=-1), total / np.maximum(known.sum(axis=-1), 1), np.nan)


def row_roles(rows: Rows, leaf_roles: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the role of most of each row's text, by the roles of a page's leaves; -1 for none, int8 (rows,)."""
    length = rows.page.leaf_lengths.astype(np.float64)
    weight = np.stack([rows.summed(length * (leaf_roles == code)) for code in range(len(ROLE))], axis=1)
    best = weight.argmax(axis=1)
    return np.where(weight.max(axis=1, initial=0.0) > 0, best, -1).astype(np.int8)
