"""Similarity of two segmentations of a page: extended BCubed.

Two segmentations are compared over the atomic elements of a page, as Kiesel et al. do ("Web Page Segmentation
Revisited", CIKM 2020): its pixels, the pixels on edges in its picture, its nodes, or its characters. Segments may
overlap, so precision and recall are the extended BCubed ones (Amigó et al. 2009, section 6.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, IntColumn
from ...page.geometry import Geometry
from ...page.page import Page
from ...segment.blocks import Blocks
from ...segment.segments import Segments, clip_segments, segments_of

#: Atomic elements of a page; those on edges need its screenshot.
Over = Literal["pixels", "fine edges", "coarse edges", "nodes", "characters"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Elements:
    """The atomic elements of a page, and the segments of two segmentations that contain them."""

    weight: FloatArray  # float64 (elements,)
    one: NDArray[np.bool_]  # one, other: bool (elements, segments)
    other: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubed:
    """Extended BCubed of one segmentation against another, 0 to 1.

    Precision is low if the first joins elements that the second separates, recall in the opposite case. NaN if a
    segmentation contains no two elements.
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


def compare_blocks(page: Page, one: Blocks | Segments, other: Blocks | Segments, *, over: Over = "pixels") -> BCubed:
    """Compare two segmentations of a rendered page by their leaf blocks: extended BCubed.

    Parameters
    ----------
    page : Page
        With geometry.
    one, other : Blocks or Segments
        Of this page, or read from files (:func:`~blocksight.segment.reading.read_segments`). Precision is the
        share of what ``one`` joins that ``other`` also joins.
    over : str
        The elements: "pixels" of the page, those on "fine edges" (outlines of letters) or "coarse edges" in its
        screenshot, "nodes", or "characters". Edges need a screenshot of the full page with a device scale of 1, and
        ``pip install 'blocksight[research]'``.

    Raises
    ------
    ValueError
        If the page has no geometry, or no screenshot for edges, or ``over`` is none of these.
    """
    if over not in get_args(Over):
        raise ValueError(f"over must be one of {', '.join(get_args(Over))}, not {over!r}")
    geometry = _geometry(page, over)
    first, second = (item if isinstance(item, Segments) else segments_of(item) for item in (one, other))
    if over in ("nodes", "characters"):
        return bcubed((nodes if over == "nodes" else characters)(page, first, second))
    first, second = clip_segments(first, geometry.size), clip_segments(second, geometry.size)
    return bcubed(pixels(first, second, None if over == "pixels" else _edges(page, over)))


def _geometry(page: Page, over: Over) -> Geometry:
    if page.geometry is None:
        raise ValueError(f"{over} need geometry: render the page with Browser().open(...)")
    return page.geometry


def _edges(page: Page, over: Over) -> NDArray[np.bool_]:
    from .edges import COARSE, FINE, edges

    picture = None if page.screenshot is None else edges(page.screenshot, COARSE if over == "coarse edges" else FINE)
    if picture is None or picture.shape[1] != round(_geometry(page, over).size[0]):
        raise ValueError(
            'edges need a screenshot: render the page with RenderOptions(screenshot="full", device_scale=1)'
        )
    return picture


def bcubed(elements: Elements) -> BCubed:
    """Compare two segmentations over weighted elements.

    For each element e of the first segmentation: the mean over all elements e' that share a segment with it there of
    min(shared segments in the first, in the second) / shared segments in the first. Precision is the mean over e;
    recall is the precision of the second against the first.
    """
    weight, one, other = _merge_elements(elements)
    in_one, in_other = _shared_segments(one), _shared_segments(other)
    return BCubed(precision=_precision(weight, in_one, in_other), recall=_precision(weight, in_other, in_one))


def pixels(one: Segments, other: Segments, edges: NDArray[np.bool_] | None = None) -> Elements:
    """Return the pixels of a page in segments; pixels with the same segments are one element.

    With ``edges``, bool (height, width), only these pixels are counted
    (:func:`~blocksight.compare.segmentation.edges.edges`).
    """
    box = np.concatenate([one.box, other.box])
    corners = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
    if edges is not None:
        corners = np.clip(np.rint(corners), 0, [*edges.shape[::-1], *edges.shape[::-1]])
    across, down = np.unique(corners[:, [0, 2]]), np.unique(corners[:, [1, 3]])
    if len(across) < 2 or len(down) < 2:
        return Elements(weight=np.zeros(0), one=np.zeros((0, one.count), bool), other=np.zeros((0, other.count), bool))
    segment = np.concatenate([one.segment, other.segment + one.count])
    mass = _cell_mass(across, down, edges)
    kind, first = _cell_kinds(across, down, corners, segment)
    weight = np.bincount(kind, weights=mass.ravel()).astype(np.float64)
    row, column = np.divmod(first, len(across) - 1)
    center = np.stack([(across[column] + across[column + 1]) / 2, (down[row] + down[row + 1]) / 2], axis=1)
    inside = (center[:, None] > corners[:, :2]) & (center[:, None] < corners[:, 2:])
    members = _segment_members(inside[:, :, 0] & inside[:, :, 1], segment, one.count + other.count)
    return Elements(weight=weight, one=members[:, : one.count], other=members[:, one.count :])


def nodes(page: Page, one: Segments, other: Segments) -> Elements:
    """Return the nodes of a rendered page; each is in the segments that contain .9 of its box (ours)."""
    box = _geometry(page, "nodes").box.astype(np.float64)
    return _boxes(box, np.ones(len(box)), one, other, share=0.9)


def characters(page: Page, one: Segments, other: Segments) -> Elements:
    """Return the characters of a rendered page; a line is in the segments that contain half of its box (ours)."""
    geometry = _geometry(page, "characters")
    return _boxes(geometry.line_box.astype(np.float64), geometry.line_length.astype(np.float64), one, other, share=0.5)


def _boxes(box: FloatArray, weight: FloatArray, one: Segments, other: Segments, *, share: float) -> Elements:
    shown = (box[:, 2] > 0) & (box[:, 3] > 0)
    first, second = (_containing_segments(box[shown], segments, share) for segments in (one, other))
    return Elements(weight=weight[shown], one=first, other=second)


def _merge_elements(elements: Elements) -> tuple[FloatArray, NDArray[np.bool_], NDArray[np.bool_]]:
    """Merge elements in the same segments: return weights and memberships."""
    both = np.concatenate([elements.one, elements.other], axis=1)
    _, first, kind = np.unique(np.packbits(both, axis=1), axis=0, return_index=True, return_inverse=True)
    weight = np.bincount(kind.ravel(), weights=elements.weight, minlength=len(first)).astype(np.float64)
    return weight, elements.one[first], elements.other[first]


def _shared_segments(members: NDArray[np.bool_]) -> FloatArray:
    """Count for each two elements the segments that contain both."""
    counts = members.astype(np.float64)
    shared: FloatArray = counts @ counts.T
    return shared


def _precision(weight: FloatArray, shared: FloatArray, reference: FloatArray) -> float:
    together = shared > 0
    right = np.where(together, np.minimum(shared, reference) / np.maximum(shared, 1), 0.0)
    total = together @ weight
    defined = (total > 0) & (weight > 0)
    if not defined.any():
        return float("nan")
    return float(np.average((right @ weight)[defined] / total[defined], weights=weight[defined]))


def _containing_segments(box: FloatArray, segments: Segments, share: float) -> NDArray[np.bool_]:
    """Return the segments that contain a share of each box, bool (boxes, segments)."""
    low, high = box[:, None, :2], box[:, None, :2] + box[:, None, 2:]
    corner = segments.box[:, :2] + segments.box[:, 2:]
    size = np.maximum(np.minimum(high, corner) - np.maximum(low, segments.box[:, :2]), 0.0)
    area = np.zeros((len(box), segments.count))
    np.add.at(area.T, segments.segment, (size[:, :, 0] * size[:, :, 1]).T)
    return area >= share * (box[:, 2] * box[:, 3])[:, None]


def _segment_members(inside: NDArray[np.bool_], segment: IntColumn, count: int) -> NDArray[np.bool_]:
    members = np.zeros((len(inside), count), dtype=bool)
    for rectangle, number in enumerate(segment.tolist()):
        members[:, number] |= inside[:, rectangle]
    return members


def _cell_mass(across: FloatArray, down: FloatArray, edges: NDArray[np.bool_] | None) -> FloatArray:
    """Count the pixels in each cell of the grid of all segment borders, float64 (rows, columns)."""
    if edges is None:
        return np.diff(down)[:, None] * np.diff(across)
    total = np.pad(np.cumsum(np.cumsum(edges, axis=0, dtype=np.float64), axis=1), ((1, 0), (1, 0)))
    corner = total[np.ix_(down.astype(int), across.astype(int))]
    mass: FloatArray = np.diff(np.diff(corner, axis=0), axis=1)
    return mass


def _cell_kinds(
    across: FloatArray, down: FloatArray, corners: FloatArray, segment: IntColumn
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Group the cells with the same rectangles: return the group of each cell, and the first cell of each group."""
    key = np.random.default_rng(0).integers(1, 2**63, len(segment), dtype=np.uint64)
    sums = np.zeros((len(down) - 1, len(across) - 1), dtype=np.uint64)
    left, right = np.searchsorted(across, corners[:, 0]), np.searchsorted(across, corners[:, 2])
    top, bottom = np.searchsorted(down, corners[:, 1]), np.searchsorted(down, corners[:, 3])
    for rectangle in range(len(segment)):
        # Sums of random 64-bit numbers: collisions of two sets are negligible.
        sums[top[rectangle] : bottom[rectangle], left[rectangle] : right[rectangle]] += key[rectangle]
    _, first, kind = np.unique(sums.ravel(), return_index=True, return_inverse=True)
    return kind.ravel(), first
