"""How much rows count, by hand."""

import numpy as np
import pytest
from blocksight.train.examples import row_weights


def test_rows_of_several_pages():
    words, label = np.array([100.0, 10.0, 10.0, 5.0, 0.0]), np.array([1, 0, 1, 0, 0], dtype=bool)
    # 100 words of content on the first page; 10 on the second, which count as 50.
    found = row_weights(words, label, np.array([0, 0, 1, 1, 1]))
    # 100/100, cut to 0.4; 10/100; 10/50; 5/50; nothing is not quite nothing.
    assert found.tolist() == pytest.approx([0.4, 0.1, 0.2, 0.1, 0.0015])


def test_a_page_by_itself():
    words, label = np.array([100.0, 10.0]), np.array([True, False])
    assert row_weights(words, label).tolist() == row_weights(words, label, np.array([3, 3])).tolist()
