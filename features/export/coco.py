"""Data sets as COCO boxes: pictures of pages, and one rectangle per block."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image

from ...files.atomic import write_bytes, write_text
from .dataset_files import LOCATORS, Dataset

#: Identifier and name of each category.
CATEGORIES = {1: "content", 2: "boilerplate", 3: "unlabelled"}
_NEEDED = ("x_px", "y_px", "width_px", "height_px", "label", "block", "tag", *LOCATORS)
_OF_LABEL = {1: 1, 0: 2, None: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """Picture of a page as PNG, one pixel per CSS pixel."""

    page: str
    png: bytes


def write_coco(dataset: Dataset, pictures: Iterable[PagePicture], folder: Path) -> None:
    """Write ``annotations.json`` and ``images/``; boxes are in pixels of the picture, clipped at its edges."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rows = {part["page"][0].as_py(): part.select(_NEEDED) for part in dataset.parts() if len(part)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for picture in pictures:
        if picture.page not in rows:
            continue
        name = f"{picture.page.replace('/', '_')}.png"
        write_bytes(folder / "images" / name, picture.png)
        with Image.open(io.BytesIO(picture.png)) as opened:
            width, height = opened.size
        images.append({"id": len(images) + 1, "file_name": name, "width": width, "height": height})
        for box in _boxes(rows[picture.page], width, height):
            annotations.append({"id": len(annotations) + 1, "image_id": len(images), "iscrowd": 0} | box)
    whole = {
        "info": {"description": dataset.name, "contributor": "blocksight"},
        "licenses": [],
        "categories": [{"id": number, "name": name, "supercategory": "block"} for number, name in CATEGORIES.items()],
        "images": images,
        "annotations": annotations,
    }
    write_text(folder / "annotations.json", json.dumps(whole, ensure_ascii=False))


def _boxes(rows: pa.Table, width: int, height: int) -> Iterable[dict[str, Any]]:
    columns = [rows[name].to_pylist() for name in _NEEDED]
    for left, top, block_width, block_height, label, *facts in zip(*columns, strict=True):
        if left is None:
            continue
        x, y = max(left, 0.0), max(top, 0.0)
        right, bottom = min(left + block_width, float(width)), min(top + block_height, float(height))
        if right > x and bottom > y:
            yield {
                "category_id": _OF_LABEL[label],
                "bbox": [x, y, right - x, bottom - y],
                "area": (right - x) * (bottom - y),
                "segmentation": [[x, y, right, y, right, bottom, x, bottom]],
                **dict(zip(_NEEDED[5:], facts, strict=True)),
            }
