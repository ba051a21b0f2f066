"""Segmentations as JSON, and descriptions of blocks and separators as plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..page.page import Page
from .blocks import PARTS, Blocks, Separators
from .element_locators import ElementLocator, ElementLocators
from .vips.rules import RULE_NAMES

#: Locator of blocks without an element.
_NO_ELEMENT = ElementLocator(tag="", selector=(), xpath=())


def to_dict(page: Page, blocks: Blocks) -> dict[str, Any]:
    """Return a segmentation as plain values: ``url``, ``size`` and ``blocks``.

    ``blocks`` is a list of trees. A block has the values of :func:`describe_blocks` (without the parent) and
    ``"leaves"``, ``"children"``, ``"separators"``: leaves are ``{"text", "box"}`` of the text leaves directly in the
    block, separators ``{"box", "direction", "weight", "parts"}``.
    """
    nodes = [
        {"box": facts.pop("box"), **facts, "leaves": [], "children": [], "separators": []}
        for facts in describe_blocks(page, blocks)
    ]
    for leaf, row in enumerate(blocks.leaf_block.tolist()):
        if row >= 0:
            nodes[row]["leaves"].append(
                {
                    "text": page.leaf_texts[leaf],
                    "box": None if page.geometry is None else _box(page.geometry.box[page.leaves[leaf]]),
                }
            )
    separators = blocks.separators
    for index, row in enumerate(separators.block.tolist()):
        nodes[row]["separators"].append(describe_separator(separators, index))
    for row, parent in enumerate(blocks.parent.tolist()):
        del nodes[row]["parent"]
        if parent >= 0:
            nodes[parent]["children"].append(nodes[row])
    roots = [nodes[row] for row, parent in enumerate(blocks.parent.tolist()) if parent < 0]
    size = list(page.geometry.size) if page.geometry else None
    return {"url": page.url, "size": size, "blocks": roots}


def _locate(locators: ElementLocators, node: int) -> dict[str, Any]:
    locator = locators.of(node) if locators.element(node) >= 0 else _NO_ELEMENT
    return {"tag": locator.tag, "selector": list(locator.selector), "xpath": list(locator.xpath)}


def describe_blocks(page: Page, blocks: Blocks) -> list[dict[str, Any]]:
    """Return the position and origin of each block as plain values.

    ``box`` is null if nothing was rendered, ``rule`` the name of the deciding rule; ``tag``, ``selector`` and ``xpath``
    locate its element (lists of steps, see :mod:`~blocksight.segment.element_locators`).
    """
    locators = ElementLocators(page)
    rules = [-1] * len(blocks) if blocks.rule is None else blocks.rule.tolist()
    return [
        {
            "id": row,
            "parent": parent if parent >= 0 else None,
            "box": _box(blocks.box[row]),
            "doc": int(blocks.doc[row]),
            "rule": RULE_NAMES.get(rules[row]),
            **_locate(locators, node),
        }
        for row, (parent, node) in enumerate(zip(blocks.parent.tolist(), blocks.node.tolist(), strict=True))
    ]


def describe_separator(separators: Separators, index: int) -> dict[str, Any]:
    """Return the position of a separator and the parts of its weight as plain values; parts of 0 are left out."""
    parts = zip(PARTS, separators.parts[index].tolist(), strict=True) if len(separators.parts) else ()
    return {
        "box": _box(separators.box[index]),
        "direction": "horizontal" if separators.horizontal[index] else "vertical",
        "weight": round(float(separators.weight[index]), 3),
        "parts": {name: round(part, 3) for name, part in parts if part},
    }


def _box(box: Any) -> list[float] | None:
    return None if np.isnan(box[0]) else [round(float(value), 2) for value in box]
