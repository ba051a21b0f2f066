"""What is known of a page beside its content: title, authors, dates and the like, each with its source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any
from urllib.parse import urljoin, urlsplit

from ...page.page import Page
from .authors import named_in_line, names_in
from .clean_text import clean
from .dates import address_date, iso_date
from .front_matter import front_matter
from .json_ld import read_scripts
from .language import language_of
from .page_metadata import RawMetadata, read_raw_metadata
from .title import title_of

Pair = tuple[str, str]

_AUTHORS = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
    "byl",
    "sailthru.author",
)
_PUBLISHED = (
    "article:published_time", "og:published_time", "dc.date", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "dcterms.date", "dc.date.created", "citation_publication_date", "citation_date", "parsely-pub-date",
    "sailthru.date", "publishdate", "pubdate", "publish-date", "publication_date", "date", "pdate",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified", "revised",
    "lastmod",
)  # fmt: skip
_TAGS = (
    "article:tag",
    "keywords",
    "news_keywords",
    "parsely-tags",
    "dc.subject",
    "dcterms.subject",
    "citation_keywords",
)
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
_BETWEEN_TAGS = re.compile(r"\s*[,;，、]\s*")
#: Types that say nothing but that it is a page.
_PLAIN_TYPES = frozenset({"website", "webpage", "object"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What is known of a page. "" and () stand for what is not known.

    Attributes
    ----------
    title : str
        Without the name of the site.
    authors : tuple of str
    published, modified : str
        ISO 8601: a day, or a day with time and, where it is known, zone.
    site : str
        Name of the site.
    description : str
    address : str
        The canonical one.
    language : str
        BCP 47; told from the text where markup says nothing, or something else than the text surely is.
    tags : tuple of str
    image : str
        Address of the lead image.
    licence : str
        Its address, or what is said of it.
    kind : str
        Type of the page where markup says so: a type of schema.org, or one of OpenGraph.
    feeds : tuple of str
        Addresses.
    sources : mapping of str to str
        Of each field that is known, who says so: json-ld, opengraph, dublin core, microdata, meta (other ``meta``
        elements), link, title, markup (an element made for it, by class or tag), address, role (a block that was
        judged to be it by its look and place), text.
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
    sources: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def to_yaml(self) -> str:
        """Return YAML front matter for Markdown: what is known, between two lines of hyphens."""
        return front_matter({name: value for name, value in self.to_dict().items() if value and name != "sources"})


def metadata(page: Page) -> Metadata:
    """Return what is known of a page beside its content.

    Markup is asked first: JSON-LD, OpenGraph, microdata, Dublin Core, other ``meta`` elements; then what a person sees:
    elements made for an author or a date, lines around the headline, the text.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed.

    Raises
    ------
    TypeError
        When it is no Page.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> found = metadata(parse('<title>Tea</title><meta name=author content="Ada Leaf">'))
    >>> found.authors, found.sources["authors"]
    (('Ada Leaf',), 'meta')
    """
    if not isinstance(page, Page):
        raise TypeError(f"metadata takes a Page, not a value of type {type(page).__name__}: pass parse(html)")
    return metadata_of(read_raw_metadata(page, title_of(page)))


def metadata_of(clues: RawMetadata) -> Metadata:
    """Decide between what a page says of itself in several places."""
    witnesses = _Witnesses(clues)
    found: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for name in (one.name for one in fields(Metadata) if one.name != "sources"):
        value, source = getattr(witnesses, name)()
        if value:
            found[name], sources[name] = value, source
    return Metadata(**found, sources=sources)


class _Witnesses:
    """The sources of a page, asked field by field: the first that says something is believed."""

    def __init__(self, clues: RawMetadata) -> None:
        self.clues = clues

    # -- one method a field -----------------------------------------------------------------------------------------

    def title(self) -> Pair:
        """A bare title has been found already; here is said where, and what else there is if none was."""
        bare = self.clues.bare_title
        if not bare:
            return _first([*self._data("headline", "name"), *self._named("title")], clean)
        if bare in self.clues.title:
            return bare, "title"
        said = [(source, value) for source, value in self._named("og:title", "twitter:title", "dc.title", "title")]
        said += self._seen("title")
        return bare, next((source for source, value in said if bare in value), "markup")

    def authors(self) -> tuple[tuple[str, ...], str]:
        said = [*self._data("author", "creator"), *self._named(*_AUTHORS)]
        if len(self._data("datepublished")) > 1:
            # Each post of a thread has its author and date: the page is by the first.
            said = said[:1]
        said += [("markup", link.text) for link in self.clues.links if link.relation == "author" and link.text]
        said += [("markup", value) for name, value in self.clues.marked if name == "author"][:1]
        if not any(names_in(value) for _, value in said):
            said += self._seen("author")
            said += [("text", "; ".join(named)) for line in self.clues.lines if (named := named_in_line(line))][:1]
        site = _letters(self.site()[0])
        persons = [pair for pair in said if _letters(pair[1]) != site]
        found = _all_of_first(persons, names_in)
        # Where nobody else is named, the site is the author.
        return found if found[0] else _all_of_first(said, names_in)

    def published(self) -> Pair:
        said = [*self._data("datepublished", "datecreated", "uploaddate"), *self._named(*_PUBLISHED)]
        said += [("markup", value) for name, value in self.clues.marked if name == "published"]
        found = _first(said, self._date)
        if found[0]:
            return found
        by_address = address_date(self.address()[0]) or address_date(self.clues.url)
        if by_address:
            return by_address, "address"
        said = [("markup", value) for name, value in self.clues.marked if name == "author"]
        said += [*self._seen("date"), *self._seen("author")]
        return _first([*said, *(("text", line) for line in self.clues.lines)], self._date)

    def modified(self) -> Pair:
        said = [*self._data("datemodified"), *self._named(*_MODIFIED)]
        return _first(
            [*said, *(("markup", value) for name, value in self.clues.marked if name == "modified")], self._date
        )

    def site(self) -> Pair:
        said = [*self._named("og:site_name"), *self._data("site", "publisher"), *self._named("application-name")]
        found = _first([*said, *self._named("apple-mobile-web-app-title", "dc.publisher", "dcterms.publisher")], clean)
        if found[0]:
            return found
        rest = self.clues.title.replace(self.clues.bare_title, "", 1) if self.clues.bare_title else ""
        rest = rest.strip(" |-–—·•:»«›‹/~_")
        return (rest, "title") if rest and rest != self.clues.title else (_host(self.clues.url), "address")

    def description(self) -> Pair:
        said = [*self._named("description", "og:description", "twitter:description"), *self._data("description")]
        return _first([*said, *self._named("dc.description", "dcterms.description", "dcterms.abstract")], clean)

    def address(self) -> Pair:
        said = [("link", link.address) for link in self.clues.links if link.relation == "canonical"]
        said += [*self._named("og:url"), *self._data("url", "mainentityofpage"), ("address", self.clues.url)]
        return _first(said, self._absolute)

    def language(self) -> Pair:
        said = [
            ("markup", self.clues.language),
            *self._data("inlanguage"),
            *self._named("og:locale", "content-language"),
        ]
        said += self._named("dc.language", "dcterms.language", "language")
        return language_of(tuple(said), self.clues.text)

    def tags(self) -> tuple[tuple[str, ...], str]:
        said = [*self._data("keywords"), *self._named(*_TAGS)]
        said += [("markup", link.text) for link in self.clues.links if link.relation == "tag" and len(link.text) <= 60]
        return _all_of_first(said, lambda text: tuple(tag.strip(" #") for tag in _BETWEEN_TAGS.split(text)))

    def image(self) -> Pair:
        said = [*self._named("og:image", "og:image:url", "og:image:secure_url"), *self._data("image", "thumbnailurl")]
        said += self._named("twitter:image", "twitter:image:src", "thumbnail")
        return _first(
            [*said, *(("link", x.address) for x in self.clues.links if x.relation == "image_src")], self._absolute
        )

    def licence(self) -> Pair:
        said = self._data("license")
        said += [("link", self._absolute(x.address)) for x in self.clues.links if x.relation == "license"]
        return _first([*said, *self._named("dcterms.license", "dc.rights", "dcterms.rights")], clean)

    def kind(self) -> Pair:
        said = [*self._data("@type"), *self._named("og:type", "dc.type", "dcterms.type")]
        return _first(said, lambda kind: "" if kind.lower() in _PLAIN_TYPES else clean(kind))

    def feeds(self) -> tuple[tuple[str, ...], str]:
        found = [x.address for x in self.clues.links if x.relation == "alternate" and x.kind in _FEEDS]
        addresses = (self._absolute(address) for address in found)
        return tuple(dict.fromkeys(filter(None, addresses))), "link"

    # -- the sources ------------------------------------------------------------------------------------------------

    @cached_property
    def _pairs(self) -> dict[str, list[Pair]]:
        """What JSON-LD and microdata say, by property in lower case."""
        found: dict[str, list[Pair]] = {}
        for source, pairs in (("json-ld", read_scripts(self.clues.scripts)), ("microdata", self.clues.items)):
            for name, value in pairs:
                found.setdefault(name.lower(), []).append((source, value))
        return found

    def _data(self, *names: str) -> list[Pair]:
        return [pair for name in names for pair in self._pairs.get(name, [])]

    def _named(self, *names: str) -> list[Pair]:
        return [(_family(wanted), value) for wanted in names for name, value in self.clues.named if name == wanted]

    def _seen(self, role: str) -> list[Pair]:
        return [("role", text) for name, text in self.clues.roles if name == role]

    def _date(self, text: str) -> str:
        return iso_date(text, self.clues.language)

    def _absolute(self, address: str) -> str:
        try:
            joined = urljoin(self.clues.base, address.strip())
            return joined if urlsplit(joined).scheme in {"http", "https", "file"} else ""
        except ValueError:  # an address that is none
            return ""


def _family(name: str) -> str:
    """Name the vocabulary that a ``meta`` element belongs to."""
    if name.startswith(("og:", "article:")):
        return "opengraph"
    return "dublin core" if name.startswith(("dc.", "dcterms.")) else "meta"


def _first(said: Iterable[Pair], read: Callable[[str], str]) -> Pair:
    return next(((found, source) for source, value in said if (found := read(value))), ("", ""))


def _all_of_first(said: Iterable[Pair], read: Callable[[str], tuple[str, ...]]) -> tuple[tuple[str, ...], str]:
    """Return all that the first source that says something says."""
    first, found = "", dict[str, None]()
    for source, value in said:
        names = [name for name in read(value) if name]
        if names and first in ("", source):
            first = source
            found |= dict.fromkeys(names)
    return tuple(found), first


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
