"""The adaptive cut of a VIPS tree: which blocks people would divide, by trees of decisions on features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ..blocks import Blocks, Separators
from .cut_features import cut_features
from .cut_trees import shipped_trees
from .nodes import Nodes


def reached(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the blocks of a tree that are not inside a block that people would leave whole, bool (blocks,)."""
    return inside_divided(blocks, divided(nodes, blocks))


def inside_divided(blocks: Blocks, divides: BoolColumn) -> BoolColumn:
    """Return the blocks around which all blocks are divided, bool (blocks,)."""
    inside = [True] * len(blocks)
    decided = divides.tolist()
    for row, above in enumerate(blocks.parent.tolist()):
        inside[row] = above < 0 or (inside[above] and decided[above])
    return np.asarray(inside, dtype=bool)


def divided(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the blocks that people would divide, if they see them as one, bool (blocks,)."""
    if not len(blocks):
        return np.zeros(0, dtype=bool)
    inner = np.flatnonzero(np.isin(np.arange(len(blocks)), blocks.parent))
    score = np.zeros(len(blocks))
    score[inner] = shipped_trees().score(cut_features(nodes, blocks)[inner])
    return worth_dividing(blocks, score) | layered(nodes, blocks)


def layered(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the root of several layers, bool (blocks,): what is over a page is never one block with it."""
    result = np.zeros(len(blocks), dtype=bool)
    if len(blocks):
        result[0] = nodes.painted.raised[blocks.node[blocks.parent == 0]].any()
    return result


def worth_dividing(blocks: Blocks, score: FloatArray) -> BoolColumn:
    """Return the blocks that the most likely cut divides, if it divides all around them, bool (blocks,).

    ``score`` is the log-odds that a block is divided. A block is divided only if all around it are, so the division of
    an unlikely one has to be outweighed by those of likely ones inside it: one small block hardly divides a page.
    """
    gain = np.where(np.isin(np.arange(len(blocks)), blocks.parent), score, -np.inf).tolist()
    for row, above in zip(range(len(blocks) - 1, 0, -1), blocks.parent[:0:-1].tolist(), strict=True):
        if above >= 0 and gain[row] > 0:
            gain[above] += gain[row]
    return np.asarray(gain) > 0


def pruned(blocks: Blocks, kept: BoolColumn) -> Blocks:
    """Return the kept blocks of a tree; the parent of a kept block is kept, and so are all siblings of a kept block."""
    new = np.cumsum(kept) - 1
    row = np.where(kept, new, -1)
    for old, above in enumerate(blocks.parent.tolist()):
        if row[old] < 0:
            row[old] = row[above]
    parent = blocks.parent[kept]
    parent = np.where(parent >= 0, row[parent], -1).astype(np.int32)
    inner = np.zeros(len(blocks), dtype=bool)
    inner[blocks.parent[kept & (blocks.parent >= 0)]] = True
    separators = blocks.separators
    inside = inner[separators.block]
    return replace(
        blocks,
        parent=parent,
        node=blocks.node[kept],
        doc=blocks.doc[kept],
        leaf_block=np.where(blocks.leaf_block >= 0, row[blocks.leaf_block], -1).astype(np.int32),
        box=blocks.box[kept],
        rule=None if blocks.rule is None else blocks.rule[kept],
        separators=Separators(
            block=row[separators.block[inside]].astype(np.int32),
            box=separators.box[inside],
            horizontal=separators.horizontal[inside],
            weight=separators.weight[inside],
            parts=separators.parts[inside],
        ),
    )
