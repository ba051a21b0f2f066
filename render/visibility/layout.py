"""What a person sees of each line of a rendered page, and where only a picture of the page can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.geometry import Geometry, Position
from ...page.hidden import Hidden
from ...page.page import Page
from .clip_rects import PageFrame
from .clipping import FAINTEST, LineClips, Way
from .computed_styles import Styles
from .occlusion import POINTS, TALL, Occlusion, find_occlusion
from .paint_order import canvas_of, find_paint_layers, painting_keys

#: Levels (of 255) between a text's colour and its ground from which on it is seen for sure, and below which it is not.
PLAIN, ALIKE = 32.0, 12.0
#: What lies over at least so many of the points of a line covers it.
MOST = len(POINTS) // 2 + 1
#: From this alpha (of 255) and opacity on a plain background is a cover, whatever the picture.
_SOLID, _OPAQUE = 230, 0.9
#: Lines that nobody reads for these reasons, or reads, are painted all the same.
_PAINTED = (Hidden.VISIBLE, Hidden.SIZE, Hidden.GLYPHS)
#: Pairs of lines beside each other that are looked through for texts over texts, at most.
MOST_PAIRS = 2_000_000
#: A text over the middle of a line begins and ends no farther than this share of its width from both ends.
_BESIDE = 0.27
#: The number of what is alike for being folded away.
_FOLDED = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstyled:
    """What changes how texts look and is no style of theirs.

    Attributes
    ----------
    first_lines : bool
        First lines may have a style of their own.
    repainted : bool
        Something is selected, or highlighted by a script.
    veiled : bool
        A dialog has a ground behind it that lies over the page.
    fonts : frozenset of str
        The names, in small letters, of the fonts that the page has brought along.
    lost : frozenset of str
        Addresses of pictures that did not come, without their fragments.
    """

    first_lines: bool = False
    repainted: bool = False
    veiled: bool = False
    fonts: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


NOTHING = Unstyled()


@dataclass(frozen=True, kw_only=True, eq=False)
class LayoutVisibility:
    """What the layout says of each line.

    Attributes
    ----------
    reason : uint8 (lines,)
        A :class:`~blocksight.page.hidden.Hidden`, the best answer without a picture.
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


def layout_visibility(
    page: Page,
    geometry: Geometry,
    styles: Styles,
    frames: Sequence[PageFrame],
    *,
    unstyled: Unstyled = NOTHING,
    ways: Mapping[int, Way] | None = None,
) -> LayoutVisibility:
    """Look at every line of a page.

    Parameters
    ----------
    page : Page
    geometry : Geometry
        With ``paint``; its ``hidden`` is not looked at.
    styles : Styles
        Of the page's nodes.
    frames : sequence of PageFrame
        The page's documents.
    unstyled : Unstyled
        What may have texts look otherwise than ``styles`` say.
    ways : mapping of int to tuple, optional
        How far nodes that never stand still go to the left, up, right and down.
    """
    places = LineClips(page=page, geometry=geometry, styles=styles, frames=frames, ways=ways or {})
    reason = places.reason.copy()
    count = len(reason)
    doubtful, guess = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.uint8)
    alike, over = np.full(count, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32)
    text = np.zeros(len(page), dtype=bool)
    text[page.leaves] = True
    shown = np.flatnonzero((reason == Hidden.VISIBLE) & text[places.row])
    if len(shown):
        looks = _Looks(places, shown.astype(np.int32), unstyled)
        doubtful[shown], guess[shown], alike[shown], over[shown] = looks.doubtful, looks.guess, looks.alike, looks.over
        reason[shown] = looks.answer
    scrolled = places.perhaps_scrolled_to() & text[places.row]
    doubtful[scrolled], guess[scrolled] = True, Hidden.OFF_SCREEN
    # A style sheet may show what is inside of closed details.
    folded = (reason == Hidden.DISPLAY) & places.folded[places.row] & text[places.row]
    doubtful[folded], guess[folded], alike[folded] = True, Hidden.DISPLAY, _FOLDED
    # A shadow that is thrown far may be seen where its text is not.
    throws = places.styles.throws
    if throws.any():
        thrown = np.isin(reason, (Hidden.OFF_SCREEN, Hidden.CLIP)) & page.below(throws)[places.row] & text[places.row]
        doubtful[thrown], guess[thrown] = True, reason[thrown]
    # What a drawing lends to others, a picture shows where they paint it.
    lent = (reason == Hidden.DISPLAY) & places.lent[places.row] & text[places.row]
    doubtful[lent], guess[lent] = True, Hidden.DISPLAY
    left, right = places.parts
    return LayoutVisibility(
        reason=reason, doubtful=doubtful, guess=guess, alike=alike, left=left, right=right, over=over,
        fixed=places.clip_rects.fixed[places.clip_rects.through],
    )  # fmt: skip


class _Looks:
    """How the lines that are in place look, as far as colours and layers tell."""

    def __init__(self, places: LineClips, lines: IntColumn, unstyled: Unstyled) -> None:
        self.places, self.lines, self.unstyled = places, lines, unstyled
        self.page, self.geometry, self.styles = places.page, places.geometry, places.styles
        self.row = places.row[lines]
        self.fill = self.styles.paint.fill[self.row]
        self.strength = (self.fill & 0xFF) / 255.0 * places.opacity[self.row]
        self.first = (self.geometry.line_start[lines] == 0) & unstyled.first_lines

    @cached_property
    def grounds(self) -> Occlusion:
        """What lies behind and over the lines."""
        page, geometry, styles, places = self.page, self.geometry, self.styles, self.places
        lost = self.unstyled.lost
        canvases = [canvas_of(page, geometry, styles, frame, lost) for frame in places.frames]
        keys = self.keys
        altered = page.below(styles.altered | styles.rotated)
        paints = find_paint_layers(
            page, geometry, styles, places.clip_rects, canvases, keys, places.opacity, altered, lost
        )
        corners = places.reached[self.lines]
        rects, frames = places.clip_rects, places.frames
        return find_occlusion(page, geometry, rects, paints, keys, frames, canvases, self.row, corners)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): later painted is greater."""
        return painting_keys(self.page, self.geometry, self.styles)

    @cached_property
    def gap(self) -> FloatArray:
        """float64 (lines, points): levels between the text's colour and the nearest that may lie behind it."""
        parts = [self.fill >> shift & 0xFF for shift in (24, 16, 8)]
        color = np.stack(parts, axis=1).astype(np.float64)[:, None]
        gap: FloatArray = np.maximum(self.grounds.low - color, color - self.grounds.high).max(axis=2)
        return gap * self.strength[:, None]

    @cached_property
    def over(self) -> IntColumn:
        """int32 (lines,): what covers each line, -1 for nothing."""
        covered = (self.grounds.over >= 0).sum(axis=1) >= MOST
        over = np.where(covered, self.grounds.over.max(axis=1), -1).astype(np.int32)
        for found in (self._veil, self._stuck, self._overwritten):
            over = np.where(over < 0, found(), over)
        return over

    def _veil(self) -> IntColumn:
        """int32 (lines,): the dialog whose ground lies over all that is not in it, -1 for none."""
        page = self.page
        raised = page.has_tag("dialog") | (page.attribute("popover") >= 0)
        raised &= np.isfinite(self.geometry.box[:, 0])
        if not self.unstyled.veiled or not raised.any():
            return np.full(len(self.row), -1, dtype=np.int32)
        return np.where(page.below(raised)[self.row], -1, np.flatnonzero(raised)[0]).astype(np.int32)

    def _stuck(self) -> IntColumn:
        """int32 (lines,): what is stuck in the box that scrolls each line and fills most of it, -1 for nothing."""
        found = np.full(len(self.row), -1, dtype=np.int32)
        geometry, windows = self.geometry, self.places.clip_rects
        stuck = np.flatnonzero((geometry.position == Position.STICKY) & ((geometry.background & 0xFF) > 0))
        scroller = windows.scroller[windows.through]
        for row in stuck[scroller[stuck] >= 0].tolist():
            port = geometry.box[scroller[row]]
            if geometry.box[row, 3] >= TALL * port[3] and geometry.box[row, 2] >= TALL * port[2]:
                inside = (scroller[self.row] == scroller[row]) & ~self.page.below(self._marked(row))[self.row]
                found[inside] = row
        return found

    def _marked(self, row: int) -> BoolColumn:
        marked = np.zeros(len(self.page), dtype=bool)
        marked[row] = True
        return marked

    def _overwritten(self) -> IntColumn:
        """int32 (lines,): the text that is written over the middle of each, -1 for none."""
        geometry, row, keys = self.geometry, self.geometry.line_node, self.keys
        found = np.full(len(self.row), -1, dtype=np.int32)
        box = geometry.line_box.astype(np.float64)
        box[:, 2:] += box[:, :2]
        mine = self.places.box[self.lines]
        middle = (mine[:, 1] + mine[:, 3]) / 2
        order = np.argsort(middle, kind="stable")
        first = np.searchsorted(middle[order], box[:, 1])
        count = np.maximum(np.searchsorted(middle[order], box[:, 3]) - first, 0)
        if count.sum() > MOST_PAIRS:
            return found
        upper = np.repeat(np.arange(len(box)), count)
        lower = order[np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)]
        wide = (mine[lower, 2] - mine[lower, 0]) * _BESIDE
        over = (box[upper, 0] <= mine[lower, 0] + wide) & (box[upper, 2] >= mine[lower, 2] - wide)
        over &= (row[upper] != self.row[lower]) & (keys[row[upper]] > keys[self.row[lower]])
        over &= ~geometry.invisible[row[upper]] & (self.places.opacity[row[upper]] > FAINTEST)
        over &= ~self.places.shifting[row[upper]] & ~self.places.shifting[self.row[lower]]
        # Where they have been put, others may have been before.
        over &= ~self.places.moved[upper] & ~self.places.moved[self.lines[lower]]
        # What is out of place, as texts for screen readers are, lies over nothing.
        over &= np.isin(self.places.reason[upper], _PAINTED)
        found[lower[over]] = row[upper[over]]
        return found

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (lines,): the picture has them otherwise than their colours say."""
        drawn_over = self.styles.overdrawn | self.page.below(self.styles.struck)
        return (self.page.below(self.styles.altered) | drawn_over | self._in_space)[self.row]

    @cached_property
    def _in_space(self) -> BoolColumn:
        """bool (nodes,): what lies in space, with something that is moved there."""
        page, deep = self.page, self.styles.deep
        return page.below(deep & (page.count_within(self.styles.lifted) > 0)) if deep.any() else deep

    @cached_property
    def unclear(self) -> BoolColumn:
        """bool (lines,): their colours are not known."""
        page = self.page
        # A cell without width is that of a collapsed column.
        flat = page.below(page.has_tag("td", "th") & (self.geometry.box[:, 2] < 1))
        found: BoolColumn = (self.places.drawings | flat)[self.row] | self.first | self.places.small[self.row]
        return found | self.places.cornered[self.lines] | self.unstyled.repainted

    @cached_property
    def doubtful(self) -> BoolColumn:
        """bool (lines,): a picture must tell."""
        found: BoolColumn = ~self._plain | (self.over >= 0) | self.altered | self.unclear | self.odd | self._partly
        return found

    @cached_property
    def _plain(self) -> BoolColumn:
        """bool (lines,): most of it stands out from all that may lie behind it."""
        found: BoolColumn = (self.gap >= PLAIN).sum(axis=1) >= MOST
        return found

    @cached_property
    def _partly(self) -> BoolColumn:
        """bool (lines,): some of it may be covered, or have the colour of its ground, and the rest is plain."""
        some = (self.grounds.over >= 0).any(axis=1) | (self.gap < PLAIN).any(axis=1)
        return some & self._plain & (self.over < 0)

    @cached_property
    def odd(self) -> BoolColumn:
        """bool (lines,): set in forms of a font of the page that only a picture knows."""
        fonts = self.unstyled.fonts
        return self.styles.odd_forms(fonts)[self.row] if fonts else np.zeros(len(self.row), dtype=bool)

    @cached_property
    def guess(self) -> NDArray[np.uint8]:
        """uint8 (lines,): what the reason is if the picture shows nothing."""
        small, cornered = self.places.small[self.row], self.places.cornered[self.lines]
        covered = (self.over >= 0) | (self._partly & (self.grounds.over >= 0).any(axis=1))
        conditions = [covered, self.altered, self.strength < FAINTEST, small, cornered, self.odd]
        reasons = [Hidden.COVER, Hidden.EFFECT, Hidden.OPACITY, Hidden.SIZE, Hidden.CLIP, Hidden.GLYPHS]
        found = np.select(conditions, reasons, Hidden.COLOR)
        return found.astype(np.uint8)

    @cached_property
    def answer(self) -> NDArray[np.uint8]:
        """uint8 (lines,): the best answer where no picture is to be had."""
        same = ((self.gap < ALIKE).sum(axis=1) >= MOST) & self._known & ~self.unclear & ~self.altered
        geometry, over = self.geometry, self.over
        solid = (over >= 0) & ((geometry.background[over] & 0xFF) > _SOLID) & (self.places.opacity[over] > _OPAQUE)
        solid &= ~self.page.below(self.styles.altered)[over]
        lost = (self.strength < FAINTEST) | same | solid
        return np.where(self.doubtful & lost, self.guess, Hidden.VISIBLE).astype(np.uint8)

    @cached_property
    def alike(self) -> IntColumn:
        """int32 (lines,): lines of one number look alike wherever they stand."""
        shaped = self.page.below(self.styles.shaped)[self.row] | self.places.shifting[self.row] | self.unclear
        even = (
            self.doubtful
            & (self.over < 0)
            & ~self._partly
            & ~(shaped & ~self.first)
            & (self._known | (self.strength < FAINTEST))
        )
        nearest = self.page.nearest(self.styles.altered)[self.row] if self.altered.any() else np.zeros(len(self.row))
        look = np.stack([self.fill, self.grounds.behind, nearest, self.styles.row[self.row]], axis=1).astype(np.int64)
        number = np.unique(look, axis=0, return_inverse=True)[1].reshape(-1)
        return np.where(even, number, -1).astype(np.int32)

    @property
    def _known(self) -> BoolColumn:
        """bool (lines,): what lies behind is one colour, not a picture."""
        spread = (self.grounds.high - self.grounds.low).max(axis=2)
        found: BoolColumn = (spread < ALIKE).sum(axis=1) >= MOST
        return found
