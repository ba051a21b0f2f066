"""Segmentations in the XML of FitLayout: trees of areas or of boxes.

FitLayout 2 (github.com/FitLayout/FitLayout, module fitlayout-io) writes ``<areaTree>`` with nested ``<area>`` elements,
the innermost with a ``<box>`` for each piece of content, or ``<page>`` with the tree of boxes of the page itself. An
area is between ``x1``, ``y1`` and ``x2``, ``y2``, its last pixels; a box of a page at ``positionX``, ``positionY`` with
``width`` and ``height``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

from ...errors import SegmentationUnreadable
from ...page.arrays import FloatArray
from ...page.page import Page
from ...render.visibility.visible_boxes import visible_boxes
from ..blocks import Blocks
from ..export import xml_text
from .cover import last_containing

_MOST = 200_000
_CORNERS, _SIZES = ("x1", "y1", "x2", "y2"), ("positionX", "positionY", "width", "height")


def read_fitlayout(page: Page, written: bytes) -> Blocks:
    """Return the areas, or the boxes, of a FitLayout file as a tree of blocks without nodes and coherences.

    Each text leaf of the page, which needs geometry, is in the innermost block around the middle of its lines. Raises
    :class:`~blocksight.errors.SegmentationUnreadable` for an invalid file.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(written, parser)
    except etree.XMLSyntaxError as error:
        raise SegmentationUnreadable(f"no XML: {error}") from error
    tag = {"areaTree": "area", "page": "box"}.get(root.tag)
    if tag is None:
        raise SegmentationUnreadable(f"<areaTree> or <page> of FitLayout is needed, not <{root.tag}>")
    parent, boxes = list[int](), list[list[float]]()
    pending = [(element, -1) for element in reversed(root.findall(tag))]
    while pending:
        element, above = pending.pop()
        row = len(parent)
        if row > _MOST:
            raise SegmentationUnreadable(f"more than {_MOST:,} {tag} elements")
        parent.append(above)
        boxes.append(_corners(element) if tag == "area" else _numbers(element, _SIZES))
        pending += [(below, row) for below in reversed(element.findall(tag))]
    box = np.asarray(boxes, dtype=np.float32).reshape(-1, 4)
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.full(len(parent), -1, dtype=np.int32),
        doc=np.zeros(len(parent), dtype=np.int16),
        leaf_block=_containing_boxes(page, box.astype(np.float64)),
        box=box,
    )


def to_fitlayout(page: Page, blocks: Blocks) -> bytes:
    """Return blocks as a tree of areas, with their text leaves as boxes.

    Coordinates are integer pixels, as in FitLayout. Unknown properties (font families, underline, strike-through) are
    empty or 0; font weights are 0 for normal and 1 for bold.
    """
    if page.geometry is None:
        raise ValueError("blocks have no position on a page without geometry: render it with Browser().open(...)")
    root = etree.Element("areaTree")
    elements: list[Any] = []
    backgrounds = visible_boxes(page).ground
    for row, above in enumerate(blocks.parent.tolist()):
        leaves = np.flatnonzero(blocks.leaf_block == row)
        node = int(blocks.node[row])
        fonts = _fonts(page, page.leaves[blocks.leaves_of(row)])
        element = etree.SubElement(elements[above] if above >= 0 else root, "area", id=f"x{row}")
        _set_corners(element, blocks.box[row].tolist())
        background = _color(int(backgrounds[node])) if node >= 0 else ""
        for name, value in {"background": background, **fonts, "tags": ""}.items():
            element.set(name, value)
        for leaf in page.leaves[leaves].tolist():
            _box(page, element, leaf)
        elements.append(element)
    _add_picture_boxes(page, blocks, elements)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _add_picture_boxes(page: Page, blocks: Blocks, elements: list[Any]) -> None:
    for row in np.setdiff1d(np.arange(len(blocks)), blocks.parent).tolist():
        if not len(elements[row]):
            replaced = blocks.node[row] >= 0 and page.tag_of(int(blocks.node[row])) in _REPLACED
            _set_box(
                etree.SubElement(elements[row], "box"), blocks.box[row].tolist(), {"replaced": str(replaced).lower()}
            )


_REPLACED = frozenset(["img", "video", "canvas", "svg", "object", "embed", "iframe", "input", "textarea", "select"])


def _box(page: Page, area: Any, node: int) -> None:
    assert page.geometry is not None
    style = {"color": _color(int(page.geometry.color[node])), **_fonts(page, np.asarray([node]))}
    child = etree.SubElement(area, "box")
    _set_box(child, page.geometry.box[node].tolist(), style | {"replaced": "false"})
    child.text = xml_text(page.text_of(node))


def _set_box(element: Any, box: list[float], style: dict[str, str]) -> None:
    _set_corners(element, box)
    defaults = {"color": "", "fontfamily": "", "fontsize": "0.0", "fontweight": "0.0", "fontstyle": "0.0"}
    for name, value in (defaults | {"underline": "0.0", "linethrough": "0.0"} | style).items():
        element.set(name, value)


def _set_corners(element: Any, box: list[float]) -> None:
    if np.isnan(box[0]):
        box = [0.0, 0.0, 0.0, 0.0]
    x, y, right, bottom = round(box[0]), round(box[1]), round(box[0] + box[2]), round(box[1] + box[3])
    for name, value in zip(_CORNERS, (x, y, max(right - 1, x), max(bottom - 1, y)), strict=True):
        element.set(name, str(value))


def _fonts(page: Page, rows: np.ndarray) -> dict[str, str]:
    assert page.geometry is not None
    size = float(page.geometry.font_size[rows].mean()) if len(rows) else 0.0
    bold = float((page.geometry.font_weight[rows] >= 600).mean()) if len(rows) else 0.0
    return {"fontsize": f"{size:.1f}", "fontweight": f"{bold:.2f}", "fontstyle": "0.0"}


def _color(color: int) -> str:
    return f"#{color >> 8:06x}"


def _corners(element: Any) -> list[float]:
    left, top, right, bottom = _numbers(element, _CORNERS)
    return [left, top, right - left + 1, bottom - top + 1]


def _numbers(element: Any, names: tuple[str, ...]) -> list[float]:
    try:
        numbers = [float(element.get(name, "")) for name in names]
    except ValueError as error:
        raise SegmentationUnreadable(f"<{element.tag}> without numbers in {', '.join(names)}") from error
    if not np.isfinite(numbers).all():
        raise SegmentationUnreadable(f"<{element.tag}> with {numbers} in {', '.join(names)}")
    return numbers


def _containing_boxes(page: Page, box: FloatArray) -> np.ndarray:
    """Return the last box in preorder around the middle of each visible leaf's lines, -1 for none, int32 (leaves,)."""
    block = np.full(len(page.leaves), -1, dtype=np.int32)
    visible = visible_boxes(page)
    containing = last_containing(box, (visible.line[:, :2] + visible.line[:, 2:]) / 2)
    np.maximum.at(block, visible.leaf, containing)
    return block
