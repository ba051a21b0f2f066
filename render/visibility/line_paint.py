"""Test lines by paint: whether one plain color is behind all of a line, and nothing is painted over it.

Only such a line, whose own color differs from that behind it, is certain. What an image, a gradient, an edge, an
effect, or another text leaves of it is not computed: pictures show it. Lines are compared with layers on their own
surface: what scrolls together is painted together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, between, corners_of
from ...page.geometry import Position
from ...page.hidden import Hidden
from .clipping import MIN_OPACITY, LineClips, body_of
from .computed_styles import ROUND, inset_reach, letter_reach, outer_reach, rotated
from .css_values import LEGIBLE_DIFFERENCE, visible_difference

#: Fainter nodes paint nothing.
FAINT = 0.02
#: Narrower borders and shadows are lines, no backgrounds.
BAND = 4.0
#: A layer of at least this opacity may be a cover, of this share of a line or more.
VEIL, MOST = 0.25, 0.5
#: What stays in the window and has at least this share of its height is behind, or over, all of the document.
TALL = 0.6
#: Directions in which the corners of a box move when it grows.
_OUTWARD = np.asarray([-1.0, -1.0, 1.0, 1.0])
#: Elements with content of their own, which only a picture shows.
IMAGES = tuple("img video canvas svg object embed iframe frame image audio meter progress".split())
#: Types of input that are painted with more than their styles.
_DRAWN_INPUTS = frozenset("image checkbox radio range color file".split())


@dataclass(frozen=True, kw_only=True, eq=False)
class PaintLayers:
    """Painted rectangles in painting order; corners in CSS pixels of the page."""

    #: int32 (layers,): The node.
    row: IntColumn
    #: int64 (layers,): Painted later is greater.
    key: NDArray[np.int64]
    #: float64 (layers, 4): Where it lies; of what stays in a window, where it may lie.
    box: FloatArray
    #: float64 (layers, 4): Of a plain layer the part that is painted for certain, of others a part that is not.
    part: FloatArray
    #: float64 (layers, 3): Red, green and blue from 0 to 255 of a plain layer; NaN if only a picture shows the colors.
    color: FloatArray
    #: float64 (layers,): Opacity, 0 to 1; of layers that are not plain the greatest.
    alpha: FloatArray
    #: int32 (layers,): What it scrolls together with.
    surface: IntColumn
    #: bool (layers,): Whether it stays in the window.
    fixed: BoolColumn


def rgb_of(colors: NDArray[np.uint32]) -> FloatArray:
    """Return red, green and blue from 0 to 255, float64 (colors, 3)."""
    rgb: FloatArray = np.stack([colors >> 24, colors >> 16 & 0xFF, colors >> 8 & 0xFF], axis=1).astype(np.float64)
    return rgb


@dataclass(frozen=True, eq=False)
class Painting:
    """Paint of a page in its order; the lines are those of ``clips``."""

    clips: LineClips

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it may be painted in other colors or at another place, or not at all, or below the rest."""
        styles = self.clips.styles
        sunk = styles.flags("z-index", lambda value: value.startswith("-"))
        return self.clips.page.below(styles.altered | styles.where(rotated) | sunk)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): painted later is greater; within one layer in document order."""
        size = len(self.clips.page)
        return self.clips.geometry.paint_order.astype(np.int64) * size + np.arange(size)

    @cached_property
    def letter_reach(self) -> FloatArray:
        """float64 (nodes,): how far from its lines a text paints broadly: outlines, lines under it, shadows."""
        page, styles = self.clips.page, self.clips.styles
        reach = np.asarray([letter_reach(row) if row else 0.0 for row in styles.rows])
        reach = np.where(reach >= 2 * BAND, reach, 0.0)[styles.row]
        # A line under or through a text is that of an element around it.
        for row in np.flatnonzero(reach).tolist():
            reach[row : page.end[row]] = np.maximum(reach[row : page.end[row]], reach[row])
        return reach

    def canvas(self, number: int) -> tuple[FloatArray, int]:
        """Return the background of a document: its color, NaN if only a picture shows it, and the node that has it.

        The node is -1 for a transparent document (CSS Backgrounds 3, section 2.11.2).
        """
        page, geometry, styles = self.clips.page, self.clips.geometry, self.clips.styles
        frame, unknown = self.clips.frames[number], np.full(3, np.nan)
        for row in (frame.row, body_of(page, frame.row)):
            color, image = int(geometry.background[row]), bool(styles.paint.image[row])
            if row >= 0 and (color & 0xFF or image):
                # The background of a contained root is not that of the canvas.
                contained = styles.of_node(frame.row).get("contain", "none") != "none" or styles.holds[frame.row]
                is_plain = not (contained or image) and color & 0xFF == 0xFF
                return rgb_of(np.asarray([color], dtype=np.uint32))[0] if is_plain else unknown, row
        # A frame with another color scheme than the page around it is not transparent.
        dark = self._is_dark(frame.row)
        opaque = frame.owner >= 0 and dark != self._is_dark(frame.owner)
        return unknown if dark else np.full(3, 255.0), frame.row if opaque else -1

    def _is_dark(self, row: int) -> bool:
        """Return whether a node has a dark color scheme, by its style or, for a root, by a meta element."""
        page = self.clips.page
        scheme = self.clips.styles.of_node(row).get("color-scheme", "normal").split()
        if scheme == ["normal"] and page.tag_of(row) == "html":
            for meta in (np.flatnonzero(page.has_tag("meta")[row : page.end[row]]) + row).tolist():
                attributes = page.attributes_of(meta)
                if attributes.get("name", "").strip().lower() == "color-scheme":
                    scheme = attributes.get("content", "").lower().split()
        return "dark" in scheme and "light" not in scheme

    @cached_property
    def layers(self) -> PaintLayers:
        """The painted rectangles, clipped: boxes with what is in their edges and around them."""
        clips, geometry, styles, page = self.clips, self.clips.geometry, self.clips.styles, self.clips.page
        color, alpha, painted = self._colors()
        outer, inner = self._reaches()
        drawn = np.isnan(color[:, 0])
        color[(alpha == 0) & ((outer > 0) | (inner > 0))] = np.nan
        alpha = np.where(np.isnan(color[:, 0]), 1.0, alpha) * clips.opacity
        inline = page.has_name(geometry.display, "inline") & ~page.has_tag(*IMAGES)
        row, own = _boxes(clips, painted & (alpha > FAINT), inline)
        part = own - inner[row][:, None] * _OUTWARD
        for number in np.flatnonzero((styles.paint.radius[row] >= ROUND) & ~inline[row]).tolist():
            corner = np.asarray(styles.inset(row[number], geometry.box[row[number]]))
            part[number] = np.where(_OUTWARD < 0, np.maximum(part[number], corner), np.minimum(part[number], corner))
        # What is drawn leaves nothing free.
        part[drawn[row]] = (np.inf, np.inf, -np.inf, -np.inf)
        rects, clip = clips.rects, clips.rects.index[row]
        box = own + outer[row][:, None] * _OUTWARD
        box[:, :2], box[:, 2:] = np.maximum(box[:, :2], rects.low[clip]), np.minimum(box[:, 2:], rects.high[clip])
        scroller, fixed = rects.scroller[clip], rects.fixed[clip]
        windows = np.asarray([(*frame.window, *frame.content) for frame in clips.frames])[rects.frame[clip]]
        height = windows[:, 3] - windows[:, 1]
        tall = box[:, 3] - box[:, 1] >= TALL * np.where(scroller >= 0, geometry.box[scroller, 3], height)
        stays = fixed | (geometry.position == Position.STICKY)[row]
        # How far a box scrolls is not known.
        anywhere = stays & (tall | (fixed & (scroller >= 0)))
        for corners in (box, part):
            corners[anywhere & (corners[:, 0] <= corners[:, 2]), 1::2] = -np.inf, np.inf
        # Over lines that cannot be scrolled out of it: it is there at the start of the document, and at its end.
        bars = np.flatnonzero(fixed & ~anywhere)
        end = np.maximum(windows[bars, 5] - height[bars], 0.0)[:, None] * [0.0, 1.0, 0.0, 1.0]
        box, part = np.concatenate([box, box[bars] + end]), np.concatenate([part, part[bars] + end])
        repeated = np.concatenate([np.arange(len(row)), bars])
        row, clip = row[repeated], clip[repeated]
        order = np.argsort(self.keys[row], kind="stable")
        order = order[np.all(box[:, 2:] > box[:, :2], axis=1)[order]]
        columns = {
            "row": row, "key": self.keys[row], "box": box, "part": part, "color": color[row], "alpha": alpha[row],
            "surface": rects.surface[clip], "fixed": rects.fixed[clip],
        }  # fmt: skip
        return PaintLayers(**{name: np.asarray(column)[order] for name, column in columns.items()})

    def _colors(self) -> tuple[FloatArray, FloatArray, BoolColumn]:
        """Return color (nodes, 3) and alpha (nodes,) of nodes, NaN and 1 for what is drawn, and what is painted."""
        page, geometry, styles = self.clips.page, self.clips.geometry, self.clips.styles
        painted = np.isfinite(geometry.box[:, 0]) & ~geometry.invisible & (page.text < 0)
        painted &= ~page.has_name(geometry.display, "contents")
        color, alpha = rgb_of(geometry.background), (geometry.background & 0xFF) / 255.0
        image = styles.paint.image
        odd = styles.flags("background", lambda value: "content-box" in value or "text" in value) | self.altered
        images = page.has_tag(*IMAGES).copy()
        images[[frame.owner for frame in self.clips.frames if frame.owner >= 0]] = False
        drawn = images | image | (odd & (alpha > 0))
        for row in np.flatnonzero(page.has_tag("input")).tolist():
            drawn[row] |= page.attributes_of(row).get("type", "").strip().lower() in _DRAWN_INPUTS
        # Lines of formulas and between columns may be as broad as text is high.
        drawn |= page.has_tag("mfrac") & (page.attribute("linethickness") >= 0)
        drawn |= (styles.pixels("column-rule-width") >= BAND) | (styles.pixels("row-rule-width") >= BAND)
        drawn |= styles.where(lambda row: row["backdrop-filter"] != "none" or "url(" in row["content"])
        color[drawn], alpha[drawn] = np.nan, 1.0
        for index, frame in enumerate(self.clips.frames):
            canvas, row = self.canvas(index)
            if row >= 0:
                # It is not painted again for its node.
                painted[row] = False
                if frame.owner >= 0:
                    color[frame.owner], alpha[frame.owner] = canvas, 1.0
        return color, alpha, painted

    def _reaches(self) -> tuple[FloatArray, FloatArray]:
        """Return how far nodes paint around their boxes, and inside of their edges, float64 (nodes,); 0 for a line."""
        geometry, styles = self.clips.geometry, self.clips.styles
        outer = np.asarray([outer_reach(row) if row else 0.0 for row in styles.rows])[styles.row]
        inner = styles.column("box-shadow", inset_reach, 0.0, np.float64)
        inner = np.maximum(inner, styles.paint.border.max(axis=1, initial=0.0))
        mirrored = styles.flags("-webkit-box-reflect", "none".__ne__)
        outer[mirrored] = geometry.box[mirrored, 2:].max(axis=1, initial=0.0)
        # An outline may lie over the box.
        outlined = styles.flags("outline-style", "none".__ne__) & (styles.pixels("outline-width") >= BAND)
        inner[outlined | styles.flags("border-image-source", "none".__ne__)] = np.inf
        return np.where(outer >= BAND, outer, 0.0), np.where(inner >= BAND, inner, 0.0)


def _boxes(clips: LineClips, marked: BoolColumn, inline: BoolColumn) -> tuple[IntColumn, FloatArray]:
    """Return the rectangles of nodes: for inline ones, which are broken into lines, those of their text."""
    page, geometry = clips.page, clips.geometry
    whole = np.flatnonzero(marked & ~inline)
    rows, boxes = [whole], [corners_of(geometry.box[whole])]
    for row in np.flatnonzero(marked & inline).tolist():
        first, last = between(geometry.line_node, row, int(page.end[row]))
        of_row = geometry.line_box[first:last] if last > first else geometry.box[[row]]
        rows.append(np.full(len(of_row), row))
        boxes.append(corners_of(of_row))
    return np.concatenate(rows).astype(np.int32), np.concatenate(boxes)


#: Difference to the eye between a text and its background from which on it is visible for certain: fine letters are
#: paler than their color.
CERTAIN_CONTRAST = 16.0
#: Reasons of lines that are painted nevertheless; of clipped ones a part.
_PAINTED = (Hidden.VISIBLE, Hidden.SIZE, Hidden.GLYPHS, Hidden.CLIP)
#: Pairs of overlapping lines that are tested, at most.
MOST_PAIRS = 2_000_000
#: Letters are not in this share of the height of a line, at its top and at its bottom.
_AIR = 0.15
#: A plain layer of more than this opacity is a cover without a screenshot.
_SOLID = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintFacts:
    """Facts about painting that computed styles do not contain."""

    #: First lines may have a style of their own.
    first_lines: bool = False
    #: Text is selected, or highlighted by a script.
    repainted: bool = False
    #: An open dialog has an opaque backdrop.
    backdrop: bool = False
    #: Lower-case names of the fonts that the page has loaded.
    web_fonts: frozenset[str] = frozenset()
    #: The number of closed details whose content no style sheet shows.
    hiding_details: int = 0


NO_FACTS = PaintFacts()


class PaintTests:
    """The paint tests of lines that pass the geometry tests, whose results are ``reason``, uint8 (all lines,)."""

    def __init__(self, clips: LineClips, reason: NDArray[np.uint8], lines: IntColumn, facts: PaintFacts) -> None:
        self.clips, self.reason, self.lines, self.facts = clips, reason, lines, facts
        self.page, self.geometry, self.styles = clips.page, clips.geometry, clips.styles
        self.row = clips.row[lines]
        self.fill = self.styles.paint.fill[self.row]
        self.strength = (self.fill & 0xFF) / 255.0 * clips.opacity[self.row]
        self.painting = Painting(clips)
        self.grounds = Grounds(self.painting, self.row, clips.reached[lines])
        self._cover_by_backdrop()
        self._cover_by_text()

    def _cover_by_backdrop(self) -> None:
        """Cover all lines outside of a dialog by its backdrop."""
        page, grounds = self.page, self.grounds
        dialogs = page.has_tag("dialog") | (page.attribute("popover") >= 0)
        dialogs &= np.isfinite(self.geometry.box[:, 0])
        if self.facts.backdrop and dialogs.any():
            grounds.cover[~page.below(dialogs)[self.row] & (grounds.cover < 0)] = np.flatnonzero(dialogs)[0]

    def _cover_by_text(self) -> None:
        """Find the lines that another text touches, or covers, and those with broad lines of their own."""
        geometry, row, clips, grounds = self.geometry, self.geometry.line_node, self.clips, self.grounds
        keys, reach, exact = self.painting.keys, self.painting.letter_reach[row], ~clips.unpainted.inexact[row]
        # At the position of another moment, other texts may have been before.
        exact &= ~clips.moved
        own, core = clips.reached[self.lines], exact[self.lines]
        # A shadow may be where its text is not.
        box = np.where(reach[:, None] > 0, clips.box + reach[:, None] * [-1.0, -1.0, 1.0, 1.0], clips.reached)
        middle = (own[:, 1] + own[:, 3]) / 2
        order = np.argsort(middle, kind="stable")
        # Texts for screen readers, for example, are not painted.
        painted = exact & ~geometry.invisible[row] & (clips.opacity[row] > MIN_OPACITY)
        painted &= np.isin(self.reason, _PAINTED) | (reach > 0)
        upper = np.flatnonzero(painted & (box[:, 2:] > box[:, :2]).all(axis=1))
        first = np.searchsorted(middle[order], box[upper, 1])
        count = np.maximum(np.searchsorted(middle[order], box[upper, 3]) - first, 0)
        if count.sum() > MOST_PAIRS:
            return
        lower = order[np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)]
        upper = np.repeat(upper, count)
        shared = np.minimum(box[upper, 2], own[lower, 2]) - np.maximum(box[upper, 0], own[lower, 0])
        over = (keys[row[upper]] > keys[self.row[lower]]) | (reach[upper] > 0)
        over &= (row[upper] != self.row[lower]) & core[lower] & (shared > 1.0)
        grounds.touched[lower[over]] = True
        over &= (shared >= MOST * (own[lower, 2] - own[lower, 0])) & (grounds.cover[lower] < 0)
        grounds.cover[lower[over]] = row[upper[over]]

    @cached_property
    def contrast(self) -> FloatArray:
        """float64 (lines,): visible difference of the text and the plain color behind it; NaN if there is none."""
        channels = [self.fill >> shift & 0xFF for shift in (24, 16, 8)]
        color, behind = np.stack(channels, axis=1).astype(np.float64), self.grounds.color
        return visible_difference(behind + (color - behind) * self.strength[:, None], behind)

    @property
    def is_covered(self) -> BoolColumn:
        """bool (lines,): something covers it, or a part of it."""
        return (self.grounds.cover >= 0) | self.grounds.touched

    @property
    def is_under_bar(self) -> BoolColumn:
        """bool (lines,): legible, but for something that stays in the window and covers it at some scroll positions."""
        found: BoolColumn = (self.grounds.cover < 0) & (self.grounds.bar >= 0) & ~self.is_transparent
        return found & ~(self.contrast < LEGIBLE_DIFFERENCE)

    @cached_property
    def is_altered(self) -> BoolColumn:
        """bool (lines,): effects change how it is painted."""
        return self.painting.altered[self.row]

    @property
    def is_transparent(self) -> BoolColumn:
        """bool (lines,): its color is about transparent."""
        found: BoolColumn = self.strength < MIN_OPACITY
        return found

    @property
    def is_small(self) -> BoolColumn:
        """bool (lines,): its type is too small to be read."""
        return self.clips.small[self.row]

    @property
    def is_in_round_corner(self) -> BoolColumn:
        """bool (lines,): a rounded corner may clip it."""
        return self.clips.in_round_corner[self.lines]

    @cached_property
    def has_alternate_glyphs(self) -> BoolColumn:
        """bool (lines,): set in variants of a web font that may not look like the letters."""
        fonts = self.facts.web_fonts
        return self.styles.has_alternate_glyphs(fonts)[self.row] if fonts else np.zeros(len(self.row), dtype=bool)

    @cached_property
    def has_unknown_color(self) -> BoolColumn:
        """bool (lines,): styles do not say how it is painted."""
        page = self.page
        # A marquee that has come to its end may show nothing.
        ended = page.has_tag("marquee") & (page.attribute("loop") >= 0)
        # Cells of a collapsed column are laid out at no width.
        collapsed = page.has_tag("col", "colgroup") & self.geometry.invisible
        tables = page.nearest(page.has_tag("table"))[collapsed]
        ended[tables[tables >= 0]] = True
        unknown = self.clips.unpainted.drawings | page.below(ended)
        first_line = (self.geometry.line_start[self.lines] == 0) & self.facts.first_lines
        unknown |= self.painting.letter_reach > 0
        found: BoolColumn = unknown[self.row] | first_line | self.is_small
        return found | self.is_in_round_corner | self.facts.repainted

    @cached_property
    def uncertain(self) -> BoolColumn:
        """bool (lines,): a screenshot must decide."""
        found: BoolColumn = ~(self.contrast >= CERTAIN_CONTRAST) | self.is_covered | self.is_altered
        return found | self.has_unknown_color | self.has_alternate_glyphs

    def without_screenshot(self, fallback: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the most probable reason of each line, uint8 (lines,)."""
        same_color = (self.contrast < LEGIBLE_DIFFERENCE) & ~self.has_unknown_color & ~self.is_altered
        cover = self.grounds.cover
        plain = (self.geometry.background[cover] & 0xFF) / 255.0 * self.clips.opacity[cover]
        opaque = (cover >= 0) & (plain > _SOLID) & ~self.painting.altered[cover]
        hidden = self.uncertain & (self.is_transparent | same_color | opaque)
        return np.where(hidden, fallback, Hidden.VISIBLE).astype(np.uint8)


class Grounds:
    """The plain color behind each line, and what lies over it; ``corners`` (lines, 4) are of visible parts.

    The boxes that show inner surfaces (scrollers, frames) follow the lines, as if they were lines. Attributes:
    ``color``, float64 (lines, 3), NaN if it is not plain; ``row``, int32 (lines,), the node of the topmost layer behind
    it; ``touched``, bool (lines,), something lies over a part of it; ``cover``, int32 (lines,), what covers it, or -1;
    ``bar``, int32 (lines,), what stays in the window and lies over it at some scroll positions, or -1.
    """

    def __init__(self, painting: Painting, line_row: IntColumn, corners: FloatArray) -> None:
        self.painting, self.layers, self.frames = painting, painting.layers, painting.clips.frames
        self.rects = rects = painting.clips.rects
        surfaces = [surface for surface in np.unique(rects.surface).tolist() if self._owner(surface) >= 0]
        owners = np.asarray([self._owner(surface) for surface in surfaces], dtype=np.int32)
        row = np.concatenate([line_row, owners])
        self._box = np.concatenate([corners, corners_of(painting.clips.geometry.box[owners])])
        air = _AIR * (self._box[:, 3] - self._box[:, 1])
        # Edges that coincide do not touch.
        self._core = self._box + np.stack([np.ones(len(row)), air, -np.ones(len(row)), -air], axis=1)
        self._key = painting.keys[row]
        self._fixed, surface_of = rects.fixed[rects.index[row]], rects.surface[rects.index[row]]
        self.color, self.row = np.full((len(row), 3), np.nan), np.full(len(row), -1, dtype=np.int32)
        self.touched = np.zeros(len(row), dtype=bool)
        self.cover, self.bar = (np.full(len(row), -1, dtype=np.int32) for _ in range(2))
        self._share = np.zeros(len(row))
        #: The sample that is the box of each inner surface.
        port_of = {surface: len(line_row) + number for number, surface in enumerate(surfaces)}
        for surface in np.unique(surface_of).tolist():
            members = np.flatnonzero(surface_of == surface).astype(np.int32)
            self._paint(surface, members[np.argsort(self._core[members, 1], kind="stable")], port_of.get(surface, -1))
        count = len(line_row)
        self.color, self.row = self.color[:count], self.row[:count]
        self.touched, self.cover, self.bar = self.touched[:count], self.cover[:count], self.bar[:count]

    def _owner(self, surface: int) -> int:
        """Return the element whose box shows a surface; -1 for the page itself."""
        row = int(self.rects.row[surface])
        return next((frame.owner for frame in self.frames if frame.row == row), row)

    def _paint(self, surface: int, members: IntColumn, port: int) -> None:
        """Paint the canvas and the layers of a surface in order; the members are ordered by their upper edges."""
        number = self.rects.frame[surface]
        is_root = surface == 0 or self.rects.row[surface] == self.frames[number].row
        self.color[members], self.row[members] = self.painting.canvas(number) if is_root else (np.nan, -1)
        if port >= 0 and (not is_root or self.row[members[0]] < 0):
            # What is behind the box that shows the surface.
            self.color[members], self.row[members] = self.color[port], self.row[port]
        layers, top = self.layers, self._core[members, 1]
        highest = (self._core[members, 3] - top).max(initial=0.0)
        for layer in np.flatnonzero(layers.surface == surface).tolist():
            first, last = np.searchsorted(top, [layers.box[layer, 1] - highest, layers.box[layer, 3]])
            if first < last:
                self._paint_layer(members[first:last], layer)
        if port >= 0:
            self.cover[members] = np.where(self.cover[members] < 0, self.cover[port], self.cover[members])

    def _paint_layer(self, lines: IntColumn, number: int) -> None:
        """Paint a layer behind, or over, lines near it."""
        layers, core = self.layers, self._core[lines]
        box, part, color, alpha = layers.box[number], layers.part[number], layers.color[number], layers.alpha[number]
        touches = ((core[:, :2] < box[2:]) & (core[:, 2:] > box[:2])).all(axis=1)
        inside = ((core[:, :2] >= part[:2]) & (core[:, 2:] <= part[2:])).all(axis=1)
        is_plain = bool(np.isfinite(color[0]))
        # A fixed layer is behind, or over, scrolled lines at some scroll positions only, unless it fills the window.
        is_still = self._fixed[lines] | (not layers.fixed[number]) | np.isinf(box[1])
        inside &= is_still
        if not is_plain:
            touches &= ~inside
        is_behind = self._key[lines] >= layers.key[number]
        behind = lines[touches & is_behind]
        mixed = color + (self.color[behind] - color) * (1 - alpha) if alpha < 1 else color
        self.color[behind] = np.where(inside[touches & is_behind][:, None], mixed, np.nan)
        if alpha >= VEIL:
            self.row[behind] = layers.row[number]
        over = touches & ~is_behind
        self.touched[lines[over]] = True
        self.bar[lines[over & ~is_still]] = layers.row[number]
        size, shared = core[:, 2:] - core[:, :2], np.minimum(core[:, 2:], box[2:]) - np.maximum(core[:, :2], box[:2])
        is_over = over & is_still & (shared[:, 1] >= MOST * size[:, 1]) & (alpha >= VEIL)
        # Those side by side cover together.
        self._share[lines[is_over]] += (shared / np.maximum(size, 1e-6))[is_over, 0]
        self.cover[lines[is_over & (self._share[lines] >= MOST)]] = layers.row[number]
