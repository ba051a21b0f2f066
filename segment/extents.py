"""What is seen of each node of a rendered page: where, and on which background."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..render.page import BoolColumn, Geometry, Hidden, IntColumn, Page
from ..render.visibility import clip_windows, concealed

FloatArray = NDArray[np.float64]

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


def seen_lines(page: Page) -> tuple[FloatArray, IntColumn]:
    """Give what a person sees of the page's lines: those of visible text, cut to what clips them.

    Returns
    -------
    corners : float64 (lines, 4)
        ``[left, top, right, bottom]`` in CSS pixels of the document, in document order.
    leaf : int32 (lines,)
        The text leaf of each.
    """
    geometry = page.geometry
    if geometry is None or not len(geometry.line_node):
        return np.zeros((0, 4)), np.zeros(0, dtype=np.int32)
    hidden = concealed(page)
    leaf_of_node = np.full(len(page), -1, dtype=np.int32)
    leaf_of_node[page.leaves[~hidden]] = np.flatnonzero(~hidden)
    leaf = leaf_of_node[geometry.line_node]
    corners = _corners(geometry.line_box)
    # Where nearly everything is hidden nothing is taken for hidden, so nothing may be clipped away either.
    if hidden.any() or not (page.hidden != Hidden.VISIBLE).any():
        corners = _clipped(corners, geometry.line_node, page, geometry)
    seen = (leaf >= 0) & (corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])
    return corners[seen], leaf[seen]


def extents(page: Page, corners: FloatArray, leaf: IntColumn) -> FloatArray:
    """Give the box of what is seen of each node.

    The lines of visible text, pictures and other replaced elements, and boxes painted in a colour of their own; bare
    boxes are as large as what they hold, since a person does not see their padding.

    Parameters
    ----------
    page : Page
        With geometry.
    corners, leaf
        From :func:`seen_lines`.

    Returns
    -------
    float64 (nodes, 4)
        ``[left, top, right, bottom]``, NaN where nothing is seen.
    """
    geometry = page.geometry
    assert geometry is not None
    low, high = np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)
    rows = page.leaves[leaf]
    np.minimum.at(low, rows, corners[:, :2])
    np.maximum.at(high, rows, corners[:, 2:])
    solid = np.flatnonzero(_solid(page, geometry))
    own = _clipped(_corners(geometry.box[solid]), solid.astype(np.int32), page, geometry)
    left = (own[:, 2] > own[:, 0]) & (own[:, 3] > own[:, 1])
    low[solid[left]], high[solid[left]] = own[left, :2], own[left, 2:]
    return _gathered(page, np.concatenate([low, high], axis=1))


def grounds(page: Page) -> NDArray[np.uint32]:
    """uint32 (nodes,): the background that each node paints or stands on; white where nobody paints."""
    geometry = page.geometry
    assert geometry is not None
    standing = page.nearest((geometry.background & 0xFF) >= OPAQUE)
    return np.where(standing >= 0, geometry.background[standing], WHITE)


def _corners(box: NDArray[np.float32]) -> FloatArray:
    wide = box.astype(np.float64)
    wide[:, 2:] += wide[:, :2]
    return wide


def _clipped(corners: FloatArray, node: IntColumn, page: Page, geometry: Geometry) -> FloatArray:
    low, high = clip_windows(page, geometry)
    return np.concatenate([np.maximum(corners[:, :2], low[node]), np.minimum(corners[:, 2:], high[node])], axis=1)


def _solid(page: Page, geometry: Geometry) -> BoolColumn:
    """Elements that are seen for themselves: replaced ones, and those whose background differs from the ground."""
    sized = (geometry.box[:, 2] > 0) & (geometry.box[:, 3] > 0) & ~geometry.invisible
    opaque = (geometry.background & 0xFF) >= OPAQUE
    ground = grounds(page)
    below = np.where(page.parent >= 0, ground[page.parent], WHITE)
    painted = opaque & (geometry.background != below) & ~page.has_tag("html", "body")
    solid: BoolColumn = sized & (painted | page.has_tag(*_REPLACED))
    return solid


def _gathered(page: Page, own: FloatArray) -> FloatArray:
    """Let each node's box hold those of its children; NaN where there is none."""
    left, top, right, bottom = own.T.tolist()
    parents = page.parent.tolist()
    for row in range(len(page) - 1, 0, -1):
        above = parents[row]
        if above >= 0 and left[row] < np.inf:
            left[above], top[above] = min(left[above], left[row]), min(top[above], top[row])
            right[above], bottom[above] = max(right[above], right[row]), max(bottom[above], bottom[row])
    found = np.asarray([left, top, right, bottom], dtype=np.float64).T
    found[~np.isfinite(found[:, 0])] = np.nan
    return found
