"""Polygons and overlapping boxes as rectangles that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...render.arrays import FloatArray

#: Rings, the outer one first, each a list of points ``[x, y]``.
Polygon = list[list[list[float]]]
_Spans = tuple[tuple[float, float], ...]


def rectangles_of(polygons: Sequence[Polygon]) -> FloatArray:
    """Cut polygons into rectangles ``[x, y, width, height]`` that do not overlap.

    Exact where all sides are level or upright; slanted sides become stairs of one pixel.
    """
    rings = [ring for polygon in polygons for ring in polygon]
    heights = {y for ring in rings for _, y in ring}
    for (x, y), (to, until) in (side for ring in rings for side in pairwise(ring)):
        if x != to and y != until:
            low, high = sorted((y, until))
            heights.update(np.arange(np.ceil(low), np.floor(high) + 1).tolist())
    slabs = []
    for top, bottom in pairwise(sorted(heights)):
        middle = (top + bottom) / 2
        slabs.append((top, bottom, _united([span for polygon in polygons for span in _crossed(polygon, middle)])))
    return _merged(slabs)


def disjoint(box: FloatArray) -> FloatArray:
    """Unite boxes ``[x, y, width, height]`` that may overlap to rectangles that do not."""
    if len(box) == 1:
        return box
    left, top, right, bottom = box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
    slabs = []
    for low, high in pairwise(np.unique(np.concatenate([top, bottom])).tolist()):
        there = (top <= low) & (bottom >= high)
        slabs.append((low, high, _united(zip(left[there].tolist(), right[there].tolist(), strict=True))))
    return _merged(slabs)


def _crossed(polygon: Polygon, height: float) -> list[tuple[float, float]]:
    """Return where a level line lies in a polygon: between every two crossings of its sides."""
    crossings = []
    for (x, y), (to, until) in (side for ring in polygon for side in pairwise(ring)):
        if (y < height) != (until < height):
            crossings.append(x + (to - x) * (height - y) / (until - y))
    crossings.sort()
    return list(zip(crossings[::2], crossings[1::2], strict=False))


def _united(spans: Sequence[tuple[float, float]] | zip[tuple[float, float]]) -> _Spans:
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return tuple(found)


def _merged(slabs: Sequence[tuple[float, float, _Spans]]) -> FloatArray:
    """Turn stripes of the page, from top to bottom, into rectangles; alike neighbours are one."""
    joined: list[tuple[float, float, _Spans]] = []
    for top, bottom, spans in slabs:
        if joined and joined[-1][1:] == (top, spans):
            joined[-1] = joined[-1][0], bottom, spans
        else:
            joined.append((top, bottom, spans))
    boxes = [(start, top, end - start, bottom - top) for top, bottom, spans in joined for start, end in spans]
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
