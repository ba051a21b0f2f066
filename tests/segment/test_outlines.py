"""Outlines of blocks, worked out by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.outlines import line_pieces, outline_measures


def outlined(boxed, *boxes):
    page = boxed(("body", (0, 0, 800, 1000), [(str(number), box) for number, box in enumerate(boxes)]))
    return outline_measures(page, np.zeros(len(boxes), dtype=np.int32), 1)


def test_outline_of_one_line(boxed):
    found = outlined(boxed, (10, 20, 100, 20))
    assert (found.lines[0], found.solidity1[0], found.solidity2[0], found.convexity[0]) == (1, 1, 4, 1)
    assert found.solidity3[0] == pytest.approx(1)
    assert found.krdwrd[0].tolist() == [1, 10, 20, 100, 20, 2000, 1, 1]


def test_outline_with_a_short_last_line(boxed):
    # Two lines of 20, the gap of 4 closed: 100 × 24 + 50 × 20 of 100 × 44.
    found = outlined(boxed, (0, 0, 100, 20), (0, 24, 50, 20))
    assert found.lines[0] == 2
    assert found.solidity1[0] == pytest.approx((100 * 24 + 50 * 20) / (100 * 44))
    assert found.solidity2[0] == 6
    assert found.convexity[0] == pytest.approx(3400 / (3400 + 50 * 20 / 2))
    assert found.krdwrd[0].tolist() == pytest.approx([2, 0, 0, 100, 44, 4400, 40 / 44, 3000 / 4400])


def test_outline_counts_pieces_of_a_line_once(boxed):
    found = outlined(boxed, (0, 0, 40, 20), (40, 2, 30, 16), (75, 0, 25, 20))
    assert found.lines[0] == 1
    assert found.solidity1[0] == pytest.approx(1)


def test_outline_of_columns(boxed):
    found = outlined(boxed, (0, 0, 100, 20), (300, 0, 100, 20), (0, 24, 100, 20), (300, 24, 100, 20))
    assert found.lines[0] == 2
    assert found.solidity1[0] == pytest.approx(2 * 100 * 44 / (400 * 44))
    assert found.solidity2[0] == 8


def test_outline_with_a_wide_gap(boxed):
    assert outlined(boxed, (0, 0, 100, 20), (0, 60, 100, 20)).solidity1[0] == pytest.approx(0.5)


def test_outline_without_lines():
    page = bs.parse("<p>a")
    found = outline_measures(page, np.zeros(1, dtype=np.int32), 2)
    assert found.lines.tolist() == [0, 0]
    assert np.isnan(found.solidity1).all()
    assert np.isnan(found.krdwrd).all()


def test_line_pieces_over_all_blocks():
    boxes = np.array([[0, 0, 10, 10], [0, 20, 10, 10], [20, 0, 10, 10]], dtype=float)
    line, corners, owner = line_pieces(boxes, np.array([0, 0, 1], dtype=np.int32))
    assert line.tolist() == [0, 1, 2]
    assert owner.tolist() == [0, 0, 1]
    assert corners.tolist() == [[0, 0, 10, 20], [0, 20, 10, 30], [20, 0, 30, 10]]
