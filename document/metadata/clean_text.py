"""The words of elements, white space collapsed."""

from __future__ import annotations

from ...page.page import Page

#: Characters of an element that are read, at most: elements lie in each other, and all of them may be asked.
MOST_CHARACTERS = 20_000
#: The bytes of ASCII that are neither letters nor digits.
_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


def clean(text: str) -> str:
    """Write white space as single spaces, none at the ends."""
    return " ".join(text.split())


def letters_of(text: str) -> str:
    """Return letters and digits alone, in lower case: texts that say the same are equal.

    >>> letters_of("The Tide, Part 2")
    'thetidepart2'
    """
    if text.isascii():
        return text.lower().encode().translate(None, _SIGNS).decode()
    return "".join(filter(str.isalnum, text.casefold()))


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
