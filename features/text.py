"""Text features: amount and style of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..lexicon.words import words
from ..page.arrays import FloatArray
from .columns import ColumnGroup, Columns, flag, log_count, numeric, share
from .rows import Rows

COLUMNS = (
    log_count("words_log", "ln(1 + words); a character of a script without spaces counts half a word"),
    log_count("characters_log", "ln(1 + characters), white space collapsed"),
    numeric("word_length", "characters per word", "characters per word"),
    flag("short", "1 if there are at most 3 words"),
    log_count("sentences_log", "ln(1 + sentence ends)"),
    log_count("sentence_length_log", "ln(1 + words per sentence)"),
    numeric("comma_density", "commas (of any script) per word", "commas per word"),
    share("punctuation_share", "share of characters that are neither letters, digits nor white space"),
    share("digit_share", "share of characters that are digits"),
    share("capital_share", "share of characters that are upper-case letters"),
    flag("starts_capital", "1 if the first character is upper-case"),
    flag("ends_sentence", "1 if the last character ends a sentence"),
    flag("ends_colon", "1 if the last character is a colon"),
    flag("copyright", "1 if there is a copyright sign"),
    flag("separators", "1 if parts are separated by | » › · or /"),
    flag("date_like", "1 if there is a date or a time"),
    flag("address_like", "1 if there is an e-mail or web address"),
    numeric("duplicates_log", "ln(number of blocks of the page with the same text)", "ln(n)"),
    share("title_overlap", "share of the block's words that are words of the page's title"),
    numeric(
        "text_density",
        "words per tag below the block's node (CETD's density, with words)",
        "words per tag",
        source="blocksight; after CETD (Sun, Song, Liao, SIGIR 2011)",
    ),
)

#: Years, times, numeric dates. All start with a digit: a pattern that starts with one is matched much faster.
_DATE = re.compile(r"\d(?:(?:(?<=\b1)9|(?<=\b2)0)\d\d\b|(?<=\b\d)\d?[:.]\d\d\b|\d?[./-]\d{1,2}[./-]\d{2,4}|[年月])")
_ADDRESS = re.compile(r"\S@\S+\.\S|https?://|www\.")
_SEPARATOR = re.compile(r"\s[|»›·•/]\s")
_ENDS = frozenset('.!?…。！？।؟"”’»)')


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return the text columns, float64 (rows,) each; :data:`COLUMNS` describes them."""
    texts, amount, counts = rows.texts, rows.words, rows.character_counts
    length = counts.lengths.astype(np.float64)
    some, some_words = np.maximum(length, 1), np.maximum(amount, 1)
    repeated = Counter(texts)
    title = frozenset(words(rows.page.title))
    return {
        "words_log": np.log1p(amount),
        "characters_log": np.log1p(length),
        "word_length": length / some_words,
        "short": (amount <= 3).astype(np.float64),
        "sentences_log": np.log1p(counts.sentences),
        "sentence_length_log": np.log1p(amount / np.maximum(counts.sentences, 1)),
        "comma_density": counts.commas / some_words,
        "punctuation_share": counts.symbols / some,
        "digit_share": counts.digits / some,
        "capital_share": counts.capitals / some,
        "starts_capital": _column([text[:1].isupper() for text in texts]),
        "ends_sentence": _column([text[-1:] in _ENDS for text in texts]),
        "ends_colon": _column([text.endswith((":", "：")) for text in texts]),
        "copyright": _column(["©" in text or "(c)" in text or "(C)" in text for text in texts]),
        "separators": searched(_SEPARATOR.search, texts, counts.partings.nonzero()[0].tolist()),
        "date_like": searched(_DATE.search, texts, counts.decimals.nonzero()[0].tolist()),
        # Most texts have nothing that an address has.
        "address_like": searched(
            _ADDRESS.search,
            texts,
            [row for row, text in enumerate(texts) if "@" in text or "http" in text or "www." in text],
        ),
        "duplicates_log": np.log(_column([repeated[text] for text in texts])),
        "title_overlap": _column(
            [
                0.0 if title.isdisjoint(of_text) else sum(map(title.__contains__, of_text)) / len(of_text)
                for of_text in rows.texts_words
            ]
        ),
        "text_density": amount / np.maximum(rows.page.count_within(rows.page.text < 0)[rows.node], 1.0),
    }


def _column(values: Sequence[float]) -> FloatArray:
    return np.asarray(values, dtype=np.float64)


def searched(search: Callable[[str], object], texts: Sequence[str], rows: Iterable[int]) -> FloatArray:
    """Return 1 for the texts of some rows in which something is found, else 0, float64 (texts,)."""
    result = np.zeros(len(texts))
    result[[row for row in rows if search(texts[row])]] = 1.0
    return result


GROUP = ColumnGroup(name="text", columns=COLUMNS, measure=text_features)
