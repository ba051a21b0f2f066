"""Segmentations for other programs: JSON and XML."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

from ..render.page import Page
from .blocks import Blocks
from .semantic import relations


def to_json(page: Page, blocks: Blocks) -> dict[str, Any]:
    """Return a segmentation as plain values.

    Returns
    -------
    dict
        ``url``, ``size`` (width and height of the page), and ``blocks``: a list of trees of ``{"box", "doc", "leaves",
        "children", "separators"}``, where ``box`` is ``[x, y, width, height]`` in CSS pixels of the document (null
        where nothing was rendered) and ``leaves`` are ``{"text", "box"}`` of the text leaves right in the block.
    """
    nodes: list[dict[str, Any]] = [
        {"box": _box(box), "doc": int(doc), "leaves": [], "children": [], "separators": []}
        for box, doc in zip(blocks.box, blocks.doc, strict=True)
    ]
    for leaf, row in enumerate(blocks.leaf_block.tolist()):
        if row >= 0:
            nodes[row]["leaves"].append({"text": page.leaf_texts[leaf], "box": _leaf_box(page, leaf)})
    separators = blocks.separators
    for row, box, horizontal, weight in zip(
        separators.block.tolist(), separators.box, separators.horizontal, separators.weight, strict=True
    ):
        way = "horizontal" if horizontal else "vertical"
        nodes[row]["separators"].append({"box": _box(box), "direction": way, "weight": round(float(weight), 3)})
    for row, parent in enumerate(blocks.parent.tolist()):
        if parent >= 0:
            nodes[parent]["children"].append(nodes[row])
    roots = [nodes[row] for row, parent in enumerate(blocks.parent.tolist()) if parent < 0]
    size = list(page.geometry.size) if page.geometry else None
    return {"url": page.url, "size": size, "blocks": roots}


def related(blocks: Blocks) -> list[dict[str, Any]]:
    """Return how each block of a flat segmentation stands to the next one, as plain values.

    Returns
    -------
    list of dict
        ``{"one", "other", "distance", "offset", "same_width"}``: rows of the two blocks, and their
        :class:`~blocksight.segment.semantic.Relations` in CSS pixels (null where nothing was rendered).
    """
    one = np.arange(max(len(blocks) - 1, 0), dtype=np.int32)
    found = relations(blocks, one, one + 1)
    return [
        {
            "one": row,
            "other": row + 1,
            "distance": _rounded(found.distance[row]),
            "offset": _rounded(found.offset[row]),
            "same_width": bool(found.same_width[row]),
        }
        for row in one.tolist()
    ]


def to_xml(page: Page, blocks: Blocks) -> str:
    """Return the same as XML: nested ``<block x y width height doc>`` with ``<leaf>`` and ``<separator>`` inside."""
    root = etree.Element("page", url=page.url)
    pending = [(root, tree) for tree in reversed(to_json(page, blocks)["blocks"])]
    while pending:
        parent, tree = pending.pop()
        element = etree.SubElement(parent, "block", doc=str(tree["doc"]))
        _place(element, tree["box"])
        for leaf in tree["leaves"]:
            child = etree.SubElement(element, "leaf")
            _place(child, leaf["box"])
            child.text = "".join(
                character for character in leaf["text"] if character.isprintable() or character in "\n\t"
            )
        for separator in tree["separators"]:
            child = etree.SubElement(
                element, "separator", direction=separator["direction"], weight=str(separator["weight"])
            )
            _place(child, separator["box"])
        pending += [(element, below) for below in reversed(tree["children"])]
    written: str = etree.tostring(root, encoding="unicode", pretty_print=True)
    return written


def _place(element: Any, box: list[float] | None) -> None:
    for name, value in zip(("x", "y", "width", "height"), box or (), strict=False):
        element.set(name, f"{value:g}")


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 2)


def _box(box: Any) -> list[float] | None:
    return None if np.isnan(box[0]) else [round(float(value), 2) for value in box]


def _leaf_box(page: Page, leaf: int) -> list[float] | None:
    return None if page.geometry is None else _box(page.geometry.box[page.leaves[leaf]])
