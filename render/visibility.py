"""What a person does not see, and why not, from computed styles and boxes."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .arrays import BoolColumn, FloatColumn, IntColumn
from .page import Geometry, Hidden, Page, Position

#: Text fainter than this share of full opacity counts as not shown.
FAINTEST = 0.05
#: A clipped line of which no more than this many CSS pixels are left in one direction cannot be read.
SLIVER = 2.0


def opacity_product(page: Page, geometry: Geometry) -> FloatColumn:
    """float32 (nodes,): opacity as it reaches the eye, the product over a node and its ancestors."""
    product = np.ones(len(page), dtype=np.float32)
    for row in np.flatnonzero(geometry.opacity != 1).tolist():
        product[row : page.end[row]] *= geometry.opacity[row]
    return product


def hidden_leaves(page: Page, geometry: Geometry) -> NDArray[np.uint8]:
    """Return each text leaf the reason why a person does not see it.

    A leaf is hidden by the first reason that holds: it has no rendered line (``DISPLAY``), its computed visibility
    (``VISIBILITY``), its opacity or transparent colour (``OPACITY``), lines without area (``ZERO_AREA``), ancestors
    that clip all its lines (``CLIP``), or lines that no scrolling can reach (``OFF_SCREEN``). What scrolling can reach,
    in the page or in a scrolling container or frame, is visible.

    Returns
    -------
    uint8 (leaves,)
        Values of :class:`~blocksight.render.page.Hidden`.
    """
    leaves = page.leaves
    reason = np.full(len(page), Hidden.DISPLAY, dtype=np.uint8)
    sized = _sized(geometry.line_box)
    readable = sized & _unclipped(page, geometry)
    tests = (
        (Hidden.ZERO_AREA, np.ones(len(geometry.line_node), dtype=bool)),
        (Hidden.CLIP, sized),
        (Hidden.OFF_SCREEN, readable),
        (Hidden.VISIBLE, readable & _reachable(geometry)),
    )
    # Each test is stricter than the one before: the last one that any line of a leaf passes decides.
    for outcome, passed in tests:
        reason[geometry.line_node[passed]] = outcome
    shown = reason == Hidden.VISIBLE
    faint = (opacity_product(page, geometry) < FAINTEST) | ((geometry.color & 0xFF) < FAINTEST * 255)
    reason[shown & faint] = Hidden.OPACITY
    reason[(reason != Hidden.DISPLAY) & geometry.invisible] = Hidden.VISIBILITY
    return reason[leaves]


def _sized(box: FloatColumn) -> BoolColumn:
    return (box[:, 2] > 0) & (box[:, 3] > 0)


def _reachable(geometry: Geometry) -> BoolColumn:
    """A document scrolls right and down only: what ends left of or above its origin is out of reach."""
    right, bottom = geometry.line_box[:, 0] + geometry.line_box[:, 2], geometry.line_box[:, 1] + geometry.line_box[:, 3]
    return (right > 0) & (bottom > 0)


def _unclipped(page: Page, geometry: Geometry) -> BoolColumn:
    """Return which lines keep a readable part inside every ancestor that clips them."""
    low, high = clip_windows(page, geometry)
    node, box = geometry.line_node, geometry.line_box
    width = np.minimum(box[:, 0] + box[:, 2], high[node, 0]) - np.maximum(box[:, 0], low[node, 0])
    height = np.minimum(box[:, 1] + box[:, 3], high[node, 1]) - np.maximum(box[:, 1], low[node, 1])
    readable: BoolColumn = (width > np.minimum(SLIVER, box[:, 2] / 2)) & (height > np.minimum(SLIVER, box[:, 3] / 2))
    return readable


def clip_windows(page: Page, geometry: Geometry) -> tuple[FloatColumn, FloatColumn]:
    """Return the window, as low and high corner, through which each node is seen.

    Overflow clips the descendants whose containing block is inside: an absolutely positioned node escapes what lies
    between it and its nearest positioned ancestor, a fixed one escapes all.
    """
    low = np.full((len(page), 2), -np.inf, dtype=np.float32)
    high = np.full((len(page), 2), np.inf, dtype=np.float32)
    # The overflow of root elements belongs to the window, and a frame's to the frame: both scroll.
    scrolls = page.has_tag("html", "body", "iframe", "frame")[:, None]
    clips = geometry.clips & np.isfinite(geometry.box[:, :1]) & ~scrolls
    clipping = np.flatnonzero(clips.any(axis=1))
    if not len(clipping):
        return low, high
    lifted, anchor = _lifted(page, geometry)
    first, last = np.searchsorted(lifted, clipping + 1), np.searchsorted(lifted, page.end[clipping])
    corner = geometry.box[:, :2] + geometry.box[:, 2:]
    for row, start, stop in zip(clipping.tolist(), first.tolist(), last.tolist(), strict=True):
        begin, end = row + 1, int(page.end[row])
        below: slice | NDArray[np.intp] = slice(begin, end)
        if (anchor[start:stop] < row).any():
            inside = np.ones(end - begin, dtype=bool)
            for escaped in lifted[start:stop][anchor[start:stop] < row].tolist():
                inside[escaped - begin : page.end[escaped] - begin] = False
            below = np.flatnonzero(inside) + begin
        for axis in np.flatnonzero(clips[row]).tolist():
            low[below, axis] = np.maximum(low[below, axis], geometry.box[row, axis])
            high[below, axis] = np.minimum(high[below, axis], corner[row, axis])
    return low, high


def _lifted(page: Page, geometry: Geometry) -> tuple[IntColumn, IntColumn]:
    """Return the rows of nodes that are placed by themselves, and where each hangs: -1 for the window."""
    fixed = geometry.position == Position.FIXED
    lifted = np.flatnonzero(fixed | (geometry.position == Position.ABSOLUTE)).astype(np.int32)
    parents, static = page.parent.tolist(), (geometry.position == Position.STATIC).tolist()
    anchor: list[int] = []
    for row in lifted.tolist():
        above = parents[row]
        while above >= 0 and static[above]:
            above = parents[above]
        anchor.append(-1 if fixed[row] else above)
    return lifted, np.asarray(anchor, dtype=np.int32)


def levels(page: Page) -> list[IntColumn]:
    """Return the rows of each depth below the roots, shallow first: work by levels is work on whole columns."""
    order = np.argsort(page.depth, kind="stable").astype(np.int32)
    bounds = np.searchsorted(page.depth[order], np.arange(1, int(page.depth.max(initial=0)) + 2))
    return [order[first:last] for first, last in itertools.pairwise(bounds)]


def unseen(page: Page) -> BoolColumn:
    """bool (leaves,): text that nobody gets to see; what lies under an overlay comes to light when that is closed."""
    found: BoolColumn = (page.hidden != Hidden.VISIBLE) & (page.hidden != Hidden.OVERLAY)
    return found


def concealed(page: Page) -> BoolColumn:
    """Return which text leaves a person does not see, unless that is nearly all of the page.

    Where less than a third of a page's text would be left, its styles or scripts did not come through (saved pages,
    pages that fade in, pages that wait for consent): then nothing is taken for hidden.

    Returns
    -------
    bool (leaves,)
    """
    hidden = unseen(page)
    size = np.asarray([len(text) for text in page.leaf_texts], dtype=np.int64)
    return hidden & bool(size[~hidden].sum() * 3 >= size.sum())


def revealed(page: Page) -> Page:
    """Return the same page with all of its text taken for seen: collapsed parts, tabs, what fades in later."""
    if page.geometry is not None:
        shown = np.full(len(page.leaves), Hidden.VISIBLE, dtype=np.uint8)
        return replace(page, geometry=replace(page.geometry, hidden=shown))
    # Without geometry only these attributes tell.
    kept = ~page.named(page.attribute_name, "hidden", "style")
    return replace(
        page,
        attribute_node=page.attribute_node[kept],
        attribute_name=page.attribute_name[kept],
        attribute_value=page.attribute_value[kept],
    )
