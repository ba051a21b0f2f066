"""The findings of an audit drawn on the screenshot."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...page.page import Page
from ...segment.pictures.label_placement import LabelPlacer
from ...segment.pictures.overlay import page_picture
from .page_audit import PageAudit

#: Colours of the kinds, distinct for colour-blind readers (Okabe & Ito 2008).
_COLORS = {"contrast": (213, 94, 0), "order": (0, 114, 178), "heading": (0, 158, 115), "target": (204, 121, 167)}
_HEIGHT = 15


def draw_audit(page: Page, audit: PageAudit) -> bytes:
    """Return a PNG of the page, one pixel per CSS pixel, with a frame and a label for each finding."""
    data, size = page_picture(page)
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    if page.geometry is not None and picture.width != round(page.geometry.size[0]):
        size = (round(page.geometry.size[0]), round(picture.height * page.geometry.size[0] / picture.width))
        picture = picture.resize(size)
    draw, placer, font = ImageDraw.Draw(picture), LabelPlacer(size, np.zeros((0, 4))), ImageFont.load_default(11)
    for finding in audit.findings:
        left, top, width, height = finding.box
        corners = (max(left, 0.0), max(top, 0.0), max(left + width, left + 1), max(top + height, top + 1))
        color = _COLORS[finding.kind]
        draw.rectangle(corners, outline=color, width=2)
        text = finding.kind if finding.kind in ("order", "heading") else f"{finding.kind} {finding.value:g}"
        label = (round(draw.textlength(text, font=font)) + 6, _HEIGHT)
        if (position := placer.place(corners, label)) is not None:
            draw.rectangle((*position, position[0] + label[0] - 1, position[1] + _HEIGHT - 1), fill=color)
            draw.text((position[0] + 3, position[1]), text, fill=(255, 255, 255), font=font)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
