"""Gold of every kind to labels, worked out by hand on tiny pages."""

from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import LabelledPage
from blocksight.compare.measures.measures import leaf_reference
from blocksight.features.alignment import aligned_marks
from blocksight.features.rows import rows_of
from blocksight.gold.anonymised import Markup
from blocksight.gold.leaf_labels import label_leaves, label_rows
from blocksight.gold.pages import GoldNodes, GoldPage, GoldSnippets
from blocksight.gold.rendered import read_page
from blocksight.train.build_dataset import PageRowStore, Plan
from blocksight.train.shipped import Recipe


def page_gold(**more):
    return GoldPage(**({"corpus": "c", "id": "1", "path": Path()} | more))


def labels(html, gold, **more):
    page = bs.parse(html)
    return label_rows(rows_of(page, bs.text_blocks(page)).texts, gold, **more)


def test_label_rows_by_text():
    html = "<p>The menu of the day</p><h1>Salt</h1><p>The mine is deep and old.</p><p>It was the end</p><p>—</p>"
    found = labels(html, page_gold(texts=("Salt\nThe mine is deep and old.",)))
    # The heading is found by the run "salt the mine"; "the" alone is in no run; the dash has no word.
    assert found.label.tolist() == [0, 1, 1, 0, -1]
    assert found.share[:4].tolist() == [0, 1, 1, 0]


def test_label_rows_threshold():
    html = "<p>one two three four other words stand here</p>"
    gold = page_gold(texts=("one two three four",))
    assert labels(html, gold).share.tolist() == [0.5]
    assert labels(html, gold, threshold=0.5).label.tolist() == [1]
    assert labels(html, gold, threshold=0.6).label.tolist() == [0]


def test_an_empty_gold_text_says_that_nothing_is_content():
    assert labels("<p>one two</p>", page_gold(texts=("",))).label.tolist() == [0]
    assert labels("<p>one two</p>", page_gold()).label.tolist() == [-1]


def test_label_rows_several_texts():
    assert labels("<p>one two three</p>", page_gold(texts=("four", "one two three"))).label.tolist() == [0]


def test_snippets():
    html = "<p>Start</p><p>The long story of the salt mine</p><p>salt mine</p><p>About us</p><p>31 May</p>"
    gold = page_gold(
        snippets=GoldSnippets(must_have=("the salt  mine", "salt mine"), must_not=("About us", "Start", "the"))
    )
    assert labels(html, gold).label.tolist() == [0, 1, -1, 0, -1]


def test_snippets_over_the_border_of_blocks():
    found = labels("<p>one two</p><p>three</p><p>four</p>", page_gold(snippets=GoldSnippets(must_have=("two three",))))
    assert found.label.tolist() == [1, 1, -1]


def test_label_rows_by_nodes():
    html = "<ul><li>Home</ul><p>The mine is <b>deep</b> and old.</p><p>Read it or not</p>"
    gold = page_gold(
        nodes=GoldNodes(texts=("Home", "The mine is", "deep", "and old.", "Read it or"), labels=(0, 1, 1, 1, -1))
    )
    found = labels(html, gold)
    assert found.label.tolist() == [0, 1, -1]
    assert np.isnan(found.share[2])


LEAVES = "<p>Menu of the day</p><p>The <a href=/>old mine</a>, <a href=/>deep</a> and <b>advert</b> wet.</p><p>—</p>"


def test_leaves_have_the_label_of_their_paragraph():
    page = bs.parse(LEAVES)
    found = label_leaves(page, page_gold(texts=("The old mine, deep and wet.",)))
    assert found.tolist() == [0, *[1] * 7, -1]
    assert aligned_marks(page, "The old mine, deep and wet.").tolist() == [False, *[True] * 7, False]
    assert not aligned_marks(page, "").any()
    assert label_leaves(bs.parse("<p>"), page_gold(texts=("a",))).tolist() == []


def test_label_leaves_hidden_text():
    page = bs.parse("<p hidden>one two three</p><p>one two three</p>")
    assert label_leaves(page, page_gold(texts=("one two three",))).tolist() == [-1, 1]


def test_leaves_by_labelled_nodes():
    page = bs.parse("<p>The mine</p><p>***</p><p>is deep and old</p><p>Home</p><p>***</p><p>Perhaps</p><p>else</p>")
    nodes = ("The mine", "***", "is deep", "and old", "Home", "***", "Perhaps")
    gold = page_gold(nodes=GoldNodes(texts=nodes, labels=(1, 1, 1, 1, 0, 0, -1)), texts=("Home",))
    # As they stand there, also leaves without words; cut in another way by their words; uncertain and unknown: neither.
    assert label_leaves(page, gold).tolist() == [1, 1, 1, 0, 0, -1, -1]


def test_uncertain_leaves_are_not_counted_and_pieces_are_known_to_the_measure():
    page = bs.parse("<p>Boil</p><p>fresh water</p><p>Home</p><p>Tea</p>")
    gold = page_gold(nodes=GoldNodes(texts=("Boil fresh water", "Home", "Tea"), labels=(1, 0, -1)))
    found = leaf_reference(page, gold)
    assert found.known.tolist() == [True, True, True, False]
    assert found.content.tolist() == [True, True, False, False]


@pytest.mark.parametrize(("name", "content", "title"), [("news", 19, 1), ("short", 2, 1), ("index", 0, 0)])
def test_one_labelling_for_training_data_sets_and_measures(fixtures, tmp_path, name, content, title):
    text = (fixtures / name / "gold.txt").read_text(encoding="utf-8")
    gold = page_gold(path=fixtures / name / "page.html", texts=(text,), split="train")
    page = read_page(gold)
    work = PageRowStore(pages=[gold], folder=tmp_path, rendered=tmp_path, plan=Plan(static=True, groups=("text",)))
    rows = work.rows(gold)["label"].to_pylist()
    leaves = leaf_reference(page, gold)
    block = bs.text_blocks(page).leaf_block
    measured = len(np.unique(block[leaves.content & leaves.known]))
    learned = len(np.unique(block[LabelledPage(page=page, gold=text).marks]))
    example = Recipe(groups=("text",), rendered=None).rows((gold, Markup.ORIGINAL))
    trained = int(example.labels.sum()) if example else 0
    # The shipped models learn one meaning of content from all corpora: titles are none.
    assert [trained + title, rows.count(1), learned, measured] == [content] * 4
