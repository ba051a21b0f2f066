"""Names of authors in bylines."""

from __future__ import annotations

import re
from itertools import takewhile

from ...lexicon.phrases import BY, alternatives
from ...lexicon.word_lists import entries

_WORDS = entries("authors")
_DONE = alternatives(_WORDS["DONE"])
_PARTICLES = frozenset(" ".join(_WORDS["PARTICLES"]).split())
#: The start of a byline, before the name.
_BY = re.compile(
    rf"^\W*(?:(?:{_DONE})\s+)?(?:{alternatives(BY, _WORDS['AUTHOR_LABELS'])})"
    r"(?:\s*[:：/]\s*|\s+(?=\S)|(?<=[作文記记글著])[者]?\s*[:：]?\s*)",
    re.IGNORECASE,
)
#: The same in a line, at its start or behind a mark ("May 3, 2021 · by Ada Leaf · 4 min").
_BY_LINE = re.compile(
    rf"(?:^\W*|[-–—|·•,»/]\s*|\d\s+)(?:(?P<done>{_DONE})\s+)?"
    rf"(?:{alternatives(BY, _WORDS['LINE_LABELS'])})(?:\s*[:：]\s*|\s+|(?<=[者文]))"
    r"@?(?P<name>[^\W\d_][^|·•⋅–—@»/]{1,60}?)\s*(?:$|[|·•⋅–—,(»/]|\s-\s|(?=[^\W\d_]{3,14}\.?\s\d{1,2},?\s(?:19|20)\d\d)"
    r"|\b(?:on|at|am|le|el|in|dans)\b|(?=\d{1,4}[ ./-]))",
    re.IGNORECASE,
)
#: Start of a date, which often follows a name; or of a day of the week.
_DATE = re.compile(
    r"\s*[,·|»-]?\s*\b(?:on|at)\s+(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b.*$"
    r"|\s*[,·|»-]?\s*(?:\b(?:on|am|le|el)\s+)?(?:\b\d{1,2}\.?\s+[^\W\d_]{3,14}\.?,?\s+(?:19|20)\d\d|\b[^\W\d_]{3,14}\.?\s+\d{1,2},?\s+(?:19|20)\d\d"
    r"|(?:19|20)\d\d[-/.年]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d).*$",
    re.DOTALL | re.IGNORECASE,
)
#: Separators of names; a comma only between two names.
_BETWEEN = re.compile(rf"\s*(?:;|\s[|/&·•⋅@]\s|、|，|,?\s(?:{alternatives(_WORDS['AND'])})\s|,\s(?=\S+\s\S))\s*")
_NO_NAME = re.compile(rf"https?:|www\.|@|^\W*$|^(?:{alternatives(_WORDS['NO_NAMES'], BY)})$", re.IGNORECASE)
#: Markup in a name, and a further label behind it: "王小河 责任编辑：李闸".
_DEGREES = re.compile(rf"(?:,\s*(?:{alternatives(_WORDS['DEGREES'])}))+(?=\s*(?:[,;&|]|and\b|$))")
_MARKUP, _NEXT_LABEL = re.compile(r"<[^<>]*>"), re.compile(r"(?<=\w)\s+[^\s:：\d]{2,12}[:：].*$", re.DOTALL)
_HAN = r"(?:[\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff]\s[\u4e00-\u9fff])"
_HAN_NAMES = re.compile(rf"{_HAN}(?:\s{_HAN})+")
_SIGNED = [
    re.compile(
        rf"(?:(?:{labels})\s*[:：/／丨|]\s*(?P<named>{_HAN}(?:[\s、，]{_HAN}(?![\u4e00-\u9fff]*\s*[:：]))*)(?![\u4e00-\u9fff])"
        rf"|(?:[（(【\[□⊙●○▌]\s*[\w╱]{{0,12}}(?:{labels})\s*|^\W*\w{{0,12}}(?:{labels})\s+)"
        rf"(?P<within>{_HAN}(?:[\s、，]{_HAN})*?)(?:[\s／/]\w{{0,4}}(?:{alternatives(_WORDS['REPORTS'])}))?\s*(?:[）)】\]○●]|$))"
    )
    for labels in _WORDS["SIGNED"]
]
#: Most characters of a name, and words and characters of that of a person in visible text.
NAME_CHARACTERS, PERSON_WORDS, PERSON_CHARACTERS = 80, 5, 40
_NAMES = entries("names")
_NO_PERSON = frozenset(" ".join(_NAMES["NO_PERSON"] + _NAMES["SECTIONS"]).split()) - _PARTICLES
#: What follows a name in brackets, as an office or as a place, and elided particles before one.
_OFFICE = rf"(?:\s?,\s(?:\w+\s){{0,2}}|\s)(?:{alternatives(_WORDS['OFFICES'])})\b"
_BEHIND = re.compile(rf"\s*[(\[（].*$|{_OFFICE}.*$", re.DOTALL | re.IGNORECASE)
_PLACE, _ELIDED = re.compile(r"(?<=\w)(\s\w+),\s\w+$"), re.compile(r"^(?:d|l|o)['’]", re.IGNORECASE)
_MARKS = re.compile(
    r"[?!:;…：，。！？；<>{}\[\]()=+#%$€£*\\\"“”„«»|]|\.\s*$(?<!\b\w\.)(?<!Jr\.)(?<!Sr\.)|\.\w+\.|/"
    rf"|(?:{alternatives(_WORDS['NO_PERSON_ENDS'])})$"
)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a declared author or byline.

    >>> names_in("By Ada Lovelace and Charles Babbage")
    ('Ada Lovelace', 'Charles Babbage')
    >>> names_in("https://example.org/ada")
    ()
    """
    text = _BY.sub("", _MARKUP.sub(" ", text).strip(), count=1)
    if _HAN_NAMES.fullmatch(text):
        return _han_names(text)
    names = [
        name.strip(" ,;:|｜·•-–—【】）\u200b")
        for name in _BETWEEN.split(_DATE.sub("", _DEGREES.sub("", _NEXT_LABEL.sub("", text))))
    ]
    return tuple(dict.fromkeys(filter(_is_name, names)))


def _is_name(name: str) -> bool:
    return 2 <= len(name) <= NAME_CHARACTERS and not _NO_NAME.search(name) and any(map(str.isalpha, name))


def persons_in(text: str, *, single: bool = False) -> tuple[str, ...]:
    """Return the names of persons in a visible text that is only a byline, else none.

    A single word is a name only with ``single``, or after a word like "by".

    >>> persons_in("Ada Lovelace"), persons_in("Ask Question"), persons_in("by zaxter"), persons_in("CONS")
    (('Ada Lovelace',), (), ('zaxter',), ())
    """
    announced = _BY.match(text.strip()) is not None
    # Offices and departments follow the names.
    names = (_PLACE.sub(r"\1", name) for name in names_in(_BEHIND.sub("", text)))
    return tuple(takewhile(lambda name: is_person(name, single=single or announced), names))


def is_person(name: str, *, single: bool = True) -> bool:
    """Return whether a text can be the name of a person, or with ``single`` the one word that a user calls himself.

    Names have few words, with capitals if their script has them, and none of labels and sentences.
    """
    parts = name.split()
    if len(name) > PERSON_CHARACTERS or len(parts) > PERSON_WORDS or _MARKS.search(name) or not _is_name(name):
        return False
    if {part.casefold().strip(".,'’") for part in parts} & _NO_PERSON:
        return False
    if len(parts) == 1:
        # Scripts without spaces write names as one word.
        return single or (not name.isascii() and name == name.upper() == name.lower())
    capitals = [_ELIDED.sub("", part)[:1] for part in parts if part.casefold() not in _PARTICLES]
    return bool(capitals) and all(first == first.upper() and not first.isdigit() for first in capitals)


def signed_in(lines: list[str]) -> tuple[str, ...]:
    """Return the names by which a text in a script without spaces is signed, in its first or last lines or within.

    >>> signed_in(["新华社东京５月３０日电（记者姜小梅　王可）日本", "责任编辑：李闸"]), signed_in(["记者了解到，"])
    (('姜小梅', '王可'), ())
    """
    for pattern in _SIGNED:
        if match := next(filter(None, map(pattern.search, lines)), None):
            return _han_names(match["named"] or match["within"])
    return ()


def _han_names(text: str) -> tuple[str, ...]:
    """Return names that white space separates, also one of two characters with a space between: "方 敏 李心萍"."""
    names = re.split(r"[\s、，]+", re.sub(r"(?<![^\s、，])(\S)\s(\S)(?![^\s、，])", r"\1\2", text))
    return tuple(dict.fromkeys(filter(_is_name, names)))


def named_in_line(line: str) -> tuple[str, ...]:
    """Return the names in a line of text if it is a byline, else none."""
    match = _BY_LINE.search(line)
    if not match or len(match["name"].split()) > 6:
        return ()
    # A sentence may start with the same word; names have capitals, if their script has them.
    names = names_in(match["name"])
    capital = all(name[0].isalpha() and name[0].upper() == name[0] for name in names)
    user = match["done"] is not None and not any(" " in name for name in names)
    return names if (capital or user) and all(map(is_person, names)) else ()
