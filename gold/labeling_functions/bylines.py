"""Patterns of bylines, and of other lines that contain names."""

from __future__ import annotations

from ...lexicon.byline_labels import (
    BOILERPLATE_LINE,
    BY_ANYWHERE,
    BY_NAME,
    NAME,
    NO_NAME,
    OTHER_WORDS,
    STARTS_WITH_DATE,
)
from ...page.clean_text import letters_of

#: Letters of a byline besides the name: a town, a profession.
MAX_OTHER_LETTERS = 24


def is_byline_of(name: str, text: str, key: str, *, name_suffices: bool = True) -> bool:
    """Return whether a line contains a name and few other letters.

    ``name`` and ``key`` have letters and digits only. ``name_suffices`` is False if a word such as "by" is required; it
    always is after a date, where the name is that of the source.
    """
    if name not in key or is_boilerplate(text):
        return False
    others = letters_of(OTHER_WORDS.sub(" ", text)).replace(name, "")
    has_by = bool(BY_ANYWHERE.search(text))
    return len(others) <= MAX_OTHER_LETTERS and (has_by or (name_suffices and not STARTS_WITH_DATE.match(text)))


def is_boilerplate(text: str) -> bool:
    """Return whether a line contains an address, a copyright notice, or a call to action."""
    return bool(BOILERPLATE_LINE.search(text))


def is_author_line(text: str) -> bool:
    """Return whether a line starts with a word such as "by", or is just a capitalised name."""
    if is_boilerplate(text) or NO_NAME.search(text):
        return False
    return bool(BY_NAME.search(text)) or bool(NAME.match(text))


def starts_with_by(text: str) -> bool:
    """Return whether a line starts with a word such as "by" and continues."""
    return bool(BY_NAME.match(text)) and not is_boilerplate(text)
