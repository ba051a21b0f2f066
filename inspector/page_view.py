"""JSON of a page for the browser: text leaves with predictions and reasons against them, the document, and blocks."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classify.system import Judgement
from ..classify.systems.blocksight import Blocksight
from ..document.content.clean_html import Element
from ..document.extract import extract
from ..gold.annotations import leaf_digest
from ..gold.leaf_labels import label_leaves
from ..gold.pages import GoldPage
from ..lexicon.words import count_words
from ..page.arrays import FloatArray, IntColumn
from ..page.hidden import Hidden
from ..page.page import Page
from ..page.visibility import invisible_leaves
from ..segment.blocks import Blocks, lines_of
from ..segment.element_locators import join_steps
from ..segment.export import describe_blocks
from ..segment.outlines import line_pieces, outline_polygons
from ..segment.visible_boxes import visible_boxes


def view(page: Page, system: Blocksight, gold: GoldPage | None = None) -> dict[str, Any]:
    """Return a page with geometry as JSON values.

    ``url``, ``title``, ``size`` (CSS pixels), ``confidence``, ``fingerprint`` (of its text), ``leaves``: per leaf
    ``text``, ``hidden`` (the reason, "" if it is visible), ``kept``, ``p`` (probability of content, or null),
    ``against`` (what speaks most against it in words, "" for nothing), ``role`` (-1 for none), ``role_p``, ``words``,
    ``path`` (equal numbers for the same ancestor tags), ``gold`` (1, 0, or -1 if unlabelled); ``lines``: leaf, left,
    top, width, height each; ``text``: the document in paragraphs, each with its leaves, and ``markdown`` as one;
    ``preview``: the same as elements, each a tag, its attributes, and its texts and elements.
    """
    assert page.geometry is not None
    judgement = system.judge(page)
    boxes = visible_boxes(page)
    return {
        "url": page.url,
        "title": page.title,
        "size": [round(max(side, 1.0)) for side in page.geometry.size],
        "confidence": round(judgement.expected_f1, 4),
        "by": judgement.by,
        "fingerprint": fingerprint(page),
        "leaves": _leaves(page, judgement, gold),
        "lines": _lines(boxes.leaf, boxes.line),
        **_document(page, system),
    }


def fingerprint(page: Page) -> str:
    """Return a checksum of a page's text: labels apply to the text that was shown."""
    return f"{zlib.crc32(chr(0).join(page.leaf_texts).encode('utf-8', 'surrogatepass')):08x}-{len(page.leaves)}"


def _leaves(page: Page, judgement: Judgement, gold: GoldPage | None) -> dict[str, Any]:
    roles = judgement.roles
    count = len(page.leaves)
    hidden = invisible_leaves(page)
    labels = np.full(count, -1, dtype=np.int8) if gold is None else label_leaves(page, gold)
    return {
        "text": list(page.leaf_texts),
        "digest": [leaf_digest(text) for text in page.leaf_texts],
        "hidden": [Hidden(reason).name.lower() if reason else "" for reason in page.hidden.tolist()],
        "invisible": hidden.astype(int).tolist(),
        "kept": judgement.marks.astype(int).tolist(),
        "p": _shares(judgement.probability),
        "against": [judgement.against.value.of(leaf) if judgement.against else "" for leaf in range(count)],
        "role": [-1] * count if roles is None else roles.role.tolist(),
        "role_p": [None] * count if roles is None else _shares(roles.probability),
        "words": [count_words(text) for text in page.leaf_texts],
        "path": _paths(page),
        "gold": labels.tolist(),
    }


def _shares(values: FloatArray) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 3) for value in values.tolist()]


def _lines(leaf: NDArray[Any], line: NDArray[Any]) -> list[int]:
    low, high = np.floor(line[:, :2]), np.ceil(line[:, 2:])
    flat: list[int] = np.concatenate([leaf[:, None], low, high - low], axis=1).astype(int).ravel().tolist()
    return flat


def _paths(page: Page) -> list[int]:
    """Return a number per leaf, equal for the same ancestor tags."""
    number = np.zeros(len(page), dtype=np.int64)
    numbers: dict[tuple[int, int], int] = {}
    for row, (parent, tag) in enumerate(zip(page.parent.tolist(), page.tag.tolist(), strict=True)):
        key = (int(number[parent]) if parent >= 0 else -1, tag)
        number[row] = numbers.setdefault(key, len(numbers))
    return [int(number[row]) for row in page.leaves.tolist()]


def _elements(element: Element) -> list[Any]:
    """Return an element as tag, attributes, and its texts and elements; of pictures the alternative text alone."""
    children: list[Any] = [element.text or ""]
    if element.tag == "img":
        children = [element.get("alt") or "picture"]
    for child in element:
        children += [_elements(child), child.tail or ""]
    attributes = {name: element.get(name, "") for name in ("colspan", "rowspan", "start") if element.get(name)}
    return [str(element.tag), attributes, [child for child in children if child]]


def _document(page: Page, system: Blocksight) -> dict[str, Any]:
    document = extract(page, system=system)
    paragraphs = document.content.paragraphs
    return {
        "text": [(f"{paragraph.text}\n\n", paragraph.leaves) for paragraph in paragraphs if paragraph.text],
        "markdown": [(document.markdown, ())] if document.markdown else [],
        "preview": _elements(document.content.root),
        "language": document.language,
    }


def drawn_blocks(blocks: Blocks) -> IntColumn:
    """Return the leaf blocks to draw: those with text, and pictures, controls and painted boxes of a tree of VIPS."""
    leaf_rows = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    textless = np.setdiff1d(leaf_rows, blocks.leaf_block).astype(np.int32)
    rows = np.union1d(np.unique(blocks.leaf_block[blocks.leaf_block >= 0]), textless[blocks.doc[textless] > 0])
    drawn: IntColumn = rows[np.isfinite(blocks.box[rows, 0])].astype(np.int32)
    return drawn


def segmentation_view(page: Page, blocks: Blocks) -> dict[str, Any]:
    """Return a segmentation as JSON values.

    Per block: ``parent`` (-1 for none), ``box``, ``doc``, ``rule``, ``tag``, ``selector``, ``drawn`` (whether it is
    drawn among the innermost ones), ``outline`` (rings, flat lists of coordinates). Per leaf: ``leaf_block``.
    ``separators``: left, top, width, height, weight each.
    """
    facts, separators = describe_blocks(page, blocks), blocks.separators
    return {
        "parent": blocks.parent.tolist(),
        "box": [_rounded(box) for box in blocks.box.tolist()],
        "doc": blocks.doc.tolist(),
        "rule": [block["rule"] for block in facts],
        "tag": [block["tag"] for block in facts],
        "selector": [join_steps(block["selector"]) for block in facts],
        "drawn": np.isin(np.arange(len(blocks)), drawn_blocks(blocks)).astype(int).tolist(),
        "leaf_block": blocks.leaf_block.tolist(),
        "outline": _outlines(page, blocks),
        "separators": [
            [*(_rounded(box) or ()), round(float(weight), 2)]
            for box, weight in zip(separators.box.tolist(), separators.weight.tolist(), strict=True)
        ],
    }


def _outlines(page: Page, blocks: Blocks) -> list[list[list[float]]]:
    """Return the rings around the text lines of each block."""
    import shapely

    rendered, owner = lines_of(page, blocks.leaf_block)
    _, corners, piece_owner = line_pieces(rendered.astype(np.float64), owner)
    shapes = outline_polygons(corners, piece_owner, len(blocks))
    rings: list[list[list[float]]] = [[] for _ in range(len(blocks))]
    parts, block = shapely.get_parts(shapes, return_index=True)
    for part, row in zip(shapely.get_exterior_ring(parts), block.tolist(), strict=True):
        rings[row].append(shapely.get_coordinates(part).round().ravel().tolist())
    return rings


def _rounded(box: Sequence[float]) -> list[float] | None:
    return None if math.isnan(box[0]) else [round(value, 1) for value in box]
