"""PNG pictures of a segmentation: the blocks drawn over the page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...page.arrays import IntColumn
from ...page.page import Page
from ..blocks import Blocks, subtree_sums
from ..vips.rules import BOX
from ..visible_boxes import visible_boxes
from .label_placement import LabelPlacer
from .screenshot import opened_screenshot

#: Colours of neighbouring blocks, distinct on light and dark pages and for colour-blind readers (Okabe & Ito 2008).
_COLORS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0))
_FILL_ALPHA, _TINT_ALPHA = 36, 70
#: Colours of content, partial content and no content, and of blocks without text, such as pictures.
_TINTS = {"content": (0, 140, 60), "partly": (200, 130, 0), "not content": (190, 40, 40), "not judged": (110, 110, 110)}
#: Largest width and height of the picture in pixels; a larger page is cropped.
_WIDEST, _TALLEST = 8_000, 16_000
#: Height of labels.
_LABEL = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class _BlockFrame:
    row: int
    box: tuple[float, float, float, float]
    color: tuple[int, int, int]
    label: str


def overlay_png(page: Page, blocks: Blocks, *, marked: Sequence[bool] | None = None) -> bytes:
    """Draw the leaf blocks of a segmentation over the page's screenshot, as PNG with one pixel per CSS pixel.

    Without a screenshot the page's lines are drawn as grey bars on white; a page of more than 16,000 pixels is cropped.
    With ``marked``, one value per text leaf, blocks of marked leaves are tinted green, those of others red, mixed ones
    amber; otherwise neighbours differ in colour and have numbers.
    """
    if page.geometry is None:
        raise ValueError("there is no geometry to draw: render the page with Browser().open(...)")
    picture = _background(page)
    layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    placer = LabelPlacer(picture.size, visible_boxes(page).line)
    frames = _frames(page, blocks, marked, picture.height)
    # Drawn from large to small, so that none is hidden; labels of small ones are placed first.
    for frame in frames:
        _draw(draw, frame, picture.width, _FILL_ALPHA if marked is None else _TINT_ALPHA)
    for frame in reversed(frames):
        _draw_label(draw, frame, placer)
    return _png(Image.alpha_composite(picture, layer))


def page_picture(page: Page) -> tuple[bytes, tuple[int, int]]:
    """Return a PNG of a rendered page, its screenshot or its lines as bars, with its width and height."""
    picture = _background(page)
    if page.screenshot is not None and picture.size == opened_screenshot(page).size:
        return page.screenshot, picture.size
    return _png(picture), picture.size


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue()


def _content_kinds(blocks: Blocks, marked: Sequence[bool]) -> list[str]:
    """Return the kind of each block's text: "content", "partly", "not content", or "not judged" without text."""
    inside = blocks.leaf_block >= 0
    kept = inside & np.asarray(marked, dtype=bool)
    total, content = (
        subtree_sums(blocks, np.bincount(blocks.leaf_block[leaves], minlength=len(blocks)).astype(np.float64))
        for leaves in (inside, kept)
    )
    kinds = np.where(content == total, "content", np.where(content > 0, "partly", "not content"))
    return [str(kind) for kind in np.where(total == 0, "not judged", kinds)]


def drawn_blocks(blocks: Blocks) -> IntColumn:
    """Return the leaf blocks to draw: those with text, and pictures, controls and painted boxes of a tree of VIPS."""
    leaf_rows = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    textless = np.setdiff1d(leaf_rows, blocks.leaf_block).astype(np.int32)
    rows = np.union1d(np.unique(blocks.leaf_block[blocks.leaf_block >= 0]), textless[blocks.doc[textless] > 0])
    drawn: IntColumn = rows[np.isfinite(blocks.box[rows, 0])].astype(np.int32)
    return drawn


def _frames(page: Page, blocks: Blocks, marked: Sequence[bool] | None, height: int) -> list[_BlockFrame]:
    """Return the blocks to draw, from large to small, numbered in the order of the page."""
    rows = drawn_blocks(blocks)
    rows = rows[blocks.box[rows, 1] < height]
    kinds = None if marked is None else _content_kinds(blocks, marked)
    frames = []
    for number, row in enumerate(rows.tolist()):
        color = _COLORS[number % len(_COLORS)] if kinds is None else _TINTS[kinds[row]]
        label = str(number) if not blocks.doc[row] else f"{number} · {blocks.doc[row]}"
        left, top, width, block_height = blocks.box[row].tolist()
        # A frame is on the edge of a painted box, and around text without a box.
        margin = 0 if _is_painted(page, blocks, row) else 2
        box = (left - margin, top - margin, left + width + margin, top + block_height + margin)
        frames.append(_BlockFrame(row=row, box=box, color=color, label="" if kinds else label))
    return sorted(frames, key=lambda one: (one.box[0] - one.box[2]) * (one.box[3] - one.box[1]))


def _is_painted(page: Page, blocks: Blocks, row: int) -> bool:
    node = int(blocks.node[row])
    return node >= 0 and blocks.rule is not None and int(blocks.rule[row]) in (0, BOX) and page.text[node] < 0


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


def _draw(draw: ImageDraw.ImageDraw, frame: _BlockFrame, right: int, alpha: int) -> None:
    left, top, end, bottom = frame.box
    corners = (max(left, 1), max(top, 1), min(end, right - 2), bottom)
    if corners[2] - corners[0] < 2 or corners[3] - corners[1] < 2:
        # Outside of the picture: skip links are often above the page, for example.
        return
    # A white line around the coloured one keeps it visible on dark pages and on those of the block's colour.
    around = (corners[0] - 1, corners[1] - 1, corners[2] + 1, corners[3] + 1)
    draw.rectangle(around, outline=(255, 255, 255, 190), width=1)
    draw.rectangle(corners, fill=(*frame.color, alpha), outline=(*frame.color, 255), width=2)


def _draw_label(draw: ImageDraw.ImageDraw, frame: _BlockFrame, placer: LabelPlacer) -> None:
    """Draw a label where there is room; a distant one is joined to its block by a line."""
    if not frame.label or frame.box[3] < 0:
        return
    font = ImageFont.load_default(11)
    size = round(draw.textlength(frame.label, font=font)) + 6, _LABEL
    position = placer.place(frame.box, size)
    if position is None:
        return
    x, y = position
    left, top, right, bottom = frame.box
    near = (min(max(x + size[0] / 2, left), right), min(max(y + size[1] / 2, top), bottom))
    if max(abs(x + size[0] / 2 - near[0]) - size[0] / 2, abs(y + size[1] / 2 - near[1]) - size[1] / 2) > 3:
        draw.line((x + size[0] / 2, y + size[1] / 2, *near), fill=(*frame.color, 255), width=1)
    draw.rectangle((x, y, x + size[0] - 1, y + size[1] - 1), fill=(*frame.color, 235))
    draw.text((x + 3, y), frame.label, fill=_ink(frame.color), font=font)


def _ink(color: tuple[int, int, int]) -> tuple[int, int, int, int]:
    red, green, blue = color
    return (0, 0, 0, 255) if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else (255, 255, 255, 255)
