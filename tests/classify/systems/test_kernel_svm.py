"""The support vector machine with a radial kernel: by hand, and against scikit-learn."""

import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.systems.learning.kernel_svm import (
    ROWS_AT_ONCE,
    KernelSvm,
    fit_kernel,
    kernel_of,
    rbf_decision,
    scale,
)
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.errors import ModelMismatch
from sklearn.svm import SVC


def test_a_decision_by_hand():
    svm = KernelSvm(
        low=np.zeros(1), high=np.full(1, 2.0), vector=np.asarray([[-1.0], [1.0]], dtype=np.float32),
        weight=np.asarray([-1.0, 2.0]), bias=0.5, gamma=0.25, penalty=1.0,
        calibration=Calibration(slope=2.0, offset=0.0),
    )  # fmt: skip
    # 2 is scaled to 1: distance 4 from the first vector, 0 from the second.
    expected = -np.exp(-1.0) + 2.0 + 0.5
    assert svm.decision(np.asarray([[2.0]])) == pytest.approx([expected])
    assert svm.probability(np.asarray([[2.0]])) == pytest.approx([1 / (1 + np.exp(-2 * expected))])


def test_scaling():
    scaled = scale(np.asarray([[0.0, 7.0], [5.0, 7.0], [20.0, 7.0], [np.nan, np.inf]]), np.zeros(2), np.full(2, 10.0))
    assert scaled[:, 0].tolist() == [-1.0, 0.0, 1.0, 0.0]
    assert scaled[3, 1] == 1.0
    assert scale(np.asarray([[7.0]]), np.full(1, 7.0), np.full(1, 7.0)).tolist() == [[-1.0]]


def ring(count, seed=0):
    """Content is a disc, the rest a ring around it: no plane parts them."""
    random = np.random.default_rng(seed)
    labels = random.random(count) < 0.5
    radius = np.where(labels, random.uniform(0, 1, count), random.uniform(1.4, 2, count))
    angle = random.uniform(0, 2 * np.pi, count)
    return (
        np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1),
        labels,
        [f"s{n % 4}" for n in range(count)],
    )


def test_it_learns_a_ring_and_not_from_labels_that_say_nothing():
    matrix, labels, sites = ring(300)
    unseen, truth, _ = ring(200, seed=1)
    fitted = fit_kernel(matrix, labels, sites, np.ones(300))
    assert np.mean((fitted.decision(unseen) > 0) == truth) > 0.97
    assert np.mean((fitted.probability(unseen) > 0.5) == truth) > 0.95
    shuffled = fit_kernel(matrix, np.random.default_rng(2).permutation(labels), sites, np.ones(300))
    assert np.mean((shuffled.decision(unseen) > 0) == truth) < 0.75


def test_it_decides_as_scikit_learn_does():
    matrix, labels, sites = ring(200)
    fitted = fit_kernel(matrix, labels, sites, np.ones(200))
    scaled = scale(matrix, fitted.low, fitted.high)
    there = SVC(C=fitted.penalty, gamma=fitted.gamma).fit(scaled, labels)
    np.testing.assert_allclose(fitted.decision(matrix), there.decision_function(scaled), atol=1e-4)


def test_the_choice_counts_words():
    """A tight cluster of content inside other text: a wide kernel overlooks it, which costs only what it weighs."""
    random = np.random.default_rng(3)
    matrix = np.concatenate([random.uniform(-1, 1, (200, 2)), random.normal(0, 0.02, (16, 2))])
    labels = np.arange(216) >= 200
    sites = [f"s{n % 4}" for n in range(216)]
    chosen = {"gammas": (0.005, 50.0), "penalties": (1.0,)}
    noisy = labels ^ (np.arange(216) % 9 == 0)
    light = fit_kernel(matrix, noisy, sites, np.where(labels, 1e-6, 1.0), **chosen)
    heavy = fit_kernel(matrix, noisy, sites, np.where(labels, 1000.0, 1.0), **chosen)
    assert (light.gamma, heavy.gamma) == (0.005, 50.0)


def test_one_site_or_one_label_is_refused():
    matrix, labels, sites = ring(20)
    with pytest.raises(ValueError, match="two sites"):
        fit_kernel(matrix, labels, ["s"] * 20, np.ones(20))
    with pytest.raises(ValueError, match="content and of other"):
        fit_kernel(matrix, np.ones(20, dtype=bool), sites, np.ones(20))


def test_arrays_there_and_back():
    matrix, labels, sites = ring(100)
    fitted = fit_kernel(matrix, labels, sites, np.ones(100))
    again = kernel_of(Learned(system="x", arrays=fitted.arrays()))
    assert np.array_equal(fitted.decision(matrix), again.decision(matrix))


def test_a_kernel_that_grows_with_the_distance_is_a_damaged_model():
    matrix, labels, sites = ring(100)
    arrays = fit_kernel(matrix, labels, sites, np.ones(100)).arrays()
    arrays["numbers"][1] *= -1e300
    with pytest.raises(ModelMismatch, match="gamma"):
        kernel_of(Learned(system="x", arrays=arrays))


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
