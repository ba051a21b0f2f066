"""Completion of partly marked structures: data tables, sentences, lists and headings among marked text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import HALF, BoolColumn, Marks
from ..page.page import Page
from ..page.surroundings import Surroundings
from ..page.visibility import invisible_leaves

#: Elements that a list can follow as a part of the text.
_LEADING = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
#: Headings, and those that are not of the content.
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_FURNITURE = ("nav", "aside", "footer", "header", "form")
#: Most pictures whose captions are looked for.
_MOST_PICTURES = 20_000
#: Levels between a leaf and the paragraph around it.
_FAR = 8


def missing_cells(page: Page, marks: Marks) -> Marks:
    """Mark the visible text of tables of which half was marked: numbers alone do not look like content."""
    table = page.has_tag("table")
    missing_leaves = np.zeros(len(page.leaves), dtype=bool)
    if not table.any() or not marks.any():
        return missing_leaves
    seen = ~invisible_leaves(page)
    cells = page.nearest(table)
    rows = page.count_within(page.has_tag("tr"))
    for row in (table & (page.count_below(table) == 0)).nonzero()[0].tolist():
        first, last = page.leaf_range[row].tolist()
        visible = seen[first:last]
        marked_count, total = int((marks[first:last] & visible).sum()), int(visible.sum())
        if total and marked_count >= HALF * total:
            missing_leaves[first:last] = visible & (cells[page.leaves[first:last]] == row) & (rows[row] > 1)
    return missing_leaves


def picture_captions(page: Page, marks: Marks) -> Marks:
    """Mark the captions of pictures that are in the marked text."""
    captions = np.zeros(len(page.leaves), dtype=bool)
    pictures = page.has_tag("img", "amp-img") & ~page.below(page.has_tag(*_FURNITURE))
    rows = pictures.nonzero()[0][:_MOST_PICTURES].tolist()
    if rows and marks.any():
        around = Surroundings(page, marks)
        for row, is_held in zip(rows, around.holding(rows).tolist(), strict=True):
            if is_held:
                captions[around.captions_of(row)] = True
    return captions


def missing_links(page: Page, marks: Marks) -> Marks:
    """Mark the text of links in the middle of a marked sentence, which would have a hole: "see {2} & answer".

    References of notes, and links in headings for editing them, are none of the sentence.
    """
    holes = np.zeros(len(page.leaves), dtype=bool)
    if not marks.any():
        return holes
    owner = page.owner[page.leaves]
    link, apart = page.has_tag("a"), page.has_tag("sup", "sub", *_HEADINGS, "pre", "button")
    fits = (page.below(link) & ~page.below(apart))[page.leaves] & ~marks & ~invisible_leaves(page)
    inside = (owner[1:-1] == owner[:-2]) & (owner[1:-1] == owner[2:])
    holes[1:-1] = fits[1:-1] & inside & marks[:-2] & marks[2:]
    return holes


def missing_items(page: Page, marks: Marks) -> Marks:
    """Mark the visible text of lists written by the author: links alone do not look like content.

    Such a list has no class and no links within the page only, or is one to check off, and follows a marked heading or
    paragraph in the element with most of the marked text; for example a list of references below its heading.
    """
    missing_leaves = np.zeros(len(page.leaves), dtype=bool)
    bare = page.has_tag("ul", "ol") & (page.attribute("class") < 0) | _check_lists(page)
    if not bare.any() or not marks.any():
        return missing_leaves
    seen = ~invisible_leaves(page)
    content = _has_most_text(page, marks & seen)
    missing = page.sum_leaves((seen & ~marks).astype(np.float64)) > 0
    before = _last_seen(seen)
    for row in (bare & missing & content[page.parent]).nonzero()[0].tolist():
        first, last = page.leaf_range[row].tolist()
        ahead = int(before[first])
        if ahead < 0 or not marks[ahead]:
            continue
        if _follows_sibling(page, row, int(page.leaves[ahead])) and not _leads_within(page, row):
            missing_leaves[first:last] = seen[first:last]
    return missing_leaves


def _has_most_text(page: Page, marks: Marks) -> BoolColumn:
    """Return whether each element has at least :data:`HALF` of the marked characters, bool (rows,)."""
    size = page.leaf_lengths.astype(np.float64) * marks
    most: BoolColumn = page.sum_leaves(size) >= HALF * size.sum()
    return most


def _last_seen(seen: Marks) -> NDArray[np.intp]:
    """Return the last visible leaf before each leaf, -1 if there is none, int (leaves + 1,)."""
    return np.append(-1, np.maximum.accumulate(np.where(seen, np.arange(len(seen)), -1)))


def _follows_sibling(page: Page, row: int, leaf: int) -> bool:
    """Return whether a text belongs to a heading or paragraph that is a sibling of an element."""
    above, node = int(page.parent[row]), leaf
    for _ in range(_FAR):
        if page.parent[node] == above:
            return page.tag_of(node) in _LEADING
        node = int(page.parent[node])
        if node < 0:
            return False
    return False


def _check_lists(page: Page) -> BoolColumn:
    """Return the elements outside of forms whose text is all in labels of check boxes, some of them, bool (rows,)."""
    box = page.attribute_matches("type", lambda value: value.strip().lower() == "checkbox") & page.has_tag("input")
    label = page.has_tag("label") & (page.count_below(box) > 0)
    if not label.any():
        return label
    whole = page.sum_leaves((~page.below(label)[page.leaves]).astype(np.float64)) == 0
    lists: BoolColumn = whole & ~label & (page.count_below(label) > 1) & ~page.below(page.has_tag(*_FURNITURE))
    return lists


def _leads_within(page: Page, row: int) -> bool:
    """Return whether all links of a list lead to targets on the same page."""
    href = page.attribute("href")[row : page.end[row]]
    links = [page.strings[code] for code in href[href >= 0].tolist()]
    return bool(links) and all(link.startswith("#") for link in links)


def missing_headings(page: Page, marks: Marks, seen: Marks) -> Marks:
    """Mark the unmarked headings right above marked text, below other marked text or the headline.

    ``seen``, bool (leaves,), is the visible text.
    """
    inside, added = page.below(page.has_tag(*_HEADINGS))[page.leaves], np.zeros(len(page.leaves), dtype=bool)
    unmarked = inside & ~marks & seen & ~page.below(page.has_tag(*_FURNITURE))[page.leaves]
    body = (seen & ~inside).nonzero()[0]
    if not len(body) or not unmarked.any():
        return added
    headline = page.below(page.has_tag("h1"))[page.leaves]
    last_headline = np.maximum.accumulate(np.where(headline & seen, np.arange(len(added)), -1))
    leaves = (unmarked & ~headline).nonzero()[0]
    behind = np.searchsorted(body, leaves)
    # None of the text is before the first or after the last of it.
    marked, before = np.append(marks[body], False), np.append(body, -1)[behind - 1]
    above = marked[behind - 1] | (last_headline[leaves] > before)
    added[leaves[marked[behind] & above]] = True
    return added
