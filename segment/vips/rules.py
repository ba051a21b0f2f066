"""Rules R1 to R13 of VIPS for all nodes of a page at once (MSR-TR-2003-79, section 4.1, tables 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn
from .nodes import INLINE, OTHER, TABLE, TD, TR, Nodes, P
from .painted import CONTROLS

#: Rules by type of node (table 2 of the report); R1 to R3 apply to all. R11, before R13 for cells, depends on the
#: previous sibling and is decided during the traversal.
_TABLE = {
    INLINE: (4, 5, 6, 7, 9, 10, 12),
    TABLE: (8, 10, 13),
    TR: (7, 8, 10, 13),
    TD: (4, 9, 10, 13),
    P: (4, 5, 6, 7, 9, 10, 12),
    OTHER: (4, 6, 7, 9, 10, 12),
}
#: Ours: a painted box is a block of its own, as coherent as its content.
BOX = 14
#: Names of the rules; "leaf" is a text, picture or control, which no rule divides.
RULE_NAMES = {0: "leaf", **{number: f"R{number}" for number in range(1, 14)}, BOX: "box"}
#: Least coherence of a dialog, and roles of dialogs.
_DIALOG, _DIALOG_ROLES = 8, ("dialog", "alertdialog")
_COHERENT = frozenset(["p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Thresholds of the rules: the report (section 4.1) says "smaller than a threshold" and "by tag and size".

    All values are ours. Sizes are areas in squares of the line height of the block's own text: the result is
    independent of zoom, of the window, and of the rest of the page.
    """

    relative_size: float = 800.0  # size below which R9 and R10 keep a block whole
    #: (float, int): sizes in descending order, and the coherence of kept blocks from that size on; smaller ones have 8
    sizes: tuple[tuple[float, int], ...] = ((2500.0, 5), (800.0, 6), (400.0, 7))
    small: float = 50.0  # size below which a block between separators has a coherence of at least 8
    coherent: frozenset[str] = _COHERENT  # elements with one kind of content: one step more coherent, at most 8
    #: R7 divides if the children's areas exceed the node's by this factor; a little over 1 because of rounding
    excess: float = 1.001

    def __post_init__(self) -> None:
        if not self.relative_size >= 0:
            raise ValueError(f"relative_size must be at least 0, not {self.relative_size}")
        if not self.small >= 0:
            raise ValueError(f"small must be at least 0, not {self.small}")
        if not all(5 <= doc <= 8 for _, doc in self.sizes):
            raise ValueError(f"sizes must give coherences 5 to 8, not {self.sizes}")


def deciding_rules(nodes: Nodes, thresholds: Thresholds) -> NDArray[np.int8]:
    """Return the first applicable rule of each node inside a block, int8 (nodes,); 0 for texts and pictures."""
    conditions = _conditions(nodes, thresholds)
    rule = np.zeros(len(nodes.page), dtype=np.int8)
    for group, numbers in _TABLE.items():
        undecided = nodes.group == group
        for number in numbers:
            rule[undecided & conditions[number]] = number
            undecided &= ~conditions[number]
    children = nodes.summed(nodes.valid)
    rule[(children == 1) & (nodes.summed(nodes.text) == 0)] = 2
    rule[children == 0] = 1
    # Forms smaller than a page section are kept as R9 keeps small nodes.
    rule[nodes.painted.framed & (rule != 4)] = BOX
    form = nodes.page.has_tag("form") & nodes.holds_control & (nodes.size < thresholds.relative_size)
    rule[form & (children > 0)] = 9
    rule[nodes.text | nodes.painted.whole] = 0
    return rule


def _conditions(nodes: Nodes, thresholds: Thresholds) -> dict[int, BoolColumn]:
    page, small = nodes.page, thresholds.relative_size
    texty = nodes.summed(nodes.texty)
    largest = np.zeros(len(page))
    rows = np.flatnonzero(nodes.valid & (page.parent >= 0))
    np.maximum.at(largest, page.parent[rows], nodes.size[rows])
    always = np.ones(len(page), dtype=bool)
    return {
        4: texty == nodes.summed(nodes.valid),
        5: nodes.summed(page.block_level) > 0,
        6: nodes.summed(page.has_tag("hr")) > 0,
        7: nodes.summed(nodes.area) > nodes.area * thresholds.excess,
        8: nodes.summed(changes_background(nodes)) > 0,
        9: (texty > 0) & (nodes.size < small),
        # Ours: painted boxes of the same kind are as many blocks, however small they are.
        10: (largest < small) & (nodes.summed(nodes.painted.framed) < 2),
        12: always,
        13: always,
    }


def changes_background(nodes: Nodes) -> BoolColumn:
    """Return the elements with another background than their parent, bool (nodes,)."""
    above = nodes.page.parent
    ground = nodes.painted.ground
    other: BoolColumn = ~nodes.text & (above >= 0) & (ground != ground[above])
    return other


def coherences(nodes: Nodes, thresholds: Thresholds) -> NDArray[np.int8]:
    """Return the degree of coherence of each node if it is kept by another rule than R4, int8 (nodes,): 5 to 8."""
    doc = np.full(len(nodes.page), 8, dtype=np.int8)
    for least, coherence in sorted(thresholds.sizes):
        doc[nodes.size >= least] = coherence
    coherent = nodes.page.has_tag(*thresholds.coherent)
    return np.minimum(doc + coherent, 8).astype(np.int8)


def dialog_coherences(nodes: Nodes, thresholds: Thresholds) -> NDArray[np.int8]:
    """Return the least degree of coherence of each node as a dialog, int8 (nodes,): 0 if it is none.

    The text of a dialog and the buttons that answer it belong together. Dialogs are layers over the page with controls
    or links painted as buttons, and boxes that contain all of such a layer. Bars of links are none.
    """
    page, painted = nodes.page, nodes.painted
    dialog = np.zeros(len(page), dtype=bool)
    if painted.raised.any():
        buttons = nodes.valid & (page.has_tag(*CONTROLS) | (page.has_tag("a") & painted.framed))
        bar = page.count_within(page.has_tag("nav")) > 0
        named = page.has_tag("dialog") | page.attribute_matches("role", _DIALOG_ROLES.__contains__)
        bar |= (page.count_within(page.has_tag("header")) > 0) & (page.count_within(named) == 0)
        layer = page.nearest(painted.raised)
        leaves = nodes.shown_range[:, 1] - nodes.shown_range[:, 0]
        whole = painted.framed & (layer >= 0) & (leaves == leaves[layer])
        dialog = (painted.raised | whole) & (page.count_within(buttons) > 0) & ~bar
        dialog &= nodes.size < thresholds.relative_size
    return np.where(dialog, _DIALOG, 0).astype(np.int8)


def code_samples(nodes: Nodes) -> BoolColumn:
    """Return the nodes most of whose visible text is preformatted, bool (nodes,): code, with its name and buttons."""
    page = nodes.page
    length = np.where(nodes.shown, page.leaf_lengths, 0).astype(np.float64)
    in_code = page.sum_leaves(np.where(page.below(page.has_tag("pre"))[page.leaves], length, 0.0))
    code: BoolColumn = (in_code > 0) & (2 * in_code > page.sum_leaves(length))
    return code
