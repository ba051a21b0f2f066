"""What of each line is in sight by its size and its place alone: clips, edges, scrolling, what is not painted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn
from ...page.geometry import Geometry
from ...page.hidden import Hidden
from ...page.invisible_characters import strip_invisible
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of, clip_rects
from .computed_styles import ROUND, Styles
from .css_values import pixels

#: Text of less opacity than this counts as not shown.
FAINTEST = 0.05
#: Lines lower than this, in CSS pixels, cannot be read: type of four pixels has lines of five.
LOWEST = 5.0
#: Type smaller than this, in CSS pixels, cannot be read, however high its lines are said to be.
SMALLEST = 4.0
#: Of a line that is cut off so much of its height must be left, and so much of its width, in heights or all.
LEAST_HEIGHT, LEAST_WIDTH = 0.35, 0.35
#: A character takes at least this share of the height of its line; text that takes less is drawn on one spot.
NARROWEST = 0.07
#: Elements of drawings of which nothing is painted in their place.
_UNPAINTED = ("defs", "symbol", "pattern", "mask", "clippath", "marker")
#: Lines turned by a right angle have at least so much room for each character, in widths.
_UPRIGHT = 0.25
#: Names a part of a drawing.
_REFERENCE = re.compile(r"""url\(["']?#([^"')]+)""")

#: How far something goes to the left, up, right and down, in CSS pixels; what goes to the left or up is not above 0.
Way = tuple[float, float, float, float]


def opacity_product(page: Page, geometry: Geometry) -> FloatColumn:
    """float32 (nodes,): opacity as it reaches the eye, the product over a node and its ancestors."""
    product = np.ones(len(page), dtype=np.float32)
    for row in np.flatnonzero(geometry.opacity != 1).tolist():
        product[row : page.end[row]] *= geometry.opacity[row]
    return product


@dataclass(frozen=True, kw_only=True)
class LineClips:
    """The lines of a page, and through what they are seen.

    Attributes
    ----------
    page : Page
    geometry : Geometry
    styles : Styles
    frames : sequence of PageFrame
    ways : mapping of int to tuple
        How far nodes that never stand still go.
    """

    page: Page
    geometry: Geometry
    styles: Styles
    frames: Sequence[PageFrame]
    ways: Mapping[int, Way] = field(default_factory=dict)

    @property
    def row(self) -> IntColumn:
        """int32 (lines,): the text node of each line."""
        return self.geometry.line_node

    @cached_property
    def opacity(self) -> FloatColumn:
        """float32 (nodes,): as it reaches the eye."""
        return opacity_product(self.page, self.geometry)

    @cached_property
    def clip_rects(self) -> ClipRects:
        """Through what nodes are seen."""
        styles = self.styles
        margin = styles.column("overflow-clip-margin", lambda value: max(pixels(value), default=0.0), 0.0, np.float64)
        hard = styles.column("overflow-x", "clip".__eq__, False, np.bool_)
        return clip_rects(
            self.page,
            self.geometry,
            frames=self.frames,
            margins=np.where(hard, margin, 0.0),
            boxless=self._handed_on(),
        )

    @cached_property
    def drawings(self) -> BoolColumn:
        """bool (nodes,): what is inside of drawings, whose texts are scaled and painted by other rules."""
        page = self.page
        return page.below(page.has_tag("svg")) & ~page.below(page.has_tag("foreignobject"))

    @cached_property
    def shifting(self) -> BoolColumn:
        """bool (nodes,): texts whose boxes say little of where they are drawn."""
        return self.drawings | self.page.below(self.page.has_tag("marquee"))

    @cached_property
    def folded(self) -> BoolColumn:
        """bool (nodes,): what is inside of closed details, but for their summaries."""
        page = self.page
        closed = page.has_tag("details") & (page.attribute("open") < 0)
        heads = page.has_tag("summary") & self._above(closed)
        return self._inside(closed) & ~page.below(heads) if closed.any() else closed

    @cached_property
    def box(self) -> FloatArray:
        """float64 (lines, 4): the corners of each line; where they say little, of what holds it."""
        box = self.geometry.line_box.astype(np.float64)
        shifting = self.shifting[self.row] & (box[:, 2:] > 0).all(axis=1)
        if shifting.any():
            outer = self.page.has_tag("svg", "marquee") & ~self._above(self.shifting)
            box[shifting] = self.geometry.box[self.page.nearest(outer)[self.row[shifting]]]
        box[:, 2:] += box[:, :2]
        return box + self._moves(box)

    @cached_property
    def moved(self) -> BoolColumn:
        """bool (lines,): they have been put where they are seen at another moment."""
        corners = self.geometry.line_box[:, :2].astype(np.float64)
        found: BoolColumn = (self.box[:, :2] != corners).any(axis=1) & ~self.shifting[self.row]
        return found

    def _moves(self, box: FloatArray) -> FloatArray:
        """float64 (lines, 4): how far each line goes, at most, to come into the window that it moves through."""
        moves = np.zeros((len(box), 2))
        clip_rects = self.clip_rects
        for row, way in self.ways.items():
            window = clip_rects.through[row]
            low = np.maximum(clip_rects.low[window], clip_rects.first[window])
            high = np.minimum(clip_rects.high[window], clip_rects.last[window])
            lines = np.flatnonzero((self.row >= row) & (self.row < self.page.end[row]))
            # What is cut off inside of it moves together with what cuts it off.
            lines = lines[(clip_rects.through[self.row[lines]] == window) & ~self.shifting[self.row[lines]]]
            mine = box[lines]
            into = np.clip(mine[:, :2], low, np.maximum(high - (mine[:, 2:] - mine[:, :2]), low))
            moves[lines] = np.clip(into - mine[:, :2], way[:2], way[2:])
        return np.tile(moves, 2)

    @cached_property
    def cut(self) -> FloatArray:
        """float64 (lines, 4): the corners of what is left of each line by what clips it."""
        return self._within(self.box, self.clip_rects.low, self.clip_rects.high)

    @cached_property
    def reached(self) -> FloatArray:
        """float64 (lines, 4): the corners of what of that can be scrolled to."""
        return self._within(self.cut, self.clip_rects.first, self.clip_rects.last)

    @cached_property
    def reason(self) -> NDArray[np.uint8]:
        """uint8 (lines,): a :class:`~blocksight.page.hidden.Hidden` each, the gravest there is."""
        row, box = self.row, self.box
        masked = self.styles.column("-webkit-text-security", "none".__ne__, False, np.bool_)
        reason = np.full(len(row), Hidden.VISIBLE, dtype=np.uint8)
        reason[self._unreadable()] = Hidden.SIZE
        reason[self.opacity[row] < FAINTEST] = Hidden.OPACITY
        reason[masked[row]] = Hidden.GLYPHS
        reason[~self._enough(self.reached)] = Hidden.OFF_SCREEN
        reason[~self._enough(self.cut) | self.clip_rects.shut[self.clip_rects.through[row]]] = Hidden.CLIP
        reason[(box[:, 2] <= box[:, 0]) | (box[:, 3] <= box[:, 1])] = Hidden.ZERO_AREA
        reason[self._skipped[row]] = Hidden.DISPLAY
        reason[self._invisible[row]] = Hidden.VISIBILITY
        return reason

    @cached_property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """float64 (lines,) twice: from where to where each line is seen, in shares of its width."""
        box = self.box
        # Of what is turned in space no edge says where it is cut; what is scrolled away is not cut.
        scrolled = self.clip_rects.scroller[self.clip_rects.through[self.row]] >= 0
        corners = np.where(scrolled[:, None], self.cut, self.reached)
        whole = self.shifting[self.row] | self.page.below(self.styles.turned)[self.row]
        width = np.maximum(box[:, 2] - box[:, 0], 1e-6)
        left, right = (np.clip((corners[:, edge] - box[:, 0]) / width, 0.0, 1.0) for edge in (0, 2))
        return np.where(whole, 0.0, left), np.where(whole, 1.0, right)

    @cached_property
    def small(self) -> BoolColumn:
        """bool (nodes,): texts of a type that is too small to be read unless it is shown enlarged."""
        size = self.geometry.font_size
        return (self.page.text >= 0) & (size > 0) & (size < SMALLEST) & ~self.drawings

    @cached_property
    def cornered(self) -> BoolColumn:
        """bool (lines,): they may stand in a corner that is rounded off."""
        found = np.zeros(len(self.row), dtype=bool)
        box, styles = self.geometry.box, self.styles
        rounded = (styles.paint.radius >= ROUND) & styles.clips.any(axis=1) & np.isfinite(box[:, 0])
        for row in np.flatnonzero(rounded).tolist():
            left, top, right, bottom = styles.inset(row, box[row])
            inside = (self.row > row) & (self.row < self.page.end[row])
            seen = self.reached
            out = (seen[:, 0] < left) | (seen[:, 2] > right)
            found |= inside & out & ((seen[:, 1] < top) | (seen[:, 3] > bottom))
        return found

    def perhaps_scrolled_to(self) -> BoolColumn:
        """bool (lines,): only trying tells whether a box inside of the page can be scrolled to them."""
        scroller = self.clip_rects.scroller[self.clip_rects.through[self.row]]
        inside = scroller >= 0
        port = self.geometry.box[scroller].astype(np.float64)
        port[:, 2:] += port[:, :2]
        out = ((self.box[:, :2] >= port[:, 2:]) | (self.box[:, 2:] <= port[:, :2])).any(axis=1)
        odd = self.styles.scrolls_oddly[scroller] & out & (self.reason == Hidden.VISIBLE)
        found: BoolColumn = inside & (odd | (self.reason == Hidden.OFF_SCREEN))
        return found | self._between_stops(scroller, np.asarray(out))

    def _between_stops(self, scroller: IntColumn, out: BoolColumn) -> BoolColumn:
        """bool (lines,): what scrolls them comes to rest in some places only, and they are out of view at first."""
        snaps, frames = self.styles.snaps, self.frames
        if not snaps.any() or not frames:
            return np.zeros(len(self.row), dtype=bool)
        window = self.clip_rects.frame[self.clip_rects.through[self.row]]
        roots = np.asarray([frame.row for frame in frames])[window]
        place = np.asarray([frame.place for frame in frames])[window]
        beyond = (self.box[:, :2] >= place[:, 2:]).any(axis=1)
        stopped = np.where(scroller >= 0, snaps[scroller] & out, snaps[roots] & beyond)
        found: BoolColumn = stopped & ~self.page.below(self.styles.aligned)[self.row] & (self.reason == Hidden.VISIBLE)
        return found

    def _within(self, corners: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
        window = self.clip_rects.through[self.row]
        return np.concatenate(
            [np.maximum(corners[:, :2], low[window]), np.minimum(corners[:, 2:], high[window])], axis=1
        )

    def _enough(self, corners: FloatArray) -> BoolColumn:
        """Return of which lines enough is left to be read."""
        wide, high = (self.box[:, 2:] - self.box[:, :2]).T
        left, top, right, bottom = corners.T
        narrow = right - left < np.minimum(LEAST_WIDTH * np.maximum(high, 1.0), wide / 2)
        enough: BoolColumn = (bottom - top >= LEAST_HEIGHT * high) & ~narrow
        return enough

    def _unreadable(self) -> BoolColumn:
        """Return which lines are too low to be read, or have their characters on one spot."""
        wide, high = (self.box[:, 2:] - self.box[:, :2]).T
        characters = np.maximum(self.geometry.line_length, 1)
        upright = (wide >= LOWEST) & (high >= _UPRIGHT * wide * characters)
        squeezed = (wide < NARROWEST * high * characters) & ~upright
        for line in np.flatnonzero(squeezed).tolist():
            # Characters that nobody sees take no place.
            text = self.page.text_of(int(self.row[line]))
            share = len(strip_invisible(text)) / max(len(text), 1)
            squeezed[line] = wide[line] < NARROWEST * high[line] * characters[line] * share
        found: BoolColumn = ((high < LOWEST) | squeezed) & (characters > 1) & ~self.shifting[self.row]
        return found

    @property
    def _invisible(self) -> BoolColumn:
        """What has no visibility, and the documents of frames that have none."""
        invisible = self.geometry.invisible.copy()
        for frame in self.frames:
            if frame.owner >= 0 and invisible[frame.owner]:
                invisible[frame.row : self.page.end[frame.row]] = True
        return invisible

    @property
    def _skipped(self) -> BoolColumn:
        """What is laid out, because somebody asked for its place, and still not painted."""
        skipped = self._inside(self.styles.where(lambda row: row["content-visibility"] == "hidden"))
        return skipped | self.folded | self._kept

    @cached_property
    def _kept(self) -> BoolColumn:
        """bool (nodes,): parts of drawings that are painted only where others ask for them (SVG 2, section 5.5)."""
        page = self.page
        return page.below(page.has_tag(*_UNPAINTED) & page.below(page.has_tag("svg")))

    @cached_property
    def lent(self) -> BoolColumn:
        """bool (nodes,): parts of drawings that others ask for, who may paint them."""
        page, kept = self.page, self._kept
        if not kept.any():
            return kept
        wanted = {name for value in self._references() for name in _REFERENCE.findall(value)}
        names = page.attribute("id")
        named = np.zeros(len(page), dtype=bool)
        rows = np.flatnonzero((names >= 0) & page.below(page.has_tag("svg")))
        named[rows] = [page.strings[names[row]] in wanted for row in rows.tolist()]
        return kept & page.below(named)

    def _references(self) -> Iterator[str]:
        """Yield what may name a part of a drawing."""
        page = self.page
        for name in ("href", "xlink:href"):
            values = page.attribute(name)[page.has_tag("use")]
            yield from (f"url({page.strings[value]})" for value in values.tolist() if value >= 0)
        yield from (value for value in page.strings if "url(" in value and "#" in value)
        yield from (row[name] for row in self.styles.rows if row for name in ("clip-path", "mask-image"))

    def _handed_on(self) -> BoolColumn:
        """Nodes whose overflow is the window's: each root's, or that of its body (CSS Overflow 3, section 3.3)."""
        handed = self.page.has_tag("marquee", "iframe", "frame")
        either = self.styles.clips | self.styles.scrolls
        own = either[:, 0] | either[:, 1]
        for frame in self.frames:
            handed[frame.row] = True
            if (body := body_of(self.page, frame.row)) >= 0 and not own[frame.row]:
                handed[body] = True
        return handed

    def _above(self, marked: BoolColumn) -> BoolColumn:
        """bool (nodes,): nodes whose parent is marked."""
        found: BoolColumn = (self.page.parent >= 0) & marked[self.page.parent]
        return found

    def _inside(self, marked: BoolColumn) -> BoolColumn:
        """bool (nodes,): nodes with a marked ancestor."""
        return self._above(self.page.below(marked))
