"""Gold text laid along a page's words."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.alignment import alignment, common_subsequence, in_runs, leaves_of_text, word_shares
from hypothesis import given
from hypothesis import strategies as st


def test_common_subsequence_by_hand():
    # a b c d against b d: b and d.
    assert common_subsequence(list("abcd"), list("bd")).tolist() == [False, True, False, True]
    assert common_subsequence(list("ab"), []).tolist() == [False, False]
    assert common_subsequence([], list("ab")).tolist() == []


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_common_subsequence_is_one_and_the_longest(first, second):
    marked = [word for word, mark in zip(first, common_subsequence(first, second), strict=True) if mark]
    rest = iter(second)
    assert all(word in rest for word in marked)
    table = np.zeros((len(first) + 1, len(second) + 1), dtype=int)
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            table[i + 1, j + 1] = table[i, j] + 1 if one == other else max(table[i, j + 1], table[i + 1, j])
    assert len(marked) == table[-1, -1]


def test_common_subsequence_prefers_runs():
    page = "the ferry is back menu the ferry is back on monday and on".split()
    assert alignment(page, "the ferry is back on monday".split()).tolist() == [-1] * 5 + [0, 1, 2, 3, 4, 5, -1, -1]
    # One run after the other moves to what continues it: "back" to "on", "is" to "back".
    assert alignment("is x back y is back on".split(), "is back on".split()).tolist() == [-1] * 4 + [0, 1, 2]
    # A run with other words than those before its continuation stays.
    assert alignment("is back menu was back on".split(), "is back on".split()).tolist() == [0, 1, -1, -1, -1, 2]


def test_a_headline_does_not_match_the_sentence_that_repeats_it():
    texts = ["The ferry goes back to work", "The ferry goes back to work, as he said."]
    assert word_shares(texts, texts[1]).tolist() == [0, 1]
    assert word_shares(texts, " ".join(texts)).tolist() == [1, 1]


def test_runs_by_hand():
    page, gold = list("xabcxbc"), list("abc")
    assert in_runs(page, gold).tolist() == [False, True, True, True, False, False, False]
    assert in_runs(list("ab"), ["b"]).tolist() == [False, True]
    assert in_runs(list("ab"), []).tolist() == [False, False]


def test_shares_of_words_by_hand():
    texts = ["Home news the mat", "Salt", "It is a cat on the mat.", "—"]
    # "the mat" alone is in no run of three; the heading is, with what follows; "it is" is not in the gold.
    assert word_shares(texts, "Salt a cat on the mat").tolist()[:1] == [0]
    assert word_shares(texts, "Salt it is a dog").tolist() == pytest.approx([0, 1, 3 / 7, np.nan], nan_ok=True)
    assert word_shares(["a b", ""], "").tolist() == pytest.approx([0, np.nan], nan_ok=True)


def test_shares_where_the_subsequence_would_take_too_long(monkeypatch):
    texts = ["a b c", "d e f", "a b c"]
    assert word_shares(texts, "d e f a b c").tolist() == [0, 1, 1]
    monkeypatch.setattr("blocksight.features.alignment.MOST_CELLS", 0)
    assert word_shares(texts, "d e f a b c").tolist() == [1, 1, 1]


def marked(html, text):
    """The texts of the leaves that a text was taken from."""
    page = bs.parse(html)
    return [leaf.strip() for leaf, mark in zip(page.leaf_texts, leaves_of_text(page, text), strict=True) if mark]


def test_leaves_of_a_text():
    html = "<a>home</a><h1>Rain</h1><p>Rain <b>today</b> and <i>tomorrow</i>.</p><p>More rain than ever.</p><a>news</a>"
    text = "Rain\nRain today and tomorrow.\nMore rain than ever."
    assert marked(html, text) == ["Rain", "Rain", "today", "and", "tomorrow", ".", "More rain than ever."]


def test_leaves_of_text_repeated():
    teaser = "Rain is on its way to the coast."
    html = f"<div>{teaser}</div><a>one link</a><h1>Weather today</h1><p>{teaser}</p><p>It will be wet all day.</p>"
    page = bs.parse(html)
    assert leaves_of_text(page, f"Weather today\n{teaser}\nIt will be wet all day.").tolist() == [0, 0, 1, 1, 1]


def test_leaves_of_text_reordered():
    first, second = "Rain is on its way to the coast.", "Nobody there has ever seen such a thing as rain before."
    html = f"<p>{first}</p><p>other words in between them</p><p>{second}</p>"
    assert marked(html, f"{second}\n{first}") == [first, second]


def test_leaves_of_text_half_of_a_leaf():
    assert marked("<p>one two three four five six</p>", "two three four") == ["one two three four five six"]
    assert marked("<p>one two three four five six seven</p>", "two three four") == []


def test_leaves_without_words():
    html = "<p>one two three</p><p>***</p><p>four five six</p><p>---</p><p>seven eight nine</p><p>+++</p>"
    assert marked(html, "one two three four five six") == ["one two three", "***", "four five six"]


def test_texts_of_few_words():
    assert marked("<p>Closed</p><p>Open</p>", "closed") == ["Closed"]
    assert marked("<p>Closed</p>", "") == []
    assert marked("<p>Closed</p>", "...") == []


def test_pages_too_large_for_the_subsequence(monkeypatch):
    first, second = "Rain is on its way to the coast.", "Nobody there has ever seen rain."
    html = f"<p>{first}</p><p>other words in between them</p><p>{second}</p><p>{first}</p>"
    monkeypatch.setattr("blocksight.features.alignment.MOST_CELLS", 0)
    # By what is left over alone: the first of two that say the same.
    assert bs.parse(html).leaf_texts[3] == first
    assert leaves_of_text(bs.parse(html), f"{second}\n{first}").tolist() == [1, 0, 1, 0]
