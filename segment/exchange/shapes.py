"""Polygons and overlapping boxes as rectangles that do not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeVar

import numpy as np

from ...errors import SegmentationUnreadable
from ...page.arrays import FloatArray

#: Most pieces of polygons.
MOST_PIECES = 5_000_000
#: Rings, the outer one first, each a list of points ``[x, y]``.
Polygon = list[list[list[float]]]
_Spans = tuple[tuple[float, float], ...]
#: Side of a polygon: number of the polygon, and the two points.
_Side = tuple[int, float, float, float, float]
_Interval = TypeVar("_Interval")


def rectangles_of(polygons: Sequence[Polygon]) -> FloatArray:
    """Return polygons as rectangles ``[x, y, width, height]`` that do not overlap, at most :data:`MOST_PIECES`.

    Exact for axis-parallel sides; slanted sides become stairs of one pixel. The time is linear in the pieces of sides
    between the heights at which sides start or end.
    """
    sides, heights = [], set[float]()
    steps = 0.0
    for number, polygon in enumerate(polygons):
        for (x, y), (x2, y2) in (side for ring in polygon for side in pairwise(ring)):
            heights |= {y, y2}
            if y == y2:
                continue
            low, high = sorted((y, y2))
            sides.append((low, high, (number, x, y, x2, y2)))
            if x != x2:
                steps += high - low
                _check_pieces(steps)
                heights.update(np.arange(np.ceil(low), np.floor(high) + 1).tolist())
    stripes = _sweep(sides, heights)
    return _merge((top, bottom, _unite(_spans_at(crossing, (top + bottom) / 2))) for top, bottom, crossing in stripes)


def disjoint(box: FloatArray) -> FloatArray:
    """Return the union of boxes ``[x, y, width, height]`` as rectangles that do not overlap."""
    if len(box) == 1:
        return box
    left, top, right, bottom = box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
    sides = list(zip(top.tolist(), bottom.tolist(), zip(left.tolist(), right.tolist(), strict=True), strict=True))
    return _merge(
        (low, high, _unite(crossing)) for low, high, crossing in _sweep(sides, {*top.tolist(), *bottom.tolist()})
    )


def _sweep(
    intervals: list[tuple[float, float, _Interval]], heights: set[float]
) -> Iterator[tuple[float, float, list[_Interval]]]:
    """Yield the stripes of the page between heights, from top to bottom, each with the intervals that cross it."""
    intervals.sort(key=lambda interval: interval[0])
    active: dict[int, tuple[float, _Interval]] = {}
    ends: list[tuple[float, int]] = []
    index = pieces = 0
    for top, bottom in pairwise(sorted(heights)):
        while ends and ends[0][0] <= top:
            del active[heappop(ends)[1]]
        while index < len(intervals) and intervals[index][0] <= top:
            if intervals[index][1] > top:
                active[index] = intervals[index][1], intervals[index][2]
                heappush(ends, (intervals[index][1], index))
            index += 1
        pieces += len(active)
        _check_pieces(pieces)
        yield top, bottom, [value for _, value in active.values()]


def _check_pieces(pieces: float) -> None:
    if pieces > MOST_PIECES:
        raise SegmentationUnreadable(f"polygons that would be cut into more than {MOST_PIECES:,} pieces")


def _spans_at(sides: list[_Side], height: float) -> list[tuple[float, float]]:
    """Return the intervals of a horizontal line inside polygons: between every two crossings of the sides of each."""
    crossings = sorted((number, x + (x2 - x) * (height - y) / (y2 - y)) for number, x, y, x2, y2 in sides)
    spans: list[tuple[float, float]] = []
    for _, of_polygon in groupby(crossings, key=itemgetter(0)):
        xs = [crossing for _, crossing in of_polygon]
        spans += zip(xs[::2], xs[1::2], strict=False)
    return spans


def _unite(spans: list[tuple[float, float]]) -> _Spans:
    merged: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return tuple(merged)


def _merge(stripes: Iterable[tuple[float, float, _Spans]]) -> FloatArray:
    """Return stripes of the page, from top to bottom, as rectangles; equal neighbours are joined."""
    joined: list[tuple[float, float, _Spans]] = []
    for top, bottom, spans in stripes:
        if joined and joined[-1][1:] == (top, spans):
            joined[-1] = joined[-1][0], bottom, spans
        else:
            joined.append((top, bottom, spans))
    boxes = [(start, top, end - start, bottom - top) for top, bottom, spans in joined for start, end in spans]
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
