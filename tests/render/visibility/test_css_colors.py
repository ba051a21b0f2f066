"""Computed colours in all the spaces that browsers hand out."""

import pytest
from blocksight.render.visibility.css_colors import parse_color


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
        ("lab(54.29 80.8 69.89)", 0xFF0000FF),
        ("lch(0 none none)", 0x000000FF),
        ("none", 0),
    ],
)
def test_colors(value, color):
    assert parse_color(value) == color
