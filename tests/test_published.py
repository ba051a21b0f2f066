"""Scores of published benchmarks (``benchmarks/commands/published.py``), worked out by hand."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from blocksight.gold.pages import GoldPage, GoldSnippets


@pytest.fixture
def published(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    return import_module("commands.published")


def gold_of(identity="dev-0001", text=None, must_have=(), must_not=(), **more):
    texts = () if text is None else (text,)
    snippets = GoldSnippets(must_have=tuple(must_have), must_not=tuple(must_not))
    return GoldPage(corpus="c", id=identity, path=Path(), texts=texts, snippets=snippets, **more)


def test_wcxb_by_hand(published):
    gold = gold_of(text="The bar, the tide.", must_have=["THE Bar", "high  water"], must_not=["menu"])
    # Found: the, bar, menu. Of 3 words 2 are right; of the gold's 4 (the twice) 2 are found.
    f1, precision, recall, have, have_not = published.WCXB.page_scores("The bar menu", gold)
    assert (precision, recall) == (pytest.approx(2 / 3), 0.5)
    assert f1 == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    assert (have, have_not) == (0.5, 1.0)


@pytest.mark.parametrize(("prediction", "text", "f1"), [("", "", 1.0), ("a", "", 0.0), ("", "a", 0.0), ("b", "a", 0.0)])
def test_wcxb_of_nothing(published, prediction, text, f1):
    assert published.WCXB.page_scores(prediction, gold_of(text=text))[0] == f1
    # Without snippets their share is 1.
    assert published.WCXB.page_scores(prediction, gold_of(text=text))[3:] == (1.0, 1.0)


def test_wcxb_over_pages_is_the_mean(published):
    assert published.WCXB.summary(np.asarray([[1.0, 1, 1, 1, 0], [0.5, 0.4, 0.6, 0, 0]])).tolist() == [
        0.75,
        0.7,
        0.8,
        0.5,
        0.0,
    ]


def test_types_of_wcxb(published):
    types = [published.WCXB.page_type(gold_of(kind=kind)) for kind in ("category", "", "forum")]
    assert types == ["collection", "article", "forum"]


def test_article_extraction_by_hand(published):
    # Page 1: shingles abcd, bcde found, gold abcd: 1 right, 1 wrong. Page 2: nothing found, a gold of one shingle.
    answers = ("a b c d e", gold_of(text="a b c d")), ("", gold_of(text="x"))
    pages = [published.ARTICLE_EXTRACTION.page_scores(*answer) for answer in answers]
    assert [list(page) for page in pages] == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    # Precision over the page with an answer: 1/2. Recall over both: (1 + 0) / 2. F1 of these two means.
    assert published.ARTICLE_EXTRACTION.summary(np.asarray(pages)).tolist() == [0.5, 0.5, 0.5]


def test_trafilatura_by_hand(published):
    gold = gold_of(must_have=["High water", "noon"], must_not=["Home", "menu"])
    # "high" in lower case is another word; white space is made even.
    page = published.TRAFILATURA.page_scores("High \n water at Noon. Home", gold)
    assert list(page) == [1, 1, 1, 1]
    # With a second page, 3 right, 1 wrong, 1 missed, 1 avoided.
    f1, precision, recall, accuracy = published.TRAFILATURA.summary(np.asarray([page, (2, 0, 0, 0)], dtype=float))
    assert (f1, precision, recall, accuracy) == (0.75, 0.75, 0.75, pytest.approx(4 / 6))
    assert published.TRAFILATURA.summary(np.zeros((1, 4))).tolist() == [0, 0, 0, 0]


def test_each_scores_the_pages_whose_gold_it_needs(published):
    text, snippets = gold_of(text=""), gold_of(must_not=["Home"])
    benchmarks = published.WCXB, published.ARTICLE_EXTRACTION, published.TRAFILATURA
    assert [benchmark.scores(text) for benchmark in benchmarks] == [True, True, False]
    assert [benchmark.scores(snippets) for benchmark in benchmarks] == [False, False, True]


def test_predictions_are_in_the_format_of_each(published):
    golds = [gold_of(url="http://a.b"), gold_of("f0", url=None)]
    texts = {"dev-0001": "one", "f0": "two"}
    assert published.WCXB.predictions(texts, golds) == {"0001": "one", "f0": "two"}
    bodies = {"dev-0001": {"articleBody": "one"}, "f0": {"articleBody": "two"}}
    assert published.ARTICLE_EXTRACTION.predictions(texts, golds) == bodies
    assert published.TRAFILATURA.predictions(texts, golds) == {"http://a.b": "one", "f0": "two"}


def test_two_splits_of_wcxb_have_one_file_each(published):
    with pytest.raises(ValueError, match="score one at a time, FOLDER/dev or FOLDER/test"):
        published.WCXB.predictions({"dev-0001": "one", "test-0001": "two"}, [])
