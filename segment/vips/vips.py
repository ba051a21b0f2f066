"""VIPS: vision-based page segmentation (Cai, Yu, Wen & Ma 2003, MSR-TR-2003-79).

Three steps, repeated for every block whose degree of coherence (DoC) is below the permitted one (PDoC): rules cut the
block's DOM subtree into a pool of smaller blocks; separators are found between those; the blocks are put together
across the lightest separators first. The order of merging makes a tree; what is merged across separators so light
that its DoC reaches PDoC stays one block.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...render.arrays import IntColumn
from ...render.page import Page
from ..blocks import Blocks, Separators
from .extraction import Extractor
from .rules import Thresholds
from .separators import Item, Weights
from .tree import Node, construct


def vips(page: Page, *, pdoc: int = 8, thresholds: Thresholds | None = None, weights: Weights | None = None) -> Blocks:
    """Segment a rendered page by VIPS.

    Parameters
    ----------
    page : Page
        With geometry.
    pdoc : int
        Permitted degree of coherence, 1 (the whole page) to 10 (the smallest blocks). Pasternack & Roth (WWW 2009)
        found 8 best for articles.
    thresholds : Thresholds, optional
        Of the rules, above all ``relative_size``.
    weights : Weights, optional
        Of the separators.

    Returns
    -------
    Blocks
        A tree. Every visible text leaf lies in exactly one leaf block; DoC never falls from parent to child.

    Raises
    ------
    ValueError
        When the page has no geometry, or a parameter is out of range.
    """
    if page.geometry is None:
        raise ValueError("VIPS looks at geometry: render the page with Browser().open(...), or use target_nodes(page)")
    if not 1 <= pdoc <= 10:
        raise ValueError(f"pdoc must be 1 to 10, not {pdoc}")
    extractor = Extractor(page, thresholds)
    root = extractor.root()
    if root is None:
        return _empty(page)
    tree = _grow(extractor, root, pdoc, weights or Weights())
    return _blocks(page, _pruned(tree, pdoc), extractor.nodes.shown)


def _grow(extractor: Extractor, root: Item, pdoc: int, weights: Weights) -> Node:
    """Divide items until each has the permitted coherence; an explicit stack, as pages may be very deep."""
    top = Node(doc=root.doc, items=[root])
    open_nodes = [top]
    while open_nodes:
        node = open_nodes.pop()
        (item,) = node.items
        pool = extractor.divide(item)
        while len(pool) == 1 and pool[0].doc < pdoc and pool[0].node != item.node:
            (item,) = pool
            pool = extractor.divide(item)
        if len(pool) <= 1:
            if pool:
                node.items, node.doc = pool, max(node.doc, pool[0].doc)
            else:
                node.doc = 10
            continue
        leaves = construct(node, pool, extractor.rules, weights)
        open_nodes += [leaf for leaf in leaves if leaf.doc < pdoc]
    return top


def _pruned(tree: Node, pdoc: int) -> list[tuple[Node, int]]:
    """Return the nodes in preorder, each with its parent's row, down to those that are coherent enough.

    No block is more coherent than a block inside it.
    """
    rows = tree.preorder()
    for node, above in reversed(rows):
        if above >= 0:
            rows[above][0].doc = min(rows[above][0].doc, node.doc)
    place: list[int] = []
    kept: list[tuple[Node, int]] = []
    for node, above in rows:
        inside = above < 0 or (place[above] >= 0 and rows[above][0].doc < pdoc)
        place.append(len(kept) if inside else -1)
        if inside:
            kept.append((node, place[above] if above >= 0 else -1))
    for node, _ in kept:
        if node.doc >= pdoc:
            node.children, node.stripes = (), ()
    return kept


def _blocks(page: Page, rows: Sequence[tuple[Node, int]], shown: NDArray[np.bool_]) -> Blocks:
    corners = np.asarray([node.box() for node, _ in rows], dtype=np.float64).reshape(-1, 4)
    corners[:, 2:] -= corners[:, :2]
    return Blocks(
        parent=np.asarray([above for _, above in rows], dtype=np.int32),
        node=np.asarray([_common(page, node.items) for node, _ in rows], dtype=np.int32),
        doc=np.asarray([node.doc for node, _ in rows], dtype=np.int16),
        leaf_block=_leaf_blocks(page, [node for node, _ in rows], shown),
        box=corners.astype(np.float32),
        separators=_separators(rows),
    )


def _leaf_blocks(page: Page, nodes: Sequence[Node], shown: NDArray[np.bool_]) -> IntColumn:
    """Return each text leaf its leaf block: the ranges of the items are disjoint, whatever their order."""
    held = [(row, item.node, item.end) for row, node in enumerate(nodes) if not node.children for item in node.items]
    block, first, end = np.asarray(held, dtype=np.int32).T
    order = np.argsort(first)
    place = np.searchsorted(first[order], page.leaves, side="right") - 1
    owner = order[np.maximum(place, 0)]
    inside = shown & (place >= 0) & (page.leaves < end[owner])
    return np.where(inside, block[owner], -1).astype(np.int32)


def _common(page: Page, items: Sequence[Item]) -> int:
    """Smallest element that holds all items."""
    first, last = min(item.node for item in items), max(item.end for item in items)
    node = first
    while node > 0 and not (node <= first and page.end[node] >= last):
        node = int(page.parent[node])
    return node


def _separators(rows: Sequence[tuple[Node, int]]) -> Separators:
    block, box, horizontal, weight = [], [], [], []
    for row, (node, _) in enumerate(rows):
        left, top, right, bottom = node.box()
        for stripe in node.stripes:
            block.append(row)
            size = stripe.end - stripe.start
            box.append(
                (left, stripe.start, right - left, size)
                if stripe.horizontal
                else (stripe.start, top, size, bottom - top)
            )
            horizontal.append(stripe.horizontal)
            weight.append(stripe.weight)
    return Separators(
        block=np.asarray(block, dtype=np.int32),
        box=np.asarray(box, dtype=np.float32).reshape(-1, 4),
        horizontal=np.asarray(horizontal, dtype=bool),
        weight=np.asarray(weight, dtype=np.float32),
    )


def _empty(page: Page) -> Blocks:
    return Blocks(
        parent=np.zeros(0, dtype=np.int32),
        node=np.zeros(0, dtype=np.int32),
        doc=np.zeros(0, dtype=np.int16),
        leaf_block=np.full(len(page.leaves), -1, dtype=np.int32),
        box=np.zeros((0, 4), dtype=np.float32),
    )
