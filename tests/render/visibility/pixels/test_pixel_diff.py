"""Legibility of the difference of two pictures."""

import numpy as np
import pytest
from blocksight.render.visibility.pixels.pixel_check import edges, is_partly_legible, legible

BOX = (10.0, 10.0, 110.0, 30.0)


def pictures(draw):
    """Two white pictures, one of them drawn on."""
    before, after = (np.full((60, 140, 3), 255, dtype=np.int16) for _ in range(2))
    draw(before)
    return before, after


def letters(level=0, *, wide=100, high=12, step=4):
    """Upright strokes, as letters have them."""

    def draw(picture):
        picture[14 : 14 + high, 10 : 10 + wide : step] = level

    return draw


@pytest.mark.parametrize(
    ("draw", "readable"),
    [
        (letters(), True),
        (letters(221), True),
        (letters(250), False),
        (letters(high=2), False),
        (letters(wide=8), False),
        (letters(step=90), False),
        (lambda picture: None, False),
    ],
    ids=["black", "pale", "too pale", "low", "only the first letters", "two specks", "nothing"],
)
def test_letters_are_legible(draw, readable):
    assert legible(*pictures(draw), BOX) == readable


def test_a_veil_is_no_text():
    def veil(picture):
        picture[:] = 200
        ramp = np.linspace(0, 60, picture.shape[1]).astype(np.int16)
        picture += ramp[None, :, None]

    assert not legible(*pictures(veil), BOX)


def test_a_box_outside_of_the_picture_is_not_legible():
    assert not legible(*pictures(letters()), (200.0, 10.0, 300.0, 30.0))
    assert not legible(*pictures(letters()), (10.0, -50.0, 110.0, 0.0))


def black(wide, high, *rectangles):
    """A white picture of a size with black (left, top, right, bottom), and the same without them."""
    before, after = (np.full((high, wide, 3), 255, dtype=np.int16) for _ in range(2))
    for left, top, right, bottom in rectangles:
        before[top:bottom, left:right] = 0
    return before, after


@pytest.mark.parametrize(("levels", "found"), [(9, False), (10, True)])
@pytest.mark.parametrize("place", [(slice(None), 3), (3, slice(None))], ids=["upright", "level"])
def test_an_edge_is_a_change_of_ten_levels_in_one_color(levels, found, place):
    before, after = black(8, 8)
    # All of it differs visibly.
    before -= 60
    before[(*place, 1)] -= levels
    assert edges(before, after, (0, 0, 8, 8)).any() == found
    assert edges(after, before, (0, 0, 8, 8)).any() == found


@pytest.mark.parametrize(
    ("ground", "color", "found"),
    [
        # Differences of 6.9 and 7.3; 6.7 and 7.3; 6.9 and 7.3, of which 0.9 and 0.9 of lightness.
        ((255, 255, 255), (235, 235, 235), False),
        ((255, 255, 255), (234, 234, 234), True),
        ((0, 0, 0), (21, 21, 21), False),
        ((0, 0, 0), (22, 22, 22), True),
        ((255, 255, 255), (255, 255, 228), False),
        ((255, 255, 255), (255, 255, 226), True),
    ],
)
def test_letters_differ_visibly_from_what_is_behind_them(ground, color, found):
    before, after = (np.full((8, 8, 3), ground, dtype=np.int16) for _ in range(2))
    before[:, 3] = color
    assert edges(before, after, (0, 0, 8, 8)).any() == found
    assert edges(after, before, (0, 0, 8, 8)).any() == found


def test_pictures_of_unequal_size_are_compared_where_both_are():
    before, after = pictures(letters())
    box = (100.0, 10.0, 200.0, 60.0)
    assert edges(before[:-1], after[:, :-1], box).shape == (49, 39)
    assert edges(before[:, :100], after, box) is None


@pytest.mark.parametrize(("high", "readable"), [(3, False), (4, True)])
def test_letters_of_four_pixels_are_the_lowest_legible_ones(high, readable):
    assert legible(*black(20, 10, (2, 3, 8, 3 + high)), (0, 0, 20, 10)) == readable
    # Points and dashes may be lower.
    assert legible(*black(20, 10, (2, 3, 8, 3 + high)), (0, 0, 20, 10), letters=False)


@pytest.mark.parametrize(
    ("wide", "high", "readable"),
    [
        # A stroke of 2 columns and h rows has 4 h + 4 pixels of edges in 4 columns. Of 13 x 200 pixels 1.5 % are 39,
        # 4 h + 4 with 9 rows; of 13 columns 30 % are 3.9.
        (13, 9, True),
        (13, 8, False),
        (14, 20, False),
    ],
    ids=["just enough", "too few edges", "too narrow"],
)
def test_letters_fill_some_of_their_line(wide, high, readable):
    assert legible(*black(wide, 200, (5, 50, 7, 50 + high)), (0, 0, wide, 200)) == readable


@pytest.mark.parametrize(
    ("left", "partly"),
    # A column at x is seen as edges at x and x + 2; of 20 columns x are free before and 17 - x after it. A gap of 2.5
    # times the height of 4 has 10 columns.
    [(7, True), (8, False), (9, False), (10, True)],
    ids=["10 after", "9 after", "9 before", "10 before"],
)
def test_a_gap_of_two_and_a_half_heights_is_no_space(left, partly):
    assert is_partly_legible(*black(20, 4, (left, 0, left + 1, 4)), (0, 0, 20, 4)) == partly


def test_a_gap_between_words():
    # Edges at 0, 2, 13 and 15: the 10 columns from 3 to 12 are free.
    assert is_partly_legible(*black(16, 4, (0, 0, 1, 4), (13, 0, 14, 4)), (0, 0, 16, 4))
    assert not is_partly_legible(*black(16, 4, (0, 0, 1, 4), (12, 0, 13, 4)), (0, 0, 16, 4))


def test_an_empty_difference_is_not_partly_legible():
    assert not is_partly_legible(*black(20, 4), (0, 0, 20, 4))
    assert not is_partly_legible(*black(20, 4), (30, 0, 40, 4))
