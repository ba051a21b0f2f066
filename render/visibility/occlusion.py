"""Compute what is painted behind and over each line of text.

Lines are sampled at some points, on their own surface: what scrolls together is painted together. A color outside of
the interval of colors behind a point is visible there, whatever the images show; inside of it, only a screenshot
decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...page.arrays import BoolColumn, FloatArray, IntColumn, corners_of
from ...page.geometry import Position
from .clip_rects import PageFrame
from .paint_layers import paint_layers
from .painting import Painting

#: Sample points of a line, as shares of its width.
POINTS = np.asarray([0.02, 0.14, 0.26, 0.38, 0.5, 0.62, 0.74, 0.86, 0.98])
#: Layers with at least this opacity may be a cover.
VEIL = 0.25
#: What stays in the window and has at least this share of its height is behind, or over, all of the document.
TALL = 0.6
#: Positions of a line in the window, from the highest to the lowest, at which covers that stay there are tested.
_STOPS = np.linspace(0.0, 1.0, 9)


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
