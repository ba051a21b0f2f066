"""Records that are the only ones of their template: the opening post of a thread, the only product of a page."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ..page.arrays import HALF, prefix_sums
from ..page.clean_text import letters_of, text_below
from ..page.metadata.json_ld import read_scripts
from ..page.metadata.page_metadata import data_scripts
from ..page.page import Page
from ..segment.record_groups import RecordGroup
from ..segment.shape import class_names
from .candidates import RecordCandidates
from .field_columns import struck_leaves
from .field_names import profile_links
from .field_values import is_just_price
from .page_features import PAGE_COLUMNS, own_measures, post_ids

#: Each class name of the element around a whole post contains one of these; digits are written "#".
_POSTS = ("post", "message", "comment", "question", "discussion", "node")
_POST = re.compile(
    r"(?:js-|ips|c)?_?(?:crawler-?|forum-?|topic-?|thread-?|first-?|original-?|opening-?|user-?)?_?"
    r"(?:post|message|comment|question|discussion|postbit|node)"
    r"(?:[-_]*(?:container|wrap(?:per)?|item|row|box|bit|block|entry|post|outer|forum|topic|type|first|bg#?|#))*"
)
_POST_TYPES = re.compile(r"(?:DiscussionForumPosting|SocialMediaPosting|Comment|Question|Message)\b", re.IGNORECASE)
#: Most characters of an element with the name and the price of the only product, and its frames.
_PRODUCT = 500.0
#: Most characters from the name of a declared product to its price; the column that says that there is one.
_NEAR, _DECLARED = 1500.0, PAGE_COLUMNS.index("ld_product")
_FRAMES = ("nav", "footer", "aside", "header")
_SIGNS = ("img", "picture", "button", "form", "select", "input")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def opening_post(measures: RecordCandidates, main: int = -1) -> RecordGroup | None:
    """Return the element of the opening post of a likely thread as a group of one record, if any.

    It is a question above answers or the only post: its class or id is that of a post, and it has a date or an author.
    ``main`` is the group of the other posts, -1 if there are none.
    """
    page = measures.page
    prose, dates = page.sum_leaves(measures.prose), page.sum_leaves(measures.dates.astype(np.float64))
    named = prefix_sums(page.has_tag("time") | profile_links(page))
    before = measures.groups[main].spans[0][0] if main >= 0 else len(page)
    least = HALF * prose[0] if main < 0 else 1.0
    fitting = [
        row
        for row in _post_elements(page)
        if page.end[row] <= before and prose[row] >= max(least, 1.0)
        and (dates[row] > 0 or named[page.end[row]] > named[row])
    ]  # fmt: skip
    if not fitting:
        return None
    # The innermost element with all of the text: its ancestors are the list of posts.
    row = max(fitting, key=lambda row: (float(prose[row]), row))
    return _group_of(page, row)


def _post_elements(page: Page) -> list[int]:
    """Return the rows of elements with the class or id of a post."""
    called = page.attribute_matches("class", lambda names: any(map(_POST.fullmatch, class_names(names))), needs=_POSTS)
    called |= post_ids(page) | page.attribute_matches("itemtype", lambda text: _POST_TYPES.search(text) is not None)
    rows: list[int] = np.flatnonzero(called).tolist()
    return rows


def only_product(measures: RecordCandidates) -> RecordGroup | None:
    """Return the element with the name and the price of the only product of a page as a group of one record, if any.

    It is short, and has one heading and all prices of the page, two at most: an old and a new one. Where most of it is
    prose, it also has a picture or a button: news mention prices, too.
    """
    page = measures.page
    prices = [leaf for leaf in np.flatnonzero(measures.prices).tolist() if is_just_price(measures.texts[leaf])]
    if not prices or len({measures.texts[leaf] for leaf in prices}) > 2:
        return None
    shown = prefix_sums(measures.characters)
    characters = shown[page.leaf_range[:, 1]] - shown[page.leaf_range[:, 0]]
    headings = page.has_tag(*_HEADINGS) & (characters > 0)
    named = page.count_within(headings)
    row, last = int(page.leaves[prices[0]]), int(page.leaves[prices[-1]])
    while row > 0 and (named[row] == 0 or page.end[row] <= last):
        row = int(page.parent[row])
    framed = page.below(page.has_tag(*_FRAMES))[row]
    in_heading = page.below(headings)[page.leaves[prices]].any()
    if row <= 0 or named[row] != 1 or characters[row] > _PRODUCT or framed or in_heading:
        return None
    low, high = page.leaf_range[row].tolist()
    is_prose = measures.prose[low:high].sum() > characters[row] / 2
    if is_prose and not page.has_tag(*_SIGNS)[row : page.end[row]].any():
        return None
    return _group_of(page, row)


def declared_product(measures: RecordCandidates) -> RecordGroup | None:
    """Return the only product that the page's data name, from the heading with its name to its price, as one record.

    None if there are several, or if the page does not show it.
    """
    page, keys = measures.page, _declared_names(measures)
    headings = np.flatnonzero(page.has_tag("h1", "h2")).tolist() if len(keys) == 1 else []
    above = next((row for row in headings if letters_of(text_below(page, row)) in keys), -1)
    prices = page.leaves[measures.prices & ~struck_leaves(page)]
    if above < 0 or not (prices > above).any():
        return None
    first = above
    last = price = int(prices[prices > above][0])
    while page.end[above] <= price:
        first, above = above, int(page.parent[above])
    while page.parent[last] != above:
        last = int(page.parent[last])
    titles, size = page.count_within(page.has_tag(*_HEADINGS)), page.sum_leaves(measures.characters)
    if titles[above] == 1 and size[above] <= _PRODUCT and page.tag_of(above) not in ("body", "main"):
        return _group_of(page, above)
    low, high = page.leaf_range[first, 0], page.leaf_range[last, 1]
    near = measures.characters[low:high].sum() <= _NEAR
    return replace(_group_of(page, first), spans=((first, int(page.end[last])),)) if near else None


def _declared_names(measures: RecordCandidates) -> set[str]:
    """Return the letters of the names of products in JSON-LD, else of the only one in microdata."""
    page = measures.page
    items = page.attribute_matches("itemtype", lambda kind: kind.strip().endswith("/Product"), needs=("/product",))
    if not own_measures(measures)[_DECLARED] and items.sum() != 1:
        return set()
    every = np.ones(len(page), dtype=bool)
    names = [value for name, value in read_scripts(data_scripts(page, every)) if name == "product"]
    if not names and items.sum() == 1:
        named = page.attribute_matches("itemprop", lambda name: name.strip() == "name")
        names = [text_below(page, row) for row in np.flatnonzero(named & page.below(items)).tolist()][:1]
    return {letters_of(name) for name in names} - {""}


def _group_of(page: Page, row: int) -> RecordGroup:
    names = class_names(page.attributes_of(row).get("class", ""))
    return RecordGroup(
        node=int(page.parent[row]), spans=((row, int(page.end[row])),), tag=page.tag_of(row), names=names
    )
