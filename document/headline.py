"""The heading with the title of a document, before content that lacks it."""

from __future__ import annotations

from lxml import etree

from ..page.arrays import SOME
from ..page.clean_text import clean
from .content.clean_html import Element
from .content.content import Content
from .content.paragraphs import writable
from .content.parts.inline import HEADINGS

_ENTRIES = frozenset({"li", "td", "th"})
#: Most length of a first paragraph that is the title, as a multiple of it.
LONGER = 1.2
#: Most characters of a title from the start of the text.
TITLE_CHARACTERS = 80


def headline_of(content: Content, title: str) -> Element | None:
    """Return the heading to insert, None if the content has the title itself or is empty."""
    key = _key(title)
    if not key or not content.paragraphs:
        return None
    # An equal heading further down is that of a part: the card of a recipe below the article about it.
    headings = [text for tag, text in _texts(content) if tag in HEADINGS][:2]
    first = _key(next(iter(headings), "")) if content.tags[0] in HEADINGS else ""
    shorter = bool(first) and key.startswith(first) and len(first) >= SOME * len(key)
    text = _key(content.paragraphs[0].text)
    # A sentence may start with the words of the title; an entry of a table of contents has its text, too.
    begins = content.tags[0] not in _ENTRIES and text.startswith(key) and len(text) <= LONGER * len(key)
    # A headline on the page precedes the title in the head; what a page without a title begins with is there already.
    if content.tags[0] == "h1" or shorter or begins or key in map(_key, headings) or title == first_words(content):
        return None
    heading = etree.Element("h1")
    heading.text = writable(title)
    return heading


def first_words(content: Content) -> str:
    """Return a title for a page without one: its first heading, or the start of its text."""
    texts = [(tag, clean(text)) for tag, text in _texts(content)]
    text = next((text for tag, text in texts if tag in HEADINGS and text), "") or next(
        (text for _, text in texts if text), ""
    )
    if len(text) <= TITLE_CHARACTERS:
        return text
    cut = text[: TITLE_CHARACTERS - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _texts(content: Content) -> list[tuple[str, str]]:
    return [(tag, paragraph.text) for tag, paragraph in zip(content.tags, content.paragraphs, strict=True)]


def _key(text: str) -> str:
    """Return letters and digits alone, in lower case."""
    return "".join(character for character in text.casefold() if character.isalnum())
