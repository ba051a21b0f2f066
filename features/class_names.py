"""Class-name features: families of words in class, id, role and itemprop."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from ..lexicon.word_lists import entries
from ..page.name_flags import LONGEST, cache_words, name_flags
from ..page.page import Page, cached_column
from .columns import ColumnGroup, Columns, flag, flags
from .rows import Rows

#: Families of words; each is a column for the block's own element, its near ancestors, and any ancestor.
FAMILIES = {family: "|".join(patterns) for family, patterns in entries("class_names").items()}
LEVELS = {
    "own": "the block's element or its parent",
    "near": "one of the four elements around these",
    "any": "any element around the block",
}
COLUMNS = tuple(
    flag(f"{level}_{family}", f"1 if {where} has a name of the family {family} (class, id, role or itemprop)")
    for level, where in LEVELS.items()
    for family in FAMILIES
)

#: Names of the columns of each level.
_COLUMNS_OF = {level: tuple(f"{level}_{family}" for family in FAMILIES) for level in LEVELS}
_NAMES = ("class", "id", "role", "itemprop", "data-component", "data-testid")
_PATTERNS = tuple(re.compile(pattern) for pattern in FAMILIES.values())
_ANY = re.compile("|".join(FAMILIES.values()))


@cached_column
def node_families(page: Page) -> NDArray[np.uint64]:
    """Return one bit per family that a name of the element belongs to, uint64 (nodes,)."""
    return name_flags(page, _NAMES, _families)


@cache_words
def _families(name: str) -> int:
    text = name[:LONGEST].lower()
    if "\n" in text:
        return _of_word(text)
    # No pattern matches across a space, and words repeat often.
    return reduce(or_, map(_of_word, text.split(" ")))


@cache_words
def _of_word(word: str) -> int:
    if _ANY.search(word) is None:
        return 0
    return sum(1 << index for index, pattern in enumerate(_PATTERNS) if pattern.search(word))


def keyword_features(rows: Rows, _: Columns) -> Columns:
    """Return the keyword columns, float64 (rows,) each of 0 and 1."""
    chain, page, families = rows.chain, rows.page, node_families(rows.page)
    own = families[chain[:, 0]] | families[chain[:, 1]]
    near = np.bitwise_or.reduce(families[chain[:, 2:]], axis=1)
    anywhere = page.inherited_bits(families)[rows.node]
    bits = {"own": own, "near": near, "any": anywhere}
    return {name: column for level in LEVELS for name, column in flags(bits[level], _COLUMNS_OF[level]).items()}


GROUP = ColumnGroup(name="keyword", columns=COLUMNS, measure=keyword_features)
