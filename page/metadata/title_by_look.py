"""Titles and headings of a rendered page whose markup names none: lines in larger letters than the text below."""

from __future__ import annotations

import numpy as np

from ..arrays import BoolColumn, FloatArray, Marks
from ..clean_text import clean
from ..page import Page

#: Least size of the letters of a title and of a heading, as a multiple of that of most text of the page.
LARGER, HEADING = 1.3, 1.15
#: Fewest and most characters of a title and of a heading.
FEWEST, MOST = 3, 200
#: Fewest characters of the text below a heading, and elements whose large text is none.
_TEXT = 60
_OTHERS = ("h1", "a", "button", "form", "table", "blockquote", "figure", "nav", "footer", "aside", "svg")


def title_by_look(page: Page, furniture: BoolColumn) -> str:
    """Return the largest line near the top of a rendered page, "" if none is larger than the text or two are as large.

    ``furniture``, bool (nodes,), marks menus, headers, footers and side columns. Links are titles of other pages.
    """
    geometry = page.geometry
    if geometry is None or not (page.hidden == 0).any():
        return ""
    leaves = page.leaves
    seen = page.hidden == 0
    size, usual = _sizes(page)
    top = np.nan_to_num(geometry.box[leaves, 1], nan=np.inf)
    outside = furniture | page.below(page.has_tag("a", "button", "form"))
    fits = seen & ~outside[leaves] & (top < 2 * geometry.viewport[1]) & (size >= LARGER * usual)
    if not fits.any():
        return ""
    largest = fits & (size >= size[fits].max() - 0.5)
    owner = page.owner[leaves]
    lines = np.unique(owner[largest])
    if len(lines) != 1:
        return ""
    text = clean("".join(page.leaf_texts[leaf] for leaf in np.flatnonzero((owner == lines[0]) & seen).tolist()))
    return text if FEWEST <= len(text) <= MOST and any(map(str.isalpha, text)) else ""


def headings_by_look(page: Page, marks: Marks) -> dict[int, int]:
    """Return the level of each element that is a heading by its look, of a rendered page whose markup has none.

    Such lines of the content, bool (leaves,), two or more of a size, have larger letters than the text right below, and
    than most text of the page. The largest letters are those of the second level, as the title is of the first.
    """
    seen, headed = marks & (page.hidden == 0), page.below(page.has_tag("h2", "h3", "h4", "h5", "h6"))[page.leaves]
    if page.geometry is None or not seen.any() or headed[seen].any():
        return {}
    size, usual = _sizes(page)
    owner = page.owner[page.leaves[seen]]
    first = np.flatnonzero(np.diff(owner, prepend=-2))
    lines, sizes, length = owner[first], size[seen][first], np.add.reduceat(page.leaf_lengths[seen], first)
    outside = page.below(page.has_tag(*_OTHERS))[lines]
    below = np.append(length[1:] * (sizes[1:] * HEADING <= sizes[:-1]), 0)
    fits = ~outside & (sizes >= HEADING * usual) & (length >= FEWEST) & (length <= MOST) & (below >= _TEXT)
    values, counts = np.unique(sizes[fits], return_counts=True)
    # HTML has six levels.
    levels = {value: min(level, 6) for level, value in enumerate(values[counts > 1][::-1].tolist(), 2)}
    found = zip(lines[fits].tolist(), sizes[fits].tolist(), strict=True)
    return {row: levels[value] for row, value in found if value in levels}


def _sizes(page: Page) -> tuple[FloatArray, float]:
    """Return the size of the letters of each leaf, float64 (leaves,), and that of most visible text."""
    assert page.geometry is not None
    seen = page.hidden == 0
    size = np.nan_to_num(page.geometry.font_size[page.parent[page.leaves]].astype(np.float64))
    order = np.argsort(size[seen])
    total = np.cumsum(page.leaf_lengths[seen][order])
    return size, float(size[seen][order][np.searchsorted(total, total[-1] / 2)])
