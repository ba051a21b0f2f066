"""VIPS: vision-based page segmentation (Cai, Yu, Wen & Ma 2003, MSR-TR-2003-79).

Three steps, repeated for every block whose degree of coherence (DoC) is below the permitted one (PDoC): rules divide
the block's DOM subtree into a pool of smaller blocks; separators between them are found; the blocks are merged across
the lightest separators first. The order of merging is a tree; blocks merged across separators so light that their DoC
reaches PDoC stay one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import IntColumn, mask_of
from ...page.page import Page
from ...processes.garbage_collector import collector_paused
from ..blocks import PARTS, Blocks, Pdoc, Separators
from ..visible_boxes import visible_boxes
from .adaptive_cut import pruned, reached
from .content_structure import Node, TreeContext, build_tree
from .extraction import Extractor
from .rules import BOX, Thresholds
from .separators import Stripe, Weights


class _TreeRows(NamedTuple):
    """Nodes of a tree in preorder, each with its parent's row, -1 for the first, and its degree of coherence."""

    node: list[Node]
    parent: list[int]
    doc: list[int]


def vips(
    page: Page, *, pdoc: Pdoc = "auto", thresholds: Thresholds | None = None, weights: Weights | None = None
) -> Blocks:
    """Segment a rendered page by VIPS.

    Parameters
    ----------
    page : Page
        With geometry.
    pdoc : int or "auto"
        Permitted degree of coherence, 1 (the whole page) to 10 (the smallest blocks). Pasternack & Roth (WWW 2009)
        found 8 best for articles. "auto" (ours) decides on each block whether people would divide it, from numbers
        learned on labelled pages; the result is a part of the tree of PDoC 10, with the root in common.
    thresholds : Thresholds, optional
        Of the rules, above all ``relative_size``.
    weights : Weights, optional
        Of the separators.

    Returns
    -------
    Blocks
        A tree. Every visible text leaf is in exactly one leaf block; DoC never decreases from parent to child.

    Raises
    ------
    ValueError
        If the page has no geometry, or a parameter is out of range.
    """
    if page.geometry is None:
        raise ValueError("VIPS needs geometry: render the page with Browser().open(...), or use target_nodes(page)")
    if pdoc != "auto" and pdoc not in range(1, 11):
        raise ValueError(f'pdoc must be 1 to 10 or "auto", not {pdoc!r}')
    extractor = Extractor(page, thresholds or Thresholds())
    limit = 10 if pdoc == "auto" else pdoc
    blocks = _blocks(page, _prune(_tree_of(extractor, weights or Weights(), limit), limit))
    return pruned(blocks, reached(extractor.nodes, blocks)) if pdoc == "auto" else blocks


@collector_paused()
def blocks_of_leaves(page: Page, degrees: Sequence[int]) -> list[IntColumn]:
    """Return the block of each leaf for several permitted degrees of coherence, int32 (leaves,), -1 for none.

    The tree of the highest degree contains those of the others: it is built once, and nothing else of the blocks is.
    """
    tree = _tree_of(Extractor(page, Thresholds()), Weights(), max(degrees))
    return [_leaf_blocks(page, *_items_of(_prune(tree, degree))) for degree in degrees]


def _tree_of(extractor: Extractor, weights: Weights, pdoc: int) -> _TreeRows:
    """Return the nodes of a page's tree in preorder, each with its parent's row, divided up to a PDoC."""
    layers = extractor.layers()
    if not layers:
        return _TreeRows([], [], [])
    nodes = [Node(doc=layer.doc, items=[layer]) for layer in layers]
    # Several layers are below a root of the least coherence.
    tree = Node(doc=1, items=layers, children=nodes) if len(nodes) > 1 else nodes[0]
    context = TreeContext(
        rules=extractor.rules,
        weights=weights,
        line=extractor.line,
        wide=weights.wide * extractor.size[0],
        small=extractor.thresholds.small,
        landmark=_landmarks(extractor.page).tolist(),
    )
    _divide_nodes(extractor, nodes, pdoc, context)
    return _propagate_coherence(tree)


def _landmarks(page: Page) -> IntColumn:
    """Return the innermost landmark around each node; headers and footers of an article are none (WAI-ARIA in HTML)."""
    inner = page.below(page.has_tag("article", "section", "main", "aside", "nav"))
    return page.nearest(page.has_tag("nav", "main", "aside") | (page.has_tag("header", "footer") & ~inner))


def _divide_nodes(extractor: Extractor, layers: list[Node], pdoc: int, context: TreeContext) -> None:
    """Divide items to paragraphs and pictures, or until a rule makes them coherent enough, with an explicit stack."""
    open_nodes = list(layers)
    while open_nodes:
        node = open_nodes.pop()
        (item,) = node.items
        node.frame, node.least = item.box, max(node.least, item.doc)
        pool = extractor.divide(item) if node.least < pdoc else []
        while len(pool) == 1:
            (item,) = pool
            node.least = max(node.least, item.doc)
            pool = extractor.divide(item) if node.least < pdoc else []
        # A painted box with one child keeps its frame, and so its rule.
        node.rule = BOX if node.items[0].rule == BOX else item.rule
        if not pool:
            node.doc = node.least or 10
            continue
        for leaf in build_tree(node, pool, context):
            (item,) = leaf.items
            if item.final:
                # Most leaves: as above, for an empty pool.
                leaf.frame, leaf.rule = item.box, item.rule
                leaf.least = item.doc if item.doc > node.least else node.least
                leaf.doc = leaf.least or 10
            else:
                leaf.least = node.least
                open_nodes.append(leaf)


def _propagate_coherence(tree: Node) -> _TreeRows:
    """Return a tree's nodes in preorder; no block is more coherent than one inside it."""
    nodes, parents = tree.preorder()
    least = [node.least for node in nodes]
    doc = [node.doc for node in nodes]
    for row, above in enumerate(parents):
        if above >= 0 and least[above] > least[row]:
            least[row] = least[above]
        doc[row] = max(doc[row], least[row])
    for row in range(len(parents) - 1, 0, -1):
        above = parents[row]
        doc[above] = min(doc[above], doc[row])
    return _TreeRows(nodes, parents, doc)


def _prune(tree: _TreeRows, pdoc: int) -> _TreeRows:
    index_of: list[int] = []
    rows = _TreeRows([], [], [])
    for node, above, doc in zip(*tree, strict=True):
        kept = above < 0 or (index_of[above] >= 0 and tree.doc[above] < pdoc)
        index_of.append(len(rows.node) if kept else -1)
        if kept:
            rows.node.append(node)
            rows.parent.append(index_of[above] if above >= 0 else -1)
            rows.doc.append(doc)
    return rows


def _blocks(page: Page, rows: _TreeRows) -> Blocks:
    corners = np.asarray([node.box() for node in rows.node], dtype=np.float64).reshape(-1, 4)
    first, last, block = _items_of(rows)
    return Blocks(
        parent=np.asarray(rows.parent, dtype=np.int32),
        node=_common_elements(page, first, last, np.asarray([len(node.items) for node in rows.node], dtype=np.int64)),
        doc=np.asarray(rows.doc, dtype=np.int16),
        leaf_block=_leaf_blocks(page, first, last, block),
        box=np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1).astype(np.float32),
        separators=_separators(rows, corners.tolist()),
        rule=np.asarray([node.rule for node in rows.node], dtype=np.int8),
    )


def _items_of(rows: _TreeRows) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of the page of each item, the row after its last, and its block; -1 if that has children."""
    inner = set(rows.parent)
    items = [
        (item.node, item.end, -1 if row in inner else row) for row, node in enumerate(rows.node) for item in node.items
    ]
    first, last, block = np.asarray(items, dtype=np.int64).reshape(-1, 3).T
    return first, last, block


def _leaf_blocks(page: Page, first: NDArray[np.int64], last: NDArray[np.int64], block: NDArray[np.int64]) -> IntColumn:
    """Return the block of the innermost item around each visible text leaf: layers may be nested.

    Items cover the rows ``[first, last)`` of the page; items of block -1 do not count.
    """
    order = np.argsort(first, kind="stable")
    order = order[block[order] >= 0]
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    starts, ends = np.searchsorted(page.leaves, first[order]), np.searchsorted(page.leaves, last[order])
    if (starts[1:] >= ends[:-1]).all():
        sizes = ends - starts
        inside = np.arange(sizes.sum()) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        leaf_block[inside] = np.repeat(block[order], sizes)
    else:
        for row, start, end in zip(block[order].tolist(), starts.tolist(), ends.tolist(), strict=True):
            leaf_block[start:end] = row
    visible = mask_of(len(page.leaves), visible_boxes(page).leaf)
    return np.where(visible, leaf_block, -1).astype(np.int32)


def _common_elements(
    page: Page, first: NDArray[np.int64], last: NDArray[np.int64], number: NDArray[np.int64]
) -> IntColumn:
    """Return the smallest element around the items of each block, given how many items each has."""
    starts = np.cumsum(number) - number
    node = np.minimum.reduceat(first, starts) if len(number) else first
    end = np.maximum.reduceat(last, starts) if len(number) else last
    outside = np.flatnonzero((node > 0) & (page.end[node] < end))
    while len(outside):
        node[outside] = page.parent[node[outside]]
        outside = outside[(node[outside] > 0) & (page.end[node[outside]] < end[outside])]
    return node.astype(np.int32)


def _separators(rows: _TreeRows, corners: Sequence[Sequence[float]]) -> Separators:
    found: list[tuple[int, tuple[float, float, float, float], Stripe]] = []
    for row in sorted(set(rows.parent) - {-1}):
        left, top, right, bottom = corners[row]
        for stripe in rows.node[row].stripes:
            start, size = stripe.start, stripe.end - stripe.start
            across = (left, start, right - left, size) if stripe.horizontal else (start, top, size, bottom - top)
            found.append((row, across, stripe))
    return Separators(
        block=np.asarray([row for row, _, _ in found], dtype=np.int32),
        box=np.asarray([box for _, box, _ in found], dtype=np.float32).reshape(-1, 4),
        horizontal=np.asarray([stripe.horizontal for _, _, stripe in found], dtype=bool),
        weight=np.asarray([stripe.weight for _, _, stripe in found], dtype=np.float32),
        parts=np.asarray([stripe.parts for _, _, stripe in found], dtype=np.float32).reshape(-1, len(PARTS)),
    )
