"""Segmentations in the JSON of Webis: named multipolygons over the pixels of a screenshot.

Format of Webis-WebSeg-20 and of its tools (Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020): an object with
``id``, ``height``, ``width`` and ``segmentations``; each of those is a list of segments, a segment a list of polygons,
a polygon a list of rings (holes after the outer one), a ring a list of points, the first repeated at the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ...errors import SegmentationUnreadable
from ...page.arrays import FloatArray
from ...page.page import Page
from ..blocks import Blocks
from ..segments import Segments, clip_segments, segments_of
from .cover import covered_area
from .shapes import MOST_PIECES, Polygon, disjoint, rectangles_of

#: Least share of a node's box in its segment (theta_c, section 4.3 of the paper).
CONTAINED, HALF = 0.75, 0.5
#: Tolerance of shares for rounding.
ROUNDED = 1e-6
#: Most points of a file, and the largest coordinate.
_MOST_POINTS, _LARGEST = 1_000_000, 1e7


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
        return _to_segments([rectangles_of(polygons) for polygons in self.segmentations[name]])


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
    rows = rows[np.argsort(_middle(box[rows])[:, 1], kind="stable")]
    box, fitted_before, fitted, count = box[rows], set[bytes](), list[FloatArray](), 0
    for region in filter(len, _regions(segments)):
        candidates = _candidates(box, region) if share > HALF else np.arange(len(box))
        inside = candidates[
            covered_area(box[candidates], region) >= (share - ROUNDED) * box[candidates, 2] * box[candidates, 3]
        ]
        count += len(inside)
        if count > MOST_PIECES:
            raise SegmentationUnreadable(f"segments that hold more than {MOST_PIECES:,} nodes")
        inside = inside[np.argsort(rows[inside])]
        united = disjoint(_outermost(page, rows[inside], box[inside]))
        if len(united) and united.tobytes() not in fitted_before:
            fitted_before.add(united.tobytes())
            fitted.append(united)
    return _to_segments(fitted)


def _regions(segments: Segments) -> list[FloatArray]:
    order = np.argsort(segments.segment, kind="stable")
    ends = np.searchsorted(segments.segment[order], np.arange(segments.count), side="right")
    return np.split(segments.box[order], ends[:-1]) if segments.count else []


def _middle(box: FloatArray) -> FloatArray:
    return box[:, :2] + box[:, 2:] / 2


def _candidates(box: FloatArray, region: FloatArray) -> NDArray[np.int64]:
    """Return the boxes, sorted by the height of their middle, with the middle in a region's bounding box."""
    left, top = region[:, :2].min(axis=0)
    right, bottom = (region[:, :2] + region[:, 2:]).max(axis=0)
    across, down = _middle(box).T
    first, last = np.searchsorted(down, [top - 1, bottom + 1])
    inside = (across[first:last] >= left - 1) & (across[first:last] <= right + 1)
    near: NDArray[np.int64] = first + np.flatnonzero(inside)
    return near


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
    index = {row: at for at, row in enumerate(rows.tolist())}
    above = np.asarray([index.get(parent, -1) for parent in page.parent[rows].tolist()], dtype=np.int64)
    inside = (above >= 0) & (box[:, :2] >= box[above, :2]).all(axis=1) if len(rows) else np.zeros(0, dtype=bool)
    inside &= (box[:, :2] + box[:, 2:] <= box[above, :2] + box[above, 2:]).all(axis=1)
    return box[~inside]
