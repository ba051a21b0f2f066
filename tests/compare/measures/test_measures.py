"""Measures on texts whose scores are known from their sources or worked out by hand."""

from dataclasses import replace
from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.system import SystemMetadata
from blocksight.compare.measures.measures import (
    MEASURES,
    best_of,
    cleaneval_score,
    leaf_confusion,
    leaf_reference,
    measure_named,
    shortest,
    snippet_counts,
    word_bag,
    word_sequence,
)
from blocksight.compare.outputs import system_output
from blocksight.gold.pages import GoldMetadata, GoldNodes, GoldPage, GoldSnippets
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.lists(st.sampled_from("a b c d e f. g\n".split(" ")), max_size=30).map(" ".join)


@pytest.mark.parametrize("measure", [word_bag, word_sequence])
def test_nothing_against_something(measure):
    assert measure("", "") == (1.0, 1.0, 1.0)
    assert measure("", "a b") == (0.0, 0.0, 0.0)
    assert measure("a b", "") == (0.0, 0.0, 0.0)


def test_word_bag_and_sequence():
    assert word_bag("a b a", "a c") == (pytest.approx(1 / 3), 1 / 2, pytest.approx(2 / 5))
    assert word_bag("c b a", "a b c").f1 == 1.0
    assert word_sequence("c b a", "a b c") == (pytest.approx(1 / 3),) * 3


def test_words_of_scripts_without_spaces():
    assert word_sequence("世界和平", "世界").precision == 0.5


def test_short_and_best_of_several_golds():
    golds = ("Headline. By me. One two three.", "One two three.", "By me. One two three.")
    assert shortest(golds) == golds[1]
    assert best_of(word_bag, "By me. One two three.", golds).f1 == 1.0
    assert word_bag("By me. One two three.", shortest(golds)).f1 == 0.75


@given(TEXTS, TEXTS)
def test_a_sequence_has_no_more_in_common_than_a_bag(one, other):
    assert word_sequence(one, other).f1 <= word_bag(one, other).f1 + 1e-12
    assert word_sequence(one, other).f1 == pytest.approx(word_sequence(other, one).f1)


@given(TEXTS, TEXTS)
def test_scores_lie_between_0_and_1(one, other):
    for measure in (word_bag, word_sequence):
        assert all(0 <= value <= 1 for value in measure(one, other))
        assert measure(one, one) == (1.0, 1.0, 1.0)
    assert 0 <= cleaneval_score(one, other) <= 1


def test_cleaneval_text_only_is_the_papers_example():
    assert cleaneval_score("the dog", "the dog barked") == pytest.approx(2 / 3)
    assert cleaneval_score("", "") == 1.0
    assert cleaneval_score("a", "b") == 0.0


def test_a_substitution_is_an_insertion_and_a_removal():
    # a, b removed, x inserted, c: 2 of 4 steps are aligned.
    assert cleaneval_score("a b c", "a x c") == pytest.approx(2 / 4)


def test_snippets():
    counts = snippet_counts("One  two\nthree", ["two three", "four"], ["one", "Two", "One two"])
    assert counts == (1, 1, 1, 2)
    pages = np.array([counts, (3, 0, 0, 1)], dtype=float)
    # 4 right, 1 wrong, 1 missed.
    assert measure_named("snippets").summary(pages) == pytest.approx(8 / 10)


@pytest.fixture
def page():
    return bs.parse(
        "<h1>Tide</h1><p>Six words stand in this paragraph.</p><ul><li>First of two items</li><li>Second of two "
        "items</li></ul><p>All rights are reserved by us.</p>"
    )


def by_leaves(page, labelled):
    texts, labels = zip(*labelled, strict=True)
    return leaf_reference(page, GoldPage(corpus="c", id="1", path=Path(), nodes=GoldNodes(texts=texts, labels=labels)))


def test_leaf_confusion(page):
    gold = by_leaves(page, [("Tide", 0), ("Six words stand in this paragraph.", 1), ("not here", 1)])
    assert gold.known.tolist() == [True, True, False, False, False]
    found = leaf_confusion(np.array([True, True, True, False, True]), gold)
    assert (found.accuracy, found.p, found.r) == (0.5, 0.5, 1.0)


def test_uncertain_leaves_are_not_counted(page):
    gold = by_leaves(page, [("Tide", -1), ("Six words stand in this paragraph.", 1), ("First of two items", 0)])
    assert gold.known.tolist() == [False, True, True, False, False]
    assert leaf_confusion(np.array([True, True, False, False, False]), gold).accuracy == 1.0


def test_gold_by_text(page):
    gold = leaf_reference(page, GOLD)
    assert gold.content.tolist() == [True, True, False, False, False]
    assert gold.known.all()
    assert leaf_reference(page, replace(GOLD, texts=())) is None


def test_system_output_text(page):
    found = system_output(page, np.array([True, True, True, True, False]))
    # Without what a document marks the items of lists with.
    everything = bs.extract(page, system="everything").text.replace("- ", "")
    assert found.text == everything.replace("\n\nAll rights are reserved by us.", "")
    with pytest.raises(ValueError, match="2 marks"):
        system_output(page, np.array([True, False]))


GOLD = GoldPage(
    corpus="c",
    id="1",
    path=Path(),
    texts=("Tide\nSix words stand in this paragraph.",),
    snippets=GoldSnippets(must_have=("Six words",), must_not=("rights",)),
    metadata=GoldMetadata(title="Tide times", authors=("Ada Current",), date="5 March 2021"),
    language="en",
)
METADATA = SystemMetadata("Tide Times", ("Ada Current",), "2021-03-05")


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure_is_best_for_a_perfect_prediction(measure, page):
    right = system_output(page, np.array([True, True, False, False, False]))
    wrong = system_output(page, np.array([False, False, False, False, True]))
    right, wrong = replace(right, metadata=METADATA), replace(wrong, metadata=SystemMetadata())
    leaves = by_leaves(page, list(zip(page.leaf_texts, right.marks.tolist(), strict=True)))
    best, worst = (measure.score(one, GOLD, leaves) for one in (right, wrong))
    assert tuple(best) == measure.columns
    assert best[measure.main] == 1.0
    assert worst[measure.main] == 0.0
    pages = np.array([[[scores[name] for name in measure.figures] for scores in (best, worst)]], dtype=float)
    assert 0 < measure.summary(pages)[0] < 1
    assert set(measure.figures) <= set(measure.columns)


def test_measures_by_name():
    assert measure_named("word-sequence").main == "seq_f1"
    with pytest.raises(ValueError, match="there are word-bag"):
        measure_named("zzz")
    assert len({column for measure in MEASURES for column in measure.columns}) == sum(
        len(measure.columns) for measure in MEASURES
    )
