"""Tokeniser of all features, systems and measures."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

#: Scripts without spaces, in which each character counts as a word: Thai, Lao, Khmer, Hiragana, Katakana and
#: Han with its extensions.
UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff"
)

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
#: The same in ASCII, where it is several times as fast.
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_TOKEN = re.compile(rf"{_WORD.pattern}|[^\w\s]")
_UNSPACED = re.compile(rf"[{UNSPACED}]")
#: Marks that end a sentence before one of the second ones or white space, and marks that always do.
ENDS, BEHIND_ENDS, FULL_STOPS = ".!?…", "\"'»”’)]", "。！？।؟։።"
# The first lookbehind prevents quadratic time on a long run of full stops.
_SENTENCE = re.compile(rf"(?<![{ENDS}])[{ENDS}]+(?=[\s{re.escape(BEHIND_ENDS)}]|$)|[{FULL_STOPS}]+")


def words(text: str) -> list[str]:
    r"""Return the lower-case words of a text: runs of ``\w``, and single characters of scripts without spaces.

    >>> words("Hello, 世界: it's 2 p.m.")
    ['hello', '世', '界', 'it', 's', '2', 'p', 'm']
    """
    return written_words(lower(text))


def words_of_lines(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the :func:`words` of each of some texts without line breaks, faster than one by one.

    >>> words_of_lines(["Hello, 世界", "", "It's"])
    [('hello', '世', '界'), (), ('it', 's')]
    """
    find, find_ascii = _WORD.findall, _ASCII_WORD.findall
    lowered = lower("\n".join(lines)).split("\n") if lines else []
    return [tuple(find_ascii(line) if line.isascii() else find(line)) for line in lowered]


def lower(text: str) -> str:
    """Return a text in lower case, character by character: the Turkish dotted capital I is one letter, not two.

    >>> lower("İyi")
    'iyi'
    """
    return text.replace("İ", "i").lower()


def written_words(text: str) -> list[str]:
    """Return the words of a text as :func:`words`, in their original case.

    >>> written_words("Hello, 世界!")
    ['Hello', '世', '界']
    """
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each of the :func:`written_words` of a text."""
    return [match.span() for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text)]


def words_and_symbols(text: str) -> list[str]:
    """Return the words of a text as :func:`words`, with the symbols between them.

    >>> words_and_symbols("Hello, 世界!")
    ['hello', ',', '世', '界', '!']
    """
    return _TOKEN.findall(lower(text))


def count_words(text: str) -> int:
    """Return the number of words of a text."""
    return len(written_words(text))


def count_unspaced(text: str) -> int:
    """Return the number of characters of scripts written without spaces."""
    return 0 if text.isascii() else len(_UNSPACED.findall(text))


def sentence_ends(text: str) -> list[int]:
    """Return the positions after the marks that end sentences, in all scripts with such marks.

    >>> sentence_ends("Is it 2.5? Yes.")
    [10, 15]
    """
    return [mark.end() for mark in _SENTENCE.finditer(text)]


def count_sentences(text: str) -> int:
    """Return the number of sentence ends."""
    return len(_SENTENCE.findall(text))


def word_runs(words_of_text: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """Yield the runs of ``length`` neighbouring words; none where there are fewer.

    >>> list(word_runs(["it", "is", "so"], 2))
    [('it', 'is'), ('is', 'so')]
    """
    return zip(*(words_of_text[start:] for start in range(length)), strict=False)


def text_hash(text: str) -> str:
    """Return the digest that identifies equal texts without revealing them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
