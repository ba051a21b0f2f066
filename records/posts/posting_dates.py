"""When posts were written: texts with dates and times of day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...page.arrays import prefix_sums
from ...page.page import Page
from ..field_values import CLOCK, is_date

#: Most characters of a name or a date.
LONGEST = 60
#: A time of day in a line that may name a day in any language.
_CLOCKED = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")
_AGO = re.compile(
    r"\b(?:ago|yesterday|today|gestern|heute|hier|aujourd|ayer|hoy|ieri|oggi|вчера|сегодня|назад)\b"
    r"|^\W*(?:vor|il y a|hace)\b|[前전]|^\d+ ?(?:h|hrs?|min|m|d|w|std|j)\.?$",
    re.IGNORECASE,
)


def is_when(text: str) -> bool:
    """Return whether a text has a date or a time of day."""
    return is_date(text) or CLOCK.fullmatch(text) is not None or _CLOCKED.search(text) is not None


def is_moment(text: str) -> bool:
    """Return whether a text says when something was written: a day with its hour, or how long ago."""
    return (_CLOCKED.search(text) is not None and CLOCK.fullmatch(text) is None) or _AGO.search(text) is not None


def share_dated(page: Page, texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> float:
    """Return the share of records with a date or a time of day, which is known before their fields are read.

    ``texts`` are those of the leaves, ``spans`` the rows of the records.
    """
    dated, times = 0, prefix_sums(page.has_tag("time"))
    for first, end in spans:
        low, high = int(page.leaf_range[first, 0]), int(page.leaf_range[end - 1, 1])
        short = (text for text in texts[low:high] if 0 < len(text) <= LONGEST)
        dated += bool(times[end] > times[first] or any(map(is_when, short)))
    return dated / max(len(spans), 1)
