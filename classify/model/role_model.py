"""What each block is to a reader: one linear support vector machine a role, in two looks, as plain numbers.

The first look judges a block by its features and by what the content's first look thought of its surroundings. The
second judges it again, by the same and by what the blocks around were taken for: a date stands under a title, a caption
says nothing of a list.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...document.metadata.clean_text import letters_of
from ...features.rows import Rows
from ...page.arrays import FloatArray
from .svm import standardise

#: What is said of each role in a block's surroundings.
AROUND = ("own", "before", "after", "before2", "make", "up1", "up2")
#: What is said of the block that is most likely a title.
TITLE_COLUMNS = ("title_far", "title_likely")
#: How many blocks from the title are told apart.
_FAR = 20


def context_columns(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the columns that the second look has beside those of the first."""
    return (*(f"role_{role}_{what}" for what in AROUND for role in roles), *TITLE_COLUMNS)


def role_columns(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the columns by which the content's second look knows the roles."""
    return tuple(f"likely_{role}" for role in roles)


@dataclass(frozen=True, kw_only=True, eq=False)
class OneAgainstRest:
    """A linear support vector machine a role, on the same columns, and what their decisions mean.

    Attributes
    ----------
    mean, deviation : float64 (columns,)
    weight : float64 (roles, columns)
    bias : float64 (roles,)
    slope, offset : float64 (roles,)
        Of the probability of each role, ``1 / (1 + exp(-(slope · decision + offset)))`` (Platt 1999).
    """

    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray
    bias: FloatArray
    slope: FloatArray
    offset: FloatArray

    def decision(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return float64 (rows, roles): the signed distance from the plane of each role."""
        found: FloatArray = standardise(matrix, self.mean, self.deviation) @ self.weight.T + self.bias
        return found

    def probability(self, matrix: NDArray[np.floating]) -> FloatArray:
        """Return float64 (rows, roles): the probability of each role; those of a row add up to 1."""
        return shares(self.decision(matrix), self.slope, self.offset)


def shares(decision: FloatArray, slope: FloatArray, offset: FloatArray) -> FloatArray:
    """Turn decisions into probabilities that add up to 1 in each row."""
    likely = 1.0 / (1.0 + np.exp(-np.clip(slope * decision + offset, -30, 30)))
    found: FloatArray = likely / likely.sum(axis=1, keepdims=True)
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class RoleModel:
    """What tells the roles of blocks.

    Attributes
    ----------
    roles : tuple of str
        In the order of the numbers.
    columns : tuple of str
        Features that it looks at.
    surroundings : tuple of str
        Columns of the content's second look (:data:`~blocksight.classify.model.second_stage.COLUMNS`) that stand after
        them.
    first, second : OneAgainstRest
        The second has the columns of :func:`context_columns`, too.
    """

    roles: tuple[str, ...]
    columns: tuple[str, ...]
    surroundings: tuple[str, ...]
    first: OneAgainstRest
    second: OneAgainstRest

    def seen(self, rows: Rows, features: FloatArray, surroundings: FloatArray) -> FloatArray:
        """Return what the second look judges blocks by, which then knows their roles.

        Parameters
        ----------
        rows : Rows
        features : float64 (rows, columns)
        surroundings : float64 (rows, surroundings)

        Returns
        -------
        float64 (rows, columns)
        """
        seen = np.concatenate([features, surroundings], axis=1)
        if not len(rows):
            return np.zeros((0, seen.shape[1] + len(context_columns(self.roles))))
        around = role_context(rows, self.first.probability(seen), self.roles)
        return np.concatenate([seen, around], axis=1)


def role_context(rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> FloatArray:
    """Describe each block by what the blocks around it were taken for.

    Parameters
    ----------
    rows : Rows
    probability : float64 (rows, roles)
        Of the first look.
    roles : tuple of str

    Returns
    -------
    float64 (rows, columns)
        The columns of :func:`context_columns`.
    """
    columns = [
        probability,
        _shifted(probability, 1),
        _shifted(probability, -1),
        _shifted(probability, 2),
        _makes(rows, probability),
        _above(rows, probability, 1),
        _above(rows, probability, 2),
        _title(probability[:, roles.index("title")]),
    ]
    return np.concatenate(columns, axis=1)


def _shifted(probability: FloatArray, step: int) -> FloatArray:
    """Return the probabilities of the block some steps before; 0 beyond the page."""
    moved = np.zeros_like(probability)
    if step > 0:
        moved[step:] = probability[:-step]
    else:
        moved[:step] = probability[-step:]
    return moved


def _makes(rows: Rows, probability: FloatArray) -> FloatArray:
    """Return the mean over the blocks of the same tag, class and parent tag."""
    page = rows.page
    names = page.attribute("class")[rows.node].astype(np.int64) + 1
    make = (names * len(page.names) + page.tag[rows.node]) * len(page.names) + page.tag[rows.chain[:, 1]]
    _, group = np.unique(make, return_inverse=True)
    sums = np.stack([np.bincount(group, weights=column) for column in probability.T], axis=1)
    found: FloatArray = (sums / np.bincount(group)[:, None])[group]
    return found


def _above(rows: Rows, probability: FloatArray, level: int) -> FloatArray:
    """Return the mean over the blocks in the ancestor some levels up."""
    sums = np.concatenate([np.zeros((1, probability.shape[1])), np.cumsum(probability, axis=0)])
    first, last = rows.node_rows[rows.chain[:, level]].T
    found: FloatArray = (sums[last] - sums[first]) / np.maximum(last - first, 1)[:, None]
    return found


def _title(likely: FloatArray) -> FloatArray:
    """Return how far each block is from the likeliest title, with the sign, and how likely that is one."""
    best = int(np.argmax(likely))
    steps = np.clip(np.arange(len(likely)) - best, -_FAR, _FAR)
    return np.stack([np.sign(steps) * np.log1p(np.abs(steps)), np.full(len(likely), likely[best])], axis=1)


def decided(rows: Rows, probability: FloatArray, roles: tuple[str, ...]) -> NDArray[np.int8]:
    """Decide on one role a block; a page has one title, but for blocks that say the same.

    Returns
    -------
    int8 (rows,)
        Index into ``roles``.
    """
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    likely = probability.copy()
    title = roles.index("title")
    best = int(np.argmax(likely[:, title]))
    said = letters_of(rows.texts[best])
    chosen: NDArray[np.int8] = likely.argmax(axis=1).astype(np.int8)
    others = [row for row in np.flatnonzero(chosen == title).tolist() if letters_of(rows.texts[row]) != said]
    likely[others, title] = 0.0
    chosen[others] = likely[others].argmax(axis=1)
    return chosen
