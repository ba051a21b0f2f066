"""The screenshot of a page, opened: of a page that somebody else has saved, it may be anything."""

from __future__ import annotations

import io

from PIL import Image

from ...errors import PageFailed
from ...page.page import Page


def opened_screenshot(page: Page) -> Image.Image:
    """Open the screenshot of a page that has one; its pixels are read.

    Raises
    ------
    PageFailed
        When it is no PNG, damaged, or of far more pixels than bytes.
    """
    try:
        picture = Image.open(io.BytesIO(page.screenshot or b""), formats=["PNG"])
        picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PageFailed(page.url, f"its screenshot cannot be read ({error}); render it again") from error
    return picture
