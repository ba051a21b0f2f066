"""Support vector machines as plain numbers."""

import numpy as np
import pytest
from blocksight.classify.model.svm import LEAST_DEVIATION, LinearSvm, scaling, standardise
from sklearn.svm import LinearSVC


def test_the_decision_is_scikit_learns():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(200, 4))
    labels = matrix @ [1.0, -2.0, 0.5, 0.0] > 0.3
    mean, deviation = matrix.mean(axis=0), matrix.std(axis=0)
    svc = LinearSVC(dual=False).fit(standardise(matrix, mean, deviation), labels)
    ours = LinearSvm(
        columns=("a", "b", "c", "d"),
        mean=mean,
        deviation=deviation,
        weight=svc.coef_[0],
        bias=float(svc.intercept_[0]),
    )
    theirs = svc.decision_function(standardise(matrix, mean, deviation))
    np.testing.assert_allclose(ours.decision(matrix), theirs)


def test_missing_values_count_as_the_mean_and_extremes_are_cut_off():
    svm = LinearSvm(columns=("a",), mean=np.array([5.0]), deviation=np.array([2.0]), weight=np.array([1.0]), bias=0.5)
    assert svm.decision(np.array([[np.nan], [7.0], [1e9], [-np.inf]])).tolist() == [0.5, 1.5, 6.5, -5.5]


def test_scaling_by_hand():
    matrix = np.array([[1.0, np.nan, 5.0, np.nan], [3.0, 2.0, 5.0, np.nan], [5.0, 4.0, 5.0, np.inf]])
    mean, deviation = scaling(matrix)
    assert mean.tolist() == [3.0, 3.0, 5.0, 0.0]
    assert deviation.tolist() == pytest.approx([np.sqrt(8 / 3), 1.0, LEAST_DEVIATION, LEAST_DEVIATION])
    assert standardise(matrix, mean, deviation)[:, 1].tolist() == [0.0, -1.0, 1.0]
