"""Lines in proportion to their font size, on pages whose lines are known."""

import numpy as np
import pytest
from blocksight.segment.vips.nodes import even_lines, filling_lines
from blocksight.segment.visible_boxes import visible_boxes


def block(y, height, *lines, size=16):
    """Return a paragraph with lines (top, height) of a font size."""
    texts = [("words", (0, top, 100, line_height), {"size": size}) for top, line_height in lines]
    return ("p", (0, y, 300, height), texts, {"size": size})


def even(page):
    return even_lines(page, visible_boxes(page)).line[:, [1, 3]]


@pytest.mark.parametrize(
    ("heights", "ratio"),
    [((21, 16), 37 / 29), ((19, 15), 1.17), ((19, 14), 1.17), ((11, 9), 20 / 29), ((9, 8), 0.585), ((17, 14), 1.17)],
)
def test_even_lines_by_font(boxed, heights, ratio):
    # Of 16 px and 13 px: 37 / 29 is 1.28; 34 / 29 and 33 / 29 are within 6 % of 1.17, and 17 / 29 of half of it.
    tall, low = heights
    page = boxed(("body", (0, 0, 800, 90), [block(0, tall, (0, tall)), block(40, low, (40, low), size=13)]))
    expected = [[tall / 2 - 8 * ratio, tall / 2 + 8 * ratio], [40 + low / 2 - 6.5 * ratio, 40 + low / 2 + 6.5 * ratio]]
    assert even(page) == pytest.approx(np.asarray(expected))


def test_even_lines_leaves_clipped_lines(boxed):
    page = boxed(("body", (0, 0, 800, 90), [block(y, 20, (y, 20)) for y in (0, 30)] + [block(60, 9, (60, 9))]))
    assert even(page)[2].tolist() == [60, 69]


@pytest.mark.parametrize(("top", "even_top"), [(6, 5), (5, 5), (4, 5), (3.5, 3.5)])
def test_even_lines_centres_within_a_pixel(boxed, top, even_top):
    # A line of 20 in a block of 30 starts at 5.
    page = boxed(("body", (0, 0, 800, 90), [block(0, 30, (top, 20))]))
    assert even(page)[0].tolist() == [even_top, even_top + 20]


def test_even_lines_centres_blocks(boxed):
    # Lines at 4 and 34 of a block of 60: from 4 to 54, centred at 29 instead of 30.
    page = boxed(("body", (0, 0, 800, 90), [block(0, 60, (4, 20), (34, 20))]))
    assert even(page)[:, 0].tolist() == [5, 35]


def test_even_lines_without_text(boxed):
    assert even(boxed(("body", (0, 0, 800, 90), [("img", (0, 0, 90, 90), [])]))).shape == (0, 2)


def extents(page):
    seen = visible_boxes(page)
    return filling_lines(page, seen, even_lines(page, seen)).line[:, [1, 3]].tolist()


def test_filling_lines_stay(boxed):
    # Lines of 16 px are 20 high; one of 13 px is evenly 1.17 * 13 high, where the browser has 16.
    alone = block(40, 16, (40, 16), size=13)
    assert extents(boxed(("body", (0, 0, 800, 90), [block(0, 20, (0, 20)), alone]))) == [[0, 20], [40, 56]]
    # In a block of 18 pixels it is centred, at 49, and evenly high; so it is in one that begins a pixel above.
    even = 1.17 * 13 / 2
    for padded in (block(40, 18, (41, 16), size=13), block(39, 20, (41, 16), size=13)):
        found = extents(boxed(("body", (0, 0, 800, 90), [block(0, 20, (0, 20)), padded])))
        assert found[1] == pytest.approx([49 - even, 49 + even])
    # Two lines fill their block together.
    two = block(40, 32, (40, 16), (56, 16), size=13)
    assert extents(boxed(("body", (0, 0, 800, 90), [block(0, 20, (0, 20)), two])))[1:] == [[40, 56], [56, 72]]


def test_filling_lines_without_text(boxed):
    assert extents(boxed(("body", (0, 0, 800, 90), [("img", (0, 0, 90, 90), [])]))) == []
