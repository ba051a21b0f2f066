"""Segmentations as CSV and as COCO boxes: one row, or one annotation, per block."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import orjson

from ...page.page import Page
from ..blocks import Blocks
from ..element_locators import STEP_SEPARATOR
from ..export import describe_blocks

#: Columns of the table.
COLUMNS = tuple("id parent x y width height doc rule group record tag selector xpath whole text".split())
_SHOWN = 200


def to_csv(page: Page, blocks: Blocks) -> str:
    """Return position, deciding rule and start of the text of each block; unknown values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row, facts in enumerate(describe_blocks(page, blocks)):
        facts |= dict(zip(("x", "y", "width", "height"), facts["box"] or [None] * 4, strict=True))
        facts |= {name: STEP_SEPARATOR.join(facts[name]) for name in ("selector", "xpath")}
        facts |= {"doc": facts["doc"] or None, "whole": int(facts["whole"]), "text": text_start(page, blocks, row)}
        writer.writerow([_escape_formula(facts[name]) for name in COLUMNS])
    return out.getvalue()


def to_coco(page: Page, blocks: Blocks, *, picture: str = "") -> bytes:
    """Return the leaf blocks as COCO annotations; ``picture`` is the file name of the screenshot at scale 1."""
    if page.geometry is None:
        raise ValueError("blocks have no position on a page without geometry: render it with Browser().open(...)")
    size = page.geometry.size
    inner = set(blocks.parent.tolist())
    annotations: list[dict[str, Any]] = []
    for row, facts in enumerate(describe_blocks(page, blocks)):
        box = None if facts["box"] is None or row in inner else _clip(facts.pop("box"), size)
        if box is not None:
            x, y, width, height = box
            corners = [x, y, x + width, y, x + width, y + height, x, y + height]
            shape = {"bbox": box, "area": width * height, "segmentation": [corners]}
            identifier = len(annotations) + 1
            annotations.append(
                {**facts, "block": row, "id": identifier, "image_id": 1, "category_id": 1, "iscrowd": 0} | shape
            )
    image = {"id": 1, "file_name": picture, "width": math.ceil(size[0]), "height": math.ceil(size[1])}
    category = {"id": 1, "name": "block", "supercategory": "block"}
    info = {"description": page.url, "contributor": "blocksight"}
    data = {"info": info, "licenses": [], "categories": [category], "images": [image], "annotations": annotations}
    return orjson.dumps(data)


def text_start(page: Page, blocks: Blocks, row: int) -> str:
    """Return the start of a block's text, in one line."""
    words: list[str] = []
    for leaf in blocks.leaves_of(row).tolist():
        words += page.leaf_texts[leaf].split()
        if sum(map(len, words)) > _SHOWN:
            break
    return " ".join(words)[:_SHOWN]


def _escape_formula(value: Any) -> Any:
    """Return a value that no spreadsheet evaluates as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@") else value


def _clip(box: list[float], size: tuple[float, float]) -> list[float] | None:
    left, top = max(box[0], 0.0), max(box[1], 0.0)
    right, bottom = min(box[0] + box[2], size[0]), min(box[1] + box[3], size[1])
    return [left, top, right - left, bottom - top] if right > left and bottom > top else None
