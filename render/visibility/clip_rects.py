"""Through what each node of a page is seen: boxes that clip, boxes that scroll, frames, the window itself.

What a box clips or scrolls is what is placed inside it: an absolutely positioned node escapes what lies between it and
its nearest positioned ancestor, a fixed one escapes all but what holds it (CSS Positioned Layout 3, section 2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.geometry import Geometry, Position
from ...page.page import Page
from .computed_styles import Styles

#: Text seen through less than this, in CSS pixels, cannot be read however one scrolls.
SLIT = 4.0
_STATIC, _ABSOLUTE, _FIXED = int(Position.STATIC), int(Position.ABSOLUTE), int(Position.FIXED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """One document of a page: the page's own, or that of a frame.

    Attributes
    ----------
    document : int
        Its number in the snapshot.
    row : int
        Its root element.
    owner : int
        The element that shows it; -1 for the page's own.
    place : tuple of float
        ``(left, top, right, bottom)`` of its own window in CSS pixels of the page, when it is not scrolled.
    content : tuple of float
        ``(width, height)`` of all that can be scrolled to, in the same pixels.
    scrolls : tuple of bool
        Whether a person can scroll it, horizontally and vertically.
    backward : bool
        Whether it is scrolled to the left: its text runs from the right, or its lines do.
    """

    document: int
    row: int
    owner: int
    place: tuple[float, float, float, float]
    content: tuple[float, float]
    scrolls: tuple[bool, bool] = (True, True)
    backward: bool = False

    def styled(self, page: Page, styles: Styles) -> PageFrame:
        """Return it as the styles of its root, or else of its body, have it scroll."""
        body = body_of(page, self.row)
        ruling = self.row
        if body >= 0 and not (styles.clips[self.row] | styles.scrolls[self.row]).any():
            ruling = body
        free = ~styles.clips[ruling]
        backward = any(styles.runs_backward[row] for row in (self.row, body) if row >= 0)
        scrolls = (self.scrolls[0] and bool(free[0]), self.scrolls[1] and bool(free[1]))
        return replace(self, scrolls=scrolls, backward=backward)


def body_of(page: Page, root: int) -> int:
    """Return the body of the document with this root; -1 where it has none."""
    bodies = np.flatnonzero(page.has_tag("body", "frameset") & (page.parent == root))
    return int(bodies[0]) if len(bodies) else -1


@dataclass(frozen=True, kw_only=True, eq=False)
class ClipRects:
    """Each window once, outer ones before inner ones; positions are corners in CSS pixels of the page.

    Attributes
    ----------
    through : int32 (nodes,)
        The window that each node is seen through.
    row : int32 (windows,)
        The node that makes it; that of the document's root for the windows of documents.
    above : int32 (windows,)
        The window around it, -1 for the outermost.
    surface : int32 (windows,)
        The window whose content moves as one with what is seen through this one: the nearest that scrolls.
    low, high : float64 (windows, 2)
        What is cut off outside of.
    first, last : float64 (windows, 2)
        What no scrolling reaches outside of.
    shut : bool (windows,)
        Nothing can be read through it.
    scroller : int32 (windows,)
        The element that scrolls what is seen through it, -1 where the document does.
    fixed : bool (windows,)
        What is seen through it does not move when the document is scrolled.
    frame : int32 (windows,)
        The index of the document.
    """

    through: IntColumn
    row: IntColumn
    above: IntColumn
    surface: IntColumn
    low: FloatArray
    high: FloatArray
    first: FloatArray
    last: FloatArray
    shut: BoolColumn
    scroller: IntColumn
    fixed: BoolColumn
    frame: IntColumn


def clip_rects(
    page: Page,
    geometry: Geometry,
    *,
    frames: Sequence[PageFrame] = (),
    margins: FloatArray | None = None,
    boxless: BoolColumn | None = None,
) -> ClipRects:
    """Find the windows of a page.

    Parameters
    ----------
    page : Page
    geometry : Geometry
    frames : sequence of PageFrame
        The page's documents; without them nothing is out of reach and frames clip nothing.
    margins : float (nodes,), optional
        How far what is cut off may stand out (``overflow-clip-margin``).
    boxless : bool (nodes,), optional
        Nodes whose ``overflow`` is another's: what the root of a document hands on to the window.
    """
    return _ClipFinder(page, geometry, frames, margins, boxless).found()


@dataclass(slots=True)
class _Window:
    """A window while they are found; see :class:`ClipRects`."""

    row: int
    above: int
    surface: int
    frame: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    first: NDArray[np.float64] = field(default_factory=lambda: np.full(2, -np.inf))
    last: NDArray[np.float64] = field(default_factory=lambda: np.full(2, np.inf))
    shut: bool = False
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
        self.windows: list[_Window] = []

    def found(self) -> ClipRects:
        starts = {frame.row: number for number, frame in enumerate(self.frames)}
        outer = _Window(-1, -1, 0, 0, np.full(2, -np.inf), np.full(2, np.inf))
        self.windows.append(outer)
        through = np.zeros(len(self.page), dtype=np.int32)
        #: For what is in the flow, absolute and fixed inside of a node: the windows that it is seen through.
        flow, absolute, fixed = (np.zeros(len(self.page), dtype=np.int32) for _ in range(3))
        position = self.geometry.position
        lifted = (position == Position.ABSOLUTE) | (position == Position.FIXED)
        either = self.clips | self.scrolls
        makes = either[:, 0] | either[:, 1]
        special = lifted | makes | self.holds | (position != Position.STATIC)
        special[np.fromiter(starts, dtype=np.int64, count=len(starts))] = True
        end = self.page.end
        for row in np.flatnonzero(special).tolist():
            above, stop = int(self.page.parent[row]), int(end[row])
            if row in starts:
                scrolled, still = self._document(starts[row], int(through[self.frames[starts[row]].owner]))
                through[row:stop] = flow[row:stop] = absolute[row:stop] = scrolled
                fixed[row:stop] = still
                if not (makes[row] or self.holds[row]):
                    continue
                above = row
            place = position[row]
            seen = fixed if place == _FIXED else absolute if place == _ABSOLUTE else flow
            own = int(seen[above]) if above >= 0 else 0
            inside = self._window(row, own) if makes[row] else own
            placing = self.holds[row] or place != _STATIC
            fixing, placed = int(fixed[above]) if above >= 0 else 0, int(absolute[above]) if above >= 0 else 0
            # What is inside of a node mostly has what is around it already.
            for column, value in (
                (flow, inside),
                (absolute, inside if placing else placed),
                (fixed, inside if self.holds[row] else fixing),
            ):
                if column[row] != value:
                    column[row:stop] = value
            if through[row] != inside:
                through[row:stop] = inside
            through[row] = own
        return self._columns(through)

    def _document(self, number: int, around: int) -> tuple[int, int]:
        """Make the two windows of a document: for what scrolls with it, and for what is fixed in it."""
        frame = self.frames[number]
        low, high = np.asarray(frame.place[:2]), np.asarray(frame.place[2:])
        made: list[int] = []
        for fixed in (False, True):
            window = _Window(frame.row, around, len(self.windows), number, np.full(2, -np.inf), np.full(2, np.inf))
            window.shut = frame.owner >= 0 and self._is_slit(around, low, high)
            window.fixed = fixed
            scrolls = np.asarray([False, False] if fixed else frame.scrolls)
            content = np.maximum(np.asarray(frame.content), high - low)
            window.first, window.last = low.copy(), np.where(scrolls, low + content, high)
            if frame.backward and scrolls[0]:
                window.first[0], window.last[0] = high[0] - content[0], high[0]
            if fixed:
                window.surface = made[0]
            made.append(len(self.windows))
            self.windows.append(window)
        return made[0], made[1]

    def _window(self, row: int, around: int) -> int:
        """Make the window of a box that clips or scrolls; what it scrolls is a surface of its own."""
        outer = self.windows[around]
        box = self.geometry.box[row].astype(np.float64)
        margin = self.margins[row] if self.margins is not None else 0.0
        low, high = box[:2] - margin, box[:2] + box[2:] + margin
        clips, scrolls = self.clips[row], self.scrolls[row] & ~self.clips[row]
        window = _Window(row, around, outer.surface, outer.frame, outer.low.copy(), outer.high.copy())
        window.first, window.last = outer.first, outer.last
        window.scroller, window.fixed = outer.scroller, outer.fixed
        if scrolls.any():
            window.shut = outer.shut or self._is_slit(around, low, high)
            window.surface, window.scroller = len(self.windows), row
            window.low, window.high = np.full(2, -np.inf), np.full(2, np.inf)
            window.first, window.last = np.where(scrolls, low, -np.inf), np.full(2, np.inf)
        else:
            window.shut = outer.shut
        window.low = np.where(clips, np.maximum(window.low, low), window.low)
        window.high = np.where(clips, np.minimum(window.high, high), window.high)
        self.windows.append(window)
        return len(self.windows) - 1

    def _is_slit(self, around: int, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
        outer = self.windows[around]
        size = np.minimum(np.minimum(high, outer.high), outer.last) - np.maximum(
            np.maximum(low, outer.low), outer.first
        )
        return outer.shut or bool((size < SLIT).any())

    def _columns(self, through: IntColumn) -> ClipRects:
        found = self.windows
        return ClipRects(
            through=through,
            row=np.asarray([one.row for one in found], dtype=np.int32),
            above=np.asarray([one.above for one in found], dtype=np.int32),
            surface=np.asarray([one.surface for one in found], dtype=np.int32),
            low=np.stack([one.low for one in found]),
            high=np.stack([one.high for one in found]),
            first=np.stack([one.first for one in found]),
            last=np.stack([one.last for one in found]),
            shut=np.asarray([one.shut for one in found], dtype=bool),
            scroller=np.asarray([one.scroller for one in found], dtype=np.int32),
            fixed=np.asarray([one.fixed for one in found], dtype=bool),
            frame=np.asarray([one.frame for one in found], dtype=np.int32),
        )
