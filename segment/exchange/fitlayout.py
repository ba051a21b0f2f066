"""Segmentations in the XML of FitLayout: trees of areas or of boxes.

The forms that FitLayout 2 writes (github.com/FitLayout/FitLayout, module fitlayout-io): ``<areaTree>`` holds ``<area>``
elements in one another, the innermost hold a ``<box>`` for each piece of content; ``<page>`` holds the tree of boxes of
the page itself. An area lies between ``x1``, ``y1`` and ``x2``, ``y2``, the last pixels of it; a box of a page at
``positionX``, ``positionY`` with ``width`` and ``height``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

from ...errors import SegmentationUnreadable
from ...page.arrays import FloatArray
from ...page.page import Page
from ...render.visibility.backgrounds import visible_boxes
from ..blocks import Blocks
from ..export import xml_text
from .cover import last_containing

_MOST = 200_000
_CORNERS, _SIZES = ("x1", "y1", "x2", "y2"), ("positionX", "positionY", "width", "height")


def read_fitlayout(page: Page, written: bytes) -> Blocks:
    """Read a tree of areas or of boxes.

    Parameters
    ----------
    page : Page
        The one that it was made of, with geometry: its text leaves are put into the blocks.
    written : bytes

    Returns
    -------
    Blocks
        The areas, or the boxes, as a tree. Their nodes and coherences are not known; each text leaf lies in the
        innermost block around the middle of its lines.

    Raises
    ------
    SegmentationUnreadable
        When it is no such file; the message says what is wrong.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(written, parser)
    except etree.XMLSyntaxError as error:
        raise SegmentationUnreadable(f"no XML: {error}") from error
    wanted = {"areaTree": "area", "page": "box"}.get(root.tag)
    if wanted is None:
        raise SegmentationUnreadable(f"<areaTree> or <page> of FitLayout is needed, not <{root.tag}>")
    parent, boxes = list[int](), list[list[float]]()
    pending = [(element, -1) for element in reversed(root.findall(wanted))]
    while pending:
        element, above = pending.pop()
        row = len(parent)
        if row > _MOST:
            raise SegmentationUnreadable(f"more than {_MOST:,} {wanted} elements")
        parent.append(above)
        boxes.append(_corners(element) if wanted == "area" else _sizes(element))
        pending += [(below, row) for below in reversed(element.findall(wanted))]
    box = np.asarray(boxes, dtype=np.float32).reshape(-1, 4)
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.full(len(parent), -1, dtype=np.int32),
        doc=np.zeros(len(parent), dtype=np.int16),
        leaf_block=_holding(page, box.astype(np.float64)),
        box=box,
    )


def to_fitlayout(page: Page, blocks: Blocks) -> bytes:
    """Write blocks as a tree of areas, with their text leaves as boxes.

    Coordinates are whole pixels, as FitLayout has them. What is not known of a page (font families, lines under and
    through text) is left empty or 0; font weights are 0 for normal and 1 for bold.
    """
    if page.geometry is None:
        raise ValueError("blocks lie nowhere on a page without geometry: render it with Browser().open(...)")
    root = etree.Element("areaTree")
    elements: list[Any] = []
    ground = visible_boxes(page).ground
    for row, above in enumerate(blocks.parent.tolist()):
        leaves = np.flatnonzero(blocks.leaf_block == row)
        node = int(blocks.node[row])
        look = _look(page, page.leaves[blocks.leaves_of(row)])
        element = etree.SubElement(elements[above] if above >= 0 else root, "area", id=f"x{row}")
        _place(element, blocks.box[row].tolist())
        background = _color(int(ground[node])) if node >= 0 else ""
        for name, value in {"background": background, **look, "tags": ""}.items():
            element.set(name, value)
        for leaf in page.leaves[leaves].tolist():
            _box(page, element, leaf)
        elements.append(element)
    _note_pictures(page, blocks, elements)
    written: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)
    return written


def _note_pictures(page: Page, blocks: Blocks, elements: list[Any]) -> None:
    """Put a box into each area that holds nothing else: pictures and what is painted."""
    for row in np.setdiff1d(np.arange(len(blocks)), blocks.parent).tolist():
        if not len(elements[row]):
            replaced = blocks.node[row] >= 0 and page.tag_of(int(blocks.node[row])) in _REPLACED
            _fill(etree.SubElement(elements[row], "box"), blocks.box[row].tolist(), {"replaced": str(replaced).lower()})


_REPLACED = frozenset(["img", "video", "canvas", "svg", "object", "embed", "iframe", "input", "textarea", "select"])


def _box(page: Page, area: Any, node: int) -> None:
    assert page.geometry is not None
    look = {"color": _color(int(page.geometry.color[node])), **_look(page, np.asarray([node]))}
    child = etree.SubElement(area, "box")
    _fill(child, page.geometry.box[node].tolist(), look | {"replaced": "false"})
    child.text = xml_text(page.text_of(node))


def _fill(element: Any, box: list[float], look: dict[str, str]) -> None:
    _place(element, box)
    empty = {"color": "", "fontfamily": "", "fontsize": "0.0", "fontweight": "0.0", "fontstyle": "0.0"}
    for name, value in (empty | {"underline": "0.0", "linethrough": "0.0"} | look).items():
        element.set(name, value)


def _place(element: Any, box: list[float]) -> None:
    if np.isnan(box[0]):
        box = [0.0, 0.0, 0.0, 0.0]
    x, y, right, bottom = round(box[0]), round(box[1]), round(box[0] + box[2]), round(box[1] + box[3])
    for name, value in zip(_CORNERS, (x, y, max(right - 1, x), max(bottom - 1, y)), strict=True):
        element.set(name, str(value))


def _look(page: Page, rows: np.ndarray) -> dict[str, str]:
    """Return the mean font size of texts, and how many of them are bold."""
    assert page.geometry is not None
    size = float(page.geometry.font_size[rows].mean()) if len(rows) else 0.0
    bold = float((page.geometry.font_weight[rows] >= 600).mean()) if len(rows) else 0.0
    return {"fontsize": f"{size:.1f}", "fontweight": f"{bold:.2f}", "fontstyle": "0.0"}


def _color(color: int) -> str:
    return f"#{color >> 8:06x}"


def _corners(element: Any) -> list[float]:
    left, top, right, bottom = _numbers(element, _CORNERS)
    return [left, top, right - left + 1, bottom - top + 1]


def _sizes(element: Any) -> list[float]:
    return _numbers(element, _SIZES)


def _numbers(element: Any, names: tuple[str, ...]) -> list[float]:
    try:
        found = [float(element.get(name, "")) for name in names]
    except ValueError as error:
        raise SegmentationUnreadable(f"<{element.tag}> without numbers in {', '.join(names)}") from error
    if not np.isfinite(found).all():
        raise SegmentationUnreadable(f"<{element.tag}> with {found} in {', '.join(names)}")
    return found


def _holding(page: Page, box: FloatArray) -> np.ndarray:
    """int32 (leaves,): the last box in preorder around the middle of each leaf's lines, -1 for none and the unseen."""
    found = np.full(len(page.leaves), -1, dtype=np.int32)
    seen = visible_boxes(page)
    held = last_containing(box, (seen.line[:, :2] + seen.line[:, 2:]) / 2)
    np.maximum.at(found, seen.leaf, held)
    return found
