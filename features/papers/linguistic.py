"""Linguistic features: words and their variety, sentences, keywords."""

from __future__ import annotations

import numpy as np

from ...lexicon.word_lists import entries
from ...lexicon.words import words
from ...page.arrays import FloatArray
from ..columns import ColumnGroup, Columns, log_count, numeric, share
from ..rows import Rows

_VOCABULARY = entries("vocabulary")
BOILERPLATE_WORDS, CLEAN_WORDS = (frozenset(" ".join(_VOCABULARY[name]).split()) for name in ("boilerplate", "clean"))
SOURCE = "blocksight; after FIASCO (Bauer et al., WAC3 2007); word lists ours"
COLUMNS = (
    log_count("types_log", "ln(1 + distinct words)", SOURCE),
    share("type_share", "number of distinct words over number of words", SOURCE),
    numeric("mean_sentence", "words per sentence", "words per sentence", source=SOURCE),
    share("clean_word_share", "share of the block's words that are typical of running text", SOURCE),
    share("boilerplate_word_share", "share of the block's words that are typical of menus and notices", SOURCE),
)


def word_features(rows: Rows, _: Columns) -> Columns:
    """Return the columns of words and sentences."""
    words_of_rows = [words(text) for text in rows.texts]
    amount = np.maximum([len(row) for row in words_of_rows], 1).astype(np.float64)
    types = np.asarray([len(set(row)) for row in words_of_rows], dtype=np.float64)
    return {
        "types_log": np.log1p(types),
        "type_share": types / amount,
        "mean_sentence": rows.words / np.maximum(rows.character_counts.sentences, 1.0),
        "clean_word_share": _count_members(words_of_rows, CLEAN_WORDS) / amount,
        "boilerplate_word_share": _count_members(words_of_rows, BOILERPLATE_WORDS) / amount,
    }


def _count_members(words_of_rows: list[list[str]], vocabulary: frozenset[str]) -> FloatArray:
    return np.asarray([sum(word in vocabulary for word in row) for row in words_of_rows], dtype=np.float64)


GROUP = ColumnGroup(name="linguistic", columns=COLUMNS, measure=word_features)
