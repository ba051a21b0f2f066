"""Names that are no author's: those of the page, its site and its publisher."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .authors import is_office, is_person, names_in
from .clean_text import letters_of
from .urls import host_of

#: A host as the name of an author, and most words of an author's name.
_HOST = re.compile(r"[\w-]{2,}(?:\.[\w-]+)*\.[a-z]{2,12}")
AUTHOR_WORDS = 8
_TRADE_MARK = re.compile("[®™©]")
_MOTTO = re.compile(r"\A(?:A|My|Our|Your)\s|\s(?:the|on|to|is|are|your|for|my|our|with|we)\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNames:
    """The names of a page; ``persons`` and ``organizations`` are letters of the names declared as such."""

    url: str
    title: str
    site: str
    persons: frozenset[str]
    organizations: frozenset[str]

    def authors_in(self, text: str) -> tuple[str, ...]:
        """Return the names in a declared author that are none of these."""
        whole = letters_of(text) in {letters_of(self.site), *(self.organizations - self.persons)}
        return () if whole else tuple(name for name in names_in(text) if not self.has(name))

    def namesakes_in(self, text: str) -> tuple[str, ...]:
        """Return the people in a text whose name the site has, too."""
        return tuple(name for name in names_in(text) if self._is_namesake(name))

    def has(self, name: str) -> bool:
        """Return whether a name is that of the page, its site, an organization or office, or a sentence or motto."""
        letters, host = letters_of(name), host_of(self.url)
        motto = len(name.split()) > AUTHOR_WORDS or bool(_MOTTO.search(name)) or bool(_TRADE_MARK.search(name))
        declared = letters in self.organizations - self.persons
        words = {*self.site.casefold().split(), *host.split(".")}
        single = name.casefold() in words and letters not in self.persons - self.organizations
        of_page = letters in map(letters_of, (self.site, host, self.title)) or bool(_HOST.fullmatch(name))
        return motto or declared or single or of_page or is_office(name, self.site)

    def _is_namesake(self, name: str) -> bool:
        named = letters_of(name) in self.persons - self.organizations
        return named and is_person(name, single=False) and not is_office(name, self.site)
