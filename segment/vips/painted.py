"""Painted parts of a page: pictures, controls, boxes with a background, border or shadow of their own, and rules.

VIPS segments the visible page. A painted box is visible as a whole, including its padding; a box without paint only by
its content. Lengths are relative to the height of the page's lines, so that the result is independent of zoom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, corners_of
from ...page.geometry import Geometry, Position
from ...page.page import Page
from ..visible_boxes import WHITE, VisibleBoxes, clipped, gathered

#: Replaced elements; the content inside them is part of them.
PICTURES = ("img", "image", "video", "canvas", "svg", "embed", "object", "audio", "math")
CONTROLS = ("button", "input", "textarea", "select", "meter", "progress")
#: Frames contain a document, which is segmented like the rest of the page.
_FRAMES = ("iframe", "frame")
#: Height of a line on a page without lines, as a share of the width of the window: 18 pixels of 1280.
LINE = 18.0 / 1280
#: In line heights: greatest thickness of a painted box that is a rule; greatest height and width of a picture that is
#: part of a line of text; height of a box below which a background picture is a bullet or icon.
_THIN, _LOW, _NARROW, _FLAT = 0.3, 1.5, 3.0, 3.0
#: Least visible difference of colours, of 255.
_SAME_COLOR = 3
#: Greatest opacity of an invisible element.
_FAINT = 0.02
#: In line heights: smallest side of a picture; smaller ones are tracking pixels or spacers.
_DOT = 0.15
#: Most boxes that are tested for covering others, the largest first.
_MOST_COVERING = 256
#: A box with this share of the page's area counts as the page.
_NEARLY_ALL = 0.5
#: Share of an element's box that a ground or frame of it covers.
_COVERED = 0.9
#: Displays of rows, whose children are as large as their track.
_ROWS = ("grid", "inline-grid", "flex", "inline-flex", "table-row")


@dataclass(frozen=True, kw_only=True, eq=False)
class Painted:
    """Painted extent and appearance of each node, and rules between nodes."""

    unit: float  # height of the page's lines in CSS pixels
    extent: FloatArray  # (nodes, 4): [left, top, right, bottom] of the visible extent of each node; NaN if invisible
    whole: BoolColumn  # (nodes,): pictures, controls and empty painted boxes: visible by themselves, never divided
    framed: BoolColumn  # (nodes,): boxes around content with a background, picture, border or shadow of their own
    icon: BoolColumn  # (nodes,): pictures inside a line of text
    raised: BoolColumn  # (nodes,): layers over the page, which do not count for the elements around them
    #: (nodes,): colour behind each node's content; translucent colours are blended with the one below
    ground: NDArray[np.uint32]
    #: (nodes,): code of the box's appearance: background, whether there is a picture, whether there is a border or
    #: shadow
    look: NDArray[np.int64]
    rules: FloatArray  # (rules, 4): [left, top, right, bottom] of each <hr>, thin bar, or border on one or two sides


def painted_on(page: Page, visible: VisibleBoxes, even: VisibleBoxes | None = None) -> Painted:
    """Return what is painted on a page with geometry; ``even`` has the lines by which the page is measured."""
    geometry = page.geometry
    assert geometry is not None
    unit = line_height(even or visible) or LINE * geometry.viewport[0]
    box = clipped(clipped(corners_of(geometry.box), visible.window), np.asarray([[0.0, 0.0, *geometry.size]]))
    size = np.nan_to_num(box[:, 2:] - box[:, :2])
    shown = (size > 0).all(axis=1) & ~geometry.invisible & (page.text < 0)
    shown &= ~page.below(geometry.opacity <= _FAINT)
    pictures = shown & page.has_tag(*PICTURES) & (size >= _DOT * unit).all(axis=1)
    controls = shown & page.has_tag(*CONTROLS)
    marks = pictures | controls
    marks[page.leaves[visible.leaf]] = True
    has_content = page.count_below(marks) > 0
    ground = _backgrounds(page, geometry)
    look, sides = _appearance(page, geometry, ground, has_content & (size[:, 1] < _FLAT * unit))
    has_box = shown & ~page.has_name(geometry.display, "inline", "contents", "ruby", "ruby-text")
    painted = has_box & _is_painted(page, look) & ~pictures & ~page.has_tag("html", "body", "hr")
    thin = painted & ~has_content & (size.min(axis=1) <= _THIN * unit)
    painted &= ~thin
    covers = _covers(page, box, (painted | pictures) & ~has_content, marks)
    for row, above in zip(covers.tolist(), page.parent[covers].tolist(), strict=True):
        # A later cover lies over an earlier one; a border or shadow stays visible.
        look[above] = look[row] | (int(pictures[row]) << 32) | (look[above] & 1 << 33)
        painted[above] = has_box[above] and not page.has_tag("html", "body")[above]
    painted[covers] = pictures[covers] = False
    whole = pictures | controls | (painted & ~has_content)
    inline = page.has_name(geometry.display, "inline", "inline-block")
    icon = pictures & inline & (size[:, 1] <= _LOW * unit) & (size[:, 0] <= _NARROW * unit)
    rule = shown & page.has_tag("hr")
    own = _own_boxes(page, visible, box, whole | painted | rule | (shown & page.has_tag(*_FRAMES)))
    marks[covers] = False
    extent = gathered(page, own)
    raised = raised_nodes(page, extent, painted | controls, marks)
    own = track_boxes(page, box, gathered(page, own, raised) if raised.any() else extent, raised)
    return Painted(
        unit=unit,
        extent=gathered(page, own, raised),
        whole=whole,
        framed=painted & has_content & page.block_level & ~page.below(pictures | controls),
        icon=icon,
        raised=raised,
        ground=ground,
        look=np.where(page.has_tag(*PICTURES, *CONTROLS) & (page.parent >= 0), look[page.parent], look),
        rules=np.concatenate([box[rule | thin], _borders(box, has_box & ~painted, sides)]),
    )


def _covers(page: Page, box: FloatArray, empty: BoolColumn, marks: BoolColumn) -> NDArray[np.int64]:
    """Return the painted boxes and pictures without content that are the ground or frame of their parent, int (n,).

    They are as large as their parent, which has other content: ``::before`` and ``::after``, pictures below text.
    """
    parent, size = page.parent, np.nan_to_num(box[:, 2:] - box[:, :2])
    rows = np.flatnonzero(empty & (parent >= 0))
    above = parent[rows]
    shared = np.minimum(box[rows, 2:], box[above, 2:]) - np.maximum(box[rows, :2], box[above, :2])
    covered = np.maximum(np.nan_to_num(shared), 0.0).prod(axis=1) >= _COVERED * size[above].prod(axis=1)
    others = page.count_below(marks)[above] > page.count_within(marks)[rows]
    covering: NDArray[np.int64] = rows[covered & others & (size[above] > 0).all(axis=1)]
    return covering


def line_height(visible: VisibleBoxes) -> float:
    """Return the height of the lines of most of the page's text, CSS pixels; 0 without any."""
    height, width = visible.line[:, 3] - visible.line[:, 1], visible.line[:, 2] - visible.line[:, 0]
    if not len(height):
        return 0.0
    order = np.argsort(height, kind="stable")
    reach = np.cumsum(width[order])
    return float(height[order][np.searchsorted(reach, reach[-1] / 2)])


def _backgrounds(page: Page, geometry: Geometry) -> NDArray[np.uint32]:
    color = geometry.background.copy()
    alpha = color & 0xFF
    painted_by = page.nearest(alpha > 0)
    for row in np.flatnonzero((alpha > 0) & (alpha < 0xFF)).tolist():
        above = int(painted_by[page.parent[row]]) if page.parent[row] >= 0 else -1
        color[row] = _blend(int(color[row]), int(color[above]) if above >= 0 else int(WHITE))
    return np.where(painted_by >= 0, color[painted_by], WHITE)


def _blend(over: int, under: int) -> int:
    alpha = (over & 0xFF) / 255
    mixed = [round((over >> bits & 0xFF) * alpha + (under >> bits & 0xFF) * (1 - alpha)) for bits in (24, 16, 8)]
    return mixed[0] << 24 | mixed[1] << 16 | mixed[2] << 8 | 0xFF


def _appearance(
    page: Page, geometry: Geometry, ground: NDArray[np.uint32], flat: BoolColumn
) -> tuple[NDArray[np.int64], FloatArray]:
    """Return the appearance code of each node's box, and the widths of its borders."""
    look, paint = ground.astype(np.int64), geometry.paint
    if paint is None:
        return look, np.zeros((len(page), 4))
    sides = paint.border.astype(np.float64)
    edged = ((sides > 0).sum(axis=1) > 2) | paint.shadow
    return look | (paint.image & ~flat).astype(np.int64) << 32 | edged.astype(np.int64) << 33, sides


def _is_painted(page: Page, look: NDArray[np.int64]) -> BoolColumn:
    """Return the boxes with a picture, border or shadow, or whose colour differs from their parent's, bool (nodes,)."""
    parent_look = look[page.parent]
    differs = np.zeros(len(page), dtype=bool)
    for bits in (24, 16, 8):
        differs |= np.abs((look >> bits & 0xFF) - (parent_look >> bits & 0xFF)) >= _SAME_COLOR
    return (look >> 32 > 0) | (differs & (page.parent >= 0))


def _own_boxes(page: Page, visible: VisibleBoxes, box: FloatArray, painted: BoolColumn) -> FloatArray:
    """Return the box of each node's own lines and paint; infinite for none."""
    own = np.concatenate([np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)], axis=1)
    assert page.geometry is not None
    rows, line = page.leaves[visible.leaf], np.clip(visible.line, 0.0, [*page.geometry.size, *page.geometry.size])
    np.minimum.at(own[:, :2], rows, line[:, :2])
    np.maximum.at(own[:, 2:], rows, line[:, 2:])
    own[painted] = box[painted]
    return own


def _borders(box: FloatArray, bare: BoolColumn, sides: FloatArray) -> FloatArray:
    """Return the borders of boxes with borders on some sides: top, right, bottom, left."""
    rows = np.flatnonzero(bare & (sides > 0).any(axis=1))
    left, top, right, bottom = box[rows].T
    top_width, right_width, bottom_width, left_width = sides[rows].T
    borders = [
        (left, top, right, top + top_width),
        (right - right_width, top, right, bottom),
        (left, bottom - bottom_width, right, bottom),
        (left, top, left + left_width, bottom),
    ]
    lines = [np.stack(side, axis=1)[sides[rows, number] > 0] for number, side in enumerate(borders)]
    return np.concatenate(lines).reshape(-1, 4)


def raised_nodes(page: Page, extent: FloatArray, painted: BoolColumn, marks: BoolColumn) -> BoolColumn:
    """Return the layers over the page, bool (nodes,): the outermost nodes above its normal flow.

    These are elements fixed to the window, and painted boxes with absolute or sticky position, and dialogs, that cover
    texts or pictures beyond the positioned box around them. ``extent`` is the visible extent of each node, ``painted``
    marks boxes with paint of their own, ``marks`` visible texts and pictures.
    """
    geometry = page.geometry
    assert geometry is not None
    visible = np.isfinite(extent[:, 0]) & (page.parent >= 0)
    raised: BoolColumn = visible & (geometry.position == Position.FIXED)
    positioned = np.isin(geometry.position, (Position.ABSOLUTE, Position.STICKY)) | page.has_tag("dialog")
    rows = np.flatnonzero(visible & painted & positioned & ~raised)
    if len(rows):
        _mark_covering(page, extent, rows, np.flatnonzero(marks & visible), raised)
    return raised & ~page.below(raised)[page.parent]


def _mark_covering(page: Page, extent: FloatArray, rows: np.ndarray, marks: np.ndarray, raised: BoolColumn) -> None:
    geometry = page.geometry
    assert geometry is not None
    containing = page.nearest(geometry.position > Position.STATIC)[page.parent[rows]]
    area = (extent[:, 2] - extent[:, 0]) * (extent[:, 3] - extent[:, 1])
    order = np.argsort(-area[rows], kind="stable")[:_MOST_COVERING]
    center = (extent[marks, :2] + extent[marks, 2:]) / 2
    paint = geometry.paint_order
    for row, container in zip(rows[order].tolist(), containing[order].tolist(), strict=True):
        inside = ((center > extent[row, :2]) & (center < extent[row, 2:])).all(axis=1)
        inside &= (marks < row) | (marks >= page.end[row])
        if container >= 0 and area[container] < _NEARLY_ALL * area[0]:
            inside &= (marks < container) | (marks >= page.end[container])
        below = (paint[marks] < paint[row]) | ((paint[marks] == paint[row]) & (marks < row))
        raised[row] = bool((inside & below).any())


def track_boxes(page: Page, box: FloatArray, extent: FloatArray, excluded: BoolColumn) -> FloatArray:
    """Return extents in which boxes in tracks of equal width fill their track except for common padding.

    Ragged text would make the gaps between equal tracks unequal. Siblings of the same tag and width are tracks if a
    grid, flex box or table row contains them, or if some of them are side by side (floats, inline blocks). ``box`` and
    ``extent``, float64 (nodes, 4), are ``[left, top, right, bottom]`` as laid out and as visible. An invisible node has
    an empty extent (infinite corners).
    """
    geometry = page.geometry
    assert geometry is not None
    filled = np.where(np.isfinite(extent), extent, [np.inf, np.inf, -np.inf, -np.inf])
    usable = np.isfinite(extent[:, 0]) & np.isfinite(box[:, 0]) & (page.text < 0) & ~excluded & (page.parent >= 0)
    rows = np.flatnonzero(usable & page.block_level)
    if not len(rows):
        return filled
    width = np.rint(box[rows, 2] - box[rows, 0]).astype(np.int64)
    key = np.stack([page.parent[rows], page.tag[rows], width])
    order = np.lexsort(key[::-1])
    rows, key = rows[order], key[:, order]
    starts = np.ones(len(rows), dtype=bool)
    starts[1:] = (np.diff(key) != 0).any(axis=0)
    group = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    placed = page.has_name(geometry.display, *_ROWS)[page.parent[rows]] | _has_row_neighbour(box, rows, group)
    tracked = np.maximum.reduceat(placed, first) & (np.bincount(group) > 1)
    signs = np.asarray([1.0, 1.0, -1.0, -1.0])
    padding = np.maximum((extent[rows] - box[rows]) * signs, 0.0)
    common = np.minimum.reduceat(padding, first)[group]
    track_box = box[rows] + common * signs
    in_track = tracked[group]
    tracked_rows = rows[in_track]
    filled[tracked_rows, :2] = np.minimum(filled[tracked_rows, :2], track_box[in_track, :2])
    filled[tracked_rows, 2:] = np.maximum(filled[tracked_rows, 2:], track_box[in_track, 2:])
    return filled


def _has_row_neighbour(box: FloatArray, rows: np.ndarray, group: np.ndarray) -> BoolColumn:
    order = np.lexsort((box[rows, 1], group))
    same = (np.diff(group[order]) == 0) & (np.abs(np.diff(box[rows, 1][order])) <= 1)
    has_neighbour = np.zeros(len(rows), dtype=bool)
    has_neighbour[order[1:]] |= same
    has_neighbour[order[:-1]] |= same
    return has_neighbour
