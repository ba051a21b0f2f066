"""Content structure of VIPS: a tree of a pool's blocks, built across its separators (MSR-TR-2003-79, section 4.3).

The report merges across the lightest separators first. Here the tree is built from the top: the heaviest separators
divide the pool first, then those of each part. This finds separators between the blocks of one part that a block of
another part would cross; such a separator may be heavier than the one that created the part. There the tree differs
from the report's, which finds no separator in that position; the outer block is then at most as coherent as the inner
one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from .separators import (
    Box,
    Item,
    PageRules,
    Stripe,
    Weights,
    appearance_weight,
    bounding_box,
    find_separators,
)

#: Most levels from the separators of one pool; real pages have up to a dozen. Below, all separators divide at once:
#: gaps that increase from line to line would create a level each.
MOST_LEVELS = 30
#: Least coherence of small blocks.
_SMALL = 8
#: Added before weights are truncated: halves, and slightly less, are rounded up. Gaps of a multiple of half a line are
#: common, and fonts of twice the size are not quite twice as high.
_ROUNDED = 0.55
#: Most blocks of a pool that are tested for overlaps.
_MOST_COVERING = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeContext:
    """Parameters of the trees of one page."""

    rules: PageRules
    weights: Weights
    line: Sequence[float]  # (nodes,): line height in each node, CSS pixels
    wide: float  # pixels; vertical separators of a wider block are the page's columns
    small: float  # square line heights below which a block within one landmark is coherent, whatever is inside
    #: (nodes,): innermost landmark around each node of the page (header, navigation, main ...), -1 for none
    landmark: Sequence[int]
    #: Cache of the weights in CSS pixels by line height.
    in_pixels: dict[float, Weights] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Node:
    """Block of the growing tree: its items from the pool, and the separators between its children.

    ``least`` is the coherence from a rule, a lower bound for everything inside; ``frame`` the box that it keeps when it
    is divided; ``rule`` the deciding one, -1 for several blocks between separators.
    """

    doc: int
    items: Sequence[Item]
    children: Sequence[Node] = ()
    stripes: Sequence[Stripe] = ()
    least: int = 0
    frame: Box | None = None
    rule: int = -1

    def box(self) -> Box:
        """Return its frame, or else the bounding box of its items."""
        if self.frame is not None:
            return self.frame
        if len(self.items) == 1:
            return self.items[0].box
        return bounding_box(self.items)

    def preorder(self) -> tuple[list[Node], list[int]]:
        """Return the nodes, and for each the index of its parent in this list (-1 for this one)."""
        nodes: list[Node] = []
        parents: list[int] = []
        pending, above = [self], [-1]
        while pending:
            node = pending.pop()
            parents.append(above.pop())
            if node.children:
                pending.extend(reversed(node.children))
                above.extend([len(nodes)] * len(node.children))
            nodes.append(node)
        return nodes, parents


def build_tree(node: Node, pool: list[Item], context: TreeContext) -> list[Node]:
    """Build a tree from a pool of at least one block below a node, and return its leaves.

    The node gets the pool, children, separators and degree of coherence.
    """
    line = context.line[node.items[0].node]
    weights = context.in_pixels.get(line)
    if weights is None:
        weights = context.in_pixels[line] = context.weights.in_pixels(line)
    small_area = context.small * line**2
    node.items = pool
    pending, leaves = [(node, 0)], list[Node]()
    while pending:
        part, level = pending.pop()
        groups, stripes, weight = _split(part.items, context.rules, weights, flat=level >= MOST_LEVELS)
        left, top, right, bottom = part.box()
        columns = bool(stripes) and not stripes[0].horizontal and right - left > context.wide
        more = weights.columns if columns else 0.0
        part.stripes = [_add_column_weight(stripe, more) for stripe in stripes] if more else stripes
        small = (right - left) * (bottom - top) < small_area
        least = _SMALL if small and len({context.landmark[item.node] for item in part.items}) == 1 else 1
        part.doc = max(_coherence(weight + more), least)
        part.children = [Node(doc=10, items=group) for group in groups]
        for child in part.children:
            if len(child.items) > 1:
                pending.append((child, level + 1))
            else:
                leaves.append(child)
    return leaves


def _add_column_weight(stripe: Stripe, columns: float) -> Stripe:
    start, end, horizontal, weight, parts, position = stripe
    return Stripe(start, end, horizontal, weight + columns, (*parts[:-1], columns), position)


def _split(
    items: Sequence[Item], rules: PageRules, weights: Weights, *, flat: bool
) -> tuple[list[list[Item]], list[Stripe], float]:
    """Split items at the heaviest separators, else into layers, else, if they interlock, into single items."""
    groups, stripes = _split_at_separators(items, rules, weights, flat=flat)
    if stripes:
        groups.sort(key=_first_node)
        return groups, stripes, max(stripe.weight for stripe in stripes)
    groups, weight = _layers(items, weights)
    if len(groups) == 1:
        groups, weight = [[item] for item in items], _interlocked_weight(items, weights)
    return groups, [], weight


def _split_at_separators(
    items: Sequence[Item], rules: PageRules, weights: Weights, *, flat: bool
) -> tuple[list[list[Item]], list[Stripe]]:
    """Split items at the heaviest separators of one direction, or at all separators of that direction."""
    rows, across = find_separators(items, rules, weights, horizontal=True)
    columns, along = find_separators(items, rules, weights, horizontal=False)
    if across and along:
        across, along = _columns_first(rows, columns, across, along)
    heaviest = max((stripe.weight for stripe in (*across, *along)), default=None)
    if heaviest is None:
        return [], []
    horizontal = any(stripe.weight == heaviest for stripe in across)
    stripes = across if horizontal else along
    least = -np.inf if flat else least_alike([stripe.weight for stripe in stripes], weights.alike)
    chosen = [stripe for stripe in stripes if stripe.weight >= least]
    ordered = rows if horizontal else columns
    bounds = [0, *(stripe.position for stripe in chosen), len(items)]
    return [ordered[first:last] for first, last in pairwise(bounds)], chosen


def least_alike(weight: list[float], alike: float) -> float:
    """Return the least of the weights that count as equal to the greatest one.

    The limit is half to one and a half times ``alike`` below the greatest weight, where the weights around it differ
    most: where it is the same for all, boxes that a browser moves by parts of a pixel get to the other side.
    """
    ordered = sorted(weight, reverse=True)
    least, widest = ordered[0], 0.0
    first, last = ordered[0] - 0.5 * alike, ordered[0] - 1.5 * alike
    # What is outside of the range of the limit makes no step wider.
    for above, below in pairwise([*ordered, last]):
        step = min(above, first) - max(below, last)
        if step > widest:
            least, widest = above, step
    return least


def _columns_first(
    rows: list[Item], columns: list[Item], across: list[Stripe], along: list[Stripe]
) -> tuple[list[Stripe], list[Stripe]]:
    """Return the separators that may divide items that have separators of both directions.

    A vertical one divides columns if there are items on its two sides in every row. If there are such rows, and others
    above or below them, the separators between both kinds of rows come first; if there are none, it is only an indent.
    """
    heaviest = max(along, key=lambda stripe: stripe.weight)
    if heaviest.weight < max(stripe.weight for stripe in across):
        return across, along
    left = {id(item) for item in columns[: heaviest.position]}
    bounds = [0, *(stripe.position for stripe in across), len(rows)]
    sides = [{id(item) in left for item in rows[first:last]} for first, last in pairwise(bounds)]
    if all(len(side) == 2 for side in sides):
        return across, along
    between = [stripe for stripe, (one, other) in zip(across, pairwise(sides), strict=True) if len(one) != len(other)]
    return between or across, []


def _layers(items: Sequence[Item], weights: Weights) -> tuple[list[list[Item]], float]:
    """Split items into those painted over others and those below; items positioned together stay together."""
    if len(items) > _MOST_COVERING:
        return [list(items)], 0.0
    box = np.asarray([item.box for item in items])
    low, high = box[:, None, :2], box[:, None, 2:]
    shared = np.minimum(high, box[None, :, 2:]) - np.maximum(low, box[None, :, :2])
    one, other = np.nonzero(np.triu((shared > weights.slack).all(axis=2), 1))
    weight, positioned, covering = 0.0, set[int](), set[int]()
    for first, second in zip(one.tolist(), other.tolist(), strict=True):
        below, above = sorted((items[first], items[second]), key=_paint_key)
        weight = max(weight, appearance_weight(below, above, 0.0, weights, horizontal=True))
        if above.positioned >= 0 and above.positioned != below.positioned:
            positioned.add(above.positioned)
        else:
            covering.add(above.node)
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(
            item.positioned if item.positioned in positioned else -1 if item.node in covering else -2, []
        ).append(item)
    return sorted(groups.values(), key=_first_node), weight


def _interlocked_weight(items: Sequence[Item], weights: Weights) -> float:
    """Return the weight of the white space between items without a straight stripe, from each to the next one."""
    ordered = sorted(items, key=lambda item: item.node)
    return max(
        appearance_weight(one, other, _gap(one.box, other.box) / weights.distance, weights, horizontal=False)
        for one, other in pairwise(ordered)
    )


def _gap(one: Box, other: Box) -> float:
    return max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3], 0.0)


def _paint_key(item: Item) -> tuple[int, bool, int]:
    return item.paint, item.positioned >= 0, item.node


def _first_node(group: Sequence[Item]) -> int:
    return group[0].node if len(group) == 1 else min(item.node for item in group)


def _coherence(weight: float) -> int:
    return min(max(10 - math.floor(weight + _ROUNDED), 1), 9)
