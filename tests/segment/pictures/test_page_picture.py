"""Pictures of pages."""

import io

import blocksight as bs
import pytest
from blocksight.errors import PageFailed
from blocksight.segment.pictures.page_picture import page_picture
from PIL import Image


def opened(page):
    data, size = page_picture(page)
    picture = Image.open(io.BytesIO(data))
    assert picture.size == size
    return picture


def test_page_picture_without_screenshot(boxed):
    picture = opened(boxed(("body", (0, 0, 800, 1000), [("p", (100, 100, 200, 20), [("a", (100, 100, 200, 20))])])))
    assert picture.size == (800, 1000)
    assert picture.getpixel((200, 110)) == (205, 205, 205)
    assert picture.getpixel((500, 500)) == (255, 255, 255)


def test_page_picture_is_cropped(boxed):
    page = boxed(("body", (0, 0, 3_000_000, 90_000), [("a", (2_999_000, 100, 200, 20))]))
    picture = opened(page)
    assert picture.width * picture.height < 200_000_000
    small = io.BytesIO()
    Image.new("RGB", (30, 20)).save(small, "PNG")
    picture = opened(page.replace(screenshot=small.getvalue()))
    assert picture.width * picture.height < 200_000_000


def _bomb():
    out = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("screenshot", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + b"x" * 50, "a bomb"])
def test_page_picture_refuses_damaged_screenshots(boxed, screenshot):
    screenshot = _bomb() if screenshot == "a bomb" else screenshot
    page = boxed(("body", (0, 0, 800, 1000), [("a", (100, 100, 200, 20))])).replace(screenshot=screenshot)
    with pytest.raises(PageFailed, match="its screenshot cannot be read"):
        page_picture(page)


@pytest.mark.browser
def test_page_picture_is_the_screenshot(browser, address):
    page = browser.open(f"{address}/news/page.html", options=bs.RenderOptions(allow_private=True, screenshot="full"))
    assert page_picture(page)[0] == page.screenshot
