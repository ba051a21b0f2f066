"""Separators: the stripes that no block crosses, and how strongly they part what stands on their two sides (VIPS)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...render.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a separator is and how heavy.

    The report (MSR-TR-2003-79, section 4.2) tells what makes a separator heavier or lighter; the numbers are ours.
    A block parted by a separator of weight w has the degree of coherence 10 - w, at least 1 and at most 9.

    Attributes
    ----------
    distance : float
        CSS pixels of white space that weigh 1.
    rule : float
        Added where an ``<hr>`` lies in the stripe.
    background : float
        Added where the two sides have different backgrounds.
    font : float
        Added, for horizontal stripes, where font size or weight differ.
    smaller_above : float
        Added, for horizontal stripes, where the font above is smaller than the font below: a new heading.
    same_text : float
        Factor where both sides are text that looks the same.
    alike : float
        Separators whose weights differ by no more are equally heavy: together they part a block into more than two.
    slack : float
        Overlap of blocks in CSS pixels that is forgiven (rounding, negative margins); such a separator has no width.
    layers : int
        So many blocks that lie over others (notices, menus) are set aside where nothing else parts a block.
    """

    distance: float = 10.0
    rule: float = 3.0
    background: float = 3.0
    font: float = 1.0
    smaller_above: float = 1.0
    same_text: float = 0.5
    alike: float = 0.25
    slack: float = 1.0
    layers: int = 3


class Rules:
    """The page's ``<hr>``, in order from top to bottom and from left to right.

    Parameters
    ----------
    box : float64 (rules, 4)
        ``[left, top, right, bottom]`` of each.
    """

    def __init__(self, box: FloatArray) -> None:
        self._ordered = tuple(box[np.argsort(box[:, axis], kind="stable")] for axis in (0, 1))
        self._starts = tuple(ordered[:, axis].copy() for axis, ordered in enumerate(self._ordered))

    def beginning_in(self, first: float, last: float, axis: int) -> FloatArray:
        """Return the boxes of those that begin between two places on an axis, 0 for x and 1 for y."""
        starts = self._starts[axis]
        return self._ordered[axis][np.searchsorted(starts, first) : np.searchsorted(starts, last, side="right")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A block of the pool: a node of the page, or a run of its siblings, with its box and its look at both ends.

    Attributes
    ----------
    node, end : int
        It covers the page's rows ``[node, end)``.
    doc : int
        Degree of coherence that the rules gave it.
    box : tuple of float
        ``(left, top, right, bottom)``.
    text : bool
        True for plain text blocks.
    background : int
    first_font, last_font : tuple of float
        Size and weight of the first and the last text in it.
    """

    node: int
    end: int
    doc: int
    box: tuple[float, float, float, float]
    text: bool
    background: int
    first_font: tuple[float, float]
    last_font: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stripe:
    """A separator: it lies between ``start`` and ``end`` on its axis, after the first ``place`` items in that order."""

    start: float
    end: float
    horizontal: bool
    weight: float
    place: int


def find_separators(items: Sequence[Item], rules: Rules, weights: Weights, *, horizontal: bool) -> list[Stripe]:
    """Find the stripes between items along one axis.

    VIPS starts from one separator as large as the page and lets each block split, shrink or delete it; what is left in
    the end, without the page's borders, is what no block covers. That is computed here at once, from the sorted
    blocks.

    Parameters
    ----------
    items : sequence of Item
    rules : Rules
    weights : Weights
    horizontal : bool
        True for stripes with items above and below.

    Returns
    -------
    list of Stripe
        From top to bottom, or from left to right.
    """
    axis = 1 if horizontal else 0
    order = in_order(items, horizontal=horizontal)
    stripes = []
    reach, before = -np.inf, order[0]
    for place, item in enumerate(order):
        start = item.box[axis]
        if place and start >= reach - weights.slack:
            weight = _weight(before, item, (min(reach, start), start), rules, weights, horizontal=horizontal)
            stripes.append(
                Stripe(start=min(reach, start), end=start, horizontal=horizontal, weight=weight, place=place)
            )
        if item.box[axis + 2] >= reach:
            reach, before = item.box[axis + 2], item
    return stripes


def in_order(items: Sequence[Item], *, horizontal: bool) -> list[Item]:
    """Sort items from top to bottom or from left to right, as the places of stripes count them."""
    axis = 1 if horizontal else 0
    # Stable sorts by one number each: no tuples to make, and blocks mostly are in order already.
    ordered = sorted(items, key=lambda item: item.node)
    ordered.sort(key=lambda item: item.box[axis + 2])
    ordered.sort(key=lambda item: item.box[axis])
    return ordered


def _weight(
    before: Item, after: Item, span: tuple[float, float], rules: Rules, weights: Weights, *, horizontal: bool
) -> float:
    weight = (span[1] - span[0]) / weights.distance
    if _ruled(before, after, span, rules, horizontal=horizontal):
        weight += weights.rule
    if before.background != after.background:
        weight += weights.background
    alike = before.last_font == after.first_font
    if horizontal and not alike:
        weight += weights.font
        if before.last_font[0] < after.first_font[0]:
            weight += weights.smaller_above
    if alike and before.text and after.text and before.background == after.background:
        weight *= weights.same_text
    return weight


def _ruled(before: Item, after: Item, span: tuple[float, float], rules: Rules, *, horizontal: bool) -> bool:
    """Return whether a rule lies in the stripe and beside the items on its two sides, not in another column."""
    axis, across = (1, 0) if horizontal else (0, 1)
    there = rules.beginning_in(span[0] - 1, span[1] + 1, axis)
    if not len(there):
        return False
    low = min(before.box[across], after.box[across])
    high = max(before.box[across + 2], after.box[across + 2])
    inside = there[:, axis + 2] <= span[1] + 1
    return bool((inside & (there[:, across] < high) & (there[:, across + 2] > low)).any())
