"""Intervals and tests whose outcome is known."""

import numpy as np
import pytest
from blocksight.compare.measures.field_measures import f1
from blocksight.compare.measures.significance import difference, holm, interval, signed_rank


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
    assert signed_rank(better[:, 0], hard[:, 0]) < 1e-6


def test_difference_draws_sites_as_a_whole():
    first, second = np.ones((10, 1)), np.zeros((10, 1))
    first[5:] = 0.2
    value, low, high = difference(first, second, groups=["a"] * 5 + ["b"] * 5)
    assert (value, low, high) == pytest.approx((0.6, 0.2, 1.0))
    assert difference(first, second, groups=["a"] * 10) == pytest.approx((0.6, 0.6, 0.6))


def test_no_difference():
    values = np.linspace(0, 1, 30)[:, None]
    assert difference(values, values) == (0, 0, 0)
    assert signed_rank(values[:, 0], values[:, 0]) == 1.0
    assert signed_rank(values[:, 0], values[:, 0] + 1e-15) == 1.0


def test_wilcoxon_as_in_its_table():
    # Six differences of one sign: the smallest two-sided probability of 6 pairs, 2 / 2**6.
    assert signed_rank([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]) == pytest.approx(2 / 64)


def test_holm():
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []
