"""What texts are written in."""

import pytest
from blocksight.lexicon.writing_systems import Script, script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("It rained on 3 May.", Script.ALPHABET),
        ("ฝนตก", Script.ALPHABET),
        ("שלום עולם", Script.ALPHABET),
        ("비가 왔다", Script.SYLLABARY),
        # One syllable among ten letters is enough, one among eleven is not: a Chinese text may name a Japanese brand.
        ("一二三四五六七八九の", Script.SYLLABARY),
        ("一二三四五六七八九十の", Script.IDEOGRAPHS),
        ("中文 abc", Script.ALPHABET),
        ("中文字 abc", Script.IDEOGRAPHS),
        ("2026: 12 %", None),
        ("", None),
    ],
)
def test_script(text, script):
    assert script_of(text) == script
