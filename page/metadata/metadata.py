"""The metadata of a page: title, authors, dates and the like, each with its source."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any
from urllib.parse import urljoin, urlsplit

from ...lexicon.instructions import without_instruction
from ..arrays import cached_by_owner
from ..clean_text import clean, letters_of
from ..page import Page
from ..urls import host_of
from .authors import is_person, names_in
from .byline_names import OwnNames, bylines
from .dates import UTC_ZONE, address_date, by_label, is_local, iso_date
from .json_ld import read_scripts
from .language import language_of
from .page_metadata import RawMetadata, read_raw_metadata
from .title import title_of
from .usage import Usage, meta_statements, parse_statements, usage_of
from .visible_byline import is_sentence

#: A source and the text that it has for a field; the value of a field and its source.
Pair = tuple[str, str]
Tuples = tuple[tuple[str, ...], str]

#: Where each field is declared, the best first: ``meta`` elements by name, ``@`` and a property of JSON-LD or
#: microdata, ``rel=`` links, ``a=`` the texts of links by relation, ``.`` marked elements by purpose, ``role=``
#: predicted blocks.
_SOURCES = {
    "title": "@headline @name title",
    "title elsewhere": "og:title twitter:title dc.title title role=title",
    "authors": "@author @creator author article:author dc.creator dcterms.creator citation_author parsely-author byl "
    "sailthru.author",
    "published": "@datepublished @datecreated @uploaddate article:published_time og:published_time dc.date "
    "dc.date.issued dcterms.issued dcterms.created dcterms.date dc.date.created citation_publication_date "
    "citation_date parsely-pub-date sailthru.date publishdate pubdate publish-date publication_date date "
    "pdate .published",
    "published elsewhere": ".author role=date role=author line",
    "modified": "@datemodified article:modified_time og:updated_time dcterms.modified dc.date.modified last-modified "
    "revised lastmod .modified",
    "changed": ".published role=date line",
    "site": "og:site_name @site @publisher application-name apple-mobile-web-app-title dc.publisher dcterms.publisher",
    "description": "description og:description twitter:description @description dc.description dcterms.description "
    "dcterms.abstract",
    "address": "rel=canonical og:url @url @mainentityofpage",
    "language": "@inlanguage og:locale content-language dc.language dcterms.language language",
    "tags": "@keywords article:tag keywords news_keywords parsely-tags dc.subject dcterms.subject citation_keywords",
    "image": "og:image og:image:url og:image:secure_url @image @thumbnailurl twitter:image twitter:image:src thumbnail "
    "rel=image_src",
    "licence": "dcterms.license dc.rights dcterms.rights",
    "kind": "@@type og:type dc.type dcterms.type",
}
#: The time of a day without a time.
_MIDNIGHT = "T00:00:00"
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
_BETWEEN_TAGS = re.compile(r"\s*[,;，、]\s*")
#: Most characters of a tag that is a link.
_TAG_CHARACTERS = 60
#: Types that only mean that it is a page.
_PLAIN_TYPES = frozenset({"website", "webpage", "object", "itempage"})
#: Characters that YAML does not allow (1.2, section 5.1), or parses as line ends where JSON does not.
_NOT_IN_YAML = re.compile(r"[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of a page; "" and () if unknown.

    Attributes
    ----------
    title : str
        Without the name of the site.
    authors : tuple of str
    published, modified : str
        ISO 8601: a day, or a day with time and, if known, zone.
    site : str
        Name of the site.
    description : str
    address : str
        The canonical URL.
    language : str
        BCP 47; detected in the text if markup declares none, or clearly a wrong one.
    tags : tuple of str
    image : str
        URL of the lead image.
    licence : str
        Its URL, or its text.
    kind : str
        Declared type of the page, of schema.org or OpenGraph.
    feeds : tuple of str
        URLs.
    usage : Usage
        Preferences about the use of the page by machines, of response and markup; in a batch, of robots.txt, too.
    sources : mapping of str to str
        Source of each known field: json-ld, opengraph, dublin core, microdata, meta (other ``meta`` elements), link,
        title, markup (an element with such a class or tag), address, role (a block that was predicted to be it), text.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    site: str = ""
    description: str = ""
    address: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    image: str = ""
    licence: str = ""
    kind: str = ""
    feeds: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    sources: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the metadata as plain values."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return values | {"usage": self.usage.to_dict()}

    def to_yaml(self, **more: str) -> str:
        """Return the known fields, and ``more``, as YAML front matter for Markdown, between two lines of hyphens."""
        fields = self.to_dict() | {"usage": str(self.usage)} | more
        return front_matter({name: value for name, value in fields.items() if value and name != "sources"})


def front_matter(fields: Mapping[str, str | list[str]]) -> str:
    """Return YAML between two lines of hyphens: JSON values, with spaces for characters that YAML does not allow."""
    lines = []
    for name, value in fields.items():
        texts = [_NOT_IN_YAML.sub(" ", text) for text in ([value] if isinstance(value, str) else value)]
        lines.append(f"{name}: {json.dumps(texts[0] if isinstance(value, str) else texts, ensure_ascii=False)}")
    return "\n".join(["---", *lines, "---", ""])


def metadata(page: Page, *, timeout: float | None = None) -> Metadata:
    """Return the metadata of a page.

    Markup precedes: JSON-LD, OpenGraph, microdata, Dublin Core, other ``meta`` elements; then visible text: elements
    for an author or a date, lines near the headline, the text.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed.
    timeout : float, optional
        Seconds, after which the process that does the work is killed.

    Raises
    ------
    TypeError
        If it is no Page.
    TimedOut
        If it is not done within ``timeout``.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> tea = metadata(parse('<title>Tea</title><meta name=author content="Ada Leaf">'))
    >>> tea.authors, tea.sources["authors"]
    (('Ada Leaf',), 'meta')
    """
    if not isinstance(page, Page):
        raise TypeError(f"metadata takes a Page, not a value of type {type(page).__name__}: pass parse(html)")
    if timeout is not None:
        from ...processes.workers import run_in_time

        return run_in_time(timeout, page.url, metadata, page)
    return metadata_of(read_raw_metadata(page, title_of(page)))


def metadata_of(raw: RawMetadata) -> Metadata:
    """Return the metadata of the best source of each field."""
    sources = _Sources(raw)
    values = {name: read(sources) for name, read in _FIELDS.items()}
    known = {name: value for name, (value, _) in values.items() if value}
    return Metadata(**known, sources={name: values[name][1] for name in known})


def language_of_page(raw: RawMetadata) -> str:
    """Return the language of a page (BCP 47), "" if unknown."""
    return _language_of(raw)[0]


def has_declared_author(raw: RawMetadata) -> bool:
    """Return whether JSON-LD, microdata or ``meta`` elements name an author."""
    return any(names_in(text) for _, text in _Sources(raw).of("authors"))


@cached_by_owner
def _declared(raw: RawMetadata) -> dict[str, list[Pair]]:
    """Return source and value of all that is declared, by its name in :data:`_SOURCES`."""
    entries = [(f"@{name.lower()}", "json-ld", value) for name, value in read_scripts(raw.scripts)]
    entries += [(f"@{name}", "microdata", value) for name, value in raw.items]
    entries += [(name, _vocabulary(name), value) for name, value in raw.named]
    entries += [(f"rel={link.relation}", "link", link.address) for link in raw.links]
    entries += [(f"a={link.relation}", "markup", link.text) for link in raw.links if link.text]
    entries += [(f".{purpose}", "markup", text) for purpose, text in raw.marked]
    entries += [(f"role={role}", "role", text) for role, text in raw.roles]
    entries += [("line", "text", line) for line in raw.lines if not is_sentence(line)]
    declared: dict[str, list[Pair]] = {}
    for name, source, value in entries:
        declared.setdefault(name, []).append((source, value))
    return declared


def _vocabulary(name: str) -> str:
    if name.startswith(("og:", "article:")):
        return "opengraph"
    return "dublin core" if name.startswith(("dc.", "dcterms.")) else "meta"


@cached_by_owner
def _language_of(raw: RawMetadata) -> Pair:
    """Return the language of the page and its source, which a document and its metadata both need."""
    return language_of((("markup", raw.language), *_Sources(raw).of("language")), raw.text)


class _Sources:
    """The declared metadata of a page by field."""

    def __init__(self, raw: RawMetadata) -> None:
        self.raw, self.declared = raw, _declared(raw)

    def of(self, field_name: str) -> list[Pair]:
        """Return source and value of what declares a field, the best first."""
        return self.named(*_SOURCES[field_name].split())

    def named(self, *names: str) -> list[Pair]:
        return [pair for name in names for pair in self.declared.get(name, ())]

    @cached_property
    def address(self) -> Pair:
        return _first([*self.of("address"), ("address", self.raw.url)], self.absolute)

    @cached_property
    def site(self) -> Pair:
        name, raw = _first(self.of("site"), clean), self.raw
        if name[0]:
            return name
        rest = raw.title.replace(raw.bare_title, "", 1) if raw.bare_title else ""
        rest = rest.strip(" |-–—·•:»«›‹/~_")
        return (rest, "title") if rest and rest != raw.title else (host_of(raw.url), "address")

    @cached_property
    def _date_language(self) -> str:
        """The language, with the country of the host if only English is known."""
        language = _language_of(self.raw)[0]
        country = host_of(self.raw.url).rpartition(".")[2].upper()
        return f"en-{country}" if language == "en" and len(country) == 2 else language

    def published(self, text: str) -> str:
        """Return the first date in a text that is not to come, or of a change."""
        date = self.date(by_label(text)[0])
        return date if date[:10] <= (datetime.now(UTC) + timedelta(days=1)).date().isoformat() else ""

    def date(self, text: str) -> str:
        """Return the first date in a text, with the order of day and month of the page's language."""
        return iso_date(text, self._date_language)

    def absolute(self, address: str) -> str:
        """Return an absolute URL; "" if it is invalid."""
        try:
            joined = urljoin(self.raw.base, address.strip())
            return joined if urlsplit(joined).scheme in {"http", "https", "file"} else ""
        except ValueError:
            return ""


def _title(sources: _Sources) -> Pair:
    """Return the title that was found before, and its source; without one, the title of the markup."""
    bare = sources.raw.bare_title
    if not bare:
        return _first(sources.of("title"), clean)
    if bare in sources.raw.title:
        return bare, "title"
    return bare, next((source for source, value in sources.of("title elsewhere") if bare in value), "markup")


def _authors(sources: _Sources) -> Tuples:
    """Return the authors that the page declares; else those of a byline, which never is a heading or the site."""
    raw, texts = sources.raw, sources.of("authors")
    kinds = {kind.lower() for _, kind in sources.named("@@type", "og:type")} - _PLAIN_TYPES
    if (sources.named("@product") or "product" in kinds) and not kinds - {"product", "product.item"}:
        return (), ""  # those that are named wrote reviews of it
    if len(sources.named("@datepublished")) > 1:
        # Each post of a thread has its author and date: the page is by the first.
        texts = texts[:1]
    # A personal site has the name of its author, who signs its texts.
    signed = frozenset(letters_of(name) for names, _ in bylines(raw) for name in names)
    own = OwnNames(
        url=raw.url,
        title=raw.bare_title,
        site=sources.site[0],
        persons=signed | {letters_of(name) for _, name in sources.named("@person")},
        organizations=frozenset(letters_of(name) for _, name in sources.named("@organization")),
    )
    others = sources.named("@other author")
    found = [_all_of_first(some, own.authors_in) for some in (texts, others)]
    if declared := next((one for one in found if any(map(is_person, one[0]))), None):
        return declared
    # What is no name of a person gives way to one that the page shows.
    signs = ((tuple(name for name in names if own.signs(name)), source) for names, source in bylines(raw))
    rest = chain(signs, found, [_all_of_first([*texts, *others], own.written_in)])
    return next((one for one in rest if one[0]), ((), ""))


def _published(sources: _Sources) -> Pair:
    declared = ((sources.published(text), source) for source, text in sources.of("published"))
    addresses = ((address_date(url), "address") for url in (sources.address[0], sources.raw.url))
    elsewhere = ((sources.published(text), source) for source, text in sources.of("published elsewhere"))
    dates = filter(itemgetter(0), chain(declared, addresses, elsewhere))
    first = next(dates, ("", ""))
    if not first[0].endswith(UTC_ZONE) or _MIDNIGHT in first[0]:
        return first
    # The day on which it was published there, if the page shows only another one than that of UTC.
    shown = [one for one in dates if is_local(one[0], first[0])]
    return first if any(date[:10] == first[0][:10] for date, _ in shown) else (*shown, first)[0]


def _modified(sources: _Sources) -> Pair:
    declared = _first(sources.of("modified"), sources.date)
    labelled = ((source, by_label(text)[1]) for source, text in sources.of("changed"))
    return declared if declared[0] else _first(labelled, sources.date)


def _tags(sources: _Sources) -> Tuples:
    texts = sources.of("tags") + [pair for pair in sources.named("a=tag") if len(pair[1]) <= _TAG_CHARACTERS]
    tags, source = _all_of_first(texts, lambda text: tuple(tag.strip(" #") for tag in _BETWEEN_TAGS.split(text)))
    return tags, source


def _licence(sources: _Sources) -> Pair:
    links = [(source, sources.absolute(url)) for source, url in sources.named("rel=license")]
    return _first([*sources.named("@license"), *links, *sources.of("licence")], clean)


def _feeds(sources: _Sources) -> Tuples:
    links = [link for link in sources.raw.links if link.relation == "alternate" and link.kind in _FEEDS]
    return tuple(dict.fromkeys(filter(None, (sources.absolute(link.address) for link in links)))), "link"


def _usage(sources: _Sources) -> tuple[Usage, str]:
    usage = usage_of(parse_statements(sources.raw.usage) + meta_statements(sources.raw.named))
    return usage, ", ".join(sorted({one.partition(" ")[0] for one in usage.sources.values()}))


#: The function that reads each field of :class:`Metadata`.
_FIELDS: dict[str, Callable[[_Sources], tuple[Any, str]]] = {
    "title": _title,
    "authors": _authors,
    "published": _published,
    "modified": _modified,
    "site": lambda sources: sources.site,
    "description": lambda sources: _first(sources.of("description"), lambda text: without_instruction(clean(text))),
    "address": lambda sources: sources.address,
    "language": lambda sources: _language_of(sources.raw),
    "tags": _tags,
    "image": lambda sources: _first(sources.of("image"), sources.absolute),
    "licence": _licence,
    "kind": lambda sources: _first(sources.of("kind"), lambda kind: clean(kind) * (kind.lower() not in _PLAIN_TYPES)),
    "feeds": _feeds,
    "usage": _usage,
}


def _first(texts: Iterable[Pair], read: Callable[[str], str]) -> Pair:
    return next(((value, source) for source, text in texts if (value := read(text))), ("", ""))


def _all_of_first(texts: Iterable[Pair], read: Callable[[str], tuple[str, ...]]) -> Tuples:
    """Return all values of the first source that has any."""
    first, values = "", dict[str, None]()
    for source, text in texts:
        names = [name for name in read(text) if name]
        if names and first in ("", source):
            first = source
            values |= dict.fromkeys(names)
    return tuple(values), first
