"""Names of authors in bylines."""

from __future__ import annotations

import re

from ...lexicon.phrases import BY, alternatives

#: The start of a byline, before the name, in languages of the web.
_BY = re.compile(
    r"^\W*(?:(?:written|posted|published|story|words|text|article|review)\s+)?"
    rf"(?:{alternatives(BY)}|przez|autore?s?|autor(?:es|a)?|auteurs?|author|автор|текст|作者|文|撰文|記者|记者|글|投稿者|著者)"
    r"(?:\s*[:：/]\s*|\s+(?=\S)|(?<=[作文记記글著])[者]?\s*[:：]?\s*)",
    re.IGNORECASE,
)
#: The same in a line, at its start or behind a mark ("May 3, 2021 · by Ada Leaf · 4 min").
_BY_LINE = re.compile(
    r"(?:^\W*|[-–—|·•,»]\s*|\d\s+)(?:(?:written|posted|published|story|words|text)\s+)?"
    rf"(?:{alternatives(BY)}|автор|作者|撰文)(?:\s*[:：]\s*|\s+|(?<=[者文]))"
    r"@?(?P<name>[^\W\d_][^|·•–—@»]{1,60}?)\s*(?:$|[|·•–—,(»]|\s-\s|\b(?:on|am|le|el|in|dans)\b|(?=\d{1,4}[ ./-]))",
    re.IGNORECASE,
)
#: Start of a date, which often follows a name.
_DATE = re.compile(
    r"\s*[,·|»-]?\s*(?:\b(?:on|am|le|el)\s+)?(?:\b\d{1,2}\.?\s+[^\W\d_]{3,14}\.?,?\s+(?:19|20)\d\d|\b[^\W\d_]{3,14}\.?\s+\d{1,2},?\s+(?:19|20)\d\d"
    r"|(?:19|20)\d\d[-/.年]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d).*$",
    re.DOTALL,
)
#: Separators of names; a comma only between two names.
_BETWEEN = re.compile(r"\s*(?:;|\s[|/&·•]\s|、|，|\s(?:and|und|et|y|e|en|och|og|и)\s|,\s(?=\S+\s\S))\s*")
_NO_NAME = re.compile(
    r"https?:|www\.|@|^\W*$|^(?:admin(?:istrator)?|author|unknown|anonymous|none|null|undefined|staff|editor|guest"
    r"|authors?|by|home|about|no author|discuz!?(?: team)?|comsenz.*)$",
    re.IGNORECASE,
)
NAME_CHARACTERS = 80


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a declared author or byline.

    >>> names_in("By Ada Lovelace and Charles Babbage")
    ('Ada Lovelace', 'Charles Babbage')
    >>> names_in("https://example.org/ada")
    ()
    """
    text = _DATE.sub("", _BY.sub("", text.strip(), count=1))
    names = [name.strip(" ,;:|·•-–—\u200b") for name in _BETWEEN.split(text)]
    return tuple(dict.fromkeys(name for name in names if _is_name(name)))


def named_in_line(line: str) -> tuple[str, ...]:
    """Return the names in a line of text if it is a byline, else none."""
    match = _BY_LINE.search(line)
    if not match or len(match["name"].split()) > 6:
        return ()
    # A sentence may start with the same word; names have capitals, if their script has them.
    names = names_in(match["name"])
    return names if all(name[0].isalpha() and name[0].upper() == name[0] for name in names) else ()


def _is_name(name: str) -> bool:
    return 2 <= len(name) <= NAME_CHARACTERS and not _NO_NAME.search(name) and any(map(str.isalpha, name))
