"""The words of elements, white space collapsed."""

from __future__ import annotations

import re

from ...render.page import Page

_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """Write white space as single spaces, none at the ends."""
    return _SPACE.sub(" ", text).strip()


def text_below(page: Page, row: int) -> str:
    """Return the text leaves of an element with single spaces between them."""
    first, last = page.leaf_range[row].tolist()
    return clean(" ".join(page.leaf_texts[first:last]))
