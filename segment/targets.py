"""Target nodes: FIASCO's and KrdWrd's unit of classification."""

from __future__ import annotations

import numpy as np

from ..page.page import Page
from .blocks import Blocks, break_count, flat_blocks


def target_nodes(page: Page, *, share: float = 0.10) -> Blocks:
    """Return the target nodes of a page.

    A target node has text of its own: FIASCO's slides (Bauer et al., WAC3 2007) require that all its text is in its
    immediate text children (``share=1.0``), KrdWrd (Steger & Stemle, WAC5 2009) that these contain at least a tenth of
    the text below it. The topmost target node on each path gets all text below it; ``<br>`` separates paragraphs inside
    it, as in FIASCO's preprocessing. Text directly in an element with too small a share forms separate blocks, so that
    no text is lost (ours; the papers drop it).

    Parameters
    ----------
    page : Page
        With or without geometry.
    share : float
        Least share of a target node's text in its own text children, above 0, at most 1.

    Returns
    -------
    Blocks
        Flat, in document order; ``node`` is the target node.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, not {share}")
    leaves = page.leaves
    size = page.leaf_lengths.astype(np.float64)
    own = np.bincount(page.parent[leaves], weights=size, minlength=len(page)) if len(leaves) else np.zeros(len(page))
    target = (own > 0) & (own >= share * page.sum_leaves(size) - 1e-9)
    covered = np.where(page.parent >= 0, page.below(target)[page.parent], False)
    owner = page.nearest(target & ~covered)[leaves]
    owner = np.where(owner >= 0, owner, page.parent[leaves])
    starts = np.ones(len(leaves), dtype=bool)
    breaks = break_count(page, 1)[leaves]
    starts[1:] = (owner[1:] != owner[:-1]) | (breaks[1:] != breaks[:-1])
    leaf_block = (np.cumsum(starts) - 1).astype(np.int32)
    node = owner[starts].astype(np.int32)
    return flat_blocks(page, node, leaf_block)
