"""The names of elements are read once each, and their words once."""

from blocksight import parse
from blocksight.features.strings.name_flags import KNOWN_WORDS, LONGEST_KNOWN, name_flags, remembered

PAGE = parse("<p class='red big' id=x>a<p class='red big'>b<p class=' big\nsmall '>c<p id=red>d")


def test_bits_of_all_words():
    bits = {"red": 1, "big": 2, "small": 4, "x": 8}
    found = name_flags(PAGE, ("class", "id"), bits.__getitem__)
    assert found[PAGE.has_tag("p")].tolist() == [11, 3, 6, 1]
    assert not found[~PAGE.has_tag("p")].any()


def test_each_name_is_read_once():
    asked = []
    name_flags(PAGE, ("class",), lambda word: asked.append(word) or 0)
    assert sorted(asked) == ["big", "big", "red", "small"]


def test_long_names_are_cut():
    assert name_flags(PAGE, ("class",), len, 5)[PAGE.has_tag("p")].tolist() == [3 | 1, 3 | 1, 3, 0]


def test_words_are_remembered_up_to_a_number():
    asked = []
    known = remembered(lambda word: asked.append(word) or len(word))
    assert [known("tide"), known("tide")] == [4, 4]
    assert asked == ["tide"]
    long = "x" * (LONGEST_KNOWN + 1)
    known(long)
    known(long)
    assert asked == ["tide", long, long]
    for number in range(KNOWN_WORDS):
        known(str(number))
    asked.clear()
    known(str(KNOWN_WORDS - 1))
    assert asked == [str(KNOWN_WORDS - 1)]
