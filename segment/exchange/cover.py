"""Areas of boxes that a region covers, and the last box around each point, in few vectorised steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, IntColumn


def covered_area(box: FloatArray, region: FloatArray) -> FloatArray:
    """Return the area of each box that a region covers, float64 (boxes,).

    ``box`` and ``region`` are rectangles ``[x, y, width, height]``; those of the region do not overlap. Exact for
    integer coordinates, otherwise up to rounding.
    """
    if not len(box) or not len(region):
        return np.zeros(len(box))
    # Small coordinates lose little precision when they are multiplied and summed.
    center = np.concatenate([region[:, :2].mean(axis=0).round(), [0.0, 0.0]])
    corners, signs = _corners(region - center)
    points, point_signs = _corners(box - center)
    area = _area_before(points, corners, signs) * point_signs
    whole: FloatArray = area.reshape(4, -1).sum(axis=0)
    return whole


def _corners(box: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the four corners of boxes, one kind after the other, and the sign of each in an area."""
    left, top, right, bottom = box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
    corners = np.stack([np.concatenate([left, right, left, right]), np.concatenate([top, top, bottom, bottom])], axis=1)
    return corners, np.repeat([1.0, -1.0, -1.0, 1.0], len(box))


def _area_before(points: FloatArray, corners: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the area of a region to the left of and above some points: a sum over the quadrants of its corners."""
    across, down = corners.T
    weights = np.stack([signs, signs * across, signs * down, signs * across * down], axis=1)
    one, a, b, ab = _sums_before(points, corners, weights).T
    x, y = points.T
    area: FloatArray = x * y * one - y * a - x * b + ab
    return area


def _sums_before(places: FloatArray, points: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the sums of the weights of the points to the left of and above each place, float64 (places, columns).

    Points are sorted from left to right, and partitioned by the binary digits of their rank from above, the highest
    first (Claude, Navarro & Ordonez 2015, "The wavelet matrix").
    """
    order = np.argsort(points[:, 0], kind="stable")
    rank = np.argsort(np.argsort(points[order, 1], kind="stable"))
    weights = weights[order]
    first = np.zeros(len(places), dtype=np.int64)
    last = np.searchsorted(points[order, 0], places[:, 0], side="right")
    above = np.searchsorted(np.sort(points[:, 1]), places[:, 1], side="right")
    sums = np.zeros((len(places), weights.shape[1]))
    for digit in reversed(range(len(points).bit_length())):
        low = (rank >> digit & 1) == 0
        before, sums_of_zeros = (
            _before(low),
            np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights * low[:, None], axis=0)]),
        )
        is_one = (above >> digit & 1) == 1
        sums += np.where(is_one[:, None], sums_of_zeros[last] - sums_of_zeros[first], 0.0)
        zeros = before[-1]
        first = np.where(is_one, zeros + first - before[first], before[first])
        last = np.where(is_one, zeros + last - before[last], before[last])
        order_by_digit = np.argsort(~low, kind="stable")
        rank, weights = rank[order_by_digit], weights[order_by_digit]
    return sums


def _before(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.append(0, np.cumsum(marked))


def last_containing(box: FloatArray, point: FloatArray) -> IntColumn:
    """Return the last box ``[x, y, width, height]`` around each point, sides included, int32 (points,), -1 for none."""
    # The last boxes are tested first, each along its narrower range; few steps for nested boxes.
    containing = np.full(len(point), -1, dtype=np.int32)
    open_points = _Sorted(point, np.arange(len(point)))
    for row in reversed(range(len(box))):
        low, high = box[row, :2], box[row, :2] + box[row, 2:]
        inside = open_points.between(low, high)
        inside = inside[containing[inside] < 0]
        containing[inside] = row
        open_points.gone += len(inside)
        if open_points.gone * 2 > len(open_points.row):
            open_points = _Sorted(point, np.flatnonzero(containing < 0))
            if not len(open_points.row):
                break
    return containing


class _Sorted:
    def __init__(self, point: FloatArray, row: NDArray[np.int64]) -> None:
        self.point, self.row, self.gone = point, row, 0
        self.order = [row[np.argsort(point[row, axis], kind="stable")] for axis in (0, 1)]
        self.place = [point[order, axis] for axis, order in enumerate(self.order)]

    def between(self, low: FloatArray, high: FloatArray) -> NDArray[np.int64]:
        ranges = [
            (int(np.searchsorted(place, low[axis])), int(np.searchsorted(place, high[axis], side="right")))
            for axis, place in enumerate(self.place)
        ]
        axis = min((0, 1), key=lambda candidate: ranges[candidate][1] - ranges[candidate][0])
        near = self.order[axis][slice(*ranges[axis])]
        other = self.point[near, 1 - axis]
        inside: NDArray[np.int64] = near[(other >= low[1 - axis]) & (other <= high[1 - axis])]
        return inside
