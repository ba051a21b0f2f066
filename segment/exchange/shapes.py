"""Polygons as rectangles that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from ...errors import SegmentationUnreadable
from ...page.arrays import FloatArray

#: Most stripes of a region times its points: the time of the division.
MOST_STEPS = 50_000_000
#: Rings, the outer one first, each a list of points ``[x, y]``.
Polygon = list[list[list[float]]]


def boxes_of(box: FloatArray) -> NDArray[np.object_]:
    """Return boxes ``[x, y, width, height]`` as polygons, object (boxes,)."""
    shapes: NDArray[np.object_] = shapely.box(*box[:, :2].T, *(box[:, :2] + box[:, 2:]).T)
    return shapes


def region_of(polygons: Sequence[Polygon]) -> shapely.Geometry:
    """Return the union of polygons; a ring of fewer than three points has no area."""
    shapes = [shapely.Polygon(rings[0], rings[1:]) for rings in polygons if rings and min(map(len, rings)) > 2]
    return shapely.union_all(shapely.make_valid(shapes))


def rectangles_of(region: shapely.Geometry) -> FloatArray:
    """Return a region as rectangles ``[x, y, width, height]`` that do not overlap, float64 (rectangles, 4).

    Exact for axis-parallel sides; slanted sides become stairs of one pixel. Raises SegmentationUnreadable if it takes
    more than :data:`MOST_STEPS`.
    """
    points, ring = shapely.get_coordinates(shapely.get_rings(shapely.get_parts(region)), return_index=True)
    heights = [np.unique(points[:, 1])]
    slanted = ((np.diff(points, axis=0) != 0).all(axis=1) & (ring[1:] == ring[:-1])).any()
    reach = float(np.ptp(points[:, 1])) if slanted else 0.0
    if (len(heights[0]) + reach) * len(points) > MOST_STEPS:
        raise SegmentationUnreadable(f"a polygon whose division takes more than {MOST_STEPS:,} steps")
    if slanted:
        heights.append(np.arange(np.ceil(points[:, 1].min()), points[:, 1].max()))
    edges = np.unique(np.concatenate(heights))
    if len(edges) < 2:
        return np.zeros((0, 4))
    left, _, right, _ = shapely.bounds(region)
    middle = (edges[1:] + edges[:-1]) / 2
    ends = np.stack([np.full_like(middle, left), middle, np.full_like(middle, right), middle], axis=1)
    cuts = shapely.intersection(region, shapely.linestrings(ends.reshape(-1, 2, 2)))
    parts, stripe = shapely.get_parts(cuts, return_index=True)
    starts, _, stops, _ = shapely.bounds(parts).T
    box = np.stack([starts, edges[stripe], stops - starts, np.diff(edges)[stripe]], axis=1)
    return np.asarray(box[box[:, 2] > 0], dtype=np.float64)
