"""A page that has been captured, on which it is still open what a person sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, IntColumn, between
from ...page.geometry import Geometry, Position
from ...page.hidden import Hidden
from ...page.invisible_characters import is_blank
from ...page.overlays import find_overlays, is_closable
from ...page.page import Page
from .clip_rects import PageFrame
from .clipping import Way
from .computed_styles import Styles
from .layout import NOTHING, LayoutVisibility, Unstyled, layout_visibility
from .paint_order import PICTURES
from .split_text import leaf_reasons, split, units


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelResult:
    """What pictures show of the doubtful lines.

    Attributes
    ----------
    lines : mapping of int to bool
        Of each line that could be looked at, whether it is seen.
    parts : mapping of int to mapping of int to bool
        Of lines that are seen in part, whether each word is, by how many characters of its text, white space aside,
        come before it.
    """

    lines: Mapping[int, bool] = field(default_factory=dict)
    parts: Mapping[int, Mapping[int, bool]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class PendingPage:
    """What a snapshot says.

    Attributes
    ----------
    plain : Page
        With geometry, but without ``hidden``.
    styles : Styles
    frames : tuple of PageFrame
    backend : int32 (nodes,)
        The browser's number of each node.
    drawn : int32 (nodes,)
        Texts as they are laid out, as indices into ``strings``; -1 for none.
    strings : sequence of str
    unstyled : Unstyled
        What changes how texts look and is not among the styles.
    ways : mapping of int to tuple
        How far nodes that never stand still go to the left, up, right and down.
    moves_itself : bool
        Whether the page may be moved although its window does not scroll.
    """

    plain: Page
    styles: Styles
    frames: tuple[PageFrame, ...]
    backend: IntColumn
    drawn: IntColumn
    strings: Sequence[str]
    unstyled: Unstyled = NOTHING
    ways: Mapping[int, Way] = field(default_factory=dict)
    moves_itself: bool = False

    @property
    def geometry(self) -> Geometry:
        """The page's."""
        geometry = self.plain.geometry
        assert geometry is not None
        return geometry

    @cached_property
    def sight(self) -> LayoutVisibility:
        """What the layout says of each line."""
        frames = self.frames
        if self.moves_itself and frames:
            frames = (replace(frames[0], scrolls=(frames[0].scrolls[0], True)), *frames[1:])
        found = layout_visibility(
            self.plain, self.geometry, self.styles, frames, unstyled=self.unstyled, ways=self.ways
        )
        return self._under_overlays(found)

    def held(self, boxes: Sequence[int], *, window: bool) -> PendingPage:
        """Return it as it is where scripts let nobody scroll some boxes, by the browser's numbers, or the window."""
        geometry, frames = self.geometry, self.frames
        stays = np.isin(self.backend, boxes)[:, None]
        paint = geometry.paint and replace(geometry.paint, scrolls=geometry.paint.scrolls & ~stays)
        if window and frames:
            frames = (replace(frames[0], scrolls=(frames[0].scrolls[0], False)), *frames[1:])
        geometry = replace(geometry, clips=geometry.clips | stays, paint=paint)
        return replace(self, plain=self.plain.replace(geometry=geometry), frames=frames)

    def page(self, seen: PixelResult | None = None, empty: Mapping[int, Sequence[bool]] | None = None) -> Page:
        """Return the page.

        Parameters
        ----------
        seen : PixelResult, optional
            What pictures show of the lines that the layout leaves in doubt.
        empty : mapping of int to sequence of bool, optional
            Of texts of which the font draws some words, or all, as nothing: whether each word is.
        """
        sight = self.sight
        reason = sight.reason.copy()
        seen = seen or PixelResult()
        for line, shown in seen.lines.items():
            reason[line] = Hidden.VISIBLE if shown else sight.guess[line]
        self._as_wholes(reason)
        empty = empty or {}
        blank = self._blank.copy()
        blank[[row for row, lost in empty.items() if all(lost)]] = True
        lines = blank[self.geometry.line_node] & (reason == Hidden.VISIBLE)
        reason[lines] = Hidden.GLYPHS
        words = {line: found for row, lost in empty.items() if not all(lost) for line, found in self._lost(row, lost)}
        words |= {line: self._reasons(found, int(sight.guess[line])) for line, found in seen.parts.items()}
        # The last string is the empty one.
        drawn = [self.strings[code] for code in self.drawn.tolist()]
        page, geometry, hidden = split(
            self.plain,
            self.geometry,
            reason,
            sight.left,
            sight.right,
            drawn=drawn,
            backward=self.styles.runs_backward,
            words=words,
        )
        return page.replace(geometry=replace(geometry, hidden=hidden))

    def _as_wholes(self, reason: NDArray[np.uint8]) -> None:
        """Let each text of a drawing be seen, or not, as most of its letters are: each may be a line of its own."""
        geometry = self.geometry
        drawn = np.flatnonzero(self._drawings[geometry.line_node])
        rows, text = np.unique(geometry.line_node[drawn], return_inverse=True)
        size = np.bincount(text, geometry.line_length[drawn], len(rows))
        seen = np.bincount(text, geometry.line_length[drawn] * (reason[drawn] == Hidden.VISIBLE), len(rows))
        shown = drawn[(2 * seen >= size)[text] & (seen > 0)[text]]
        gone = drawn[(2 * seen < size)[text]]
        reason[shown] = Hidden.VISIBLE
        # Of one text that is not seen, all lines have the reason of those that are not.
        why = np.zeros(len(rows), dtype=np.uint8)
        np.maximum.at(why, text, reason[drawn])
        reason[gone] = why[text[np.isin(drawn, gone)]]

    def _reasons(self, words: Mapping[int, bool], guess: int) -> dict[int, int]:
        return {place: int(Hidden.VISIBLE) if shown else guess for place, shown in words.items()}

    def _lost(self, row: int, lost: Sequence[bool]) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield of each line of a text the reasons of its words, by how many characters of the text come before."""
        drawn = self.strings[self.drawn[row]]
        ends = list(accumulate(map(len, drawn.split())))
        starts = [0, *ends]
        for line in range(*between(self.geometry.line_node, row, row + 1)):
            first = len("".join(units(drawn, 0, int(self.geometry.line_start[line])).split()))
            last = first + len("".join(self.line_text(line).split()))
            inside = (number for number, end in enumerate(ends) if end > first and starts[number] < last)
            reasons = {n: int(Hidden.GLYPHS if lost[n] else Hidden.VISIBLE) for n in inside if n < len(lost)}
            yield line, {max(starts[n], first): reason for n, reason in reasons.items()}

    def line_text(self, line: int) -> str:
        """Return what is written on a line."""
        geometry = self.geometry
        drawn = self.strings[self.drawn[geometry.line_node[line]]]
        return units(drawn, int(geometry.line_start[line]), int(geometry.line_length[line]))

    def frame_of(self, row: int) -> int:
        """Return the number of the document that a node is in; -1 for none."""
        inside = [n for n, frame in enumerate(self.frames) if frame.row <= row < self.plain.end[frame.row]]
        return inside[-1] if inside else -1

    def is_fixed(self, row: int) -> bool:
        """Return whether a node stays where it is in the window when its document is scrolled."""
        return bool(self.sight.fixed[row])

    def is_stuck(self, row: int) -> bool:
        """Return whether a node stays in the window here and there, or always."""
        return self.is_fixed(row) or bool(self._sticky[row])

    def is_drawn(self, row: int) -> bool:
        """Return whether a text is part of a drawing or moves by itself: its words have no places to speak of."""
        return bool(self._drawings[row])

    def is_picture(self, row: int) -> bool:
        """Return whether a node shows something of its own, which its style does not tell."""
        return bool(self._pictures[row])

    @cached_property
    def _pictures(self) -> BoolColumn:
        return self.plain.has_tag(*PICTURES)

    @cached_property
    def _drawings(self) -> BoolColumn:
        return self.plain.below(self.plain.has_tag("svg", "marquee"))

    @cached_property
    def _sticky(self) -> BoolColumn:
        return self.plain.below(self.geometry.position == Position.STICKY)

    @cached_property
    def _blank(self) -> BoolColumn:
        """Texts of characters that no font draws."""
        page = self.plain
        blank = np.zeros(len(page), dtype=bool)
        blank[page.leaves] = [is_blank(text) for text in page.leaf_texts]
        return blank

    def _under_overlays(self, sight: LayoutVisibility) -> LayoutVisibility:
        """Tell what lies under an overlay that can be closed, or is locked in by one, from what nobody gets to see."""
        locked = self._locked(sight)
        if not ((sight.over >= 0).any() or locked.any()):
            return sight
        page, geometry = self.plain, self.geometry
        reason = np.where(sight.guess == Hidden.COVER, Hidden.VISIBLE, sight.reason).astype(np.uint8)
        shown = page.replace(geometry=replace(geometry, hidden=leaf_reasons(page, geometry, reason)))
        opens = np.zeros(len(page) + 1, dtype=bool)
        for overlay in find_overlays(shown):
            if is_closable(shown, overlay):
                opens[overlay.node : page.end[overlay.node]] = True
        under: BoolColumn = opens[sight.over] & (sight.over >= 0) & (sight.guess == Hidden.COVER)
        under |= locked & opens.any()
        return replace(
            sight,
            reason=np.where(under, Hidden.OVERLAY, sight.reason).astype(np.uint8),
            doubtful=sight.doubtful & ~under,
        )

    def _locked(self, sight: LayoutVisibility) -> BoolColumn:
        """Lines that could be scrolled to if the window scrolled down."""
        box, top = self.geometry.line_box, self.frames[0] if self.frames else None
        if top is None or top.scrolls[1]:
            return np.zeros(len(box), dtype=bool)
        below: BoolColumn = (sight.reason == Hidden.OFF_SCREEN) & (box[:, 1] + box[:, 3] > top.place[3])
        return below & (box[:, 0] + box[:, 2] > 0) & (box[:, 0] < top.place[2])
