"""Block extraction of VIPS: a DOM subtree cut into a pool of visual blocks (MSR-TR-2003-79, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ...page.page import Page, Position
from .nodes import TD, nodes_of
from .rules import BOX, Thresholds, changes_background, coherences, deciding_rules
from .separators import Box, Item, PageRules

_CUT = frozenset({1})
_DIVIDE = frozenset({2, 5, 6, 7, 8, 12})
#: There is no sibling before.
_FIRST: bool | None = None


class DivideAction(Enum):
    """What the rules do with a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class DivideDecision:
    """A node's fate, the rule that decided it (0 for texts and pictures), and, for a kept one, its degree of coherence.

    ``kept`` are the children that rule R8 keeps whole for this round.
    """

    fate: DivideAction
    rule: int
    doc: int = 0
    kept: tuple[int, ...] = ()


class Extractor:
    """Block extraction over one rendered page.

    What does not depend on the way through the tree is decided for all nodes at once; the columns are kept as flat
    lists, which single look-ups are quickest in.

    Parameters
    ----------
    page : Page
        With geometry.
    thresholds : Thresholds, optional
    """

    def __init__(self, page: Page, thresholds: Thresholds | None = None) -> None:
        geometry = page.geometry
        assert geometry is not None
        thresholds = thresholds or Thresholds()
        self.page = page
        self.nodes = nodes_of(page)
        painted = self.nodes.painted
        self.unit = painted.unit
        self.size = geometry.size
        self.rules = PageRules(painted.rules)
        self._children = self.nodes.children()
        self._rule: list[int] = deciding_rules(self.nodes, thresholds).tolist()
        self._doc: list[int] = coherences(self.nodes, thresholds).tolist()
        self._other_ground: list[bool] = changes_background(self.nodes).tolist()
        self._cell: list[bool] = (self.nodes.group == TD).tolist()
        self._texty: list[bool] = self.nodes.texty.tolist()
        self._framed: list[bool] = painted.framed.tolist()
        self._whole: list[bool] = painted.whole.tolist()
        self._left, self._top, self._right, self._bottom = self.nodes.box.T.tolist()
        self._look: list[int] = painted.look.tolist()
        make = page.tag.astype(np.int64) * (len(page.strings) + 1) + page.attribute("class") + 1
        self._kin: list[tuple[int, int]] = list(zip(page.parent.tolist(), make.tolist(), strict=True))
        self._end: list[int] = page.end.tolist()
        self._first, self._last = self.nodes.shown_range.T.tolist()
        self._changes: list[int] = self.nodes.font_changes.tolist()
        free = (geometry.position == Position.ABSOLUTE) | painted.raised
        self._lifted: list[int] = page.nearest(free).tolist()
        self._paint: list[int] = geometry.paint_order.tolist()
        rows, fonts = self.nodes.shown_rows, dict[tuple[float, float], tuple[float, float]]()
        looks = zip(geometry.font_size[rows].tolist(), geometry.font_weight[rows].tolist(), strict=True)
        #: Size and weight of each shown leaf; equal ones are one object, as pages have few fonts and many leaves.
        self._font = [fonts.setdefault(look, look) for look in looks]

    def layers(self) -> list[Item]:
        """Return the page, and each layer over it, as an item; none when there is nothing to see."""
        raised = np.flatnonzero(self.nodes.painted.raised & self.nodes.valid).tolist()
        return [self.item((row,), 0) for row in (0, *raised) if self.nodes.valid[row]]

    def divide(self, item: Item) -> list[Item]:
        """Cut a block at its root (R3) and go down as far as the rules say; give the pool in document order.

        Paragraphs (R4), pictures and controls are never cut: the pool is empty.
        """
        pool: list[Item] = []
        if item.final:
            return pool
        kept: set[int] = set()
        # One iterator a level of the tree, and whether the sibling before was divided.
        levels, before = [self._runs(self._children[item.node])], [_FIRST]
        while levels:
            part = next(levels[-1], None)
            if part is None:
                levels.pop()
                before.pop()
                continue
            node = part[0]
            rule, doc, before[-1] = self._decided(part, before[-1], kept)
            if before[-1]:
                kept.update(self._kept(node) if rule == 8 else ())
                levels.append(self._runs(self._children[node]))
                before.append(_FIRST)
            elif rule not in _CUT:
                pool.append(self.item(part, doc, rule=rule))
        return pool

    def _decided(self, part: tuple[int, ...], before: bool | None, kept: set[int]) -> tuple[int, int, bool]:
        """Return the rule that decides a part, its degree of coherence, and whether it is divided."""
        node = part[0]
        if len(part) > 1:
            # A run is kept as R4 keeps a paragraph.
            return 4, self._text_doc(part), False
        if node in kept and self._rule[node] not in (0, 4, BOX):
            return 8, max(self._doc[node], 6), False
        rule = self._deciding(node, before)
        return rule, self._kept_doc(node, rule), rule in _DIVIDE

    def judge(self, node: int, sibling_divided: bool | None = None) -> DivideDecision:
        """Apply the rules to one node that is not the root of its block.

        Parameters
        ----------
        node : int
        sibling_divided : bool or None
            Whether the sibling before was divided; None where there is none (R11).
        """
        rule = self._deciding(node, sibling_divided)
        if rule in _CUT:
            return DivideDecision(fate=DivideAction.CUT, rule=rule)
        if rule in _DIVIDE:
            return DivideDecision(fate=DivideAction.DIVIDE, rule=rule, kept=self._kept(node) if rule == 8 else ())
        return DivideDecision(fate=DivideAction.KEEP, rule=rule, doc=self._kept_doc(node, rule))

    def item(self, part: tuple[int, ...], doc: int, *, rule: int = 3) -> Item:
        """Describe a node, or a run of siblings, as a block of the pool."""
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
            look=self._look[node],
            kin=self._kin[node],
            lifted=self._lifted[node],
            paint=self._paint[node],
            first_font=self._font[first] if first <= last else None,
            last_font=self._font[last] if first <= last else None,
        )

    def _runs(self, children: list[int]) -> Iterator[tuple[int, ...]]:
        """Join text and virtual text nodes that stand side by side.

        CSS lays such a run out as one anonymous block, which a person sees as a paragraph (R4 would keep it); the
        report's rules look at elements only and would take it to pieces.
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

    def _deciding(self, node: int, sibling_divided: bool | None) -> int:
        rule = self._rule[node]
        return 11 if rule == 13 and sibling_divided is False and self._cell[node] else rule

    def _kept(self, node: int) -> tuple[int, ...]:
        return tuple(child for child in self._children[node] if self._other_ground[child])

    def _kept_doc(self, node: int, rule: int) -> int:
        """Degree of coherence that the rule gives; 0 where what is inside tells."""
        if rule in (0, BOX):
            return 10 if rule == 0 else 0
        return self._text_doc((node,)) if rule == 4 else self._doc[node]

    def _text_doc(self, part: tuple[int, ...]) -> int:
        """10 for text of one font size and weight throughout, else 9."""
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
