"""Fonts in computed styles."""

import pytest
from blocksight.render.visibility.css_values import families_in, font_of

#: A font with feature settings, for which the browser has no shorthand.
LONGHANDS = {
    "font": "",
    "font-style": "italic",
    "font-variant": "normal",
    "font-weight": "700",
    "font-family": '"A b", c',
}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("serif", {"serif"}),
        ('"My Face", Arial, sans-serif', {"my face", "arial", "sans-serif"}),
        ('"B, C", serif', {"b, c", "serif"}),
        ("", set()),
    ],
)
def test_families_are_named_in_lower_case(value, names):
    assert families_in(value) == names


@pytest.mark.parametrize(
    ("style", "font"),
    [
        ({"font": '16px / 24px "A b", serif'}, '100px "A b", serif'),
        ({"font": "italic small-caps 700 12.5px c"}, "italic small-caps 700 100px c"),
        (LONGHANDS, 'italic 700 100px "A b", c'),
        (LONGHANDS | {"font-variant": "all-small-caps tabular-nums"}, 'italic small-caps 700 100px "A b", c'),
        (LONGHANDS | {"font-variant": "titling-caps"}, 'italic 700 100px "A b", c'),
        ({}, ""),
    ],
)
def test_a_font_is_measured_at_one_size(style, font):
    assert font_of(style) == font
