"""Sums of columns, by hand."""

import os
import subprocess
import sys

import numpy as np
from blocksight.page.arrays import between, prefix_sums, product


def test_prefix_sums_begin_with_nothing():
    assert prefix_sums(np.array([2.0, 0.5, 1.0])).tolist() == [0.0, 2.0, 2.5, 3.5]
    assert prefix_sums(np.zeros(0)).tolist() == [0.0]


def test_flags_and_numbers_add_up_to_whole_numbers():
    assert prefix_sums(np.array([True, False, True])).dtype == np.int64
    assert prefix_sums(np.array([3, 4], dtype=np.int32)).tolist() == [0, 3, 7]


def test_columns_are_added_up_one_by_one():
    assert prefix_sums(np.array([[1, 2], [3, 4]])).tolist() == [[0, 0], [1, 2], [4, 6]]


def test_a_stretch_of_a_sorted_column_is_found_by_its_ends():
    column = np.array([1, 1, 3, 4, 4], dtype=np.int32)
    assert between(column, 1, 4) == (0, 3)
    assert between(column, 4, 5) == (3, 5)
    assert between(column, 2, 3) == (2, 2)
    assert between(np.zeros(0, dtype=np.int32), 0, 9) == (0, 0)


def test_text_between_is_found_without_a_copy_of_the_column():
    class Told(np.ndarray):
        asked: np.dtype | None = None

        def searchsorted(self, values, side="left", sorter=None):
            Told.asked = values.dtype
            return super().searchsorted(values, side, sorter)

    assert between(np.arange(9, dtype=np.int32).view(Told), 2, 4) == (2, 4)
    assert Told.asked == np.int32


MEASURE = """
import time
import numpy as np
from blocksight.page.arrays import product
rows, weight = np.random.default_rng(0).normal(size=(300, 416)), np.ones((416, 16))
time.sleep(0.3)  # new threads of the library wait in busy loops, too: the process then takes more CPU time
process, thread = time.process_time(), time.thread_time()
for _ in range(300):
    product(rows, weight)
print((time.process_time() - process) / (time.thread_time() - thread))
"""


def test_products_are_computed_by_one_thread():
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    assert float(subprocess.check_output([sys.executable, "-c", MEASURE], env=environment)) < 1.2


def test_a_product_does_not_depend_on_its_parts():
    dice = np.random.default_rng(1)
    for rows, columns, outputs in ((0, 3, 2), (1, 1, 1), (999, 1000, 3), (70, 400, 17)):
        left, right = dice.normal(size=(rows, columns)), dice.normal(size=(outputs, columns)).astype(np.float32)
        found = product(left, right.T)
        assert found.shape == (rows, outputs)
        np.testing.assert_allclose(found, left @ right.T, rtol=0, atol=1e-10)
