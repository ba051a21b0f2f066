"""Box clustering segmentation (Zelený, Burget & Zendulka, Information Processing and Management 53(3), 2017).

Blocks are clusters of the smallest visible boxes. Neighbours are the nearest boxes to the right and below; their
distance is the mean of the distances of position, shape and colour, each 0 to 1. The nearest are joined first, up to a
threshold, if the bounding box of the cluster covers no part of another cluster.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.visible_boxes import visible_boxes
from .blocks import Blocks, bounding_corners, flat_blocks, leaf_boxes, text_blocks
from .vips.nodes import nodes_of

#: Candidates for the nearest box that are examined first; doubled until one is found.
_NEAR = 32
_BLACK_TO_WHITE = 255 * 3**0.5


def box_clusters(page: Page, *, threshold: float = 0.3) -> Blocks:
    """Segment a rendered page by box clustering; flat, in document order.

    The boxes are paragraphs, pictures and controls (the paper: boxes of the renderer's texts and pictures); the colour
    of a box is that of its text, or the background of a picture. ``threshold`` is the greatest distance of joined
    boxes, 0 to 1; 0.3 is the default of the authors' program.
    """
    if page.geometry is None:
        raise ValueError("box clustering needs geometry: render the page with Browser().open(...)")
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must be 0 to 1, not {threshold}")
    box, color, node, leaf_box = _boxes(page)
    cluster = _cluster(box, _distances(box, color), threshold)
    _, first, number = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    by_node = np.argsort(node[first], kind="stable")
    rank[by_node] = np.arange(len(first), dtype=np.int32)
    of_box = rank[number.ravel()] if len(box) else np.zeros(0, dtype=np.int32)
    leaf_block = np.where(leaf_box >= 0, np.append(of_box, np.int32(-1))[leaf_box], -1).astype(np.int32)
    return _with_pictures(flat_blocks(page, node[first][by_node], leaf_block), box, of_box)


def _with_pictures(blocks: Blocks, box: FloatArray, cluster: IntColumn) -> Blocks:
    corners = bounding_corners(box, cluster, len(blocks))
    corners[:, 2:] -= corners[:, :2]
    blocks.box[:] = corners
    return blocks


def _boxes(page: Page) -> tuple[FloatArray, FloatArray, IntColumn, IntColumn]:
    """Return the boxes ``[left, top, right, bottom]``, their colours, their nodes, and the box of each text leaf."""
    assert page.geometry is not None
    paragraphs = text_blocks(page)
    shown = np.zeros(len(page.leaves), dtype=bool)
    shown[visible_boxes(page).leaf] = True
    paragraph, index = np.unique(np.where(shown, paragraphs.leaf_block, -1), return_inverse=True)
    hidden = int(len(paragraph) > 0 and paragraph[0] < 0)
    leaf_box = (index.ravel() - hidden).astype(np.int32)
    count = len(paragraph) - hidden
    text: FloatArray = leaf_boxes(page, leaf_box, count).astype(np.float64)
    text[:, 2:] += text[:, :2]
    painted = nodes_of(page).painted
    pictures = np.flatnonzero(painted.whole & ~painted.icon).astype(np.int32)
    fill = page.geometry.color if page.geometry.paint is None else page.geometry.paint.fill
    first_node = np.full(count, len(page), dtype=np.int64)
    np.minimum.at(first_node, leaf_box[leaf_box >= 0], page.leaves[leaf_box >= 0])
    box = np.concatenate([text, painted.extent[pictures]])
    color = np.concatenate([fill[first_node], painted.ground[pictures]])
    node = np.concatenate([first_node, pictures]).astype(np.int32)
    texts = page.text[node] >= 0
    node[texts] = page.parent[node[texts]]
    return box, _channels(color), node, leaf_box


def _channels(color: NDArray[np.uint32]) -> FloatArray:
    return np.stack([color >> bits & 0xFF for bits in (24, 16, 8)], axis=1).astype(np.float64)


def _distances(box: FloatArray, color: FloatArray) -> list[tuple[float, int, int]]:
    """Return the distances of neighbours: ``(distance, one, other)``, each pair once."""
    pairs = sorted({*_nearest(box, 0), *_nearest(box, 1)})
    if not pairs:
        return []
    one, other = np.asarray(pairs).T
    gaps = np.maximum(np.maximum(box[one, :2], box[other, :2]) - np.minimum(box[one, 2:], box[other, 2:]), 0.0).max(
        axis=1
    )
    farthest, total, neighbours = np.zeros(len(box)), np.zeros(len(box)), np.zeros(len(box))
    for end in (one, other):
        np.maximum.at(farthest, end, gaps)
        np.add.at(total, end, gaps)
        np.add.at(neighbours, end, 1)
    # If all neighbours are equally far, the distance of positions is 0.
    equal = farthest - total / np.maximum(neighbours, 1) < 1e-6
    distance = (gaps / np.maximum(farthest[one], 1e-9) + gaps / np.maximum(farthest[other], 1e-9)) / 2
    distance[equal[one] | equal[other] | (gaps == 0)] = 0.0
    color_distance = np.sqrt(((color[one] - color[other]) ** 2).sum(axis=1)) / _BLACK_TO_WHITE
    mean = (_shape_distance(box, one, other) + color_distance + distance) / 3
    mean = np.where(distance <= 0, 0.0, np.where(distance >= 1, 1.0, mean))
    return list(zip(mean.tolist(), one.tolist(), other.tolist(), strict=True))


def _shape_distance(box: FloatArray, one: NDArray[np.int64], other: NDArray[np.int64]) -> FloatArray:
    """Return the mean of the differences of aspect ratios and of areas, float64 (pairs,), 0 to 1."""
    size = np.maximum(box[:, 2:] - box[:, :2], 1.0)
    ratio, area = size[:, 0] / size[:, 1], size[:, 0] * size[:, 1]
    # Relative to the more elongated box: the same box rotated by 90 degrees has the greatest distance.
    long = np.maximum(np.maximum(ratio[one], 1 / ratio[one]), np.maximum(ratio[other], 1 / ratio[other]))
    proportion = np.abs(ratio[one] - ratio[other])
    turned = np.minimum(ratio[one], ratio[other]) * long < 1 + 1e-9
    upright = np.maximum(ratio[one], ratio[other]) < long - 1e-9
    proportion = np.where(turned & upright, np.abs(1 / ratio[one] - 1 / ratio[other]), proportion)
    spread = long - 1 / long
    proportion = np.where(spread > 0, proportion / np.maximum(spread, 1e-9), 0.0)
    sizes = 1 - np.minimum(area[one], area[other]) / np.maximum(area[one], area[other])
    distance: FloatArray = (np.clip(proportion, 0, 1) + sizes) / 2
    return distance


def _nearest(box: FloatArray, axis: int) -> list[tuple[int, int]]:
    """Return for each box the nearest boxes after it on an axis, in its own row or column."""
    across = 1 - axis
    order = np.argsort(box[:, axis], kind="stable")
    starts = box[order, axis]
    low, high = box[order, across], box[order, across + 2]
    pairs = []
    for row, first in enumerate(np.searchsorted(starts, box[:, axis + 2] - 1e-6).tolist()):
        at, size = first, _NEAR
        while at < len(order):
            part = slice(at, at + size)
            hits = np.flatnonzero((low[part] < box[row, across + 2]) & (high[part] > box[row, across]))
            hits = hits[order[part][hits] != row]
            if len(hits):
                equal = hits[starts[part][hits] <= starts[part][hits[0]] + 1e-6]
                pairs += [(min(row, at), max(row, at)) for at in order[part][equal].tolist()]
                break
            at, size = at + size, size * 2
    return pairs


def _cluster(box: FloatArray, relations: list[tuple[float, int, int]], threshold: float) -> NDArray[np.int64]:
    cluster = np.arange(len(box))
    extent = dict(enumerate(box))
    neighbours: dict[int, dict[int, tuple[float, int]]] = {member: {} for member in range(len(box))}
    for distance, one, other in relations:
        neighbours[one][other] = neighbours[other][one] = (distance, 1)
    queue = [relation for relation in relations if relation[0] <= threshold]
    heapq.heapify(queue)
    while queue:
        distance, one, other = heapq.heappop(queue)
        pair = neighbours.get(one, {}).get(other)
        if pair is None or pair[0] / pair[1] != distance:
            continue
        joined = _absorbed(box, cluster, extent, one, other)
        if joined is None:
            continue
        for member in joined:
            _join(cluster, extent, neighbours, one, member)
        for member, (total, count) in neighbours[one].items():
            if total / count <= threshold:
                heapq.heappush(queue, (total / count, one, member))
    return cluster


def _absorbed(
    box: FloatArray, cluster: NDArray[np.int64], extent: dict[int, FloatArray], one: int, other: int
) -> list[int] | None:
    """Return the clusters that a cluster absorbs: another, and the single boxes inside; None if it overlaps others."""
    left, top, right, bottom = box.T
    joined = [other]
    corners = _union(extent[one], extent[other])
    while True:
        overlapping = (left < corners[2] - 0.5) & (top < corners[3] - 0.5) & (right > corners[0] + 0.5)
        overlapping &= bottom > corners[1] + 0.5
        overlapping &= cluster != one
        overlapping &= cluster != other
        more = sorted(set(cluster[overlapping].tolist()).difference(joined))
        if not more:
            return joined
        if any((extent[number] != box[number]).any() for number in more):
            return None
        joined += more
        for number in more:
            corners = _union(corners, extent[number])


def _union(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.concatenate([np.minimum(one[:2], other[:2]), np.maximum(one[2:], other[2:])])


def _join(
    cluster: NDArray[np.int64],
    extent: dict[int, FloatArray],
    neighbours: dict[int, dict[int, tuple[float, int]]],
    one: int,
    other: int,
) -> None:
    """Merge one cluster into another; the distance to a neighbour is the mean over the boxes' pairs."""
    cluster[cluster == other] = one
    extent[one] = _union(extent[one], extent.pop(other))
    for number, (total, count) in neighbours.pop(other).items():
        neighbours[number].pop(other, None)
        if number != one:
            before = neighbours[one].get(number, (0.0, 0))
            neighbours[one][number] = neighbours[number][one] = (before[0] + total, before[1] + count)
