"""Gold text laid along a page's words."""

import blocksight as bs
import numpy as np
from blocksight.classify.labels import common_subsequence, row_labels
from blocksight.features.counts import count
from hypothesis import given
from hypothesis import strategies as st


def labels(html, gold):
    page = bs.parse(html)
    return row_labels(count(page, bs.text_blocks(page)), gold).tolist()


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
