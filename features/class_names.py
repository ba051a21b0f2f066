"""Class-name features: families of words in class, id, role and itemprop."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from ..page import arrays
from ..page.page import Page, cached_column
from .columns import ColumnGroup, Columns, flag, flags
from .rows import Rows, compiled_rows
from .strings.name_flags import LONGEST, cache_words, name_flags

#: Families of words; each is a column for the block's own element, its near ancestors, and any ancestor.
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
    "near": "one of the four elements around these",
    "any": "any element around the block",
}
COLUMNS = tuple(
    flag(f"{level}_{family}", f"1 if {where} has a name of the family {family} (class, id, role or itemprop)")
    for level, where in LEVELS.items()
    for family in FAMILIES
)

#: Names of the columns of each level.
_COLUMNS_OF = {level: tuple(f"{level}_{family}" for family in FAMILIES) for level in LEVELS}
_NAMES = ("class", "id", "role", "itemprop", "data-component", "data-testid")
_PATTERNS = tuple(re.compile(pattern) for pattern in FAMILIES.values())
_ANY = re.compile("|".join(FAMILIES.values()))


@cached_column
def node_families(page: Page) -> NDArray[np.uint64]:
    """Return one bit per family that a name of the element belongs to, uint64 (nodes,)."""
    return name_flags(page, _NAMES, _families)


@cache_words
def _families(name: str) -> int:
    text = name[:LONGEST].lower()
    if "\n" in text:
        return _of_word(text)
    # No pattern matches across a space, and words repeat often.
    return reduce(or_, map(_of_word, text.split(" ")))


@cache_words
def _of_word(word: str) -> int:
    if _ANY.search(word) is None:
        return 0
    return sum(1 << index for index, pattern in enumerate(_PATTERNS) if pattern.search(word))


def keyword_features(rows: Rows, _: Columns) -> Columns:
    """Return the keyword columns, float64 (rows,) each of 0 and 1."""
    chain, page, families = rows.chain, rows.page, node_families(rows.page)
    if arrays.compiled:
        result = np.empty((len(COLUMNS), len(rows)))
        arrays.compiled.families(*compiled_rows(rows), families, result)
        return dict(zip(GROUP.names, result, strict=True))
    own = families[chain[:, 0]] | families[chain[:, 1]]
    near = np.bitwise_or.reduce(families[chain[:, 2:]], axis=1)
    anywhere = page.inherited_bits(families)[rows.node]
    bits = {"own": own, "near": near, "any": anywhere}
    return {name: column for level in LEVELS for name, column in flags(bits[level], _COLUMNS_OF[level]).items()}


GROUP = ColumnGroup(name="keyword", columns=COLUMNS, measure=keyword_features)
