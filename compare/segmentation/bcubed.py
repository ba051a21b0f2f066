"""How alike two segmentations of a page are: extended BCubed.

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
from ...page.page import Page
from ...segment.blocks import Blocks
from ...segment.segments import Segments, clip_segments, segments_of

#: Atomic elements of a page; those on edges need its picture.
Over = Literal["pixels", "fine edges", "coarse edges", "nodes", "characters"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Elements:
    """The atomic elements of a page, and the segments of two segmentations that hold them.

    Attributes
    ----------
    weight : float64 (elements,)
    one, other : bool (elements, segments)
    """

    weight: FloatArray
    one: NDArray[np.bool_]
    other: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubed:
    """Extended BCubed of one segmentation against another, 0 to 1.

    Precision falls where the first puts elements together that the second keeps apart, recall where it is the other
    way round. NaN where a segmentation holds no two elements.
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        whole = self.precision + self.recall
        return 2 * self.precision * self.recall / whole if whole > 0 else 0.0


def compare_blocks(page: Page, one: Blocks | Segments, other: Blocks | Segments, *, over: Over = "pixels") -> BCubed:
    """Compare two segmentations of a rendered page by their leaf blocks: extended BCubed.

    Parameters
    ----------
    page : Page
        With geometry.
    one, other : Blocks or Segments
        Of this page, or read from files (:func:`~blocksight.segment.exchange.reading.read_segments`). Precision says
        how much of what ``one`` puts together ``other`` does, too.
    over : str
        What is counted: "pixels" of the page, those on "fine edges" (outlines of letters) or "coarse edges" in its
        picture, "nodes", or "characters". Edges need a screenshot of the full page with one pixel a CSS pixel, and
        ``pip install 'blocksight[research]'``.

    Raises
    ------
    ValueError
        When the page has no geometry, or no such picture where edges are asked for, or ``over`` is none of these.
    """
    if over not in get_args(Over):
        raise ValueError(f"over must be one of {', '.join(get_args(Over))}, not {over!r}")
    if page.geometry is None:
        raise ValueError(f"{over} lie nowhere on a page without geometry: render it with Browser().open(...)")
    first, second = (it if isinstance(it, Segments) else segments_of(it) for it in (one, other))
    if over == "nodes":
        return bcubed(nodes(page, first, second))
    if over == "characters":
        return bcubed(characters(page, first, second))
    first, second = clip_segments(first, page.geometry.size), clip_segments(second, page.geometry.size)
    return bcubed(pixels(first, second, None if over == "pixels" else _edges(page, over)))


def _edges(page: Page, over: Over) -> NDArray[np.bool_]:
    from .edges import COARSE, FINE, edges

    assert page.geometry is not None
    found = None if page.screenshot is None else edges(page.screenshot, COARSE if over == "coarse edges" else FINE)
    if found is None or found.shape[1] != round(page.geometry.size[0]):
        raise ValueError('edges need a picture: render the page with RenderOptions(screenshot="full", device_scale=1)')
    return found


def bcubed(elements: Elements) -> BCubed:
    """Compare two segmentations over weighted elements.

    For each element e of the first segmentation: over all elements e' that share a segment with it there, the mean of
    min(segments shared by both in the first, in the second) / segments shared in the first. Precision is the mean over
    e; recall is the precision of the second against the first.
    """
    weight, one, other = _merge_elements(elements)
    in_one, in_other = _shared_segments(one), _shared_segments(other)
    return BCubed(precision=_precision(weight, in_one, in_other), recall=_precision(weight, in_other, in_one))


def pixels(one: Segments, other: Segments, edges: NDArray[np.bool_] | None = None) -> Elements:
    """Return the pixels of a page that lie in segments, those with the same segments as one element.

    Parameters
    ----------
    one, other : Segments
    edges : bool (height, width), optional
        Count these pixels of the picture only (:func:`~blocksight.compare.segmentation.edges.edges`); by default all.
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


def nodes(page: Page, one: Segments, other: Segments, *, share: float = 0.9) -> Elements:
    """Return the nodes of a rendered page; each lies in the segments that hold this share of its box (ours)."""
    if page.geometry is None:
        raise ValueError("nodes lie nowhere on a page without geometry: render it with Browser().open(...)")
    box = page.geometry.box.astype(np.float64)
    box = box[(box[:, 2] > 0) & (box[:, 3] > 0)]
    return Elements(
        weight=np.ones(len(box)),
        one=_containing_segments(box, one, share),
        other=_containing_segments(box, other, share),
    )


def characters(page: Page, one: Segments, other: Segments, *, share: float = 0.5) -> Elements:
    """Return the characters of a rendered page; a line lies in the segments that hold this share of its box (ours)."""
    if page.geometry is None:
        raise ValueError("characters lie nowhere on a page without geometry: render it with Browser().open(...)")
    geometry = page.geometry
    shown = (geometry.line_box[:, 2] > 0) & (geometry.line_box[:, 3] > 0)
    box = geometry.line_box[shown].astype(np.float64)
    weight = geometry.line_length[shown].astype(np.float64)
    return Elements(
        weight=weight, one=_containing_segments(box, one, share), other=_containing_segments(box, other, share)
    )


def _merge_elements(elements: Elements) -> tuple[FloatArray, NDArray[np.bool_], NDArray[np.bool_]]:
    """Add up elements that lie in the same segments."""
    both = np.concatenate([elements.one, elements.other], axis=1)
    _, first, kind = np.unique(np.packbits(both, axis=1), axis=0, return_index=True, return_inverse=True)
    weight = np.bincount(kind.ravel(), weights=elements.weight, minlength=len(first)).astype(np.float64)
    return weight, elements.one[first], elements.other[first]


def _shared_segments(members: NDArray[np.bool_]) -> FloatArray:
    """Count for each two elements the segments that hold both."""
    held = members.astype(np.float64)
    shared: FloatArray = held @ held.T
    return shared


def _precision(weight: FloatArray, shared: FloatArray, there: FloatArray) -> float:
    together = shared > 0
    right = np.where(together, np.minimum(shared, there) / np.maximum(shared, 1), 0.0)
    around = together @ weight
    some = (around > 0) & (weight > 0)
    if not some.any():
        return float("nan")
    return float(np.average((right @ weight)[some] / around[some], weights=weight[some]))


def _containing_segments(box: FloatArray, segments: Segments, share: float) -> NDArray[np.bool_]:
    """bool (boxes, segments): segments that hold so much of each box."""
    low, high = box[:, None, :2], box[:, None, :2] + box[:, None, 2:]
    corner = segments.box[:, :2] + segments.box[:, 2:]
    size = np.maximum(np.minimum(high, corner) - np.maximum(low, segments.box[:, :2]), 0.0)
    held = np.zeros((len(box), segments.count))
    np.add.at(held.T, segments.segment, (size[:, :, 0] * size[:, :, 1]).T)
    return held >= share * (box[:, 2] * box[:, 3])[:, None]


def _segment_members(inside: NDArray[np.bool_], segment: IntColumn, count: int) -> NDArray[np.bool_]:
    members = np.zeros((len(inside), count), dtype=bool)
    for rectangle, number in enumerate(segment.tolist()):
        members[:, number] |= inside[:, rectangle]
    return members


def _cell_mass(across: FloatArray, down: FloatArray, edges: NDArray[np.bool_] | None) -> FloatArray:
    """float64 (rows, columns): pixels in each cell of the grid of all edges of segments."""
    if edges is None:
        return np.diff(down)[:, None] * np.diff(across)
    total = np.pad(np.cumsum(np.cumsum(edges, axis=0, dtype=np.float64), axis=1), ((1, 0), (1, 0)))
    corner = total[np.ix_(down.astype(int), across.astype(int))]
    mass: FloatArray = np.diff(np.diff(corner, axis=0), axis=1)
    return mass


def _cell_kinds(
    across: FloatArray, down: FloatArray, corners: FloatArray, segment: IntColumn
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number cells by the rectangles that hold them, and give the first cell of each kind."""
    key = np.random.default_rng(0).integers(1, 2**63, len(segment), dtype=np.uint64)
    sums = np.zeros((len(down) - 1, len(across) - 1), dtype=np.uint64)
    left, right = np.searchsorted(across, corners[:, 0]), np.searchsorted(across, corners[:, 2])
    top, bottom = np.searchsorted(down, corners[:, 1]), np.searchsorted(down, corners[:, 3])
    for rectangle in range(len(segment)):
        # Sums of random 64-bit numbers: two sets with the same sum are less likely than a fault of the machine.
        sums[top[rectangle] : bottom[rectangle], left[rectangle] : right[rectangle]] += key[rectangle]
    _, first, kind = np.unique(sums.ravel(), return_index=True, return_inverse=True)
    return kind.ravel(), first
