"""Separators: the stripes that no block crosses, and how strongly they part what stands on their two sides (VIPS)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...page.arrays import FloatArray

#: ``(left, top, right, bottom)`` in CSS pixels of the document.
Box = tuple[float, float, float, float]
#: What a weight is the sum of, in the order of :data:`~blocksight.segment.blocks.PARTS`.
Parts = tuple[float, float, float, float, float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a separator is and how heavy.

    The report (MSR-TR-2003-79, section 4.2) tells what makes a separator heavier or lighter; the numbers are ours.
    A block parted by a separator of weight w has the degree of coherence 10 - w, at least 1 and at most 9. Lengths are
    in heights of the page's lines, so that zoom changes nothing.

    Attributes
    ----------
    distance : float
        Line heights of white space that weigh 1.
    rule : float
        Added where a rule (an ``<hr>``, a thin bar, a border) lies in the stripe.
    background : float
        Added where the two sides are boxes of different looks: ground, picture, border or shadow.
    font : float
        Added, for horizontal stripes, where font size or weight differ.
    smaller_above : float
        Added, for horizontal stripes, where the font above is smaller than the font below: a new heading.
    heading : float
        Factor for horizontal stripes below a heading, which belongs to what follows: text no higher than ``low`` whose
        font is larger or, of the same size, bolder.
    low : float
        Line heights of the highest headings.
    series : float
        Factor for horizontal stripes in a series of paragraphs, entries, rows: siblings of one make that
        begin in one font, none painted as a box.
    columns : float
        Added to vertical stripes of blocks that take more than the share ``wide`` of the page's width: the page's
        columns, not those of a list.
    wide : float
    alike : float
        Separators whose weights differ by no more are equally heavy: together they part a block into more than two.
    slack : float
        Overlap of blocks in line heights that is forgiven (rounding, tight lines); such a separator has no width.
    """

    distance: float = 0.6
    rule: float = 2.5
    background: float = 2.5
    font: float = 0.8
    smaller_above: float = 0.8
    heading: float = 0.5
    low: float = 3.0
    series: float = 0.5
    columns: float = 1.0
    wide: float = 0.5
    alike: float = 0.25
    slack: float = 0.1

    def in_pixels(self, unit: float) -> Weights:
        """Return the same with lengths in CSS pixels on a page whose lines are so high."""
        return replace(self, distance=self.distance * unit, low=self.low * unit, slack=self.slack * unit)


class PageRules:
    """The page's rules, in order from top to bottom and from left to right.

    Parameters
    ----------
    box : float64 (rules, 4)
        ``[left, top, right, bottom]`` of each.
    """

    def __init__(self, box: FloatArray) -> None:
        self._ordered = tuple(box[np.argsort(box[:, axis], kind="stable")] for axis in (0, 1))
        self._starts = tuple(ordered[:, axis].copy() for axis, ordered in enumerate(self._ordered))

    def __len__(self) -> int:
        return len(self._starts[0])

    def beginning_in(self, first: float, last: float, axis: int) -> FloatArray:
        """Return the boxes of those that begin between two places on an axis, 0 for x and 1 for y."""
        starts = self._starts[axis]
        return self._ordered[axis][np.searchsorted(starts, first) : np.searchsorted(starts, last, side="right")]


class Item(NamedTuple):
    """A block of the pool: a node of the page, or a run of its siblings, with its box and its look at both ends.

    Attributes
    ----------
    node, end : int
        It covers the page's rows ``[node, end)``, but for layers inside that lie over the page.
    doc : int
        Degree of coherence that the rules gave it; 0 where what is inside tells.
    rule : int
        The rule that decided it.
    box : tuple of float
    boxed : bool
        Whether it is painted as a box, or is a picture or control.
    final : bool
        Paragraphs, pictures and controls, which are never cut.
    look : int
        Boxes of one look have one number.
    kin : tuple of int
        Parent and make, by tag and class: one for siblings of one make.
    lifted : int
        The innermost absolute or fixed element around it, -1 for none.
    paint : int
        Later painted is greater.
    first_font, last_font : tuple of float or None
        Size and weight of the first and the last text in it.
    """

    node: int
    end: int
    doc: int
    rule: int
    box: Box
    boxed: bool
    final: bool
    look: int
    kin: tuple[int, int]
    lifted: int
    paint: int
    first_font: tuple[float, float] | None
    last_font: tuple[float, float] | None


class Stripe(NamedTuple):
    """A separator: it lies between ``start`` and ``end`` on its axis, after the first ``place`` items in that order.

    ``parts`` are what its weight is the sum of, one for each of :data:`~blocksight.segment.blocks.PARTS`.
    """

    start: float
    end: float
    horizontal: bool
    weight: float
    parts: Parts
    place: int


def find_separators(items: Sequence[Item], rules: PageRules, weights: Weights, *, horizontal: bool) -> list[Stripe]:
    """Find the stripes between items along one axis.

    VIPS starts from one separator as large as the page and lets each block split, shrink or delete it; what is left in
    the end, without the page's borders, is what no block covers. That is computed here at once, from the sorted
    blocks.

    Parameters
    ----------
    items : sequence of Item
    rules : PageRules
    weights : Weights
    horizontal : bool
        True for stripes with items above and below.

    Returns
    -------
    list of Stripe
        From top to bottom, or from left to right.
    """
    axis = 1 if horizontal else 0
    order = sort_items(items, horizontal=horizontal)
    stripes = []
    reach, before = -np.inf, order[0]
    for place, item in enumerate(order):
        start = item.box[axis]
        if place and start >= reach - weights.slack:
            parts = _parts(before, item, (min(reach, start), start), rules, weights, horizontal=horizontal)
            stripes.append(
                Stripe(
                    start=min(reach, start),
                    end=start,
                    horizontal=horizontal,
                    weight=sum(parts),
                    parts=parts,
                    place=place,
                )
            )
        if item.box[axis + 2] >= reach:
            reach, before = item.box[axis + 2], item
    return stripes


def sort_items(items: Sequence[Item], *, horizontal: bool) -> list[Item]:
    """Sort items from top to bottom or from left to right, as the places of stripes count them."""
    axis = 1 if horizontal else 0
    # Stable sorts by one number each: no tuples to make, and blocks mostly are in order already.
    ordered = sorted(items, key=lambda item: item.node)
    ordered.sort(key=lambda item: item.box[axis + 2])
    ordered.sort(key=lambda item: item.box[axis])
    return ordered


def _parts(
    before: Item, after: Item, span: tuple[float, float], rules: PageRules, weights: Weights, *, horizontal: bool
) -> Parts:
    ruled = weights.rule if _has_rule(before, after, span, rules, horizontal=horizontal) else 0.0
    return _appearance_parts(
        before, after, (span[1] - span[0]) / weights.distance, ruled, weights, horizontal=horizontal
    )


def appearance_weight(before: Item, after: Item, distance: float, weights: Weights, *, horizontal: bool) -> float:
    """Add to the weight of white space what the looks of both sides weigh."""
    return sum(_appearance_parts(before, after, distance, 0.0, weights, horizontal=horizontal))


def _appearance_parts(
    before: Item, after: Item, distance: float, ruled: float, weights: Weights, *, horizontal: bool
) -> Parts:
    ground = 0.0
    if before.look != after.look:
        ground = weights.background
    elif horizontal and before.kin == after.kin and before.first_font == after.first_font and not before.boxed:
        # What begins alike is a series, whatever it ends in.
        return distance, ruled, 0.0, 0.0, 0.0, (distance + ruled) * (weights.series - 1.0), 0.0, 0.0
    above, below = before.last_font, after.first_font
    if not horizontal or above is None or below is None or above == below:
        return distance, ruled, ground, 0.0, 0.0, 0.0, 0.0, 0.0
    if above > below and before.box[3] - before.box[1] <= weights.low:
        less = (distance + ruled + ground) * (weights.heading - 1.0)
        return distance, ruled, ground, 0.0, 0.0, 0.0, less, 0.0
    smaller_above = weights.smaller_above if above[0] < below[0] else 0.0
    return distance, ruled, ground, weights.font, smaller_above, 0.0, 0.0, 0.0


def _has_rule(before: Item, after: Item, span: tuple[float, float], rules: PageRules, *, horizontal: bool) -> bool:
    """Return whether a rule lies in the stripe and beside the items on its two sides, not in another column."""
    if not len(rules):
        return False
    axis, across = (1, 0) if horizontal else (0, 1)
    there = rules.beginning_in(span[0] - 1, span[1] + 1, axis)
    if not len(there):
        return False
    low = min(before.box[across], after.box[across])
    high = max(before.box[across + 2], after.box[across + 2])
    inside = there[:, axis + 2] <= span[1] + 1
    return bool((inside & (there[:, across] < high) & (there[:, across + 2] > low)).any())
