"""The declared metadata of a page, verbatim and by source: small, and independent of the page."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ..arrays import BoolColumn
from ..clean_text import clean, letters_of, text_below
from ..page import Page
from ..urls import base_of

#: Relations of links that say something of the page.
_RELATIONS = frozenset({"canonical", "alternate", "license", "author", "image_src", "tag"})
_LICENCE = re.compile(r"^(?:https?:)?//(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.IGNORECASE)
#: Most characters of text for the language detection.
LANGUAGE_CHARACTERS = 4000
#: A longer script of data is not read.
MOST_CHARACTERS = 2_000_000
#: Types that a page can be about, by the last part of the type's URL, and properties of nested items.
ABOUT = re.compile(
    r"(?:article|posting|report|blogpost|recipe|creativework|webpage|book|movie|videoobject|question)$", re.IGNORECASE
)
#: Types of things that have no author.
PRODUCT = frozenset({"product", "productgroup", "individualproduct", "productmodel"})
_NESTED = {"author": "author", "creator": "author", "publisher": "publisher"}
#: Attribute with an element's value; the value of other elements is their text.
_VALUES = {
    "meta": "content", "a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src",
    "source": "src", "iframe": "src", "embed": "src", "track": "src", "object": "data", "data": "value",
    "meter": "value", "time": "datetime", "abbr": "title",
}  # fmt: skip
_ADDRESSES = frozenset({"url", "image", "license", "thumbnailurl", "mainentityofpage"})
#: Types of items that others than the author of the page have written, and of things.
_BY_OTHERS = re.compile(r"(?:review|comments?|answer|rating|product|offer)$", re.IGNORECASE)
#: Most items, links and headings that are read.
MOST_ITEMS = 400


@dataclass(frozen=True, slots=True)
class Link:
    """A link: one word of its ``rel`` (or "license" by its URL), ``href`` and ``type`` as declared, and its text."""

    relation: str
    address: str
    kind: str
    text: str


# Without slots: what several functions read from it is cached in the instance.
@dataclass(frozen=True, kw_only=True)
class RawMetadata:
    """The metadata that a page declares."""

    url: str
    base: str  # of relative URLs
    language: str  # the attribute ``lang``
    title: str  # the title element
    bare_title: str  # without the name of the site
    named: tuple[tuple[str, str], ...]  # name or property of each ``meta`` element in lower case, and its content
    links: tuple[Link, ...]
    scripts: tuple[str, ...]  # JSON-LD
    items: tuple[tuple[str, str], ...]  # properties and values of microdata
    marked: tuple[tuple[str, str], ...]  # author, published or modified, and the text of an element with such a class
    lines: tuple[str, ...]  # near the headline
    signed: tuple[str, ...]  # names by which a text in a script without spaces is signed
    text: str  # visible text to detect the language
    headings: frozenset[str]  # letters and digits of each heading
    roles: tuple[tuple[str, str], ...] = ()  # predicted role and text of blocks, the most probable first
    page_type: str = ""  # predicted type of the page, "" if unknown
    first_post: str = ""  # author of the first post of a thread
    usage: str = ""  # statements of robots.txt, headers and tdmrep.json about the use of the page


def read_raw_metadata(page: Page, bare_title: str, others: BoolColumn | None = None) -> RawMetadata:
    """Collect the declared metadata of a page; ``bare_title`` is its title without the name of the site.

    ``others``, bool (nodes,), marks cards and comments, whose authors and dates are their own.
    """
    # The metadata of documents in frames are not those of the page.
    own = ~page.below(page.has_tag("html") & (page.parent >= 0))
    scripts = data_scripts(page, own)  # data are of the page wherever they stand
    own = own if others is None else own & ~others
    # Imported late: others read the scripts of a page alone.
    from .visible_byline import read_visible_byline

    marked, lines, signed = read_visible_byline(page, own, bare_title)
    headings = np.flatnonzero(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6"))
    return RawMetadata(
        url=page.url,
        base=base_of(page),
        language=page.language,
        title=clean(page.title),
        bare_title=bare_title,
        named=_named(page, own),
        links=_links(page, own),
        scripts=scripts,
        items=read_items(page, own),
        marked=marked,
        lines=lines,
        signed=signed,
        text=_language_sample(page),
        headings=frozenset(letters_of(text_below(page, row)) for row in headings[:MOST_ITEMS].tolist()),
        usage=page.environment.get("usage", ""),
    )


def _named(page: Page, own: BoolColumn) -> tuple[tuple[str, str], ...]:
    entries = []
    for row in np.flatnonzero(page.has_tag("meta") & own & (page.attribute("content") >= 0)).tolist():
        attributes = page.attributes_of(row)
        value = clean(attributes["content"])
        names = dict.fromkeys(attributes.get(key, "").strip().lower() for key in ("property", "name", "http-equiv"))
        entries += [(name, value) for name in names if name and value]
    return tuple(entries)


def _links(page: Page, own: BoolColumn) -> tuple[Link, ...]:
    licences = page.attribute_matches("href", lambda address: _LICENCE.match(address.strip()) is not None)
    wanted = ((page.attribute("rel") >= 0) & (page.attribute("href") >= 0)) | licences
    entries: list[Link] = []
    for row in np.flatnonzero(wanted & own & page.has_tag("a", "link", "area")).tolist():
        attributes = page.attributes_of(row)
        relations = _RELATIONS & set(attributes.get("rel", "").lower().split())
        relations |= {"license"} if licences[row] else set()
        address, kind = attributes["href"].strip(), attributes.get("type", "").strip().lower()
        entries += [Link(relation, address, kind, text_below(page, row)) for relation in sorted(relations)]
        if len(entries) >= MOST_ITEMS:
            break
    return tuple(entries)


def data_scripts(page: Page, own: BoolColumn) -> tuple[str, ...]:
    """Return the JSON-LD of a page; ``own``, bool (nodes,), marks the nodes of the page itself, not of its frames."""
    data = page.attribute_matches("type", lambda kind: kind.partition(";")[0].strip().lower() == "application/ld+json")
    rows = np.flatnonzero(page.has_tag("script") & own & data).tolist()
    texts = ("".join(page.text_of(inner) for inner in range(row + 1, int(page.end[row]))) for row in rows)
    return tuple(text for text in texts if text.strip() and len(text) <= MOST_CHARACTERS)


def _language_sample(page: Page) -> str:
    """Return the longest visible texts, as many as the language detection needs."""
    seen = np.flatnonzero(page.hidden == 0).tolist()
    code = page.below(page.has_tag("pre", "code", "kbd", "samp"))[page.leaves]
    texts, length = [], 0
    for leaf in sorted((leaf for leaf in seen if not code[leaf]), key=lambda leaf: -len(page.leaf_texts[leaf])):
        texts.append(clean(page.leaf_texts[leaf])[:LANGUAGE_CHARACTERS])
        length += len(texts[-1])
        if length >= LANGUAGE_CHARACTERS:
            break
    return " ".join(texts)


def read_items(page: Page, own: BoolColumn) -> tuple[tuple[str, str], ...]:
    """Return the properties of the main item in microdata (HTML standard, section 5): names in lower case, with values.

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
    for row in np.flatnonzero(named & own)[:MOST_ITEMS].tolist():
        owner = int(nearest[page.parent[row]])
        names = page.attributes_of(row)["itemprop"].lower().split()
        if main < 0 and owner >= 0 and _BY_OTHERS.search(page.attributes_of(owner).get("itemtype", "").strip()):
            continue
        if main not in (owner, -1):
            names = [_nested(page, owner, name) for name in names if nearest[page.parent[owner]] == main]
        value = "" if scope[row] else _value(page, row, names)
        pairs += [(name, value) for name in names if name and value]
    products = page.attribute_matches("itemtype", lambda kind: kind.strip().rpartition("/")[2].lower() in PRODUCT)
    return (*pairs, ("product", "microdata")) if (scope & own & products).any() else tuple(pairs)


def _main(page: Page, scope: BoolColumn) -> int:
    """Return the first item of a type that a page can be about; -1 if there is none."""
    about = scope & page.attribute_matches("itemtype", lambda kind: ABOUT.search(kind.strip()) is not None)
    return int(about.argmax()) if about.any() else -1


def _nested(page: Page, owner: int, name: str) -> str:
    """Return the property of the main item that a property of a nested item is: the name of an author is its author."""
    role = page.attributes_of(owner).get("itemprop", "").lower() if owner >= 0 else ""
    return _NESTED.get(role, "") if name == "name" else ""


def _value(page: Page, row: int, names: list[str]) -> str:
    attributes, tag = page.attributes_of(row), page.tag_of(row)
    if "content" in attributes:
        return clean(attributes["content"])
    # The property of a link on an author's name is the name.
    if tag == "a" and not _ADDRESSES & set(names):
        return text_below(page, row)
    return clean(attributes.get(_VALUES.get(tag, ""), "")) or text_below(page, row)
