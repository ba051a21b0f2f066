"""What of a page is painted: pictures, controls and boxes with a ground, border or shadow of their own, and rules.

VIPS cuts what a person sees. A person sees the whole of a painted box, its padding with it; of a bare one only what it
holds. Lengths are compared with the height of the page's lines, so that a page looks the same at any zoom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray
from ...page.page import Geometry, Page
from ...render.visibility.backgrounds import WHITE, VisibleBoxes, clipped, corners_of, gathered
from .layers import raised_nodes
from .tracks import track_boxes

#: Elements that show something of their own; what stands inside them is part of it.
PICTURES = ("img", "image", "video", "canvas", "svg", "embed", "object", "audio", "math")
CONTROLS = ("button", "input", "textarea", "select", "meter", "progress")
#: Frames show a document, which is cut like the rest of the page.
_FRAMES = ("iframe", "frame")
#: Height of a line in CSS pixels, where a page has no line to tell it: that of 16 pixels in usual fonts.
LINE = 18.0
#: In line heights: painted boxes no thicker than this are rules; pictures in a line no higher and no wider than these
#: are part of its text; background pictures in boxes lower than this are bullets and icons, no grounds.
_THIN, _LOW, _NARROW, _FLAT = 0.3, 1.5, 3.0, 3.0
#: Colours that differ by less than this, of 255, look the same.
_ALIKE = 3
#: Opacity up to which nothing is seen.
_FAINT = 0.02
#: In line heights: pictures smaller than this on a side are there to count visitors, or to keep a place.
_DOT = 0.15


@dataclass(frozen=True, kw_only=True, eq=False)
class Painted:
    """What is painted of each node, and between them.

    Attributes
    ----------
    unit : float
        Height of the page's lines in CSS pixels.
    extent : float64 (nodes, 4)
        ``[left, top, right, bottom]`` of what is seen of each node; NaN where nothing is.
    whole : bool (nodes,)
        Pictures, controls and painted boxes with nothing inside: seen for themselves, never divided.
    framed : bool (nodes,)
        Boxes around something that are painted themselves: by their ground, picture, border or shadow.
    icon : bool (nodes,)
        Pictures that stand in a line of text as if they were letters.
    raised : bool (nodes,)
        Layers over the page, which count for nothing around them (:func:`.layers.raised_nodes`).
    ground : uint32 (nodes,)
        The colour that each node paints or stands on, what is translucent laid over what is below.
    look : int64 (nodes,)
        Boxes of one look have one number: ground, whether there is a picture, whether there is a border or shadow.
    rules : float64 (rules, 4)
        ``[left, top, right, bottom]`` of each ``<hr>``, thin bar, or border on one or two sides.
    """

    unit: float
    extent: FloatArray
    whole: BoolColumn
    framed: BoolColumn
    icon: BoolColumn
    raised: BoolColumn
    ground: NDArray[np.uint32]
    look: NDArray[np.int64]
    rules: FloatArray


def painted_on(page: Page, seen: VisibleBoxes) -> Painted:
    """Find what is painted on a page with geometry."""
    geometry = page.geometry
    assert geometry is not None
    unit = line_height(seen)
    box = clipped(clipped(corners_of(geometry.box), seen.window), np.asarray([[0.0, 0.0, *geometry.size]]))
    size = np.nan_to_num(box[:, 2:] - box[:, :2])
    shown = (size > 0).all(axis=1) & ~geometry.invisible & (page.text < 0)
    shown &= ~page.below(geometry.opacity <= _FAINT)
    pictures = shown & page.has_tag(*PICTURES) & (size >= _DOT * unit).all(axis=1)
    controls = shown & page.has_tag(*CONTROLS)
    marks = pictures | controls
    marks[page.leaves[seen.leaf]] = True
    held = page.count_below(marks) > 0
    ground = _backgrounds(page, geometry)
    look, sides = _appearance(page, geometry, ground, held & (size[:, 1] < _FLAT * unit))
    boxed = shown & ~page.named(geometry.display, "inline", "contents", "ruby", "ruby-text")
    solid = boxed & _is_painted(page, look) & ~pictures & ~page.has_tag("html", "body", "hr")
    thin = solid & ~held & (size.min(axis=1) <= _THIN * unit)
    solid &= ~thin
    whole = pictures | controls | (solid & ~held)
    inline = page.named(geometry.display, "inline", "inline-block")
    icon = pictures & inline & (size[:, 1] <= _LOW * unit) & (size[:, 0] <= _NARROW * unit)
    rule = shown & page.has_tag("hr")
    own = _own_boxes(page, seen, box, whole | solid | rule | (shown & page.has_tag(*_FRAMES)))
    raised = raised_nodes(page, gathered(page, own), solid | controls, marks)
    own = track_boxes(page, box, gathered(page, own, raised), raised)
    return Painted(
        unit=unit,
        extent=gathered(page, own, raised),
        whole=whole,
        framed=solid & held & page.block_level & ~page.below(pictures | controls),
        icon=icon,
        raised=raised,
        ground=ground,
        look=np.where(page.has_tag(*PICTURES, *CONTROLS) & (page.parent >= 0), look[page.parent], look),
        rules=np.concatenate([box[rule | thin], _borders(box, boxed & ~solid, sides)]),
    )


def line_height(seen: VisibleBoxes) -> float:
    """Return the height of the lines that most of the page's text stands on, CSS pixels."""
    height, width = seen.line[:, 3] - seen.line[:, 1], seen.line[:, 2] - seen.line[:, 0]
    if not len(height):
        return LINE
    order = np.argsort(height, kind="stable")
    reach = np.cumsum(width[order])
    return float(height[order][np.searchsorted(reach, reach[-1] / 2)])


def _backgrounds(page: Page, geometry: Geometry) -> NDArray[np.uint32]:
    """uint32 (nodes,): the colour behind what stands in each node."""
    color = geometry.background.copy()
    alpha = color & 0xFF
    standing = page.nearest(alpha > 0)
    for row in np.flatnonzero((alpha > 0) & (alpha < 0xFF)).tolist():
        above = int(standing[page.parent[row]]) if page.parent[row] >= 0 else -1
        color[row] = _blend(int(color[row]), int(color[above]) if above >= 0 else int(WHITE))
    ground: NDArray[np.uint32] = np.where(standing >= 0, color[standing], WHITE)
    return ground


def _blend(over: int, under: int) -> int:
    """Lay a translucent colour over an opaque one."""
    alpha = (over & 0xFF) / 255
    mixed = [round((over >> bits & 0xFF) * alpha + (under >> bits & 0xFF) * (1 - alpha)) for bits in (24, 16, 8)]
    return mixed[0] << 24 | mixed[1] << 16 | mixed[2] << 8 | 0xFF


def _appearance(
    page: Page, geometry: Geometry, ground: NDArray[np.uint32], flat: BoolColumn
) -> tuple[NDArray[np.int64], FloatArray]:
    """Return the look of each node's box, and the widths of its borders."""
    look, paint = ground.astype(np.int64), geometry.paint
    if paint is None:
        return look, np.zeros((len(page), 4))
    sides = paint.border.astype(np.float64)
    edged = ((sides > 0).sum(axis=1) > 2) | paint.shadow
    return look | (paint.image & ~flat).astype(np.int64) << 32 | edged.astype(np.int64) << 33, sides


def _is_painted(page: Page, look: NDArray[np.int64]) -> BoolColumn:
    """bool (nodes,): boxes with a picture, border or shadow, or whose colour differs from what is around them."""
    under = look[page.parent]
    far = np.zeros(len(page), dtype=bool)
    for bits in (24, 16, 8):
        far |= np.abs((look >> bits & 0xFF) - (under >> bits & 0xFF)) >= _ALIKE
    return (look >> 32 > 0) | (far & (page.parent >= 0))


def _own_boxes(page: Page, seen: VisibleBoxes, box: FloatArray, solid: BoolColumn) -> FloatArray:
    """Return the box of each node's own lines and paint; none begins at infinity."""
    own = np.concatenate([np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)], axis=1)
    assert page.geometry is not None
    rows, line = page.leaves[seen.leaf], np.clip(seen.line, 0.0, [*page.geometry.size, *page.geometry.size])
    np.minimum.at(own[:, :2], rows, line[:, :2])
    np.maximum.at(own[:, 2:], rows, line[:, 2:])
    own[solid] = box[solid]
    return own


def _borders(box: FloatArray, bare: BoolColumn, sides: FloatArray) -> FloatArray:
    """Return the borders of boxes that have some, but not all around: top, right, bottom, left."""
    rows = np.flatnonzero(bare & (sides > 0).any(axis=1))
    left, top, right, bottom = box[rows].T
    above, beside_right, below, beside_left = sides[rows].T
    found = [
        (left, top, right, top + above),
        (right - beside_right, top, right, bottom),
        (left, bottom - below, right, bottom),
        (left, top, left + beside_left, bottom),
    ]
    lines = [np.stack(side, axis=1)[sides[rows, number] > 0] for number, side in enumerate(found)]
    rules: FloatArray = np.concatenate(lines).reshape(-1, 4)
    return rules
