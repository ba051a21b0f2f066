"""Dates in machine formats and in the languages of the web (dateparser) as ISO 8601."""

from __future__ import annotations

import re
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
#: Languages with the month before the day in numeric dates.
_MONTH_FIRST = ("en-us", "en-ca", "en-ph")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def iso_date(text: str, language: str = "") -> str:
    """Return the first date in a text as ISO 8601, with time and zone if present; "" if there is none.

    ``language`` is that of the page; it decides the order of day and month, and the names of months.

    >>> iso_date("2024-05-20 07:09:00 +0800"), iso_date("Posted on May 3, 2021", "en"), iso_date("3. Mai 2021", "de")
    ('2024-05-20T07:09:00+08:00', '2021-05-03', '2021-05-03')
    """
    text = text.strip()
    if match := _ISO.search(text):
        return _iso(match)
    for pattern in (_EAST, _PLAIN):
        if match := pattern.search(text):
            return _day(match)
    return _mail_date(text) or _in_words(text, language)


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


def _in_words(text: str, language: str) -> str:
    match = _SAID.search(text)
    if not match:
        return ""
    # It takes as long to import as several pages to read.
    import dateparser

    short = language.split("-", maxsplit=1)[0].lower()
    order = "MDY" if language.lower() in (*_MONTH_FIRST, "en") else "DMY"
    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": order, "PARSERS": ["absolute-time"]}
    for languages in dict.fromkeys(((short,), ("en",))):
        try:
            date = dateparser.parse(match[0], languages=list(languages), settings=settings)
            if date:
                return _checked(date).date().isoformat()
        except ValueError:  # a language that it does not know, or a date that is none
            continue
    return ""
