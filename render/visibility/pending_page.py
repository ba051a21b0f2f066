"""A captured page whose visibility is still to be decided."""

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
from .clipping import Motion, PageFrame
from .computed_styles import Styles
from .decide import LayoutVisibility, layout_visibility
from .line_paint import IMAGES, NO_FACTS, PaintFacts
from .split_text import leaf_reasons, split, units


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelResult:
    """Visibility of the uncertain lines, decided by screenshots."""

    #: Whether a line is visible, for each line that could be checked.
    lines: Mapping[int, bool] = field(default_factory=dict)
    #: For lines that are visible in part, whether each word is, by the number of characters of the text before it,
    #: white space aside.
    words: Mapping[int, Mapping[int, bool]] = field(default_factory=dict)
    #: The number of screenshots, and the seconds that they and their preparation took.
    pictures: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class PendingPage:
    """A decoded snapshot."""

    #: With geometry, but without ``hidden``.
    plain: Page
    styles: Styles
    frames: tuple[PageFrame, ...]
    #: int32 (nodes,): The browser's id of each node.
    backend: IntColumn
    #: int32 (nodes,): Texts as they are laid out, as indices into ``strings``; -1 for none.
    drawn: IntColumn
    #: The last one is empty.
    strings: Sequence[str]
    facts: PaintFacts = NO_FACTS
    #: How far nodes with endless animations move.
    motion: Mapping[int, Motion] = field(default_factory=dict)
    #: Whether scripts may move the page although its window does not scroll.
    moves_itself: bool = False

    @property
    def geometry(self) -> Geometry:
        """The page's."""
        geometry = self.plain.geometry
        assert geometry is not None
        return geometry

    @cached_property
    def visibility(self) -> LayoutVisibility:
        """The visibility of each line by layout alone."""
        frames = self.frames
        if self.moves_itself and frames:
            frames = (replace(frames[0], scrolls=(frames[0].scrolls[0], True)), *frames[1:])
        visibility = layout_visibility(
            self.plain, self.geometry, self.styles, frames, facts=self.facts, motion=self.motion
        )
        return _with_overlays(self.plain, visibility, self.frames)

    def with_locked_scrolling(self, boxes: Sequence[int], *, window: bool) -> PendingPage:
        """Return it with boxes (backend ids), or the window, that scripts keep from scrolling."""
        geometry, frames = self.geometry, self.frames
        locked = np.isin(self.backend, boxes)[:, None]
        paint = geometry.paint and replace(geometry.paint, scrolls=geometry.paint.scrolls & ~locked)
        if window and frames:
            frames = (replace(frames[0], scrolls=(frames[0].scrolls[0], False)), *frames[1:])
        geometry = replace(geometry, clips=geometry.clips | locked, paint=paint)
        return replace(self, plain=self.plain.replace(geometry=geometry), frames=frames)

    def finish(self, pixels: PixelResult | None = None, blank: Mapping[int, Sequence[bool]] | None = None) -> Page:
        """Return the page with ``hidden``; ``blank``: for texts with blank words, whether the font draws no word."""
        visibility, pixels, blank = self.visibility, pixels or PixelResult(), blank or {}
        reason = visibility.reason.copy()
        for line, is_visible in pixels.lines.items():
            reason[line] = Hidden.VISIBLE if is_visible else visibility.fallback[line]
        _unify_drawn_texts(reason, self.geometry, self.drawings)
        is_blank_text = self._blank.copy()
        is_blank_text[[row for row, words in blank.items() if all(words)]] = True
        reason[is_blank_text[self.geometry.line_node] & (reason == Hidden.VISIBLE)] = Hidden.GLYPHS
        partly_blank = {row: words for row, words in blank.items() if not all(words)}
        words = {line: found for row, lost in partly_blank.items() for line, found in self._blank_reasons(row, lost)}
        for line, flags in pixels.words.items():
            hidden = int(visibility.fallback[line])
            words[line] = {before: int(Hidden.VISIBLE) if shown else hidden for before, shown in flags.items()}
        page, geometry, leaf_reason = split(
            self.plain,
            self.geometry,
            reason,
            (visibility.left, visibility.right),
            drawn=[self.strings[code] for code in self.drawn.tolist()],
            backward=self.styles.runs_backward,
            words=words,
        )
        return page.replace(geometry=replace(geometry, hidden=leaf_reason))

    def _blank_reasons(self, row: int, blank: Sequence[bool]) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield for each line of a text the reasons of its words, by the number of characters before them."""
        drawn = self.strings[self.drawn[row]]
        ends = list(accumulate(map(len, drawn.split())))
        starts = [0, *ends]
        for line in range(*between(self.geometry.line_node, row, row + 1)):
            first = len("".join(units(drawn, 0, int(self.geometry.line_start[line])).split()))
            last = first + len("".join(self.line_text(line).split()))
            inside = (number for number, end in enumerate(ends) if end > first and starts[number] < last)
            reasons = {n: int(Hidden.GLYPHS if blank[n] else Hidden.VISIBLE) for n in inside if n < len(blank)}
            yield line, {max(starts[n], first): reason for n, reason in reasons.items()}

    def line_text(self, line: int) -> str:
        """Return the text of a line as it is laid out."""
        geometry = self.geometry
        drawn = self.strings[self.drawn[geometry.line_node[line]]]
        return units(drawn, int(geometry.line_start[line]), int(geometry.line_length[line]))

    def drawn_text(self, row: int) -> str:
        """Return a text as it is laid out, in capitals for example."""
        return self.strings[self.drawn[row]] or self.plain.text_of(row)

    def frame_of(self, row: int) -> int:
        """Return the index of the document that a node is in; -1 for none."""
        inside = [n for n, frame in enumerate(self.frames) if frame.row <= row < self.plain.end[frame.row]]
        return inside[-1] if inside else -1

    def is_fixed(self, row: int) -> bool:
        """Return whether a node stays in the window when its document is scrolled."""
        return bool(self.visibility.fixed[row])

    def is_fixed_or_sticky(self, row: int) -> bool:
        """Return whether a node stays in the window at some scroll positions, or at all."""
        return self.is_fixed(row) or bool(self._sticky[row])

    @cached_property
    def images(self) -> BoolColumn:
        """bool (nodes,): content that styles do not describe."""
        return self.plain.has_tag(*IMAGES)

    @cached_property
    def drawings(self) -> BoolColumn:
        """bool (nodes,): in an SVG image or a marquee; its words have no exact positions."""
        return self.plain.below(self.plain.has_tag("svg", "marquee"))

    @cached_property
    def _sticky(self) -> BoolColumn:
        return self.plain.below(self.geometry.position == Position.STICKY)

    @cached_property
    def _blank(self) -> BoolColumn:
        """bool (nodes,): texts of characters that no font draws."""
        page = self.plain
        blank = np.zeros(len(page), dtype=bool)
        blank[page.leaves] = [is_blank(text) for text in page.leaf_texts]
        return blank


def _unify_drawn_texts(reason: NDArray[np.uint8], geometry: Geometry, drawings: BoolColumn) -> None:
    """Set the reason of each text of a drawing to that of most of its letters, each of which may be a line.

    Of lines on one spot only one is read.
    """
    lines = np.flatnonzero(drawings[geometry.line_node])
    rows, text = np.unique(geometry.line_node[lines], return_inverse=True)
    spots = np.column_stack([text, geometry.line_box[lines, :2].round()])
    _, spot, count = np.unique(spots, axis=0, return_inverse=True, return_counts=True)
    length = geometry.line_length[lines]
    size = np.bincount(text, length, len(rows))
    visible = np.bincount(text, length * (reason[lines] == Hidden.VISIBLE) / count[spot.reshape(-1)], len(rows))
    shown = lines[(2 * visible >= size)[text] & (visible > 0)[text]]
    hidden = (2 * visible < size)[text]
    reason[shown] = Hidden.VISIBLE
    # All lines of a hidden text get the reason of those that are hidden.
    of_text = np.zeros(len(rows), dtype=np.uint8)
    np.maximum.at(of_text, text, reason[lines])
    of_text[of_text == Hidden.VISIBLE] = Hidden.SIZE
    reason[lines[hidden]] = of_text[text[hidden]]


def _with_overlays(page: Page, visibility: LayoutVisibility, frames: Sequence[PageFrame]) -> LayoutVisibility:
    """Return the visibility with the reason OVERLAY for lines that become visible when an overlay is closed.

    They are behind it, or it keeps them from scrolling; no screenshot decides them, unless it is a bar that they can be
    scrolled out of.
    """
    geometry = page.geometry
    assert geometry is not None
    locked = _is_below_window(geometry, visibility, frames)
    if not ((visibility.covered_by >= 0).any() or locked.any()):
        return visibility
    is_covered = visibility.fallback == Hidden.COVER
    reason = np.where(is_covered, Hidden.VISIBLE, visibility.reason).astype(np.uint8)
    uncovered = page.replace(geometry=replace(geometry, hidden=leaf_reasons(page, geometry, reason)))
    in_overlay = np.zeros(len(page) + 1, dtype=bool)
    for overlay in find_overlays(uncovered):
        if is_closable(uncovered, overlay):
            in_overlay[overlay.node : page.end[overlay.node]] = True
    below: BoolColumn = in_overlay[visibility.covered_by] & (visibility.covered_by >= 0)
    behind = (below & is_covered) | (locked & in_overlay.any())
    in_doubt = (visibility.fallback == Hidden.OVERLAY) & ~below
    return replace(
        visibility,
        reason=np.where(behind, Hidden.OVERLAY, visibility.reason).astype(np.uint8),
        uncertain=visibility.uncertain & ~behind,
        fallback=np.where(in_doubt, Hidden.COVER, visibility.fallback).astype(np.uint8),
    )


def _is_below_window(geometry: Geometry, visibility: LayoutVisibility, frames: Sequence[PageFrame]) -> BoolColumn:
    """Return the lines that could be scrolled to if the window could be scrolled down, bool (lines,)."""
    box, top = geometry.line_box, frames[0] if frames else None
    if top is None or top.scrolls[1]:
        return np.zeros(len(box), dtype=bool)
    below: BoolColumn = (visibility.reason == Hidden.OFF_SCREEN) & (box[:, 1] + box[:, 3] > top.window[3])
    return below & (box[:, 0] + box[:, 2] > 0) & (box[:, 0] < top.window[2])
