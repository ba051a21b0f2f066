"""Content structure: a pool of blocks put together into a tree across its separators (MSR-TR-2003-79, section 4.3).

The report merges across the lightest separators first and goes on to the heaviest. The tree is the same when it is
made from the top: the heaviest separators of a pool part it first, those of each part come next. Made so, separators
between the blocks of one part are found even where a block of another part would cross them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .separators import Item, Rules, Stripe, Weights, find_separators, in_order

#: Levels that the separators of one pool make; real pages have up to a dozen. Below, all of them part at once: gaps
#: that grow from line to line would make a level each.
MOST_LEVELS = 30


@dataclass(slots=True, kw_only=True)
class Node:
    """A block of the tree while it grows: the pool's blocks in it, and the separators that part its children."""

    doc: int
    items: Sequence[Item]
    children: Sequence[Node] = ()
    stripes: Sequence[Stripe] = ()

    def box(self) -> tuple[float, float, float, float]:
        """Return ``(left, top, right, bottom)`` of all its blocks."""
        if len(self.items) == 1:
            return self.items[0].box
        lefts, tops, rights, bottoms = zip(*[item.box for item in self.items], strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    def preorder(self) -> list[tuple[Node, int]]:
        """Return the nodes, each with the place of its parent in this list (-1 for this one)."""
        rows: list[tuple[Node, int]] = []
        pending = [(self, -1)]
        while pending:
            node, parent = pending.pop()
            row = len(rows)
            rows.append((node, parent))
            pending += [(child, row) for child in reversed(node.children)]
        return rows


def construct(node: Node, pool: list[Item], rules: Rules, weights: Weights) -> list[Node]:
    """Put a pool of blocks together below a node, and give the leaves of the tree that grows there.

    Parameters
    ----------
    node : Node
        Gets the pool, children, separators and degree of coherence.
    pool : list of Item
        At least one.
    rules : Rules
    weights : Weights
    """
    node.items = pool
    pending, leaves = [(node, 0)], list[Node]()
    while pending:
        part, level = pending.pop()
        groups, part.stripes = _parted(part.items, rules, weights, flat=level >= MOST_LEVELS)
        part.doc = _doc_of(part.stripes)
        part.children = [Node(doc=group[0].doc if len(group) == 1 else 10, items=group) for group in groups]
        for child in part.children:
            if len(child.items) > 1:
                pending.append((child, level + 1))
            else:
                leaves.append(child)
    return leaves


def _parted(
    items: Sequence[Item], rules: Rules, weights: Weights, *, flat: bool
) -> tuple[list[list[Item]], list[Stripe]]:
    """Part items at the heaviest separators; what covers others so that nothing parts them is set aside (ours)."""
    beneath, aside = list(items), list[Item]()
    while len(beneath) > 1 and len(aside) <= weights.layers:
        groups, stripes = _cut(beneath, rules, weights, flat=flat)
        if stripes:
            return sorted([*([item] for item in aside), *groups] if aside else groups, key=_first_node), stripes
        aside.append(beneath.pop(max(range(len(beneath)), key=lambda place: _area(beneath[place].box))))
    return [[item] for item in items], []


def _cut(items: list[Item], rules: Rules, weights: Weights, *, flat: bool) -> tuple[list[list[Item]], list[Stripe]]:
    """Part items at the heaviest separators of one direction, or at all of that direction."""
    across = find_separators(items, rules, weights, horizontal=True)
    along = find_separators(items, rules, weights, horizontal=False)
    heaviest = max((stripe.weight for stripe in (*across, *along)), default=None)
    if heaviest is None:
        return [items], []
    horizontal = any(stripe.weight == heaviest for stripe in across)
    least = -np.inf if flat else heaviest - weights.alike
    chosen = [stripe for stripe in (across if horizontal else along) if stripe.weight >= least]
    ordered = in_order(items, horizontal=horizontal)
    places = [0, *(stripe.place for stripe in chosen), len(items)]
    return [ordered[first:last] for first, last in pairwise(places)], chosen


def _first_node(group: Sequence[Item]) -> int:
    return min(item.node for item in group)


def _area(box: tuple[float, float, float, float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _doc_of(stripes: Sequence[Stripe]) -> int:
    """Turn the heaviest separator inside a block into its coherence: the heavier, the less coherent."""
    return int(np.clip(10 - round(max(stripe.weight for stripe in stripes)), 1, 9)) if stripes else 10
