"""A picture of a rendered page: its screenshot, or its lines as bars."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw

from ...errors import PageFailed
from ...page.page import Page

#: Largest width and height of the picture in pixels; a larger page is cropped.
_WIDEST, _TALLEST = 8_000, 16_000


def page_picture(page: Page) -> tuple[bytes, tuple[int, int]]:
    """Return a PNG of a rendered page, one pixel per CSS pixel, with its width and height.

    Without a screenshot the page's lines are drawn as grey bars on white; a page of more than 16,000 pixels is cropped.
    """
    picture = _background(page)
    if page.screenshot is not None and picture.size == opened_screenshot(page).size:
        return page.screenshot, picture.size
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue(), picture.size


def _background(page: Page) -> Image.Image:
    geometry = page.geometry
    assert geometry is not None
    if page.screenshot is not None:
        picture = opened_screenshot(page)
        scale = max(round(geometry.size[0]), 1) / picture.width
        picture = _clip(picture, int(np.ceil(_WIDEST / scale)), int(np.ceil(_TALLEST / scale))).convert("RGBA")
        if scale != 1:
            # Rendered with a device pixel ratio other than 1.
            picture = picture.resize((max(round(picture.width * scale), 1), max(round(picture.height * scale), 1)))
        return _clip(picture, _WIDEST, _TALLEST)
    width, height = (max(int(np.ceil(size)), 1) for size in geometry.size)
    picture = Image.new("RGBA", (min(width, _WIDEST), min(height, _TALLEST)), (255, 255, 255, 255))
    draw = ImageDraw.Draw(picture)
    for left, top, wide, high in geometry.line_box.tolist():
        if wide > 0 and high > 0 and top < picture.height:
            draw.rectangle((left, top + high * 0.3, left + wide, top + high * 0.8), fill=(205, 205, 205, 255))
    return picture


def _clip(picture: Image.Image, width: int, height: int) -> Image.Image:
    return picture.crop((0, 0, min(picture.width, width), min(picture.height, height)))


def opened_screenshot(page: Page) -> Image.Image:
    """Return the decoded screenshot of a page that has one; raise PageFailed if it is no valid PNG."""
    try:
        picture = Image.open(io.BytesIO(page.screenshot or b""), formats=["PNG"])
        picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PageFailed(page.url, f"its screenshot cannot be read ({error}); render it again") from error
    return picture
