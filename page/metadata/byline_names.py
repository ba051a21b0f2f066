"""The authors of a page: the names that its metadata declare or its bylines show, the best source first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...lexicon.word_lists import alternatives, entries
from ..clean_text import letters_of
from ..urls import host_of
from .authors import named_in_line, names_in, persons_in, signed_in
from .page_metadata import RawMetadata

#: A slogan or a trade mark in place of a name.
_STARTS, _WITHIN = (alternatives(entries("authors")[name]) for name in ("MOTTO_STARTS", "MOTTO_WORDS"))
_MOTTO = re.compile(rf"\A(?:{_STARTS})\s|\s(?:{_WITHIN})\s|[®™©]")
#: Names and their source.
Names = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNames:
    """The names of a page and its site, which no author has.

    ``persons`` and ``organizations`` are letters of the names declared as such.
    """

    url: str
    title: str
    site: str
    persons: frozenset[str]
    organizations: frozenset[str]

    def authors_in(self, text: str) -> tuple[str, ...]:
        """Return the names in a declared author that are none of these."""
        whole = letters_of(text) in {letters_of(self.site), *(self.organizations - self.persons)}
        return () if whole else tuple(name for name in names_in(text) if not self.has(name))

    def written_in(self, text: str) -> tuple[str, ...]:
        """Return the names in a declared author, also those of the site and of organizations."""
        if letters_of(text) == letters_of(self.site):
            return (text,)
        return tuple(filter(self.may_sign, names_in(text)))

    def signs(self, name: str) -> bool:
        """Return whether a name in a byline is none of these, or that of the site as the site writes it."""
        return name == self.site or not self.has(name)

    def may_sign(self, name: str) -> bool:
        """Return whether a name is no motto, nor the host or the title of the page."""
        own = {letters_of(self.title), letters_of(host_of(self.url))}
        return _MOTTO.search(name) is None and letters_of(name) not in own

    def has(self, name: str) -> bool:
        """Return whether a name is that of the page, its site, an organization, or a sentence or motto."""
        letters, site, host = letters_of(name), letters_of(self.site), host_of(self.url)
        if not self.may_sign(name) or letters in {site, *(self.organizations - self.persons)}:
            return True
        words = {*self.site.casefold().split(), *host.split(".")}
        word_of_site = name.casefold() in words or (not name.isascii() and " " not in name and letters in site)
        return word_of_site and letters not in self.persons - self.organizations


def bylines(raw: RawMetadata) -> Iterator[Names]:
    """Yield the names of each visible byline, with their source."""
    if raw.first_post:
        yield names_in(raw.first_post), "records"
    links = list(dict.fromkeys(link.text for link in raw.links if link.relation == "author" and link.text))
    marked, roles = ([text for kind, text in some if kind == "author"] for some in (raw.marked, raw.roles))
    lines = raw.lines
    yield from ((persons_in(text, single=True), "markup") for text in links if len(links) == 1 or _is_in(lines, text))
    yield from ((_byline(raw, text, single=_is_in(lines, text)), "markup") for text in marked)
    for text in roles if raw.page_type in ("", "article") else ():
        yield _byline(raw, text) if _is_in(lines, text) else (), "role"
    yield from ((named_in_line(line), "text") for line in lines)
    yield raw.signed, "text"


def _byline(raw: RawMetadata, text: str, *, single: bool = False) -> tuple[str, ...]:
    """Return the names in a byline that is no heading."""
    return () if letters_of(text) in raw.headings else signed_in([text]) or persons_in(text, single=single)


def _is_in(lines: Sequence[str], text: str) -> bool:
    """Return whether a text is in one of some lines."""
    return any(letters_of(text) in letters_of(line) for line in lines)
