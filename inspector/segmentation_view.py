"""JSON of a segmentation: blocks, separators, and the contributions to each block's score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..classify.model.contributions import block_contributions
from ..classify.model.model import Model
from ..features.block_table import Table
from ..page.page import Page
from ..segment.blocks import Blocks, lines_of
from ..segment.element_locators import join_steps
from ..segment.export import describe_blocks
from ..segment.outlines import line_pieces
from ..segment.pictures.overlay import drawn_blocks


def segmentation_view(page: Page, blocks: Blocks) -> dict[str, Any]:
    """Return a segmentation as JSON values.

    Per block: ``parent`` (-1 for none), ``box``, ``doc``, ``rule``, ``tag``, ``selector``, ``drawn`` (whether it is
    drawn among the innermost ones), ``outline`` (rings, flat lists of coordinates). Per leaf: ``leaf_block``.
    ``separators``: left, top, width, height, weight each.
    """
    facts = describe_blocks(page, blocks)
    drawn = np.zeros(len(blocks), dtype=bool)
    drawn[drawn_blocks(blocks)] = True
    separators = blocks.separators
    return {
        "parent": blocks.parent.tolist(),
        "box": [_rounded(box) for box in blocks.box.tolist()],
        "doc": blocks.doc.tolist(),
        "rule": [block["rule"] for block in facts],
        "tag": [block["tag"] for block in facts],
        "selector": [join_steps(block["selector"]) for block in facts],
        "drawn": drawn.astype(int).tolist(),
        "leaf_block": blocks.leaf_block.tolist(),
        "outline": _outlines(page, blocks),
        "separators": [
            [*(_rounded(box) or ()), round(float(weight), 2)]
            for box, weight in zip(separators.box.tolist(), separators.weight.tolist(), strict=True)
        ],
    }


def block_reasons(model: Model, measured: Table, blocks: Blocks) -> list[dict[str, Any]]:
    """Return the largest contributions to each block's score, and those of groups of columns."""
    contributions = block_contributions(model, measured, blocks.leaf_block, len(blocks))
    return [
        {
            "positive_contributions": [column.to_dict() for column in of_block.positive],
            "negative_contributions": [column.to_dict() for column in of_block.negative],
            "group_contributions": of_block.groups,
        }
        for of_block in contributions
    ]


def _outlines(page: Page, blocks: Blocks) -> list[list[list[float]]]:
    """Return the rings around the text lines of each block."""
    import shapely

    from ..segment.polygons import outline_polygons

    rendered, owner = lines_of(page, blocks.leaf_block)
    _, corners, line, piece_owner = line_pieces(rendered.astype(np.float64), owner)
    shapes = outline_polygons(corners, line, piece_owner, len(blocks))
    rings: list[list[list[float]]] = [[] for _ in range(len(blocks))]
    parts, block = shapely.get_parts(shapes, return_index=True)
    for part, row in zip(shapely.get_exterior_ring(parts), block.tolist(), strict=True):
        rings[row].append(shapely.get_coordinates(part).round().ravel().tolist())
    return rings


def _rounded(box: Sequence[float]) -> list[float] | None:
    return None if math.isnan(box[0]) else [round(value, 1) for value in box]
