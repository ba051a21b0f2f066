"""Upper bounds of content extraction with a segmentation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...page.arrays import BoolColumn, FloatArray
from ...segment.blocks import Blocks, subtree_sums


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFit:
    """Upper bounds of content extraction with a segmentation, in characters."""

    blocks: int  # Leaf blocks with known characters
    purity: float  # Share of the characters in leaf blocks that are only content or only other text
    completeness: float  # Largest share of the content in one leaf block
    good_blocks: float  # F1 of all leaf blocks that are only content: an oracle with precision 1
    best_blocks: float  # Best F1 of any set of leaf blocks
    #: Best F1 of a single block of the tree, leaf or not: the oracle of Pasternack & Roth (WWW 2009, section 7.6).
    best_node: float


def content_fit(blocks: Blocks, content: BoolColumn, length: FloatArray) -> ContentFit:
    """Compare a segmentation with the content.

    ``content`` are the text leaves that are content, ``length`` the characters of each leaf, 0 if its label is unknown.
    ValueError without content.
    """
    total = float(length[content].sum())
    if not total > 0:
        raise ValueError("the content fit is not defined for a page without content")
    inside = blocks.leaf_block >= 0
    owner = blocks.leaf_block[inside]
    size = np.bincount(owner, weights=length[inside], minlength=len(blocks)).astype(np.float64)
    good = np.bincount(owner, weights=(length * content)[inside], minlength=len(blocks)).astype(np.float64)
    below_size, below_good = subtree_sums(blocks, size), subtree_sums(blocks, good)
    size, good = size[size > 0], good[size > 0]
    pure = (good == 0) | (good == size)
    # F1 of a set is a ratio of two sums, so the best set is all blocks above some share of content.
    order = np.argsort(-good / np.maximum(size, 1e-9), kind="stable")
    best = _f1(np.cumsum(good[order]), np.cumsum(size[order]), total)
    return ContentFit(
        blocks=len(size),
        purity=float(size[pure].sum() / size.sum()) if len(size) else 1.0,
        completeness=float(good.max(initial=0.0) / total),
        good_blocks=float(_f1(good[good == size].sum(), good[good == size].sum(), total)),
        best_blocks=float(best.max(initial=0.0)),
        best_node=float(_f1(below_good, below_size, total).max(initial=0.0)),
    )


def _f1(right: FloatArray, prediction: FloatArray, reference: float) -> FloatArray:
    return 2 * np.asarray(right) / (np.asarray(prediction) + reference)
