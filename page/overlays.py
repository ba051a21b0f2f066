"""Overlays that cover a page and do not scroll with it: consent notices, dialogs, bars. Nothing is clicked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..lexicon.word_lists import entries
from .geometry import Position
from .html import HAND, LISTENS, POINTER
from .page import Page

#: Words of consent notices, in any case.
_CONSENT_WORDS = re.compile("|".join(entries("page_states")["CONSENT"]), re.IGNORECASE)
#: A fixed element with a larger share of the visible text is the page itself (many apps scroll inside one).
_MAX_TEXT = 0.5
#: A sticky element is a bar if it has at least this width and at most this height, in shares of the viewport; others
#: are sidebars.
_BAR_WIDTH, _BAR_HEIGHT = 0.5, 0.3
#: An overlay that covers at least this share of the viewport is a dialog.
_DIALOG = 0.25
#: One that covers more is as large as the viewport.
_WHOLE = 0.98


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """An element that covers a part of the page."""

    #: Row of its outermost element.
    node: int
    #: "consent" (by its words), "dialog" (covers at least a quarter of the viewport) or "bar".
    kind: str
    #: ``(x, y, width, height)`` in CSS pixels of the document.
    box: tuple[float, float, float, float]
    #: Share of the viewport that it covers.
    share: float
    #: Its visible text.
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"kind": self.kind, "box": list(self.box), "share": self.share, "text": self.text}


def find_overlays(page: Page) -> tuple[Overlay, ...]:
    """Return the overlays of a page: fixed or sticky elements with visible text. Without geometry there are none.

    Consent notices are recognized by a multilingual lexicon.
    """
    geometry = page.geometry
    if geometry is None or not len(page.leaves):
        return ()
    stuck = np.isin(geometry.position, (Position.FIXED, Position.STICKY)) & np.isfinite(geometry.box[:, 0])
    outermost = (stuck & ~np.where(page.parent >= 0, page.below(stuck)[page.parent], False)).nonzero()[0]
    shown = page.hidden == 0
    size = np.asarray([len(text) for text in page.leaf_texts]) * shown
    overlays = (_overlay(page, row, shown, size) for row in outermost.tolist())
    return tuple(overlay for overlay in overlays if overlay is not None)


def _overlay(page: Page, row: int, shown: NDArray[np.bool_], size: NDArray[Any]) -> Overlay | None:
    geometry = page.geometry
    assert geometry is not None
    first, last = page.leaf_range[row].tolist()
    if not shown[first:last].any() or size[first:last].sum() > _MAX_TEXT * size.sum():
        return None
    left, top, width, height = geometry.box[row].tolist()
    window_width, window_height = geometry.viewport
    covered = _overlap(left, width, window_width) * _overlap(top, height, window_height)
    share = covered / (window_width * window_height)
    sticky = geometry.position[row] == Position.STICKY
    if sticky and (width < _BAR_WIDTH * window_width or height > _BAR_HEIGHT * window_height):
        return None
    leaves = shown[first:last].nonzero()[0] + first
    text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in leaves.tolist()).split())
    kind = "consent" if _CONSENT_WORDS.search(text) and not sticky else "dialog" if share >= _DIALOG else "bar"
    return Overlay(node=row, kind=kind, box=(left, top, width, height), share=round(share, 4), text=text)


def is_closable(page: Page, overlay: Overlay) -> bool:
    """Return whether a reader can close an overlay: one that asks for consent, or a dialog, by something to click.

    Text under such an overlay counts as visible; text under any other is covered. What fills the window with a plain
    color is no dialog unless it says so: it is the page.
    """
    inside = slice(overlay.node, int(page.end[overlay.node]))
    roles = page.attribute("role")[inside]
    named = {page.strings[role].strip().lower() for role in roles[roles >= 0].tolist()}
    has_button = bool(page.has_tag("button", "summary")[inside].any()) or "button" in named
    if overlay.kind == "consent":
        reacts = page.attribute_matches(POINTER, lambda value: HAND in value.split() or LISTENS in value.split())
        return has_button or bool((page.has_tag("a", "input", "iframe") | reacts)[inside].any())
    geometry = page.geometry
    assert geometry is not None
    is_page = overlay.share > _WHOLE and int(geometry.background[overlay.node]) & 0xFF == 0xFF
    says_so = bool(named & {"dialog", "alertdialog"}) or bool(page.has_tag("dialog")[inside].any())
    says_so |= bool((page.attribute("aria-modal") >= 0)[inside].any())
    return has_button and overlay.share >= _DIALOG and (says_so or not is_page)


def _overlap(start: float, length: float, window: float) -> float:
    return max(min(start + length, window) - max(start, 0.0), 0.0)
