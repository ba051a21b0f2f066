"""Mark lines that become visible when an overlay is closed: those behind it, and those that it keeps from scrolling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...page.arrays import BoolColumn
from ...page.geometry import Geometry
from ...page.hidden import Hidden
from ...page.overlays import find_overlays, is_closable
from ...page.page import Page
from .clip_rects import PageFrame
from .decide import LayoutVisibility
from .split_text import leaf_reasons


def with_overlays(page: Page, visibility: LayoutVisibility, frames: Sequence[PageFrame]) -> LayoutVisibility:
    """Return the visibility with the reason OVERLAY for such lines; no screenshot decides them."""
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
    behind: BoolColumn = in_overlay[visibility.covered_by] & (visibility.covered_by >= 0) & is_covered
    behind |= locked & in_overlay.any()
    return replace(
        visibility,
        reason=np.where(behind, Hidden.OVERLAY, visibility.reason).astype(np.uint8),
        uncertain=visibility.uncertain & ~behind,
    )


def _is_below_window(geometry: Geometry, visibility: LayoutVisibility, frames: Sequence[PageFrame]) -> BoolColumn:
    """Return the lines that could be scrolled to if the window could be scrolled down, bool (lines,)."""
    box, top = geometry.line_box, frames[0] if frames else None
    if top is None or top.scrolls[1]:
        return np.zeros(len(box), dtype=bool)
    below: BoolColumn = (visibility.reason == Hidden.OFF_SCREEN) & (box[:, 1] + box[:, 3] > top.window[3])
    return below & (box[:, 0] + box[:, 2] > 0) & (box[:, 0] < top.window[2])
