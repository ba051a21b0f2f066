"""Lines from coordinates, on boxes written down by hand."""

import blocksight as bs
import numpy as np
from blocksight.segment.lines import depths, flow_lines


def paragraphs(*boxes):
    return ("body", (0, 0, 800, 1000), [("p", box, [(f"p{number}", box)]) for number, box in enumerate(boxes)])


def flow(*boxes):
    return flow_lines(np.asarray(boxes, dtype=float), np.zeros(len(boxes), dtype=np.int32)).tolist()


def test_flow_lines_of_pieces():
    assert flow((0, 0, 50, 20), (50, 2, 30, 16), (80, 0, 20, 20), (0, 24, 90, 20)) == [0, 0, 0, 1]


def test_flow_lines_superscript():
    assert flow((0, 10, 50, 20), (50, 6, 8, 12), (58, 10, 50, 20), (0, 34, 90, 20)) == [0, 0, 0, 1]


def test_flow_lines_columns():
    # Both columns have lines of 22 on a pitch of 20; the right one starts half a line lower.
    left = [(0, y, 100, 22) for y in (0, 20, 40)]
    right = [(110, y, 100, 22) for y in (10, 30, 50)]
    assert flow(*left, *right) == [0, 1, 2, 3, 4, 5]


def test_flow_lines_by_block():
    boxes = np.asarray([(0, 0, 9, 20), (20, 0, 9, 20), (0, 24, 9, 20)], dtype=float)
    assert flow_lines(boxes, np.asarray([0, 1, 0], dtype=np.int32)).tolist() == [0, 2, 1]


def test_depths(boxed):
    page = boxed(paragraphs((0, 0, 100, 20), (0, 25, 100, 20), (0, 50, 100, 20), (0, 500, 100, 20)))
    assert depths(page).tolist() == [0, 0.025, 0.05, 0.5]


def test_depths_without_geometry(boxed):
    assert np.isnan(depths(bs.parse("<div>a<p>b</p></div><p>c"))).all()
    assert depths(boxed(("body", (0, 0, 800, 1000), []))).tolist() == []
