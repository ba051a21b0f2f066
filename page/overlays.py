"""Overlays: what lies over a page and does not scroll with it - consent notices, dialogs, bars. Nothing is clicked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .geometry import Position
from .page import Page

#: A fixed element with more of the page's visible text than this is the page itself (many apps scroll inside one).
_MOST_TEXT = 0.5
#: A stuck element is a bar where it is this wide and no higher, in shares of the window; others are sidebars.
_BAR_WIDTH, _BAR_HEIGHT = 0.5, 0.3
#: From this share of the window on, an overlay is a dialog that stands in the way.
_DIALOG = 0.25

#: Words of consent notices in the languages of the web: the thing itself, and agreeing to it.
_CONSENT = re.compile(
    r"cookie|gdpr|consent|einwilligung|datenschutz|zustimm|consentement|confidentialit|consentimiento|privacidad"
    r"|consenso|consentimento|toestemming|ciastecz|zgod[aęy]|souhlas|súhlas|samtyck|samtykk|eväste|süti|hozzájárul"
    r"|piškotk|kolačić|çerez|onay|куки|согласи|згод|бисквитк|съгласи|συγκατάθεση|ملفات تعريف|الارتباط|עוגיות"
    r"|クッキー|同意|隐私|隱私|쿠키|동의|คุกกี้|ยินยอม|đồng ý|persetujuan",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """Something that lies over a page.

    Attributes
    ----------
    node : int
        Row of its outermost element.
    kind : str
        "consent" (by its words), "dialog" (covers a quarter of the window or more) or "bar".
    box : tuple of float
        ``(x, y, width, height)`` in CSS pixels of the document.
    share : float
        Share of the window that it covers.
    text : str
        What is written on it.
    """

    node: int
    kind: str
    box: tuple[float, float, float, float]
    share: float
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"kind": self.kind, "box": list(self.box), "share": self.share, "text": self.text}


def find_overlays(page: Page) -> tuple[Overlay, ...]:
    """Find the overlays of a page by geometry: elements fixed or stuck to the window that show text over it.

    A multilingual lexicon is the second witness, for consent notices. Without geometry there are none to be found.
    """
    geometry = page.geometry
    if geometry is None or not len(page.leaves):
        return ()
    stuck = np.isin(geometry.position, (Position.FIXED, Position.STICKY)) & np.isfinite(geometry.box[:, 0])
    outermost = np.flatnonzero(stuck & ~np.where(page.parent >= 0, page.below(stuck)[page.parent], False))
    shown = page.hidden == 0
    size = np.asarray([len(text) for text in page.leaf_texts]) * shown
    found = (_overlay(page, row, shown, size) for row in outermost.tolist())
    return tuple(overlay for overlay in found if overlay is not None)


def _overlay(page: Page, row: int, shown: NDArray[np.bool_], size: NDArray[Any]) -> Overlay | None:
    geometry = page.geometry
    assert geometry is not None
    first, last = page.leaf_range[row].tolist()
    if not shown[first:last].any() or size[first:last].sum() > _MOST_TEXT * size.sum():
        return None
    left, top, width, height = geometry.box[row].tolist()
    wide, high = geometry.viewport
    share = _overlap(left, width, wide) * _overlap(top, height, high) / (wide * high)
    sticky = geometry.position[row] == Position.STICKY
    if sticky and (width < _BAR_WIDTH * wide or height > _BAR_HEIGHT * high):
        return None
    leaves = np.flatnonzero(shown[first:last]) + first
    text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in leaves.tolist()).split())
    kind = "consent" if _CONSENT.search(text) and not sticky else "dialog" if share >= _DIALOG else "bar"
    return Overlay(node=row, kind=kind, box=(left, top, width, height), share=round(share, 4), text=text)


def is_closable(page: Page, overlay: Overlay) -> bool:
    """Return whether a person can put an overlay away: it asks for consent, or has something to press.

    What lies under such an overlay comes to light; what lies under any other is covered for good.
    """
    inside = slice(overlay.node, int(page.end[overlay.node]))
    pressed = page.has_tag("button", "summary")[inside].any()
    roles = page.attribute("role")[inside]
    pressed |= any(page.strings[role].strip().lower() == "button" for role in roles[roles >= 0].tolist())
    return overlay.kind == "consent" or bool(pressed and overlay.share >= _DIALOG)


def _overlap(start: float, length: float, window: float) -> float:
    return max(min(start + length, window) - max(start, 0.0), 0.0)
