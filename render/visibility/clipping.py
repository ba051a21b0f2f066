"""The boxes of lines, what clipping, scrolling and the window leave of them, and nodes that are not painted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn
from ...page.geometry import Geometry, Position
from ...page.page import Page
from .computed_styles import ROUND, Styles

_STATIC, _ABSOLUTE, _FIXED = int(Position.STATIC), int(Position.ABSOLUTE), int(Position.FIXED)
#: Which rectangle of its surroundings a node is in: that for content in the flow (0), absolute, or fixed.
_PLACES = {_ABSOLUTE: 1, _FIXED: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """One document of a page: the page's own, or that of a frame."""

    #: Index in the snapshot.
    document: int
    #: Its root element.
    row: int
    #: The frame element; -1 for the page's own.
    owner: int
    #: ``(left, top, right, bottom)`` of its window in CSS pixels of the page, when it is not scrolled.
    window: tuple[float, float, float, float]
    #: ``(width, height)`` of its scrollable area, in the same pixels.
    content: tuple[float, float]
    #: Whether a user can scroll it, horizontally and vertically.
    scrolls: tuple[bool, bool] = (True, True)
    #: Whether it scrolls to the left, because of its direction or writing mode.
    backward: bool = False

    def styled(self, page: Page, styles: Styles) -> PageFrame:
        """Return it with the scrolling that the styles of its root, or of its body, define."""
        body = body_of(page, self.row)
        deciding = self.row
        if body >= 0 and not (styles.clips[self.row] | styles.scrolls[self.row]).any():
            deciding = body
        free = ~styles.clips[deciding]
        backward = any(styles.runs_backward[row] for row in (self.row, body) if row >= 0)
        scrolls = (self.scrolls[0] and bool(free[0]), self.scrolls[1] and bool(free[1]))
        return replace(self, scrolls=scrolls, backward=backward)


def body_of(page: Page, root: int) -> int:
    """Return the body of the document with this root; -1 for none."""
    bodies = np.flatnonzero(page.has_tag("body", "frameset") & (page.parent == root))
    return int(bodies[0]) if len(bodies) else -1


@dataclass(frozen=True, kw_only=True, eq=False)
class ClipRects:
    """The distinct clip rectangles of a page, outer ones before inner ones; corners in CSS pixels of the page."""

    #: int32 (nodes,): The rectangle of each node.
    index: IntColumn
    #: int32 (rects,): The node that makes it; for a document the root.
    row: IntColumn
    #: int32 (rects,): The rectangle whose content moves together with the content of this one: the nearest that
    #: scrolls.
    surface: IntColumn
    #: float64 (rects, 2): What is outside is clipped.
    low: FloatArray
    high: FloatArray
    #: float64 (rects, 2): What is outside cannot be scrolled to.
    reach_low: FloatArray
    reach_high: FloatArray
    #: float64 (rects, 2): The part of the scrolling box, or window, around it that is not clipped itself.
    view_low: FloatArray
    view_high: FloatArray
    #: int32 (rects,): The element that scrolls its content, -1 for the document.
    scroller: IntColumn
    #: bool (rects,): Its content does not move when the document is scrolled.
    fixed: BoolColumn
    #: int32 (rects,): The index of the document.
    frame: IntColumn


def clip_rects(
    page: Page,
    geometry: Geometry,
    *,
    frames: Sequence[PageFrame] = (),
    margins: FloatArray | None = None,
    boxless: BoolColumn | None = None,
) -> ClipRects:
    """Compute the clip rectangles of a page; without its ``frames`` everything can be scrolled to.

    ``margins`` are those of ``overflow-clip-margin``, float (nodes,). The ``overflow`` of ``boxless`` nodes applies to
    another box, as that of a root element to the window.
    """
    return _ClipFinder(page, geometry, frames, margins, boxless).find()


@dataclass(slots=True)
class _Rect:
    """One row of :class:`ClipRects`."""

    row: int
    surface: int
    frame: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    reach_low: NDArray[np.float64] = field(default_factory=lambda: np.full(2, -np.inf))
    reach_high: NDArray[np.float64] = field(default_factory=lambda: np.full(2, np.inf))
    view_low: NDArray[np.float64] = field(default_factory=lambda: np.full(2, -np.inf))
    view_high: NDArray[np.float64] = field(default_factory=lambda: np.full(2, np.inf))
    scroller: int = -1
    fixed: bool = False


class _ClipFinder:
    def __init__(
        self,
        page: Page,
        geometry: Geometry,
        frames: Sequence[PageFrame],
        margins: FloatArray | None,
        boxless: BoolColumn | None,
    ) -> None:
        self.page, self.geometry, self.frames = page, geometry, frames
        self.margins = margins
        sized = np.isfinite(geometry.box[:, 0])
        paint = geometry.paint
        roots = page.has_tag("html", "body", "marquee", "iframe", "frame") if boxless is None else boxless
        own = (sized & ~roots)[:, None]
        self.clips = geometry.clips & own
        self.scrolls = paint.scrolls & own if paint is not None else np.zeros_like(self.clips)
        self.holds = paint.holds if paint is not None else np.zeros(len(page), dtype=bool)
        self.rects: list[_Rect] = []

    def find(self) -> ClipRects:
        starts = {frame.row: number for number, frame in enumerate(self.frames)}
        self.rects.append(_Rect(-1, 0, 0, np.full(2, -np.inf), np.full(2, np.inf)))
        index = np.zeros(len(self.page), dtype=np.int32)
        #: The rectangles for content of a node that is in the flow, absolute, and fixed.
        inner = [np.zeros(len(self.page), dtype=np.int32) for _ in range(3)]
        position = self.geometry.position
        makes: BoolColumn = np.asarray((self.clips | self.scrolls).any(axis=1))
        matters = makes | self.holds
        special = matters | (position != _STATIC)
        special[list(starts)] = True
        for row in np.flatnonzero(special).tolist():
            parent, stop = int(self.page.parent[row]), int(self.page.end[row])
            if row in starts:
                scrolled, unscrolled = self._add_document(starts[row], int(index[self.frames[starts[row]].owner]))
                for column, value in zip((*inner, index), (scrolled, scrolled, unscrolled, scrolled), strict=True):
                    column[row:stop] = value
                if not matters[row]:
                    continue
                parent = row
            holds = bool(self.holds[row])
            outer = [int(each[parent]) for each in inner] if parent >= 0 else [0, 0, 0]
            own = outer[_PLACES.get(int(position[row]), 0)]
            inside = self._add_box(row, own) if makes[row] else own
            holds_absolute = holds or position[row] != _STATIC
            values = (inside, inside if holds_absolute else outer[1], inside if holds else outer[2], inside)
            # Most nodes have the values of their surroundings already.
            for column, value in zip((*inner, index), values, strict=True):
                if column[row] != value:
                    column[row:stop] = value
            index[row] = own
        return self._columns(index)

    def _add_document(self, number: int, around: int) -> tuple[int, int]:
        """Add two rectangles for a document: for what scrolls with it, and for what is fixed in it."""
        frame = self.frames[number]
        low, high = np.asarray(frame.window[:2]), np.asarray(frame.window[2:])
        added: list[int] = []
        for fixed in (False, True):
            rect = _Rect(frame.row, len(self.rects), number, np.full(2, -np.inf), np.full(2, np.inf))
            if frame.owner >= 0:
                self._set_view(rect, around, low, high)
            rect.fixed = fixed
            scrolls = np.asarray([False, False] if fixed else frame.scrolls)
            content = np.maximum(np.asarray(frame.content), high - low)
            rect.reach_low, rect.reach_high = low.copy(), np.where(scrolls, low + content, high)
            if frame.backward and scrolls[0]:
                rect.reach_low[0], rect.reach_high[0] = high[0] - content[0], high[0]
            if fixed:
                rect.surface = added[0]
            added.append(len(self.rects))
            self.rects.append(rect)
        return added[0], added[1]

    def _add_box(self, row: int, around: int) -> int:
        """Add the rectangle of a box that clips or scrolls; a box that scrolls is a surface of its own."""
        outer = self.rects[around]
        box = self.geometry.box[row].astype(np.float64)
        margin = self.margins[row] if self.margins is not None else 0.0
        low, high = box[:2] - margin, box[:2] + box[2:] + margin
        clips, scrolls = self.clips[row], self.scrolls[row] & ~self.clips[row]
        rect = replace(outer, row=row, low=outer.low.copy(), high=outer.high.copy())
        if scrolls.any():
            self._set_view(rect, around, low, high)
            rect.surface, rect.scroller = len(self.rects), row
            rect.low, rect.high = np.full(2, -np.inf), np.full(2, np.inf)
            rect.reach_low, rect.reach_high = np.where(scrolls, low, -np.inf), np.full(2, np.inf)
        rect.low = np.where(clips, np.maximum(rect.low, low), rect.low)
        rect.high = np.where(clips, np.minimum(rect.high, high), rect.high)
        self.rects.append(rect)
        return len(self.rects) - 1

    def _set_view(self, rect: _Rect, around: int, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        """Set which part of a scrolling box is visible at some scroll position of what is around it."""
        outer = self.rects[around]
        rect.view_low = np.maximum(np.maximum(low, outer.low), outer.reach_low)
        rect.view_high = np.minimum(np.minimum(high, outer.high), outer.reach_high)

    def _columns(self, index: IntColumn) -> ClipRects:
        columns = {
            member.name: np.asarray([getattr(rect, member.name) for rect in self.rects]) for member in fields(_Rect)
        }
        whole = {name: column.astype(np.int32) for name, column in columns.items() if column.dtype == np.int64}
        return ClipRects(index=index, **columns | whole)


#: Text with less opacity counts as not shown.
MIN_OPACITY = 0.05
#: Type below this size, in CSS pixels, is uncertain; a screenshot decides (``pixels.pixel_check.HEIGHT``).
MIN_FONT_SIZE = 4.0
#: How far something moves to the left, up, right and down, in CSS pixels; the first two are 0 or negative.
Motion = tuple[float, float, float, float]
#: SVG elements whose content is painted only where another element refers to it (SVG 2, section 5.5).
_DEFINITIONS = ("defs", "symbol", "pattern", "mask", "clippath", "marker")
_REFERENCE = re.compile(r"""url\(["']?#([^"')]+)""")


def opacity_product(page: Page, geometry: Geometry) -> FloatColumn:
    """Return the product of the opacities of each node and its ancestors, float32 (nodes,)."""
    product = np.ones(len(page), dtype=np.float32)
    for row in np.flatnonzero(geometry.opacity != 1).tolist():
        product[row : page.end[row]] *= geometry.opacity[row]
    return product


@dataclass(frozen=True, kw_only=True)
class LineClips:
    """The lines of a page and their clip rectangles."""

    page: Page
    geometry: Geometry
    styles: Styles
    frames: Sequence[PageFrame]
    #: How far nodes with endless animations move.
    motion: Mapping[int, Motion] = field(default_factory=dict)

    @property
    def row(self) -> IntColumn:
        """int32 (lines,): the text node of each line."""
        return self.geometry.line_node

    @cached_property
    def opacity(self) -> FloatColumn:
        """float32 (nodes,): with that of the ancestors."""
        return opacity_product(self.page, self.geometry)

    @cached_property
    def unpainted(self) -> Unpainted:
        """The nodes that are not painted, or not where their boxes are."""
        return Unpainted(self.page, self.styles)

    @cached_property
    def rects(self) -> ClipRects:
        """The clip rectangles of the nodes."""
        margin = self.styles.pixels("overflow-clip-margin")
        return clip_rects(
            self.page,
            self.geometry,
            frames=self.frames,
            margins=np.where(self.styles.flags("overflow-x", "clip".__eq__), margin, 0.0),
            boxless=self._has_other_overflow(),
        )

    @cached_property
    def rect(self) -> IntColumn:
        """int32 (lines,): the clip rectangle of each line."""
        return self.rects.index[self.row]

    @cached_property
    def box(self) -> FloatArray:
        """float64 (lines, 4): the corners of each line; for an inexact line those of its drawing or marquee."""
        box = self.geometry.line_box.astype(np.float64)
        inexact = self.unpainted.inexact[self.row] & (box[:, 2:] > 0).all(axis=1)
        if inexact.any():
            outer = self.page.has_tag("svg", "marquee") & ~has_parent(self.page, self.unpainted.inexact)
            box[inexact] = self.geometry.box[self.page.nearest(outer)[self.row[inexact]]]
        box[:, 2:] += box[:, :2]
        return box + self._moves(box)

    @cached_property
    def moved(self) -> BoolColumn:
        """bool (lines,): the box is that of another moment of an animation."""
        corners = self.geometry.line_box[:, :2].astype(np.float64)
        moved: BoolColumn = (self.box[:, :2] != corners).any(axis=1) & ~self.unpainted.inexact[self.row]
        return moved

    def _moves(self, box: FloatArray) -> FloatArray:
        """Return how far an animation moves each line, at most, into its clip rectangle, float64 (lines, 4)."""
        moves = np.zeros((len(box), 2))
        rects = self.rects
        for row, motion in self.motion.items():
            rect = rects.index[row]
            low = np.maximum(rects.low[rect], rects.reach_low[rect])
            high = np.minimum(rects.high[rect], rects.reach_high[rect])
            lines = np.flatnonzero((self.row >= row) & (self.row < self.page.end[row]))
            # What is clipped inside moves together with the box that clips it.
            lines = lines[(self.rect[lines] == rect) & ~self.unpainted.inexact[self.row[lines]]]
            lowest, size = box[lines, :2], box[lines, 2:] - box[lines, :2]
            inside = np.clip(lowest, low, np.maximum(high - size, low))
            moves[lines] = np.clip(inside - lowest, motion[:2], motion[2:])
        return np.tile(moves, 2)

    @cached_property
    def clipped(self) -> FloatArray:
        """float64 (lines, 4): the corners of what clipping leaves of each line."""
        return self._within(self.box, self.rects.low, self.rects.high)

    @cached_property
    def reached(self) -> FloatArray:
        """float64 (lines, 4): the corners of the part of that which can be scrolled to."""
        return self._within(self.clipped, self.rects.reach_low, self.rects.reach_high)

    @cached_property
    def visible_part(self) -> tuple[FloatArray, FloatArray]:
        """float64 (lines,) twice: the left and right end of the visible part, as shares of the width."""
        box = self.box
        # Of a 3D rotation no edge says where it is clipped; what is scrolled away is not clipped.
        scrolled = self.rects.scroller[self.rect] >= 0
        corners = np.where(scrolled[:, None], self.clipped, self.reached)
        whole = self.unpainted.inexact[self.row] | self.page.below(self.styles.turned)[self.row]
        width = np.maximum(box[:, 2] - box[:, 0], 1e-6)
        left, right = (np.clip((corners[:, edge] - box[:, 0]) / width, 0.0, 1.0) for edge in (0, 2))
        return np.where(whole, 0.0, left), np.where(whole, 1.0, right)

    @cached_property
    def small(self) -> BoolColumn:
        """bool (nodes,): texts whose type is too small to be read unless it is enlarged."""
        size = self.geometry.font_size
        return (self.page.text >= 0) & (size > 0) & (size < MIN_FONT_SIZE) & ~self.unpainted.drawings

    @cached_property
    def in_round_corner(self) -> BoolColumn:
        """bool (lines,): a rounded corner may clip it."""
        found = np.zeros(len(self.row), dtype=bool)
        box, styles = self.geometry.box, self.styles
        rounded = (styles.paint.radius >= ROUND) & styles.clips.any(axis=1) & np.isfinite(box[:, 0])
        for row in np.flatnonzero(rounded).tolist():
            left, top, right, bottom = styles.inset(row, box[row])
            inside = (self.row > row) & (self.row < self.page.end[row])
            reached = self.reached
            outside = (reached[:, 0] < left) | (reached[:, 2] > right)
            found |= inside & outside & ((reached[:, 1] < top) | (reached[:, 3] > bottom))
        return found

    def _within(self, corners: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
        rect = self.rect
        return np.concatenate([np.maximum(corners[:, :2], low[rect]), np.minimum(corners[:, 2:], high[rect])], axis=1)

    def _has_other_overflow(self) -> BoolColumn:
        """Return the nodes whose overflow applies to the window or another box, bool (nodes,); CSS Overflow 3, 3.3."""
        found = self.page.has_tag("marquee", "iframe", "frame").copy()
        either = self.styles.clips | self.styles.scrolls
        own = either[:, 0] | either[:, 1]
        for frame in self.frames:
            found[frame.row] = True
            if (body := body_of(self.page, frame.row)) >= 0 and not own[frame.row]:
                found[body] = True
        return found


@dataclass(frozen=True, eq=False)
class Unpainted:
    """Nodes that are laid out but not painted, by reason; each column is bool (nodes,)."""

    page: Page
    styles: Styles

    @cached_property
    def drawings(self) -> BoolColumn:
        """Content of SVG images, whose texts are scaled."""
        page = self.page
        return page.below(page.has_tag("svg")) & ~page.below(page.has_tag("foreignobject"))

    @cached_property
    def inexact(self) -> BoolColumn:
        """Nodes whose boxes do not say where they are painted."""
        return self.drawings | self.page.below(self.page.has_tag("marquee"))

    @cached_property
    def closed(self) -> BoolColumn:
        """Closed details."""
        return self.page.has_tag("details") & (self.page.attribute("open") < 0)

    @cached_property
    def closed_details(self) -> BoolColumn:
        """Content of closed details, except for their summaries."""
        page, closed = self.page, self.closed
        summaries = page.has_tag("summary") & has_parent(page, closed)
        return is_inside(page, closed) & ~page.below(summaries) if closed.any() else closed

    @cached_property
    def definitions(self) -> BoolColumn:
        """Content of SVG definitions."""
        page = self.page
        return page.below(page.has_tag(*_DEFINITIONS) & page.below(page.has_tag("svg")))

    @cached_property
    def used_definitions(self) -> BoolColumn:
        """Content of SVG definitions that something refers to and may paint."""
        page, definitions = self.page, self.definitions
        if not definitions.any():
            return definitions
        used = {name for value in self._references() for name in _REFERENCE.findall(value)}
        names = page.attribute("id")
        named = np.zeros(len(page), dtype=bool)
        rows = np.flatnonzero((names >= 0) & page.below(page.has_tag("svg")))
        named[rows] = [page.strings[names[row]] in used for row in rows.tolist()]
        return definitions & page.below(named)

    def _references(self) -> Iterator[str]:
        """Yield values that may refer to an SVG element."""
        page = self.page
        for name in ("href", "xlink:href"):
            values = page.attribute(name)[page.has_tag("use")]
            yield from (f"url({page.strings[value]})" for value in values.tolist() if value >= 0)
        yield from (value for value in page.strings if "url(" in value and "#" in value)
        yield from (row[name] for row in self.styles.rows if row for name in ("clip-path", "mask-image"))

    @cached_property
    def skipped(self) -> BoolColumn:
        """Nodes that are not painted at all: hidden content, closed details, SVG definitions."""
        hidden = self.styles.where(lambda row: row["content-visibility"] == "hidden")
        return is_inside(self.page, hidden) | self.closed_details | self.definitions


def has_parent(page: Page, marked: BoolColumn) -> BoolColumn:
    """Return the nodes whose parent is marked, bool (nodes,)."""
    found: BoolColumn = (page.parent >= 0) & marked[page.parent]
    return found


def is_inside(page: Page, marked: BoolColumn) -> BoolColumn:
    """Return the nodes with a marked ancestor, bool (nodes,)."""
    return has_parent(page, page.below(marked))
