"""Dates in machine formats and in the languages of the web (dateparser) as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from ...lexicon.phrases import CHANGED, FIRST_MADE, alternatives

_ISO = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ]\s?(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?\b"
)
_PLAIN = re.compile(r"\b((?:19|20)\d{2})(\d{2})(\d{2})(?:T?\d{4,6}Z?)?\b")
_EAST = re.compile(r"(\d{4})\s*[年년./-]\s*(\d{1,2})\s*[月월./-]\s*(\d{1,2})\s*[日일]?")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?=[/._-]|$)")
_MAIL = re.compile(r"[A-Z][a-z]{2}, \d")
#: A date in words or numbers: a year of four digits, a day, and the month between or before them.
_WRITTEN = re.compile(
    r"(?<![\w/.-])(?:\d{1,2}(?:\.|st|nd|rd|th|er|º|ª)?[\s./-]{1,3}(?:(?:de|d[’'])\s*)?(?:\d{1,2}|[^\W\d_]{3,14}\.?)"
    r"[\s,./-]{1,3}(?:(?:de|del)\s+)?(?:19|20)\d{2}|[^\W\d_]{3,14}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2})(?![\d/-])"
)
_NUMBERS = re.compile(r"(?<![\w/.-])(\d{1,2})(\s?[./-]\s?)(\d{1,2})\s?[./-]\s?((?:19|20)\d{2})(?![\d/-])")
_CHANGED = re.compile(alternatives(CHANGED), re.IGNORECASE)
#: Labels of dates.
DATE_LABELS = re.compile(rf"(?:\b|(?<=[^\W\d_a-z]))({alternatives(CHANGED, FIRST_MADE)})", re.IGNORECASE)
#: Days of the week as dateparser names them.
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: Languages with the month before the day in numeric dates.
_MONTH_FIRST = ("en", "en-us", "en-ca", "en-ph")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
#: End of a time in UTC, and the greatest differences of local time from it (hours).
UTC_ZONE, _BEHIND, _AHEAD = "+00:00", 12, 14


def iso_date(text: str, language: str = "") -> str:
    """Return the first date in a text as ISO 8601, with time and zone if present; "" if there is none.

    ``language`` is that of the page; it decides the names of months, and the order of day and month in numbers.

    >>> iso_date("2024-05-20 07:09:00 +0800"), iso_date("Posted on May 3, 2021", "en"), iso_date("3. Mai 2021", "de")
    ('2024-05-20T07:09:00+08:00', '2021-05-03', '2021-05-03')
    """
    if date := machine_date(text):
        return date
    written = _WRITTEN.search(text.strip())
    if not written:
        return ""
    order = "MDY" if language.lower() in _MONTH_FIRST else "DMY"
    numbers = _NUMBERS.fullmatch(written[0].strip())
    if not numbers:
        return _in_words(written[0], language, order)
    return _in_numbers(
        numbers, order, _weekday(text[: written.start()], language) if numbers[2].strip() != "." else None
    )


def by_label(text: str) -> tuple[str, str]:
    """Return the parts of a text with dates of publication, and those with dates of changes.

    >>> by_label("Updated July 1, 2024 · First published May 6, 2024")
    ('May 6, 2024', 'July 1, 2024 ·')
    """
    pieces = DATE_LABELS.split(text)
    changed = [label is not None and _CHANGED.fullmatch(label) is not None for label in (None, *pieces[1::2])]
    made, later = (
        [piece for piece, is_later in zip(pieces[::2], changed, strict=True) if is_later == some]
        for some in (False, True)
    )
    return " ".join(made).strip(), " ".join(later).strip()


def machine_date(text: str) -> str:
    """Return the first date in a machine format, or with the year before month and day, as ISO 8601; "" for none."""
    text = text.strip()
    if iso := _ISO.search(text):
        return _iso(iso["day"], iso["time"], iso["zone"])
    if match := _EAST.search(text) or _PLAIN.search(text):
        return _day(*match.groups())
    # The format of mail and HTTP: Mon, 20 May 2024 07:09:00 +0800.
    date = _valid(lambda: parsedate_to_datetime(text)) if _MAIL.match(text) else None
    return date.isoformat() if date else ""


def address_date(url: str) -> str:
    """Return the date in a URL, "" if there is none."""
    match = _IN_ADDRESS.search(url)
    return _day(*match.groups()) if match else ""


def is_local(date: str, universal: str) -> bool:
    """Return whether a day, or a time of another zone, is that of a time in UTC in the time of some place.

    >>> is_local("2021-06-17", "2021-06-18T04:00:40+00:00"), is_local("2021-06-17", "2021-06-18T18:30:00+00:00")
    (True, False)
    """
    moment = datetime.fromisoformat(universal)
    if "T" in date and not date.endswith(UTC_ZONE) and (local := datetime.fromisoformat(date)).tzinfo:
        return local == moment
    days = {(moment + timedelta(hours=hours)).date().isoformat() for hours in (-_BEHIND, _AHEAD)}
    return date[:10] in days | {universal[:10]} and not date.endswith(UTC_ZONE)


def _iso(day: str, time: str | None, zone: str | None) -> str:
    if not time:
        return _day(*day.split("-"))
    time = re.sub(r"[.,]\d+$", "", time if time.index(":") == 2 else f"0{time}")
    zone = {"UTC": "Z", "GMT": "Z"}.get(zone or "", zone or "")
    date = _valid(lambda: datetime.fromisoformat(f"{day}T{time}{zone}"))
    return date.isoformat() if date else ""


def _day(*numbers: str) -> str:
    """Return year, month and day as ISO 8601, "" if there is no such day."""
    date = _valid(lambda: datetime(*map(int, numbers)))  # type: ignore[arg-type]
    return date.date().isoformat() if date else ""


def _valid(make: Callable[[], datetime]) -> datetime | None:
    """Return a date if it exists and is one of the web's years."""
    with suppress(ValueError, TypeError):
        date = make()
        return date if _FIRST_YEAR <= date.year <= _LAST_YEAR else None
    return None


def _in_words(text: str, language: str, order: str) -> str:
    # It takes as long to import as several pages to read.
    import dateparser

    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": order, "PARSERS": ["absolute-time"]}
    for name in dict.fromkeys((language.split("-", maxsplit=1)[0].lower(), "en")):
        with suppress(ValueError):  # a language that it does not know
            if date := dateparser.parse(text, languages=[name], settings=settings):
                return _day(str(date.year), str(date.month), str(date.day))
    return ""


def _weekday(text: str, language: str) -> int | None:
    """Return the number of the day of the week that a text ends with."""
    if not (word := re.search(r"([^\W\d_]{2,})\W*$", text)):
        return None
    from dateparser.languages.loader import default_loader

    for name in dict.fromkeys((language.split("-", maxsplit=1)[0].lower(), "en")):
        with suppress(ValueError, KeyError, AttributeError):  # a language that it does not know
            words = default_loader.get_locale(name).info
            days = [n for n, day in enumerate(_WEEK) if word[1].casefold() in map(str.casefold, words[day])]
            if days:
                return days[0]
    return None


def _in_numbers(numbers: re.Match[str], order: str, weekday: int | None) -> str:
    """Return the date of day, month and year in numbers; dots separate them in this order, else a weekday decides."""
    first, sign, second, year = numbers.groups()
    dates = {"DMY": _day(year, second, first), "MDY": _day(year, first, second)}
    fitting = [date for date in dates.values() if date and datetime.fromisoformat(date).weekday() == weekday]
    if len(fitting) == 1:
        return fitting[0]
    return dates["DMY" if sign.strip() == "." else order] or dates["DMY"] or dates["MDY"]
