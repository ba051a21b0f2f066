"""Words of by-lines, months, and labels in many languages, as alternatives of regular expressions (``labels.toml``).

Rules compose the alternatives that they need from these tuples and add their own. Only words are shared: the labeling
functions of gold keep rules of their own, so that labels are independent of the features trained on them.
"""

from __future__ import annotations

from .word_lists import alternatives, entries

__all__ = [
    "ALSO", "BY", "CHANGED", "CREDIT", "FIRST_MADE", "FURTHER_READING", "MONTHS", "POST_LABELS", "SHARE", "SUBSCRIBE",
    "TAGS", "WAS", "WEEKDAYS", "alternatives",
]  # fmt: skip

_LABELS = entries("labels")
#: Prepositions before the name of an author.
BY = _LABELS["BY"]
#: Labels of the date of a change, and of that of publication.
CHANGED, FIRST_MADE = _LABELS["CHANGED"], _LABELS["FIRST_MADE"]
FURTHER_READING, SUBSCRIBE, SHARE, TAGS = (_LABELS[name] for name in ("FURTHER_READING", "SUBSCRIBE", "SHARE", "TAGS"))
ALSO, CREDIT = _LABELS["ALSO"], _LABELS["CREDIT"]
#: Labels and buttons of the posts of a forum.
POST_LABELS = _LABELS["POST_LABELS"]
#: Labels before an earlier price.
WAS = _LABELS["WAS"]
#: Abbreviations, or the first letters, of the months, and of the days of the week.
MONTHS, WEEKDAYS = entries("dates")["MONTHS"], entries("dates")["WEEKDAYS"]
