"""What counts as readable in the difference of two pictures."""

import numpy as np
import pytest
from blocksight.render.visibility.pixel_diff import legible

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
def test_letters_are_read(draw, readable):
    assert legible(*pictures(draw), BOX) == readable


def test_a_veil_is_no_text():
    def veil(picture):
        picture[:] = 200
        ramp = np.linspace(0, 60, picture.shape[1]).astype(np.int16)
        picture += ramp[None, :, None]

    assert not legible(*pictures(veil), BOX)


def test_what_is_outside_of_the_picture_is_not_read():
    assert not legible(*pictures(letters()), (200.0, 10.0, 300.0, 30.0))
    assert not legible(*pictures(letters()), (10.0, -50.0, 110.0, 0.0))
