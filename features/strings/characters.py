"""Kinds of the characters of texts, counted for all texts of a page at once.

Each character is looked up in one table that the process fills with new characters; words, digits, commas and the like
are sums over columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import BEHIND_ENDS, ENDS, FULL_STOPS, UNSPACED
from ...page import arrays
from ...page.arrays import FloatArray, IntColumn

#: One bit for each kind of character; the first marks entries of the table that are filled.
_KNOWN, _LETTER, _UNSPACED, _DIGIT, _DECIMAL, _CAPITAL, _SYMBOL = (1 << bit for bit in range(7))
_COMMA, _SPACE, _PARTING, _END, _BEHIND_END, _FULL_STOP = (1 << bit for bit in range(7, 13))
_OF_UNSPACED = re.compile(f"[{UNSPACED}]")
_OF_WORDS = re.compile(r"\w")
_CHARACTERS = 0x110000
#: What the compiled loop counts in each text: characters of each kind, then words, ends of sentences, and those of the
#: first words that have a capital; None is counted for no column.
_CAPITALISED_WORDS = 60
_MEASURES = (
    *(None, None, "unspaced", "digits", "decimals", "capitals", "symbols", "commas", None, "partings", None, None),
    *(None, "words", "sentences", "_capitalised"),
)


@cache
def _kinds() -> NDArray[np.uint16]:
    """Return the kinds of each character, uint16 (characters,); 0 for characters that have not occurred."""
    return np.zeros(_CHARACTERS, dtype=np.uint16)


def _kind(character: str) -> int:
    unspaced = _OF_UNSPACED.match(character) is not None
    word = _OF_WORDS.match(character) is not None
    kinds = {
        _LETTER: word and not unspaced,
        _UNSPACED: unspaced,
        _DIGIT: character.isdigit(),
        _DECIMAL: character.isdecimal(),
        _CAPITAL: character.isupper(),
        _SYMBOL: (not word and not character.isspace()) or character == "_",
        _COMMA: character in ",，、،",
        _SPACE: character.isspace(),
        _PARTING: character in "|»›·•/",
        _END: character in ENDS,
        _BEHIND_END: character in BEHIND_ENDS or character.isspace(),
        _FULL_STOP: character in FULL_STOPS,
    }
    return _KNOWN | sum(kind for kind, holds in kinds.items() if holds)


def _learn(codes: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Return the kinds of all characters, with those that occur first filled in."""
    table = _kinds()
    for code in np.unique(codes[table[codes] == 0]).tolist():
        table[code] = _kind(chr(code))
    return table


def _counted(kind: int) -> cached_property[FloatArray]:
    return cached_property(lambda counts: counts.count(kind))


def _all_counts(codes: NDArray[np.uint32], lengths: IntColumn, count: Callable[..., bool]) -> dict[str, FloatArray]:
    """Return all columns of :class:`CharacterCounts`, counted in one pass."""
    counts = np.empty((len(lengths), len(_MEASURES)))
    if not count(_kinds(), codes, lengths, counts):
        count(_learn(codes), codes, lengths, counts)
    columns = np.ascontiguousarray(counts.T)
    return {name: column for name, column in zip(_MEASURES, columns, strict=True) if name}


class CharacterCounts:
    """Character counts of some texts."""

    unspaced = _counted(_UNSPACED)  # characters of scripts without spaces
    digits = _counted(_DIGIT)  # digits of any script
    decimals = _counted(_DECIMAL)  # decimal digits
    capitals = _counted(_CAPITAL)  # upper-case letters
    symbols = _counted(_SYMBOL)  # characters that are neither letters, digits nor white space
    commas = _counted(_COMMA)  # commas, including those of Chinese, Japanese and Arabic
    partings = _counted(_PARTING)  # separator characters

    def __init__(self, texts: Sequence[str]) -> None:
        self.lengths: IntColumn = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))
        #: Start of each text among all characters; a line break follows each.
        self.starts: NDArray[np.int64] = np.cumsum(self.lengths + 1, dtype=np.int64) - self.lengths - 1
        joined = "\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass")
        self._codes: NDArray[np.uint32] = np.frombuffer(joined, dtype=np.uint32)
        if arrays.compiled:
            vars(self).update(_all_counts(self._codes, self.lengths, arrays.compiled.count_characters))

    @cached_property
    def _kinds(self) -> NDArray[np.uint16]:
        table = _kinds()
        kinds = table[self._codes]
        return kinds if kinds.all() else _learn(self._codes)[self._codes]

    @cached_property
    def words(self) -> FloatArray:
        """Words as counted by :func:`~blocksight.lexicon.words.count_words`."""
        letter = (self._kinds & _LETTER) != 0
        starts = letter.copy()
        starts[1:] &= ~letter[:-1]
        return self._sum(starts) + self.unspaced

    @cached_property
    def sentences(self) -> FloatArray:
        """Sentence ends as counted by :func:`~blocksight.lexicon.words.count_sentences`."""
        end, full = (self._kinds & _END) != 0, (self._kinds & _FULL_STOP) != 0
        # Of a run of end marks the last counts, if a character follows that may; of full stops the first.
        end[:-1] &= (self._kinds[1:] & _END == 0) & (self._kinds[1:] & _BEHIND_END != 0)
        full[1:] &= ~full[:-1].copy()
        return self._sum(end) + self._sum(full)

    def capitalised(self, most: int) -> FloatArray:
        """Count the first ``most`` space-separated words of each text that start with an upper-case letter."""
        if most == _CAPITALISED_WORDS and "_capitalised" in vars(self):
            counted: FloatArray = vars(self)["_capitalised"]
            return counted
        space = (self._kinds & _SPACE) != 0
        starts = ~space
        starts[1:] &= space[:-1]
        number = np.cumsum(starts)
        before = number[self.starts] - starts[self.starts]
        number -= np.repeat(before, self.lengths + 1)
        return self._sum(starts & (number <= most) & ((self._kinds & _CAPITAL) != 0))

    def count(self, kind: int) -> FloatArray:
        """Return the number of characters of a kind in each text."""
        return self._sum((self._kinds & kind) != 0)

    def _sum(self, marked: NDArray[np.bool_]) -> FloatArray:
        if not len(self.starts):
            return np.zeros(0)
        return np.add.reduceat(marked, self.starts, dtype=np.float64)
