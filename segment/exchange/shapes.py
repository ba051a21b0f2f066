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

#: Pieces into which polygons are cut at most.
MOST_PIECES = 5_000_000
#: Rings, the outer one first, each a list of points ``[x, y]``.
Polygon = list[list[list[float]]]
_Spans = tuple[tuple[float, float], ...]
#: A side of a polygon: the number of the polygon, and the two points.
_Side = tuple[int, float, float, float, float]
_Interval = TypeVar("_Interval")


def rectangles_of(polygons: Sequence[Polygon]) -> FloatArray:
    """Cut polygons into rectangles ``[x, y, width, height]`` that do not overlap.

    Exact where all sides are level or upright; slanted sides become stairs of one pixel. What is done grows with the
    pieces of sides between the heights at which a side begins or ends.

    Raises
    ------
    SegmentationUnreadable
        When there are more than :data:`MOST_PIECES` of these.
    """
    sides, heights = [], set[float]()
    steps = 0.0
    for number, polygon in enumerate(polygons):
        for (x, y), (to, until) in (side for ring in polygon for side in pairwise(ring)):
            heights |= {y, until}
            if y == until:
                continue
            low, high = sorted((y, until))
            sides.append((low, high, (number, x, y, to, until)))
            if x != to:
                steps += high - low
                _bounded(steps)
                heights.update(np.arange(np.ceil(low), np.floor(high) + 1).tolist())
    stripes = _swept(sides, heights)
    return _merged((top, bottom, _united(_crossed(there, (top + bottom) / 2))) for top, bottom, there in stripes)


def disjoint(box: FloatArray) -> FloatArray:
    """Unite boxes ``[x, y, width, height]`` that may overlap to rectangles that do not.

    Raises
    ------
    SegmentationUnreadable
        When they would be cut into more than :data:`MOST_PIECES`.
    """
    if len(box) == 1:
        return box
    left, top, right, bottom = box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
    sides = list(zip(top.tolist(), bottom.tolist(), zip(left.tolist(), right.tolist(), strict=True), strict=True))
    return _merged((low, high, _united(there)) for low, high, there in _swept(sides, {*top.tolist(), *bottom.tolist()}))


def _swept(
    things: list[tuple[float, float, _Interval]], heights: set[float]
) -> Iterator[tuple[float, float, list[_Interval]]]:
    """Yield the stripes of the page between heights, from top to bottom, each with the things that cross it."""
    things.sort(key=lambda one: one[0])
    there: dict[int, tuple[float, _Interval]] = {}
    ending: list[tuple[float, int]] = []
    first = done = 0
    for top, bottom in pairwise(sorted(heights)):
        while ending and ending[0][0] <= top:
            del there[heappop(ending)[1]]
        while first < len(things) and things[first][0] <= top:
            if things[first][1] > top:
                there[first] = things[first][1], things[first][2]
                heappush(ending, (things[first][1], first))
            first += 1
        done += len(there)
        _bounded(done)
        yield top, bottom, [thing for _, thing in there.values()]


def _bounded(pieces: float) -> None:
    if pieces > MOST_PIECES:
        raise SegmentationUnreadable(f"polygons that would be cut into more than {MOST_PIECES:,} pieces")


def _crossed(sides: list[_Side], height: float) -> list[tuple[float, float]]:
    """Return where a level line lies in polygons: between every two crossings of the sides of each."""
    crossings = sorted((number, x + (to - x) * (height - y) / (until - y)) for number, x, y, to, until in sides)
    spans: list[tuple[float, float]] = []
    for _, own in groupby(crossings, key=itemgetter(0)):
        places = [place for _, place in own]
        spans += zip(places[::2], places[1::2], strict=False)
    return spans


def _united(spans: list[tuple[float, float]]) -> _Spans:
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return tuple(found)


def _merged(slabs: Iterable[tuple[float, float, _Spans]]) -> FloatArray:
    """Turn stripes of the page, from top to bottom, into rectangles; alike neighbours are one."""
    joined: list[tuple[float, float, _Spans]] = []
    for top, bottom, spans in slabs:
        if joined and joined[-1][1:] == (top, spans):
            joined[-1] = joined[-1][0], bottom, spans
        else:
            joined.append((top, bottom, spans))
    boxes = [(start, top, end - start, bottom - top) for top, bottom, spans in joined for start, end in spans]
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
