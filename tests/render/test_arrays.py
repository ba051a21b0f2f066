"""Sums of columns, by hand."""

import numpy as np
from blocksight.render.arrays import prefix_sums


def test_prefix_sums_begin_with_nothing():
    assert prefix_sums(np.array([2.0, 0.5, 1.0])).tolist() == [0.0, 2.0, 2.5, 3.5]
    assert prefix_sums(np.zeros(0)).tolist() == [0.0]


def test_flags_and_numbers_add_up_to_whole_numbers():
    assert prefix_sums(np.array([True, False, True])).dtype == np.int64
    assert prefix_sums(np.array([3, 4], dtype=np.int32)).tolist() == [0, 3, 7]


def test_columns_are_added_up_one_by_one():
    assert prefix_sums(np.array([[1, 2], [3, 4]])).tolist() == [[0, 0], [1, 2], [4, 6]]
