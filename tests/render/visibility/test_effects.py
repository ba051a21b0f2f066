"""What a computed style does to what is inside, property by property."""

import pytest
from blocksight.render.visibility import computed_styles
from generators.snapshots import PLAIN


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({}, False),
        ({"transform": "matrix(1, 0, 0, 1, 5, 0)"}, True),
        ({"translate": "5px"}, True),
        ({"rotate": "5deg"}, True),
        ({"scale": "2"}, True),
        ({"filter": "blur(1px)"}, True),
        ({"perspective": "100px"}, True),
        ({"backdrop-filter": "blur(1px)"}, True),
        ({"content-visibility": "auto"}, True),
        ({"container-type": "inline-size"}, True),
        ({"will-change": "transform"}, True),
        ({"will-change": "scroll-position"}, False),
        ({"contain": "paint"}, True),
        ({"contain": "size"}, False),
    ],
)
def test_what_places_absolute_boxes_inside(style, expected):
    assert computed_styles.is_containing_block(PLAIN | style) is expected


@pytest.mark.parametrize(
    ("style", "rotated"),
    [
        ({}, False),
        ({"rotate": "1deg"}, True),
        ({"transform": "matrix(1, 0, 0, 1, 5, 5)"}, False),
        ({"transform": "matrix(2, 0, 0, 2, 0, 0)"}, False),
        # 0.01 + 0.01 is still level, 0.01 + 0.02 is not, whatever the signs.
        ({"transform": "matrix(1, 0.01, -0.01, 1, 0, 0)"}, False),
        ({"transform": "matrix(1, 0.01, -0.02, 1, 0, 0)"}, True),
        ({"transform": "matrix(1, -0.02, 0.01, 1, 0, 0)"}, True),
        ({"transform": "matrix(1, 0.03, 0, 1, 0, 0)"}, True),
        ({"transform": "matrix(1, 0, 0.03, 1, 0, 0)"}, True),
        ({"transform": "matrix3d(1, 5, 5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)"}, False),
    ],
)
def test_what_is_not_upright(style, rotated):
    assert computed_styles.rotated(PLAIN | style) is rotated


def test_a_turn_of_a_fiftieth_is_level():
    assert not computed_styles.rotated(PLAIN | {"transform": "matrix(1, 0.02, 0, 1, 0, 0)"})


@pytest.mark.parametrize(
    ("style", "turned"),
    [
        ({}, False),
        ({"transform": "matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)"}, True),
        ({"transform": "matrix(-1, 0, 0, 1, 0, 0)"}, False),
        ({"perspective": "100px"}, True),
        ({"rotate": "x 90deg"}, True),
        ({"rotate": "90deg"}, False),
        ({"backface-visibility": "hidden"}, True),
    ],
)
def test_what_may_turn_its_back(layout, style, turned):
    assert bool(layout((1, "DIV", (0, 0, 9, 9), style)).styles.turned[1]) is turned


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({}, False),
        ({"mix-blend-mode": "multiply"}, True),
        ({"filter": "blur(2px)"}, True),
        ({"mask-image": 'url("a.png")'}, True),
        ({"-webkit-mask-box-image-source": 'url("a.png")'}, True),
        ({"-webkit-text-stroke-width": "1px"}, True),
        ({"clip-path": "inset(50%)"}, True),
        ({"border-shape": "circle(1px)"}, True),
        ({"position-anchor": "--tip", "position": "absolute"}, True),
        ({"position-area": "top", "position": "fixed"}, True),
        ({"position-anchor": "--tip"}, False),
        *(({"position-anchor": value, "position": "fixed"}, False) for value in ("", "normal", "none", "auto")),
        ({"clip": "rect(0px, 0px, 0px, 0px)", "position": "absolute"}, True),
        ({"clip": "rect(0px, 0px, 0px, 0px)", "position": "relative"}, False),
        ({"clip": "auto", "position": "absolute"}, False),
    ],
)
def test_what_may_come_out_otherwise(style, expected):
    assert computed_styles.is_altered(PLAIN | style) is expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({}, False),
        ({"text-shadow": "rgb(0, 0, 0) 20px 0px 0px"}, False),
        ({"text-shadow": "rgb(0, 0, 0) 21px 0px 0px"}, True),
        ({"text-shadow": "rgb(0, 0, 0) 0px -21px 0px"}, True),
        ({"filter": "drop-shadow(rgb(0, 0, 0) 0px 21px 0px)"}, True),
        ({"filter": "drop-shadow(rgb(0, 0, 0) 0px 20px 0px)"}, False),
        ({"filter": "blur(50px)"}, False),
        ({"filter": "blur(1px) drop-shadow(rgb(0, 0, 0) -30px 0px 0px)"}, True),
    ],
)
def test_shadows_that_are_thrown_far(style, expected):
    assert computed_styles.has_offset_shadow(PLAIN | style) is expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({}, False),
        ({"clip-path": "inset(50%)"}, True),
        ({"clip-path": "inset(49.9%)"}, False),
        ({"clip-path": "inset(50% round 5px)"}, True),
        ({"clip-path": "inset(50% 0% -50%)"}, False),
        ({"clip-path": "inset(500px)"}, False),
        ({"clip-path": "circle(50%)"}, False),
        ({"clip": "rect(1px, 1px, 1px, 1px)", "position": "absolute"}, True),
        ({"clip": "rect(1px, 1px, 1px, 1px)"}, False),
        ({"clip": "rect(0px, 1px, 1px, 0px)", "position": "absolute"}, False),
    ],
)
def test_is_clipped_away(style, expected):
    assert computed_styles.is_clipped_away(PLAIN | style) is expected
