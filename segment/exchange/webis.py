"""Segmentations in the JSON of Webis: multipolygons over the pixels of a screenshot, by name.

The form of Webis-WebSeg-20 and of its tools (Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020): an object
with ``id``, ``height``, ``width`` and ``segmentations``; each of those is a list of segments, each segment a list of
polygons, each polygon a list of rings (holes after the outer one), each ring a list of points, the first of them again
at its end.
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

#: Share of a node's box that must lie in a segment (theta_c, section 4.3 of the paper).
CONTAINED, HALF = 0.75, 0.5
#: What rounding may take away from a share.
ROUNDED = 1e-6
#: Numbers of a file that are taken, and the largest of them.
_MOST_POINTS, _LARGEST = 1_000_000, 1e7


@dataclass(frozen=True, slots=True, kw_only=True)
class WebisFile:
    """Segmentations of one page.

    Attributes
    ----------
    identity : str
        The page's name in its collection.
    size : tuple of float
        Width and height of the screenshot in pixels.
    segmentations : mapping of str to list
        The segments of each, and the polygons of each segment.
    """

    identity: str
    size: tuple[float, float]
    segmentations: Mapping[str, list[list[Polygon]]]

    def segments(self, name: str) -> Segments:
        """Return one segmentation as regions of the page.

        Raises
        ------
        SegmentationUnreadable
            When there is none of that name.
        """
        if name not in self.segmentations:
            raise SegmentationUnreadable(f"no segmentation {name!r} in it; there are {', '.join(self.segmentations)}")
        return _gathered([rectangles_of(polygons) for polygons in self.segmentations[name]])


def read_webis(written: bytes) -> WebisFile:
    """Read a file of segmentations.

    Raises
    ------
    SegmentationUnreadable
        When it is none; the message says what is wrong.
    """
    try:
        told = orjson.loads(written)
    except orjson.JSONDecodeError as error:
        raise SegmentationUnreadable(f"no JSON: {error}") from error
    if not isinstance(told, dict) or not isinstance(told.get("segmentations"), dict):
        raise SegmentationUnreadable('no segmentations of Webis: an object with "segmentations" is needed')
    found = {
        str(name): [_segment(name, one) for one in _list(name, all_)] for name, all_ in told["segmentations"].items()
    }
    if sum(len(ring) for all_ in found.values() for one in all_ for shape in one for ring in shape) > _MOST_POINTS:
        raise SegmentationUnreadable(f"more than {_MOST_POINTS:,} points")
    size = tuple(float(told[name]) if isinstance(told.get(name), (int, float)) else 0.0 for name in ("width", "height"))
    return WebisFile(identity=str(told.get("id", "")), size=(size[0], size[1]), segmentations=found)


def fit_to_nodes(page: Page, segments: Segments, *, share: float = CONTAINED) -> Segments:
    """Fit segments to the nodes of a page: each becomes the union of the nodes that lie in it (section 4.3).

    Segments that hold no node are left out, and of equal ones all but the first.

    Parameters
    ----------
    page : Page
        With geometry.
    segments : Segments
    share : float
        Share of a node's area that must lie in the segment.
    """
    if page.geometry is None:
        raise ValueError("nodes lie nowhere on a page without geometry: render it with Browser().open(...)")
    box = page.geometry.box.astype(np.float64)
    rows = np.flatnonzero((box[:, 2] > 0) & (box[:, 3] > 0))
    rows = rows[np.argsort(_middle(box[rows])[:, 1], kind="stable")]
    box, known, fitted, held = box[rows], set[bytes](), list[FloatArray](), 0
    for region in filter(len, _regions(segments)):
        near = _near(box, region) if share > HALF else np.arange(len(box))
        inside = near[covered_area(box[near], region) >= (share - ROUNDED) * box[near, 2] * box[near, 3]]
        held += len(inside)
        if held > MOST_PIECES:
            raise SegmentationUnreadable(f"segments that hold more than {MOST_PIECES:,} nodes")
        inside = inside[np.argsort(rows[inside])]
        united = disjoint(_outermost(page, rows[inside], box[inside]))
        if len(united) and united.tobytes() not in known:
            known.add(united.tobytes())
            fitted.append(united)
    return _gathered(fitted)


def _regions(segments: Segments) -> list[FloatArray]:
    """Return the rectangles of each segment."""
    order = np.argsort(segments.segment, kind="stable")
    ends = np.searchsorted(segments.segment[order], np.arange(segments.count), side="right")
    return np.split(segments.box[order], ends[:-1]) if segments.count else []


def _middle(box: FloatArray) -> FloatArray:
    middle: FloatArray = box[:, :2] + box[:, 2:] / 2
    return middle


def _near(box: FloatArray, region: FloatArray) -> NDArray[np.int64]:
    """Return the boxes, sorted from above by their middle, whose middle lies in the box around a region.

    No other has more than half of its area in the region.
    """
    left, top = region[:, :2].min(axis=0)
    right, bottom = (region[:, :2] + region[:, 2:]).max(axis=0)
    across, down = _middle(box).T
    first, last = np.searchsorted(down, [top - 1, bottom + 1])
    clip_segments = (across[first:last] >= left - 1) & (across[first:last] <= right + 1)
    found: NDArray[np.int64] = first + np.flatnonzero(clip_segments)
    return found


def to_webis(page: Page, segmentations: Mapping[str, Blocks | Segments], *, identity: str = "") -> bytes:
    """Write segmentations of a page, of blocks their leaf blocks; what lies outside the page is cut off.

    Parameters
    ----------
    page : Page
        With geometry.
    segmentations : mapping of str to Blocks or Segments
    identity : str
        The page's name in its collection; by default its address.
    """
    if page.geometry is None:
        raise ValueError("blocks lie nowhere on a page without geometry: render it with Browser().open(...)")
    size = page.geometry.size
    regions = {name: it if isinstance(it, Segments) else segments_of(it) for name, it in segmentations.items()}
    told = {
        "id": identity or page.url,
        "height": math.ceil(size[1]),
        "width": math.ceil(size[0]),
        "segmentations": {name: _multipolygons(clip_segments(one, size)) for name, one in regions.items()},
    }
    return orjson.dumps(told)


def _multipolygons(segments: Segments) -> list[list[Polygon]]:
    found: list[list[Polygon]] = [[] for _ in range(segments.count)]
    for number, (x, y, width, height) in zip(segments.segment.tolist(), segments.box.round(2).tolist(), strict=True):
        if width > 0 and height > 0:
            right, bottom = round(x + width, 2), round(y + height, 2)
            found[number].append([[[x, y], [x, bottom], [right, bottom], [right, y], [x, y]]])
    return [polygons for polygons in found if polygons]


def _list(name: str, told: Any) -> list[Any]:
    if not isinstance(told, list):
        raise SegmentationUnreadable(f"{name!r} is no list of segments")
    return told


def _segment(name: str, told: Any) -> list[Polygon]:
    """Check the polygons of one segment."""
    polygons = []
    for polygon in _list(name, told):
        rings = [[_point(name, point) for point in _list(name, ring)] for ring in _list(name, polygon)]
        polygons.append(rings)
    return polygons


def _point(name: str, told: Any) -> list[float]:
    match told:
        case [int() | float() as x, int() | float() as y] if abs(x) <= _LARGEST and abs(y) <= _LARGEST:
            return [float(x), float(y)]
    raise SegmentationUnreadable(f"{name!r}: {str(told)[:60]} is no point [x, y] of a polygon of a segment")


def _gathered(regions: list[FloatArray]) -> Segments:
    """Number regions, each a list of rectangles."""
    number = np.repeat(np.arange(len(regions), dtype=np.int32), [len(region) for region in regions])
    return Segments(box=np.concatenate([np.zeros((0, 4)), *regions]), segment=number)


def _outermost(page: Page, rows: np.ndarray, box: FloatArray) -> FloatArray:
    """Leave out boxes that lie in that of their parent, where that is there, too."""
    place = {row: at for at, row in enumerate(rows.tolist())}
    above = np.asarray([place.get(parent, -1) for parent in page.parent[rows].tolist()], dtype=np.int64)
    held = (above >= 0) & (box[:, :2] >= box[above, :2]).all(axis=1) if len(rows) else np.zeros(0, dtype=bool)
    held &= (box[:, :2] + box[:, 2:] <= box[above, :2] + box[above, 2:]).all(axis=1)
    return box[~held]
