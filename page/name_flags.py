"""Flags of words, and of elements by the words in their names (class, id, role ...)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .page import Page
from .tree import attribute_values

#: Most cached words, and the longest of them.
CACHED_WORDS, LONGEST_CACHED = 1 << 15, 200
#: Most characters of a name: long lists of generated classes are meaningless and slow.
LONGEST = 300
_Flags = TypeVar("_Flags")


class _WordCache(dict[str, _Flags]):
    """Values of words; a known word costs no call of Python."""

    def __init__(self, function: Callable[[str], _Flags]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, word: str) -> _Flags:
        value = self.function(word)
        if len(word) <= LONGEST_CACHED:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[word] = value
        return value


def cache_words(function: Callable[[str], _Flags]) -> Callable[[str], _Flags]:
    """Cache a function of words, except for words longer than :data:`LONGEST_CACHED`."""
    return _WordCache(function).__getitem__


def cache_names(flags_of: Callable[[str], int], longest: int | None = None) -> Callable[[str], int]:
    """Return the cached union of the flags of the words in a name, up to ``longest`` characters of it."""
    return cache_words(lambda name: reduce(or_, map(flags_of, name[:longest].split()), 0))


def name_flags(page: Page, attributes: tuple[str, ...], flags_of: Callable[[str], int]) -> NDArray[np.uint64]:
    """Return the union of the flags of each element's attributes, of which ``flags_of`` returns those of one value."""
    node, values, number = attribute_values(page, *attributes)
    bits = np.zeros(len(page), dtype=np.uint64)
    np.bitwise_or.at(bits, node, np.fromiter(map(flags_of, values), dtype=np.uint64, count=len(values))[number])
    return bits
