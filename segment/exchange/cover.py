"""What boxes hold: how much of each a region covers, and the last one around each point; in few steps for many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, IntColumn


def covered_area(box: FloatArray, region: FloatArray) -> FloatArray:
    """Return the area of each box that a region covers.

    Parameters
    ----------
    box : float64 (boxes, 4)
        ``[x, y, width, height]``.
    region : float64 (rectangles, 4)
        Rectangles of the same form that do not overlap.

    Returns
    -------
    float64 (boxes,)
        Exact where the coordinates are whole numbers, else but for rounding.
    """
    if not len(box) or not len(region):
        return np.zeros(len(box))
    # Small numbers lose little when they are multiplied and added up.
    middle = np.concatenate([region[:, :2].mean(axis=0).round(), [0.0, 0.0]])
    corners, signs = _corners(region - middle)
    places, added = _corners(box - middle)
    area = _area_before(places, corners, signs) * added
    whole: FloatArray = area.reshape(4, -1).sum(axis=0)
    return whole


def _corners(box: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the four corners of boxes, one kind after the other, and with which sign each counts in an area."""
    left, top, right, bottom = box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
    corners = np.stack([np.concatenate([left, right, left, right]), np.concatenate([top, top, bottom, bottom])], axis=1)
    return corners, np.repeat([1.0, -1.0, -1.0, 1.0], len(box))


def _area_before(places: FloatArray, corners: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the area of a region to the left of and above some places.

    A rectangle is the quarter of the plane that begins in its first corner, without those that begin in the second and
    third, and with that of the last; of a quarter from (a, b), (x - a)(y - b) lies before (x, y).
    """
    across, down = corners.T
    weights = np.stack([signs, signs * across, signs * down, signs * across * down], axis=1)
    one, a, b, ab = _sums_before(places, corners, weights).T
    x, y = places.T
    area: FloatArray = x * y * one - y * a - x * b + ab
    return area


def _sums_before(places: FloatArray, points: FloatArray, weights: FloatArray) -> FloatArray:
    """float64 (places, columns): the sum of the weights of the points to the left of and above each place.

    Points are sorted from left to right, and parted by the digits of their rank from above, the first digit first
    (Claude, Navarro & Ordonez 2015, "The wavelet matrix").
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
        before, held = _before(low), np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights * low[:, None], axis=0)])
        more = (above >> digit & 1) == 1
        sums += np.where(more[:, None], held[last] - held[first], 0.0)
        zeros = before[-1]
        first = np.where(more, zeros + first - before[first], before[first])
        last = np.where(more, zeros + last - before[last], before[last])
        parted = np.argsort(~low, kind="stable")
        rank, weights = rank[parted], weights[parted]
    return sums


def _before(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the marked entries before each place."""
    return np.append(0, np.cumsum(marked))


def last_containing(box: FloatArray, point: FloatArray) -> IntColumn:
    """Return the last box around each point.

    The last boxes are looked at first, each only along the narrower of its two ranges, and points that have been found
    in one are put aside: those are few steps where boxes lie in one another.

    Parameters
    ----------
    box : float64 (boxes, 4)
        ``[x, y, width, height]``; the sides belong to it.
    point : float64 (points, 2)

    Returns
    -------
    int32 (points,)
        -1 for those in no box.
    """
    found = np.full(len(point), -1, dtype=np.int32)
    open_points = _Sorted(point, np.arange(len(point)))
    for row in reversed(range(len(box))):
        low, high = box[row, :2], box[row, :2] + box[row, 2:]
        inside = open_points.between(low, high)
        inside = inside[found[inside] < 0]
        found[inside] = row
        open_points.gone += len(inside)
        if open_points.gone * 2 > len(open_points.row):
            open_points = _Sorted(point, np.flatnonzero(found < 0))
            if not len(open_points.row):
                break
    return found


class _Sorted:
    """Points sorted along both axes."""

    def __init__(self, point: FloatArray, row: NDArray[np.int64]) -> None:
        self.point, self.row, self.gone = point, row, 0
        self.order = [row[np.argsort(point[row, axis], kind="stable")] for axis in (0, 1)]
        self.place = [point[order, axis] for axis, order in enumerate(self.order)]

    def between(self, low: FloatArray, high: FloatArray) -> NDArray[np.int64]:
        """Return the points between two corners."""
        ranges = [
            (int(np.searchsorted(place, low[axis])), int(np.searchsorted(place, high[axis], side="right")))
            for axis, place in enumerate(self.place)
        ]
        axis = min((0, 1), key=lambda one: ranges[one][1] - ranges[one][0])
        near = self.order[axis][slice(*ranges[axis])]
        other = self.point[near, 1 - axis]
        found: NDArray[np.int64] = near[(other >= low[1 - axis]) & (other <= high[1 - axis])]
        return found
