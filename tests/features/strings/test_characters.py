"""Counts of characters agree with what counts them one text at a time."""

import re

import numpy as np
import pytest
from blocksight.features.strings.characters import CharacterCounts
from blocksight.lexicon.words import count_sentences, count_unspaced, count_words
from hypothesis import given
from hypothesis import strategies as st

TEXTS = [
    "Tea, 12 cups; Milk!",
    "",
    "世界、你好。",
    'A_b c\'s 3.5 … "So?" Yes.',
    "one\ntwo  \x85three",
    "٣ ½ Ünï\u200bt",
    "..x. y.)",
]


def counted(texts):
    signs = CharacterCounts(texts)
    names = "words unspaced digits decimals capitals symbols commas partings lengths".split()
    return {name: np.asarray(getattr(signs, name)).tolist() for name in names}


def one_by_one(texts):
    return {
        "words": [count_words(text) for text in texts],
        "unspaced": [count_unspaced(text) for text in texts],
        "digits": [sum(map(str.isdigit, text)) for text in texts],
        "decimals": [sum(map(str.isdecimal, text)) for text in texts],
        "capitals": [sum(map(str.isupper, text)) for text in texts],
        "symbols": [len(re.findall(r"[^\w\s]|_", text)) for text in texts],
        "commas": [len(re.findall("[,，、،]", text)) for text in texts],
        "partings": [len(re.findall("[|»›·•/]", text)) for text in texts],
        "lengths": [len(text) for text in texts],
    }


def test_by_hand():
    signs = CharacterCounts(["Tea, 12 cups; Milk!", "世界。"])
    assert signs.words.tolist() == [4, 2]
    assert signs.capitals.tolist() == [2, 0]
    assert signs.digits.tolist() == [2, 0]
    assert signs.sentences.tolist() == [1, 1]
    assert signs.starts.tolist() == [0, 20]


def test_like_one_text_at_a_time():
    assert counted(TEXTS) == one_by_one(TEXTS)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=6))
def test_like_one_text_at_a_time_for_any_texts(texts):
    assert counted(texts) == one_by_one(texts)


LINES = st.text(st.sampled_from(" .!?…\"'»)]。؟aZ1"), max_size=14).map(lambda text: " ".join(text.split()))


@given(st.lists(LINES, max_size=6))
def test_ends_of_sentences(texts):
    assert CharacterCounts(texts).sentences.tolist() == [count_sentences(text) for text in texts]


@pytest.mark.parametrize(("most", "wanted"), [(60, [2, 0]), (3, [1, 0]), (1, [1, 0])])
def test_capitalised(most, wanted):
    assert CharacterCounts(["The tide is High", " (So) it 'Is"]).capitalised(most).tolist() == wanted


def test_no_texts():
    assert CharacterCounts([]).words.tolist() == []
    assert CharacterCounts([]).capitalised(3).tolist() == []


def test_lone_surrogates():
    assert CharacterCounts(["a\ud800b"]).words.tolist() == [count_words("a\ud800b")]
