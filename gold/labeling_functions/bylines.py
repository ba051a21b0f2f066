"""Lines that say who wrote: what they look like, and what else carries a name."""

from __future__ import annotations

import re

from ...lexicon.phrases import BY, alternatives
from .label_context import key_of

#: Letters that may stand beside a name: a town, a profession.
BESIDE_NAME = 24
#: Addresses, copyright, and what sites say of themselves.
_CALL = re.compile(
    r"https?:|©|\(c\)|copyright|版权|rights reserved|powered by|subscribe|abonni|more (?:from|by|stories|posts)"
    r"|facebook|on twitter|\bview\b|read more|updates from|all (?:posts|articles)|^\W*about\b|^\W*try\b"
    r"|newsletter|[>›]|。$|:\W*$|^[\w-]+(?:\.[\w-]+)+$",
    re.IGNORECASE,
)
#: What ends or begins lines that are called as by-lines are, and name nobody.
_NOBODY = re.compile(
    r"\b(?:e-?mail|print|music|editors?|share|comments?|follow|more|read|about|subscribe|authors?|ago|categor\w*|news"
    r"|tags?|posts?|blog|view|reply|member|messages?|joined|location|updated?|minutes?|min)\s*:?\W*$"
    r"|^\W*(?:about|more|read|view|follow|subscribe|share)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"(?:^|\W)(?:{alternatives(BY)}|przez|autore?|author|auteur|text|words|written|автор|текст)\b"
    r"|作者|撰文|記者|记者|文[|｜／/:：]|기자|투고",
    re.IGNORECASE,
)
#: The same at the beginning of a line, with something behind it.
_BY_NAME = re.compile(
    r"^\W*(?:(?:posted|written|published|text|words|story|photos?)\s+)?"
    rf"(?:{alternatives(BY)}|autor\w*|author)\b\W*\S"
    r"|(?:作者|撰文|記者|记者|文[|｜／/:：]).*\w|\w\s*기자",
    re.IGNORECASE,
)
_WORD = r"(?:[^\W\d_a-z][\w.'’-]+|[A-Z]\.)"
_NAME = re.compile(rf"^\W*{_WORD}(?:[\s,]+(?:(?:de|van|von|der|la|di|del|and|und|y|et|&)\s+)*{_WORD}){{1,5}}\W*$")
_BEGINS_WITH_DATE = re.compile(r"\W*(?:19|20)\d\d[-/.年]")
#: Words of by-lines and dates that are no part of a name.
_SMALL = re.compile(
    r"\b(?:by|von|par|por|di|av|door|written|posted|published|updated|in|on|at|und|and|et|y|the|am|um|le|el)\b"
    r"|作者|撰文|記者|记者|编辑|来源|[\d\W_]+",
    re.IGNORECASE,
)


def is_by_line(text: str, key: str, name: str, *, alone: bool = True) -> bool:
    """Return whether a line holds a name (as a key), with few words beside it.

    Parameters
    ----------
    text, key, name : str
    alone : bool
        Whether the name says enough without a word as "by". Behind a date it never does: there stands the source.
    """
    if name not in key or is_call(text):
        return False
    left = key_of(_SMALL.sub(" ", text)).replace(name, "")
    said = bool(_BY.search(text))
    return len(left) <= BESIDE_NAME and (said or (alone and not _BEGINS_WITH_DATE.match(text)))


def is_call(text: str) -> bool:
    """Return whether a line is an address, a note of copyright, or an invitation to read more."""
    return bool(_CALL.search(text))


def is_name(text: str) -> bool:
    """Return whether a line says by whom something is, or is nothing but a name as names are written."""
    if is_call(text) or _NOBODY.search(text):
        return False
    return bool(_BY_NAME.search(text)) or bool(_NAME.match(text))


def begins_with_by(text: str) -> bool:
    """Return whether a line begins with a word as "by" and goes on."""
    return bool(_BY_NAME.match(text)) and not is_call(text)
