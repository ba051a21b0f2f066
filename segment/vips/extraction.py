"""Block extraction of VIPS: a DOM subtree divided into a pool of visual blocks (MSR-TR-2003-79, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import Enum
from typing import NamedTuple

import numpy as np

from ...page.geometry import Position
from ...page.page import Page
from .nodes import TD, nodes_of
from .rules import BOX, Thresholds, changes_background, coherences, deciding_rules
from .separators import Box, Item, PageRules

_DIVIDE = frozenset({2, 5, 6, 7, 8, 12})
_NO_SIBLING: bool | None = None
#: Tolerated overlap of siblings in line heights; most siblings in one row that are tested for overlaps.
_OVERLAP, _MOST_OPEN = 0.1, 100
#: Least coherence of a dialog.
_DIALOG = 8


class DivideAction(Enum):
    """Action of the rules on a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


class DivideDecision(NamedTuple):
    """Action on a node, deciding rule (0 for texts and pictures), and degree of coherence of a kept node."""

    action: DivideAction
    rule: int
    doc: int = 0


class Extractor:
    """Block extraction for one rendered page, with flat lists: they are fastest for single lookups."""

    def __init__(self, page: Page, thresholds: Thresholds | None = None) -> None:
        geometry = page.geometry
        assert geometry is not None
        thresholds = thresholds or Thresholds()
        self.page = page
        self.thresholds = thresholds
        self.nodes = nodes_of(page)
        painted = self.nodes.painted
        self.size = geometry.size
        self.rules = PageRules(painted.rules)
        self._children = self.nodes.children()
        self._rule: list[int] = deciding_rules(self.nodes, thresholds).tolist()
        self._doc: list[int] = coherences(self.nodes, thresholds).tolist()
        self._other_background: list[bool] = changes_background(self.nodes).tolist()
        self._cell: list[bool] = (self.nodes.group == TD).tolist()
        self._texty: list[bool] = self.nodes.texty.tolist()
        self._framed: list[bool] = painted.framed.tolist()
        self._whole: list[bool] = painted.whole.tolist()
        self._left, self._top, self._right, self._bottom = self.nodes.box.T.tolist()
        self._line: list[float] = self.nodes.line.tolist()
        self._look: list[int] = painted.look.tolist()
        only = self.nodes.flow & (self.nodes.summed(self.nodes.valid)[page.parent] == 1)
        outer = page.nearest(~only)  # the outermost element with the same content: lists repeat it, whatever is inside
        template = page.tag.astype(np.int64) * (len(page.strings) + 1) + page.attribute("class") + 1
        self._sibling_keys: list[tuple[int, int]] = list(
            zip(page.parent[outer].tolist(), template[outer].tolist(), strict=True)
        )
        in_code = page.below(page.has_tag("pre"))[page.leaves] & self.nodes.shown
        shown_leaves = page.sum_leaves(self.nodes.shown.astype(np.float64))
        self._code: list[bool] = (
            (shown_leaves > 0) & (page.sum_leaves(in_code.astype(np.float64)) == shown_leaves)
        ).tolist()
        self._end: list[int] = page.end.tolist()
        self._first, self._last = self.nodes.shown_range.T.tolist()
        self._changes: list[int] = self.nodes.font_changes.tolist()
        # A dialog belongs together: its text and the buttons that answer it. Bars of links are none.
        dialog = painted.raised & self.nodes.holds_control & (self.nodes.size < thresholds.relative_size)
        dialog &= page.count_within(page.has_tag("nav", "header")) == 0
        self._layer_doc: list[int] = np.where(dialog, _DIALOG, 0).tolist()
        positioned = (geometry.position == Position.ABSOLUTE) | painted.raised
        self._positioned: list[int] = page.nearest(positioned).tolist()
        self._paint: list[int] = geometry.paint_order.tolist()
        rows, fonts = self.nodes.shown_rows, dict[tuple[float, float], tuple[float, float]]()
        leaf_fonts = zip(geometry.font_size[rows].tolist(), geometry.font_weight[rows].tolist(), strict=True)
        #: Size and weight of each shown leaf; equal ones are one object: pages have few fonts and many leaves.
        self._font = [fonts.setdefault(look, look) for look in leaf_fonts]

    def layers(self) -> list[Item]:
        """Return the page, and each layer over it, as items; none if nothing is visible."""
        raised = np.flatnonzero(self.nodes.painted.raised & self.nodes.valid).tolist()
        return [self.item((row,), self._layer_doc[row]) for row in (0, *raised) if self.nodes.valid[row]]

    def divide(self, item: Item) -> list[Item]:
        """Return the pool of a block in document order, divided at its root (R3) and further down by the rules.

        Ours: an element that the rules divide is one block of this round, as coherent as its content, and divided as
        the root of its own round. What is around it then does not change the blocks inside. Elements that overlap a
        sibling are divided at once, since no separator is between them; so are elements with one child (R2).
        Paragraphs (R4), pictures and controls are never divided: the pool is empty.
        """
        pool: list[Item] = []
        if item.final:
            return pool
        kept: set[int] = set()
        # One iterator per level of the tree, and whether the previous sibling was divided.
        levels, sibling_divided = [self._runs(self._children[item.node])], [_NO_SIBLING]
        overlapping = self._overlapping(item.node)
        while levels:
            part = next(levels[-1], None)
            if part is None:
                levels.pop()
                sibling_divided.pop()
                continue
            action, rule, doc = self.decide(part, sibling_divided[-1], kept)
            sibling_divided[-1] = action is DivideAction.DIVIDE
            if action is DivideAction.DIVIDE and rule != 2 and part[0] not in overlapping:
                pool.append(self.item(part, 0, rule=rule))
            elif action is DivideAction.DIVIDE:
                overlapping |= self._overlapping(part[0])
                kept.update(self.kept_children(part[0]) if rule == 8 else ())
                levels.append(self._runs(self._children[part[0]]))
                sibling_divided.append(_NO_SIBLING)
            elif action is DivideAction.KEEP:
                pool.append(self.item(part, doc, rule=rule))
        return pool

    def decide(
        self, part: tuple[int, ...], sibling_divided: bool | None = None, kept: Set[int] = frozenset()
    ) -> DivideDecision:
        """Return the decision on a node, or a run of texts, that is not the root of its block.

        ``sibling_divided`` is None for a first child (R11); ``kept`` are nodes that R8 has kept whole.
        """
        node = part[0]
        if len(part) > 1:
            # A run is kept as R4 keeps a paragraph.
            return DivideDecision(DivideAction.KEEP, 4, self._text_doc(part))
        rule = self._rule[node]
        if node in kept and rule not in (0, 4, BOX):
            return DivideDecision(DivideAction.KEEP, 8, max(self._doc[node], 6))
        if rule == 13 and sibling_divided is False and self._cell[node]:
            rule = 11
        if rule == 1:
            return DivideDecision(DivideAction.CUT, rule)
        if rule in _DIVIDE:
            return DivideDecision(DivideAction.DIVIDE, rule)
        return DivideDecision(DivideAction.KEEP, rule, self._kept_doc(node, rule))

    def kept_children(self, node: int) -> tuple[int, ...]:
        """Return the children of another background, which R8 keeps whole for this round."""
        return tuple(child for child in self._children[node] if self._other_background[child])

    def item(self, part: tuple[int, ...], doc: int, *, rule: int = 3) -> Item:
        """Return a node, or a run of siblings, as a block of the pool."""
        node = part[0]
        first, last = self._first[node], self._last[part[-1]] - 1
        return Item(
            node=node,
            end=self._end[part[-1]],
            doc=doc,
            rule=rule,
            box=self._box(part),
            boxed=len(part) == 1 and (self._whole[node] or self._framed[node]),
            final=rule in (0, 4),
            code=len(part) == 1 and self._code[node],
            look=self._look[node],
            sibling_key=self._sibling_keys[node],
            positioned=self._positioned[node],
            paint=self._paint[node],
            first_font=self._font[first] if first <= last else None,
            last_font=self._font[last] if first <= last else None,
        )

    def _overlapping(self, node: int) -> set[int]:
        """Return the children of a node whose boxes overlap the box of a sibling that is positioned with them."""
        overlapping, open_boxes = set[int](), list[int]()
        if len(self._children[node]) < 2:
            return overlapping
        slack = _OVERLAP * self._line[node]
        for child in sorted(self._children[node], key=self._top.__getitem__):
            top, left, right = self._top[child] + slack, self._left[child] + slack, self._right[child] - slack
            open_boxes = [other for other in open_boxes[-_MOST_OPEN:] if self._bottom[other] > top]
            for other in open_boxes:
                adjacent = self._left[other] >= right or self._right[other] <= left
                if not adjacent and self._positioned[other] == self._positioned[child]:
                    overlapping.update((other, child))
            open_boxes.append(child)
        return overlapping

    def _runs(self, children: list[int]) -> Iterator[tuple[int, ...]]:
        """Yield children, with adjacent text and virtual text nodes joined.

        CSS lays out such a run as one anonymous block, which is visually a paragraph (R4 would keep it); the report's
        rules consider elements only and would split it.
        """
        run: list[int] = []
        for child in children:
            if self._texty[child]:
                run.append(child)
                continue
            if run:
                yield tuple(run)
                run = []
            yield (child,)
        if run:
            yield tuple(run)

    def _kept_doc(self, node: int, rule: int) -> int:
        """Return the degree of coherence from the rule; 0 if it is that of the content."""
        if rule in (0, BOX):
            return 10 if rule == 0 else 0
        return self._text_doc((node,)) if rule == 4 else self._doc[node]

    def _text_doc(self, part: tuple[int, ...]) -> int:
        first, last = self._first[part[0]], self._last[part[-1]] - 1
        return 10 if first > last or self._changes[first] == self._changes[last] else 9

    def _box(self, part: tuple[int, ...]) -> Box:
        if len(part) == 1:
            (node,) = part
            return self._left[node], self._top[node], self._right[node], self._bottom[node]
        return (
            min(self._left[node] for node in part),
            min(self._top[node] for node in part),
            max(self._right[node] for node in part),
            max(self._bottom[node] for node in part),
        )
