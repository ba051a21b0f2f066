"""Polygons of blocks, united from their pieces of lines.

A union of many rectangles is slow, and most of it can be avoided: pieces directly below one another form stacks, whose
outline is computed directly, and stacks separated by white space cannot touch.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from .lines import running_maximum

#: Coordinates of a rectangle: four corners, the first repeated.
RECTANGLE = 5


def outline_polygons(corners: FloatArray, line: IntColumn, owner: IntColumn, count: int) -> NDArray[np.object_]:
    """Return the union of the pieces of each block as shapely polygon or multipolygon, object (count,).

    ``corners`` are ``[left, top, right, bottom]`` of pieces in the order of their lines; ``line`` and ``owner`` the
    line and the block of each. A block without pieces has an empty polygon.
    """
    shapes: NDArray[np.object_] = np.full(count, shapely.Polygon(), dtype=object)
    if not len(owner):
        return shapes
    stack = _stacks(corners, line, owner)
    polygons, block = _staircases(corners, stack), owner[np.unique(stack, return_index=True)[1]]
    united, block = _unite(polygons, block)
    parts, part_of = shapely.get_parts(united, return_index=True)
    number = np.bincount(block[part_of], minlength=count)
    sole = number[block[part_of]] == 1
    shapes[block[part_of][sole]] = parts[sole]
    several, group = np.unique(block[part_of][~sole], return_inverse=True)
    order = np.argsort(group, kind="stable")
    shapes[several] = shapely.multipolygons(parts[~sole][order], indices=group[order])
    return shapes


def _unite(polygons: NDArray[np.object_], block: IntColumn) -> tuple[NDArray[np.object_], IntColumn]:
    """Return the unions of each block's polygons that no white space separates, and the block of each."""
    left, top, right, bottom = shapely.bounds(polygons).T
    group = _connect(left, right, _connect(top, bottom, block))
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    united = polygons[order[starts]]
    ends = np.append(starts[1:], len(order))
    several = np.flatnonzero(ends - starts > 1)
    for index in several.tolist():
        united[index] = shapely.union_all(polygons[order[starts[index] : ends[index]]])
    # Remove collinear corners: they are no vertices of the outline.
    united[several] = shapely.simplify(united[several], 0)
    return united, block[order[starts]]


def _connect(low: FloatArray, high: FloatArray, group: IntColumn | NDArray[np.int64]) -> NDArray[np.int64]:
    order = np.lexsort((low, group))
    starts = np.ones(len(order), dtype=bool)
    reach = running_maximum(high[order], np.unique(group[order], return_inverse=True)[1])
    starts[1:] = (group[order][1:] != group[order][:-1]) | (low[order][1:] > reach[:-1])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(starts) - 1
    return number


def _stacks(corners: FloatArray, line: IntColumn, owner: IntColumn) -> NDArray[np.int64]:
    """Number the stacks of pieces: the k-th piece of a line continues the k-th piece of the line above if they touch.

    Only lines with the same number of pieces are stacked, so that a stack never branches.
    """
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    size = np.diff(np.append(starts, len(line)))
    index = np.arange(len(line)) - np.repeat(starts, size)
    equal = np.zeros(len(starts), dtype=bool)
    equal[1:] = (size[1:] == size[:-1]) & (owner[starts[1:]] == owner[starts[:-1]])
    rows = np.flatnonzero(np.repeat(equal, size))
    above = (np.repeat(np.append(0, starts[:-1]), size) + index)[rows]
    touching = (
        (corners[above, 3] == corners[rows, 1])
        & (corners[above, 0] < corners[rows, 2])
        & (corners[rows, 0] < corners[above, 2])
    )
    stack = np.arange(len(line))
    for row, upper in zip(rows[touching].tolist(), above[touching].tolist(), strict=True):
        stack[row] = stack[upper]
    return stack


def _staircases(corners: FloatArray, stack: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return each stack as one polygon: down its right sides, up its left sides; without collinear corners."""
    numbers, group = np.unique(stack, return_inverse=True)
    order = np.argsort(group, kind="stable")
    left, top, right, bottom = corners[order].T
    down = np.stack([right, top, right, bottom], axis=1).reshape(-1, 2)
    up = np.stack([left, bottom, left, top], axis=1).reshape(-1, 2)
    corner = np.concatenate([_corners_of_side(right, group[order]), _corners_of_side(left, group[order])[:, ::-1]])
    kept = np.flatnonzero(corner.ravel())
    side = np.repeat(group[order], 2)
    ring = np.concatenate([side, side])[kept]
    # The points of the left sides are in descending order.
    rank = np.concatenate([np.arange(len(down)), 3 * len(down) - np.arange(len(up)).reshape(-1, 2)[:, ::-1].ravel()])
    sorting = np.lexsort((rank[kept], ring))
    points = np.concatenate([down, up])[kept][sorting]
    return np.asarray(shapely.polygons(shapely.linearrings(points, indices=ring[sorting])))[: len(numbers)]


def _corners_of_side(edge: FloatArray, group: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether the top and the bottom of one side of each piece are corners of its stack, bool (pieces, 2)."""
    straight = (edge[1:] == edge[:-1]) & (group[1:] == group[:-1])
    corner = np.ones((len(edge), 2), dtype=bool)
    corner[1:, 0] = corner[:-1, 1] = ~straight
    return corner
