"""What the names of elements say (class, id, role ...): each name is read once a page, its words once a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from ...page.page import Page

#: Words whose meaning is remembered, and the longest of them.
KNOWN_WORDS, LONGEST_KNOWN = 1 << 15, 100
#: Long lists of classes of generated styles say nothing and cost time.
LONGEST = 300


class _Known(dict[str, int]):
    """What words mean; of a word that is not known it is found out."""

    def __init__(self, meaning: Callable[[str], int]) -> None:
        super().__init__()
        self.meaning = meaning

    def __missing__(self, word: str) -> int:
        found = self.meaning(word)
        if len(self) < KNOWN_WORDS and len(word) <= LONGEST_KNOWN:
            self[word] = found
        return found


def remembered(meaning: Callable[[str], int]) -> Callable[[str], int]:
    """Remember what words mean: pages say the same again and again, and call their elements the same."""
    return _Known(meaning).__getitem__


def name_flags(
    page: Page, attributes: tuple[str, ...], meaning: Callable[[str], int], longest: int | None = None
) -> NDArray[np.uint64]:
    """Return the bits that the names of each element set, those of their words taken together.

    Parameters
    ----------
    page : Page
    attributes : tuple of str
        Where the names stand.
    meaning : callable
        From a word, which has no white space in it, to bits.
    longest : int, optional
        Characters of a name that are read.

    Returns
    -------
    uint64 (nodes,)
    """
    wanted = page.has_name(page.attribute_name, *attributes)
    nodes, codes = page.attribute_node[wanted], page.attribute_value[wanted].tolist()
    strings = page.strings
    read = {code: reduce(or_, map(meaning, strings[code][:longest].split()), 0) for code in set(codes)}
    bits = np.zeros(len(page), dtype=np.uint64)
    np.bitwise_or.at(bits, nodes, np.asarray([read[code] for code in codes], dtype=np.uint64))
    return bits
