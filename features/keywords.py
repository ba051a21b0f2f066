"""What authors call their elements: families of words in class, id, role and itemprop."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ..render.page import Page
from .columns import Columns, Group, flag
from .rows import Rows

#: Families of words; each becomes a column for the block's own element, its near ancestors, and any ancestor.
FAMILIES = {
    "nav": r"nav|menu|sitemap|toolbar|topbar|skip",
    "header": r"header|masthead|banner|logo|branding",
    "footer": r"foot|bottom|colophon",
    "sidebar": r"side-?bar|sidebar|aside|rail|right-?col|left-?col|widget",
    "comment": r"comment|disqus|respond|reply|replies|discussion",
    "share": r"share|sharing|social|facebook|twitter|follow|like-?button|whatsapp",
    "related": r"relat|recommend|read-?more|more-|also|popular|trending|most-?read|latest|next-?prev|outbrain|taboola",
    "advert": r"(?:^|[-_ ])ads?(?:$|[-_ ])|advert|sponsor|promo|banner-?ad|dfp|doubleclick|affiliate",
    "byline": r"byline|author|writer|credit|contributor",
    "meta": r"meta|date|time|publish|posted|info|dateline|stats|views",
    "caption": r"caption|legend|figure|gallery|photo|image|thumb|media",
    "breadcrumb": r"breadcrumb|crumbs|you-are-here|path",
    "teaser": r"teaser|card|tile|excerpt|summary|preview|grid-?item|list-?item|carousel|slide",
    "list": r"(?:^|[-_ ])list|listing|archive|index|items",
    "tags": r"(?:^|[-_ ])tags?(?:$|[-_ ])|categor|topic|keyword|label",
    "overlay": r"modal|popup|overlay|dialog|cookie|consent|gdpr|lightbox|toast|dropdown",
    "account": r"login|log-in|signin|sign-in|signup|register|subscri|newsletter|account|paywall|donat",
    "legal": r"copyright|legal|disclaimer|terms|privacy|licen[cs]e|imprint|impressum",
    "article": r"article|entry|story|(?:^|[-_ ])post|hentry|news-?(?:body|text|content)|blog",
    "body": r"article-?body|entry-?content|post-?(?:body|content)|story-?body|(?:^|[-_ ])body|rich-?text|prose"
    r"|markdown",
    "content": r"content|(?:^|[-_ ])main|(?:^|[-_ ])text|copy|detail|description",
    "title": r"title|headline|heading|subtitle|kicker|standfirst|(?:^|[-_ ])lead|dek",
    "paragraph": r"paragraph|(?:^|[-_ ])para|(?:^|[-_ ])p(?:$|[-_ ])",
    "message": r"message|(?:^|[-_ ])msg|thread|forum|topic-?body|postbody|cooked|answer|question|quote",
    "product": r"product|price|cart|shop|sku|rating|review|spec",
    "pager": r"pag(?:er|inat|ing)|page-?num|(?:^|[-_ ])next|(?:^|[-_ ])prev",
    "hidden": r"hidden|sr-only|screen-?reader|visually|noprint|print-?only|collapse",
    "code": r"code|highlight|syntax|snippet|example|math|formula",
}
LEVELS = {
    "own": "the block's element or its parent",
    "near": "one of the four elements around those",
    "any": "any element around the block",
}
COLUMNS = tuple(
    flag(f"{level}_{family}", f"1 where {where} is called something like {family} (class, id, role or itemprop)")
    for level, where in LEVELS.items()
    for family in FAMILIES
)

_NAMES = ("class", "id", "role", "itemprop", "data-component", "data-testid")
_PATTERNS = tuple(re.compile(pattern) for pattern in FAMILIES.values())
#: Long class lists of generated styles say nothing and cost time.
_LONGEST = 300


def node_families(page: Page) -> NDArray[np.uint64]:
    """uint64 (nodes,): one bit a family in whose words an element is called."""
    bits = np.zeros(len(page), dtype=np.uint64)
    for name in _NAMES:
        column = page.attribute(name)
        distinct, inverse = np.unique(column, return_inverse=True)
        found = [_families(page.strings[code]) if code >= 0 else 0 for code in distinct.tolist()]
        bits |= np.asarray(found, dtype=np.uint64)[inverse]
    return bits


def _families(name: str) -> int:
    text = name[:_LONGEST].lower()
    return sum(1 << index for index, pattern in enumerate(_PATTERNS) if pattern.search(text))


def keyword_features(rows: Rows, _: Columns) -> Columns:
    """Return the keyword columns, float64 (rows,) each of 0 and 1."""
    chain, page, families = rows.chain, rows.page, node_families(rows.page)
    own = families[chain[:, 0]] | families[chain[:, 1]]
    near = np.bitwise_or.reduce(families[chain[:, 2:]], axis=1)
    above: list[int] = []
    for parent, bits in zip(page.parent.tolist(), families.tolist(), strict=True):
        above.append(bits | above[parent] if parent >= 0 else bits)
    anywhere = np.asarray(above, dtype=np.uint64)[rows.node]
    columns = {}
    for level, bits_of_row in (("own", own), ("near", near), ("any", anywhere)):
        for index, family in enumerate(FAMILIES):
            columns[f"{level}_{family}"] = (bits_of_row >> np.uint64(index) & np.uint64(1)).astype(np.float64)
    return columns


GROUP = Group(name="keyword", columns=COLUMNS, measure=keyword_features)
