"""Content structure: a pool of blocks put together into a tree across its separators (MSR-TR-2003-79, section 4.3).

The report merges across the lightest separators first and goes on to the heaviest. Here the tree is made from the top:
the heaviest separators of a pool part it first, those of each part come next. Made so, separators between the blocks of
one part are found even where a block of another part would cross them, and such a separator may be heavier than the one
that made the part. There the tree is not the report's, which finds no separator at all in that place; what lies around
is then no more coherent than what is inside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...page.arrays import IntColumn
from .separators import Box, Item, PageRules, Stripe, Weights, appearance_weight, find_separators, sort_items

#: Levels that the separators of one pool make; real pages have up to a dozen. Below, all of them part at once: gaps
#: that grow from line to line would make a level each.
MOST_LEVELS = 30
#: Coherence of small blocks, at least.
_SMALL = 8
#: Added before weights are cut to whole ones: halves, and a little less, are rounded up. Gaps of so many lines and a
#: half are common, and fonts of twice the size are not quite twice as high.
_ROUNDED = 0.55
#: Blocks among which it is looked for which lie over which.
_MOST_COVERING = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeContext:
    """What the trees of one page are made by.

    Attributes
    ----------
    rules : PageRules
    weights : Weights
        In pixels.
    wide : float
        Pixels; what parts a wider block from left to right are the page's columns.
    small : float
        Square pixels below which a block is coherent, whatever separators are in it, if it lies in one landmark.
    landmark : int32 (nodes,)
        The innermost landmark around each node of the page (header, navigation, main part, ...), -1 for none.
    """

    rules: PageRules
    weights: Weights
    wide: float
    small: float
    landmark: IntColumn


@dataclass(slots=True, kw_only=True)
class Node:
    """A block of the tree while it grows: the pool's blocks in it, and the separators that part its children.

    ``least`` is the coherence that a rule has given it, below which nothing inside of it falls; ``frame`` the box that
    it keeps when it is cut; ``rule`` the one that decided it, -1 where separators made it of several blocks.
    """

    doc: int
    items: Sequence[Item]
    children: Sequence[Node] = ()
    stripes: Sequence[Stripe] = ()
    least: int = 0
    frame: Box | None = None
    rule: int = -1

    def box(self) -> Box:
        """Return its frame, or else what all its blocks cover."""
        if self.frame is not None:
            return self.frame
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


def build_tree(node: Node, pool: list[Item], sheet: TreeContext) -> list[Node]:
    """Put a pool of blocks together below a node, and give the leaves of the tree that grows there.

    Parameters
    ----------
    node : Node
        Gets the pool, children, separators and degree of coherence.
    pool : list of Item
        At least one.
    sheet : TreeContext
    """
    node.items = pool
    pending, leaves = [(node, 0)], list[Node]()
    while pending:
        part, level = pending.pop()
        groups, stripes, weight = _split(part.items, sheet.rules, sheet.weights, flat=level >= MOST_LEVELS)
        left, top, right, bottom = part.box()
        columns = bool(stripes) and not stripes[0].horizontal and right - left > sheet.wide
        more = sheet.weights.columns if columns else 0.0
        part.stripes = [_add_column_weight(stripe, more) for stripe in stripes] if more else stripes
        small = (right - left) * (bottom - top) < sheet.small and not _spans_landmarks(part.items, sheet)
        least = _SMALL if small else 1
        part.doc = max(_coherence(weight + more), least)
        part.children = [Node(doc=10, items=group) for group in groups]
        for child in part.children:
            if len(child.items) > 1:
                pending.append((child, level + 1))
            else:
                leaves.append(child)
    return leaves


def _spans_landmarks(items: Sequence[Item], sheet: TreeContext) -> bool:
    """Return whether blocks lie in more than one landmark: their author says that these are not one thing."""
    return len({int(sheet.landmark[item.node]) for item in items}) > 1


def _add_column_weight(stripe: Stripe, columns: float) -> Stripe:
    return stripe._replace(weight=stripe.weight + columns, parts=(*stripe.parts[:-1], columns))


def _split(
    items: Sequence[Item], rules: PageRules, weights: Weights, *, flat: bool
) -> tuple[list[list[Item]], list[Stripe], float]:
    """Part items: at the heaviest separators, or else into layers, or else, where they interlock, all from another."""
    groups, stripes = _split_at_separators(list(items), rules, weights, flat=flat)
    if stripes:
        return sorted(groups, key=_first_node), stripes, max(stripe.weight for stripe in stripes)
    groups, weight = _layers(items, weights)
    if len(groups) == 1:
        groups, weight = [[item] for item in items], _interlocked_weight(items, weights)
    return groups, [], weight


def _split_at_separators(
    items: list[Item], rules: PageRules, weights: Weights, *, flat: bool
) -> tuple[list[list[Item]], list[Stripe]]:
    """Part items at the heaviest separators of one direction, or at all of that direction."""
    across = find_separators(items, rules, weights, horizontal=True)
    along = find_separators(items, rules, weights, horizontal=False)
    heaviest = max((stripe.weight for stripe in (*across, *along)), default=None)
    if heaviest is None:
        return [items], []
    horizontal = any(stripe.weight == heaviest for stripe in across)
    least = -np.inf if flat else heaviest - weights.alike
    chosen = [stripe for stripe in (across if horizontal else along) if stripe.weight >= least]
    ordered = sort_items(items, horizontal=horizontal)
    places = [0, *(stripe.place for stripe in chosen), len(items)]
    return [ordered[first:last] for first, last in pairwise(places)], chosen


def _layers(items: Sequence[Item], weights: Weights) -> tuple[list[list[Item]], float]:
    """Part what lies over others from what lies below; what was lifted together stays together."""
    if len(items) > _MOST_COVERING:
        return [list(items)], 0.0
    box = np.asarray([item.box for item in items])
    low, high = box[:, None, :2], box[:, None, 2:]
    shared = np.minimum(high, box[None, :, 2:]) - np.maximum(low, box[None, :, :2])
    one, other = np.nonzero(np.triu((shared > weights.slack).all(axis=2), 1))
    weight, lifted, upper = 0.0, set[int](), set[int]()
    for first, second in zip(one.tolist(), other.tolist(), strict=True):
        below, above = sorted((items[first], items[second]), key=_paint_key)
        weight = max(weight, appearance_weight(below, above, 0.0, weights, horizontal=True))
        if above.lifted >= 0 and above.lifted != below.lifted:
            lifted.add(above.lifted)
        else:
            upper.add(above.node)
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(item.lifted if item.lifted in lifted else -1 if item.node in upper else -2, []).append(item)
    return sorted(groups.values(), key=_first_node), weight


def _interlocked_weight(items: Sequence[Item], weights: Weights) -> float:
    """Weigh the white space between items that no straight stripe parts, from each to the next in the document."""
    ordered = sorted(items, key=lambda item: item.node)
    return max(
        appearance_weight(one, other, _gap(one.box, other.box) / weights.distance, weights, horizontal=False)
        for one, other in pairwise(ordered)
    )


def _gap(one: Box, other: Box) -> float:
    return max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3], 0.0)


def _paint_key(item: Item) -> tuple[int, bool, int]:
    """Order of painting: what is lifted lies over what is not, what comes later over what comes before."""
    return item.paint, item.lifted >= 0, item.node


def _first_node(group: Sequence[Item]) -> int:
    return min(item.node for item in group)


def _coherence(weight: float) -> int:
    """Turn the heaviest separator inside a block into its coherence: the heavier, the less coherent."""
    return int(np.clip(10 - math.floor(weight + _ROUNDED), 1, 9))
