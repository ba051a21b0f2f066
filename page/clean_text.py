"""Text with white space collapsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .arrays import cached_by_owner
from .page import Page

#: Most characters of an element that are read: elements are nested, and the text of all may be requested.
MOST_CHARACTERS = 20_000
#: The bytes of ASCII that are neither letters nor digits.
_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


def clean(text: str) -> str:
    """Collapse white space to single spaces, and strip it at the ends."""
    return " ".join(text.split())


class _CleanTexts(dict[int, str]):
    """Texts with white space collapsed, each at its first use: records are few of a page's texts, and read often."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, number: int) -> str:
        text = self[number] = clean(self._texts[number])
        return text


@cached_by_owner
def clean_leaves(page: Page) -> Mapping[int, str]:
    """Return the text of each leaf with white space collapsed, by its index."""
    return _CleanTexts(page.leaf_texts)


def letters_of(text: str) -> str:
    """Return letters and digits alone, in lower case, as a key to compare texts.

    >>> letters_of("The Tide, Part 2")
    'thetidepart2'
    """
    if text.isascii():
        return text.lower().encode().translate(None, _SIGNS).decode()
    return "".join(filter(str.isalnum, text.casefold()))


def text_below(page: Page, row: int) -> str:
    """Return the text of an element with single spaces between leaves, at most :data:`MOST_CHARACTERS`."""
    first, last = page.leaf_range[row].tolist()
    texts, left = [], MOST_CHARACTERS
    for leaf in range(first, last):
        texts.append(page.leaf_texts[leaf][:left])
        left -= len(texts[-1])
        if left <= 0:
            break
    return clean(" ".join(texts))
