"""Types of short texts in many languages: dates, prices, ratings, ranks."""

from __future__ import annotations

import re

from ...lexicon.phrases import MONTHS, alternatives

#: Months in all languages, also without accents.
_MONTH = rf"(?:{alternatives(*MONTHS.values())}|déz|fev|aout|май)[^\W\d_]{{0,8}}\.?"
#: All that starts at the start of a word has one test for it: most places of a text are within words.
DATE = re.compile(
    rf"\b(?:(?:19|20)\d\d\s?[-/.年]\s?\d{{1,2}}(?:\s?[-/.月]\s?\d{{1,2}})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?{_MONTH},?(?:\s+(?:de\s+)?(?:19|20)?\d\d\b)?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:[,\s']+(?:19|20)?\d\d\b)?|{_MONTH}\s+(?:19|20)\d\d\b"
    r"|(?:\d+|an?|one|last)\s?(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week|mo|month|y|yr"
    r"|year)s?\.?\s?(?:\d+\s?\w+\s)?(?:ago|old)\b"
    r"|(?:yesterday|today|gestern|heute|hier|aujourd|ayer|hoy|ieri|oggi|вчера|сегодня)\b"
    r"|(?:vor|il y a|hace)\s+\S+\s+\w+)"
    r"|\d+\s?(?:秒|分|小时|小時|時間|天|日|周|个月|年|분|시간|일)\s?(?:钟|鐘)?\s?(?:前|전)"
    r"|昨天|前天|今天",
    re.IGNORECASE,
)
PRICE = re.compile(
    r"(?:[$€£¥₹₽₩₺₴]|\b(?:US|AU|CA|NZ|HK)?\$|\b(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|JPY|RMB|Rs\.?|kr\.?"
    r"|zł))\s?\d[\d.,\s]*"
    r"|\d[\d.,]*\s?(?:[€£¥₹₽₩₺₴円元]|(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|kr|zł|Kč|Ft|руб)\b)",
    re.IGNORECASE,
)
RATING = re.compile(
    r"\b\d(?:[.,]\d+)?\s?(?:/|of|out of|von|sur|de|su)\s?(?:5|10)\b(?:\s?stars?)?|[★⭐]{1,5}[☆]*"
    r"|\b\d(?:[.,]\d+)?\s?(?:stars?|Sterne)\b",
    re.IGNORECASE,
)
#: A time of day alone.
CLOCK = re.compile(
    r"[\[(]?(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?\s?(?:[ap]\.?\s?m\.?|uhr|klo)?[\])]?", re.IGNORECASE
)
RANK = re.compile(r"^\s*#?\s*(\d{1,4})\s*[.)]?\s*$")
_BY = re.compile(
    r"^\W*(?:(?:written|posted|published|review(?:ed)?|asked|answered|par|von|by|de|por|da)\b[\s:]*)+(?=\S)",
    re.IGNORECASE,
)
_EDGES = " \t\r\n»«·•|,;:–—-"
#: Dates and prices in lower-case ASCII: without alternatives for each letter a search takes half the time.
_ASCII_DATE, _ASCII_PRICE = re.compile(DATE.pattern), re.compile(PRICE.pattern.lower())


def find_date(text: str) -> re.Match[str] | None:
    """Return the first date in a text, in lower case if the text is ASCII."""
    return _ASCII_DATE.search(text.lower()) if text.isascii() else DATE.search(text)


def find_price(text: str) -> re.Match[str] | None:
    """Return the first price in a text, in lower case if the text is ASCII."""
    return _ASCII_PRICE.search(text.lower()) if text.isascii() else PRICE.search(text)


def is_date(text: str) -> bool:
    """Return whether a text contains a date, also a relative one ("2 days ago")."""
    return bool(DATE.search(text))


def is_price(text: str) -> bool:
    """Return whether a text contains a price."""
    return bool(PRICE.search(text))


def is_just_price(text: str) -> bool:
    """Return whether a text is a price only."""
    return is_price(text) and not re.search(r"\w", PRICE.sub("", text))


def is_rating(text: str) -> bool:
    """Return whether a text contains a rating: "4.5 out of 5", stars."""
    return bool(RATING.search(text))


def written_value(name: str, text: str) -> str:
    """Return the value of a field in the text of its column."""
    text = text.strip(_EDGES)
    pattern = {"price": PRICE, "rating": RATING}.get(name)
    if pattern is not None and (found := pattern.search(text)):
        return found[0].strip(_EDGES)
    if name == "rank" and (number := RANK.match(text)):
        return number[1]
    if name == "author":
        return _BY.sub("", text).strip(_EDGES) or text
    if name == "date" and len(text) > 60 and (found := DATE.search(text)):
        return found[0].strip(_EDGES)
    return text
