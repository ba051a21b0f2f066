"""How well a segmentation lets the content of a page be picked from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...segment.blocks import Blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFit:
    """How well a segmentation lets the content of a page be picked from it, in characters.

    Attributes
    ----------
    blocks : int
        Leaf blocks with known characters.
    purity : float
        Share of the characters in leaf blocks that are all content or all not.
    completeness : float
        Largest share of the content that lies in one leaf block.
    good_blocks : float
        F1 of all leaf blocks that are content throughout: what an oracle gets that takes no wrong character.
    best_blocks : float
        Best F1 of any set of leaf blocks.
    best_node : float
        Best F1 of a single block of the tree, leaf or not: the oracle of Pasternack & Roth (WWW 2009, section 7.6).
    """

    blocks: int
    purity: float
    completeness: float
    good_blocks: float
    best_blocks: float
    best_node: float


def content_fit(blocks: Blocks, content: BoolColumn, length: FloatArray) -> ContentFit:
    """Lay a segmentation beside the content.

    Parameters
    ----------
    blocks : Blocks
    content : bool (leaves,)
        Which text leaves are content.
    length : float64 (leaves,)
        Characters of each; 0 for those of which nothing is known.

    Raises
    ------
    ValueError
        When there is no content.
    """
    whole = float(length[content].sum())
    if not whole > 0:
        raise ValueError("a page without content fits every segmentation: leave it out")
    inside = blocks.leaf_block >= 0
    owner = blocks.leaf_block[inside]
    size = np.bincount(owner, weights=length[inside], minlength=len(blocks)).astype(np.float64)
    good = np.bincount(owner, weights=(length * content)[inside], minlength=len(blocks)).astype(np.float64)
    below_size, below_good = _summed(blocks, size), _summed(blocks, good)
    size, good = size[size > 0], good[size > 0]
    pure = (good == 0) | (good == size)
    # F1 of a set is a ratio of two sums, so the best set takes all blocks above some share of content.
    order = np.argsort(-good / np.maximum(size, 1e-9), kind="stable")
    best = _f1(np.cumsum(good[order]), np.cumsum(size[order]), whole)
    return ContentFit(
        blocks=len(size),
        purity=float(size[pure].sum() / size.sum()) if len(size) else 1.0,
        completeness=float(good.max(initial=0.0) / whole),
        good_blocks=float(_f1(good[good == size].sum(), good[good == size].sum(), whole)),
        best_blocks=float(best.max(initial=0.0)),
        best_node=float(_f1(below_good, below_size, whole).max(initial=0.0)),
    )


def _summed(blocks: Blocks, values: FloatArray) -> FloatArray:
    """Add up a column of blocks over each block's subtree."""
    total = values.copy()
    for row in range(len(blocks) - 1, 0, -1):
        if blocks.parent[row] >= 0:
            total[blocks.parent[row]] += total[row]
    return total


def _f1(right: FloatArray, found: FloatArray, wanted: float) -> FloatArray:
    return 2 * np.asarray(right) / (np.asarray(found) + wanted)
