"""Support vector svms fitted to rows, and their scores on sites not seen."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.classify.model.svm import RbfSvm, standardise
from blocksight.train.examples import NoExamples
from blocksight.train.grid_search import cross_validate, draw_sample, fit_svm, score_rows
from blocksight.train.settings import Fitting, Setting, grid
from sklearn.svm import SVC


def test_drawing_by_weight_keeps_sums_on_average():
    weight = np.concatenate([np.full(50, 10.0), np.full(2000, 0.5)])
    rows, represents = draw_sample(np.arange(2050), weight, 300, seed=1)
    assert 250 < len(rows) < 350
    assert (rows[:50] == np.arange(50)).all()
    assert represents[:50].tolist() == [10.0] * 50
    assert represents.sum() == pytest.approx(weight.sum(), rel=0.1)
    same, all_of_it = draw_sample(np.arange(3), np.ones(3), 300, seed=1)
    assert (same.tolist(), all_of_it.tolist()) == ([0, 1, 2], [1, 1, 1])


def test_scores_by_hand(rows):
    some = rows([1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1])
    found = score_rows(some, np.array([1.0, -1.0, 2.0, -2.0]))
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.5, 0.5, 0.5))


def test_the_rbf_decision_is_scikit_learns(rows):
    random = np.random.default_rng(0)
    matrix = random.normal(size=(300, 3)).astype(np.float32)
    label = (matrix**2).sum(axis=1) > 2
    some = replace(rows(label, np.ones(300), np.arange(300), np.arange(300)), columns=("a", "b", "c"), matrix=matrix)
    setting = Setting(kernel="rbf", c=10.0, gamma=1.5)
    svm = fit_svm(some, setting, some.weights(), np.arange(300), blocks=300, seed=0)
    assert isinstance(svm, RbfSvm)
    theirs = SVC(C=10.0 * 1000 / 300, gamma=0.5)
    scaled = standardise(matrix.astype(np.float64), svm.mean, svm.deviation)
    theirs.fit(scaled, label)
    np.testing.assert_allclose(svm.decision(matrix), theirs.decision_function(scaled), atol=1e-4)
    assert ((svm.decision(matrix) > 0) == label).mean() > 0.97
    # What is missing counts as the mean.
    missing = np.full((1, 3), np.nan)
    assert svm.decision(missing) == pytest.approx(svm.decision(svm.mean[None]))


def test_two_sites_are_needed_and_both_labels_in_each_fold(rows):
    one_site = rows([1, 0], [5, 5], [0, 1], [0, 0])
    with pytest.raises(NoExamples, match="two sites"):
        cross_validate(one_site, Setting(kernel="linear", c=1.0), Fitting(), blocks=10)
    one_label = rows([1, 1, 0, 0], [5] * 4, [0, 1, 2, 3], [0, 0, 1, 1])
    with pytest.raises(NoExamples, match="one label only"):
        cross_validate(one_label, Setting(kernel="linear", c=1.0), Fitting(), blocks=10)


def test_the_grid():
    assert len(grid(("linear",), linear_c=(1.0, 2.0))) == 2
    settings = grid(("rbf",), rbf_c=(1.0, 2.0), gammas=(0.5, 1.0))
    assert [(s.c, s.gamma) for s in settings] == [(1, 0.5), (1, 1), (2, 0.5), (2, 1)]
    with pytest.raises(ValueError, match="unknown kernel"):
        grid(("cubic",))
