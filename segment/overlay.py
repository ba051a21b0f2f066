"""Pictures of a segmentation: the blocks drawn over the page."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..render.arrays import IntColumn
from ..render.page import Page
from .blocks import Blocks

#: Colours of blocks side by side, told apart on light and on dark pages and by the colour-blind (Okabe & Ito 2008).
_COLORS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0))
_FILL_ALPHA = 36
_KEPT, _DROPPED = (0, 140, 60), (190, 40, 40)
#: Tallest picture in pixels; a longer page is cut.
_TALLEST = 16_000


def overlay_png(page: Page, blocks: Blocks, *, marked: Sequence[bool] | None = None) -> bytes:
    """Draw the leaf blocks of a segmentation over the page's screenshot.

    Parameters
    ----------
    page : Page
        With geometry. Without a screenshot its lines are drawn as grey bars on white.
    blocks : Blocks
    marked : sequence of bool, optional
        One a text leaf: blocks with marked leaves are drawn green, the others red; by default neighbours differ in
        colour.

    Returns
    -------
    bytes
        A PNG, one pixel a CSS pixel.

    Raises
    ------
    ValueError
        When the page has no geometry.
    """
    if page.geometry is None:
        raise ValueError("there is no geometry to draw: render the page with Browser().open(...)")
    picture = _ground(page)
    layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    # Pictures are blocks, too; blocks of text whose text nobody sees are none to look at.
    rows = np.union1d(np.unique(blocks.leaf_block[blocks.leaf_block >= 0]), _textless(blocks))
    rows = rows[np.isfinite(blocks.box[rows, 0]) & (blocks.box[rows, 1] < picture.height)]
    # Numbered in the order of the page, drawn from large to small, so that none lies hidden below another.
    for number in np.argsort(-blocks.box[rows, 2] * blocks.box[rows, 3], kind="stable").tolist():
        row = int(rows[number])
        color = _COLORS[number % len(_COLORS)] if marked is None else _mark(blocks, row, marked)
        label = str(number) if not blocks.doc[row] else f"{number} · {blocks.doc[row]}"
        _draw(draw, blocks.box[row].tolist(), color, label, picture.width)
    out = io.BytesIO()
    Image.alpha_composite(picture, layer).convert("RGB").save(out, "PNG")
    return out.getvalue()


def page_picture(page: Page) -> tuple[bytes, tuple[int, int]]:
    """Return a picture of a rendered page as a PNG, with its width and height: its screenshot, or its lines as bars."""
    picture = _ground(page)
    if page.screenshot is not None and picture.size == Image.open(io.BytesIO(page.screenshot)).size:
        return page.screenshot, picture.size
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue(), picture.size


def _textless(blocks: Blocks) -> IntColumn:
    """Return the leaf blocks of a tree of VIPS that hold no text: pictures, controls, painted boxes."""
    outer = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    bare = np.setdiff1d(outer, blocks.leaf_block).astype(np.int32)
    return bare[blocks.doc[bare] > 0]


def _mark(blocks: Blocks, row: int, marked: Sequence[bool]) -> tuple[int, int, int]:
    return _KEPT if np.asarray(marked)[blocks.leaf_block == row].any() else _DROPPED


def _ground(page: Page) -> Image.Image:
    geometry = page.geometry
    assert geometry is not None
    if page.screenshot is not None:
        picture = Image.open(io.BytesIO(page.screenshot)).convert("RGBA")
        return picture.crop((0, 0, picture.width, min(picture.height, _TALLEST)))
    width, height = (max(int(np.ceil(size)), 1) for size in geometry.size)
    picture = Image.new("RGBA", (width, min(height, _TALLEST)), (255, 255, 255, 255))
    draw = ImageDraw.Draw(picture)
    for left, top, wide, high in geometry.line_box.tolist():
        if wide > 0 and high > 0 and top < picture.height:
            draw.rectangle((left, top + high * 0.3, left + wide, top + high * 0.8), fill=(205, 205, 205, 255))
    return picture


def _draw(draw: ImageDraw.ImageDraw, box: list[float], color: tuple[int, int, int], label: str, right: int) -> None:
    left, top, width, height = box
    corners = (max(left - 2, 1), max(top - 2, 1), min(left + width + 2, right - 2), top + height + 2)
    if corners[2] <= corners[0] or corners[3] <= corners[1]:
        # Out of the picture: links to skip a menu stand above the page, for example.
        return
    # A white line around the coloured one: it is seen on dark pages and on those of the block's own colour.
    around = (corners[0] - 1, corners[1] - 1, corners[2] + 1, corners[3] + 1)
    draw.rectangle(around, outline=(255, 255, 255, 190), width=1)
    draw.rectangle(corners, fill=(*color, _FILL_ALPHA), outline=(*color, 255), width=2)
    font = ImageFont.load_default(11)
    size = draw.textlength(label, font=font) + 5
    x = _label_place(left, width, size, right)
    draw.rectangle((x, top - 1, x + size, top + 13), fill=(*color, 230))
    draw.text((x + 3, top), label, fill=_ink(color), font=font)


def _label_place(left: float, width: float, size: float, right: int) -> float:
    """The label hangs outside of the block where there is room, so that no text is covered; else in its corner."""
    if left - size - 3 >= 0:
        return left - size - 3
    return left + width + 4 if left + width + 4 + size <= right else right - size - 4


def _ink(color: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Black or white, whichever is better read on a colour (its lightness by ITU-R BT.601)."""
    red, green, blue = color
    return (0, 0, 0, 255) if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else (255, 255, 255, 255)
