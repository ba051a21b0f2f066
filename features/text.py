"""Text features: how much is written, and how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np

from ..render.arrays import FloatArray
from .rows import Rows
from .words import count_sentences, words

DOCS = {
    "words_log": "ln(1 + words); a character of a script without spaces counts half a word",
    "characters_log": "ln(1 + characters), white space collapsed",
    "word_length": "characters a word",
    "short": "1 where there are at most 3 words",
    "sentences_log": "ln(1 + ends of sentences)",
    "sentence_length_log": "ln(1 + words a sentence)",
    "comma_density": "commas (of any script) a word",
    "punctuation_share": "share of characters that are neither letters, digits nor white space",
    "digit_share": "share of characters that are digits",
    "capital_share": "share of characters that are upper-case letters",
    "starts_capital": "1 where the first character is upper-case",
    "ends_sentence": "1 where the last character ends a sentence",
    "ends_colon": "1 where the last character is a colon",
    "copyright": "1 where there is a copyright sign",
    "separators": "1 where parts are set off by | » › · or /",
    "date_like": "1 where there is a date or a time",
    "address_like": "1 where there is an e-mail or web address",
    "duplicates_log": "ln(number of blocks of the page with the same text)",
    "title_overlap": "share of the block's words that are words of the page's title",
    "text_density": "words a tag below the block's node (CETD's density, with words)",
}

_COMMA = re.compile("[,，、،;；]")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d年|\d月")
_ADDRESS = re.compile(r"\S@\S+\.\S|https?://|www\.")
_SEPARATOR = re.compile(r"\s[|»›·•/]\s")
_SYMBOL = re.compile(r"[^\w\s]|_")
_ENDS = frozenset('.!?…。！？।؟"”’»)')


def text_features(counts: Rows) -> dict[str, FloatArray]:
    """Return the text columns, float64 (rows,) each; :data:`DOCS` says what they are."""
    texts, amount = counts.texts, counts.words
    length = np.asarray([len(text) for text in texts], dtype=np.float64)
    some, some_words = np.maximum(length, 1), np.maximum(amount, 1)
    sentences = _column(count_sentences, texts)
    repeated = Counter(texts)
    title = frozenset(words(counts.page.title))
    return {
        "words_log": np.log1p(amount),
        "characters_log": np.log1p(length),
        "word_length": length / some_words,
        "short": (amount <= 3).astype(np.float64),
        "sentences_log": np.log1p(sentences),
        "sentence_length_log": np.log1p(amount / np.maximum(sentences, 1)),
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
        "text_density": amount / _tags_below(counts),
    }


def _column(measure: Callable[[str], float], texts: tuple[str, ...]) -> FloatArray:
    return np.fromiter((float(measure(text)) for text in texts), dtype=np.float64, count=len(texts))


def _overlap(text: str, title: frozenset[str]) -> float:
    found = words(text)
    return sum(word in title for word in found) / len(found) if found and title else 0.0


def _tags_below(counts: Rows) -> FloatArray:
    elements = np.concatenate([[0], np.cumsum(counts.page.text < 0)])
    below: FloatArray = (elements[counts.page.end[counts.node]] - elements[counts.node]).astype(np.float64)
    return np.maximum(below, 1.0)
