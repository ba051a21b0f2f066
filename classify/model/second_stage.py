"""The second look: what the first look thought of a block's surroundings, as columns of their own.

Every column has a name, by which a model asks for it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.stretches import Ties, best_stretch
from ...page.arrays import FloatArray, prefix_sums
from ...segment.vips.vips import vips

#: Scores of the first look are cut off here before anything is made of them.
CLIP = 2.5
STEPS = (-3, -2, -1, 1, 2, 3)
WINDOWS = (2, 5, 12)
ANCESTORS = 6
LEVELS = (-0.4, 0.0, 0.4)

_OVER = ("mean", "before", "after")
#: Columns that every page has.
TREE_COLUMNS = (
    "first_score",
    *(f"first_at{step:+d}" for step in STEPS),
    *(f"first_{side}{width}" for width in WINDOWS for side in _OVER),
    *(f"first_up{level}_{what}" for level in range(ANCESTORS) for what in ("mean", "positive")),
    "first_make_mean",
    *(
        f"first_{kind}{index}_{what}"
        for index in range(len(LEVELS))
        for kind in ("stretch", "tree")
        for what in ("in", "far")
    ),
    "first_mass_before",
    "first_page_positive",
    "first_page_mean",
    "first_page_highest",
    "first_rank",
)
#: Permitted degrees of coherence of the VIPS blocks that columns of rendered pages look at.
DEGREES = (5, 8)
#: Columns that only pages with geometry have.
VIPS_COLUMNS = tuple(f"first_vips{pdoc}_{what}" for pdoc in DEGREES for what in ("mean", "share", "size_log", "others"))
#: All columns of the second look.
COLUMNS = (*TREE_COLUMNS, *VIPS_COLUMNS)


def second_stage_columns(rows: Rows, scores: FloatArray, columns: Collection[str]) -> FloatArray:
    """Describe each block by the scores of the first look around it.

    Parameters
    ----------
    rows : Rows
        Of a page with geometry where some of :data:`VIPS_COLUMNS` are asked for.
    scores : float64 (rows,)
        Decisions of the first look.
    columns : collection of str
        Some of :data:`COLUMNS`.

    Returns
    -------
    float64 (rows, len(columns))
    """
    if not len(scores):
        return np.zeros((0, len(columns)))
    score = np.clip(scores, -CLIP, CLIP)
    weight = np.maximum(rows.words, 0.5)
    found = dict(zip(TREE_COLUMNS, _tree_columns(rows, score, weight), strict=True))
    if not set(columns) <= found.keys():
        found |= zip(VIPS_COLUMNS, _vips_columns(rows, score, weight), strict=True)
    return np.stack([found[name] for name in columns], axis=1)


def _tree_columns(rows: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    columns = [score]
    columns += [_shifted(score, step) for step in STEPS]
    sums = _Sums(prefix_sums(score * weight), prefix_sums(weight))
    for width in WINDOWS:
        columns += [sums.mean(width, width), sums.mean(width, -1), sums.mean(-1, width)]
    columns += [*_ancestors(rows, score, weight), _makes(rows, score, weight)]
    for level in LEVELS:
        columns += _regions(rows, (score - level) * weight)
    return columns + _page(score, weight)


def _vips_columns(rows: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    """Look at the same block of VIPS: the region that a person sees."""
    columns = []
    for pdoc in DEGREES:
        leaf_block = vips(rows.page, pdoc=pdoc).leaf_block
        # The first leaf of a row stands for it; rows that VIPS does not see share a group.
        _, group = np.unique(leaf_block[rows.first_leaf], return_inverse=True)
        columns += _alike(group, score, weight)
    return columns


def _alike(group: NDArray[np.intp], score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    """Mean of the group, its share of the page's positive mass, its size, and the mean of the others in it."""
    size, mass = np.bincount(group, weights=weight)[group], np.bincount(group, weights=weight * score)[group]
    positive = np.bincount(group, weights=weight * np.maximum(score, 0))
    others = np.where(size - weight > 1e-6, (mass - weight * score) / np.maximum(size - weight, 1e-6), -CLIP)
    return [
        mass / size,
        (positive / max(float(positive.sum()), 1e-9))[group],
        np.log1p(np.bincount(group))[group],
        others,
    ]


def _shifted(score: FloatArray, step: int) -> FloatArray:
    moved = np.full(len(score), -CLIP)
    if step > 0:
        moved[:-step] = score[step:]
    else:
        moved[-step:] = score[:step]
    return moved


class _Sums(NamedTuple):
    """Weighted scores, and weights, added up from the first block on."""

    mass: FloatArray
    size: FloatArray

    def mean(self, before: int, after: int) -> FloatArray:
        """Weighted mean over a window; -1 leaves the block itself and that side out."""
        last = len(self.size) - 1
        rows = np.arange(last)
        low, high = np.maximum(rows - before, 0), np.minimum(rows + (after + 1), last)
        amount = self.size[high] - self.size[low]
        mass = self.mass[high] - self.mass[low]
        return np.where(amount > 1e-9, mass / np.maximum(amount, 1e-9), -CLIP)


def _ancestors(rows: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    mass, size = rows.over_nodes(score * weight), np.maximum(rows.over_nodes(weight), 1e-9)
    positive = rows.over_nodes((score > 0) * weight)
    node = rows.chain.T[:ANCESTORS]
    found = np.stack([mass[node] / size[node], positive[node] / size[node]], axis=1)
    return list(found.reshape(-1, len(score)))


def _makes(rows: Rows, score: FloatArray, weight: FloatArray) -> FloatArray:
    """Mean over blocks of the same tag, class and parent tag."""
    page = rows.page
    names = page.attribute("class")[rows.node].astype(np.int64) + 1
    make = (names * len(page.names) + page.tag[rows.node]) * len(page.names) + page.tag[rows.chain[:, 1]]
    _, group = np.unique(make, return_inverse=True)
    return (np.bincount(group, weights=score * weight) / np.bincount(group, weights=weight))[group]


def _regions(rows: Rows, value: FloatArray) -> list[FloatArray]:
    place = np.arange(len(value))
    best = int(np.argmax(rows.over_nodes(value)))
    columns = []
    for first, last in (best_stretch(value, Ties.FIRST), rows.node_rows[best]):
        before, after = np.maximum(first - place, 0), np.maximum(place - last + 1, 0)
        columns += [((place >= first) & (place < last)).astype(np.float64), np.log1p(after) - np.log1p(before)]
    return columns


def _page(score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    positive = np.maximum(score, 0) * weight
    total = max(float(positive.sum()), 1e-9)
    whole = np.ones(len(score))
    return [
        (np.cumsum(positive) - positive) / total,
        whole * float(((score > 0) * weight).sum() / weight.sum()),
        whole * float((score * weight).sum() / weight.sum()),
        whole * float(score.max()),
        np.argsort(np.argsort(-score)) / len(score),
    ]
