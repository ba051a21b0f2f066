"""Intervals whose outcome is known."""

import numpy as np
import pytest
from blocksight.compare.measures.measures import difference, f1, interval


def test_the_interval_of_a_mean():
    values = np.random.default_rng(1).normal(0.7, 0.1, 400)
    value, low, high = interval(values[:, None])
    assert value == pytest.approx(values.mean())
    # A normal mean's interval is 1.96 standard errors to each side.
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)
    assert (value, low, high) == interval(values[:, None])


def test_few_pages():
    assert interval(np.array([[0.5]])) == (0.5, 0.5, 0.5)
    assert interval(np.array([[0.5], [0.5]])) == (0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="no values"):
        interval(np.zeros((0, 1)))


def test_the_interval_of_a_figure_made_of_several_columns():
    counts = np.array([[3, 0, 0, 2], [1, 1, 1, 1], [0, 1, 2, 1], [4, 0, 1, 1]], dtype=float)
    found = interval(counts, f1)
    assert found.value == pytest.approx(16 / (16 + 2 + 4))
    assert found.low < found.value < found.high


def test_a_paired_difference_is_surer_than_the_two_intervals():
    random = np.random.default_rng(2)
    hard = random.uniform(0, 1, (60, 1))
    better = hard + random.uniform(0, 0.02, (60, 1))
    assert difference(better, hard).low > 0
    assert interval(better).low < interval(hard).high


def test_difference_draws_sites_as_a_whole():
    first, second = np.ones((10, 1)), np.zeros((10, 1))
    first[5:] = 0.2
    value, low, high = difference(first, second, groups=["a"] * 5 + ["b"] * 5)
    assert (value, low, high) == pytest.approx((0.6, 0.2, 1.0))
    assert difference(first, second, groups=["a"] * 10) == pytest.approx((0.6, 0.6, 0.6))


def test_no_difference():
    values = np.linspace(0, 1, 30)[:, None]
    assert difference(values, values) == (0, 0, 0)
