"""What is seen of each node of a rendered page: where, and on which background."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.geometry import Geometry
from ...page.page import Page
from ...page.tree import rows_by_depth
from ...page.visibility import hidden_leaves, invisible_leaves
from .clip_rects import clip_rects

#: Painted backgrounds with less alpha than this are seen through.
OPAQUE = 0x80
WHITE = np.uint32(0xFFFFFFFF)
#: Elements that show something although they hold no text.
_REPLACED = (
    "img",
    "video",
    "canvas",
    "svg",
    "object",
    "embed",
    "iframe",
    "hr",
    "input",
    "textarea",
    "select",
    "button",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class VisibleBoxes:
    """What a person sees of a rendered page.

    Attributes
    ----------
    line : float64 (lines, 4)
        ``[left, top, right, bottom]`` of the lines of visible text, cut to what clips them; CSS pixels of the document,
        in document order.
    leaf : int32 (lines,)
        The text leaf of each.
    extent : float64 (nodes, 4)
        ``[left, top, right, bottom]`` of what is seen of each node, NaN where nothing is: the lines of visible text,
        pictures and other replaced elements, and boxes painted in a colour of their own. Bare boxes are as large as
        what they hold, since a person does not see their padding.
    ground : uint32 (nodes,)
        The background that each node paints or stands on; white where nobody paints.
    window : float64 (nodes, 4)
        ``[left, top, right, bottom]`` of what each node is seen through, without end where nothing clips it.
    """

    line: FloatArray
    leaf: IntColumn
    extent: FloatArray
    ground: NDArray[np.uint32]
    window: FloatArray


#: Pages do not change, and all of segmentation asks the same of them.
_KNOWN: WeakKeyDictionary[Page, VisibleBoxes] = WeakKeyDictionary()


def visible_boxes(page: Page) -> VisibleBoxes:
    """Find what is seen of a page.

    Parameters
    ----------
    page : Page
        With geometry.

    Raises
    ------
    ValueError
        When the page has no geometry.
    """
    found = _KNOWN.get(page)
    if found is None:
        found = _KNOWN[page] = _look(page)
    return found


def _clip_windows(page: Page, geometry: Geometry) -> FloatArray:
    """Return the clip rectangle of each node, float64 (nodes, 4): low and high corner; scrollers do not clip."""
    seen = clip_rects(page, geometry)
    corners = [corner[seen.through].astype(np.float32) for corner in (seen.low, seen.high)]
    return np.concatenate(corners, axis=1).astype(np.float64)


def _look(page: Page) -> VisibleBoxes:
    geometry = page.geometry
    if geometry is None:
        raise ValueError("nothing is seen of a page without geometry: render it with Browser().open(...)")
    window = _clip_windows(page, geometry)
    line, leaf = _seen_lines(page, geometry, window)
    standing = page.nearest((geometry.background & 0xFF) >= OPAQUE)
    ground = np.where(standing >= 0, geometry.background[standing], WHITE)
    low, high = np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)
    rows = page.leaves[leaf]
    np.minimum.at(low, rows, line[:, :2])
    np.maximum.at(high, rows, line[:, 2:])
    solid = np.flatnonzero(_solid(page, geometry, ground))
    own = clipped(corners_of(geometry.box[solid]), window[solid])
    left = (own[:, 2] > own[:, 0]) & (own[:, 3] > own[:, 1])
    low[solid[left]], high[solid[left]] = own[left, :2], own[left, 2:]
    extent = gathered(page, np.concatenate([low, high], axis=1))
    return VisibleBoxes(line=line, leaf=leaf, extent=extent, ground=ground, window=window)


def _seen_lines(page: Page, geometry: Geometry, window: FloatArray) -> tuple[FloatArray, IntColumn]:
    hidden = invisible_leaves(page)
    leaf_of_node = np.full(len(page), -1, dtype=np.int32)
    leaf_of_node[page.leaves[~hidden]] = np.flatnonzero(~hidden)
    leaf = leaf_of_node[geometry.line_node]
    corners = corners_of(geometry.line_box).reshape(-1, 4)
    # Where nearly everything is hidden nothing is taken for hidden, so nothing may be clipped away either.
    if hidden.any() or not hidden_leaves(page).any():
        corners = clipped(corners, window[geometry.line_node])
    seen = (leaf >= 0) & (corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])
    return corners[seen], leaf[seen]


def corners_of(box: NDArray[np.float32]) -> FloatArray:
    """Turn ``[x, y, width, height]`` into ``[left, top, right, bottom]``."""
    wide = box.astype(np.float64)
    wide[:, 2:] += wide[:, :2]
    return wide


def clipped(corners: FloatArray, window: FloatArray) -> FloatArray:
    """Cut boxes, as corners, to windows; what lies outside has an end before its beginning."""
    return np.concatenate(
        [np.maximum(corners[:, :2], window[:, :2]), np.minimum(corners[:, 2:], window[:, 2:])], axis=1
    )


def _solid(page: Page, geometry: Geometry, ground: NDArray[np.uint32]) -> BoolColumn:
    """Elements that are seen for themselves: replaced ones, and those whose background differs from the ground."""
    sized = (geometry.box[:, 2] > 0) & (geometry.box[:, 3] > 0) & ~geometry.invisible
    opaque = (geometry.background & 0xFF) >= OPAQUE
    below = np.where(page.parent >= 0, ground[page.parent], WHITE)
    painted = opaque & (geometry.background != below) & ~page.has_tag("html", "body")
    solid: BoolColumn = sized & (painted | page.has_tag(*_REPLACED))
    return solid


def gathered(page: Page, own: FloatArray, apart: BoolColumn | None = None) -> FloatArray:
    """Let each node's box hold those of its children, the deepest first; NaN where there is none.

    Nodes marked in ``apart`` do not count for what is around them.
    """
    found = own.copy()
    for rows in rows_by_depth(page)[::-1]:
        kept = rows if apart is None else rows[~apart[rows]]
        above = page.parent[kept]
        np.minimum.at(found[:, :2], above, found[kept, :2])
        np.maximum.at(found[:, 2:], above, found[kept, 2:])
    found[~np.isfinite(found[:, 0])] = np.nan
    return found
