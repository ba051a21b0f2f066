"""Compute the clip rectangle of each node: by boxes that clip, boxes that scroll, frames, the window.

A box clips or scrolls the content that it is a containing block of: an absolutely positioned node escapes the boxes
between it and its nearest positioned ancestor, a fixed one escapes all but those that contain it (CSS Positioned
Layout 3, section 2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.geometry import Geometry, Position
from ...page.page import Page
from .computed_styles import Styles

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
