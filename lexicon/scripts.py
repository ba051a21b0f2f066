"""What a text is written in, as NewsFeed's evaluation tells pages apart (thesis, section 2.4.4.1)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from enum import StrEnum
from functools import lru_cache


class Script(StrEnum):
    """One glyph a sound, one a syllable, or one a word or a part of one.

    The thesis counts Chinese among the syllabaries; here it is apart.
    """

    ALPHABET = "alphabet"
    SYLLABARY = "syllabary"
    IDEOGRAPHS = "ideographs"


#: Japanese mixes both: with at least so many syllables among its East Asian letters a text is no Chinese one (ours).
LEAST_SYLLABLES = 0.1
_SYLLABIC = ("HIRAGANA", "KATAKANA", "HANGUL", "ETHIOPIC", "CHEROKEE", "YI SYLLABLE", "CANADIAN", "VAI SYLLABLE")


def script_of(text: str) -> Script | None:
    """Return what most letters of a text are; None where it has no letter.

    Examples
    --------
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
