"""Test lines by paint: what is painted behind and over them, and how their color contrasts with what is behind them.

Lines are sampled at some points, on their own surface: what scrolls together is painted together. A color outside of
the interval of colors behind a point is visible there, whatever the images show; inside of it, only a screenshot
decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, corners_of
from ...page.geometry import Position
from ...page.hidden import Hidden
from .clip_rects import PageFrame
from .clipping import MIN_OPACITY, LineClips
from .computed_styles import broadly_struck, is_3d, is_moved_in_3d, is_outlined
from .css_values import LEGIBLE_DIFFERENCE, families_in, visible_difference
from .paint_layers import PaintFacts, Painting, paint_layers

#: Difference to the eye between a text and its background from which on it is visible for certain: fine letters are
#: paler than their color.
CERTAIN_CONTRAST = 16.0
#: Colors that differ by so many of 255 levels have a greater difference.
_CERTAIN_LEVELS = 200
#: A background with a smaller spread of levels is one color.
_ONE_COLOR = 12.0
#: A plain background with at least this alpha (of 255) and opacity is a cover without a screenshot.
_SOLID, _OPAQUE = 230, 0.9
#: Reasons of lines that are painted nevertheless; of clipped ones a part.
_PAINTED = (Hidden.VISIBLE, Hidden.SIZE, Hidden.GLYPHS, Hidden.CLIP)
#: Lines with a broad line under or through them that are tested, at most.
_MOST_STRUCK = 200
#: Pairs of overlapping lines that are tested, at most.
MOST_PAIRS = 2_000_000
#: Sample points of a line, as shares of its width.
POINTS = np.asarray([0.02, 0.14, 0.26, 0.38, 0.5, 0.62, 0.74, 0.86, 0.98])
#: A line has contrast, or is covered, at so many of its points or more.
MAJORITY = len(POINTS) // 2 + 1
#: Layers with at least this opacity may be a cover.
VEIL = 0.25
#: What stays in the window and has at least this share of its height is behind, or over, all of the document.
TALL = 0.6
#: Positions of a line in the window, from the highest to the lowest, at which covers that stay there are tested.
_STOPS = np.linspace(0.0, 1.0, 9)


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
            opacity=clips.opacity, failed_images=facts.failed_images,
        )  # fmt: skip

    @cached_property
    def occlusion(self) -> Occlusion:
        """What is painted behind and over the lines."""
        return find_occlusion(self.painting, self.row, self.clips.reached[self.lines])

    @cached_property
    def contrast(self) -> FloatArray:
        """float64 (lines, points): visible difference of the text and the nearest color that may be behind it."""
        channels = [self.fill >> shift & 0xFF for shift in (24, 16, 8)]
        color = np.stack(channels, axis=1).astype(np.float64)[:, None]
        change = color - np.clip(color, self.occlusion.low, self.occlusion.high)
        painted = change * self.strength[:, None, None]
        levels = np.abs(painted).max(axis=2)
        contrast: FloatArray = np.where(levels >= _CERTAIN_LEVELS, CERTAIN_CONTRAST, 0.0)
        uncertain = (levels > 0) & (levels < _CERTAIN_LEVELS)
        behind = (color - change)[uncertain]
        contrast[uncertain] = visible_difference(behind + painted[uncertain], behind)
        return contrast

    @cached_property
    def over(self) -> IntColumn:
        """int32 (lines, points): the node of a layer, or of a text, over each point, -1 for none."""
        over = self.occlusion.over
        return np.where(over >= 0, over, _text_over(self))

    @cached_property
    def covered_by(self) -> IntColumn:
        """int32 (lines,): the node that covers each line, -1 for none."""
        is_covered = (self.over >= 0).sum(axis=1) >= MAJORITY
        cover = np.where(is_covered, self.over.max(axis=1), -1).astype(np.int32)
        for find in (_backdrop, _sticky_cover):
            cover = np.where(cover < 0, find(self), cover)
        return cover

    @property
    def is_covered(self) -> BoolColumn:
        """bool (lines,): something covers it, or a part of it."""
        return (self.covered_by >= 0) | (self._is_partly_affected & (self.over >= 0).any(axis=1))

    @cached_property
    def is_altered(self) -> BoolColumn:
        """bool (lines,): effects change how it is painted."""
        styles, page = self.styles, self.page
        struck = page.below(styles.where(broadly_struck))
        altered = page.below(styles.altered) | styles.where(is_outlined) | struck | self._is_in_3d
        return altered[self.row] | _is_near(self, struck)

    @property
    def _is_in_3d(self) -> BoolColumn:
        """bool (nodes,): in a 3D space together with something that is moved in it."""
        page, space = self.page, self.styles.where(is_3d)
        moved = self.styles.where(is_moved_in_3d)
        return page.below(space & (page.count_within(moved) > 0)) if space.any() else space

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
        # A cell without width is that of a collapsed column.
        flat = page.below(page.has_tag("td", "th") & (self.geometry.box[:, 2] < 1))
        found: BoolColumn = (self.clips.unpainted.drawings | flat)[self.row] | self.first_line | self.is_small
        colored = self.facts.colored_fonts
        if colored:
            found |= self.styles.where(lambda row: bool(families_in(row["font-family"]) & colored))[self.row]
        return found | self.is_in_round_corner | self.facts.repainted

    @cached_property
    def uncertain(self) -> BoolColumn:
        """bool (lines,): a screenshot must decide."""
        found: BoolColumn = ~self.has_contrast | (self.covered_by >= 0) | self.is_altered | self.has_unknown_color
        return found | self.has_alternate_glyphs | self._is_partly_affected

    @cached_property
    def has_contrast(self) -> BoolColumn:
        """bool (lines,): most of it differs from every color that may be behind it."""
        found: BoolColumn = (self.contrast >= CERTAIN_CONTRAST).sum(axis=1) >= MAJORITY
        return found

    @cached_property
    def _is_partly_affected(self) -> BoolColumn:
        """bool (lines,): some of it may be covered, or have the color of its background; the rest has contrast."""
        some = (self.over >= 0).any(axis=1) | (self.contrast < CERTAIN_CONTRAST).any(axis=1)
        return some & self.has_contrast & (self.covered_by < 0)

    def without_screenshot(self, fallback: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the most probable reason of each line, uint8 (lines,)."""
        same_color = ((self.contrast < LEGIBLE_DIFFERENCE).sum(axis=1) >= MAJORITY) & self._has_plain_background
        same_color &= ~self.has_unknown_color & ~self.is_altered
        geometry, cover = self.geometry, self.covered_by
        opaque = ((geometry.background[cover] & 0xFF) > _SOLID) & (self.clips.opacity[cover] > _OPAQUE)
        opaque &= (cover >= 0) & ~self.page.below(self.styles.altered)[cover]
        hidden = self.uncertain & (self.is_transparent | same_color | opaque)
        return np.where(hidden, fallback, Hidden.VISIBLE).astype(np.uint8)

    @cached_property
    def style_group(self) -> IntColumn:
        """int32 (lines,): lines with the same number look the same wherever they are; -1 for a line of its own."""
        page, styles = self.page, self.styles
        shaped = page.below(styles.shaped)[self.row] | self.clips.unpainted.inexact[self.row] | self.has_unknown_color
        is_uniform = (
            self.uncertain
            & (self.covered_by < 0)
            & ~self._is_partly_affected
            & ~(shaped & ~self.first_line)
            & (self._has_plain_background | self.is_transparent)
        )
        effect = page.nearest(styles.altered)[self.row] if styles.altered.any() else np.zeros(len(self.row))
        look = np.stack([self.fill, self.occlusion.behind, effect, styles.row[self.row]], axis=1).astype(np.int64)
        number = np.unique(look, axis=0, return_inverse=True)[1].reshape(-1)
        return np.where(is_uniform, number, -1).astype(np.int32)

    @property
    def _has_plain_background(self) -> BoolColumn:
        """bool (lines,): one color is behind it, no image."""
        spread = (self.occlusion.high - self.occlusion.low).max(axis=2)
        found: BoolColumn = (spread < _ONE_COLOR).sum(axis=1) >= MAJORITY
        return found


def _is_near(tests: PaintTests, struck: BoolColumn) -> BoolColumn:
    """Return the lines that broad lines of texts, of which the nodes are ``struck``, may cover, bool (lines,)."""
    clips = tests.clips
    box = clips.box[struck[clips.row]][:_MOST_STRUCK]
    found: BoolColumn = np.zeros(len(tests.row), dtype=bool)
    if len(box):
        reach = tests.styles.pixels("text-decoration-thickness")[struck].max()
        left, top, right, bottom = clips.box[tests.lines].T
        for other in (box + reach * np.array([0, -1, 0, 1])).tolist():
            found |= (left < other[2]) & (right > other[0]) & (top < other[3]) & (bottom > other[1])
    return found


def _backdrop(tests: PaintTests) -> IntColumn:
    """Return the dialog whose backdrop covers all lines outside of it, int32 (lines,)."""
    page = tests.page
    dialogs = page.has_tag("dialog") | (page.attribute("popover") >= 0)
    dialogs &= np.isfinite(tests.geometry.box[:, 0])
    if not tests.facts.backdrop or not dialogs.any():
        return np.full(len(tests.row), -1, dtype=np.int32)
    return np.where(page.below(dialogs)[tests.row], -1, np.flatnonzero(dialogs)[0]).astype(np.int32)


def _sticky_cover(tests: PaintTests) -> IntColumn:
    """Return the sticky node that fills most of the scroller of each line, int32 (lines,)."""
    cover = np.full(len(tests.row), -1, dtype=np.int32)
    geometry, rects = tests.geometry, tests.clips.rects
    sticky = np.flatnonzero((geometry.position == Position.STICKY) & ((geometry.background & 0xFF) > 0))
    scroller = rects.scroller[rects.index]
    for row in sticky[scroller[sticky] >= 0].tolist():
        port = geometry.box[scroller[row]]
        if geometry.box[row, 3] >= TALL * port[3] and geometry.box[row, 2] >= TALL * port[2]:
            outside = (tests.row < row) | (tests.row >= tests.page.end[row])
            cover[(scroller[tests.row] == scroller[row]) & outside] = row
    return cover


def _text_over(tests: PaintTests) -> IntColumn:
    """Return the text that is painted over each point of each line, int32 (lines, points), -1 for none."""
    geometry, row, keys, clips = tests.geometry, tests.geometry.line_node, tests.painting.keys, tests.clips
    cover = np.full((len(tests.row), len(POINTS)), -1, dtype=np.int32)
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
        return cover
    lower = order[np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)]
    upper = np.repeat(upper, count)
    over = (box[upper, 0] < own[lower, 2]) & (box[upper, 2] > own[lower, 0])
    over &= (row[upper] != tests.row[lower]) & (keys[row[upper]] > keys[tests.row[lower]])
    over &= ~clips.unpainted.inexact[tests.row[lower]] & ~clips.moved[tests.lines[lower]]
    upper, lower = upper[over], lower[over]
    x = own[lower, :1] + (own[lower, 2:3] - own[lower, :1]) * POINTS
    pair, point = np.nonzero((x >= box[upper, :1]) & (x < box[upper, 2:3]))
    cover[lower[pair], point] = row[upper[pair]]
    return cover


@dataclass(frozen=True, kw_only=True, eq=False)
class Occlusion:
    """Paint behind and over lines of text."""

    #: float64 (lines, points, 3): The interval of colors behind each point, red, green and blue from 0 to 255.
    low: FloatArray
    high: FloatArray
    #: int32 (lines,): The node of the topmost layer behind the middle; -1 for none.
    behind: IntColumn
    #: int32 (lines, points): The node of a layer over each point, -1 for none.
    over: IntColumn


def find_occlusion(painting: Painting, line_row: IntColumn, corners: FloatArray) -> Occlusion:
    """Compute what is painted behind and over lines of text nodes; ``corners`` (lines, 4) are of visible parts."""
    sampler = _Sampler(painting, line_row, corners)
    sampler.run()
    count = len(line_row)
    return Occlusion(
        low=sampler.low[:count],
        high=sampler.high[:count],
        behind=sampler.behind[:count, len(POINTS) // 2],
        over=sampler.over[:count],
    )


class _Sampler:
    """Samples lines, and the boxes that show inner surfaces (scrollers, frames) as if they were lines."""

    def __init__(self, painting: Painting, line_row: IntColumn, corners: FloatArray) -> None:
        self.painting, self.rects, self.frames = painting, painting.rects, painting.frames
        self.layers = layers = paint_layers(painting)
        rects, geometry = painting.rects, painting.geometry
        clip = rects.index[layers.row]
        self.layer_surface = rects.surface[clip]
        height = layers.box[:, 3] - layers.box[:, 1]
        window_heights = np.asarray([frame.window[3] - frame.window[1] for frame in painting.frames])
        tall = height >= TALL * window_heights[rects.frame[clip]]
        self.layer_fixed = rects.fixed[clip]
        self.layer_tall = tall & (self.layer_fixed | (geometry.position == Position.STICKY)[layers.row])
        surfaces = [surface for surface in np.unique(rects.surface).tolist() if self._owner(surface) >= 0]
        owners = np.asarray([self._owner(surface) for surface in surfaces], dtype=np.int32)
        row = np.concatenate([line_row, owners])
        self.corners = np.concatenate([corners, corners_of(geometry.box[owners])])
        self.x = self.corners[:, :1] + (self.corners[:, 2:3] - self.corners[:, :1]) * POINTS
        self.y = (self.corners[:, 1] + self.corners[:, 3]) / 2
        self.key = painting.keys[row]
        self.low, self.high = np.zeros((*self.x.shape, 3)), np.full((*self.x.shape, 3), 255.0)
        self.veil = np.zeros(self.x.shape)
        self.behind, self.over = (np.full(self.x.shape, -1, dtype=np.int32) for _ in range(2))
        self.fixed = rects.fixed[rects.index[row]]
        self.surface = rects.surface[rects.index[row]]
        #: The sample that is the box of each inner surface.
        self.port = {surface: len(line_row) + number for number, surface in enumerate(surfaces)}

    def run(self) -> None:
        for surface in np.unique(self.surface).tolist():
            members = np.flatnonzero(self.surface == surface).astype(np.int32)
            port = self.port.get(surface, -1)
            self._fill_background(surface, members, port)
            self._paint(surface, members[np.argsort(self.y[members], kind="stable")])
            self._cover_by_fixed(surface, members)
            self._cover_like_port(members, port)

    def _owner(self, surface: int) -> int:
        """Return the element whose box shows a surface; -1 for the page itself."""
        row = int(self.rects.row[surface])
        return next((frame.owner for frame in self.frames if frame.row == row), row)

    def _fill_background(self, surface: int, members: IntColumn, port: int) -> None:
        """Paint the canvas of a document, or what is behind the box that shows a surface."""
        frame = self.rects.frame[surface]
        is_root = surface == 0 or self.rects.row[surface] == self.frames[frame].row
        canvas = self.painting.canvases[frame] if is_root else None
        if canvas is not None and canvas.row >= 0:
            self.low[members], self.high[members], self.behind[members] = canvas.low, canvas.high, canvas.row
        elif port >= 0:
            self.low[members], self.high[members] = self.low[port].min(axis=0), self.high[port].max(axis=0)
            self.behind[members] = self.behind[port].max()
        else:
            self.low[members] = self.high[members] = canvas.low if canvas is not None else 255.0

    def _paint(self, surface: int, members: IntColumn) -> None:
        """Paint the layers of a surface in order; the members are ordered by ``y``."""
        layers = self.layers
        y = self.y[members]
        for number in np.flatnonzero(self.layer_surface == surface).tolist():
            left, top, right, bottom = layers.box[number].tolist()
            fixed = self.layer_fixed[number]
            everywhere = fixed and self.layer_tall[number]
            first, last = (0, len(y)) if everywhere else np.searchsorted(y, [top, bottom])
            if first == last:
                continue
            near = members[first:last]
            inside = (self.x[near] >= left) & (self.x[near] < right)
            if fixed:
                # A fixed layer is behind and over scrolled lines at some scroll positions only.
                inside &= (self.fixed[near] | everywhere)[:, None]
            above = self.key[near] >= layers.key[number]
            self._paint_behind(near, inside & above[:, None], number)
            covered = inside & ~above[:, None]
            if fixed:
                covered &= self.fixed[near][:, None]
            self._paint_over(near, covered, number)

    def _paint_behind(self, near: IntColumn, inside: BoolColumn, number: int) -> None:
        index, point = np.nonzero(inside)
        if not len(index):
            return
        lines, layers = near[index], self.layers
        thin, thick = layers.thin[number], layers.thick[number]
        low, high = self.low[lines, point], self.high[lines, point]
        mixed = [old * (1 - alpha) + new * alpha for alpha in (thin, thick) for old, new in
                 ((low, layers.low[number]), (high, layers.high[number]))]  # fmt: skip
        self.low[lines, point] = np.minimum(mixed[0], mixed[2])
        self.high[lines, point] = np.maximum(mixed[1], mixed[3])
        if thick >= VEIL:
            self.behind[lines, point] = layers.row[number]

    def _paint_over(self, near: IntColumn, covered: BoolColumn, number: int) -> None:
        index, point = np.nonzero(covered)
        line = near[index]
        # Many thin layers cover as much as a thick one.
        self.veil[line, point] = 1 - (1 - self.veil[line, point]) * (1 - self.layers.thick[number])
        thick = self.veil[line, point] >= VEIL
        self.over[line[thick], point[thick]] = self.layers.row[number]

    def _cover_by_fixed(self, surface: int, members: IntColumn) -> None:
        """Cover lines by layers that stay in the window and cover them at every scroll position."""
        frame = self.frames[self.rects.frame[surface]]
        if self.rects.row[surface] not in (frame.row, -1):
            return
        layers = self.layers
        staying = (self.layer_surface == surface) & (self.layer_fixed | self.layer_tall) & (layers.thick >= VEIL)
        rows, lines = np.flatnonzero(staying), members[~self.fixed[members]]
        if not len(rows) or not len(lines):
            return
        # Sticky layers are at the top of the window.
        box = layers.box[rows].copy()
        sticky = ~self.layer_fixed[rows]
        box[sticky, 3] += frame.window[1] - box[sticky, 1]
        box[sticky, 1] = frame.window[1]
        y = self._scroll_positions(frame, lines)
        x = self.x[lines]
        for point in range(len(POINTS)):
            across = (x[:, point, None] >= box[:, 0]) & (x[:, point, None] < box[:, 2])
            across &= self.key[lines][:, None] < layers.key[rows]
            hit = across[:, :, None] & (y[:, None, :] >= box[:, 1, None]) & (y[:, None, :] < box[:, 3, None])
            always = hit.any(axis=1).all(axis=1)
            cover = rows[hit.any(axis=2).argmax(axis=1)]
            self.over[lines[always], point] = layers.row[cover[always]]

    def _scroll_positions(self, frame: PageFrame, lines: IntColumn) -> FloatArray:
        """Return the positions in the window that lines can be scrolled to, float64 (lines, stops)."""
        top, bottom = frame.window[1], frame.window[3]
        distance = max(frame.content[1] - (bottom - top), 0.0) if frame.scrolls[1] else 0.0
        half = (self.corners[lines, 3] - self.corners[lines, 1]) / 2
        y = self.y[lines]
        lowest, highest = np.minimum(y, bottom - half), np.maximum(y - distance, top + half)
        positions: FloatArray = highest[:, None] + (np.maximum(lowest, highest) - highest)[:, None] * _STOPS
        return positions

    def _cover_like_port(self, members: IntColumn, port: int) -> None:
        """Cover the lines of an inner surface by what covers the box that shows it."""
        if port >= 0 and (self.over[port] >= 0).sum() > len(POINTS) // 2:
            self.over[members] = np.where(self.over[members] < 0, self.over[port].max(), self.over[members])
