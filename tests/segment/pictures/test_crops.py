"""One picture a block."""

import io

import blocksight as bs
import pytest
from blocksight.segment.pictures.crops import crops
from PIL import Image


def picture(size, red):
    made = Image.new("RGB", size, (255, 255, 255))
    made.paste((255, 0, 0), red)
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def page_of(boxed, *boxes):
    return boxed(("body", (0, 0, 800, 1000), [("p", box, [("text", box)]) for box in boxes]))


@pytest.mark.parametrize("scale", [1, 2])
def test_crops_at_any_scale(boxed, scale):
    page = page_of(boxed, (100, 50, 200, 20))
    red = tuple(scale * value for value in (100, 50, 300, 70))
    page = page.replace(screenshot=picture((800 * scale, 1000 * scale), red))
    (crop,) = crops(page, bs.text_blocks(page))
    found = Image.open(io.BytesIO(crop.png))
    assert (crop.block, crop.why, found.size) == (0, "", (200 * scale, 20 * scale))
    assert found.getcolors() == [(200 * scale * 20 * scale, (255, 0, 0))]


def test_crops_outside_of_the_picture(boxed):
    page = page_of(boxed, (0, -90, 400, 20), (700, 0, 200, 20), (0, 950, 100, 20), (0, 100, 400, 0.2))
    page = page.replace(screenshot=picture((800, 900), (0, 0, 1, 1)))
    found = {crop.block: (crop.why, bool(crop.png)) for crop in crops(page, bs.text_blocks(page))}
    assert found == {
        0: ("outside of the picture", False),
        1: ("cut off", True),
        2: ("below the end of the picture", False),
        3: ("it is empty", False),
    }


def test_crops_need_a_screenshot(boxed):
    page = page_of(boxed, (0, 0, 400, 20))
    with pytest.raises(ValueError, match="a picture is needed"):
        list(crops(page, bs.text_blocks(page)))
