"""What a person sees of each line of a rendered page, and where only a picture of the page can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import BoolColumn, FloatArray, FloatColumn, IntColumn
from ..page import Geometry, Hidden, Page
from .characters import drawn
from .grounds import POINTS, Grounds, find_grounds
from .paints import Canvas, find_paints, painting_keys
from .styles import Styles, pixels
from .windows import Frame, body_of, windows

#: Text of less opacity than this counts as not shown.
FAINTEST = 0.05
#: Levels (of 255) between a text's colour and its ground from which on it is seen for sure, and below which it is not.
PLAIN, ALIKE = 32.0, 12.0
#: Lines lower than this, in CSS pixels, cannot be read: type of four pixels has lines of five.
LOWEST = 5.0
#: Of a line that is cut off so much of its height must be left, or of its height and width so many pixels.
LEAST_HEIGHT = 0.35
#: A character takes at least this share of the height of its line; text that takes less is drawn on one spot.
NARROWEST = 0.07
#: The number of what is alike for being folded away.
_FOLDED = 2**31 - 1
#: What lies over at least so many of the points of a line covers it.
_MOST = len(POINTS) // 2 + 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Sight:
    """What the layout says of each line.

    Attributes
    ----------
    reason : uint8 (lines,)
        A :class:`~blocksight.render.page.Hidden`, the best answer without a picture.
    doubtful : bool (lines,)
        Whether a picture should be asked.
    guess : uint8 (lines,)
        For the doubtful: the reason when the picture shows nothing of it.
    alike : int32 (lines,)
        For the doubtful: lines of one number look alike wherever they stand; -1 for one of its own.
    left, right : float64 (lines,)
        The part of its width that is seen, in shares.
    over : int32 (lines,)
        The node that is painted over it, -1 for none.
    fixed : bool (nodes,)
        Whether a node stays in the window when its document is scrolled.
    """

    reason: NDArray[np.uint8]
    doubtful: BoolColumn
    guess: NDArray[np.uint8]
    alike: IntColumn
    left: FloatArray
    right: FloatArray
    over: IntColumn
    fixed: BoolColumn


def opacity_product(page: Page, geometry: Geometry) -> FloatColumn:
    """float32 (nodes,): opacity as it reaches the eye, the product over a node and its ancestors."""
    product = np.ones(len(page), dtype=np.float32)
    for row in np.flatnonzero(geometry.opacity != 1).tolist():
        product[row : page.end[row]] *= geometry.opacity[row]
    return product


def find_sight(
    page: Page, geometry: Geometry, styles: Styles, frames: Sequence[Frame], *, first_lines: bool = False
) -> Sight:
    """Look at every line of a page.

    Parameters
    ----------
    page : Page
    geometry : Geometry
        With ``paint``; its ``hidden`` is not looked at.
    styles : Styles
        Of the page's nodes.
    frames : sequence of Frame
        The page's documents.
    first_lines : bool
        Whether the first lines of texts may look otherwise than ``styles`` say.
    """
    return _Eye(page, geometry, styles, frames, first_lines).sight()


class _Eye:
    def __init__(
        self, page: Page, geometry: Geometry, styles: Styles, frames: Sequence[Frame], first_lines: bool
    ) -> None:
        self.page, self.geometry, self.styles, self.frames = page, geometry, styles, frames
        self.first_lines = first_lines
        self.row = geometry.line_node
        self.box = self._boxes()
        handed = _handed_on(page, styles, frames)
        margins = styles.column("overflow-clip-margin", lambda value: max(pixels(value), default=0.0), 0.0, np.float64)
        hard = styles.column("overflow-x", "clip".__eq__, False, np.bool_)
        self.windows = windows(page, geometry, frames=frames, margins=np.where(hard, margins, 0.0), boxless=handed)
        self.opacity = opacity_product(page, geometry)
        self.altered = page.below(styles.altered | _cut_out(styles))

    def _boxes(self) -> FloatArray:
        """Return the box of each line; where it says little, that of what holds it."""
        page, box = self.page, self.geometry.line_box.astype(np.float64)
        shifting = self._shifting[self.row] & (box[:, 2:] > 0).all(axis=1)
        if shifting.any():
            outer = page.has_tag("svg", "marquee") & ~np.where(page.parent >= 0, self._shifting[page.parent], False)
            box[shifting] = self.geometry.box[page.nearest(outer)[self.row[shifting]]]
        return box

    def sight(self) -> Sight:
        reason, corners = self._by_place()
        count = len(reason)
        doubtful, guess = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.uint8)
        alike, over = np.full(count, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32)
        shown = np.flatnonzero(reason == Hidden.VISIBLE)
        shown = shown[np.isin(self.row[shown], self.page.leaves)]
        if len(shown):
            grounds = self._grounds(self.row[shown], corners[shown])
            doubtful[shown], guess[shown], fallback, alike[shown], over[shown] = self._doubts(shown, grounds)
            reason[shown] = np.where(doubtful[shown], fallback, Hidden.VISIBLE)
        lost = self._perhaps_scrolled_to(reason)
        doubtful[lost], guess[lost] = True, Hidden.OFF_SCREEN
        # A style sheet may show what is inside of closed details.
        folded = (reason == Hidden.DISPLAY) & self._folded[self.row]
        doubtful[folded], guess[folded], alike[folded] = True, Hidden.DISPLAY, _FOLDED
        width = np.maximum(self.box[:, 2], 1e-6)
        # Of what is turned in space no edge says where it is cut.
        scrolled = self.windows.scroller[self.windows.through[self.row]] >= 0
        corners = np.where(scrolled[:, None], self._cut, corners)
        whole = self._shifting[self.row] | self.page.below(self.styles.turned)[self.row]
        left = np.where(whole, 0.0, np.clip((corners[:, 0] - self.box[:, 0]) / width, 0.0, 1.0))
        right = np.where(whole, 1.0, np.clip((corners[:, 2] - self.box[:, 0]) / width, 0.0, 1.0))
        return Sight(
            reason=reason, doubtful=doubtful, guess=guess, alike=alike, left=left, right=right, over=over,
            fixed=self.windows.fixed[self.windows.through],
        )  # fmt: skip

    # -- by place alone -------------------------------------------------------------------------------------------

    def _by_place(self) -> tuple[NDArray[np.uint8], FloatArray]:
        """Return why each line is not seen by its size and place, and the corners of what is left of it."""
        seen, box = self.windows, self.box
        window = seen.through[self.row]
        corners = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
        cut = np.concatenate(
            [np.maximum(corners[:, :2], seen.low[window]), np.minimum(corners[:, 2:], seen.high[window])], axis=1
        )
        self._cut = cut
        reached = np.concatenate(
            [np.maximum(cut[:, :2], seen.first[window]), np.minimum(cut[:, 2:], seen.last[window])], axis=1
        )
        # What comes later outweighs what came before.
        reason = np.full(len(box), Hidden.VISIBLE, dtype=np.uint8)
        reason[self._unreadable()] = Hidden.SIZE
        reason[self.opacity[self.row] < FAINTEST] = Hidden.OPACITY
        reason[self.styles.column("-webkit-text-security", "none".__ne__, False, np.bool_)[self.row]] = Hidden.GLYPHS
        reason[~_readable(reached, box)] = Hidden.OFF_SCREEN
        reason[~_readable(cut, box) | seen.shut[window]] = Hidden.CLIP
        reason[(box[:, 2] <= 0) | (box[:, 3] <= 0)] = Hidden.ZERO_AREA
        reason[self._skipped[self.row]] = Hidden.DISPLAY
        reason[self._invisible[self.row]] = Hidden.VISIBILITY
        return reason, reached

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
        keeps = self.styles.where(lambda row: row["content-visibility"] == "hidden")
        return self._inside(keeps) | self._folded

    @cached_property
    def _folded(self) -> BoolColumn:
        """What is inside of closed details, but for their summaries."""
        page = self.page
        closed = page.has_tag("details") & (page.attribute("open") < 0)
        if not closed.any():
            return closed
        heads = page.has_tag("summary") & np.where(page.parent >= 0, closed[page.parent], False)
        return self._inside(closed) & ~page.below(heads)

    def _inside(self, marked: BoolColumn) -> BoolColumn:
        """bool (nodes,): nodes with a marked ancestor."""
        return np.where(self.page.parent >= 0, self.page.below(marked)[self.page.parent], False)

    @cached_property
    def _shifting(self) -> BoolColumn:
        """Texts whose boxes say little of where they are drawn: in drawings, which scale them, and in marquees."""
        return self._drawings | self.page.below(self.page.has_tag("marquee"))

    @cached_property
    def _drawings(self) -> BoolColumn:
        page = self.page
        return page.below(page.has_tag("svg")) & ~page.below(page.has_tag("foreignobject"))

    def _perhaps_scrolled_to(self, reason: NDArray[np.uint8]) -> BoolColumn:
        """Return the lines of which only trying tells whether a box inside of the page can be scrolled to them."""
        scroller = self.windows.scroller[self.windows.through[self.row]]
        inside = scroller >= 0
        before = inside & (reason == Hidden.OFF_SCREEN)
        port = self.geometry.box[scroller].astype(np.float64)
        out = ((self.box[:, :2] >= port[:, :2] + port[:, 2:]) | (self.box[:, :2] + self.box[:, 2:] <= port[:, :2])).any(1)
        odd = self.styles.scrolls_oddly[scroller] & inside
        return before | (odd & out & (reason == Hidden.VISIBLE))

    def _unreadable(self) -> BoolColumn:
        wide, high = self.box[:, 2], self.box[:, 3]
        characters = np.maximum(self.geometry.line_length, 1)
        # Text that is turned by a right angle is as high as it is long.
        upright = (wide >= LOWEST) & (high >= 0.25 * wide * characters)
        squeezed = (wide < NARROWEST * high * characters) & ~upright
        for line in np.flatnonzero(squeezed).tolist():
            # Characters that nobody sees take no place.
            text = self.page.text_of(int(self.row[line]))
            squeezed[line] = wide[line] < NARROWEST * high[line] * characters[line] * len(drawn(text)) / len(text)
        return ((high < LOWEST) | squeezed) & (characters > 1) & ~self._shifting[self.row]

    # -- by what is painted ---------------------------------------------------------------------------------------

    def _grounds(self, rows: IntColumn, corners: FloatArray) -> Grounds:
        canvases = [_canvas(self.page, self.geometry, self.styles, frame) for frame in self.frames]
        keys = painting_keys(self.page, self.geometry, self.styles)
        paints = find_paints(
            self.page, self.geometry, self.styles, self.windows, canvases, keys, self.opacity, self.altered
        )  # fmt: skip
        return find_grounds(self.page, self.geometry, self.windows, paints, keys, self.frames, canvases, rows, corners)

    def _doubts(
        self, lines: NDArray[np.intp], grounds: Grounds
    ) -> tuple[BoolColumn, NDArray[np.uint8], NDArray[np.uint8], IntColumn, IntColumn]:
        """Return which lines a picture must tell of, what they are if it shows nothing, what if there is none, which
        look alike, and what lies over them.
        """
        row = self.row[lines]
        fill = self.styles.paint.fill[row]
        color = np.stack([fill >> 24, fill >> 16 & 0xFF, fill >> 8 & 0xFF], axis=1).astype(np.float64)[:, None]
        strength = (fill & 0xFF) / 255.0 * self.opacity[row]
        gap = np.maximum(grounds.low - color, color - grounds.high).max(axis=2) * strength[:, None]
        known = ((grounds.high - grounds.low).max(axis=2) < ALIKE).sum(axis=1) >= _MOST
        plain = (gap >= PLAIN).sum(axis=1) >= _MOST
        covered = (grounds.over >= 0).sum(axis=1) >= _MOST
        over = np.where(covered, grounds.over.max(axis=1), -1).astype(np.int32)
        altered = self.altered[row] | self._overdrawn[row]
        first = (self.geometry.line_start[lines] == 0) & self.first_lines
        unclear = self._drawings[row] | self._flat[row] | first
        doubtful = ~plain | covered | altered | unclear
        clear = strength < FAINTEST
        guess = np.select([covered, altered, clear], [Hidden.COVER, Hidden.EFFECT, Hidden.OPACITY], Hidden.COLOR)
        alike_grounds = (gap < ALIKE).sum(axis=1) >= _MOST
        lost = clear | (known & alike_grounds & ~unclear) | (covered & self._solid(over))
        fallback = np.where(lost, guess, Hidden.VISIBLE)
        even = doubtful & ~covered & ~self._uneven[row] & (known | clear)
        nearest = self.page.nearest(self.styles.altered)[row] if altered.any() else np.full(len(row), -1)
        look = np.stack([fill, grounds.behind.astype(np.int64), nearest, self.styles.row[row]], axis=1)
        alike = np.unique(look, axis=0, return_inverse=True)[1].reshape(-1)
        return (
            doubtful, guess.astype(np.uint8), fallback.astype(np.uint8),
            np.where(even, alike, -1).astype(np.int32), over,
        )  # fmt: skip

    @property
    def _overdrawn(self) -> BoolColumn:
        """Texts whose outline or line-through may be broader than their letters."""
        stroked = self.styles.column("-webkit-text-stroke-width", lambda value: max(pixels(value), default=0) > 0,
                                     False, np.bool_)  # fmt: skip
        lined = self.styles.column("text-decoration-thickness", lambda value: max(pixels(value), default=0) >= BROAD,
                                   False, np.bool_)  # fmt: skip
        return stroked | lined

    @property
    def _flat(self) -> BoolColumn:
        """Texts in cells without width: their column has collapsed."""
        return self.page.below(self.page.has_tag("td", "th") & (self.geometry.box[:, 2] < 1))

    @property
    def _uneven(self) -> BoolColumn:
        """What looks otherwise at each place: it is masked, cut out or turned."""
        shaped = self.styles.where(
            lambda row: row["mask-image"] != "none" or row["clip-path"] != "none" or "url" in row["filter"]
        )
        return self.page.below(shaped | self.styles.turned | _cut_out(self.styles)) | self._shifting | self._flat

    def _solid(self, rows: IntColumn) -> BoolColumn:
        """Covers that are opaque by their colour."""
        return (rows >= 0) & ((self.geometry.background[rows] & 0xFF) > 230) & (self.opacity[rows] > 0.9) & ~(
            self.altered[rows])  # fmt: skip


#: What Chromium paints where a page that wants to be dark paints nothing.
DARK = 18.0
#: Lines through a text that are as broad as this, in CSS pixels, may cover it.
BROAD = 6.0


def _readable(corners: FloatArray, box: FloatArray) -> BoolColumn:
    wide, high = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    enough: BoolColumn = (high >= LEAST_HEIGHT * box[:, 3]) & (
        wide >= np.minimum(0.35 * np.maximum(box[:, 3], 1.0), box[:, 2] / 2)
    )
    return enough


def _cut_out(styles: Styles) -> BoolColumn:
    """Positioned nodes with ``clip``, the older way of cutting out."""
    return styles.where(lambda row: row["clip"] != "auto" and row["position"] in ("absolute", "fixed"))


def _handed_on(page: Page, styles: Styles, frames: Sequence[Frame]) -> BoolColumn:
    """Nodes whose overflow is the window's: each root's, or that of its body (CSS Overflow 3, section 3.3)."""
    handed = page.has_tag("marquee", "iframe", "frame")
    for frame in frames:
        handed[frame.row] = True
        body = body_of(page, frame.row)
        if body >= 0 and not (styles.clips[frame.row] | styles.scrolls[frame.row]).any():
            handed[body] = True
    return handed


def _canvas(page: Page, geometry: Geometry, styles: Styles, frame: Frame) -> Canvas:
    """Find what the root of a document paints everywhere (CSS Backgrounds 3, section 2.11.2)."""
    for row in (frame.row, body_of(page, frame.row)):
        if row < 0:
            continue
        color = int(geometry.background[row])
        pictured = styles.paint.image[row]
        if not (color & 0xFF or pictured):
            continue
        rgb = np.asarray([color >> 24, color >> 16 & 0xFF, color >> 8 & 0xFF], dtype=np.float64)
        sure = not pictured and color & 0xFF == 0xFF
        low, high = (rgb, rgb) if sure else (np.zeros(3), np.full(3, 255.0))
        return Canvas(low=low, high=high, row=row, owner=frame.owner)
    scheme = styles.rows[styles.row[frame.row]].get("color-scheme", "normal").split()
    base = np.full(3, DARK if "dark" in scheme and "light" not in scheme else 255.0)
    return Canvas(low=base, high=base, row=-1, owner=frame.owner)
