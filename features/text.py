"""Text features: how much is written, and how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np

from ..render.arrays import FloatArray
from .columns import Column, Columns, Group, flag, log_number, share
from .rows import Rows
from .words import words

COLUMNS = (
    log_number("words_log", "ln(1 + words); a character of a script without spaces counts half a word"),
    log_number("characters_log", "ln(1 + characters), white space collapsed"),
    Column(name="word_length", meaning="characters a word", unit="characters a word"),
    flag("short", "1 where there are at most 3 words"),
    log_number("sentences_log", "ln(1 + ends of sentences)"),
    log_number("sentence_length_log", "ln(1 + words a sentence)"),
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

_COMMA = re.compile("[,，、،;；]")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d年|\d月")
_ADDRESS = re.compile(r"\S@\S+\.\S|https?://|www\.")
_SEPARATOR = re.compile(r"\s[|»›·•/]\s")
_SYMBOL = re.compile(r"[^\w\s]|_")
_ENDS = frozenset('.!?…。！？।؟"”’»)')


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return the text columns, float64 (rows,) each; :data:`COLUMNS` says what they are."""
    texts, amount, length = rows.texts, rows.words, rows.characters
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
        "comma_density": _column(lambda text: len(_COMMA.findall(text)), texts) / some_words,
        "punctuation_share": _column(lambda text: len(_SYMBOL.findall(text)), texts) / some,
        "digit_share": _column(lambda text: sum(map(str.isdigit, text)), texts) / some,
        "capital_share": _column(lambda text: sum(map(str.isupper, text)), texts) / some,
        "starts_capital": _column(lambda text: text[:1].isupper(), texts),
        "ends_sentence": _column(lambda text: text[-1:] in _ENDS, texts),
        "ends_colon": _column(lambda text: text.endswith((":", "：")), texts),
        "copyright": _column(lambda text: "©" in text or "(c)" in text.lower(), texts),
        "separators": _column(lambda text: bool(_SEPARATOR.search(text)), texts),
        "date_like": _column(lambda text: bool(_DATE.search(text)), texts),
        "address_like": _column(lambda text: bool(_ADDRESS.search(text)), texts),
        "duplicates_log": np.log(_column(repeated.__getitem__, texts)),
        "title_overlap": _column(lambda text: _overlap(text, title), texts),
        "text_density": amount / _tags_below(rows),
    }


def _column(measure: Callable[[str], float], texts: tuple[str, ...]) -> FloatArray:
    return np.fromiter((float(measure(text)) for text in texts), dtype=np.float64, count=len(texts))


def _overlap(text: str, title: frozenset[str]) -> float:
    found = words(text)
    return sum(word in title for word in found) / len(found) if found and title else 0.0


def _tags_below(rows: Rows) -> FloatArray:
    return np.maximum(rows.page.count_within(rows.page.text < 0)[rows.node], 1.0)


GROUP = Group(name="text", columns=COLUMNS, measure=text_features)
