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

from ...page.arrays import BoolColumn, FloatArray, IntColumn, corners_of
from ...page.hidden import Hidden
from .clipping import MIN_OPACITY, LineClips
from .css_values import LEGIBLE_DIFFERENCE, visible_difference
from .paint_layers import MOST, VEIL, Painting

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
