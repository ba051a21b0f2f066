"""Names of elements are read once each, and their words once."""

from blocksight import parse
from blocksight.page.name_flags import LONGEST_CACHED, cache_names, cache_words, name_flags

PAGE = parse("<p class='red big' id=x>a<p class='red big'>b<p class=' big\nsmall '>c<p id=red>d")


def test_bits_of_all_words():
    bits = {"red": 1, "big": 2, "small": 4, "x": 8}
    found = name_flags(PAGE, ("class", "id"), cache_names(bits.__getitem__))
    assert found[PAGE.has_tag("p")].tolist() == [11, 3, 6, 1]
    assert not found[~PAGE.has_tag("p")].any()


def test_each_name_is_read_once():
    calls = []
    flags_of = cache_names(lambda word: calls.append(word) or 0)
    for _ in range(2):
        name_flags(PAGE, ("class",), flags_of)
    assert sorted(calls) == ["big", "big", "red", "small"]


def test_long_names_are_cut():
    assert name_flags(PAGE, ("class",), cache_names(len, 5))[PAGE.has_tag("p")].tolist() == [3 | 1, 3 | 1, 3, 0]


def test_flags_of_words_are_cached_but_not_those_of_long_words():
    calls = []
    length = cache_words(lambda word: calls.append(word) or len(word))
    assert [length("tide"), length("tide")] == [4, 4]
    assert calls == ["tide"]
    longest, too_long = "x" * LONGEST_CACHED, "x" * (LONGEST_CACHED + 1)
    for word in (longest, longest, too_long, too_long):
        length(word)
    assert calls == ["tide", longest, too_long, too_long]
