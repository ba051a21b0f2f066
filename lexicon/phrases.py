"""Words of by-lines, months, and labels in many languages, as alternatives of regular expressions (``labels.toml``).

Rules compose the alternatives that they need from these tuples and add their own. Only words are shared: the labeling
functions of gold keep rules of their own, so that labels are independent of the features trained on them.
"""

from __future__ import annotations

from .word_lists import alternatives, entries

__all__ = [
    "ALSO",
    "BY",
    "CHANGED",
    "CREDIT",
    "FIRST_MADE",
    "FURTHER_READING",
    "MONTHS",
    "POST_LABELS",
    "SHARE",
    "SUBSCRIBE",
    "TAGS",
    "WAS",
    "WEEKDAYS",
    "alternatives",
]

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
#: Abbreviations, or the first letters, of the months by language.
MONTHS = {
    "en": ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    "de": ("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"),
    "fr": ("janv", "fév", "mars", "avr", "mai", "juin", "juil", "août", "sep", "oct", "nov", "déc"),
    "es": ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    "it": ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),
    "ru": ("янв", "фев", "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"),
}
#: Abbreviations of the days of the week.
WEEKDAYS = {
    "en de": ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo", "di", "mi", "do", "fr", "sa", "so"),
    "fr es it": ("lun", "mar", "mer", "jeu", "ven", "sam", "dim", "mi[eé]", "jue", "vie", "s[aá]b", "dom", "gio"),
    "ar": ("الأحد", "الاثنين", "الإثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"),
    "pl ru": ("pon", "wto", "śro", "czw", "pią", "sob", "nie", "п[нт]", "вто?", "ср", "чт", "сб", "вс"),
}
