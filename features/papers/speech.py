"""Parts of speech, if a tagger is installed.

The tagger is TextBlob's ``PatternTagger`` (MIT; the extra ``blocksight[research]``): rules over a lexicon in its
package, for English, without network access.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...lexicon.words import words
from ...page.arrays import FloatArray
from ..rows import Rows

#: Parts of speech and their descriptions.
PARTS = {
    "noun": "common nouns",
    "name": "proper nouns",
    "verb": "verbs",
    "adjective": "adjectives",
    "adverb": "adverbs",
    "pronoun": "pronouns",
    "function": "determiners, prepositions, conjunctions and particles",
    "number": "numerals",
}
#: Part of speech by prefix of the Penn Treebank tag; the longest matching prefix counts.
_TAGS = {
    "NNP": "name", "NN": "noun", "VB": "verb", "MD": "verb", "JJ": "adjective", "RB": "adverb", "RP": "function",
    "PRP": "pronoun", "WP": "pronoun", "WRB": "adverb", "DT": "function", "WDT": "function", "PDT": "function",
    "IN": "function", "CC": "function", "TO": "function", "EX": "function", "CD": "number",
}  # fmt: skip
#: A page without a declared language is English if at least this share of its words are among these.
_ENGLISH = frozenset("the of and to in a is that for it as was with on by at be this from are or an".split())
_LEAST_ENGLISH = 0.15


def is_english(rows: Rows) -> bool:
    """Return whether a page declares that it is English or, without a declaration, appears to be."""
    if rows.page.language:
        return rows.page.language.lower().startswith("en")
    page_words = [word for text in rows.texts for word in words(text)]
    total = len(page_words)
    return total > 0 and sum(word in _ENGLISH for word in page_words) >= _LEAST_ENGLISH * total


def parts_of_speech(rows: Rows) -> dict[str, FloatArray]:
    """Return the share of each part of speech among each row's words, float64 (rows,); NaN if unknown."""
    shares = {part: np.full(len(rows), np.nan) for part in PARTS}
    tagger = load_tagger() if is_english(rows) else None
    if tagger is None:
        return shares
    for row, text in enumerate(rows.texts):
        parts = [part for _, tag in tagger.tag(text) if (part := part_of(tag))]
        for part in PARTS if parts else ():
            shares[part][row] = parts.count(part) / len(parts)
    return shares


def part_of(tag: str) -> str:
    """Return the part of speech of a Penn Treebank tag; "" for marks and foreign words."""
    return next((_TAGS[tag[:length]] for length in (3, 2) if tag[:length] in _TAGS), "")


def tagger_is_installed() -> bool:
    """Return whether the extra ``blocksight[research]`` is installed, without importing it."""
    return find_spec("textblob") is not None


@cache
def load_tagger() -> Any:
    """Return TextBlob's tagger, or None if it is not installed."""
    with warnings.catch_warnings():
        # TextBlob does not close the file of its lexicon.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            from textblob.en.taggers import PatternTagger
        except ImportError:
            return None
        tagger = PatternTagger()
        tagger.tag("Load the lexicon.")
    return tagger
