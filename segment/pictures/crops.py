"""Crops of the screenshot, one picture per block."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from ...page.page import Page
from ..blocks import Blocks
from .screenshot import opened_screenshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """Picture of a block."""

    block: int  # row of the block
    png: bytes  # empty if there is none
    why: str  # why there is none, or that it is cut off; else ""


def crops(page: Page, blocks: Blocks) -> Iterator[Crop]:
    """Yield the picture of each leaf block, cropped from the screenshot of the whole page at any scale."""
    picture, scale = _picture(page)
    for row in np.setdiff1d(np.arange(len(blocks)), blocks.parent).tolist():
        yield _crop(picture, row, (blocks.box[row] * scale).tolist())


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
    picture, scale = _picture(page)
    low, high = (corners[:, :2].min(0) - margin) * scale, (corners[:, 2:].max(0) + margin) * scale
    found = _crop(picture, 0, [*low.tolist(), *(high - low).tolist()])
    if not found.png:
        raise ValueError(f"the boxes cannot be cropped: {found.why}")
    return found.png


def _picture(page: Page) -> tuple[Image.Image, float]:
    """Return the screenshot, and its pixels for each CSS pixel."""
    if page.geometry is None or page.screenshot is None:
        raise ValueError('a picture is needed: render the page with RenderOptions(screenshot="full")')
    picture = opened_screenshot(page).convert("RGB")
    return picture, picture.width / max(page.geometry.size[0], 1.0)


def _crop(picture: Image.Image, row: int, box: list[float]) -> Crop:
    if np.isnan(box[0]):
        return Crop(block=row, png=b"", why="nothing of it was rendered")
    left, top = round(box[0]), round(box[1])
    right, bottom = round(box[0] + box[2]), round(box[1] + box[3])
    inside = max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height)
    if right <= left or bottom <= top:
        return Crop(block=row, png=b"", why="it is empty")
    if inside[2] <= inside[0] or inside[3] <= inside[1]:
        below = top >= picture.height
        return Crop(block=row, png=b"", why="below the end of the picture" if below else "outside of the picture")
    out = io.BytesIO()
    picture.crop(inside).save(out, "PNG")
    return Crop(block=row, png=out.getvalue(), why="" if inside == (left, top, right, bottom) else "cut off")
