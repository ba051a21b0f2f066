"""Dates in machine formats and in the languages of the web (dateparser) as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime

_ISO = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ]\s?(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?\b"
)
_PLAIN = re.compile(r"\b(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})(?:T?\d{4,6}Z?)?\b")
_EAST = re.compile(r"(?P<year>\d{4})\s*[年년./-]\s*(?P<month>\d{1,2})\s*[月월./-]\s*(?P<day>\d{1,2})\s*[日일]?")
_IN_ADDRESS = re.compile(r"/(?P<year>(?:19|20)\d{2})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})(?=[/._-]|$)")
#: A date in words or numbers: a year of four digits, a day, and the month between or before them.
_SAID = re.compile(
    r"(?<![\w/.-])(?:\d{1,2}(?:\.|st|nd|rd|th|er|º|ª)?[\s./-]{1,3}(?:(?:de|d[’'])\s*)?(?:\d{1,2}|[^\W\d_]{3,14}\.?)"
    r"[\s,./-]{1,3}(?:(?:de|del)\s+)?(?:19|20)\d{2}|[^\W\d_]{3,14}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2})(?![\d/-])"
)
_NUMBERS = re.compile(r"(?<![\w/.-])(\d{1,2})(\s?[./-]\s?)(\d{1,2})\s?[./-]\s?((?:19|20)\d{2})(?![\d/-])")
MONTHS = 12
#: Languages with the month before the day in numeric dates.
_MONTH_FIRST = ("en-us", "en-ca", "en-ph")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def iso_date(text: str, language: str = "", *, days: Collection[str] = (), order: str = "") -> str:
    """Return the first date in a text as ISO 8601, with time and zone if present; "" if there is none.

    ``language`` is that of the page; it decides the names of months, and the order of day and month in numbers unless
    one of the known ``days`` (ISO 8601) is the date in one of both orders, or ``order`` is "DMY" or "MDY".

    >>> iso_date("2024-05-20 07:09:00 +0800"), iso_date("Posted on May 3, 2021", "en"), iso_date("3. Mai 2021", "de")
    ('2024-05-20T07:09:00+08:00', '2021-05-03', '2021-05-03')
    """
    text = text.strip()
    return machine_date(text) or _in_words(text, language, days, order)


def machine_date(text: str) -> str:
    """Return the first date in a machine format, or with the year before month and day, as ISO 8601; "" for none."""
    text = text.strip()
    if match := _ISO.search(text):
        return _iso(match)
    for pattern in (_EAST, _PLAIN):
        if match := pattern.search(text):
            return _day(match)
    return _mail_date(text)


def numeric_order(texts: Iterable[str]) -> str:
    """Return the order of day and month of the numeric dates in some texts, "DMY" or "MDY"; "" if it is not clear.

    >>> numeric_order(["05/02/2018", "on 05/31/2018"])
    'MDY'
    """
    pairs = [(int(found[1]), int(found[3])) for text in texts for found in _NUMBERS.finditer(text)]
    orders = {"DMY" if first > MONTHS else "MDY" for first, second in pairs if (first > MONTHS) != (second > MONTHS)}
    return orders.pop() if len(orders) == 1 else ""


def address_date(url: str) -> str:
    """Return the date in a URL, "" if there is none."""
    match = _IN_ADDRESS.search(url)
    return _day(match) if match else ""


def _iso(match: re.Match[str]) -> str:
    day, time, zone = match["day"], match["time"], match["zone"]
    try:
        _checked(datetime.fromisoformat(day))
        if not time:
            return day
        time = re.sub(r"[.,]\d+$", "", time.zfill(5) if time.index(":") == 2 else f"0{time}")
        zone = {"UTC": "Z", "GMT": "Z", None: ""}.get(zone, zone)
        return datetime.fromisoformat(f"{day}T{time}{zone}").isoformat()
    except ValueError:
        return ""


def _day(match: re.Match[str]) -> str:
    try:
        date = datetime(int(match["year"]), int(match["month"]), int(match["day"]))
        return _checked(date).date().isoformat()
    except ValueError:
        return ""


def _checked(date: datetime) -> datetime:
    if not _FIRST_YEAR <= date.year <= _LAST_YEAR:
        raise ValueError(f"no year of a page: {date.year}")
    return date


def _mail_date(text: str) -> str:
    """Parse the format of mail and HTTP: Mon, 20 May 2024 07:09:00 +0800."""
    if not re.match(r"[A-Z][a-z]{2}, \d", text):
        return ""
    try:
        return _checked(parsedate_to_datetime(text)).isoformat()
    except (ValueError, TypeError):
        return ""


def _in_words(text: str, language: str, days: Collection[str], order: str) -> str:
    match = _SAID.search(text)
    if not match:
        return ""
    if numbers := _NUMBERS.fullmatch(match[0].strip()):
        return _in_numbers(numbers, language, days, order)
    # It takes as long to import as several pages to read.
    import dateparser

    short = language.split("-", maxsplit=1)[0].lower()
    order = order or _order_of(language)
    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": order, "PARSERS": ["absolute-time"]}
    for languages in dict.fromkeys(((short,), ("en",))):
        try:
            date = dateparser.parse(match[0], languages=list(languages), settings=settings)
            if date:
                return _checked(date).date().isoformat()
        except ValueError:  # a language that it does not know, or a date that is none
            continue
    return ""


def _in_numbers(numbers: re.Match[str], language: str, days: Collection[str], order: str) -> str:
    """Return the date of day, month and year in numbers."""
    first, second, year = int(numbers[1]), int(numbers[3]), int(numbers[4])
    # Dots separate day, month and year.
    usual = "DMY" if numbers[2].strip() == "." else order or _order_of(language)
    dates = {}
    for name, day, month in (("DMY", first, second), ("MDY", second, first)):
        with suppress(ValueError):
            dates[name] = _checked(datetime(year, month, day)).date().isoformat()
    known = [date for date in dates.values() if date in days]
    return known[0] if len(set(known)) == 1 else dates.get(usual, next(iter(dates.values()), ""))


def _order_of(language: str) -> str:
    return "MDY" if language.lower() in (*_MONTH_FIRST, "en") else "DMY"
