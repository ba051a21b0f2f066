"""A part of the screenshot of a page."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import numpy as np

from ...page.page import Page
from .page_picture import opened_screenshot


def crop(page: Page, boxes: Iterable[Sequence[float]], *, margin: float = 8.0) -> bytes:
    """Return the part of a page's screenshot around some boxes, such as those of ``Document.locate``, as a PNG.

    Parameters
    ----------
    page : Page
        Rendered with ``RenderOptions(screenshot="full")``.
    boxes : iterable of (x, y, width, height)
        In CSS pixels of the page.
    margin : float
        CSS pixels around them.

    Raises
    ------
    ValueError
        If there is no box, the page has no screenshot, or the boxes are outside of it.
    """
    corners = np.asarray([(x, y, x + width, y + height) for x, y, width, height in boxes], dtype=float)
    if not len(corners):
        raise ValueError("there is no box to crop: the quotation was not found, or the page was not rendered")
    if page.geometry is None or page.screenshot is None:
        raise ValueError('a picture is needed: render the page with RenderOptions(screenshot="full")')
    picture = opened_screenshot(page).convert("RGB")
    scale = picture.width / max(page.geometry.size[0], 1.0)
    low = np.maximum(np.round((corners[:, :2].min(0) - margin) * scale), 0)
    high = np.minimum(np.round((corners[:, 2:].max(0) + margin) * scale), picture.size)
    if (high <= low).any():
        raise ValueError("the boxes cannot be cropped: they are empty or outside of the picture")
    out = io.BytesIO()
    picture.crop((int(low[0]), int(low[1]), int(high[0]), int(high[1]))).save(out, "PNG")
    return out.getvalue()
