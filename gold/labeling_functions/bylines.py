"""Patterns of bylines, and of other lines that contain names."""

from __future__ import annotations

import re

from ...lexicon.phrases import BY
from ...lexicon.word_lists import alternatives, entries
from ...page.clean_text import letters_of

_WORDS = {name: alternatives(words) for name, words in entries("bylines").items()}
_BOILERPLATE = re.compile(_WORDS["BOILERPLATE"], re.IGNORECASE)
_NO_NAME = re.compile(
    rf"\b(?:{_WORDS['LAST_WORDS']})\s*:?\W*$|^\W*(?:{_WORDS['FIRST_WORDS']})\b",
    re.IGNORECASE,
)
_BY_ANYWHERE = re.compile(
    rf"(?:^|\W)(?:{alternatives(BY)}|{_WORDS['BEFORE_NAME']})\b|{_WORDS['SIGNED']}", re.IGNORECASE
)
#: The same at the start of a line, with more text after it.
_BY_NAME = re.compile(
    r"^\W*(?:(?:posted|written|published|text|words|story|photos?)\s+)?"
    rf"(?:{alternatives(BY)}|autor\w*|author)\b\W*\S"
    r"|(?:作者|撰文|記者|记者|文[|｜／/:：]).*\w|\w\s*기자",
    re.IGNORECASE,
)
_WORD = r"(?:[^\W\d_a-z][\w.'’-]+|[A-Z]\.)"
_NAME = re.compile(rf"^\W*{_WORD}(?:[\s,]+(?:(?:de|van|von|der|la|di|del|and|und|y|et|&)\s+)*{_WORD}){{1,5}}\W*$")
_STARTS_WITH_DATE = re.compile(r"\W*(?:19|20)\d\d[-/.年]")
#: Words of bylines and dates that are not part of a name.
_OTHER_WORDS = re.compile(rf"\b(?:{_WORDS['OTHER_WORDS']})\b|{_WORDS['OTHER_SIGNS']}", re.IGNORECASE)
#: Letters of a byline besides the name: a town, a profession.
MAX_OTHER_LETTERS = 24


def is_byline_of(name: str, text: str, key: str, *, name_suffices: bool = True) -> bool:
    """Return whether a line contains a name and few other letters.

    ``name`` and ``key`` have letters and digits only. ``name_suffices`` is False if a word such as "by" is required; it
    always is after a date, where the name is that of the source.
    """
    if name not in key or is_boilerplate(text):
        return False
    others = letters_of(_OTHER_WORDS.sub(" ", text)).replace(name, "")
    has_by = bool(_BY_ANYWHERE.search(text))
    return len(others) <= MAX_OTHER_LETTERS and (has_by or (name_suffices and not _STARTS_WITH_DATE.match(text)))


def is_boilerplate(text: str) -> bool:
    """Return whether a line contains an address, a copyright notice, or a call to action."""
    return bool(_BOILERPLATE.search(text))


def is_author_line(text: str) -> bool:
    """Return whether a line starts with a word such as "by", or is just a capitalised name."""
    if is_boilerplate(text) or _NO_NAME.search(text):
        return False
    return bool(_BY_NAME.search(text)) or bool(_NAME.match(text))


def starts_with_by(text: str) -> bool:
    """Return whether a line starts with a word such as "by" and continues."""
    return bool(_BY_NAME.match(text)) and not is_boilerplate(text)
