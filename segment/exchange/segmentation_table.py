"""A segmentation as a table and as COCO boxes: one row, or one annotation, a block."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import orjson

from ...page.page import Page
from ..blocks import Blocks
from ..element_locators import BETWEEN
from ..export import describe_blocks

#: Columns of the table.
COLUMNS = (
    "id",
    "parent",
    "x",
    "y",
    "width",
    "height",
    "doc",
    "rule",
    "group",
    "record",
    "tag",
    "selector",
    "xpath",
    "whole",
    "text",
)
_SHOWN = 200


def to_csv(page: Page, blocks: Blocks) -> str:
    """Write a table: where each block is, the rule that made it, and how its text begins.

    The steps of a place have `` >> `` between them; what is not known is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row, facts in enumerate(describe_blocks(page, blocks)):
        facts |= dict(zip(("x", "y", "width", "height"), facts["box"] or [None] * 4, strict=True))
        facts |= {name: BETWEEN.join(facts[name]) for name in ("selector", "xpath")}
        facts |= {"doc": facts["doc"] or None, "whole": int(facts["whole"]), "text": text_start(page, blocks, row)}
        writer.writerow([_escape_formula(facts[name]) for name in COLUMNS])
    return out.getvalue()


def to_coco(page: Page, blocks: Blocks, *, picture: str = "") -> bytes:
    """Write the leaf blocks as COCO annotations, with where each is and what made it beside.

    Parameters
    ----------
    page : Page
        With geometry.
    blocks : Blocks
    picture : str
        File name of the screenshot, one pixel a CSS pixel.
    """
    if page.geometry is None:
        raise ValueError("blocks lie nowhere on a page without geometry: render it with Browser().open(...)")
    size = page.geometry.size
    inner = set(blocks.parent.tolist())
    annotations: list[dict[str, Any]] = []
    for row, facts in enumerate(describe_blocks(page, blocks)):
        box = None if facts["box"] is None or row in inner else _clip(facts.pop("box"), size)
        if box is not None:
            x, y, width, height = box
            corners = [x, y, x + width, y, x + width, y + height, x, y + height]
            shape = {"bbox": box, "area": width * height, "segmentation": [corners]}
            number = len(annotations) + 1
            annotations.append(
                {**facts, "block": row, "id": number, "image_id": 1, "category_id": 1, "iscrowd": 0} | shape
            )
    image = {"id": 1, "file_name": picture, "width": math.ceil(size[0]), "height": math.ceil(size[1])}
    category = {"id": 1, "name": "block", "supercategory": "block"}
    info = {"description": page.url, "contributor": "blocksight"}
    told = {"info": info, "licenses": [], "categories": [category], "images": [image], "annotations": annotations}
    return orjson.dumps(told)


def text_start(page: Page, blocks: Blocks, row: int) -> str:
    """Return how the text of a block begins, in one line."""
    words: list[str] = []
    for leaf in blocks.leaves_of(row).tolist():
        words += page.leaf_texts[leaf].split()
        if sum(map(len, words)) > _SHOWN:
            break
    return " ".join(words)[:_SHOWN]


def _escape_formula(value: Any) -> Any:
    """Write a text so that no spreadsheet takes it for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@") else value


def _clip(box: list[float], size: tuple[float, float]) -> list[float] | None:
    left, top = max(box[0], 0.0), max(box[1], 0.0)
    right, bottom = min(box[0] + box[2], size[0]), min(box[1] + box[3], size[1])
    return [left, top, right - left, bottom - top] if right > left and bottom > top else None
