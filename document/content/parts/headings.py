"""Headings of the content: unmarked ones to add to their sections, and link symbols to drop."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ....page.page import Page
from .inline import Surroundings

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: The text of a link from a heading to itself.
_SIGN = re.compile(r"\A\W{1,2}\Z")
_FILE = re.compile(r"\.\w{3,4}\s*\Z")
#: Parts of a page whose headings are not those of the content.
_FURNITURE = ("nav", "aside", "footer", "header", "form")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHeadings:
    """Leaves of unmarked headings of the content (``along``), and of links from a heading to itself (``omitted``)."""

    along: list[int]
    omitted: list[int]


def find_headings(page: Page, around: Surroundings) -> FoundHeadings:
    """Find unmarked headings between two marked texts, and the symbols with which headings link to themselves."""
    heading = page.below(page.has_tag(*_HEADINGS))
    inside = heading[page.leaves]
    if not inside.any():
        return FoundHeadings(along=[], omitted=[])
    omitted = _signs(page, np.flatnonzero(inside & page.below(page.has_tag("a"))[page.leaves]).tolist())
    open_leaves = inside & ~around.marks & around.seen & ~page.below(page.has_tag(*_FURNITURE))[page.leaves]
    body = np.flatnonzero(around.seen & ~inside)
    if not len(body) or not open_leaves.any():
        return FoundHeadings(along=[], omitted=omitted)
    marked = around.marks[body]
    leaves = np.flatnonzero(open_leaves)
    behind = np.searchsorted(body, leaves)
    inner = (behind > 0) & (behind < len(body))
    leaves, behind = leaves[inner], behind[inner]
    along = leaves[marked[behind - 1] & marked[behind]].tolist()
    return FoundHeadings(along=[leaf for leaf in along if not _FILE.search(page.leaf_texts[leaf])], omitted=omitted)


def _signs(page: Page, leaves: list[int]) -> list[int]:
    """Return the leaves that are the only text of a link within the page, without letters."""
    links = page.nearest(page.has_tag("a"))
    symbols = []
    for leaf in leaves:
        link = int(links[page.leaves[leaf]])
        first, last = page.leaf_range[link].tolist()
        href = page.attributes_of(link).get("href", "")
        if last - first == 1 and "#" in href and _SIGN.match(page.leaf_texts[leaf].strip()):
            symbols.append(leaf)
    return symbols
