"""A segmentation over its page as one HTML file that needs nothing else: to look at, to hover over, to send around."""

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
from ...render.visibility.backgrounds import visible_boxes
from ..blocks import Blocks
from ..element_locators import ElementLocators, join_steps
from ..export import described, record_groups, separator_facts
from ..records import records
from .overlay import content_kinds, corner_radius, drawn_blocks, page_picture

_TEMPLATE, _SCRIPT = (Path(__file__).with_name(f"overlay.{ending}") for ending in ("html", "js"))
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


def overlay_html(
    page: Page, layers: Sequence[Layer], *, shown: int = 0, marked: Sequence[bool] | None = None, method: str = ""
) -> str:
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
        One a text leaf: blocks of marked leaves are tinted green, those of others red, mixed ones amber; by default
        neighbours differ in colour.
    method : str
        What made the blocks, for the legend.

    Returns
    -------
    str
        One HTML document: pictures, data, style and script inside, nothing is loaded from elsewhere, and no other
        script runs in it, whatever the page holds.

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
    places = ElementLocators(page)
    data = {
        "size": [max(page.geometry.size[0], 1.0), max(page.geometry.size[1], 1.0)],
        "picture": size,
        "shown": shown,
        "marked": marked is not None,
        "method": method,
        "lines": _lines(page),
        "groups": record_groups(records(page, layers[0].blocks), places),
        "layers": [_layer(page, layer, marked, places) for layer in layers],
    }
    # Nothing in the data may end the script element that holds it.
    written = orjson.dumps(data).decode().replace("<", "\\u003c")
    template = _TEMPLATE.read_text(encoding="utf-8")
    script = _SCRIPT.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = {
        "script": script,
        "script_hash": f"sha256-{digest}",
        "title": escape(page.title or page.url),
        "url": escape(page.url),
        "picture": f"data:image/png;base64,{base64.b64encode(picture).decode()}",
        "data": written,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], template)


def _layer(page: Page, layer: Layer, marked: Sequence[bool] | None, places: ElementLocators) -> dict[str, Any]:
    blocks = layer.blocks
    for name, column in layer.columns.items():
        if len(column) != len(blocks):
            raise ValueError(f"column {name}: {len(column)} values, but layer {layer.name} has {len(blocks)} blocks")
    inner = set(blocks.parent.tolist())
    repeated = records(page, blocks)
    known = described(page, blocks, places=places, repeated=repeated)
    shown = set(drawn_blocks(blocks).tolist()) | inner
    return {
        "name": layer.name,
        "parent": blocks.parent.tolist(),
        "box": [_rounded(box) for box in blocks.box.tolist()],
        "doc": blocks.doc.tolist(),
        "tag": [facts["tag"] for facts in known],
        "rule": [facts["rule"] for facts in known],
        "record": [facts["record"] for facts in known],
        "selector": [join_steps(facts["selector"]) for facts in known],
        "xpath": [join_steps(facts["xpath"]) for facts in known],
        "whole": [facts["whole"] for facts in known],
        "leaf": [row not in inner for row in range(len(blocks))],
        "drawn": [row in shown for row in range(len(blocks))],
        "radius": [corner_radius(page, blocks, row) for row in range(len(blocks))],
        "kind": None if marked is None else content_kinds(blocks, marked),
        "text": _texts(page, blocks),
        "columns": {name: [_plain(value) for value in column] for name, column in layer.columns.items()},
        "separators": [
            {"block": row, **separator_facts(blocks.separators, place)}
            for place, row in enumerate(blocks.separators.block.tolist())
        ],
    }


def _lines(page: Page) -> list[int]:
    """Return the lines of text that are seen, four whole pixels each: left, top, width, height."""
    line = visible_boxes(page).line
    low, high = np.floor(line[:, :2]), np.ceil(line[:, 2:])
    flat: list[int] = np.concatenate([low, high - low], axis=1).astype(int).ravel().tolist()
    return flat


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
