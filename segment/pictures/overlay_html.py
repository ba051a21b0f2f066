"""A segmentation over its page as one HTML file without external resources."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from ...page.page import Page
from ...render.visibility.visible_boxes import visible_boxes
from ..blocks import Blocks
from ..element_locators import ElementLocators, join_steps
from ..export import describe_blocks, describe_groups, describe_separator
from ..record_layout import record_layout
from .overlay import content_kinds, corner_radius, drawn_blocks, page_picture

_TEMPLATE, _SCRIPT = (Path(__file__).with_name(f"overlay.{ending}") for ending in ("html", "js"))
#: Most characters of a block's text that are shown.
_SHOWN = 400


@dataclass(frozen=True, kw_only=True, eq=False)
class Layer:
    """One segmentation in the picture."""

    name: str  # shown at the slider, such as the PDoC
    blocks: Blocks
    #: further values of the blocks, such as features and scores: numbers or texts, one per block; None and NaN are left
    #: out
    columns: Mapping[str, Sequence[float | str | None]] = field(default_factory=dict)


def overlay_html(
    page: Page, layers: Sequence[Layer], *, shown: int = 0, marked: Sequence[bool] | None = None, method: str = ""
) -> str:
    """Draw segmentations over the page's screenshot.

    Parameters
    ----------
    page : Page
        With geometry. Without a screenshot its lines are drawn as grey bars on white.
    layers : sequence of Layer
        Steps of the slider, from coarse to fine; a single layer has no slider.
    shown : int
        The initial layer.
    marked : sequence of bool, optional
        One per text leaf: blocks of marked leaves are tinted green, those of others red, mixed ones amber; by default
        neighbours differ in colour.
    method : str
        Name of the segmentation method, for the legend.

    Returns
    -------
    str
        One HTML document: pictures, data, style and script inline, no external resources, and no script of the page.

    Raises
    ------
    ValueError
        If the page has no geometry, there is no layer, or a column has not one value per block.
    """
    if page.geometry is None:
        raise ValueError("there is no geometry to draw: render the page with Browser().open(...)")
    if not 0 <= shown < len(layers):
        raise ValueError(f"shown must be one of the {len(layers)} layers, not {shown}")
    picture, size = page_picture(page)
    locators = ElementLocators(page)
    data = {
        "size": [max(page.geometry.size[0], 1.0), max(page.geometry.size[1], 1.0)],
        "picture": size,
        "shown": shown,
        "marked": marked is not None,
        "method": method,
        "lines": _lines(page),
        "groups": describe_groups(record_layout(page, layers[0].blocks), locators),
        "layers": [_layer(page, layer, marked, locators) for layer in layers],
    }
    # The data must not contain the end tag of its script element.
    json = orjson.dumps(data).decode().replace("<", "\\u003c")
    template = _TEMPLATE.read_text(encoding="utf-8")
    script = _SCRIPT.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = {
        "script": script,
        "script_hash": f"sha256-{digest}",
        "title": escape(page.title or page.url),
        "url": escape(page.url),
        "picture": f"data:image/png;base64,{base64.b64encode(picture).decode()}",
        "data": json,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], template)


def _layer(page: Page, layer: Layer, marked: Sequence[bool] | None, locators: ElementLocators) -> dict[str, Any]:
    blocks = layer.blocks
    for name, column in layer.columns.items():
        if len(column) != len(blocks):
            raise ValueError(f"column {name}: {len(column)} values, but layer {layer.name} has {len(blocks)} blocks")
    inner = set(blocks.parent.tolist())
    descriptions = describe_blocks(page, blocks, locators=locators)
    shown = set(drawn_blocks(blocks).tolist()) | inner
    return {
        "name": layer.name,
        "parent": blocks.parent.tolist(),
        "box": [_rounded(box) for box in blocks.box.tolist()],
        "doc": blocks.doc.tolist(),
        "tag": [facts["tag"] for facts in descriptions],
        "rule": [facts["rule"] for facts in descriptions],
        "record": [facts["record"] for facts in descriptions],
        "selector": [join_steps(facts["selector"]) for facts in descriptions],
        "xpath": [join_steps(facts["xpath"]) for facts in descriptions],
        "whole": [facts["whole"] for facts in descriptions],
        "leaf": [row not in inner for row in range(len(blocks))],
        "drawn": [row in shown for row in range(len(blocks))],
        "radius": [corner_radius(page, blocks, row) for row in range(len(blocks))],
        "kind": None if marked is None else content_kinds(blocks, marked),
        "text": _texts(page, blocks),
        "columns": {name: [_plain(value) for value in column] for name, column in layer.columns.items()},
        "separators": [
            {"block": row, **describe_separator(blocks.separators, index)}
            for index, row in enumerate(blocks.separators.block.tolist())
        ],
    }


def _lines(page: Page) -> list[int]:
    """Return the visible lines of text, four integers each: left, top, width, height."""
    line = visible_boxes(page).line
    low, high = np.floor(line[:, :2]), np.ceil(line[:, 2:])
    return np.concatenate([low, high - low], axis=1).astype(int).ravel().tolist()


def _texts(page: Page, blocks: Blocks) -> list[str]:
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
