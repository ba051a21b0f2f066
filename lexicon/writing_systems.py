"""Writing system of a text, as in NewsFeed's evaluation (thesis, section 2.4.4.1)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from enum import StrEnum
from functools import lru_cache


class Script(StrEnum):
    """Writing systems: one character per sound, per syllable, or per word or part of a word.

    The thesis counts Chinese among the syllabaries; here it is separate.
    """

    ALPHABET = "alphabet"
    SYLLABARY = "syllabary"
    IDEOGRAPHS = "ideographs"


#: Japanese mixes both: least share of syllables among the East Asian letters of a text that is not Chinese (ours).
LEAST_SYLLABLES = 0.1
_SYLLABIC = ("HIRAGANA", "KATAKANA", "HANGUL", "ETHIOPIC", "CHEROKEE", "YI SYLLABLE", "CANADIAN", "VAI SYLLABLE")


def script_of(text: str) -> Script | None:
    """Return the writing system of most letters of a text; None without letters.

    >>> [str(script_of(text)) for text in ("Hello 世界", "مرحبا", "안녕하세요", "今日は良い天気", "你好世界")]
    ['alphabet', 'alphabet', 'syllabary', 'syllabary', 'ideographs']
    """
    count = Counter(_script(character) for character in text if character.isalpha())
    syllables, ideographs = count[Script.SYLLABARY], count[Script.IDEOGRAPHS]
    if not count.total():
        return None
    if count[Script.ALPHABET] > syllables + ideographs:
        return Script.ALPHABET
    return Script.SYLLABARY if syllables >= LEAST_SYLLABLES * (syllables + ideographs) else Script.IDEOGRAPHS


@lru_cache(maxsize=1 << 14)
def _script(letter: str) -> Script:
    name = unicodedata.name(letter, "")
    if name.startswith(_SYLLABIC):
        return Script.SYLLABARY
    return Script.IDEOGRAPHS if name.startswith("CJK") else Script.ALPHABET
