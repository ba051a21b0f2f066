"""What lies behind each line of text, and what over it.

A line is looked at in some of its points, on its own surface: what scrolls together is painted together. A colour
outside of the interval of colours behind a point is seen there, whatever the pictures show; inside of it, only a
picture of the page tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.geometry import Geometry, Position
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame
from .paint_order import Canvas, PaintLayers

#: Where on a line it is looked at, in shares of its width.
POINTS = np.asarray([0.02, 0.14, 0.26, 0.38, 0.5, 0.62, 0.74, 0.86, 0.98])
#: Paint with more opacity than this may be a cover.
VEIL = 0.25
#: What stays in the window and has at least this share of its height lies behind, or over, all of the document.
TALL = 0.6
#: Places in the window in which a line is looked for beside what stays there.
_STOPS = np.linspace(0.0, 1.0, 9)


@dataclass(frozen=True, kw_only=True, eq=False)
class Occlusion:
    """What lies behind and over lines of text.

    Attributes
    ----------
    low, high : float64 (lines, points, 3)
        The interval of colours behind each point, red, green and blue from 0 to 255.
    behind : int32 (lines,)
        The node that paints the uppermost ground behind the middle; -1 for none.
    over : int32 (lines, points)
        The node that paints over each point, -1 for none.
    """

    low: FloatArray
    high: FloatArray
    behind: IntColumn
    over: IntColumn


def find_occlusion(
    page: Page,
    geometry: Geometry,
    seen: ClipRects,
    paints: PaintLayers,
    keys: NDArray[np.int64],
    frames: Sequence[PageFrame],
    canvases: Sequence[Canvas],
    line_row: IntColumn,
    corners: FloatArray,
) -> Occlusion:
    """Look behind and over lines of text.

    Parameters
    ----------
    page, geometry, seen, paints
    keys : int64 (nodes,)
        Later painted is greater.
    frames : sequence of PageFrame
    canvases : sequence of Canvas
        One a frame.
    line_row : int32 (lines,)
        The text node of each line.
    corners : float64 (lines, 4)
        What is seen of it: left, top, right, bottom.
    """
    looker = _Looker(page, geometry, seen, paints, keys, frames, canvases)
    looker.look(line_row, corners)
    count = len(line_row)
    return Occlusion(
        low=looker.low[:count],
        high=looker.high[:count],
        behind=looker.behind[:count, len(POINTS) // 2],
        over=looker.over[:count],
    )


class _Looker:
    """Looks at lines, and at the ports of inner surfaces (scrolled boxes, frames) as if they were lines."""

    def __init__(
        self,
        page: Page,
        geometry: Geometry,
        seen: ClipRects,
        paints: PaintLayers,
        keys: NDArray[np.int64],
        frames: Sequence[PageFrame],
        canvases: Sequence[Canvas],
    ) -> None:
        self.page, self.geometry, self.seen = page, geometry, seen
        self.paints, self.keys, self.frames, self.canvases = paints, keys, frames, canvases
        window = seen.through[paints.row]
        self.paint_surface = seen.surface[window]
        high = paints.box[:, 3] - paints.box[:, 1]
        tall = high >= TALL * np.asarray([frame.place[3] - frame.place[1] for frame in frames])[seen.frame[window]]
        self.paint_fixed = seen.fixed[window]
        self.paint_tall = tall & (self.paint_fixed | (geometry.position == Position.STICKY)[paints.row])

    def look(self, line_row: IntColumn, corners: FloatArray) -> None:
        seen = self.seen
        surfaces = [one for one in np.unique(seen.surface).tolist() if self._owner(one) >= 0]
        owners = np.asarray([self._owner(one) for one in surfaces], dtype=np.int32)
        boxes = self.geometry.box[owners].astype(np.float64)
        boxes[:, 2:] += boxes[:, :2]
        row, corners = np.concatenate([line_row, owners]), np.concatenate([corners, boxes])
        self.corners = corners
        self.x = corners[:, :1] + (corners[:, 2:3] - corners[:, :1]) * POINTS
        self.y = (corners[:, 1] + corners[:, 3]) / 2
        self.key = self.keys[row]
        self.low, self.high = np.zeros((*self.x.shape, 3)), np.full((*self.x.shape, 3), 255.0)
        self.veil = np.zeros(self.x.shape)
        self.behind, self.over = (np.full(self.x.shape, -1, dtype=np.int32) for _ in range(2))
        window = seen.through[row]
        self.fixed = seen.fixed[window]
        surface = seen.surface[window]
        port = {one: len(line_row) + number for number, one in enumerate(surfaces)}
        for one in np.unique(surface).tolist():
            members = np.flatnonzero(surface == one).astype(np.int32)
            self._begin(one, members, port.get(one, -1))
            self._paint(one, members[np.argsort(self.y[members], kind="stable")])
            self._stay(one, members)
            self._cover_like(members, port.get(one, -1))

    def _owner(self, surface: int) -> int:
        """Return the element in whose box a surface is seen; -1 for the page itself."""
        row = int(self.seen.row[surface])
        return next((frame.owner for frame in self.frames if frame.row == row), row)

    def _begin(self, surface: int, members: IntColumn, port: int) -> None:
        """Lay the ground of a surface: what its document's root paints, or what lies behind the box that shows it."""
        frame = self.seen.frame[surface]
        root = surface == 0 or self.seen.row[surface] == self.frames[frame].row
        canvas = self.canvases[frame] if root else None
        if canvas is not None and canvas.row >= 0:
            self.low[members], self.high[members], self.behind[members] = canvas.low, canvas.high, canvas.row
        elif port >= 0:
            self.low[members], self.high[members] = self.low[port].min(axis=0), self.high[port].max(axis=0)
            self.behind[members] = self.behind[port].max()
        else:
            self.low[members] = self.high[members] = self.canvases[frame].low if root else 255.0

    def _paint(self, surface: int, members: IntColumn) -> None:
        """Paint, in order, what is on a surface; the members are in the order of their height."""
        paints = self.paints
        y = self.y[members]
        for number in np.flatnonzero(self.paint_surface == surface).tolist():
            left, top, right, bottom = paints.box[number].tolist()
            fixed = self.paint_fixed[number]
            far = fixed and self.paint_tall[number]
            first, last = (0, len(y)) if far else np.searchsorted(y, [top, bottom])
            if first == last:
                continue
            near = members[first:last]
            inside = (self.x[near] >= left) & (self.x[near] < right)
            if fixed:
                # What stays in the window lies behind and over what scrolls here and there only.
                inside &= (self.fixed[near] | far)[:, None]
            above = self.key[near] >= paints.key[number]
            self._lay(near, inside & above[:, None], number)
            covered = inside & ~above[:, None]
            if fixed:
                covered &= self.fixed[near][:, None]
            self._put_over(near, covered, number)

    def _lay(self, near: IntColumn, inside: BoolColumn, number: int) -> None:
        line, point = np.nonzero(inside)
        if not len(line):
            return
        lines, paints = near[line], self.paints
        thin, thick = paints.thin[number], paints.thick[number]
        low, high = self.low[lines, point], self.high[lines, point]
        mixed = [old * (1 - alpha) + new * alpha for alpha in (thin, thick) for old, new in
                 ((low, paints.low[number]), (high, paints.high[number]))]  # fmt: skip
        self.low[lines, point] = np.minimum(mixed[0], mixed[2])
        self.high[lines, point] = np.maximum(mixed[1], mixed[3])
        if thick >= VEIL:
            self.behind[lines, point] = paints.row[number]

    def _put_over(self, near: IntColumn, covered: BoolColumn, number: int) -> None:
        found, point = np.nonzero(covered)
        line = near[found]
        # Many thin layers are as good as a thick one.
        self.veil[line, point] = 1 - (1 - self.veil[line, point]) * (1 - self.paints.thick[number])
        thick = self.veil[line, point] >= VEIL
        self.over[line[thick], point[thick]] = self.paints.row[number]

    def _stay(self, surface: int, members: IntColumn) -> None:
        """Put over lines what stays in the window and covers them wherever they are scrolled to."""
        frame = self.frames[self.seen.frame[surface]]
        if self.seen.row[surface] not in (frame.row, -1):
            return
        paints = self.paints
        staying = (self.paint_surface == surface) & (self.paint_fixed | self.paint_tall) & (paints.thick >= VEIL)
        rows, lines = np.flatnonzero(staying), members[~self.fixed[members]]
        if not len(rows) or not len(lines):
            return
        # What is stuck stands at the head of the window.
        box = paints.box[rows].copy()
        stuck = ~self.paint_fixed[rows]
        box[stuck, 3] += frame.place[1] - box[stuck, 1]
        box[stuck, 1] = frame.place[1]
        places = self._places(frame, lines)
        x = self.x[lines]
        for point in range(len(POINTS)):
            across = (x[:, point, None] >= box[:, 0]) & (x[:, point, None] < box[:, 2])
            across &= self.key[lines][:, None] < paints.key[rows]
            hit = across[:, :, None] & (places[:, None, :] >= box[:, 1, None]) & (places[:, None, :] < box[:, 3, None])
            always = hit.any(axis=1).all(axis=1)
            who = rows[hit.any(axis=2).argmax(axis=1)]
            self.over[lines[always], point] = paints.row[who[always]]

    def _places(self, frame: PageFrame, lines: IntColumn) -> FloatArray:
        """Return the heights in the window, some between the highest and the lowest, that lines can be scrolled to."""
        top, bottom = frame.place[1], frame.place[3]
        way = max(frame.content[1] - (bottom - top), 0.0) if frame.scrolls[1] else 0.0
        half = (self.corners[lines, 3] - self.corners[lines, 1]) / 2
        y = self.y[lines]
        lowest, highest = np.minimum(y, bottom - half), np.maximum(y - way, top + half)
        found: FloatArray = highest[:, None] + (np.maximum(lowest, highest) - highest)[:, None] * _STOPS
        return found

    def _cover_like(self, members: IntColumn, port: int) -> None:
        """Put over all that is seen through a port what lies over the port."""
        if port >= 0 and (self.over[port] >= 0).sum() > len(POINTS) // 2:
            self.over[members] = np.where(self.over[members] < 0, self.over[port].max(), self.over[members])
