"""Separators of VIPS: stripes that no block crosses, and their weights."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter
from typing import NamedTuple, cast

import numpy as np

from ...page.arrays import FloatArray

#: ``(left, top, right, bottom)`` in CSS pixels of the document.
Box = tuple[float, float, float, float]
#: Summands of a weight, in the order of :data:`~blocksight.segment.blocks.PARTS`.
Parts = tuple[float, float, float, float, float, float, float, float]
#: Items of a unit that is repeated, and how often it is there.
_LONGEST_UNIT, _REPEATS = 4, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of separators.

    The report (MSR-TR-2003-79, section 4.2) says what makes a separator heavier or lighter; the numbers are ours. A
    block with a separator of weight w inside has the degree of coherence 10 - w, at least 1 and at most 9. Lengths are
    in heights of the page's lines, independent of zoom.
    """

    distance: float = 0.6  # line heights of white space that weigh 1
    rule: float = 2.5  # added if a rule (an <hr>, a thin bar, a border) is in the stripe
    background: float = 2.5  # added if the boxes on the two sides differ in background, picture, border or shadow
    font: float = 0.8  # added, for horizontal stripes, if font size or weight differ
    #: added, for horizontal stripes, if the font above is smaller than the font below: a new heading
    smaller_above: float = 0.8
    #: factor for horizontal stripes below a heading: text no higher than low whose font is larger or, at the same size,
    #: bolder than the font below
    heading: float = 0.5
    low: float = 3.0  # greatest height of a heading in line heights
    #: factor for horizontal stripes in a series of paragraphs, entries or rows: siblings of the same template that
    #: start in the same font and are not painted as boxes
    series: float = 0.5
    #: added to vertical stripes of blocks wider than the share wide of the page: the columns of the page, not of a list
    columns: float = 1.0
    wide: float = 0.5
    alike: float = 0.35  # greatest difference of weights that count as equal: such separators divide a block together
    #: tolerated overlap of blocks in line heights (rounding, tight lines); such a separator has no width
    slack: float = 0.1

    def in_pixels(self, unit: float) -> Weights:
        """Return the same with lengths in CSS pixels, given the line height."""
        return replace(self, distance=self.distance * unit, low=self.low * unit, slack=self.slack * unit)


class PageRules:
    """Rules of a page, ``[left, top, right, bottom]`` each, sorted by their middle along the x and the y axis."""

    def __init__(self, box: FloatArray) -> None:
        middle = (box[:, :2] + box[:, 2:]) / 2
        order = [np.argsort(middle[:, axis], kind="stable") for axis in (0, 1)]
        self._ordered = tuple(box[rows] for rows in order)
        #: Lists: bisect is faster than NumPy for single numbers.
        self._middles: tuple[list[float], ...] = tuple(middle[rows, axis].tolist() for axis, rows in enumerate(order))

    def __len__(self) -> int:
        return len(self._middles[0])

    def centred_in(self, first: float, last: float, axis: int) -> FloatArray:
        """Return the boxes of the rules whose middle is in an interval of an axis, 0 for x and 1 for y."""
        middles = self._middles[axis]
        return self._ordered[axis][bisect_left(middles, first) : bisect_right(middles, last)]


class Item(NamedTuple):
    """Block of the pool: a node of the page, or a run of siblings."""

    left: float  # visible extent in CSS pixels of the document
    top: float
    right: float
    bottom: float
    node: int  # it covers the page's rows [node, end), except layers over the page
    end: int
    doc: int  # degree of coherence from the rules; 0 if it is that of the content
    rule: int  # deciding rule
    boxed: bool  # whether it is painted as a box, or is a picture or control
    final: bool  # paragraphs, pictures and controls, which are never divided
    code: bool  # whether all its text is preformatted
    look: int  # code of the box's appearance
    parent: int  # of the outermost element with the same content
    template: int  # its tag and class; siblings of the same template are equal in both
    classes: frozenset[str]  # its classes, each after its tag
    positioned: int  # innermost absolute or fixed element around it, -1 for none
    paint: int  # paint order; higher is later
    first_font: tuple[float, float] | None  # size and weight of the first and the last text in it
    last_font: tuple[float, float] | None

    @property
    def box(self) -> Box:
        """The visible extent."""
        return self.left, self.top, self.right, self.bottom


_Side = Callable[[Item], float]
#: Functions of an item: where it starts and where it ends, along the x and the y axis.
_LEFT, _TOP, _RIGHT, _BOTTOM = (cast(_Side, itemgetter(index)) for index in range(4))
_START, _END = (_LEFT, _TOP), (_RIGHT, _BOTTOM)


def bounding_box(items: Sequence[Item]) -> Box:
    """Return the box around items."""
    return min(map(_LEFT, items)), min(map(_TOP, items)), max(map(_RIGHT, items)), max(map(_BOTTOM, items))


class Stripe(NamedTuple):
    """Separator between ``start`` and ``end`` of its axis, after the first ``position`` items in that order.

    ``parts`` are the summands of its weight, one for each of :data:`~blocksight.segment.blocks.PARTS`.
    """

    start: float
    end: float
    horizontal: bool
    weight: float
    parts: Parts
    position: int


def find_separators(
    items: Sequence[Item], rules: PageRules, weights: Weights, *, horizontal: bool
) -> tuple[list[Item], list[Stripe]]:
    """Return items from top to bottom or from left to right, and the stripes between them; both empty without stripes.

    ``horizontal`` is True for stripes with items above and below. VIPS starts from one separator as large as the page
    and lets each block split, shrink or delete it; the remaining separators, without the page's borders, are the areas
    that no block covers. They are computed directly from the sorted blocks.
    """
    start_of, end_of, slack = _START[horizontal], _END[horizontal], weights.slack
    if max(map(start_of, items)) < min(map(end_of, items)) - slack:
        return [], []  # all items share a part of the axis
    order = _sorted(items, horizontal=horizontal)
    stripes: list[Stripe] = []
    repeated: Sequence[bool] | None = None
    any_rules = len(rules) > 0
    before = order[0]
    reach = end_of(before)
    for index, item in enumerate(order):
        start, end = start_of(item), end_of(item)
        if start >= reach - slack and index:
            if repeated is None:
                repeated = _repeated(order) if horizontal else [False] * len(order)
            top = min(reach, start)
            has_rule = any_rules and _has_rule(before, item, (top, start), rules, slack, horizontal=horizontal)
            ruled, distance = weights.rule if has_rule else 0.0, (start - top) / weights.distance
            if repeated[index]:
                parts = _series_parts(distance, ruled, weights)
            else:
                parts = _appearance_parts(before, item, distance, ruled, weights, horizontal=horizontal)
            stripes.append(Stripe(top, start, horizontal, sum(parts), parts, index))
        if end >= reach:
            reach, before = end, item
    return (order, stripes) if stripes else ([], [])


def _sorted(items: Sequence[Item], *, horizontal: bool) -> list[Item]:
    """Return items from top to bottom or from left to right, in the order that stripes count."""
    # Stable sorts by one number each avoid tuples, and blocks are mostly in order already.
    ordered = sorted(items, key=attrgetter("node"))
    ordered.sort(key=_END[horizontal])
    ordered.sort(key=_START[horizontal])
    return ordered


def _repeated(order: Sequence[Item]) -> list[bool]:
    """Return for each item whether it and the one before are in units of some items that repeat: rows, terms, bubbles.

    A unit is 2 to :data:`_LONGEST_UNIT` items of different looks, in the same order each time, at least three times.
    """
    repeated = [False] * len(order)
    if len(order) < 2 * _REPEATS:
        return repeated
    looks = [(item.parent, item.template, item.first_font, item.look, item.boxed) for item in order]
    for length in range(2, _LONGEST_UNIT + 1):
        same = 0
        for index in range(length, len(looks) + 1):
            if index < len(looks) and looks[index] == looks[index - length]:
                same += 1
                continue
            first = index - same - length
            if same >= (_REPEATS - 1) * length and len(set(looks[first : first + length])) > 1:
                repeated[first + 1 : index] = [True] * (index - first - 1)
            same = 0
    return repeated


def _series_parts(distance: float, ruled: float, weights: Weights) -> Parts:
    return distance, ruled, 0.0, 0.0, 0.0, (distance + ruled) * (weights.series - 1.0), 0.0, 0.0


def appearance_weight(before: Item, after: Item, distance: float, weights: Weights, *, horizontal: bool) -> float:
    """Return the weight of white space, with the weights of the differences in appearance."""
    return sum(_appearance_parts(before, after, distance, 0.0, weights, horizontal=horizontal))


def _appearance_parts(
    before: Item, after: Item, distance: float, ruled: float, weights: Weights, *, horizontal: bool
) -> Parts:
    if horizontal and _is_code_in_text(before, after):
        return distance, ruled, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    differ = _look_different(before, after, touching=distance * weights.distance <= weights.slack)
    if not differ and horizontal and _are_series(before, after):
        return _series_parts(distance, ruled, weights)
    background = weights.background if differ else 0.0
    above, below = before.last_font, after.first_font
    if not horizontal or above is None or below is None or above == below:
        return distance, ruled, background, 0.0, 0.0, 0.0, 0.0, 0.0
    if above > below and before.bottom - before.top <= weights.low:
        # A rule below a heading is part of the heading.
        reduction = (distance + background) * (weights.heading - 1.0)
        return distance, 0.0, background, 0.0, 0.0, 0.0, reduction, 0.0
    smaller_above = weights.smaller_above if above[0] < below[0] else 0.0
    return distance, ruled, background, weights.font, smaller_above, 0.0, 0.0, 0.0


def _is_code_in_text(before: Item, after: Item) -> bool:
    """Return whether one of two siblings is a sample of code: it is part of the text, whatever its ground and font."""
    return (before.code or after.code) and before.parent == after.parent


def _look_different(before: Item, after: Item, *, touching: bool) -> bool:
    """Return whether an edge is seen between two items: other looks, or pictures as grounds that touch."""
    if before.look != after.look:
        return True
    return touching and all(item.boxed and item.look >> 32 & 1 for item in (before, after))


def _are_series(before: Item, after: Item) -> bool:
    """Return whether two items start in the same way, whatever their ends: siblings of one template, without a box."""
    same_start = before.parent == after.parent and before.first_font == after.first_font and not before.boxed
    return same_start and (before.template == after.template or not before.classes.isdisjoint(after.classes))


def _has_rule(
    before: Item, after: Item, span: tuple[float, float], rules: PageRules, slack: float, *, horizontal: bool
) -> bool:
    """Return whether a rule is in the stripe and next to the items on its two sides, not in another column.

    The middle of the rule counts: browsers draw a rule at least a pixel thick, so that it may be next to the stripe.
    """
    axis, across = (1, 0) if horizontal else (0, 1)
    rules_inside = rules.centred_in(span[0] - slack, span[1] + slack, axis)
    if not len(rules_inside):
        return False
    start_of, end_of = _START[across], _END[across]
    low, high = min(start_of(before), start_of(after)), max(end_of(before), end_of(after))
    inside = rules_inside[:, axis + 2] - rules_inside[:, axis] <= span[1] - span[0] + 2 * slack
    return bool((inside & (rules_inside[:, across] < high) & (rules_inside[:, across + 2] > low)).any())
