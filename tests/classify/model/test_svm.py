"""Support vector machines as plain numbers."""

import numpy as np
import pytest
from blocksight.classify.model.svm import LEAST_DEVIATION, ROWS_AT_ONCE, LinearSvm, rbf_decision, scaling, standardise
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


def test_a_radial_decision_by_hand():
    vectors, dual = np.array([[0.0, 0.0], [3.0, 4.0]], dtype=np.float32), np.array([2.0, -1.0])
    rows = np.array([[0.0, 0.0], [3.0, 4.0]])
    far = np.exp(-0.1 * 25)
    found = rbf_decision(rows, vectors, dual, gamma=0.1, bias=0.5)
    assert found.tolist() == pytest.approx([2 - far + 0.5, 2 * far - 1 + 0.5])
    # The same in one piece and in several.
    many = np.repeat(rows, ROWS_AT_ONCE, axis=0)
    assert rbf_decision(many, vectors, dual, gamma=0.1, bias=0.5)[::ROWS_AT_ONCE].tolist() == pytest.approx(found)


def test_a_row_is_no_nearer_to_a_vector_than_at_it():
    row = np.full((1, 50), 1e4 / 3)
    found = rbf_decision(row.astype(np.float32).astype(float), row.astype(np.float32), np.ones(1), gamma=1e3, bias=0.0)
    assert found[0] <= 1
