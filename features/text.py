"""Text features: how much is written, and how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..lexicon.words import words
from ..page.arrays import BoolColumn, FloatArray
from .columns import Column, ColumnGroup, Columns, flag, log_count, share
from .rows import Rows

COLUMNS = (
    log_count("words_log", "ln(1 + words); a character of a script without spaces counts half a word"),
    log_count("characters_log", "ln(1 + characters), white space collapsed"),
    Column(name="word_length", meaning="characters a word", unit="characters a word"),
    flag("short", "1 where there are at most 3 words"),
    log_count("sentences_log", "ln(1 + ends of sentences)"),
    log_count("sentence_length_log", "ln(1 + words a sentence)"),
    Column(name="comma_density", meaning="commas (of any script) a word", unit="commas a word"),
    share("punctuation_share", "share of characters that are neither letters, digits nor white space"),
    share("digit_share", "share of characters that are digits"),
    share("capital_share", "share of characters that are upper-case letters"),
    flag("starts_capital", "1 where the first character is upper-case"),
    flag("ends_sentence", "1 where the last character ends a sentence"),
    flag("ends_colon", "1 where the last character is a colon"),
    flag("copyright", "1 where there is a copyright sign"),
    flag("separators", "1 where parts are set off by | » › · or /"),
    flag("date_like", "1 where there is a date or a time"),
    flag("address_like", "1 where there is an e-mail or web address"),
    Column(name="duplicates_log", meaning="ln(number of blocks of the page with the same text)", unit="ln(n)"),
    share("title_overlap", "share of the block's words that are words of the page's title"),
    Column(
        name="text_density",
        meaning="words a tag below the block's node (CETD's density, with words)",
        unit="words a tag",
        source="blocksight; after CETD (Sun, Song, Liao, SIGIR 2011)",
    ),
)

#: Years, times, dates in numbers. Every one begins with a digit: patterns that say so first are found much faster.
_DATE = re.compile(r"\d(?:(?:(?<=\b1)9|(?<=\b2)0)\d\d\b|(?<=\b\d)\d?[:.]\d\d\b|\d?[./-]\d{1,2}[./-]\d{2,4}|[年月])")
_ADDRESS = re.compile(r"\S@\S+\.\S|https?://|www\.")
_SEPARATOR = re.compile(r"\s[|»›·•/]\s")
_ENDS = frozenset('.!?…。！？।؟"”’»)')


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return the text columns, float64 (rows,) each; :data:`COLUMNS` says what they are."""
    texts, amount, length, signs = rows.texts, rows.words, rows.characters, rows.signs
    some, some_words = np.maximum(length, 1), np.maximum(amount, 1)
    repeated = Counter(texts)
    title = frozenset(words(rows.page.title))
    return {
        "words_log": np.log1p(amount),
        "characters_log": np.log1p(length),
        "word_length": length / some_words,
        "short": (amount <= 3).astype(np.float64),
        "sentences_log": np.log1p(rows.sentences),
        "sentence_length_log": np.log1p(amount / np.maximum(rows.sentences, 1)),
        "comma_density": signs.pauses / some_words,
        "punctuation_share": signs.symbols / some,
        "digit_share": signs.digits / some,
        "capital_share": signs.capitals / some,
        "starts_capital": _column([text[:1].isupper() for text in texts]),
        "ends_sentence": _column([text[-1:] in _ENDS for text in texts]),
        "ends_colon": _column([text.endswith((":", "：")) for text in texts]),
        "copyright": _column(["©" in text or "(c)" in text or "(C)" in text for text in texts]),
        "separators": _searched(_SEPARATOR, texts, signs.partings > 0),
        "date_like": _searched(_DATE, texts, signs.decimals > 0),
        "address_like": _column(list(map(_has_address, texts))),
        "duplicates_log": np.log(_column([repeated[text] for text in texts])),
        "title_overlap": _column([_overlap(found, title) for found in rows.texts_words]),
        "text_density": amount / _tags_below(rows),
    }


def _column(values: Sequence[float]) -> FloatArray:
    return np.asarray(values, dtype=np.float64)


def _searched(pattern: re.Pattern[str], texts: tuple[str, ...], possible: BoolColumn) -> FloatArray:
    """Look for a pattern in the texts that can have it at all."""
    found = np.zeros(len(texts))
    for row in np.flatnonzero(possible).tolist():
        found[row] = pattern.search(texts[row]) is not None
    return found


def _has_address(text: str) -> bool:
    return ("@" in text or "http" in text or "www." in text) and _ADDRESS.search(text) is not None


def _overlap(found: list[str], title: frozenset[str]) -> float:
    if title.isdisjoint(found):
        return 0.0
    return sum(map(title.__contains__, found)) / len(found)


def _tags_below(rows: Rows) -> FloatArray:
    return np.maximum(rows.page.count_within(rows.page.text < 0)[rows.node], 1.0)


GROUP = ColumnGroup(name="text", columns=COLUMNS, measure=text_features)
