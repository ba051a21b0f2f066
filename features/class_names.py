"""Class-name features: families of words in class, id, role and itemprop."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from itertools import chain, product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from ..lexicon.word_lists import entries
from ..page.name_flags import LONGEST, cache_words, name_flags
from ..page.page import Page, cached_column
from .columns import ColumnGroup, Columns, flag, flags
from .rows import Rows

#: Families of words; each is a column for the block's own element, its near ancestors, and any ancestor.
FAMILIES = tuple(entries("class_names"))
#: Kinds of names besides these: those of forums, and of the bodies of articles.
KINDS = ("FORUM_NAME", "ARTICLE_BODY")
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
#: What the signs for the start and the end of a word stand for.
_EDGES = {"^": "-_ ", "$": "-_ ", " ": " \t"}
_BLANKS = dict.fromkeys(map(ord, "\n\r\f\v"), "\t")


def _longest(strings: Iterable[str]) -> str:
    """Return a pattern of the longest of some strings, which compares each character of a text with few of theirs."""
    rest = defaultdict[str, set[str]](set)
    for string in strings:
        rest[string[:1]].add(string[1:])
    ends = rest.pop("", None) is not None
    parts = "|".join(re.escape(first) + _longest(after) for first, after in sorted(rest.items()))
    return f"(?:{parts}){'?' * ends}" if parts else ""


def _flags_by_string() -> dict[str, int]:
    """Return the flags of each string that a name may have: those of the strings that it starts with, too."""
    flags, forums_and_bodies = defaultdict[str, int](int), (entries("markup")[kind] for kind in KINDS)
    for number, words in enumerate((*entries("class_names").values(), *forums_and_bodies)):
        for string in map("".join, chain.from_iterable(product(*map(_EDGES.get, word, word)) for word in words)):
            flags[string] |= 1 << number
    return {one: reduce(or_, (flags.get(one[:end], 0) for end in range(1, len(one) + 1))) for one in flags}


_FLAGS = _flags_by_string()
_ANY = re.compile(f"(?=({_longest(_FLAGS)}))")


@cached_column
def node_families(page: Page) -> NDArray[np.uint64]:
    """Return one bit per family that a name of the element belongs to, uint64 (nodes,)."""
    return name_flags(page, _NAMES, _flags_of) & np.uint64((1 << len(FAMILIES)) - 1)


@cached_column
def node_kinds(page: Page) -> NDArray[np.uint64]:
    """Return a bit for elements with names of forums, and one for such of the bodies of articles, uint64 (nodes,)."""
    return name_flags(page, ("class", "id"), _flags_of) >> np.uint64(len(FAMILIES))


@cache_words
def _flags_of(name: str) -> int:
    # Of white space, families have only spaces and the last line break as edges of words.
    text = name[:LONGEST].lower().removesuffix("\n").translate(_BLANKS)
    return reduce(or_, map(_FLAGS.__getitem__, _ANY.findall(f" {text} ")), 0)


def keyword_features(rows: Rows, _: Columns) -> Columns:
    """Return the keyword columns, float64 (rows,) each of 0 and 1."""
    chain, page, families = rows.chain, rows.page, node_families(rows.page)
    own = families[chain[:, 0]] | families[chain[:, 1]]
    near = np.bitwise_or.reduce(families[chain[:, 2:]], axis=1)
    anywhere = page.inherited_bits(families)[rows.node]
    bits = {"own": own, "near": near, "any": anywhere}
    return {name: column for level in LEVELS for name, column in flags(bits[level], _COLUMNS_OF[level]).items()}


GROUP = ColumnGroup(name="keyword", columns=COLUMNS, measure=keyword_features)
