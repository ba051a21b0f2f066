"""The title of a rendered page whose markup names none: the largest line above the text."""

from __future__ import annotations

import numpy as np

from ..arrays import BoolColumn
from ..clean_text import clean
from ..page import Page

#: Least size of its letters, as a multiple of that of most text of the page, and of the next smaller line above it.
LARGER = 1.3
#: Fewest and most characters of a title.
FEWEST, MOST = 3, 200
#: A title is in the first part of the page: above so many CSS pixels, or so many windows.
WINDOWS = 1.5


def title_by_look(page: Page, furniture: BoolColumn) -> str:
    """Return the largest line near the top of a rendered page, "" if none is larger than the text or two are as large.

    ``furniture``, bool (nodes,), marks menus, headers, footers and side columns. Links are titles of other pages.
    """
    geometry = page.geometry
    if geometry is None or not (page.hidden == 0).any():
        return ""
    leaves = page.leaves
    seen = page.hidden == 0
    size = np.nan_to_num(geometry.font_size[page.parent[leaves]].astype(np.float64))
    order = np.argsort(size[seen])
    total = np.cumsum(page.leaf_lengths[seen][order])
    usual = size[seen][order][np.searchsorted(total, total[-1] / 2)]
    top = np.nan_to_num(geometry.box[leaves, 1], nan=np.inf)
    outside = furniture | page.below(page.has_tag("a", "button", "form"))
    fits = seen & ~outside[leaves] & (top < WINDOWS * geometry.viewport[1]) & (size >= LARGER * usual)
    if not fits.any():
        return ""
    largest = fits & (size >= size[fits].max() - 0.5)
    owner = page.owner[leaves]
    lines = np.unique(owner[largest])
    if len(lines) != 1:
        return ""
    text = clean("".join(page.leaf_texts[leaf] for leaf in np.flatnonzero((owner == lines[0]) & seen).tolist()))
    return text if FEWEST <= len(text) <= MOST and any(map(str.isalpha, text)) else ""
