"""Gold paragraphs and the nodes that match them, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.fiasco.dice import clean_leaves

HTML = "<body><div><p>a b c d</p><p>e f <b>g</b></p></div><p>x y z</p></body>"


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        # The first paragraph is one of the gold; the div around it, 2 * 4 / (4 + 7) = .73, is not the best.
        ("a b c d", [True, False, False, False]),
        # 2 * 2 / (4 + 2) = .67 is enough, 2 * 2 / (4 + 5) = .44 is not.
        ("a b", [True, False, False, False]),
        ("a b q r s", [False] * 4),
        # The div holds all seven words: what is in it is clean.
        ("a b c d e f g", [True, True, True, False]),
        # A word that stands twice counts once where the page has it once: 2 * 4 / (4 + 14) = .44.
        ("a b c d a b c d a b c d a b", [False] * 4),
        # Two paragraphs of the gold.
        ("e f g\nx y z", [False, True, True, True]),
        ("", [False] * 4),
    ],
)
def test_overlap(gold, expected):
    assert clean_leaves(bs.parse(HTML), gold).tolist() == expected


def test_the_threshold_and_hidden_text():
    assert clean_leaves(bs.parse(HTML), "a b", least=0.7).tolist() == [False] * 4
    page = bs.parse("<div><p>one two three four five six</p><p hidden>one two</p></div>")
    assert clean_leaves(page, "one two\none two three four five six").tolist() == [True, False]


def test_no_text():
    assert clean_leaves(bs.parse("<div><img></div>"), "a b").shape == (0,)
    assert np.array_equal(clean_leaves(bs.parse("<p>a b"), "one"), [False])
