"""Microdata of a page's main item: properties and values (HTML standard, section 5, "Microdata")."""

from __future__ import annotations

import re

import numpy as np

from ...page.arrays import BoolColumn
from ...page.page import Page
from .clean_text import clean, text_below

#: Types that a page can be about, by the last part of the type's URL, and properties of nested items.
ABOUT = re.compile(
    r"(?:article|posting|report|blogpost|recipe|creativework|webpage|book|movie|videoobject)$", re.IGNORECASE
)
_NESTED = {"author": "author", "creator": "author", "publisher": "publisher"}
#: Attribute with an element's value; the value of other elements is their text.
_VALUES = {
    "meta": "content", "a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src",
    "source": "src", "iframe": "src", "embed": "src", "track": "src", "object": "data", "data": "value",
    "meter": "value", "time": "datetime",
}  # fmt: skip
_ADDRESSES = frozenset({"url", "image", "license", "thumbnailurl", "mainentityofpage"})
MOST = 400


def read_items(page: Page, own: BoolColumn) -> tuple[tuple[str, str], ...]:
    """Return the properties of the main item in microdata: names in lower case, with values.

    Authors and publishers are their names. ``own``, bool (nodes,), marks the nodes of the page itself, not of its
    frames.
    """
    named = page.attribute("itemprop") >= 0
    scope = page.attribute("itemscope") >= 0
    if not (named & own).any():
        return ()
    nearest = np.append(page.nearest(scope), -1)
    main = _main(page, scope & own)
    pairs = []
    for row in np.flatnonzero(named & own)[:MOST].tolist():
        owner = int(nearest[page.parent[row]])
        names = page.attributes_of(row)["itemprop"].lower().split()
        if main not in (owner, -1):
            names = [_nested(page, owner, name) for name in names if nearest[page.parent[owner]] == main]
        value = "" if scope[row] else _value(page, row, names)
        pairs += [(name, value) for name in names if name and value]
    return tuple(pairs)


def _main(page: Page, scope: BoolColumn) -> int:
    """Return the first item of a type that a page can be about; -1 if there is none."""
    kinds = page.attribute("itemtype")
    for row in np.flatnonzero(scope & (kinds >= 0)).tolist():
        if ABOUT.search(page.strings[int(kinds[row])].strip()):
            return row
    return -1


def _nested(page: Page, owner: int, name: str) -> str:
    """Return the property of the main item that a property of a nested item is: the name of an author is its author."""
    role = page.attributes_of(owner).get("itemprop", "").lower() if owner >= 0 else ""
    return _NESTED.get(role, "") if name == "name" else ""


def _value(page: Page, row: int, names: list[str]) -> str:
    given, tag = page.attributes_of(row), page.tag_of(row)
    if "content" in given:
        return clean(given["content"])
    # The property of a link on an author's name is the name.
    if tag == "a" and not _ADDRESSES & set(names):
        return text_below(page, row)
    return clean(given.get(_VALUES.get(tag, ""), "")) or text_below(page, row)
