"""The names in the visible bylines of a page, the best witness first."""

from __future__ import annotations

from collections.abc import Iterator

from .authors import named_in_line, names_in, persons_in
from .clean_text import letters_of
from .page_metadata import RawMetadata

#: Most people whose names link to their pages, and most in other bylines far from the headline, for one text.
MOST_LINKED, MOST_MARKED = 3, 2
#: Names, and where they are from.
Names = tuple[tuple[str, ...], str]


def bylines(raw: RawMetadata) -> Iterator[Names]:
    """Yield the names of each visible byline, with their source.

    A page with bylines of several people and none near its headline lists texts of others: it has no author itself.
    """
    if raw.first_post:
        yield names_in(raw.first_post), "records"
    lines = [letters_of(line) for line in raw.lines]

    def is_near(text: str) -> bool:
        """Return whether a text is in a line near the headline."""
        return any(letters_of(text) in line for line in lines)

    def names(text: str, *, single: bool = False) -> tuple[str, ...]:
        """Return the names in a byline that is no heading."""
        return () if letters_of(text) in raw.headings else persons_in(text, single=single)

    links = list(dict.fromkeys(link.text for link in raw.links if link.relation == "author" and link.text))
    marked = [text for purpose, text in raw.marked if purpose == "author"]
    if _is_list(raw, links, marked, near=bool(marked) and is_near(marked[0])):
        return
    for text in links if len(links) == 1 else filter(is_near, links):
        yield persons_in(text, single=True), "markup"
    for text in marked[:1]:
        yield names(text, single=is_near(text)), "markup"
    if raw.page_type in ("", "article"):
        for role, text in raw.roles:
            if role == "author" and is_near(text):
                yield names(text), "role"
    for line in raw.lines:
        yield named_in_line(line), "text"


def _is_list(raw: RawMetadata, links: list[str], marked: list[str], *, near: bool) -> bool:
    """Return whether the bylines are those of several texts, as teasers have them; ``near`` is of the first of them.

    Posts of a thread have several, too, the first below the headline.
    """
    in_elements = {names for text in marked if (names := persons_in(text, single=True))}
    in_lines = {names for line in raw.lines if (names := named_in_line(line))}
    return len(in_lines) > 1 or len(links) > MOST_LINKED or (len(in_elements) > MOST_MARKED and not near)


def named_at_headline(names: tuple[str, ...], raw: RawMetadata) -> tuple[str, ...]:
    """Return those of the declared names that lines near the headline are, all if there are none.

    Some sites declare all of their authors on each page.
    """
    lines = {letters_of(name) for line in raw.lines for name in names_in(line)}
    return tuple(name for name in names if letters_of(name) in lines) or names
