"""The one tokeniser."""

import random

import pytest
from blocksight.lexicon.words import count_sentences, count_unspaced, count_words, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Two words", ["two", "words"]),
        ("it's 3.5", ["it", "s", "3", "5"]),
        ("世界 is 世", ["世", "界", "is", "世"]),
        ("カタカナ", ["カ", "タ", "カ", "ナ"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("Привет мир", ["привет", "мир"]),
        ("한국어 문장", ["한국어", "문장"]),
    ],
)
def test_words(text, found):
    assert words(text) == found
    assert count_words(text) == len(found)


def test_ascii_words_are_those_of_all_scripts():
    """ASCII texts have an expression of their own; with another script behind them, texts do not."""
    dice = random.Random(8)
    for _ in range(500):
        text = "".join(chr(dice.randrange(128)) for _ in range(dice.randrange(30)))
        assert words(f"{text} 世") == [*words(text), "世"]


def test_unspaced_characters():
    assert count_unspaced("世界 is 世") == 3
    assert count_unspaced("plain") == 0


@pytest.mark.parametrize(
    ("text", "ends"), [("One. Two! Three", 2), ("3.5 is no end", 0), ("一。二？", 2), ("Oh...", 1)]
)
def test_sentences(text, ends):
    assert count_sentences(text) == ends
