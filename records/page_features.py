"""Features of a page's type: its URL, its declared types, its text, and its records."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import numpy as np

from ..features.class_names import FAMILIES
from ..lexicon.word_lists import entries
from ..page.arrays import HARDLY_ANY, BoolColumn, FloatArray, cached_by_owner, prefix_sums
from ..page.page import Page
from ..page.urls import address_of
from .candidates import SET_COLUMNS, RecordCandidates
from .field_names import profile_links
from .field_values import LONGEST

#: Words in addresses.
_ADDRESS = {name: re.compile("|".join(parts)) for name, parts in entries("addresses").items()}
#: Types by schema.org in data.
_DECLARED_TYPES = {
    "ld_article": tuple(
        f"{kind}{what}" for kind in ("", "News", "Blog", "Tech", "Scholarly") for what in ("Article", "Posting")
    ),
    "ld_product": ("Product", "ProductGroup"),
    "ld_thread": ("DiscussionForumPosting", "QAPage", "Question", "Comment"),
    "ld_list": ("CollectionPage", "ItemList", "SearchResultsPage"),
    "ld_service": ("Service", "LocalBusiness", "SoftwareApplication", "Organization"),
    "ld_faq": ("FAQPage",),
}
_DECLARED_TYPE = re.compile(r'"@type"\s*:[\s\[]*(?="([^"]*)")')
#: Words of Open Graph and of programs that make pages.
_DECLARED_WORDS = entries("declared")
_COUNTED = {
    "headings": ("h1", "h2", "h3", "h4"), "tables": ("table",), "code": ("pre", "code"), "pictures": ("img",
    "picture"), "forms": ("form",),
    "inputs": ("input", "select", "textarea"), "buttons": ("button",), "lists": ("ul", "ol"),
    "articles": ("article",), "links": ("a",),
    "paragraphs": ("p",), "players": ("video", "iframe"), "times": ("time",),
}  # fmt: skip
#: Short texts that are typical of pages of some types, in several languages: what they start with, and what they hold.
_START = re.compile(
    "|".join(f"(?P<{name}>{'|'.join(entries('page_words')[name])})" for name in ("sorting", "more", "reply", "person"))
)
_HOLDS = {name: re.compile("|".join(entries("page_words")[f"held_{name}"])) for name in ("cart", "sorting", "results")}
_WORDS = ("cart", "sorting", "results", "more", "reply", "person")
#: Identities of posts: "p123", "post-123", "comment_123".
_POST_ID = re.compile(r"(?:js-)?(?:p|pid|post|msg|message|comment|answer|question|reply|entry)[-_]?(?:id)?[-_]?\d+")
_SIGNS = (
    *(f"says_{name}" for name in _WORDS), "post_ids", "persons", "linked_headings", "linked_heading_share", "pagers",
)  # fmt: skip
_PARTS = ("characters", "free", "prose", "largest", "dates", "prices", "in_code")
_OF_SETS = ("best", "content_sets", "content_share", "entries", "entry_sets", "entry_share", "entry_size", "post_sets")
#: Prefix of the columns of the page's URL.
ADDRESS = "address_"
PAGE_COLUMNS = (
    f"{ADDRESS}root",
    f"{ADDRESS}depth",
    *(f"{ADDRESS}{name}" for name in _ADDRESS),
    *_DECLARED_TYPES,
    *_DECLARED_WORDS,
    *(f"count_{name}" for name in _COUNTED),
    *(f"page_{name}" for name in _PARTS),
    *_SIGNS,
    *(f"body_{family}" for family in FAMILIES),
    *(f"sets_{name}" for name in _OF_SETS),
    *(f"set_{name}" for name in SET_COLUMNS),
)
#: Columns of groups that separate entries from posts; most characters of a label.
_MEASURED = ("records", "characters", "prose", "share", "links_each", "headings", "pictures", "dates")
_SHORT_TEXT = 40
#: Most characters of a script of data that are read.
_MOST = 400_000


def page_measures(measures: RecordCandidates, likely: FloatArray) -> FloatArray:
    """Return the features of a page, float64 (:data:`PAGE_COLUMNS`,), given each group's probability of content."""
    # Without probabilities, the groups need not be measured.
    matrix = measures.matrix if len(likely) else np.zeros((0, len(SET_COLUMNS)))
    return np.concatenate([own_measures(measures), set_measures(matrix, likely)])


@cached_by_owner
def own_measures(measures: RecordCandidates) -> FloatArray:
    """Return the features that do not depend on groups of records."""
    page = measures.page
    parts = _declared(page), _counts(page), _parts(measures), _signs(measures), _body(measures)
    return np.concatenate([_address(address_of(page)), *parts])


def set_measures(matrix: FloatArray, likely: FloatArray) -> FloatArray:
    """Return the features of groups of records, by their own features and their probability of content."""
    if not len(likely):
        return np.zeros(len(_OF_SETS) + len(SET_COLUMNS))
    probable = likely > 0.5
    share = float(matrix[probable, SET_COLUMNS.index("free_share")].sum())
    best = best_group(matrix, likely)
    of_best = np.zeros(len(SET_COLUMNS)) if best < 0 else matrix[best] * likely[best]
    return np.concatenate(
        [[float(likely.max(initial=0.0)), np.log1p(probable.sum()), share], _entries(matrix), of_best]
    )


def _entries(matrix: FloatArray) -> FloatArray:
    """Return features of the groups with headings or pictures that are links, and of those with dates and prose."""
    fact = {name: matrix[:, SET_COLUMNS.index(name)] for name in (*_MEASURED, "in_nav", "in_header", "in_footer")}
    free = (fact["in_nav"] + fact["in_header"] + fact["in_footer"]) == 0
    leads = free & (fact["links_each"] > 0.5) & ((fact["headings"] >= 0.5) | (fact["pictures"] >= 0.5))
    declared = free & (fact["dates"] >= 0.5) & (fact["prose"] > 3)
    size = fact["characters"][leads]
    return np.asarray(
        [
            fact["records"][leads].max(initial=0.0), np.log1p(leads.sum()), fact["share"][leads].sum(),
            float(size.mean()) if len(size) else 0.0, fact["records"][declared].max(initial=0.0),
        ]
    )  # fmt: skip


def best_group(matrix: FloatArray, likely: FloatArray) -> int:
    """Return the group with the best product of probability and text share; -1 if there is none."""
    if not len(likely):
        return -1
    size = matrix[:, SET_COLUMNS.index("free_share")] + 0.5 * matrix[:, SET_COLUMNS.index("share")]
    return int(np.argmax(likely**2 * (HARDLY_ANY + size)))


def _address(url: str) -> FloatArray:
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    known = parts.scheme in ("http", "https")
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    text = f"{parts.hostname or ''}{path}".lower() if known else ""
    root = known and parts.path in ("", "/") and not parts.query
    depth = len([part for part in parts.path.split("/") if part]) if known else 0
    return np.asarray(
        [root, depth, *(pattern.search(text) is not None for pattern in _ADDRESS.values())], dtype=np.float64
    )


def _declared(page: Page) -> FloatArray:
    declared = []
    content = page.attribute("content")
    named = np.where(page.attribute("property") >= 0, page.attribute("property"), page.attribute("name"))
    rows = (page.has_tag("meta") & (content >= 0)).nonzero()[0]
    for name, value in zip(named[rows].tolist(), content[rows].tolist(), strict=True):
        declared.append(f"{page.strings[name].lower() if name >= 0 else ''} {page.strings[value][:LONGEST].lower()}")
    scripts = page.nearest(page.has_tag("script"))
    rows = ((page.text >= 0) & (scripts >= 0)).nonzero()[0]
    for row, kind in zip(rows.tolist(), page.attribute("type")[scripts[rows]].tolist(), strict=True):
        if kind >= 0 and "ld+json" in page.strings[kind]:
            declared.append(page.text_of(row)[:_MOST])
    text = "\n".join(declared)
    types = set(_DECLARED_TYPE.findall(text))
    values = [not types.isdisjoint(names) for names in _DECLARED_TYPES.values()]
    values += [any(word in text for word in words) for words in _DECLARED_WORDS.values()]
    return np.asarray(values, dtype=np.float64)


def _counts(page: Page) -> FloatArray:
    count = np.bincount(page.tag, minlength=len(page.names)).tolist()
    sums = [sum(count[code] for code in page.name_codes(*tags)) for tags in _COUNTED.values()]
    return np.log1p(np.asarray(sums, dtype=np.float64))


def _parts(measures: RecordCandidates) -> FloatArray:
    page, characters = measures.page, measures.characters
    whole = max(float(characters.sum()), 1.0)
    code = page.below(page.has_tag("pre"))[page.leaves]
    return np.asarray(
        [
            np.log1p(whole), float((characters * ~measures.linked).sum()) / whole, float(measures.prose.sum()) / whole,
            float(measures.prose.max(initial=0.0)) / whole, np.log1p(measures.dates.sum()),
            np.log1p(measures.prices.sum()),
            float(characters[code].sum()) / whole,
        ],
        dtype=np.float64,
    )  # fmt: skip


def _signs(measures: RecordCandidates) -> FloatArray:
    """Return counts of words, ids and links that are typical of some types."""
    page = measures.page
    short = [text.lower() for text in measures.texts if 1 < len(text) <= _SHORT_TEXT]
    begun, every = [start and start.lastgroup for start in map(_START.match, short)], "\n".join(short)
    held = {name: pattern.search for name, pattern in _HOLDS.items() if pattern.search(every)}
    words = [
        sum(kind == name or held[name](text) is not None for kind, text in zip(begun, short, strict=True))
        if name in held
        else begun.count(name)
        for name in _WORDS
    ]
    posts = post_ids(page).sum()
    persons = profile_links(page).sum()
    headings, link = page.has_tag("h2", "h3", "h4").nonzero()[0], page.has_tag("a")
    links = prefix_sums(link)
    linked = page.below(link)[headings] | (links[page.end[headings]] > links[headings])
    pagers = (measures.families & np.uint64(1 << FAMILIES.index("pager"))) > 0
    counts = np.asarray([*words, posts, persons, linked.sum()], dtype=np.float64)
    share = linked.sum() / max(len(headings), 1)
    return np.concatenate([np.log1p(counts), [share, np.log1p(pagers.sum())]])


@cached_by_owner
def post_ids(page: Page) -> BoolColumn:
    """Return the elements with the id of a post, bool (nodes,)."""
    return page.attribute_matches("id", is_post_id)


def is_post_id(identity: str) -> bool:
    """Return whether an id is that of a post: "p123", "post-123"."""
    return identity[-1:].isdecimal() and _POST_ID.fullmatch(identity.lower()) is not None


def _body(measures: RecordCandidates) -> FloatArray:
    """Return the class-name families of the page, its body and its main part."""
    page = measures.page
    rows = (page.has_tag("html", "body", "main") | (page.attribute("itemtype") >= 0)).nonzero()[0][:6]
    bits = int(np.bitwise_or.reduce(measures.families[rows])) if len(rows) else 0
    return np.asarray([bits >> place & 1 for place in range(len(FAMILIES))], dtype=np.float64)
