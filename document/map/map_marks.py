"""Set of marks: the numbers of a page map drawn on the screenshot (Yang et al. 2023, arXiv 2310.11441)."""

from __future__ import annotations

import io
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...page.arrays import HALF
from ...page.page import Page
from ...segment.pictures.label_placement import LabelPlacer
from ...segment.pictures.page_picture import page_picture
from ...segment.visible_boxes import visible_boxes
from .controls import Control
from .page_map import PageMap

#: Colours of neighbouring marks, dark enough for white numbers.
_COLORS = ("darkblue", "firebrick", "darkgreen", "purple", "saddlebrown", "teal")
#: Size of the numbers; their labels follow from it.
_FONT = 12
#: Largest side of a WebP picture.
_WEBP = 16_383


def draw_marks(page: Page, page_map: PageMap, *, form: Literal["png", "webp"] = "png") -> bytes:
    """Draw a frame and the number of each control that can be clicked, one pixel per CSS pixel.

    Labels cover no other label, and text only if there is no room elsewhere. Without a screenshot the lines of the page
    are drawn as grey bars.

    Parameters
    ----------
    page : Page
        The page of the map.
    page_map : PageMap
    form : str
        "png", or "webp" without loss.

    Raises
    ------
    ValueError
        If the picture is too long for WebP.
    PageFailed
        If the screenshot cannot be read.
    """
    data, size = page_picture(page)
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    scale = picture.width / max(page_map.size[0], 1.0)
    if scale != 1.0 and page.screenshot is not None:
        # Rendered with other device pixels than CSS pixels.
        size = (round(picture.width / scale), round(picture.height / scale))
        picture = picture.resize(size)
    draw = ImageDraw.Draw(picture)
    shown = [control for control in page_map.controls if control.clickable and _is_visible(control, size)]
    _draw(draw, shown, size, visible_boxes(page).line)
    if form == "webp" and max(picture.size) > _WEBP:
        raise ValueError(f"WebP pictures have at most {_WEBP} pixels a side: take PNG")
    out = io.BytesIO()
    picture.save(out, form.upper(), **({"lossless": True} if form == "webp" else {"optimize": True}))
    return out.getvalue()


def _is_visible(control: Control, size: tuple[int, int]) -> bool:
    left, top, width, height = control.box
    inside = left < size[0] and top < size[1] and left + width > 0 and top + height > 0
    return inside and not control.clipped and control.free >= HALF


def _draw(draw: ImageDraw.ImageDraw, controls: list[Control], size: tuple[int, int], lines: np.ndarray) -> None:
    """Draw frames, then labels: those of small controls are placed first."""
    frames = [_corners(control, size) for control in controls]
    for index, corners in enumerate(frames):
        draw.rectangle(corners, outline=_COLORS[index % len(_COLORS)], width=2)
    next_to_text, anywhere = LabelPlacer(size, lines), LabelPlacer(size, lines[:0])
    font = ImageFont.load_default(_FONT)
    for index in sorted(range(len(frames)), key=lambda index: controls[index].box[2]):
        left, top, right, bottom = frames[index]
        text, color = str(controls[index].number), _COLORS[index % len(_COLORS)]
        label = width, height = round(draw.textlength(text, font=font) + _FONT / 2), round(_FONT + _FONT / 2)
        position = next_to_text.place(frames[index], label)
        if position is None or not anywhere.occupy(position, label):
            position = anywhere.place(frames[index], label)
        if position is None:
            continue
        x, y = position
        near = (min(max(x, left), right), min(max(y, top), bottom))
        middle = (x + width / 2, y + height / 2)
        if abs(near[0] - x) > 2 * width or abs(near[1] - y) > 2 * height:
            draw.line((*middle, *near), fill=color)
        draw.rectangle((x, y, x + width - 1, y + height - 1), fill=color)
        draw.text(middle, text, fill="white", font=font, anchor="mm")


def _corners(control: Control, size: tuple[int, int]) -> tuple[float, float, float, float]:
    x, y, width, height = control.box
    left, top = max(x, 0.0), max(y, 0.0)
    return (left, top, max(min(x + width, size[0] - 1.0), left + 1), max(y + height, top + 1))
