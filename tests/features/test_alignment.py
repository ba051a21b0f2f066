"""Gold text laid along a page's words."""

import blocksight as bs
import numpy as np
from blocksight.features.alignment import common_subsequence, leaf_labels, row_labels
from blocksight.features.rows import rows_of
from hypothesis import given
from hypothesis import strategies as st


def labels(html, gold):
    page = bs.parse(html)
    return row_labels(rows_of(page, bs.text_blocks(page)), gold).tolist()


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


def test_paragraphs_of_the_gold_are_content():
    html = "<p>Home News Sport About</p><p>The cat sat on the mat.</p><p>It was a red mat.</p><p>Cat news on Home</p>"
    assert labels(html, "The cat sat on the mat. It was a red mat.") == [False, True, True, False]


def test_a_short_block_counts_beside_content_only():
    text = "<p>They sat on the red mat</p>"
    assert labels("<p>Menu</p><p>Cats</p>" + text, "Cats They sat on the red mat") == [False, True, True]
    apart = "<p>Cats</p><p>Nothing here of that kind</p>" + text
    assert labels(apart, "Cats They sat on the red mat") == [False, False, True]


def test_no_gold_no_content():
    assert labels("<p>a b c d</p>", "") == [False]


def marked(html, text):
    """The texts of the leaves that a text was taken from."""
    page = bs.parse(html)
    return [leaf.strip() for leaf, mark in zip(page.leaf_texts, leaf_labels(page, text), strict=True) if mark]


def test_leaves_of_a_text():
    html = "<a>home</a><h1>Rain</h1><p>Rain <b>today</b> and <i>tomorrow</i>.</p><p>More rain than ever.</p><a>news</a>"
    text = "Rain\nRain today and tomorrow.\nMore rain than ever."
    assert marked(html, text) == ["Rain", "Rain", "today", "and", "tomorrow", ".", "More rain than ever."]


def test_of_two_that_say_the_same_one_is_taken():
    teaser = "Rain is on its way to the coast."
    html = f"<div>{teaser}</div><a>one link</a><h1>Weather today</h1><p>{teaser}</p><p>It will be wet all day.</p>"
    page = bs.parse(html)
    assert leaf_labels(page, f"Weather today\n{teaser}\nIt will be wet all day.").tolist() == [0, 0, 1, 1, 1]


def test_what_the_text_has_moved():
    first, second = "Rain is on its way to the coast.", "Nobody there has ever seen such a thing as rain before."
    html = f"<p>{first}</p><p>other words in between them</p><p>{second}</p>"
    assert marked(html, f"{second}\n{first}") == [first, second]


def test_a_leaf_half_of_which_is_taken():
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
    monkeypatch.setattr("blocksight.features.alignment._LARGEST", 0)
    # By what is left over alone: the first of two that say the same.
    assert bs.parse(html).leaf_texts[3] == first
    assert leaf_labels(bs.parse(html), f"{second}\n{first}").tolist() == [1, 0, 1, 0]
