"""The sheet that a picture stands on: columns for what is long, and a strip above that says what is to be seen."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

#: A text of the strip, with the colour of the patch before it, if any.
LegendEntry = tuple[tuple[int, int, int] | None, str]

#: A picture longer than a column goes on in the next one.
_COLUMN, _BETWEEN, _NOTE = 6_000, 28, 14
_LINE, _PATCH, _MARGIN, _APART = 26, 20, 10, 22


def wrap_columns(picture: Image.Image, height: float) -> Image.Image:
    """Put a long picture into columns side by side, and mark where it goes on, or where the page does without it."""
    missing = round(height) - picture.height
    if picture.height <= _COLUMN and missing <= 1:
        return picture
    count = -(-picture.height // _COLUMN)
    tall = -(-picture.height // count)
    width = picture.width
    whole = Image.new("RGB", (count * width + (count - 1) * _BETWEEN, tall + 2 * _NOTE), (236, 236, 236))
    draw = ImageDraw.Draw(whole)
    font = ImageFont.load_default(11)
    for number in range(count):
        left = number * (width + _BETWEEN)
        part = picture.crop((0, number * tall, width, min((number + 1) * tall, picture.height)))
        whole.paste(part, (left, _NOTE))
        if number:
            draw.text((left + 4, 0), f"from pixel {number * tall} on", fill=(60, 60, 60), font=font)
        more = f"goes on in the next column, from pixel {(number + 1) * tall} on"
        end = (
            more
            if number + 1 < count
            else f"the page goes on for {missing} pixels, without a picture"
            if missing > 1
            else ""
        )
        draw.text((left + 4, _NOTE + part.height + 1), end, fill=(60, 60, 60), font=font)
    return whole


def with_legend(picture: Image.Image, said: Sequence[LegendEntry]) -> Image.Image:
    """Put a strip above the picture, of as many lines as it takes."""
    font = ImageFont.load_default(13)
    draw = ImageDraw.Draw(picture)
    places, x, line = [], 10.0, 0
    for color, text in said:
        wide = draw.textlength(text, font=font) + (20 if color else 0)
        if x > 10 and x + wide > picture.width - 10:
            x, line = 10.0, line + 1
        places.append((x, line))
        x += wide + 22
    high = _LINE * (line + 1)
    whole = Image.new("RGB", (picture.width, picture.height + high), (250, 250, 248))
    whole.paste(picture, (0, high))
    draw = ImageDraw.Draw(whole)
    draw.line((0, high - 1, picture.width, high - 1), fill=(200, 200, 196))
    for (color, text), (left, row) in zip(said, places, strict=True):
        top = row * _LINE + 5
        if color:
            draw.rectangle((left, top + 2, left + 13, top + 13), fill=color)
        draw.text((left + (20 if color else 0), top), text, fill=(30, 30, 30), font=font)
    return whole
