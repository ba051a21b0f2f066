"""Lines from coordinates, on boxes written down by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.lines import _join_lines, flow_lines, line_grid, number_lines


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


def test_line_grid_joins_one_baseline(boxed):
    # Two menu entries, a large and a small one; the third is in another column, the fourth below.
    page = boxed(paragraphs((0, 0, 60, 20), (70, 4, 60, 15), (300, 0, 60, 20), (0, 30, 60, 20)))
    grid = line_grid(page)
    assert len(grid) == 3
    assert grid.line.tolist() == [0, 0, 1, 2]
    assert grid.box[0].tolist() == [0, 0, 130, 20]
    assert grid.column.tolist() == [0, 1, 0]


def test_line_grid_columns_out_of_step(boxed):
    boxes = [(x, y + x / 40, 100, 18) for x in (0, 200, 400, 600) for y in (0, 20, 40, 60)]
    assert len(line_grid(boxed(paragraphs(*boxes)))) == 16


def test_number_lines(boxed):
    page = boxed(paragraphs((0, 0, 100, 20), (0, 25, 100, 20), (0, 50, 100, 20), (0, 500, 100, 20)))
    numbers = number_lines(page)
    assert numbers.height == 25
    assert numbers.line.tolist() == [0, 1, 2, 20]
    assert numbers.line_sum == 40
    # The body and four paragraphs: the last leaf is at its end for SCEDD, in the middle for the eye.
    assert numbers.counted.tolist() == [2, 3, 4, 5]
    assert numbers.counted_sum == 5
    assert numbers.difference[3] == pytest.approx(20 / 40 - 5 / 5)


def test_number_lines_ignores_gaps_between_entries(boxed):
    """Paragraphs of three lines on a pitch of 22, 44 apart, and many entries of one line on a pitch of 40."""
    lines = [[("a", (0, top + step, 400, 20)) for step in (0, 22, 44)] for top in (0, 88)]
    paragraphs = [("p", (0, top, 400, 64), texts) for top, texts in zip((0, 88), lines, strict=True)]
    entries = [("li", (0, y, 400, 20), [("b", (0, y, 400, 20))]) for y in range(200, 600, 40)]
    assert number_lines(boxed(("body", (0, 0, 800, 1000), [*paragraphs, *entries]))).height == 22
    # Where no paragraph has two lines, near entries tell, and else the height of lines.
    assert number_lines(boxed(("body", (0, 0, 800, 1000), entries))).height == 20


def test_number_lines_without_geometry():
    numbers = number_lines(bs.parse("<div>a<p>b</p></div><p>c"))
    # html, head, body and div stand before the first text.
    assert numbers.counted.tolist() == [4, 5, 6]
    assert np.isnan(numbers.line).all()
    assert np.isnan(numbers.difference).all()


def test_number_lines_of_an_empty_page(boxed):
    page = boxed(("body", (0, 0, 800, 1000), []))
    assert len(line_grid(page)) == 0
    assert number_lines(page).line.tolist() == []


def test_line_grid_joins_through_others(boxed):
    # The third reaches from the first to the second, which lie apart; the fourth is almost half a line lower.
    page = boxed(paragraphs((0, 0, 60, 20), (200, 0, 60, 20), (40, 0, 180, 20), (0, 8, 300, 20)))
    assert line_grid(page).line.tolist() == [0, 0, 0, 1]


def joined_pair_by_pair(boxes):
    """Return the sets of lines joined by: the band of a third of the height around the baseline, two heights' gap."""
    group = list(range(len(boxes)))
    low = boxes[:, 1] + 0.8 * boxes[:, 3] - boxes[:, 3] / 6
    high, reach = low + boxes[:, 3] / 3, boxes[:, 0] + boxes[:, 2] + 2 * boxes[:, 3]
    for one in range(len(boxes)):
        for other in range(one):
            first, second = sorted((one, other), key=lambda row: boxes[row, 0])
            near = boxes[second, 0] <= reach[first]
            if near and low[one] < high[other] and low[other] < high[one]:
                old, new = group[one], group[other]
                group = [new if number == old else number for number in group]
    return {frozenset(row for row in range(len(boxes)) if group[row] == number) for number in group}


def test_join_lines_as_pair_by_pair():
    for seed in range(60):
        random = np.random.default_rng(seed)
        count = int(random.integers(1, 40))
        boxes = (
            np.stack(
                [random.integers(0, 400, count), random.integers(0, 60, count), random.integers(1, 60, count)], axis=1
            )
            + 0.37
        )  # no two bands end where another begins but for rounding
        boxes = np.column_stack([boxes, random.choice([6.1, 12.3, 18.7], count)])
        joined = _join_lines(boxes)
        found = {frozenset(np.flatnonzero(joined == number).tolist()) for number in joined.tolist()}
        assert found == joined_pair_by_pair(boxes), seed
