"""The share of a rendered page that its author styled: without style sheets, geometry says little about a block."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn
from ...page.geometry import Geometry, Position
from ...page.page import Page
from ...page.visibility import invisible_leaves

#: Colours of text and links without style sheets, ``0xRRGGBBAA``.
_DEFAULT_COLORS = np.asarray((0x000000FF, 0x0000EEFF, 0x551A8BFF), dtype=np.uint32)
#: Font sizes of body text and of monospaced text without style sheets, in CSS pixels.
_DEFAULT_SIZES = (16.0, 13.0, 40 / 3)
#: Elements whose font size, or whose layout, differs without style sheets, too.
_SIZED = ("h1", "h2", "h3", "h4", "h5", "h6", "small", "big", "sub", "sup", "font", "center")
#: A page with a smaller share of styled text is judged by its markup.
LEAST_STYLED = 0.5


def styled_share(page: Page) -> float:
    """Return the share of a page's visible characters that are styled, 0 without geometry or text.

    A character is styled if its colour or size is not the browser's default, or if an element around it has a
    background, a position, or a flexible or grid layout.
    """
    if page.geometry is None:
        return 0.0
    leaves = page.leaves
    length = np.asarray([len(text) for text in page.leaf_texts], dtype=np.float64) * ~invisible_leaves(page)
    styled = _has_own_font(page, page.geometry)[leaves] | page.below(_has_own_box(page, page.geometry))[leaves]
    return float((length * styled).sum() / max(float(length.sum()), 1e-9))


def is_styled(page: Page) -> bool:
    """Decide whether a rendered page's own style determines most of its text."""
    return styled_share(page) >= LEAST_STYLED


def _has_own_font(page: Page, geometry: Geometry) -> BoolColumn:
    by_default = np.abs(geometry.font_size[:, None] - np.asarray(_DEFAULT_SIZES)).min(axis=1) < 0.05
    other_size = ~by_default & ~page.below(page.has_tag(*_SIZED))
    own: BoolColumn = other_size | ~np.isin(geometry.color, _DEFAULT_COLORS)
    return own


def _has_own_box(page: Page, geometry: Geometry) -> BoolColumn:
    placed = geometry.position != Position.STATIC
    flexible = page.has_name(geometry.display, "flex", "inline-flex", "grid", "inline-grid")
    painted = (geometry.background & 0xFF) > 0
    own: BoolColumn = (placed | flexible | painted) & (geometry.display >= 0)
    return own
