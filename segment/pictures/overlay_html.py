"""A segmentation over its page as one HTML file that needs nothing else: to look at, to hover over, to send around."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from ...render.page import Page
from ..blocks import Blocks
from .overlay import page_picture

_TEMPLATE = Path(__file__).with_name("overlay.html")
#: Characters of a block's text that are shown.
_SHOWN = 400


@dataclass(frozen=True, kw_only=True, eq=False)
class Layer:
    """One segmentation in the picture.

    Attributes
    ----------
    name : str
        What the slider shows, such as the PDoC.
    blocks : Blocks
    columns : mapping of str to sequence, optional
        What else is known of the blocks, such as features and scores: numbers or texts, one a block; None and NaN are
        left out.
    """

    name: str
    blocks: Blocks
    columns: Mapping[str, Sequence[float | str | None]] = field(default_factory=dict)


def overlay_html(page: Page, layers: Sequence[Layer], *, shown: int = 0, marked: Sequence[bool] | None = None) -> str:
    """Draw segmentations over the page's screenshot.

    Parameters
    ----------
    page : Page
        With geometry. Without a screenshot its lines are drawn as grey bars on white.
    layers : sequence of Layer
        What the slider steps through, from coarse to fine; one alone has no slider.
    shown : int
        The layer to begin with.
    marked : sequence of bool, optional
        One a text leaf: blocks with marked leaves are green, the others red; by default neighbours differ in colour.

    Returns
    -------
    str
        One HTML document: pictures, data, style and script inside, nothing is loaded from elsewhere.

    Raises
    ------
    ValueError
        When the page has no geometry, there is no layer, or a column has not one value a block.
    """
    if page.geometry is None:
        raise ValueError("there is no geometry to draw: render the page with Browser().open(...)")
    if not 0 <= shown < len(layers):
        raise ValueError(f"shown must be one of the {len(layers)} layers, not {shown}")
    picture, size = page_picture(page)
    data = {
        "size": [max(page.geometry.size[0], 1.0), max(page.geometry.size[1], 1.0)],
        "picture": size,
        "shown": shown,
        "marked": marked is not None,
        "layers": [_layer(page, layer, marked) for layer in layers],
    }
    # Nothing in the data may end the script element that holds it.
    written = orjson.dumps(data).decode().replace("<", "\\u003c")
    template = _TEMPLATE.read_text(encoding="utf-8")
    parts = {
        "title": escape(page.title or page.url),
        "url": escape(page.url),
        "picture": f"data:image/png;base64,{base64.b64encode(picture).decode()}",
        "data": written,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], template)


def _layer(page: Page, layer: Layer, marked: Sequence[bool] | None) -> dict[str, Any]:
    blocks = layer.blocks
    for name, column in layer.columns.items():
        if len(column) != len(blocks):
            raise ValueError(f"column {name}: {len(column)} values, but layer {layer.name} has {len(blocks)} blocks")
    inner = set(blocks.parent.tolist())
    separators = blocks.separators
    return {
        "name": layer.name,
        "parent": blocks.parent.tolist(),
        "box": [_rounded(box) for box in blocks.box.tolist()],
        "doc": blocks.doc.tolist(),
        "tag": [page.tag_of(node) if node >= 0 else "" for node in blocks.node.tolist()],
        "leaf": [row not in inner for row in range(len(blocks))],
        "kept": None if marked is None else _kept(blocks, marked),
        "text": _texts(page, blocks),
        "columns": {name: [_plain(value) for value in column] for name, column in layer.columns.items()},
        "separators": [
            {"block": row, "box": _rounded(box), "horizontal": horizontal, "weight": round(weight, 2)}
            for row, box, horizontal, weight in zip(
                separators.block.tolist(),
                separators.box.tolist(),
                separators.horizontal.tolist(),
                separators.weight.tolist(),
                strict=True,
            )
        ],
    }


def _kept(blocks: Blocks, marked: Sequence[bool]) -> list[bool]:
    """A block is kept that holds a marked leaf, itself or in a block inside it."""
    kept = np.zeros(len(blocks), dtype=bool)
    kept[blocks.leaf_block[(blocks.leaf_block >= 0) & np.asarray(marked, dtype=bool)]] = True
    for row in range(len(blocks) - 1, 0, -1):
        if kept[row] and blocks.parent[row] >= 0:
            kept[blocks.parent[row]] = True
    return [bool(value) for value in kept]


def _texts(page: Page, blocks: Blocks) -> list[str]:
    """Begin each block's own text."""
    texts = [""] * len(blocks)
    for leaf, row in enumerate(blocks.leaf_block.tolist()):
        if row >= 0 and len(texts[row]) < _SHOWN:
            texts[row] = f"{texts[row]} {' '.join(page.leaf_texts[leaf].split())}"[: _SHOWN + 1].strip()
    return texts


def _rounded(box: Sequence[float]) -> list[float] | None:
    return None if math.isnan(box[0]) else [round(value, 1) for value in box]


def _plain(value: float | str | None) -> float | str | None:
    if value is None or isinstance(value, str):
        return value
    return None if math.isnan(value) else float(f"{value:.4g}")
