"""Decide which text a person can see: this module lists all tests in their order.

1. Geometry (:data:`GEOMETRY_TESTS`): the first test that applies gives the reason, and the line is hidden. The tests
   are in this module, boxes and clips in :mod:`.clipping` and :mod:`.clip_rects`.
2. Paint (:data:`PAINT_TESTS`), for lines that pass: a line without effects, with enough contrast and without a cover is
   visible. Any other line is *uncertain*; the first test that applies gives its *fallback*, the reason if the text is
   not legible in a screenshot. The tests are in :mod:`.line_paint`, the layers in :mod:`.paint_layers`.
3. Exceptions (:data:`EXCEPTIONS`): lines hidden by geometry that a screenshot may show after all become uncertain.
4. Overlays (:mod:`.pending_page`): covered lines that appear when an overlay is closed are hidden as ``OVERLAY``.
5. Pixels (:mod:`.pixels.pixel_check`): screenshots with and without the text decide uncertain lines, for some of them
   word by word. Without a screenshot the most probable reason stays (``PaintTests.without_screenshot``).
6. Fonts (:mod:`.pixels.blank_fonts`): words of which a font draws nothing are hidden as ``GLYPHS``.
7. :mod:`.pending_page` combines 1 to 6, and :mod:`.split_text` splits texts that are visible in part. A text with a
   visible line is visible (:func:`~.split_text.leaf_reasons`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, corners_of
from ...page.geometry import Geometry
from ...page.hidden import Hidden
from ...page.invisible_characters import strip_invisible
from ...page.page import Page
from .clipping import MIN_OPACITY, LineClips, Motion, PageFrame
from .computed_styles import (
    Styles,
    has_offset_shadow,
    is_clipped_away,
    is_combined_upright,
    scrolls_oddly,
)
from .line_paint import NO_FACTS, PaintFacts, PaintTests

#: Lines lower than this, in CSS pixels, cannot be read: type of four pixels has lines of five.
MIN_LINE_HEIGHT = 5.0
#: Text in a narrower opening, in CSS pixels, cannot be read at any scroll position.
SLIT = 4.0
#: Of a clipped line this share of its height must be left, and of its width, in heights or as a share.
LEAST_HEIGHT, LEAST_WIDTH = 0.35, 0.35
#: A character takes at least this share of the height of its line; narrower text has its characters on one spot.
MIN_ADVANCE_RATIO = 0.07
#: Lines rotated by a right angle have at least this space for each character, in widths.
_UPRIGHT = 0.25


def _is_invisible(clips: LineClips) -> BoolColumn:
    """Return the lines hidden by ``visibility``, their own or that of their frame, bool (lines,)."""
    invisible = clips.geometry.invisible.copy()
    for frame in clips.frames:
        if frame.owner >= 0 and invisible[frame.owner]:
            invisible[frame.row : clips.page.end[frame.row]] = True
    return invisible[clips.row]


def _is_clipped(clips: LineClips) -> BoolColumn:
    """Return the lines of which clipping leaves too little to be read, bool (lines,)."""
    # A box that scrolls shows no more of a line than its own visible part, upright lines included.
    rects, surface = clips.rects, clips.rects.surface[clips.rect]
    opening = (rects.view_high - rects.view_low)[surface].min(axis=1)
    thickness = np.where(clips.unpainted.inexact[clips.row], 0.0, (clips.box[:, 2:] - clips.box[:, :2]).min(axis=1))
    found: BoolColumn = ~_enough(clips, clips.clipped) | (opening < np.maximum(LEAST_HEIGHT * thickness, SLIT))
    return found


def _is_unreadable(clips: LineClips) -> BoolColumn:
    """Return the lines that are too low to be read, or have all characters on one spot, bool (lines,)."""
    width, height = (clips.box[:, 2:] - clips.box[:, :2]).T
    characters = np.maximum(clips.geometry.line_length, 1)
    # All characters share the space of one.
    combined = clips.styles.where(is_combined_upright)[clips.row]
    width = np.where(combined, np.minimum(width, height), width)
    upright = (width >= MIN_LINE_HEIGHT) & (height >= _UPRIGHT * width * characters)
    squeezed = (width < MIN_ADVANCE_RATIO * height * characters) & ~upright
    for line in np.flatnonzero(squeezed).tolist():
        # Invisible characters need no space.
        text = clips.page.text_of(int(clips.row[line]))
        share = len(strip_invisible(text)) / max(len(text), 1)
        squeezed[line] = width[line] < MIN_ADVANCE_RATIO * height[line] * characters[line] * share
    found: BoolColumn = ((height < MIN_LINE_HEIGHT) | squeezed) & (characters > 1) & ~clips.unpainted.inexact[clips.row]
    return found


def _is_clipped_away(clips: LineClips) -> BoolColumn:
    """Return the lines in something of which nothing is left, bool (lines,)."""
    page = clips.page
    found = page.below(clips.styles.where(is_clipped_away))
    # Dialogs and popovers are in a layer of their own over the page.
    return (found & ~page.below(page.has_tag("dialog") | (page.attribute("popover") >= 0)))[clips.row]


def may_be_scrolled_to(clips: LineClips, reason: NDArray[np.uint8]) -> BoolColumn:
    """Return the lines for which only scrolling shows whether their box, or frame, comes to show them, bool (lines,).

    That is what lies outside of a box that scrolls in another way than to the end of its text, or is cut itself.
    """
    rects, box, scroller, styles = clips.rects, clips.box, clips.rects.scroller[clips.rect], clips.styles
    low, high = (side[rects.surface[clips.rect]] for side in (rects.view_low, rects.view_high))
    port = corners_of(clips.geometry.box[scroller])
    if len(clips.frames):
        windows = np.asarray([frame.window for frame in clips.frames])[rects.frame[clips.rect]]
        port = np.where(scroller[:, None] >= 0, port, windows)
    cut = ((low - port[:, :2] > 1) | (port[:, 2:] - high > 1)).any(axis=1)
    is_target = clips.page.below(styles.flags("scroll-snap-align", lambda value: set(value.split()) != {"none"}))
    odd = styles.where(scrolls_oddly)[scroller] & (scroller >= 0) & ~is_target[clips.row]
    outside = ((box[:, :2] >= high) | (box[:, 2:] <= low)).any(axis=1)
    found: BoolColumn = (scroller >= 0) & (reason == Hidden.OFF_SCREEN)
    found |= outside & (odd | cut) & (reason == Hidden.VISIBLE)
    return found


def _enough(clips: LineClips, corners: FloatArray) -> BoolColumn:
    """Return the lines of which these parts are enough to be read, bool (lines,)."""
    width, height = (clips.box[:, 2:] - clips.box[:, :2]).T
    left, top, right, bottom = corners.T
    narrow = right - left < np.minimum(LEAST_WIDTH * np.maximum(height, 1.0), width / 2)
    enough: BoolColumn = (bottom - top >= LEAST_HEIGHT * height) & ~narrow
    return enough


def _in_closed_details(clips: LineClips, reason: NDArray[np.uint8]) -> BoolColumn:
    found: BoolColumn = (reason == Hidden.DISPLAY) & clips.unpainted.closed_details[clips.row]
    return found


def _has_visible_shadow(clips: LineClips, reason: NDArray[np.uint8]) -> BoolColumn:
    shadows = clips.page.below(clips.styles.where(has_offset_shadow))
    return np.isin(reason, (Hidden.OFF_SCREEN, Hidden.CLIP)) & shadows[clips.row]


#: Reasons and tests of lines by geometry; the first that applies decides.
GEOMETRY_TESTS: tuple[tuple[Hidden, Callable[[LineClips], BoolColumn]], ...] = (
    (Hidden.VISIBILITY, _is_invisible),
    (Hidden.DISPLAY, lambda clips: clips.unpainted.skipped[clips.row]),
    (Hidden.ZERO_AREA, lambda clips: np.any(clips.box[:, 2:] <= clips.box[:, :2], axis=1)),
    (Hidden.CLIP, _is_clipped),
    (Hidden.OFF_SCREEN, lambda clips: ~_enough(clips, clips.reached)),
    # Dots replace the characters.
    (Hidden.GLYPHS, lambda clips: clips.styles.flags("-webkit-text-security", "none".__ne__)[clips.row]),
    (Hidden.OPACITY, lambda clips: clips.opacity[clips.row] < MIN_OPACITY),
    (Hidden.SIZE, _is_unreadable),
    (Hidden.EFFECT, _is_clipped_away),
)
#: Fallbacks and tests of uncertain lines by paint; the first that applies decides, and COLOR if none does.
PAINT_TESTS: tuple[tuple[Hidden, Callable[[PaintTests], BoolColumn]], ...] = (
    # If no overlay that can be closed does it, COVER.
    (Hidden.OVERLAY, lambda paint: paint.is_under_bar),
    (Hidden.COVER, lambda paint: paint.is_covered),
    (Hidden.EFFECT, lambda paint: paint.is_altered),
    (Hidden.OPACITY, lambda paint: paint.is_transparent),
    (Hidden.SIZE, lambda paint: paint.is_small),
    (Hidden.CLIP, lambda paint: paint.is_in_round_corner),
    (Hidden.GLYPHS, lambda paint: paint.has_alternate_glyphs),
)
#: Tests of lines that a screenshot may show although geometry hides them, with their fallbacks; the last that applies
#: decides. The fallback None is the reason by geometry.
EXCEPTIONS: tuple[tuple[Hidden | None, Callable[[LineClips, NDArray[np.uint8]], BoolColumn]], ...] = (
    (Hidden.OFF_SCREEN, may_be_scrolled_to),
    # A style sheet may show the content of closed details.
    (Hidden.DISPLAY, _in_closed_details),
    # A shadow with a large offset may be visible where its text is not.
    (None, _has_visible_shadow),
    (
        Hidden.DISPLAY,
        lambda clips, reason: (reason == Hidden.DISPLAY) & clips.unpainted.used_definitions[clips.row],
    ),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LayoutVisibility:
    """The visibility of each line by layout alone."""

    #: uint8 (lines,): A :class:`~blocksight.page.hidden.Hidden`, the most probable one.
    reason: NDArray[np.uint8]
    #: bool (lines,): Whether a screenshot should decide.
    uncertain: BoolColumn
    #: uint8 (lines,): Of uncertain lines the reason if the screenshot shows nothing of it.
    fallback: NDArray[np.uint8]
    #: int32 (lines,): The node of the topmost layer behind it; -1 for none.
    ground: IntColumn
    #: float64 (lines,): The visible part as shares of the width.
    left: FloatArray
    right: FloatArray
    #: int32 (lines,): The node that is painted over it, at some scroll positions at least, -1 for none.
    covered_by: IntColumn
    #: bool (nodes,): Whether a node stays in the window when its document is scrolled.
    fixed: BoolColumn


def geometry_reasons(clips: LineClips) -> NDArray[np.uint8]:
    """Return the results of the geometry tests, uint8 (lines,)."""
    tests = [test(clips) for _, test in GEOMETRY_TESTS]
    return np.select(tests, [reason for reason, _ in GEOMETRY_TESTS], Hidden.VISIBLE).astype(np.uint8)


def layout_visibility(
    page: Page,
    geometry: Geometry,
    styles: Styles,
    frames: Sequence[PageFrame],
    *,
    facts: PaintFacts = NO_FACTS,
    motion: Mapping[int, Motion] | None = None,
) -> LayoutVisibility:
    """Run the tests that need no screenshot; ``geometry`` has ``paint``, and its ``hidden`` is not used."""
    clips = LineClips(page=page, geometry=geometry, styles=styles, frames=frames, motion=motion or {})
    by_geometry = geometry_reasons(clips)
    reason, count = by_geometry.copy(), len(by_geometry)
    uncertain = np.zeros(count, dtype=bool)
    fallback = np.zeros(count, dtype=np.uint8)
    ground, covered_by = np.full(count, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32)
    is_text = np.zeros(len(page), dtype=bool)
    is_text[page.leaves] = True
    passed = np.flatnonzero((by_geometry == Hidden.VISIBLE) & is_text[clips.row])
    if len(passed):
        paint = PaintTests(clips, by_geometry, passed.astype(np.int32), facts)
        tests = [test(paint) for _, test in PAINT_TESTS]
        fallback[passed] = np.select(tests, [result for result, _ in PAINT_TESTS], Hidden.COLOR)
        uncertain[passed], ground[passed] = paint.uncertain, paint.grounds.row
        covered_by[passed] = np.where(paint.is_under_bar, paint.grounds.bar, paint.grounds.cover)
        reason[passed] = paint.without_screenshot(fallback[passed])
    for exception, test in EXCEPTIONS:
        lines = test(clips, by_geometry) & is_text[clips.row]
        uncertain[lines] = True
        fallback[lines] = by_geometry[lines] if exception is None else exception
    in_details = _in_closed_details(clips, by_geometry) & is_text[clips.row]
    if facts.hiding_details == clips.unpainted.closed.sum():
        uncertain &= ~in_details
    left, right = clips.visible_part
    return LayoutVisibility(
        reason=reason, uncertain=uncertain, fallback=fallback, ground=ground, left=left, right=right,
        covered_by=covered_by, fixed=clips.rects.fixed[clips.rects.index],
    )  # fmt: skip
