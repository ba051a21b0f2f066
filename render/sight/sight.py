"""What a person sees of each line of a rendered page, and where only a picture of the page can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import BoolColumn, FloatArray, IntColumn
from ..page import Geometry, Hidden, Page
from .grounds import POINTS, Grounds, find_grounds
from .paints import canvas_of, find_paints, painting_keys
from .place import FAINTEST, Places
from .styles import Styles
from .windows import Frame

#: Levels (of 255) between a text's colour and its ground from which on it is seen for sure, and below which it is not.
PLAIN, ALIKE = 32.0, 12.0
#: What lies over at least so many of the points of a line covers it.
MOST = len(POINTS) // 2 + 1
#: From this alpha (of 255) and opacity on a plain background is a cover, whatever the picture.
_SOLID, _OPAQUE = 230, 0.9
#: The number of what is alike for being folded away.
_FOLDED = 2**31 - 1


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
    places = Places(page=page, geometry=geometry, styles=styles, frames=frames)
    reason = places.reason.copy()
    count = len(reason)
    doubtful, guess = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.uint8)
    alike, over = np.full(count, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32)
    text = np.zeros(len(page), dtype=bool)
    text[page.leaves] = True
    shown = np.flatnonzero((reason == Hidden.VISIBLE) & text[places.row])
    if len(shown):
        looks = _Looks(places, shown.astype(np.int32), first_lines)
        doubtful[shown], guess[shown], alike[shown], over[shown] = looks.doubtful, looks.guess, looks.alike, looks.over
        reason[shown] = looks.answer
    scrolled = places.perhaps_scrolled_to() & text[places.row]
    doubtful[scrolled], guess[scrolled] = True, Hidden.OFF_SCREEN
    # A style sheet may show what is inside of closed details.
    folded = (reason == Hidden.DISPLAY) & places.folded[places.row] & text[places.row]
    doubtful[folded], guess[folded], alike[folded] = True, Hidden.DISPLAY, _FOLDED
    left, right = places.parts
    return Sight(
        reason=reason, doubtful=doubtful, guess=guess, alike=alike, left=left, right=right, over=over,
        fixed=places.windows.fixed[places.windows.through],
    )  # fmt: skip


class _Looks:
    """How the lines that are in place look, as far as colours and layers tell."""

    def __init__(self, places: Places, lines: IntColumn, first_lines: bool) -> None:
        self.places, self.lines = places, lines
        self.page, self.geometry, self.styles = places.page, places.geometry, places.styles
        self.row = places.row[lines]
        self.fill = self.styles.paint.fill[self.row]
        self.strength = (self.fill & 0xFF) / 255.0 * places.opacity[self.row]
        self.first = (self.geometry.line_start[lines] == 0) & first_lines

    @cached_property
    def grounds(self) -> Grounds:
        """What lies behind and over the lines."""
        page, geometry, styles, places = self.page, self.geometry, self.styles, self.places
        canvases = [canvas_of(page, geometry, styles, frame) for frame in places.frames]
        keys = painting_keys(page, geometry, styles)
        altered = page.below(styles.altered)
        paints = find_paints(page, geometry, styles, places.windows, canvases, keys, places.opacity, altered)
        corners = places.reached[self.lines]
        return find_grounds(page, geometry, places.windows, paints, keys, places.frames, canvases, self.row, corners)

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
        return np.where(covered, self.grounds.over.max(axis=1), -1).astype(np.int32)

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (lines,): the picture has them otherwise than their colours say."""
        return self.page.below(self.styles.altered)[self.row] | self.styles.overdrawn[self.row]

    @cached_property
    def unclear(self) -> BoolColumn:
        """bool (lines,): their colours are not known."""
        page = self.page
        # A cell without width is that of a collapsed column.
        flat = page.below(page.has_tag("td", "th") & (self.geometry.box[:, 2] < 1))
        found: BoolColumn = (self.places.drawings | flat)[self.row] | self.first
        return found

    @cached_property
    def doubtful(self) -> BoolColumn:
        """bool (lines,): a picture must tell."""
        plain = (self.gap >= PLAIN).sum(axis=1) >= MOST
        found: BoolColumn = ~plain | (self.over >= 0) | self.altered | self.unclear
        return found

    @cached_property
    def guess(self) -> NDArray[np.uint8]:
        """uint8 (lines,): what the reason is if the picture shows nothing."""
        conditions = [self.over >= 0, self.altered, self.strength < FAINTEST]
        found = np.select(conditions, [Hidden.COVER, Hidden.EFFECT, Hidden.OPACITY], Hidden.COLOR)
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
        even = self.doubtful & (self.over < 0) & ~(shaped & ~self.first) & (self._known | (self.strength < FAINTEST))
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
