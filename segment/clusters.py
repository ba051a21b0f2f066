"""Box clustering segmentation (Zelený, Burget & Zendulka, Information Processing and Management 53(3), 2017).

Blocks are clusters of the smallest boxes that a person sees. Neighbours are those nearest to the right and below; how
unlike two of them are is the mean of their distance, their shapes and their colours, each 0 to 1. The most alike are
joined first, as long as they are no more unlike than a threshold and the cluster's rectangle covers nothing of another.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.backgrounds import visible_boxes
from .blocks import Blocks, flat_blocks, leaf_boxes, text_blocks
from .vips.nodes import nodes_of

#: Boxes that are looked at for the nearest one, twice as many where it is not among them.
_NEAR = 32
_BLACK_TO_WHITE = 255 * 3**0.5


def box_clusters(page: Page, *, threshold: float = 0.3) -> Blocks:
    """Cut a rendered page by box clustering.

    The boxes are paragraphs, and pictures and controls (the paper: the boxes of its renderer's texts and pictures); the
    colour of a box is that of its text, or what a picture stands on.

    Parameters
    ----------
    page : Page
        With geometry.
    threshold : float
        How unlike joined boxes may be, 0 to 1; 0.3 is the default of the authors' program.

    Returns
    -------
    Blocks
        Flat, in document order.

    Raises
    ------
    ValueError
        When the page has no geometry, or the threshold is out of range.
    """
    if page.geometry is None:
        raise ValueError("boxes are clustered by where they stand: render the page with Browser().open(...)")
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must be 0 to 1, not {threshold}")
    box, color, node, leaf_box = _boxes(page)
    cluster = _cluster(box, _distances(box, color), threshold)
    _, first, number = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    by_place = np.argsort(node[first], kind="stable")
    rank[by_place] = np.arange(len(first), dtype=np.int32)
    of_box = rank[number.ravel()] if len(box) else np.zeros(0, dtype=np.int32)
    leaf_block = np.where(leaf_box >= 0, np.append(of_box, np.int32(-1))[leaf_box], -1).astype(np.int32)
    return _with_pictures(flat_blocks(page, node[first][by_place], leaf_block), box, of_box)


def _with_pictures(blocks: Blocks, box: FloatArray, number: IntColumn) -> Blocks:
    """Let blocks cover all their boxes, those without text among them."""
    corners = np.concatenate([np.full((len(blocks), 2), np.inf), np.full((len(blocks), 2), -np.inf)], axis=1)
    np.minimum.at(corners[:, :2], number, box[:, :2])
    np.maximum.at(corners[:, 2:], number, box[:, 2:])
    corners[:, 2:] -= corners[:, :2]
    blocks.box[:] = corners
    return blocks


def _boxes(page: Page) -> tuple[FloatArray, FloatArray, IntColumn, IntColumn]:
    """Return the boxes ``[left, top, right, bottom]``, their colours, their nodes, and the box of each text leaf."""
    assert page.geometry is not None
    paragraphs = text_blocks(page)
    shown = np.zeros(len(page.leaves), dtype=bool)
    shown[visible_boxes(page).leaf] = True
    held, place = np.unique(np.where(shown, paragraphs.leaf_block, -1), return_inverse=True)
    none = int(len(held) > 0 and held[0] < 0)
    leaf_box = (place.ravel() - none).astype(np.int32)
    count = len(held) - none
    text: FloatArray = leaf_boxes(page, leaf_box, count).astype(np.float64)
    text[:, 2:] += text[:, :2]
    painted = nodes_of(page).painted
    other = np.flatnonzero(painted.whole & ~painted.icon).astype(np.int32)
    fill = page.geometry.color if page.geometry.paint is None else page.geometry.paint.fill
    begin = np.full(count, len(page), dtype=np.int64)
    np.minimum.at(begin, leaf_box[leaf_box >= 0], page.leaves[leaf_box >= 0])
    box = np.concatenate([text, painted.extent[other]])
    color = np.concatenate([fill[begin], painted.ground[other]])
    node = np.concatenate([begin, other]).astype(np.int32)
    texts = page.text[node] >= 0
    node[texts] = page.parent[node[texts]]
    return box, _channels(color), node, leaf_box


def _channels(color: NDArray[np.uint32]) -> FloatArray:
    return np.stack([color >> bits & 0xFF for bits in (24, 16, 8)], axis=1).astype(np.float64)


def _distances(box: FloatArray, color: FloatArray) -> list[tuple[float, int, int]]:
    """Return how unlike each two neighbours are: ``(unlikeness, one, other)``, each pair once."""
    pairs = sorted({*_nearest(box, 0), *_nearest(box, 1)})
    if not pairs:
        return []
    one, other = np.asarray(pairs).T
    gap = np.maximum(np.maximum(box[one, :2], box[other, :2]) - np.minimum(box[one, 2:], box[other, 2:]), 0.0).max(
        axis=1
    )
    farthest, total, met = np.zeros(len(box)), np.zeros(len(box)), np.zeros(len(box))
    for end in (one, other):
        np.maximum.at(farthest, end, gap)
        np.add.at(total, end, gap)
        np.add.at(met, end, 1)
    # Where all neighbours are equally far, distance says nothing: they belong together.
    flat = farthest - total / np.maximum(met, 1) < 1e-6
    distance = (gap / np.maximum(farthest[one], 1e-9) + gap / np.maximum(farthest[other], 1e-9)) / 2
    distance[flat[one] | flat[other] | (gap == 0)] = 0.0
    shade = np.sqrt(((color[one] - color[other]) ** 2).sum(axis=1)) / _BLACK_TO_WHITE
    unlike = (_shape_distance(box, one, other) + shade + distance) / 3
    unlike = np.where(distance <= 0, 0.0, np.where(distance >= 1, 1.0, unlike))
    return list(zip(unlike.tolist(), one.tolist(), other.tolist(), strict=True))


def _shape_distance(box: FloatArray, one: NDArray[np.int64], other: NDArray[np.int64]) -> FloatArray:
    """float64 (pairs,): how unlike the shapes are: the mean of how far proportions and areas differ."""
    size = np.maximum(box[:, 2:] - box[:, :2], 1.0)
    ratio, area = size[:, 0] / size[:, 1], size[:, 0] * size[:, 1]
    # Seen from the longer one: its opposite is as unlike as can be.
    long = np.maximum(np.maximum(ratio[one], 1 / ratio[one]), np.maximum(ratio[other], 1 / ratio[other]))
    proportion = np.abs(ratio[one] - ratio[other])
    turned = np.minimum(ratio[one], ratio[other]) * long < 1 + 1e-9
    upright = np.maximum(ratio[one], ratio[other]) < long - 1e-9
    proportion = np.where(turned & upright, np.abs(1 / ratio[one] - 1 / ratio[other]), proportion)
    spread = long - 1 / long
    proportion = np.where(spread > 0, proportion / np.maximum(spread, 1e-9), 0.0)
    sizes = 1 - np.minimum(area[one], area[other]) / np.maximum(area[one], area[other])
    found: FloatArray = (np.clip(proportion, 0, 1) + sizes) / 2
    return found


def _nearest(box: FloatArray, axis: int) -> list[tuple[int, int]]:
    """Return for each box those that come nearest after it on an axis, in its own row or column."""
    across = 1 - axis
    order = np.argsort(box[:, axis], kind="stable")
    starts = box[order, axis]
    low, high = box[order, across], box[order, across + 2]
    found = []
    for row, first in enumerate(np.searchsorted(starts, box[:, axis + 2] - 1e-6).tolist()):
        begin, near = first, _NEAR
        while begin < len(order):
            part = slice(begin, begin + near)
            met = np.flatnonzero((low[part] < box[row, across + 2]) & (high[part] > box[row, across]))
            met = met[order[part][met] != row]
            if len(met):
                equal = met[starts[part][met] <= starts[part][met[0]] + 1e-6]
                found += [(min(row, at), max(row, at)) for at in order[part][equal].tolist()]
                break
            begin, near = begin + near, near * 2
    return found


def _cluster(box: FloatArray, relations: list[tuple[float, int, int]], threshold: float) -> NDArray[np.int64]:
    """Join boxes; int64 (boxes,): the number of each one's cluster."""
    cluster = np.arange(len(box))
    extent = dict(enumerate(box))
    beside: dict[int, dict[int, tuple[float, int]]] = {number: {} for number in range(len(box))}
    for unlike, one, other in relations:
        beside[one][other] = beside[other][one] = (unlike, 1)
    queue = [relation for relation in relations if relation[0] <= threshold]
    heapq.heapify(queue)
    while queue:
        unlike, one, other = heapq.heappop(queue)
        known = beside.get(one, {}).get(other)
        if known is None or known[0] / known[1] != unlike:
            continue
        taken = _absorbed(box, cluster, extent, one, other)
        if taken is None:
            continue
        for number in taken:
            _join(cluster, extent, beside, one, number)
        for number, (total, count) in beside[one].items():
            if total / count <= threshold:
                heapq.heappush(queue, (total / count, one, number))
    return cluster


def _absorbed(
    box: FloatArray, cluster: NDArray[np.int64], extent: dict[int, FloatArray], one: int, other: int
) -> list[int] | None:
    """Return what joins a cluster: another, and the single boxes that both cover; None where they cover more."""
    left, top, right, bottom = box.T
    taken = [other]
    corners = _union(extent[one], extent[other])
    while True:
        met = (left < corners[2] - 0.5) & (top < corners[3] - 0.5) & (right > corners[0] + 0.5)
        met &= bottom > corners[1] + 0.5
        met &= cluster != one
        met &= cluster != other
        more = sorted(set(cluster[met].tolist()).difference(taken))
        if not more:
            return taken
        if any((extent[number] != box[number]).any() for number in more):
            return None
        taken += more
        for number in more:
            corners = _union(corners, extent[number])


def _union(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.concatenate([np.minimum(one[:2], other[:2]), np.maximum(one[2:], other[2:])])


def _join(
    cluster: NDArray[np.int64],
    extent: dict[int, FloatArray],
    beside: dict[int, dict[int, tuple[float, int]]],
    one: int,
    other: int,
) -> None:
    """Put one cluster into another; how unlike it is to a neighbour is the mean over the boxes' relations."""
    cluster[cluster == other] = one
    extent[one] = _union(extent[one], extent.pop(other))
    for number, (total, count) in beside.pop(other).items():
        beside[number].pop(other, None)
        if number != one:
            before = beside[one].get(number, (0.0, 0))
            beside[one][number] = beside[number][one] = (before[0] + total, before[1] + count)
