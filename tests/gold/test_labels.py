"""Gold of every kind to labels, worked out by hand on tiny pages."""

from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.corpora import GoldPage
from blocksight.features.rows import rows_of
from blocksight.gold.labels import gold_marks, in_runs, row_gold


def page_gold(**more):
    fields = {"corpus": "c", "id": "1", "path": Path(), "url": None, "site": "s", "encoding": None, "split": "dev"}
    return GoldPage(**({"text": ""} | fields | more))


def labels(html, gold, **more):
    page = bs.parse(html)
    return row_gold(rows_of(page, bs.text_blocks(page)), gold, **more)


def test_runs_by_hand():
    page, gold = list("xabcxbc"), list("abc")
    assert in_runs(page, gold).tolist() == [False, True, True, True, False, False, False]
    assert in_runs(list("ab"), ["b"]).tolist() == [False, True]
    assert in_runs(list("ab"), []).tolist() == [False, False]


def test_words_of_the_gold_along_the_page():
    html = "<p>The menu of the day</p><h1>Salt</h1><p>The mine is deep and old.</p><p>It was the end</p><p>—</p>"
    found = labels(html, page_gold(text="Salt\nThe mine is deep and old."))
    # The heading is found by the run "salt the mine"; "the" alone is in no run; the dash has no word.
    assert found.label.tolist() == [0, 1, 1, 0, -1]
    assert found.share[:4].tolist() == [0, 1, 1, 0]


def test_the_gold_as_marks_on_leaves():
    html = "<p>Menu</p><p>The <a href=/>old mine</a>, <a href=/>deep</a> and <b>Advert</b> wet.</p><p>—</p>"
    page = bs.parse(html)
    marked = gold_marks(page, "The old mine, deep and wet.")
    assert [text.strip() for text, mark in zip(page.leaf_texts, marked, strict=True) if mark] == [
        "The", "old mine", ",", "deep", "and",
    ]  # fmt: skip
    assert not gold_marks(page, "").any()
    assert gold_marks(bs.parse("<p>"), "a").tolist() == []


def test_the_threshold_is_a_share_of_the_words():
    html = "<p>one two three four other words stand here</p>"
    gold = page_gold(text="one two three four")
    assert labels(html, gold).share.tolist() == [0.5]
    assert labels(html, gold, threshold=0.5).label.tolist() == [1]
    assert labels(html, gold, threshold=0.6).label.tolist() == [0]


def test_dice_by_hand():
    html = "<p>one two three</p><p>one one five</p><p>six</p><p>—</p>"
    found = labels(html, page_gold(text="one two three four\none"), align="dice")
    # 2·3/(3+4) with the first line; with both, 2·2/(3+5), with the second alone 2·1/(3+1); nothing in common.
    assert found.share.tolist() == pytest.approx([6 / 7, 0.5, 0, np.nan], nan_ok=True)


def test_wrapped_lines_of_the_gold_are_joined():
    found = labels("<p>a b c d e f</p><p>menu</p>", page_gold(text="x\na b\nc d\ne f\ny"), align="dice")
    assert found.share.tolist() == [1, 0]


def test_an_empty_gold_text_says_that_nothing_is_content():
    assert labels("<p>one two</p>", page_gold()).label.tolist() == [0]


def test_snippets():
    html = "<p>Start</p><p>The long story of the salt mine</p><p>salt mine</p><p>About us</p><p>31 May</p>"
    gold = page_gold(must_have=("the salt  mine", "salt mine"), must_not=("About us", "Start", "the"))
    assert labels(html, gold).label.tolist() == [0, 1, -1, 0, -1]


def test_snippets_over_the_border_of_blocks():
    found = labels("<p>one two</p><p>three</p><p>four</p>", page_gold(must_have=("two three",)))
    assert found.label.tolist() == [1, 1, -1]


def test_labels_of_nodes_need_not_be_cut_like_the_blocks():
    html = "<ul><li>Home</ul><p>The mine is <b>deep</b> and old.</p><p>Read it or not</p>"
    gold = page_gold(node_texts=("Home", "The mine is", "deep", "and old.", "Read it or"), node_labels=(0, 1, 1, 1, -1))
    found = labels(html, gold)
    assert found.label.tolist() == [0, 1, -1]
    assert np.isnan(found.share[2])
