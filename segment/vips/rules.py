"""Rules R1 to R13 of VIPS for all nodes of a page at once (MSR-TR-2003-79, section 4.1, tables 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn
from .nodes import INLINE, OTHER, TABLE, TD, TR, Nodes, P

#: Which rules hold for which nodes (table 2 of the report), beside R1 to R3, which hold for all. R11 stands before R13
#: for cells; it asks for the sibling before, and so is left to whoever goes through the tree.
_TABLE = {
    INLINE: (4, 5, 6, 7, 9, 10, 12),
    TABLE: (8, 10, 13),
    TR: (7, 8, 10, 13),
    TD: (4, 9, 10, 13),
    P: (4, 5, 6, 7, 9, 10, 12),
    OTHER: (4, 6, 7, 9, 10, 12),
}
#: Ours, beside the report's: a painted box is a block of its own, as coherent as what it holds.
BOX = 14
#: What the rules are called; "leaf" is a text, picture or control, which no rule cuts.
RULE_NAMES = {0: "leaf", **{number: f"R{number}" for number in range(1, 14)}, BOX: "box"}
_COHERENT = frozenset(["p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What the rules leave open: the report (section 4.1) says "smaller than a threshold" and "by tag and size".

    All numbers are ours.

    Attributes
    ----------
    relative_size : float
        Share of the page's area below which R9 and R10 leave a block whole.
    sizes : tuple of (float, int)
        Shares of the page's area, falling, from which a block that stays whole has the coherence beside; what is
        smaller than all has 8.
    small : float
        Share of the page's area below which what lies between separators is as coherent as the smallest blocks that
        stay whole, 8 at least: people see one thing there.
    coherent : frozenset of str
        Elements that hold one thing by their nature: one step more coherent, 8 at most.
    excess : float
        R7 divides where the children's areas are so many times the node's; a little over 1 for rounding.
    """

    relative_size: float = 0.05
    sizes: tuple[tuple[float, int], ...] = ((0.3, 5), (0.1, 6), (0.05, 7))
    small: float = 0.025
    coherent: frozenset[str] = _COHERENT
    excess: float = 1.001

    def __post_init__(self) -> None:
        if not 0 <= self.relative_size <= 1:
            raise ValueError(f"relative_size must be 0 to 1, not {self.relative_size}")
        if not 0 <= self.small <= 1:
            raise ValueError(f"small must be 0 to 1, not {self.small}")
        if not all(5 <= doc <= 8 for _, doc in self.sizes):
            raise ValueError(f"sizes must give coherences 5 to 8, not {self.sizes}")


def deciding_rules(nodes: Nodes, thresholds: Thresholds) -> NDArray[np.int8]:
    """int8 (nodes,): the first rule that holds for each node that is no root of its block; 0 for texts and pictures."""
    cases = _conditions(nodes, thresholds)
    rule = np.zeros(len(nodes.page), dtype=np.int8)
    for group, numbers in _TABLE.items():
        undecided = nodes.group == group
        for number in numbers:
            rule[undecided & cases[number]] = number
            undecided &= ~cases[number]
    held = nodes.summed(nodes.valid)
    rule[(held == 1) & (nodes.summed(nodes.text) == 0)] = 2
    rule[held == 0] = 1
    # Forms that are no page of their own are kept as R9 keeps what is small.
    rule[nodes.painted.framed & (rule != 4)] = BOX
    form = nodes.page.has_tag("form") & nodes.holds_control & (nodes.share < thresholds.relative_size)
    rule[form & (held > 0)] = 9
    rule[nodes.text | nodes.painted.whole] = 0
    return rule


def _conditions(nodes: Nodes, thresholds: Thresholds) -> dict[int, BoolColumn]:
    """Say for each rule of the table for which nodes its condition holds."""
    page, small = nodes.page, thresholds.relative_size
    texty = nodes.summed(nodes.texty)
    largest = np.zeros(len(page))
    rows = np.flatnonzero(nodes.valid & (page.parent >= 0))
    np.maximum.at(largest, page.parent[rows], nodes.share[rows])
    always = np.ones(len(page), dtype=bool)
    return {
        4: texty == nodes.summed(nodes.valid),
        5: nodes.summed(page.block_level) > 0,
        6: nodes.summed(page.has_tag("hr")) > 0,
        7: nodes.summed(nodes.area) > nodes.area * thresholds.excess,
        8: nodes.summed(changes_background(nodes)) > 0,
        9: (texty > 0) & (nodes.share < small),
        10: largest < small,
        12: always,
        13: always,
    }


def changes_background(nodes: Nodes) -> BoolColumn:
    """bool (nodes,): elements that stand on another background than their parent."""
    above = nodes.page.parent
    ground = nodes.painted.ground
    other: BoolColumn = ~nodes.text & (above >= 0) & (ground != ground[above])
    return other


def coherences(nodes: Nodes, thresholds: Thresholds) -> NDArray[np.int8]:
    """int8 (nodes,): degree of coherence of each node, if it stays whole by another rule than R4: 5 to 8."""
    doc = np.full(len(nodes.page), 8, dtype=np.int8)
    for least, coherence in sorted(thresholds.sizes):
        doc[nodes.share >= least] = coherence
    coherent = nodes.page.has_tag(*thresholds.coherent)
    return np.minimum(doc + coherent, 8).astype(np.int8)
