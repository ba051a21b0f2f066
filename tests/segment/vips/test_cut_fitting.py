"""Labels of the adaptive cut's training pages (``benchmarks/accuracy.py fit-cut``)."""

from pathlib import Path

import blocksight as bs
import numpy as np
import pytest


@pytest.fixture
def fitting(monkeypatch):
    """The modules of the benchmarks: fitting of the cut, and labelled pages."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    from commands import cut_fitting, labelled_layouts

    return cut_fitting, labelled_layouts


def line(text, y, x=0):
    return (text, (x, y, 300, 20), {})


@pytest.fixture
def page(boxed):
    """Two texts of 10 characters at the left, and one of 20 at the right, far from them: a tree of two levels."""
    left = ("div", (0, 0, 300, 160), [("p", (0, y, 300, 20), [line("a" * 10, y)]) for y in (0, 140)])
    right = ("div", (400, 0, 300, 160), [line("b" * 20, 0, 400)])
    return boxed(("body", (0, 0, 800, 200), [left, right]))


def test_content_example(fitting, page):
    cut_fitting, labelled_layouts = fitting
    blocks = bs.vips(page, pdoc=10)
    assert blocks.parent.tolist() == [-1, 0, 1, 1, 0]
    # The texts at the left are the content.
    content = cut_fitting.content_example(
        labelled_layouts.LabelledPage(name="left", page=page, block=np.asarray([1, 1, 0])), 0.3
    )
    # In the root 20 characters of content meet 20 others: 2 * 20 * 20 ordered pairs, none in one block; inside of the
    # content 2 * 10 * 10 pairs, all in one. Nothing is known of the right one.
    assert content.divide.tolist() == [1, 0, 0, 0, 0]
    assert content.pairs.tolist() == [40, 20, 0, 0, 0]
    assert content.weight == 0.3
    # The text at the right is the content, and nothing is known of the left.
    other = cut_fitting.content_example(
        labelled_layouts.LabelledPage(name="right", page=page, block=np.asarray([0, 0, 1])), 0.3
    )
    assert other.divide.tolist() == [1, 0, 0, 0, 0]
    assert other.pairs.tolist() == [40, 0, 0, 0, 0]


def test_example_of_named_blocks(fitting, page):
    cut_fitting, labelled_layouts = fitting
    # Three blocks: each text is one. In the root 2 * 20 * 20 pairs meet, in the left one 2 * 10 * 10.
    apart = cut_fitting.example(
        labelled_layouts.LabelledPage(name="three", page=page, block=np.asarray([0, 1, 2])), 1.0
    )
    assert apart.divide.tolist() == [1, 1, 0, 0, 0]
    # One of the texts at the left is in a block with the right one: half of the pairs in the root.
    half = cut_fitting.example(labelled_layouts.LabelledPage(name="two", page=page, block=np.asarray([0, 1, 1])), 1.0)
    assert half.divide.tolist() == [0.5, 1, 0, 0, 0]
    everywhere = cut_fitting.CutTrees(
        feature=np.asarray([-1], dtype=np.int16),
        threshold=np.zeros(1),
        children=np.full((1, 2), -1, dtype=np.int32),
        value=np.ones(1),
        root=np.zeros(1, dtype=np.int32),
        base=0.0,
    )
    assert cut_fitting.cut_scores(half, everywhere)[0] == 1


def test_cut_trees_of_fitted_models(fitting):
    """Scores are scikit-learn's, less the caution."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    cut_fitting, _ = fitting
    dice = np.random.default_rng(3)
    features = dice.normal(size=(300, 4)).astype(np.float32).astype(np.float64)
    models = [
        HistGradientBoostingClassifier(max_iter=count, max_leaf_nodes=6, early_stopping=False, random_state=0)
        for count in (10, 20)
    ]
    for model in models:
        model.fit(features, features[:, 0] * features[:, 1] > 0)
    expected = np.mean([model.decision_function(features) for model in models], axis=0) - cut_fitting.CAUTION
    assert cut_fitting.cut_trees(models).score(features) == pytest.approx(expected, abs=1e-4)
