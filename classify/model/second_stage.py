"""Columns of the second stage: the first-stage scores of a block and its surroundings.

A model selects columns by name.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ...features.rows import LEVELS as ANCESTORS
from ...features.rows import Rows, over_ancestors
from ...features.stretches import Ties, best_stretch
from ...page.arrays import TINY, FloatArray, cached_by_owner, numbered, prefix_sums, shifted
from ...segment.vips.vips import blocks_of_leaves

#: First-stage scores are clipped here.
CLIP = 2.5
_FAR = 3
STEPS = tuple(filter(None, range(-_FAR, _FAR + 1)))
WINDOWS = (2, 5, 12)
LEVELS = np.linspace(-0.4, 0.4, 3)

_OVER = ("mean", "before", "after")
#: Columns for all pages.
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
#: Permitted degrees of coherence of the VIPS blocks.
DEGREES = (5, 8)
#: Columns for rendered pages.
VIPS_COLUMNS = tuple(f"first_vips{pdoc}_{what}" for pdoc in DEGREES for what in ("mean", "share", "size_log", "others"))
COLUMNS = (*TREE_COLUMNS, *VIPS_COLUMNS)


def second_stage_columns(rows: Rows, scores: FloatArray, columns: Collection[str]) -> FloatArray:
    """Compute some of :data:`COLUMNS` from first-stage scores, float64 (rows, columns)."""
    values = second_stage_values(rows, scores, columns)
    return np.stack([values[name] for name in columns], axis=1) if values else np.zeros((len(scores), 0))


def second_stage_values(rows: Rows, scores: FloatArray, columns: Collection[str]) -> dict[str, FloatArray]:
    """Compute at least some of :data:`COLUMNS`, float64 (rows,) each; :data:`VIPS_COLUMNS` need geometry."""
    if not len(scores) or not columns:
        return dict.fromkeys(columns, np.zeros(len(scores)))
    score = np.clip(scores, -CLIP, CLIP)
    weight = np.maximum(rows.words, 0.5)
    values = dict(zip(TREE_COLUMNS, _tree_columns(rows, score, weight), strict=True))
    if not set(columns) <= values.keys():
        values |= zip(VIPS_COLUMNS, _vips_columns(rows, score, weight), strict=True)
    return values


def _tree_columns(rows: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    mass, size = prefix_sums(score * weight), prefix_sums(weight)
    return [
        score,
        *shifted(score, STEPS, -CLIP),
        *_windows(mass, size),
        *_ancestor_columns(rows, score, weight),
        _template_mean(rows, score, weight),
        *_region_columns(rows, [(score - level) * weight for level in LEVELS]),
        *_page_columns(score, weight),
    ]


def _vips_columns(rows: Rows, score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    columns = []
    for leaf_block in blocks_of_leaves(rows.page, DEGREES):
        # The first leaf of a row determines its block; rows outside of all VIPS blocks share a group.
        _, group = np.unique(leaf_block[rows.first_leaf], return_inverse=True)
        columns += _group_columns(group, score, weight)
    return columns


def _group_columns(group: NDArray[np.intp], score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    """Return each group's mean, share of the page's positive mass and size, and the mean of its other rows."""
    size, mass = np.bincount(group, weights=weight)[group], np.bincount(group, weights=weight * score)[group]
    positive = np.bincount(group, weights=weight * np.maximum(score, 0))
    others = np.where(size - weight > TINY, (mass - weight * score) / np.maximum(size - weight, TINY), -CLIP)
    return [
        mass / size,
        (positive / max(float(positive.sum()), TINY))[group],
        np.log1p(np.bincount(group))[group],
        others,
    ]


def _windows(mass: FloatArray, size: FloatArray) -> FloatArray:
    """Return the weighted means over windows, float64 (windows, rows), from the sums before each row."""
    last = len(size) - 1
    rows = np.arange(last)
    # Rows before and after each row; -1 excludes the row itself and that side.
    ends = [ends for width in WINDOWS for ends in ((width, width), (width, -1), (-1, width))]
    before, after = np.asarray(ends).T[:, :, None]
    low, high = np.maximum(rows - before, 0), np.minimum(rows + (after + 1), last)
    amount = size[high] - size[low]
    return np.where(amount > TINY, (mass[high] - mass[low]) / np.maximum(amount, TINY), -CLIP)


def _ancestor_columns(rows: Rows, score: FloatArray, weight: FloatArray) -> FloatArray:
    """Return mean and positive share of each ancestor, float64 (2 * levels, rows)."""
    mass, positive, size = over_ancestors(rows, ANCESTORS, score * weight, (score > 0) * weight, weight)
    columns: FloatArray = np.stack([mass, positive], axis=1) / np.maximum(size, TINY)[:, None]
    return columns.reshape(2 * ANCESTORS, -1)


@cached_by_owner
def template_groups(rows: Rows) -> NDArray[np.intp]:
    """Return the template of each block, int (rows,): blocks with the same tag, class and parent tag are a group."""
    page = rows.page
    names = page.attribute("class")[rows.node].astype(np.int64) + 1
    key = (names * len(page.names) + page.tag[rows.node]) * len(page.names) + page.tag[rows.chain[:, 1]]
    return numbered(key)[1]


def _template_mean(rows: Rows, score: FloatArray, weight: FloatArray) -> FloatArray:
    group = template_groups(rows)
    return (np.bincount(group, weights=score * weight) / np.bincount(group, weights=weight))[group]


def _region_columns(rows: Rows, values: list[FloatArray]) -> list[FloatArray]:
    """Return whether each row is in the best stretch and the best element by some values, and the distance to it."""
    regions = [
        region
        for value in values
        for region in (best_stretch(value, Ties.FIRST), rows.node_rows[np.argmax(rows.over_nodes(value))])
    ]
    row, (first, last) = np.arange(len(rows)), np.asarray(regions).T[:, :, None]
    before, after = np.maximum(first - row, 0), np.maximum(row - last + 1, 0)
    inside, far = ((row >= first) & (row < last)).astype(np.float64), np.log1p(after) - np.log1p(before)
    return [column for pair in zip(inside, far, strict=True) for column in pair]


def _page_columns(score: FloatArray, weight: FloatArray) -> list[FloatArray]:
    positive = np.maximum(score, 0) * weight
    total = max(float(positive.sum()), TINY)
    ones = np.ones(len(score))
    return [
        (np.cumsum(positive) - positive) / total,
        ones * float(((score > 0) * weight).sum() / weight.sum()),
        ones * float((score * weight).sum() / weight.sum()),
        ones * float(score.max()),
        np.argsort(np.argsort(-score)) / len(score),
    ]
