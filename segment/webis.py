"""Segmentations in the JSON of Webis: named multipolygons over the pixels of a screenshot.

Format of Webis-WebSeg-20 and of its tools (Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020): an object with
``id``, ``height``, ``width`` and ``segmentations``; each of those is a list of segments, a segment a list of polygons,
a polygon a list of rings (holes after the outer one), a ring a list of points, the first repeated at the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import shapely
from numpy.typing import NDArray

from ..errors import SegmentationUnreadable
from ..page.arrays import FloatArray
from ..page.page import Page
from .blocks import Blocks
from .segments import Segments, clip_segments, segments_of

#: Least share of a node's box in its segment (theta_c, section 4.3 of the paper).
CONTAINED = 0.75
#: Tolerance of shares for rounding.
ROUNDED = 1e-6
#: Most points of a file, the largest coordinate, and most nodes in all segments together.
_MOST_POINTS, _LARGEST, MOST_NODES = 1_000_000, 1e7, 5_000_000
#: Most stripes of a region times its points: the time of the division.
MOST_STEPS = 50_000_000
#: Rings, the outer one first, each a list of points ``[x, y]``.
Polygon = list[list[list[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebisFile:
    """Segmentations of one page."""

    identity: str  # the page's name in its collection
    size: tuple[float, float]  # width and height of the screenshot in pixels
    segmentations: Mapping[str, list[list[Polygon]]]  # segments of each, and polygons of each segment

    def segments(self, name: str) -> Segments:
        """Return one segmentation as regions of the page."""
        if name not in self.segmentations:
            raise SegmentationUnreadable(f"no segmentation {name!r} in it; there are {', '.join(self.segmentations)}")
        return _to_segments([rectangles_of(region_of(polygons)) for polygons in self.segmentations[name]])


def read_webis(written: bytes) -> WebisFile:
    """Return the segmentations of a Webis file; raise SegmentationUnreadable if it is invalid."""
    try:
        data = orjson.loads(written)
    except orjson.JSONDecodeError as error:
        raise SegmentationUnreadable(f"no JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("segmentations"), dict):
        raise SegmentationUnreadable('no segmentations of Webis: an object with "segmentations" is needed')
    segmentations = {
        str(name): [_checked_segment(name, segment) for segment in _checked_list(name, segments)]
        for name, segments in data["segmentations"].items()
    }
    polygons = (shape for segments in segmentations.values() for segment in segments for shape in segment)
    if sum(len(ring) for shape in polygons for ring in shape) > _MOST_POINTS:
        raise SegmentationUnreadable(f"more than {_MOST_POINTS:,} points")
    size = tuple(float(data[name]) if isinstance(data.get(name), (int, float)) else 0.0 for name in ("width", "height"))
    return WebisFile(identity=str(data.get("id", "")), size=(size[0], size[1]), segmentations=segmentations)


def fit_to_nodes(page: Page, segments: Segments, *, share: float = CONTAINED) -> Segments:
    """Return segments fitted to the nodes of a page: each is the union of the nodes inside it (section 4.3).

    A node is inside if at least ``share`` of its area is. Segments without nodes are removed, and duplicates.
    """
    if page.geometry is None:
        raise ValueError("nodes have no position on a page without geometry: render it with Browser().open(...)")
    box = page.geometry.box.astype(np.float64)
    rows = np.flatnonzero((box[:, 2] > 0) & (box[:, 3] > 0))
    shapes = boxes_of(box[rows])
    tree, fitted, count = shapely.STRtree(shapes), dict[bytes, FloatArray](), 0
    for number in range(segments.count):
        region = shapely.union_all(boxes_of(segments.box[segments.segment == number]))
        near = np.sort(tree.query(region, predicate="intersects"))
        covered = shapely.area(shapely.intersection(shapes[near], region))
        inside = near[covered >= (share - ROUNDED) * shapely.area(shapes[near])]
        count += len(inside)
        if count > MOST_NODES:
            raise SegmentationUnreadable(f"segments that hold more than {MOST_NODES:,} nodes")
        outer = _outermost(page, rows[inside], box[rows[inside]])
        if len(outer):
            fitted.setdefault(outer.tobytes(), rectangles_of(shapely.union_all(boxes_of(outer))))
    return _to_segments(list(fitted.values()))


def boxes_of(box: FloatArray) -> NDArray[np.object_]:
    """Return boxes ``[x, y, width, height]`` as polygons, object (boxes,)."""
    return np.asarray(shapely.box(*box[:, :2].T, *(box[:, :2] + box[:, 2:]).T), dtype=object)


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


def to_webis(page: Page, segmentations: Mapping[str, Blocks | Segments], *, identity: str = "") -> bytes:
    """Return the leaf blocks of segmentations as Webis JSON, clipped to the page; ``identity``: by default its URL."""
    if page.geometry is None:
        raise ValueError("blocks have no position on a page without geometry: render it with Browser().open(...)")
    size = page.geometry.size
    regions = {name: it if isinstance(it, Segments) else segments_of(it) for name, it in segmentations.items()}
    data = {
        "id": identity or page.url,
        "height": math.ceil(size[1]),
        "width": math.ceil(size[0]),
        "segmentations": {name: _multipolygons(clip_segments(region, size)) for name, region in regions.items()},
    }
    return orjson.dumps(data)


def _multipolygons(segments: Segments) -> list[list[Polygon]]:
    polygons_of: list[list[Polygon]] = [[] for _ in range(segments.count)]
    for number, (x, y, width, height) in zip(segments.segment.tolist(), segments.box.round(2).tolist(), strict=True):
        if width > 0 and height > 0:
            right, bottom = round(x + width, 2), round(y + height, 2)
            polygons_of[number].append([[[x, y], [x, bottom], [right, bottom], [right, y], [x, y]]])
    return [polygons for polygons in polygons_of if polygons]


def _checked_list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise SegmentationUnreadable(f"{name!r} is no list of segments")
    return value


def _checked_segment(name: str, value: Any) -> list[Polygon]:
    return [
        [[_checked_point(name, point) for point in _checked_list(name, ring)] for ring in _checked_list(name, rings)]
        for rings in _checked_list(name, value)
    ]


def _checked_point(name: str, value: Any) -> list[float]:
    match value:
        case [int() | float() as x, int() | float() as y] if abs(x) <= _LARGEST and abs(y) <= _LARGEST:
            return [float(x), float(y)]
    raise SegmentationUnreadable(f"{name!r}: {str(value)[:60]} is no point [x, y] of a polygon of a segment")


def _to_segments(regions: list[FloatArray]) -> Segments:
    number = np.repeat(np.arange(len(regions), dtype=np.int32), [len(region) for region in regions])
    return Segments(box=np.concatenate([np.zeros((0, 4)), *regions]), segment=number)


def _outermost(page: Page, rows: np.ndarray, box: FloatArray) -> FloatArray:
    """Return the boxes that are not inside that of their parent, if that is among them."""
    corners = np.full((len(page) + 1, 4), np.nan)
    corners[rows] = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
    own, above = corners[rows], corners[page.parent[rows]]
    inside = ((own[:, :2] >= above[:, :2]) & (own[:, 2:] <= above[:, 2:])).all(axis=1)
    outer: FloatArray = box[~inside]
    return outer
