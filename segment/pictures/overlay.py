"""PNG pictures of a segmentation: the blocks drawn over the page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...page.arrays import IntColumn
from ...page.page import Page
from ...render.visibility.visible_boxes import visible_boxes
from ..blocks import Blocks
from ..vips.rules import BOX
from .label_placement import LabelPlacer
from .screenshot import opened_screenshot

#: Colours of neighbouring blocks, distinct on light and dark pages and for colour-blind readers (Okabe & Ito 2008).
_COLORS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0))
_FILL_ALPHA, _TINT_ALPHA = 36, 70
#: Colours of content, partial content and no content, and of blocks without text, such as pictures.
_TINTS = {"content": (0, 140, 60), "partly": (200, 130, 0), "not content": (190, 40, 40), "not judged": (110, 110, 110)}
_STRIPE = (122, 61, 184)
#: Largest width and height of the picture in pixels; a larger page is cropped.
_WIDEST, _TALLEST = 8_000, 16_000
#: Height of labels.
_LABEL = 14
#: Text of the legend, with the colour of the patch before it, if any.
LegendEntry = tuple[tuple[int, int, int] | None, str]
#: Width, or half the height, of a picture from which on the legend grows with it.
_LEGEND_SIDE = 1_600
_LEGEND_LINE = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class _BlockFrame:
    row: int
    box: tuple[float, float, float, float]
    color: tuple[int, int, int]
    label: str
    radius: float


def overlay_png(
    page: Page,
    blocks: Blocks,
    *,
    marked: Sequence[bool] | None = None,
    separators: bool = False,
    title: str = "",
) -> bytes:
    """Draw the leaf blocks of a segmentation over the page's screenshot, as PNG with one pixel per CSS pixel.

    Without a screenshot the page's lines are drawn as grey bars on white; a page of more than 16,000 pixels is cropped.
    With ``marked``, one value per text leaf, blocks of marked leaves are tinted green, those of others red, mixed ones
    amber; otherwise neighbours differ in colour and have numbers. ``separators`` draws them with their weights;
    ``title`` is the start of the legend, which is left out without it.
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
    if separators:
        _draw_separators(draw, blocks, placer, picture.size)
    for frame in reversed(frames):
        _draw_label(draw, frame, placer)
    whole = Image.alpha_composite(picture, layer).convert("RGB")
    if title:
        whole = _with_legend(whole, _legend(title, frames, blocks, marked is not None, separators))
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()


def page_picture(page: Page) -> tuple[bytes, tuple[int, int]]:
    """Return a PNG of a rendered page, its screenshot or its lines as bars, with its width and height."""
    picture = _background(page)
    if page.screenshot is not None and picture.size == opened_screenshot(page).size:
        return page.screenshot, picture.size
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue(), picture.size


def _content_kinds(blocks: Blocks, marked: Sequence[bool]) -> list[str]:
    """Return the kind of each block's text: "content", "partly", "not content", or "not judged" without text."""
    total, content = np.zeros(len(blocks), dtype=np.int64), np.zeros(len(blocks), dtype=np.int64)
    inside = blocks.leaf_block >= 0
    np.add.at(total, blocks.leaf_block[inside], 1)
    np.add.at(content, blocks.leaf_block[inside & np.asarray(marked, dtype=bool)], 1)
    for row in range(len(blocks) - 1, 0, -1):
        above = int(blocks.parent[row])
        if above >= 0:
            total[above] += total[row]
            content[above] += content[row]
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
        radius = _corner_radius(page, blocks, row)
        # A frame is on the edge of a painted box, and around text without a box.
        margin = 0 if _is_painted(page, blocks, row) else 2
        box = (left - margin, top - margin, left + width + margin, top + block_height + margin)
        frames.append(_BlockFrame(row=row, box=box, color=color, label="" if kinds else label, radius=radius))
    return sorted(frames, key=lambda one: (one.box[0] - one.box[2]) * (one.box[3] - one.box[1]))


def _corner_radius(page: Page, blocks: Blocks, row: int) -> float:
    """Return the radius of a block's corners in CSS pixels; 0 for blocks not painted as a box."""
    node = int(blocks.node[row])
    if not _is_painted(page, blocks, row) or page.geometry is None or page.geometry.paint is None:
        return 0.0
    radius = float(page.geometry.paint.radius[node])
    return round(min(radius, float(blocks.box[row, 2]) / 2, float(blocks.box[row, 3]) / 2), 1)


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
    radius = min(frame.radius, (corners[2] - corners[0]) / 2, (corners[3] - corners[1]) / 2)
    # A white line around the coloured one keeps it visible on dark pages and on those of the block's colour.
    around = (corners[0] - 1, corners[1] - 1, corners[2] + 1, corners[3] + 1)
    draw.rounded_rectangle(around, radius=radius, outline=(255, 255, 255, 190), width=1)
    draw.rounded_rectangle(corners, radius=radius, fill=(*frame.color, alpha), outline=(*frame.color, 255), width=2)


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


def _draw_separators(draw: ImageDraw.ImageDraw, blocks: Blocks, placer: LabelPlacer, size: tuple[int, int]) -> None:
    """Draw stripes with their weights, the lightest first: labels of heavier ones cover them."""
    font = ImageFont.load_default(11)
    separators = blocks.separators
    for index in np.argsort(separators.weight, kind="stable").tolist():
        x, y, width, height = separators.box[index].tolist()
        box = (max(x, 0), max(y, 0), min(max(x + width, x + 1), size[0]), min(max(y + height, y + 1), size[1]))
        if box[2] < box[0] or box[3] < box[1]:
            continue
        draw.rectangle(box, fill=(*_STRIPE, 44), outline=(*_STRIPE, 110))
        label = f"{separators.weight[index]:.1f}"
        label_width = round(draw.textlength(label, font=font))
        position = placer.place_along(box, (label_width, _LABEL), level=bool(separators.horizontal[index]))
        if position is not None:
            draw.text(
                position, label, fill=(*_STRIPE, 255), font=font, stroke_width=2, stroke_fill=(255, 255, 255, 230)
            )


def _legend(
    title: str, frames: Sequence[_BlockFrame], blocks: Blocks, tinted: bool, separators: bool
) -> list[LegendEntry]:
    entries: list[LegendEntry] = [(None, f"{title} - {len(frames)} blocks")]
    if tinted:
        used = {frame.color for frame in frames}
        entries += [(color, kind) for kind, color in _TINTS.items() if color in used]
    elif frames:
        scale = " · coherence" if any(blocks.doc) else ""
        entries.append((_COLORS[0], f"label: number in the page{scale}"))
        # Separate entries, so that they can be wrapped in a narrow picture.
        entries += [(None, "coherence: 1 (loose) to 10 (one thing)")] if scale else []
        entries.append((None, "colours only distinguish neighbours"))
    if separators and len(blocks.separators):
        entries.append((_STRIPE, "separator, with its weight"))
    return entries


def _ink(color: tuple[int, int, int]) -> tuple[int, int, int, int]:
    red, green, blue = color
    return (0, 0, 0, 255) if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else (255, 255, 255, 255)


def _with_legend(picture: Image.Image, entries: Sequence[LegendEntry]) -> Image.Image:
    """Return a picture with a legend above, wrapped into as many lines as needed.

    On a large picture, which is seen reduced, the letters are larger.
    """
    scale = max(1.0, max(picture.width, picture.height / 2) / _LEGEND_SIDE)
    font = ImageFont.load_default(13 * scale)
    draw = ImageDraw.Draw(picture)
    margin, line_height, patch = 10 * scale, round(_LEGEND_LINE * scale), 13 * scale
    positions, x, line = [], margin, 0
    for color, text in entries:
        entry_width = draw.textlength(text, font=font) + (patch + 7 * scale if color else 0)
        if x > margin and x + entry_width > picture.width - margin:
            x, line = margin, line + 1
        positions.append((x, line))
        x += entry_width + 22 * scale
    legend_height = line_height * (line + 1)
    sheet = Image.new("RGB", (picture.width, picture.height + legend_height), (250, 250, 248))
    sheet.paste(picture, (0, legend_height))
    draw = ImageDraw.Draw(sheet)
    draw.line((0, legend_height - 1, picture.width, legend_height - 1), fill=(200, 200, 196))
    for (color, text), (left, row) in zip(entries, positions, strict=True):
        top = row * line_height + 5 * scale
        if color:
            draw.rectangle((left, top + 2 * scale, left + patch, top + patch), fill=color)
        draw.text((left + (patch + 7 * scale if color else 0), top), text, fill=(30, 30, 30), font=font)
    return sheet
