"""Test lines by paint: what lies behind and over them, and how their color contrasts with what is behind them.

A line is certain if one plain color is behind all of it, from which its own differs, and nothing is painted over it.
Whether an image, a gradient, an edge or an effect leaves it legible is not computed: pictures show it. Lines are
compared with layers on their own surface: what scrolls together is painted together.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, corners_of
from ...page.geometry import Position
from ...page.hidden import Hidden
from .clip_rects import PageFrame
from .clipping import MIN_OPACITY, LineClips
from .css_values import LEGIBLE_DIFFERENCE, visible_difference
from .paint_layers import FAINT, PaintFacts, Painting, paint_layers

#: Difference to the eye between a text and its background from which on it is visible for certain: fine letters are
#: paler than their color.
CERTAIN_CONTRAST = 16.0
#: A background that differs by fewer levels is the same color.
_SAME_LEVELS = 12.0
#: A plain background with at least this alpha (of 255) and opacity is a cover without a screenshot.
_SOLID, _OPAQUE = 230, 0.9
#: Reasons of lines that are painted nevertheless; of clipped ones a part.
_PAINTED = (Hidden.VISIBLE, Hidden.SIZE, Hidden.GLYPHS, Hidden.CLIP)
#: Pairs of overlapping lines that are tested, at most.
MOST_PAIRS = 2_000_000
#: Letters are not in this share of the height of a line, at its top and at its bottom.
_AIR = 0.15
#: Layers that together have at least this opacity may be a cover, of this share of the line or more.
VEIL, MOST = 0.25, 0.5
#: What stays in the window and has at least this share of its height is behind, or over, all of the document.
TALL = 0.6


class PaintTests:
    """The paint tests of lines that pass the geometry tests, whose results are ``reason``, uint8 (all lines,)."""

    def __init__(self, clips: LineClips, reason: NDArray[np.uint8], lines: IntColumn, facts: PaintFacts) -> None:
        self.clips, self.reason, self.lines, self.facts = clips, reason, lines, facts
        self.page, self.geometry, self.styles = clips.page, clips.geometry, clips.styles
        self.row = clips.row[lines]
        self.fill = self.styles.paint.fill[self.row]
        self.strength = (self.fill & 0xFF) / 255.0 * clips.opacity[self.row]
        self.first_line = (self.geometry.line_start[lines] == 0) & facts.first_lines
        self.painting = Painting(
            page=clips.page, geometry=clips.geometry, styles=clips.styles, rects=clips.rects, frames=clips.frames,
            opacity=clips.opacity,
        )  # fmt: skip

    @cached_property
    def grounds(self) -> Grounds:
        """What is painted behind and over the lines."""
        return Grounds(self.painting, self.row, self.clips.reached[self.lines])

    @cached_property
    def contrast(self) -> FloatArray:
        """float64 (lines,): visible difference of the text and the plain color behind it; NaN if there is none."""
        channels = [self.fill >> shift & 0xFF for shift in (24, 16, 8)]
        color, behind = np.stack(channels, axis=1).astype(np.float64), self.grounds.color
        return visible_difference(behind + (color - behind) * self.strength[:, None], behind)

    @cached_property
    def covered_by(self) -> IntColumn:
        """int32 (lines,): the node that covers each line, -1 for none."""
        cover = np.where(self.grounds.cover < 0, _backdrop(self), self.grounds.cover)
        return np.where(cover < 0, self._text_over[1], cover)

    @cached_property
    def is_covered(self) -> BoolColumn:
        """bool (lines,): something covers it, or a part of it."""
        return (self.covered_by >= 0) | self.grounds.touched | self._text_over[0]

    @cached_property
    def _text_over(self) -> tuple[BoolColumn, IntColumn]:
        return _text_over(self)

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
        found: BoolColumn = unknown[self.row] | self.first_line | self.is_small
        return found | self.is_in_round_corner | self.facts.repainted

    @cached_property
    def uncertain(self) -> BoolColumn:
        """bool (lines,): a screenshot must decide."""
        found: BoolColumn = ~(self.contrast >= CERTAIN_CONTRAST) | self.is_covered | self.is_altered
        return found | self.has_unknown_color | self.has_alternate_glyphs

    def without_screenshot(self, fallback: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the most probable reason of each line, uint8 (lines,)."""
        same_color = (self.contrast < LEGIBLE_DIFFERENCE) & ~self.has_unknown_color & ~self.is_altered
        geometry, cover = self.geometry, self.covered_by
        opaque = ((geometry.background[cover] & 0xFF) > _SOLID) & (self.clips.opacity[cover] > _OPAQUE)
        opaque &= (cover >= 0) & ~self.page.below(self.styles.altered)[cover]
        hidden = self.uncertain & (self.is_transparent | same_color | opaque)
        return np.where(hidden, fallback, Hidden.VISIBLE).astype(np.uint8)


def _backdrop(tests: PaintTests) -> IntColumn:
    """Return the dialog whose backdrop covers all lines outside of it, int32 (lines,)."""
    page = tests.page
    dialogs = page.has_tag("dialog") | (page.attribute("popover") >= 0)
    dialogs &= np.isfinite(tests.geometry.box[:, 0])
    if not tests.facts.backdrop or not dialogs.any():
        return np.full(len(tests.row), -1, dtype=np.int32)
    return np.where(page.below(dialogs)[tests.row], -1, np.flatnonzero(dialogs)[0]).astype(np.int32)


def _text_over(tests: PaintTests) -> tuple[BoolColumn, IntColumn]:
    """Return the lines over which another text is painted, bool (lines,), and which covers most, int32 (lines,)."""
    geometry, row, keys, clips = tests.geometry, tests.geometry.line_node, tests.painting.keys, tests.clips
    touched, cover = np.zeros(len(tests.row), dtype=bool), np.full(len(tests.row), -1, dtype=np.int32)
    box, own = clips.reached, clips.reached[tests.lines]
    middle = (own[:, 1] + own[:, 3]) / 2
    order = np.argsort(middle, kind="stable")
    # Texts for screen readers, for example, are not painted.
    painted = ~geometry.invisible[row] & (clips.opacity[row] > MIN_OPACITY) & np.isin(tests.reason, _PAINTED)
    # At the position of another moment, other texts may have been before.
    painted &= ~clips.unpainted.inexact[row] & ~clips.moved & (box[:, 2:] > box[:, :2]).all(axis=1)
    upper = np.flatnonzero(painted)
    first = np.searchsorted(middle[order], box[upper, 1])
    count = np.maximum(np.searchsorted(middle[order], box[upper, 3]) - first, 0)
    if count.sum() > MOST_PAIRS:
        return touched, cover
    lower = order[np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)]
    upper = np.repeat(upper, count)
    shared = np.minimum(box[upper, 2], own[lower, 2]) - np.maximum(box[upper, 0], own[lower, 0])
    over = (row[upper] != tests.row[lower]) & (keys[row[upper]] > keys[tests.row[lower]])
    over &= ~clips.unpainted.inexact[tests.row[lower]] & ~clips.moved[tests.lines[lower]]
    over &= shared > 1.0
    touched[lower[over]] = True
    over &= shared >= MOST * (own[lower, 2] - own[lower, 0])
    cover[lower[over]] = row[upper[over]]
    return touched, cover


class Grounds:
    """The plain color behind each line, and what lies over it; ``corners`` (lines, 4) are of visible parts.

    The boxes that show inner surfaces (scrollers, frames) follow the lines, as if they were lines. Attributes:
    ``color``, float64 (lines, 3), NaN if it is not plain; ``row``, int32 (lines,), the node of the topmost layer behind
    it; ``touched``, bool (lines,), something lies over a part of it; ``cover``, int32 (lines,), what covers it, or -1.
    """

    def __init__(self, painting: Painting, line_row: IntColumn, corners: FloatArray) -> None:
        self.painting, self.rects, self.frames = painting, painting.rects, painting.frames
        self.layers = layers = paint_layers(painting)
        rects, geometry = painting.rects, painting.geometry
        clip = rects.index[layers.row]
        self._layer_surface, self._layer_fixed = rects.surface[clip], rects.fixed[clip]
        window_heights = np.asarray([frame.window[3] - frame.window[1] for frame in painting.frames])
        scroller = rects.scroller[clip]
        heights = np.where(scroller >= 0, geometry.box[scroller, 3], window_heights[rects.frame[clip]])
        tall = layers.box[:, 3] - layers.box[:, 1] >= TALL * heights
        self._layer_tall = tall & (self._layer_fixed | (geometry.position == Position.STICKY)[layers.row])
        # Where the layers lie, and their parts: wherever the document is scrolled to, if they fill the window.
        self._layer_box, self._layer_part = layers.box.copy(), layers.part.copy()
        for corners_of_layer in (self._layer_box, self._layer_part):
            whole = self._layer_fixed & tall & (corners_of_layer[:, 0] <= corners_of_layer[:, 2])
            corners_of_layer[whole, 1], corners_of_layer[whole, 3] = -np.inf, np.inf
        surfaces = [surface for surface in np.unique(rects.surface).tolist() if self._owner(surface) >= 0]
        owners = np.asarray([self._owner(surface) for surface in surfaces], dtype=np.int32)
        row = np.concatenate([line_row, owners])
        self._box = np.concatenate([corners, corners_of(geometry.box[owners])])
        air = _AIR * (self._box[:, 3] - self._box[:, 1])
        # Edges that coincide do not touch.
        self._core = self._box + np.stack([np.ones(len(row)), air, -np.ones(len(row)), -air], axis=1)
        self._key = painting.keys[row]
        self._fixed, self._surface = rects.fixed[rects.index[row]], rects.surface[rects.index[row]]
        self.color, self.row = np.full((len(row), 3), np.nan), np.full(len(row), -1, dtype=np.int32)
        self.touched, self.cover = np.zeros(len(row), dtype=bool), np.full(len(row), -1, dtype=np.int32)
        self._veil, self._share = np.zeros(len(row)), np.zeros(len(row))
        #: The sample that is the box of each inner surface.
        port_of = {surface: len(line_row) + number for number, surface in enumerate(surfaces)}
        for surface in np.unique(self._surface).tolist():
            members = np.flatnonzero(self._surface == surface).astype(np.int32)
            port = port_of.get(surface, -1)
            self._fill_background(surface, members, port)
            self._paint(surface, members[np.argsort(self._core[members, 1], kind="stable")])
            self._cover_by_fixed(surface, members)
            if port >= 0 and self.cover[port] >= 0:
                self.cover[members] = np.where(self.cover[members] < 0, self.cover[port], self.cover[members])
        count = len(line_row)
        self.color, self.row = self.color[:count], self.row[:count]
        self.touched, self.cover = self.touched[:count], self.cover[:count]

    def _owner(self, surface: int) -> int:
        """Return the element whose box shows a surface; -1 for the page itself."""
        row = int(self.rects.row[surface])
        return next((frame.owner for frame in self.frames if frame.row == row), row)

    def _fill_background(self, surface: int, members: IntColumn, port: int) -> None:
        """Paint the canvas of a document, or what is behind the box that shows a surface."""
        frame = self.rects.frame[surface]
        is_root = surface == 0 or self.rects.row[surface] == self.frames[frame].row
        canvas = self.painting.canvases[frame] if is_root else None
        if port >= 0 and (canvas is None or canvas.row < 0):
            self.color[members], self.row[members] = self.color[port], self.row[port]
        elif canvas is not None:
            self.color[members], self.row[members] = canvas.color, canvas.row
        else:
            self.color[members] = 255.0

    def _paint(self, surface: int, members: IntColumn) -> None:
        """Paint the layers of a surface in order; the members are ordered by their upper edges."""
        layers, core = self.layers, self._core
        top = core[members, 1]
        highest = (core[members, 3] - top).max(initial=0.0)
        for number in np.flatnonzero(self._layer_surface == surface).tolist():
            box, part, fixed = self._layer_box[number], self._layer_part[number], self._layer_fixed[number]
            first, last = np.searchsorted(top, [box[1] - highest, box[3]])
            if first == last:
                continue
            near = members[first:last]
            low, high = core[near, :2], core[near, 2:]
            touches = ((low < box[2:]) & (high > box[:2])).all(axis=1)
            inside = ((low >= part[:2]) & (high <= part[2:])).all(axis=1)
            if fixed:
                # A fixed layer is behind and over scrolled lines at some scroll positions only.
                touches &= self._fixed[near] | np.isinf(box[1])
            is_plain = bool(np.isfinite(layers.color[number, 0]))
            if not is_plain:
                touches &= ~inside
            behind = self._key[near] >= layers.key[number]
            self._paint_behind(near[touches & behind], inside[touches & behind], number, is_plain)
            over = touches & ~behind
            self._paint_over(near[over & self._fixed[near] if fixed else over], number)

    def _paint_behind(self, lines: IntColumn, inside: BoolColumn, number: int, is_plain: bool) -> None:
        color, alpha = self.layers.color[number], self.layers.alpha[number]
        if alpha <= FAINT or not len(lines):
            return
        if alpha >= VEIL:
            self.row[lines] = self.layers.row[number]
        if not is_plain:
            self.color[lines] = np.nan
            return
        before = self.color[lines]
        # Over an image, too, an opaque color is the only one.
        mixed = color + (before - color) * (1 - alpha) if alpha < 1 else np.broadcast_to(color, before.shape)
        differs = ~(np.abs(mixed - before).max(axis=1) < _SAME_LEVELS)
        self.color[lines] = np.where((inside | ~differs)[:, None], mixed, np.nan)

    def _paint_over(self, lines: IntColumn, number: int) -> None:
        layers, core = self.layers, self._core[lines]
        # Many thin layers cover as much as a thick one.
        self._veil[lines] = 1 - (1 - self._veil[lines]) * (1 - layers.alpha[number])
        thick = self._veil[lines] >= VEIL
        lines, core, box = lines[thick], core[thick], self._layer_box[number]
        self.touched[lines] = True
        width = np.minimum(core[:, 2], box[2]) - np.maximum(core[:, 0], box[0])
        height = np.minimum(core[:, 3], box[3]) - np.maximum(core[:, 1], box[1])
        is_over = height >= MOST * (core[:, 3] - core[:, 1])
        self._share[lines] += np.where(is_over, width / np.maximum(core[:, 2] - core[:, 0], 1e-6), 0.0)
        covered = lines[is_over & (self._share[lines] >= MOST)]
        self.cover[covered] = layers.row[number]

    def _cover_by_fixed(self, surface: int, members: IntColumn) -> None:
        """Cover lines by layers that stay in the window, or in a box, and cover them at every scroll position."""
        frame, is_inner = self.frames[self.rects.frame[surface]], self.rects.scroller[surface] >= 0
        layers = self.layers
        staying = (self._layer_surface == surface) & (self._layer_fixed | self._layer_tall) & (layers.alpha >= VEIL)
        rows, lines = np.flatnonzero(staying), members[~self._fixed[members]]
        if not len(rows) or not len(lines):
            return
        highest, lowest = _scroll_positions(frame, self._box[lines])
        for number in rows.tolist():
            left, top, right, bottom = layers.box[number].tolist()
            if not self._layer_fixed[number]:
                # Sticky layers are at the top of the window.
                top, bottom = frame.window[1], bottom - top + frame.window[1]
            core = self._core[lines]
            width = np.minimum(core[:, 2], right) - np.maximum(core[:, 0], left)
            # How far a box scrolls is not known.
            over = (width > 0) & (self._key[lines] < layers.key[number])
            over &= is_inner | ((highest >= top) & (lowest < bottom))
            self.touched[lines[over]] = True
            self.cover[lines[over & (width >= MOST * (core[:, 2] - core[:, 0]))]] = layers.row[number]


def _scroll_positions(frame: PageFrame, box: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the highest and the lowest position in the window that the middle of lines can be scrolled to."""
    top, bottom = frame.window[1], frame.window[3]
    distance = max(frame.content[1] - (bottom - top), 0.0) if frame.scrolls[1] else 0.0
    y, half = (box[:, 1] + box[:, 3]) / 2, (box[:, 3] - box[:, 1]) / 2
    lowest, highest = np.minimum(y, bottom - half), np.maximum(y - distance, top + half)
    return highest, np.maximum(lowest, highest)
