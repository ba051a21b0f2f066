"""Data sets as COCO boxes: pictures of pages, and one rectangle per block."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image

from ...files.atomic import write_bytes, write_text
from .dataset_files import LOCATORS, Dataset

#: Identifier and name of each category.
CATEGORIES = {1: "content", 2: "boilerplate"}
_NEEDED = ("x_px", "y_px", "width_px", "height_px", "label", "block", "tag", *LOCATORS)
_OF_LABEL = {1: 1, 0: 2}
#: Why blocks are no annotations.
UNLABELLED, NOT_SHOWN, OUTSIDE, NO_PICTURE = "no label", "not shown", "outside of the picture", "no picture of the page"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """Picture of a page as PNG, one pixel per CSS pixel."""

    page: str
    png: bytes


def write_coco(dataset: Dataset, pictures: Iterable[PagePicture], folder: Path) -> Counter[str]:
    """Write ``annotations.json`` and ``images/``, and return the number of blocks left out by reason.

    Boxes are in pixels of the picture, clipped at its edges. ``left_out.jsonl`` names each block that is no annotation,
    with the reason; the counts are in ``info`` as well.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rows = {part["page"][0].as_py(): part.select(_NEEDED) for part in dataset.parts() if len(part)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for picture in pictures:
        if picture.page not in rows:
            continue
        name = f"{picture.page.replace('/', '_')}.png"
        write_bytes(folder / "images" / name, picture.png)
        with Image.open(io.BytesIO(picture.png)) as opened:
            width, height = opened.size
        images.append({"id": len(images) + 1, "file_name": name, "width": width, "height": height})
        for block, why, box in _boxes(rows.pop(picture.page), width, height):
            if why:
                left_out.append({"page": picture.page, "block": block, "reason": why})
            else:
                annotations.append({"id": len(annotations) + 1, "image_id": len(images), "iscrowd": 0} | box)
    for page, part in rows.items():
        left_out += [{"page": page, "block": block, "reason": NO_PICTURE} for block in part["block"].to_pylist()]
    counts = Counter(str(one["reason"]) for one in left_out)
    whole = {
        "info": {"description": dataset.name, "contributor": "blocksight", "left_out": dict(counts)},
        "licenses": [],
        "categories": [{"id": number, "name": name, "supercategory": "block"} for number, name in CATEGORIES.items()],
        "images": images,
        "annotations": annotations,
    }
    write_text(folder / "annotations.json", json.dumps(whole, ensure_ascii=False))
    write_text(folder / "left_out.jsonl", "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in left_out))
    return counts


def _boxes(rows: pa.Table, width: int, height: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield block, the reason why it is left out ("" if it is not), and its annotation."""
    columns = [rows[name].to_pylist() for name in _NEEDED]
    for left, top, block_width, block_height, label, *facts in zip(*columns, strict=True):
        about = dict(zip(_NEEDED[5:], facts, strict=True))
        if left is None or label is None:
            yield about["block"], UNLABELLED if left is not None else NOT_SHOWN, {}
            continue
        x, y = max(left, 0.0), max(top, 0.0)
        right, bottom = min(left + block_width, float(width)), min(top + block_height, float(height))
        box = {
            "category_id": _OF_LABEL[label],
            "bbox": [x, y, right - x, bottom - y],
            "area": (right - x) * (bottom - y),
            "segmentation": [[x, y, right, y, right, bottom, x, bottom]],
        }
        yield about["block"], "" if right > x and bottom > y else OUTSIDE, box | about
