"""Hit tests by geometry: which part of an element a click reaches, and what covers the rest.

A browser gives a click to the topmost box at the point, painted or not (CSSOM View, ``elementFromPoint``). Each element
is sampled at several points of its own surface: what scrolls together. Boxes that stay in the window cover a point only
if they do at each scroll position that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...page.arrays import HALF, BoolColumn, FloatArray, IntColumn, corners_of
from ...page.geometry import Geometry, Position
from ...page.html import BELOW, HAND, IGNORES_POINTER, LISTENS, MODAL, POINTER
from ...page.page import Page
from ...render.visibility.clipping import ClipRects, PageFrame, clip_rects

#: Sample points across and down a box.
_ACROSS, _DOWN = 5, 3
#: Most fragments of an element that are sampled.
_MOST_FRAGMENTS = 4
#: Elements whose own box is hit although they are inline.
_REPLACED = tuple("img video audio canvas svg object embed iframe input textarea select button meter progress".split())
_INLINE = ("inline", "contents", "ruby", "ruby-text", "ruby-base")
#: Displays whose children may overlap on purpose; in other flows a later box that overlaps lies behind a float.
_OVERLAPPING = ("grid", "inline-grid", "flex", "inline-flex")


def _shares(count: int) -> list[float]:
    """Return the middles of equal parts of a side, as shares of it, from the middle of the side outwards."""
    return sorted(((np.arange(count) + HALF) / count).tolist(), key=lambda share: abs(share - HALF))


#: The sample points, as shares of width and height; the middle, where programs click, is the first.
POINTS = np.asarray([(x, y) for y in _shares(_DOWN) for x in _shares(_ACROSS)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Result of the hit test of one element."""

    #: ``(x, y)`` in CSS pixels of the document at which a click reaches it; None for none.
    point: tuple[float, float] | None
    #: Whether that is the middle of its first box, where programs click.
    is_middle: bool = True
    #: Share of its sampled points that are not covered, 0 to 1.
    free: float
    #: The row of what covers most of the other points; -1 for none.
    cover: int
    #: Whether a box around it clips it wholly at present.
    is_clipped: bool = False
    #: ``(left, top, right, bottom)`` of the part that clipping leaves; of the whole box if that is nothing.
    box: tuple[float, ...]


def _missed(box: tuple[float, ...], cover: int = -1) -> Hit:
    return Hit(point=None, free=0.0, cover=cover, box=box)


def _are_large(boxes: FloatArray) -> BoolColumn:
    """Return the boxes that can be hit, bool (boxes,): text for screen readers is often one pixel large."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2] > 1).all(axis=1))


class HitTest:
    """Hit tests on one rendered page; ValueError for a page without geometry."""

    def __init__(self, page: Page) -> None:
        if page.geometry is None:
            raise ValueError("clicks need geometry: render the page with Browser().open(...)")
        self.page, self.geometry = page, page.geometry
        self.frames = _frames(page, page.geometry)
        self.rects: ClipRects = clip_rects(page, page.geometry, frames=self.frames)
        self.scroll = _scroll(page)
        words = {
            word: page.attribute_matches(POINTER, lambda value, word=word: word in value.split())  # type: ignore[misc]
            for word in (IGNORES_POINTER, BELOW, MODAL, HAND, LISTENS)
        }
        self.ignored = words[IGNORES_POINTER] | page.below(page.attribute("inert") >= 0) | self._outside(words[MODAL])
        self.reacts = words[HAND] | words[LISTENS] | page.has_tag("a") | (page.attribute("role") >= 0)
        self.below = page.below(words[BELOW])
        self._open_ports: dict[int, tuple[bool, int]] = {}
        self._collect_areas()

    def _outside(self, modal: BoolColumn) -> BoolColumn:
        """Return what the uppermost modal dialog of each document makes inert, bool (nodes,)."""
        inert = np.zeros(len(self.page), dtype=bool)
        document = self.page.nearest(self.page.has_tag("html"))
        for root in np.unique(document[modal]).tolist():
            dialogs = np.flatnonzero(modal & (document == root))
            top = int(dialogs[self.geometry.paint_order[dialogs].argmax()])
            inert[root : self.page.end[root]] = True
            inert[top : self.page.end[top]] = False
        return inert

    def _collect_areas(self) -> None:
        """Collect the boxes that take clicks: those of elements, and the lines of inline ones."""
        page, geometry = self.page, self.geometry
        box = corners_of(geometry.box)
        inline = page.has_name(geometry.display, *_INLINE) & ~page.has_tag(*_REPLACED)
        # Of the shapes of a drawing those of its controls take clicks, of the others the drawing.
        drawing = page.has_tag("svg")
        inside_drawn = page.below((drawing | page.has_tag("select"))[page.parent] & (page.parent >= 0))
        inside_drawn &= ~(page.below(self.reacts & page.below(drawing) & ~drawing))
        takes = ~geometry.invisible & ~self.ignored & ~inside_drawn & (page.text < 0)
        own = takes & np.isfinite(box[:, 0]) & ~page.has_tag("html", "body", "area", "option")
        own &= ~inline | self._is_one_line(inline)
        rows = np.flatnonzero(own)
        holder = page.parent[geometry.line_node]
        lines = np.flatnonzero((holder >= 0) & takes[holder])
        area = np.concatenate([box[rows], corners_of(geometry.line_box)[lines]])
        row = np.concatenate([rows, holder[lines]]).astype(np.int32)
        # What a line covers is what its text covers: text is above the boxes of its layer.
        is_text = np.concatenate([inline[rows], np.ones(len(lines), dtype=bool)])
        rect = self.rects.index[row]
        low, high = self.rects.low[rect], self.rects.high[rect]
        clipped = np.concatenate([np.maximum(area[:, :2], low), np.minimum(area[:, 2:], high)], axis=1)
        kept = (clipped[:, 2:] > clipped[:, :2]).all(axis=1)
        self.row, self.area, rect = row[kept], clipped[kept], rect[kept]
        order = geometry.paint_order[self.row].astype(np.int64)
        atomic = page.below(page.has_name(geometry.display, "inline-block", "inline-flex", "inline-grid", *_INLINE))
        phase = (is_text[kept] | atomic[self.row]).astype(np.int64)
        self.order, self.phase = order, phase
        self.key = self._ranks(order, phase)
        self.surface = self.rects.surface[rect]
        self.stays = self.stays_in_window[self.row]

    def _ranks(self, order: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Return the ranks of the areas from the lowest up, int64 (areas,)."""
        page, paint_order = self.page, self.geometry.paint_order
        first, second, third = order.copy(), phase.copy(), self.row.astype(np.int64)
        # An element with a negative z-index is directly above the box of its stacking context: of the nearest element
        # around it that is painted before it, with the part of the page that is painted at once with that.
        lowered = page.nearest(self.below & ~np.where(page.parent >= 0, self.below[page.parent], False))
        for row in np.unique(lowered[self.row[self.below[self.row]]]).tolist():
            context = int(page.parent[row])
            while context > 0 and paint_order[context] >= paint_order[row]:
                context = int(page.parent[context])
            while page.parent[context] >= 0 and paint_order[page.parent[context]] == paint_order[context]:
                context = int(page.parent[context])
            inside = (self.row >= row) & (self.row < page.end[row])
            first[inside], second[inside], third[inside] = paint_order[context], 0, context
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[np.lexsort((self.row, phase, order, third, second, first))] = np.arange(len(order))
        return ranks

    @cached_property
    def _scrollable(self) -> float:
        """How far the page scrolls down, in CSS pixels."""
        return max(self.geometry.size[1] - self.geometry.viewport[1], 0.0)

    @cached_property
    def stays_in_window(self) -> BoolColumn:
        """bool (nodes,): nodes that stay in the window, or may, when the page is scrolled: fixed and sticky ones."""
        rect = self.rects.index
        of_page = self.rects.frame[rect] == 0
        sticky = self.page.below(self.geometry.position == Position.STICKY) & (self._scrollable > 1.0)
        stays: BoolColumn = of_page & (self.rects.fixed[rect] | (sticky & (self.rects.surface[rect] <= 1)))
        return stays

    def _is_one_line(self, inline: BoolColumn) -> BoolColumn:
        """Return the inline elements whose box is about as high as one line, bool (nodes,)."""
        *_, height = self.geometry.box.T
        return np.asarray(inline & (np.nan_to_num(height) < 2 * self.geometry.font_size))

    def of(self, row: int) -> Hit:
        """Return the result for an element."""
        fragments = self._fragments(row)
        if not len(fragments) or self.geometry.invisible[row]:
            return _missed((0.0, 0.0, 0.0, 0.0))
        rect = int(self.rects.index[row])
        low, high = self.rects.low[rect], self.rects.high[rect]
        visible = np.concatenate([np.maximum(fragments[:, :2], low), np.minimum(fragments[:, 2:], high)], axis=1)
        shown = _are_large(visible)
        if not shown.any():
            return self._of_clipped(row, rect, fragments)
        boxes = visible[shown]
        whole = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
        if not self._is_reachable(rect, boxes) or self.ignored[row]:
            return _missed(whole)
        points = (boxes[:, None, :2] + (boxes[:, None, 2:] - boxes[:, None, :2]) * POINTS).reshape(-1, 2)
        covers = self._covers(row, rect, points)
        port_is_open, port_cover = self._port(int(self.rects.surface[rect]))
        if not port_is_open:
            return _missed(whole, port_cover)
        free = covers < 0
        cover = -1 if free.all() else int(np.bincount(covers[~free]).argmax())
        first = int(free.argmax()) if free.any() else -1
        point = None if first < 0 else (float(points[first, 0]), float(points[first, 1]))
        return Hit(point=point, is_middle=first == 0, free=float(free.mean()), cover=cover, box=whole)

    def _of_clipped(self, row: int, rect: int, fragments: FloatArray) -> Hit:
        """Return the result for an element that a box clips wholly: programs scroll hidden overflow to the end."""
        box = fragments[0]
        makers = self.rects.row[rect]
        clip = corners_of(self.geometry.box[[makers]])
        ahead = makers >= 0 and _are_large(np.stack([box, *clip])).all() and bool((box[:2] >= clip[0, :2] - 1).all())
        inside = ahead and not self.ignored[row] and self.of(int(makers)).free > 0
        left, top, right, bottom = whole = tuple(box.tolist())
        middle = ((left + right) / 2, (top + bottom) / 2) if inside else None
        return Hit(point=middle, free=float(ahead), cover=-1, is_clipped=True, box=whole)

    def _fragments(self, row: int) -> FloatArray:
        """Return the boxes of an element, float64 (fragments, 4): one, or of an inline element one for each line."""
        page, geometry = self.page, self.geometry
        box = corners_of(geometry.box[row : row + 1])
        if not np.isfinite(box[0, 0]) or (box[0, 2:] - box[0, :2] <= 0).any():
            return box[:0]
        inline = page.has_name(geometry.display[row : row + 1], *_INLINE)[0] and page.tag_of(row) not in _REPLACED
        if not inline:
            return box
        first, last = np.searchsorted(geometry.line_node, [row, page.end[row]]).tolist()
        lines = corners_of(geometry.line_box[first:last])
        lines = lines[(lines[:, 2:] > lines[:, :2]).all(axis=1)]
        _, tops, _, bottoms = lines.T
        if not len(lines) or np.ptp(box[0, 1::2]) < 2 * (bottoms - tops)[0]:
            return box
        fragments: list[FloatArray] = []
        for line, height in zip(lines, bottoms - tops, strict=True):
            if fragments and abs(line[1] - fragments[-1][1]) < height / 2:
                last_one = fragments[-1]
                fragments[-1] = np.concatenate([np.minimum(last_one[:2], line[:2]), np.maximum(last_one[2:], line[2:])])
            elif len(fragments) < _MOST_FRAGMENTS:
                fragments.append(line)
        return np.stack(fragments)

    def _is_reachable(self, rect: int, boxes: FloatArray) -> bool:
        """Return whether scrolling reaches a part of some boxes, which must not be before the start of the page."""
        reach_low, reach_high = self.rects.reach_low[rect].copy(), self.rects.reach_high[rect]
        if self.rects.scroller[rect] >= 0:
            reach_low[:] = -np.inf
        if self.rects.fixed[rect] and self.rects.frame[rect] == 0:
            reach_low, reach_high = reach_low + self.scroll, reach_high + self.scroll
        low, high = np.maximum(boxes[:, :2], reach_low), np.minimum(boxes[:, 2:], reach_high)
        return bool(_are_large(np.concatenate([low, high], axis=1)).any())

    def _covers(self, row: int, rect: int, points: FloatArray) -> np.ndarray:
        """Return the row of what covers each point of an element, -1 for a point that a click reaches."""
        covers = np.full(len(points), -1, dtype=np.int64)
        surface, stays = int(self.rects.surface[rect]), bool(self.stays_in_window[row])
        low, high = points.min(axis=0), points.max(axis=0)
        same = self._near(low, high)
        same = same[(self.surface[same] == surface) & (self.stays[same] == stays)]
        own = np.full(len(points), -1, dtype=np.int64)
        if len(same):
            inside = self._contains(same, points)
            key = np.where(inside, self.key[same], -np.inf)
            top = key.argmax(axis=1)
            hit, any_hit = self.row[same[top]], inside.any(axis=1)
            mine = (hit >= row) & (hit < self.page.end[row])
            mine_keys = np.where(
                inside & ((self.row[same] >= row) & (self.row[same] < self.page.end[row])), key, -np.inf
            )
            own = np.where(np.isfinite(mine_keys.max(axis=1)), mine_keys.max(axis=1), -1).astype(np.int64)
            behind = np.asarray([self._lies_behind(row, int(area)) for area in same[top]], dtype=bool)
            covers = np.where(any_hit & ~mine & ~(behind & (own >= 0)), hit, -1)
            covers = np.where(~any_hit, self.page.parent[row], covers)
        if not stays and surface <= 1:
            staying = self._staying
            left, _, right, _ = self.area[staying].T
            near = (self.surface[staying] == surface) & (left <= high[0]) & (right >= low[0])
            self._cover_by_staying(staying[near], row, points, own, covers)
        return covers

    def _near(self, low: FloatArray, high: FloatArray) -> np.ndarray:
        """Return the areas that touch a box, in any order."""
        by_top, tops, reach, tall = self._index
        # Of the areas by their tops none before the first reaches the box, and none after the last starts above it.
        first, last = np.searchsorted(reach, low[1]), np.searchsorted(tops, high[1], side="right")
        near = np.concatenate([tall, by_top[first:last]])
        area = self.area[near]
        touches: BoolColumn = (area[:, :2] <= high).all(axis=1) & (area[:, 2:] >= low).all(axis=1)
        return near[touches]

    @cached_property
    def _index(self) -> tuple[np.ndarray, FloatArray, FloatArray, np.ndarray]:
        """The areas by their tops, those tops, the lowest bottom up to each; and the tall areas, in no order."""
        _, top, _, bottom = self.area.T
        is_tall = bottom - top > self.geometry.viewport[1]
        rows = np.flatnonzero(~is_tall)
        by_top = rows[np.argsort(top[rows], kind="stable")]
        return by_top, top[by_top], np.maximum.accumulate(bottom[by_top]), np.flatnonzero(is_tall)

    @cached_property
    def _staying(self) -> np.ndarray:
        """The areas that stay in the window."""
        return np.flatnonzero(self.stays)

    def _contains(self, areas: IntColumn | np.ndarray, points: FloatArray) -> BoolColumn:
        x, y = points[:, :1], points[:, 1:]
        left, top, right, bottom = self.area[areas].T
        inside: BoolColumn = (x >= left) & (x < right) & (y >= top) & (y < bottom)
        return inside

    def _lies_behind(self, row: int, area: int) -> bool:
        """Return whether a later box of the same layer is behind an element: the box of the text next to a float."""
        other = int(self.row[area])
        if self.phase[area] or self.order[area] != self.geometry.paint_order[row] or other <= row:
            return False
        above = int(self.page.parent[other])
        placed = self.page.has_name(self.geometry.display[above : above + 1], *_OVERLAPPING)[0] if above >= 0 else False
        return not placed and self.geometry.position[other] in (Position.STATIC, Position.RELATIVE)

    def _cover_by_staying(
        self, staying: np.ndarray, row: int, points: FloatArray, own: np.ndarray, covers: np.ndarray
    ) -> None:
        """Mark points that boxes fixed to the window cover at each scroll position, in ``covers``."""
        inside_own = (self.row[staying] >= row) & (self.row[staying] < self.page.end[row])
        staying = staying[~inside_own]
        if not len(staying):
            return
        window = self.geometry.viewport[1]
        left, top, right, bottom = self.area[staying].T
        top, bottom = top - self.scroll[1], bottom - self.scroll[1]
        for number, (x, y) in enumerate(points.tolist()):
            over = (x >= left) & (x < right) & (self.key[staying] > own[number])
            if not over.any():
                continue
            lowest, highest = max(y - self._scrollable, 0.0), min(y, window)
            position = lowest
            blocked = -1
            for index in np.flatnonzero(over)[np.argsort(top[over], kind="stable")].tolist():
                if top[index] <= position + 1 and bottom[index] > position:
                    position, blocked = float(bottom[index]), int(self.row[staying[index]])
            if blocked >= 0 and position >= highest - 1:
                covers[number] = blocked

    def _port(self, surface: int) -> tuple[bool, int]:
        """Return whether the box that shows a surface is open somewhere, and the row of what covers it."""
        if surface not in self._open_ports:
            self._open_ports[surface] = (True, -1)  # also for a damaged page, in which a box shows itself
            scroller = int(self.rects.scroller[surface])
            frame = self.frames[int(self.rects.frame[surface])] if self.frames else None
            owner = scroller if scroller >= 0 else frame.owner if frame else -1
            if owner >= 0:
                hit = self.of(owner)
                self._open_ports[surface] = (hit.point is not None, hit.cover)
        return self._open_ports[surface]


def _scroll(page: Page) -> FloatArray:
    """Return how far the window was scrolled when the page was captured, float64 (2,)."""
    numbers = page.environment.get("scroll", "").split()
    return np.asarray([float(number) if number.lstrip("-").isdigit() else 0.0 for number in (*numbers, "", "")[:2]])


def _frames(page: Page, geometry: Geometry) -> tuple[PageFrame, ...]:
    """Return the documents of a page, as far as its boxes show them."""
    frames: list[PageFrame] = []
    for row in np.flatnonzero(page.has_tag("html")).tolist():
        owner = int(page.parent[row])
        if owner < 0:
            width, height = geometry.viewport
            frames.append(
                PageFrame(document=0, row=row, owner=-1, window=(0.0, 0.0, width, height), content=geometry.size)
            )
        elif frames and np.isfinite(geometry.box[owner, 0]) and np.isfinite(geometry.box[row, 0]):
            left, top, width, height = geometry.box[owner].tolist()
            content = tuple(geometry.box[row, 2:].tolist())
            window = (left, top, left + width, top + height)
            frames.append(PageFrame(document=len(frames), row=row, owner=owner, window=window, content=content))
    return tuple(frames)
