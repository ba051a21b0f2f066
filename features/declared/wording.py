"""The words of elements, white space collapsed."""

from __future__ import annotations

import re

from ...render.page import Page

_SPACE = re.compile(r"\s+")
#: Characters of an element that are read, at most: elements lie in each other, and all of them may be asked.
MOST_CHARACTERS = 20_000


def clean(text: str) -> str:
    """Write white space as single spaces, none at the ends."""
    return _SPACE.sub(" ", text).strip()


def text_below(page: Page, row: int) -> str:
    """Return the text leaves of an element with single spaces between them; of a very long text the beginning."""
    first, last = page.leaf_range[row].tolist()
    found, left = [], MOST_CHARACTERS
    for leaf in range(first, last):
        found.append(page.leaf_texts[leaf][:left])
        left -= len(found[-1])
        if left <= 0:
            break
    return clean(" ".join(found))
