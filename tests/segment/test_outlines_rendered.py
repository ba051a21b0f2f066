"""Outlines of what browsers do to text: columns, floats, pictures in lines, rotation; and of any boxes at all."""

import blocksight as bs
import numpy as np
import pytest
import shapely
from blocksight.segment.outlines import line_pieces, outline_measures
from hypothesis import given, settings
from hypothesis import strategies as st

STYLE = "<!DOCTYPE html><style>body{margin:0;font:16px/20px sans-serif}p{margin:0}</style>"
WORDS = "word " * 60
PICTURE = "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' style='{}'>"


def measured(browser, html):
    page = browser.open((STYLE + html).encode())
    blocks = bs.text_blocks(page)
    assert len(blocks) == 1
    return outline_measures(page, blocks.leaf_block, 1)


@pytest.mark.browser
def test_columns_are_parts_of_one_outline(browser):
    # Twelve lines of 20 pixels: seven in the first column, five in the second, which begins 220 pixels further right.
    style = "columns:200px;column-gap:10px;column-fill:auto;height:150px;width:430px"
    found = measured(browser, f"<div style='{style}'><p>{'word word<br>' * 12}")
    line = found.krdwrd[0, 3] - 220
    high = found.krdwrd[0, 4] - 6 * 20
    left, right = line * (6 * 20 + high), line * (4 * 20 + high)
    assert found.lines[0] == 12
    assert found.solidity1[0] == pytest.approx((left + right) / ((220 + line) * (6 * 20 + high)))
    assert found.solidity2[0] == 8


@pytest.mark.browser
def test_text_around_a_float_is_an_l(browser):
    gap = "<div style='float:right;width:200px;height:100px'></div>"
    found = measured(browser, f"<div style='width:600px'>{gap}<p>{'w ' * 30}{WORDS * 2}")
    assert found.solidity2[0] >= 6
    assert 0.6 < found.solidity1[0] < 0.9
    assert found.convexity[0] > found.solidity1[0]


@pytest.mark.browser
def test_a_picture_in_a_line_parts_no_line(browser):
    found = measured(browser, f"<p>before {PICTURE.format('width:200px;height:16px')} after</p>")
    assert found.lines[0] == 1
    assert found.solidity2[0] == 8
    narrow = measured(browser, f"<p>before {PICTURE.format('width:12px;height:12px')} after</p>")
    assert (narrow.lines[0], narrow.solidity2[0]) == (1, 4)


@pytest.mark.browser
@pytest.mark.parametrize("look", ["transform:rotate(90deg)", "transform:rotate(10deg)", "writing-mode:vertical-rl"])
def test_turned_text_has_an_outline(browser, look):
    found = measured(browser, f"<p style='margin:200px;width:200px;height:200px;{look}'>{'word ' * 13}</p>")
    assert found.krdwrd[0, 0] >= 2
    assert 0 < found.solidity1[0] <= 1
    assert found.solidity2[0] >= 4
    assert 0 < found.solidity3[0] <= 1


boxes = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(1, 80), st.integers(8, 30)), min_size=1, max_size=30
)


@settings(max_examples=60, deadline=None)
@given(boxes=boxes, owners=st.lists(st.integers(0, 2), min_size=30, max_size=30))
def test_the_outline_is_the_union_of_the_pieces(boxed, boxes, owners):
    page = boxed(("body", (0, 0, 800, 1000), [(str(number), box) for number, box in enumerate(boxes)]))
    block = np.asarray(owners[: len(boxes)], dtype=np.int32)
    found = outline_measures(page, block, 3)
    _, corners, owner = line_pieces(np.asarray(boxes, dtype=float), block)
    for number in range(3):
        if not (block == number).any():
            assert np.isnan(found.solidity1[number])
            continue
        union = shapely.union_all(shapely.box(*corners[owner == number].T))
        assert found.solidity1[number] == pytest.approx(union.area / union.envelope.area)
        assert found.convexity[number] == pytest.approx(union.area / union.convex_hull.area)
        plain = shapely.simplify(union, 0)
        # A ring repeats its first point at its end.
        rings = len(shapely.get_rings(shapely.get_parts(plain)))
        assert found.solidity2[number] == shapely.get_num_coordinates(plain) - rings
        assert 0 < found.solidity3[number] < 2
