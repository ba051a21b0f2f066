"""WCC's tree, language models and genetic programming, by hand."""

import re
import time
from random import Random

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import LabelledPage, Learned
from blocksight.classify.systems.wcc import (
    TAGS,
    WccGenetic,
    WccLm,
    WccTree,
    best_threshold,
    decide,
    divergence,
    expression,
    features,
    mutated,
    paragraph_rows,
    query_of,
    source_lines,
)
from blocksight.errors import ModelMismatch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier


def test_tree_features():
    matrix = features(paragraph_rows(bs.parse("<body><p>Boats sail, Boats return.</p><h2>One Two</h2></body>")))
    # Four words, two capitalised, two marks of punctuation; then two capitalised words without any.
    assert matrix[:, :3].tolist() == [[4, 0.5, 2], [2, 1, 2]]
    assert [TAGS[int(np.argmax(row))] for row in matrix[:, 3:]] == ["p", "h2"]


def test_the_tree_takes_a_character_for_a_word_where_words_are_not_spaced():
    # Seven characters and one word with a capital; two marks.
    matrix = features(paragraph_rows(bs.parse("<p>船在 Ytres 岸边，很旧了。</p>")))
    assert matrix[0, :3].tolist() == [8, 1 / 8, 4]


def test_a_tree_by_hand():
    # More than 9.5 words: content if the parent is p (column 3).
    learned = Learned(
        system="wcc-tree",
        arrays={
            "feature": np.asarray([0, -2, 3, -2, -2]), "threshold": np.asarray([9.5, 0, 0.5, 0, 0]),
            "children": np.asarray([[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]]),
            "value": np.asarray([0.5, 0.1, 0.5, 0.2, 0.9]),
        },
    )  # fmt: skip
    page = bs.parse("<p>few words</p><p>one two three four five six seven eight nine ten</p><li>" + "word " * 12)
    assert WccTree(model=learned).mark(page).tolist() == [False, True, False]


def test_walking_the_tree_is_what_scikit_learn_does():
    random = np.random.default_rng(0)
    matrix = random.random((400, 3))
    labels = (matrix[:, 0] > 0.5) ^ (matrix[:, 1] > 0.3)
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(matrix, labels)
    arrays = {
        "feature": tree.tree_.feature, "threshold": tree.tree_.threshold, "value": tree.tree_.value[:, 0, 1],
        "children": np.stack([tree.tree_.children_left, tree.tree_.children_right], axis=1),
    }  # fmt: skip
    found = decide(Learned(system="wcc-tree", arrays=arrays), matrix)
    np.testing.assert_allclose(found, tree.predict_proba(matrix)[:, 1])


def test_one_label_only(made):
    page = made(1)[0].page
    nothing = WccTree().learn([LabelledPage(page=page, gold="zzz", site="a")])
    assert not nothing.mark(page).any()


def test_the_query_is_title_and_headings():
    page = bs.parse("<title>Old boats</title><h1>Boats</h1><p>text</p><h3>Harbour</h3><h5>small</h5>")
    assert query_of(page) == ["old", "boats", "boats", "harbour"]


def test_divergence_by_hand():
    # The query is "x" alone. The page with its title: x three times of six words.
    page = bs.parse("<title>x</title><p>x x</p><p>a b c</p>")
    found = divergence(paragraph_rows(page), 0.5)
    # e(x) is half of the element's share of x and half of the page's: .75 and .25; less ln(.5 / e).
    assert found == pytest.approx([np.log(0.5 / 0.75), np.log(0.5 / 0.25)])
    assert divergence(paragraph_rows(bs.parse("<p>a b")), 0.5) is None


def test_without_a_query_all_is_kept():
    fitted = Learned(system="wcc-lm", arrays={"threshold": np.asarray(-9.0)}, settings={"own": 0.5})
    assert WccLm(model=fitted).mark(bs.parse("<p>a b</p><p>c d</p>")).all()
    assert not WccLm(model=fitted).mark(bs.parse("<title>a</title><p>a b</p><p>c d</p>")).any()


def test_the_best_threshold():
    values, sizes = np.asarray([3.0, 1.0, 2.0, 2.0]), np.asarray([9.0, 4.0, 1.0, 2.0])
    # Up to 1: F1 2 * 4 / (4 + 6); up to 2: 2 * 6 / (7 + 6), the best; all: 2 * 6 / (16 + 6).
    threshold = best_threshold(values, sizes, np.asarray([0.0, 4.0, 0.0, 2.0]))
    assert 2.0 < threshold < 2.1
    assert best_threshold(np.zeros(0), np.zeros(0), np.zeros(0)) == 0.0


def test_source_lines():
    page = bs.parse('<body><div class="Main Text" id=x><ul><li>one <b>two</b></li></ul></div></body>')
    assert source_lines(paragraph_rows(page)) == ['<div "main text x"><ul ""><li "">one two']


def test_or_of_leaves_by_hand():
    tree = {"tree": [["^<.*<p ", "©"], [r"[.]$", ""]]}
    page = bs.parse("<p>kept</p><p>© not</p><div>kept too.</div><div>not</div>")
    marks = WccGenetic(model=Learned(system="wcc-genetic", arrays={}, settings=tree)).mark(page)
    assert marks.tolist() == [True, False, True, False]


def test_a_broken_tree_is_named():
    for tree in ([["(", ""]], [["a"]], 7):
        broken = Learned(system="wcc-genetic", arrays={}, settings={"tree": tree})
        with pytest.raises(ModelMismatch, match="no valid tree of expressions"):
            WccGenetic(model=broken).mark(bs.parse("<p>a"))


def test_evolution_gains_points_and_says_so(made):
    said = []
    WccGenetic(generations=6, population=12, say=said.append).learn(made(20))
    points = [int(line.split()[4]) for line in said]
    assert len(points) == 6
    assert points == sorted(points)
    assert points[-1] > 0


def test_another_seed_is_another_evolution(made):
    small = {"generations": 3, "population": 8}
    trees = [WccGenetic(seed=seed, **small).learn(made(10)).model.settings for seed in (0, 0, 1)]
    assert trees[0] == trees[1] != trees[2]


@given(st.integers(0, 10_000))
def test_expressions_compile_and_are_quick(seed):
    random = Random(seed)
    for pattern in (expression(random), mutated(expression(random), random)):
        began = time.process_time()
        re.search(pattern, '<div "' + "a" * 2000 + '"><p "">' + "word, " * 200)
        assert time.process_time() - began < 5


@pytest.mark.parametrize("own", [-1.5, 0.0, 1.0, 1e300])
def test_a_share_that_is_none_is_a_damaged_model(own):
    learned = Learned(system="wcc-lm", arrays={"threshold": np.asarray(0.0)}, settings={"own": own})
    with pytest.raises(bs.ModelMismatch, match="own"):
        WccLm(model=learned).mark(bs.parse("<title>a b</title><p>a c"))
