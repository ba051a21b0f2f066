"""The boxes of lines, what clipping, scrolling and the window leave of them, and nodes that are not painted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn
from ...page.geometry import Geometry
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of, clip_rects
from .computed_styles import ROUND, Styles

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
