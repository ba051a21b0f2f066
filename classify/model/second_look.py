"""The second look: what the first look thought of a block's surroundings, as columns of their own.

Every column has a name, by which a model asks for it.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.stretches import Ties, best_stretch
from ...render.arrays import FloatArray
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


def second_look(counts: Rows, scores: FloatArray, columns: Collection[str]) -> FloatArray:
    """Describe each block by the scores of the first look around it.

    Parameters
    ----------
    counts : Rows
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
    weight = np.maximum(counts.words, 0.5)
    found = dict(zip(TREE_COLUMNS, _tree_columns(counts, score, weight), strict=True))
    if not set(columns) <= found.keys():
        found |= zip(VIPS_COLUMNS, _vips_columns(counts, score, weight), strict=True)
    return np.stack([found[name] for name in columns], axis=1)


def _tree_columns(counts: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    columns = [score]
    columns += [_shifted(score, step) for step in STEPS]
    for width in WINDOWS:
        columns += [
            _mean(score, weight, width, width),
            _mean(score, weight, width, -1),
            _mean(score, weight, -1, width),
        ]
    columns += [*_ancestors(counts, score, weight), _makes(counts, score, weight)]
    for level in LEVELS:
        columns += _regions(counts, (score - level) * weight)
    return columns + _page(score, weight)


def _vips_columns(counts: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    """Look at the same block of VIPS: the region that a person sees."""
    columns = []
    for pdoc in DEGREES:
        leaf_block = vips(counts.page, pdoc=pdoc).leaf_block
        # The first leaf of a row stands for it; rows that VIPS does not see share a group.
        _, group = np.unique(leaf_block[counts.first_leaf], return_inverse=True)
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
    rows = np.arange(len(score)) + step
    inside = (rows >= 0) & (rows < len(score))
    return np.where(inside, score[np.clip(rows, 0, len(score) - 1)], -CLIP)


def _mean(score: FloatArray, weight: FloatArray, before: int, after: int) -> FloatArray:
    """Weighted mean over a window; -1 leaves the block itself and that side out."""
    rows = np.arange(len(score))
    low = np.clip(rows - before, 0, len(score))
    high = np.clip(rows + after + 1, 0, len(score))
    mass = np.concatenate([[0.0], np.cumsum(score * weight)])
    size = np.concatenate([[0.0], np.cumsum(weight)])
    amount = size[high] - size[low]
    return np.where(amount > 1e-9, (mass[high] - mass[low]) / np.maximum(amount, 1e-9), -CLIP)


def _ancestors(counts: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    mass, size = counts.over_nodes(score * weight), np.maximum(counts.over_nodes(weight), 1e-9)
    positive = counts.over_nodes((score > 0) * weight)
    columns = []
    for level in range(ANCESTORS):
        node = counts.chain[:, min(level, counts.chain.shape[1] - 1)]
        columns += [mass[node] / size[node], positive[node] / size[node]]
    return columns


def _makes(counts: Rows, score: FloatArray, weight: FloatArray) -> FloatArray:
    """Mean over blocks of the same tag, class and parent tag."""
    page = counts.page
    names = page.attribute("class")[counts.node].astype(np.int64) + 1
    make = (names * len(page.names) + page.tag[counts.node]) * len(page.names) + page.tag[counts.chain[:, 1]]
    _, group = np.unique(make, return_inverse=True)
    return (np.bincount(group, weights=score * weight) / np.bincount(group, weights=weight))[group]


def _regions(counts: Rows, value: FloatArray) -> list[FloatArray]:
    rows = np.arange(len(value))
    best = int(np.argmax(counts.over_nodes(value)))
    columns = []
    for first, last in (best_stretch(value, Ties.FIRST), counts.node_rows[best]):
        before, after = np.maximum(first - rows, 0), np.maximum(rows - last + 1, 0)
        columns += [((rows >= first) & (rows < last)).astype(np.float64), np.log1p(after) - np.log1p(before)]
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
