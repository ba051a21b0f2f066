"""The decoded screenshot of a page; in a page saved by others it may be any data."""

from __future__ import annotations

import io

from PIL import Image

from ...errors import PageFailed
from ...page.page import Page


def opened_screenshot(page: Page) -> Image.Image:
    """Return the decoded screenshot of a page that has one; raise PageFailed if it is no valid PNG."""
    try:
        picture = Image.open(io.BytesIO(page.screenshot or b""), formats=["PNG"])
        picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PageFailed(page.url, f"its screenshot cannot be read ({error}); render it again") from error
    return picture
