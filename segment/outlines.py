"""Outlines of blocks: the region of a block's lines, and measures of its shape.

FIASCO (Bauer et al., WAC3 2007) takes three "solidities" from the outline of a block's minimal bounding region, KrdWrd
(Steger & Stemle, WAC5 2009) eight numbers from its line boxes. The papers give no formulas for the solidities: these
are ours, after their descriptions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from .blocks import bounding_corners, lines_of
from .lines import COLUMN_GAP, flow_lines, running_maximum

#: KrdWrd's eight: number of line boxes; position, size and area of their bounding box in CSS pixels; sum of the line
#: boxes' heights over its height; sum of their areas over its area.
KRDWRD = ("boxes", "left", "top", "width", "height", "area", "heights_share", "areas_share")

#: White space between lines up to this many line heights is part of the outline.
LINE_GAP = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlines:
    """Shape of each block; NaN for a block without a rendered line (``lines`` is 0 there)."""

    lines: FloatArray  # (blocks,): rendered lines (pieces of one line count once)
    solidity1: FloatArray  # (blocks,): rectangularity: area of the outline over area of its bounding box, 0 to 1
    solidity2: FloatArray  # (blocks,): vertices of the outline; a rectangle has 4
    #: (blocks,): mean distance of the vertices from the centroid over half the diagonal of the bounding box, above 0
    #: and below 2; a rectangle has 1
    solidity3: FloatArray
    convexity: FloatArray  # (blocks,): area of the outline over area of its convex hull, 0 to 1
    krdwrd: FloatArray  # (blocks, 8): one column for each name in :data:`KRDWRD`


def outline_measures(page: Page, leaf_block: IntColumn, count: int) -> Outlines:
    """Return the outline measures of ``count`` blocks, given the block of each text leaf (-1 for none)."""
    import shapely

    line_boxes, block = lines_of(page, leaf_block)
    boxes = line_boxes.astype(np.float64)
    line, corners, owner = line_pieces(boxes, block)
    lines = np.bincount(np.unique(np.stack([block, line]), axis=1)[0], minlength=count) if len(block) else None
    shapes = outline_polygons(corners, owner, count)
    not_empty = ~shapely.is_empty(shapes)
    bounds = shapely.bounds(shapes)
    size = bounds[:, 2:] - bounds[:, :2]
    area = shapely.area(shapes)
    hull = shapely.area(shapely.convex_hull(shapes))
    vertices, distance = _vertices(shapes)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Outlines(
            lines=np.zeros(count) if lines is None else lines.astype(np.float64),
            solidity1=area / np.where(not_empty, size[:, 0] * size[:, 1], np.nan),
            solidity2=np.where(not_empty, vertices, np.nan),
            solidity3=distance / (np.hypot(size[:, 0], size[:, 1]) / 2),
            convexity=area / np.where(not_empty, hull, np.nan),
            krdwrd=_krdwrd(boxes, block, count),
        )


def outline_polygons(corners: FloatArray, owner: IntColumn, count: int) -> NDArray[np.object_]:
    """Return the union of the pieces of each block as shapely polygon or multipolygon, object (count,).

    ``corners`` are ``[left, top, right, bottom]`` of pieces, ``owner`` the block of each. A block without pieces has an
    empty polygon.
    """
    import shapely

    shapes: NDArray[np.object_] = np.full(count, shapely.Polygon(), dtype=object)
    order = np.argsort(owner, kind="stable")
    pieces, number = np.asarray(shapely.box(*corners[order].T)), np.bincount(owner, minlength=count)
    ends = np.cumsum(number)
    sole, several = (number == 1).nonzero()[0], (number > 1).nonzero()[0]
    shapes[sole] = pieces[ends[sole] - 1]
    for block in several.tolist():
        shapes[block] = shapely.union_all(pieces[ends[block] - number[block] : ends[block]])
    # Collinear corners are no vertices of the outline.
    shapes[several] = shapely.simplify(shapes[several], 0)
    return shapes


def line_pieces(boxes: FloatArray, block: IntColumn) -> tuple[IntColumn, FloatArray, IntColumn]:
    """Join line boxes on one line, and close the white space between lines.

    Boxes are ``[x, y, width, height]`` in document order. Returns the line of each box over all blocks in flow order;
    the corners ``[left, top, right, bottom]`` of each joined piece, extended to the next line of its block; and the
    block of each piece.
    """
    line = flow_lines(boxes, block)
    order = np.lexsort((boxes[:, 0], line))
    left, top = boxes[order, 0], boxes[order, 1]
    right, bottom = left + boxes[order, 2], top + boxes[order, 3]
    starts = np.ones(len(order), dtype=bool)
    if len(order):
        reach = running_maximum(right, line[order])
        starts[1:] = (np.diff(line[order]) != 0) | (left[1:] - reach[:-1] > COLUMN_GAP * boxes[order, 3][1:])
    first = np.flatnonzero(starts)
    if not len(first):
        return line, np.zeros((0, 4)), line
    corners = np.stack(
        [
            np.minimum.reduceat(left, first),
            np.minimum.reduceat(top, first),
            np.maximum.reduceat(right, first),
            np.maximum.reduceat(bottom, first),
        ],
        axis=1,
    )
    piece_line, owner = line[order][first], block[order][first]
    return line, _close_gaps(corners, piece_line, owner), owner


def _close_gaps(corners: FloatArray, line: IntColumn, owner: IntColumn) -> FloatArray:
    """Extend or shorten each piece to the top of the next line of its block, if that is near."""
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    line_top = np.minimum.reduceat(corners[:, 1], starts)
    line_owner = owner[starts]
    next_top = np.full(len(starts), np.inf)
    next_top[:-1] = np.where(line_owner[1:] == line_owner[:-1], line_top[1:], np.inf)
    below = np.repeat(next_top, np.diff(np.append(starts, len(line))))
    height = corners[:, 3] - corners[:, 1]
    near = (below > corners[:, 1]) & (below - corners[:, 3] <= LINE_GAP * height)
    closed = corners.copy()
    closed[near, 3] = below[near]
    return closed


def _vertices(shapes: NDArray[np.object_]) -> tuple[FloatArray, FloatArray]:
    import shapely

    count = len(shapes)
    parts, owner = shapely.get_parts(shapes, return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    # A ring repeats its first point at its end.
    last = np.append(ring[1:] != ring[:-1], True) if len(ring) else np.zeros(0, dtype=bool)
    points, shape = points[~last], owner[part[ring[~last]]]
    center = shapely.get_coordinates(shapely.centroid(shapes[np.unique(shape)])) if len(shape) else np.zeros((0, 2))
    index = np.searchsorted(np.unique(shape), shape)
    distance = np.hypot(*(points - center[index]).T) if len(shape) else np.zeros(0)
    number = np.bincount(shape, minlength=count).astype(np.float64)
    total = np.bincount(shape, weights=distance, minlength=count)
    return number, np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _krdwrd(boxes: FloatArray, block: IntColumn, count: int) -> FloatArray:
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
    bounds = bounding_corners(corners, block, count)
    number = np.bincount(block, minlength=count).astype(np.float64)
    heights = np.bincount(block, weights=boxes[:, 3], minlength=count)
    areas = np.bincount(block, weights=boxes[:, 2] * boxes[:, 3], minlength=count)
    rendered = number > 0
    measures = np.full((count, 8), np.nan)
    low, size = bounds[rendered, :2], bounds[rendered, 2:] - bounds[rendered, :2]
    area = size[:, 0] * size[:, 1]
    measures[rendered] = np.stack(
        [number[rendered], *low.T, *size.T, area, heights[rendered] / size[:, 1], areas[rendered] / area],
        axis=1,
    )
    return measures
