"""The fast linear support vector machine, by hand and against scikit-learn."""

import numpy as np
import pytest
from blocksight.train.linear import KEPT_WEIGHT, LEAST_KEPT, fit_linear, squared_hinge
from sklearn.svm import LinearSVC


def test_the_plane_is_scikit_learns():
    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 5)).astype(np.float32)
    labels = rows @ [1.0, -2.0, 0.5, 0.0, 0.0] + 0.3 + random.normal(size=400) > 0
    weight = random.random(400) + 0.5
    plane, bias = squared_hinge(rows, labels, weight, 1e-2)
    svc = LinearSVC(C=1 / (1e-2 * 400), dual=False, intercept_scaling=100.0, tol=1e-8, max_iter=10_000)
    svc.fit(rows, labels, sample_weight=weight / weight.mean())
    np.testing.assert_allclose(plane, svc.coef_[0], atol=2e-3)
    assert bias == pytest.approx(float(svc.intercept_[0]), abs=2e-3)


def test_heavy_rows_are_all_learned_from_and_light_ones_count_for_others():
    random = np.random.default_rng(1)
    matrix = random.normal(size=(3000, 2)).astype(np.float32)
    labels = matrix[:, 0] > 0
    heavy = fit_linear(matrix, labels, np.full(3000, KEPT_WEIGHT), ("a", "b"), seed=0)
    np.testing.assert_allclose(heavy.mean, matrix.mean(axis=0), atol=1e-6)
    light = fit_linear(matrix, labels, np.full(3000, KEPT_WEIGHT * LEAST_KEPT), ("a", "b"), seed=0)
    assert abs(light.mean[0] - heavy.mean[0]) > 1e-6  # an eighth of the rows
    for svm in (heavy, light):
        assert ((svm.decision(matrix) > 0) == labels).mean() > 0.95
