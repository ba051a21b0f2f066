"""Lines that say who wrote a record and when: the date is cut out of its line, and the name is what is left."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from ..lexicon.phrases import BY, WEEKDAYS, alternatives
from ..lexicon.word_lists import entries
from ..page.arrays import NEARLY_ALL
from .field_values import DATE
from .text_columns import FieldColumn

_SECTIONS = frozenset(" ".join(entries("names")["SECTIONS"]).split())
#: A date with the day of the week before it, and the time of day after it.
_WHEN = re.compile(
    rf"(?:\b(?:{alternatives(WEEKDAYS)})[^\W\d_]{{0,8}}[.,]{{0,2}}\s+)?(?:{DATE.pattern})[日일]?(?:\s?\(\w{{1,3}}\))?"
    r"(?:[\s,·@-]{0,3}(?:[^\W\d_]{1,4}\s)?\d{1,2}[:.h]\d\d(?:[:.]\d\d){0,2}(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:[+-]\d{4}|UTC|GMT))?)?",
    re.IGNORECASE,
)
#: The name in a line of single spaces of which the date is cut out: "asked | by Ada", "by Ada on |", "Ada · |".
_SIGNED = re.compile(
    rf"(?:^| )(?:{alternatives(BY)}) ([^|,·•()]{{1,40}}?)(?: (?:on|at|am|le|el|il))? ?(?:[|,·•()]|$)"
    r"|^([^|,·•()\d]{1,40}) [·•] ?\|$|^\| ?[·•] ([^|,·•()\d]{1,40})$",
    re.IGNORECASE,
)
#: Most words of a name, and scripts without spaces, their punctuation, and the most characters of a name in them.
NAME_WORDS = 3
_UNSPACED, _PUNCTUATION = (
    re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]"),
    re.compile("[、。，：:；！!？?「」《》]"),
)
_LETTER, _SENTENCE, _EDGES = re.compile(r"[^\W\d_]"), re.compile("[.…。]$"), re.compile(r"^(?:\d+\b)?\W+|\W+$")


def is_name(text: str) -> bool:
    """Return whether a short text may be a name: few words, or characters without spaces; no sentence or section."""
    unspaced = len(_UNSPACED.findall(text))
    if unspaced > 10 or (unspaced and _PUNCTUATION.search(text)) or text.casefold() in _SECTIONS:
        return False
    return len(text.split()) <= NAME_WORDS and bool(_LETTER.match(text)) and not _SENTENCE.search(text)


def signed_lines(dates: FieldColumn, *, labelled: bool) -> dict[str, FieldColumn]:
    """Return the columns of the dates in lines, and of the names if nearly all lines have one.

    Before a name is a word as "by" where lines are ``labelled``; else a name is what differs between lines.
    """
    found = {record: when for record, text in dates.texts.items() if (when := _WHEN.search(text))}
    days = {record: one[0].strip() for record, one in found.items()}
    lines = [(dates.texts[record][: one.start()], dates.texts[record][one.end() :]) for record, one in found.items()]
    signed = [_SIGNED.search(" ".join(f"{before}|{after}".split())) for before, after in lines]
    choices = [[one[one.lastindex or 0] if one else "" for one in signed]]
    if not labelled:
        choices += [_differing([line[side] for line in lines]) for side in (0, 1)]
    columns = {"date": replace(dates, texts=dates.texts | days)}
    for names in choices:
        texts = {record: name for record, name in zip(found, names, strict=True) if is_name(name)}
        if texts and len(texts) >= NEARLY_ALL * len(dates.texts):
            leaves = {record: dates.leaves[record] for record in texts}
            return columns | {"author": replace(dates, texts=texts, leaves=leaves)}
    return columns


def _differing(lines: list[str]) -> list[str]:
    """Return lines without the words that all of them start or end with."""
    words = [line.split() for line in lines]
    for _ in range(2):
        same = len([*takewhile(lambda some: len(set(some)) == 1, zip(*words, strict=False))]) if words[1:] else 0
        words = [some[same:][::-1] for some in words]
    return [_EDGES.sub("", " ".join(some)) for some in words]
