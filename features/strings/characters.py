"""What the characters of texts are, counted for all texts of a page at once.

Each character is looked up in one table that the process fills as it meets new ones; words, digits, commas and the like
are then sums over columns, whatever the number of texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import BEHIND_ENDS, ENDS, FULL_STOPS, UNSPACED
from ...page.arrays import FloatArray, IntColumn

#: A bit for each kind of character; the first says that its kinds are known.
_KNOWN, _LETTER, _UNSPACED, _DIGIT, _DECIMAL, _CAPITAL, _SYMBOL = (1 << bit for bit in range(7))
_COMMA, _PAUSE, _SPACE, _PARTING, _END, _BEHIND_END, _FULL_STOP = (1 << bit for bit in range(7, 14))
_OF_UNSPACED = re.compile(f"[{UNSPACED}]")
_OF_WORDS = re.compile(r"\w")
_CHARACTERS = 0x110000


@cache
def _kinds() -> NDArray[np.uint16]:
    """uint16 (characters,): the kinds of each character, 0 for those that no text had so far."""
    return np.zeros(_CHARACTERS, dtype=np.uint16)


def _kind(character: str) -> int:
    unspaced = _OF_UNSPACED.match(character) is not None
    word = _OF_WORDS.match(character) is not None
    of = {
        _LETTER: word and not unspaced,
        _UNSPACED: unspaced,
        _DIGIT: character.isdigit(),
        _DECIMAL: character.isdecimal(),
        _CAPITAL: character.isupper(),
        _SYMBOL: (not word and not character.isspace()) or character == "_",
        _COMMA: character in ",，、",
        _PAUSE: character in ",，、،;；",
        _SPACE: character.isspace(),
        _PARTING: character in "|»›·•/",
        _END: character in ENDS,
        _BEHIND_END: character in BEHIND_ENDS or character.isspace(),
        _FULL_STOP: character in FULL_STOPS,
    }
    return _KNOWN | sum(kind for kind, holds in of.items() if holds)


class CharacterCounts:
    """The characters of some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.lengths: IntColumn = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))
        #: Where each text begins among all characters; a line end stands behind each.
        self.starts: NDArray[np.int64] = np.cumsum(self.lengths + 1, dtype=np.int64) - self.lengths - 1
        joined = "\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass")
        codes = np.frombuffer(joined, dtype=np.uint32)
        table = _kinds()
        self._kinds = table[codes]
        new = codes[self._kinds == 0]
        if len(new):
            for code in np.unique(new).tolist():
                table[code] = _kind(chr(code))
            self._kinds = table[codes]

    @cached_property
    def words(self) -> FloatArray:
        """Words as :func:`~blocksight.lexicon.words.count_words` counts them."""
        letter = (self._kinds & _LETTER) != 0
        begins = letter.copy()
        begins[1:] &= ~letter[:-1]
        return self._added(begins) + self.unspaced

    @cached_property
    def sentences(self) -> FloatArray:
        """Ends of sentences as :func:`~blocksight.lexicon.words.count_sentences` counts them."""
        end, full = (self._kinds & _END) != 0, (self._kinds & _FULL_STOP) != 0
        # Runs of signs: the last of each, with what stands behind it, or the first of each.
        end[:-1] &= (self._kinds[1:] & _END == 0) & (self._kinds[1:] & _BEHIND_END != 0)
        full[1:] &= ~full[:-1].copy()
        return self._added(end) + self._added(full)

    @cached_property
    def unspaced(self) -> FloatArray:
        """Characters of scripts without spaces."""
        return self._of(_UNSPACED)

    @cached_property
    def digits(self) -> FloatArray:
        """Digits of any script."""
        return self._of(_DIGIT)

    @cached_property
    def decimals(self) -> FloatArray:
        """Digits that numbers are written with."""
        return self._of(_DECIMAL)

    @cached_property
    def capitals(self) -> FloatArray:
        """Upper-case letters."""
        return self._of(_CAPITAL)

    @cached_property
    def symbols(self) -> FloatArray:
        """What is neither letter, digit nor white space."""
        return self._of(_SYMBOL)

    @cached_property
    def commas(self) -> FloatArray:
        """Commas, also those of Chinese and Japanese."""
        return self._of(_COMMA)

    @cached_property
    def pauses(self) -> FloatArray:
        """Commas of any script, and semicolons."""
        return self._of(_PAUSE)

    @cached_property
    def partings(self) -> FloatArray:
        """CharacterCounts that set parts off."""
        return self._of(_PARTING)

    def capitalised(self, most: int) -> FloatArray:
        """Pieces between white space that begin with an upper-case letter, among the first ones of each text."""
        space = (self._kinds & _SPACE) != 0
        begins = ~space
        begins[1:] &= space[:-1]
        number = np.cumsum(begins)
        before = number[self.starts] - begins[self.starts]
        number -= np.repeat(before, self.lengths + 1)
        return self._added(begins & (number <= most) & ((self._kinds & _CAPITAL) != 0))

    def _of(self, kind: int) -> FloatArray:
        return self._added((self._kinds & kind) != 0)

    def _added(self, marked: NDArray[np.bool_]) -> FloatArray:
        """Count what is marked in each text."""
        if not len(self.starts):
            return np.zeros(0)
        found: FloatArray = np.add.reduceat(marked, self.starts, dtype=np.float64)
        return found
