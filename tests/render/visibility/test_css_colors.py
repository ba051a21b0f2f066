"""Computed colours in all the spaces that browsers hand out."""

import numpy as np
import pytest
from blocksight.render.visibility.css_values import parse_color, visible_difference


@pytest.mark.parametrize(
    ("value", "color"),
    [
        ("rgb(1, 2, 3)", 0x010203FF),
        ("rgba(255, 0, 0, 0)", 0xFF000000),
        ("rgba(255, 0, 16, 0.5)", 0xFF001080),
        ("color(srgb 1 0.5 0 / 0.5)", 0xFF800080),
        ("color(srgb-linear 1 0 0)", 0xFF0000FF),
        ("color(display-p3 1 1 1)", 0xFFFFFFFF),
        ("color(xyz-d65 0.9505 1 1.089)", 0xFFFFFFFF),
        ("color(xyz-d50 0.9643 1 0.8251)", 0xFFFFFFFF),
        ("oklch(1 0 0)", 0xFFFFFFFF),
        ("oklch(0.628 0.2577 29.23)", 0xFF0000FF),
        ("oklab(0 0 0 / 0.25)", 0x00000040),
        ("lab(100 0 0)", 0xFFFFFFFF),
        ("lab(54.29 80.8 69.89)", 0xFF0500FF),
        ("lch(0 none none)", 0x000000FF),
        ("none", 0),
    ],
)
def test_colors(value, color):
    assert parse_color(value) == color


BLACK, WHITE = (0, 0, 0), (255, 255, 255)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (BLACK, WHITE, 100.0),
        # L* of 119 is 50.03; below .008856 of the luminance it is linear: 903.3 * .04045 / 12.92 * 5 / 10.31 = 1.37.
        (BLACK, (119, 119, 119), 50.03),
        (BLACK, (5, 5, 5), 1.37),
        ((242, 242, 242), WHITE, 4.5),
        # CIELAB of sRGB red is 53.24, 80.09, 67.20; half of the hues: sqrt(53.24^2 + 40.05^2 + 33.60^2).
        (BLACK, (255, 0, 0), 74.6),
        ((255, 0, 0), (255, 0, 0), 0.0),
    ],
)
def test_differences_to_the_eye(first, second, expected):
    for pair in ((first, second), (second, first)):
        assert visible_difference(*map(np.asarray, pair)) == pytest.approx(expected, abs=0.05)


def test_differences_of_whole_pictures():
    first = np.asarray([[BLACK, WHITE]], dtype=np.int16)
    assert visible_difference(first, first[:, ::-1]).round(3).tolist() == [[100.0, 100.0]]
