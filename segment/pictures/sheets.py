"""Layout of a picture: long pages in columns, and a legend above."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

#: Text of the legend, with the colour of the patch before it, if any.
LegendEntry = tuple[tuple[int, int, int] | None, str]

#: A picture longer than a column continues in the next one.
_COLUMN, _BETWEEN, _NOTE = 6_000, 28, 14
_LINE, _PATCH, _MARGIN, _APART = 26, 20, 10, 22


def wrap_columns(picture: Image.Image, height: float) -> Image.Image:
    """Return a long picture in columns side by side, with notes on where it continues, or where the page does."""
    missing = round(height) - picture.height
    if picture.height <= _COLUMN and missing <= 1:
        return picture
    count = -(-picture.height // _COLUMN)
    column_height = -(-picture.height // count)
    width = picture.width
    sheet = Image.new("RGB", (count * width + (count - 1) * _BETWEEN, column_height + 2 * _NOTE), (236, 236, 236))
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(11)
    for number in range(count):
        left = number * (width + _BETWEEN)
        part = picture.crop((0, number * column_height, width, min((number + 1) * column_height, picture.height)))
        sheet.paste(part, (left, _NOTE))
        if number:
            draw.text((left + 4, 0), f"from pixel {number * column_height} on", fill=(60, 60, 60), font=font)
        more = f"continues in the next column, from pixel {(number + 1) * column_height} on"
        end = (
            more
            if number + 1 < count
            else f"the page continues for {missing} pixels, without a picture"
            if missing > 1
            else ""
        )
        draw.text((left + 4, _NOTE + part.height + 1), end, fill=(60, 60, 60), font=font)
    return sheet


def with_legend(picture: Image.Image, entries: Sequence[LegendEntry]) -> Image.Image:
    """Return a picture with a legend above, wrapped into as many lines as needed."""
    font = ImageFont.load_default(13)
    draw = ImageDraw.Draw(picture)
    positions, x, line = [], 10.0, 0
    for color, text in entries:
        entry_width = draw.textlength(text, font=font) + (20 if color else 0)
        if x > 10 and x + entry_width > picture.width - 10:
            x, line = 10.0, line + 1
        positions.append((x, line))
        x += entry_width + 22
    legend_height = _LINE * (line + 1)
    sheet = Image.new("RGB", (picture.width, picture.height + legend_height), (250, 250, 248))
    sheet.paste(picture, (0, legend_height))
    draw = ImageDraw.Draw(sheet)
    draw.line((0, legend_height - 1, picture.width, legend_height - 1), fill=(200, 200, 196))
    for (color, text), (left, row) in zip(entries, positions, strict=True):
        top = row * _LINE + 5
        if color:
            draw.rectangle((left, top + 2, left + 13, top + 13), fill=color)
        draw.text((left + (20 if color else 0), top), text, fill=(30, 30, 30), font=font)
    return sheet
