"""Pictures: blocks lie where they should."""

import io

import blocksight as bs
import pytest
from blocksight.errors import PageFailed
from blocksight.segment.pictures.overlay import overlay_png
from PIL import Image


def test_overlay_png_without_screenshot(boxed):
    page = boxed(("body", (0, 0, 800, 1000), [("p", (100, 100, 200, 20), [("a", (100, 100, 200, 20))])]))
    picture = Image.open(io.BytesIO(overlay_png(page, bs.text_blocks(page), marked=[True])))
    assert picture.size == (800, 1000)
    assert picture.getpixel((99, 110)) == (0, 140, 60)
    assert picture.getpixel((500, 500)) == (255, 255, 255)
    assert picture.getpixel((200, 110)) != (255, 255, 255)


def test_overlay_png_labels_stay_in_the_picture(boxed):
    bar = ("div", (0, 0, 800, 50), [("a", (0, 0, 800, 50))])
    page = boxed(("body", (0, 0, 800, 1000), [bar]))
    picture = Image.open(io.BytesIO(overlay_png(page, bs.text_blocks(page), marked=[False])))
    assert picture.getpixel((798, 30)) == (190, 40, 40)
    # There is no room next to the bar: the label is in its corner.
    label = [picture.getpixel((x, 6)) for x in range(700, 796)]
    assert sum(pixel == label[-6] for pixel in label) > 5


@pytest.mark.parametrize("place", [(10, -60, 100, 20), (-300, 10, 100, 20), (10, -1, 100, 20)])
def test_overlay_png_with_blocks_outside(boxed, place):
    page = boxed(
        (
            "body",
            (0, 0, 800, 1000),
            [("a", place, [("skip", place)]), ("p", (9, 99, 200, 20), [("a", (9, 99, 200, 20))])],
        )
    )
    picture = Image.open(io.BytesIO(overlay_png(page, bs.text_blocks(page), marked=[False, True])))
    assert picture.getpixel((100, 97)) == (0, 140, 60)


def test_overlay_png_is_cropped(boxed):
    page = boxed(("body", (0, 0, 3_000_000, 90_000), [("a", (2_999_000, 100, 200, 20))]))
    picture = Image.open(io.BytesIO(overlay_png(page, bs.text_blocks(page))))
    assert picture.width * picture.height < 200_000_000
    small = io.BytesIO()
    Image.new("RGB", (30, 20)).save(small, "PNG")
    picture = Image.open(io.BytesIO(overlay_png(page.replace(screenshot=small.getvalue()), bs.text_blocks(page))))
    assert picture.width * picture.height < 200_000_000


def _bomb():
    out = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("screenshot", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + b"x" * 50, _bomb()])
def test_overlay_png_refuses_damaged_screenshots(boxed, screenshot):
    page = boxed(("body", (0, 0, 800, 1000), [("a", (100, 100, 200, 20))])).replace(screenshot=screenshot)
    with pytest.raises(PageFailed, match="its screenshot cannot be read"):
        overlay_png(page, bs.text_blocks(page))


def test_overlay_png_needs_geometry():
    page = bs.parse("<p>a")
    with pytest.raises(ValueError, match="no geometry"):
        overlay_png(page, bs.text_blocks(page))


@pytest.mark.browser
def test_overlay_png_over_the_screenshot(browser, address):
    page = browser.open(f"{address}/news/page.html", options=bs.RenderOptions(allow_private=True, screenshot="full"))
    picture = Image.open(io.BytesIO(overlay_png(page, bs.text_blocks(page))))
    assert picture.size == tuple(round(size) for size in page.geometry.size)
    assert picture.getpixel((1200, 20)) == (0x7A, 0x1F, 0x1F)


def test_overlay_png_frames_painted_boxes(boxed):
    card = (
        "div",
        (100, 300, 300, 100),
        [("p", (110, 310, 200, 20), [("b", (110, 310, 200, 20))])],
        {"border": (1, 1, 1, 1)},
    )
    page = boxed(("body", (0, 0, 800, 1000), [("p", (0, 0, 400, 20), [("a", (0, 0, 400, 20))]), card]))
    picture = Image.open(io.BytesIO(overlay_png(page, bs.vips(page, pdoc=8), marked=[True, True])))
    assert picture.getpixel((100, 350)) == (0, 140, 60)
    assert picture.getpixel((98, 350)) == (255, 255, 255)
