"""CETR by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.cetr import Cetr, clusters_of

LONG = "A line of the article, long and with no tags in it but its own"  # 62 characters
MENU = "<div>\n" + "<a>one</a> <a>two</a>\n" * 8 + "</div>\n"
ARTICLE = "<div>\n" + f"<p>{LONG}</p>\n" * 8 + "</div>\n"


def test_lines_with_much_text_for_their_tags(marked):
    # Menu lines: 6 characters for 4 tags; article lines: 62 for 2. The last line of the menu before them is at the
    # rise, since the change looks three lines ahead: it comes along.
    assert marked(Cetr(), f"<body>\n{MENU}{ARTICLE}{MENU}</body>") == ["one", "two", *[LONG] * 8]
    assert marked(Cetr(ahead=1), f"<body>\n{MENU}<hr>\n<hr>\n{ARTICLE}{MENU}</body>") == [LONG] * 8


def test_a_page_in_one_line_is_cut_evenly(marked):
    html = f"<body>{MENU}{ARTICLE * 3}{MENU}</body>".replace("\n", "")
    found = marked(Cetr(), html)
    assert found.count(LONG) == len([text for text in found if text == LONG]) >= 22
    # What shares a line of 65 characters with the article comes along, no more.
    assert len(found) - found.count(LONG) <= 6


def test_the_cluster_at_the_origin_stays_there():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [10.0, 0.0], [11.0, 1.0], [20.0, 20.0]])
    # Centroids start at (0, 0), (10, 10), (20, 20). The two of the middle pull theirs to (10.5, .5) and keep it.
    assert clusters_of(points, 3).tolist() == [0, 0, 0, 1, 1, 2]
    # Were the first centroid free, it would move to the two points and part them.
    assert clusters_of(np.array([[4.0, 0.0], [5.0, 0.0], [40.0, 0.0]]), 2).tolist() == [0, 0, 1]


def test_equal_points_and_none():
    assert clusters_of(np.zeros((3, 2)), 3).tolist() == [0, 0, 0]


def test_smoothing_keeps_the_sum_and_a_level():
    level = np.full(7, 3.0)
    assert Cetr()._smoothed(level) == pytest.approx(level)
    one = np.zeros(21)
    one[10] = 1.0
    # A Gaussian of sigma 1: the neighbour has exp(-1/2) of the middle.
    smooth = Cetr()._smoothed(one)
    assert smooth.sum() == pytest.approx(1.0)
    assert smooth[11] / smooth[10] == pytest.approx(np.exp(-0.5))


def test_the_kernel_has_a_radius_of_one_standard_deviation_rounded_up():
    one = np.zeros(21)
    one[10] = 1.0
    # Sigma 1: three lines, 1 and twice exp(-1/2), divided by their sum.
    middle = 1 / (1 + 2 * np.exp(-0.5))
    assert Cetr()._smoothed(one)[8:13] == pytest.approx([0, middle * np.exp(-0.5), middle, middle * np.exp(-0.5), 0])
    assert np.flatnonzero(Cetr(sigma=1.5)._smoothed(one)).tolist() == [8, 9, 10, 11, 12]


def test_change_is_against_the_mean_of_the_next_three():
    # sigma is so small that nothing is smoothed: |(0+0+6)/3 - 0| = 2, |(0+6+6)/3 - 0| = 4, 6, 0 at the end.
    change = Cetr(sigma=0.01)._change(np.array([0.0, 0.0, 0.0, 6.0, 6.0, 6.0]))
    assert change.tolist() == [2.0, 4.0, 6.0, 0.0, 0.0, 0.0]


def test_a_leaf_of_several_lines_goes_with_most_of_its_characters():
    page = bs.parse(f"<body>\n{MENU}<p>{LONG}\n{LONG}\n{LONG}\nand an end</p>\n{MENU}</body>")
    marks = Cetr().mark(page)
    assert [mark for text, mark in zip(page.leaf_texts, marks, strict=True) if text.startswith(LONG)] == [True]
