"""VIPS: vision-based page segmentation (Cai, Yu, Wen & Ma 2003, MSR-TR-2003-79).

Three steps, repeated for every block whose degree of coherence (DoC) is below the permitted one (PDoC): rules cut the
block's DOM subtree into a pool of smaller blocks; separators are found between those; the blocks are put together
across the lightest separators first. The order of merging makes a tree; what is merged across separators so light
that its DoC reaches PDoC stays one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..render.page import FloatColumn, Page
from .blocks import Blocks, Separators
from .dom_blocks import Extractor
from .separators import Item, Stripe, Weights, find_separators, in_order

#: Stripes whose weights differ by less are equally heavy and part a block into more than two.
_SAME_WEIGHT = 0.25
#: Blocks that may lie over others (notices, menus) when separators are looked for below them.
_LAYERS = 3


@dataclass(slots=True, kw_only=True)
class _Node:
    """A block of the tree while it grows."""

    doc: int
    items: list[Item]
    children: list[_Node] = field(default_factory=list)
    stripes: list[Stripe] = field(default_factory=list)

    def box(self) -> tuple[float, float, float, float]:
        corners = np.asarray([item.box for item in self.items])
        low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def vips(page: Page, *, pdoc: int = 8, relative_size: float = 0.1, weights: Weights | None = None) -> Blocks:
    """Segment a rendered page by VIPS.

    Parameters
    ----------
    page : Page
        With geometry.
    pdoc : int
        Permitted degree of coherence, 1 (the whole page) to 10 (the smallest blocks). Pasternack & Roth (WWW 2009)
        found 8 best for articles.
    relative_size : float
        Share of the page's area below which the rules R9 and R10 leave a block whole; the report leaves it open.
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
    if not 0 <= relative_size <= 1:
        raise ValueError(f"relative_size must be 0 to 1, not {relative_size}")
    extractor = Extractor(page, relative_size)
    root = extractor.root()
    if root is None:
        return _empty(page)
    tree = _grow(extractor, root, pdoc, weights or Weights())
    _settle_doc(tree)
    return _blocks(page, tree, pdoc, extractor.shown)


def _grow(extractor: Extractor, root: Item, pdoc: int, weights: Weights) -> _Node:
    """Divide items until each has the permitted coherence; an explicit stack, as pages may be very deep."""
    top = _Node(doc=root.doc, items=[root])
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
        _construct(node, pool, extractor.rules, weights)
        open_nodes += [leaf for leaf in _leaves(node) if leaf.doc < pdoc and leaf is not node]
    return top


def _construct(node: _Node, pool: list[Item], rules: np.ndarray, weights: Weights) -> None:
    """Put a pool of blocks together below a node: the heaviest separators part it last, so they stand on top."""
    node.items = pool
    pending = [node]
    while pending:
        part = pending.pop()
        groups, stripes = _parted(part.items, rules, weights)
        part.stripes = stripes
        part.doc = _doc_of(stripes) if stripes else 10
        for group in groups:
            child = _Node(doc=group[0].doc if len(group) == 1 else 10, items=group)
            part.children.append(child)
            if len(group) > 1:
                pending.append(child)


def _parted(items: list[Item], rules: np.ndarray, weights: Weights) -> tuple[list[list[Item]], list[Stripe]]:
    """Part items at the heaviest separators; what covers others so that nothing parts them is set aside (ours)."""
    beneath, aside = list(items), list[Item]()
    while len(beneath) > 1 and len(aside) <= _LAYERS:
        groups, stripes = _cut(beneath, rules, weights)
        if stripes:
            return sorted([*([item] for item in aside), *groups] if aside else groups, key=_first_node), stripes
        aside.append(beneath.pop(max(range(len(beneath)), key=lambda place: _area(beneath[place].box))))
    return [[item] for item in items], []


def _cut(items: list[Item], rules: np.ndarray, weights: Weights) -> tuple[list[list[Item]], list[Stripe]]:
    """Part items at the heaviest separators of one direction."""
    across = find_separators(items, rules, weights, horizontal=True)
    along = find_separators(items, rules, weights, horizontal=False)
    heaviest = max((stripe.weight for stripe in (*across, *along)), default=None)
    if heaviest is None:
        return [items], []
    horizontal = any(stripe.weight == heaviest for stripe in across)
    chosen = [stripe for stripe in (across if horizontal else along) if stripe.weight >= heaviest - _SAME_WEIGHT]
    ordered = in_order(items, horizontal=horizontal)
    places = [0, *(stripe.place for stripe in chosen), len(items)]
    return [ordered[first:last] for first, last in pairwise(places)], chosen


def _first_node(group: Sequence[Item]) -> int:
    return min(item.node for item in group)


def _area(box: tuple[float, float, float, float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _doc_of(stripes: Sequence[Stripe]) -> int:
    """Turn the heaviest separator inside a block into its coherence: the heavier, the less coherent."""
    return int(np.clip(10 - round(max(stripe.weight for stripe in stripes)), 1, 9))


def _leaves(node: _Node) -> list[_Node]:
    found, pending = [], [node]
    while pending:
        part = pending.pop()
        pending += part.children
        if not part.children:
            found.append(part)
    return found


def _preorder(tree: _Node) -> list[tuple[_Node, int]]:
    """Give the nodes, each with the row of its parent."""
    rows: list[tuple[_Node, int]] = []
    pending = [(tree, -1)]
    while pending:
        node, parent = pending.pop()
        row = len(rows)
        rows.append((node, parent))
        pending += [(child, row) for child in reversed(node.children)]
    return rows


def _settle_doc(tree: _Node) -> None:
    """Let no block be more coherent than a block inside it."""
    for node, _ in reversed(_preorder(tree)):
        node.doc = min([node.doc, *(child.doc for child in node.children)])


def _blocks(page: Page, tree: _Node, pdoc: int, shown: NDArray[np.bool_]) -> Blocks:
    for node, _ in _preorder(tree):
        if node.doc >= pdoc:
            node.children, node.stripes = [], []
    rows = _preorder(tree)
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    for row, (node, _) in enumerate(rows):
        for item in node.items if not node.children else ():
            first, last = np.searchsorted(page.leaves, [item.node, item.end])
            leaf_block[first:last] = row
    leaf_block[~shown] = -1
    parent = np.asarray([above for _, above in rows], dtype=np.int32)
    return Blocks(
        parent=parent,
        node=np.asarray([_common(page, node.items) for node, _ in rows], dtype=np.int32),
        doc=np.asarray([node.doc for node, _ in rows], dtype=np.int16),
        leaf_block=leaf_block,
        box=_boxes(rows),
        separators=_separators(rows),
    )


def _common(page: Page, items: Sequence[Item]) -> int:
    """Smallest element that holds all items."""
    first, last = min(item.node for item in items), max(item.end for item in items)
    node = first
    while node > 0 and not (node <= first and page.end[node] >= last):
        node = int(page.parent[node])
    return node


def _boxes(rows: Sequence[tuple[_Node, int]]) -> FloatColumn:
    corners = np.asarray([node.box() for node, _ in rows], dtype=np.float64).reshape(-1, 4)
    corners[:, 2:] -= corners[:, :2]
    return corners.astype(np.float32)


def _separators(rows: Sequence[tuple[_Node, int]]) -> Separators:
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
