"""Reading order from the layout: flex ``order`` and ``row-reverse``, grids, floats and columns reorder siblings.

Style sheets rarely move a part of one element into another, so each element's children are ordered separately (a run of
text and inline elements is one child). They are split at white space from edge to edge, top before bottom, left before
right; in right-to-left pages right before left (XY-cut: Nagy & Seth 1984). If both directions are possible, the one
that agrees with the document is used, so that columns of cards are read down and rows of cards across. Children without
white space between them stay in document order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.visible_boxes import visible_boxes
from .lines import running_maximum

_RIGHT_TO_LEFT = frozenset(["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"])


@dataclass(frozen=True, kw_only=True, eq=False)
class _Units:
    """Children of all elements, one row each, ordered by element, then by document."""

    owner: IntColumn
    first: IntColumn
    last: IntColumn
    box: FloatArray


def reading_order(page: Page, *, slack: float = 2.0) -> IntColumn:
    """Return the text leaves of a page in reading order, int32 (leaves,).

    Without geometry the order is the document's; hidden leaves follow the leaf before them in the document. ``slack``
    is the overlap in CSS pixels that still separates boxes.
    """
    order = np.arange(len(page.leaves), dtype=np.int32)
    if page.geometry is None or not len(order):
        return order
    units = _units(page)
    mirrored = _right_to_left(page)
    for start, end in _unordered(units, mirrored, slack)[::-1]:
        box = units.box[start:end].copy()
        if mirrored[units.owner[start]]:
            box[:, [0, 2]] = -box[:, [2, 0]]
        ranks = _xy_cut(box, slack)
        ranges = zip(units.first[start:end][ranks].tolist(), units.last[start:end][ranks].tolist(), strict=True)
        order[units.first[start] : units.last[end - 1]] = np.concatenate([order[a:b] for a, b in ranges])
    return order


def _units(page: Page) -> _Units:
    """Return the children with text of every element; invisible text is part of the child before it."""
    extent = visible_boxes(page).extent
    has_text = (page.leaf_range[:, 1] > page.leaf_range[:, 0]) & (page.parent >= 0)
    rows = np.flatnonzero(has_text)
    rows = rows[np.argsort(page.parent[rows], kind="stable")]
    parent, block = page.parent[rows], page.block_level[rows]
    visible = np.isfinite(extent[rows, 0])
    is_first = np.diff(parent, prepend=-1) != 0
    visible_before = np.cumsum(visible) - visible
    # Text before the first visible child is part of that child.
    after_visible = visible_before > visible_before[np.maximum.accumulate(np.where(is_first, np.arange(len(rows)), 0))]
    starts_unit = is_first.copy()
    starts_unit[1:] |= after_visible[1:] & visible[1:] & (block[1:] | block[:-1])
    start = np.flatnonzero(starts_unit)
    if not len(start):
        return _Units(owner=parent, first=parent, last=parent, box=np.zeros((0, 4)))
    corners = np.nan_to_num(extent[rows], nan=np.inf)
    low = np.minimum.reduceat(corners[:, :2], start)
    high = np.maximum.reduceat(np.where(np.isinf(corners), -np.inf, corners)[:, 2:], start)
    ends = np.append(start[1:], len(rows)) - 1
    return _Units(
        owner=parent[start],
        first=page.leaf_range[rows[start], 0],
        last=page.leaf_range[rows[ends], 1],
        box=np.concatenate([low, high], axis=1),
    )


def _unordered(units: _Units, mirrored: BoolColumn, slack: float) -> list[tuple[int, int]]:
    """Return the ranges of units of the elements whose children are neither one stack nor one row."""
    if not len(units.owner):
        return []
    starts = np.flatnonzero(np.diff(units.owner, prepend=-1))
    size = np.diff(np.append(starts, len(units.owner)))
    group = np.repeat(np.arange(len(starts)), size)
    box = np.where(np.isfinite(units.box), units.box, 0.0)
    flipped = mirrored[units.owner]
    left, right = np.where(flipped, -box[:, 2], box[:, 0]), np.where(flipped, -box[:, 0], box[:, 2])
    overlaps = [
        (group[1:] == group[:-1]) & (near[1:] < running_maximum(far, group)[:-1] - slack)
        for near, far in ((box[:, 1], box[:, 3]), (left, right))
    ]
    both = np.bincount(group[1:][overlaps[0]], minlength=len(starts)).astype(bool)
    both &= np.bincount(group[1:][overlaps[1]], minlength=len(starts)).astype(bool)
    return [(int(starts[g]), int(starts[g] + size[g])) for g in np.flatnonzero(both)]


def _xy_cut(box: FloatArray, slack: float) -> NDArray[np.int64]:
    done: list[NDArray[np.int64]] = []
    pending = [np.arange(len(box))]
    while pending:
        part = pending.pop()
        groups = _split(box, part, slack) if len(part) > 1 else [part]
        if len(groups) == 1:
            done.append(part)
        else:
            pending += groups[::-1]
    return np.concatenate(done)


def _split(box: FloatArray, part: NDArray[np.int64], slack: float) -> list[NDArray[np.int64]]:
    across, down = _bands(box[part], 1, slack), _bands(box[part], 0, slack)
    ways = [band for band in (across, down) if band.max(initial=0) > 0]
    if not ways:
        return [part]
    # If both are possible, the direction in which the document continues from band to band.
    band = next((way for way in ways if (np.diff(way) >= 0).all()), ways[0])
    return [part[band == number] for number in range(int(band.max()) + 1)]


def _bands(box: FloatArray, axis: int, slack: float) -> NDArray[np.int64]:
    """Number boxes by the bands along an axis with white space from edge to edge between them."""
    order = np.argsort(box[:, axis], kind="stable")
    reach = np.maximum.accumulate(box[order, axis + 2])
    apart = box[order, axis][1:] >= reach[:-1] - slack
    band = np.zeros(len(box), dtype=np.int64)
    band[order[1:]] = np.cumsum(apart)
    return band


def _right_to_left(page: Page) -> BoolColumn:
    """Return the elements in right-to-left text, by ``dir`` or else by the page's language, bool (nodes,)."""
    codes = page.attribute("dir")
    values = [page.strings[code].strip().lower() if code >= 0 else "" for code in codes.tolist()]
    nearest = page.nearest(np.asarray([value in {"ltr", "rtl"} for value in values], dtype=bool))
    rtl = np.asarray([value == "rtl" for value in values], dtype=bool)
    default = page.language.lower().split("-")[0] in _RIGHT_TO_LEFT
    return np.where(nearest >= 0, rtl[nearest], default)
