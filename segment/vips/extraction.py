"""Block extraction of VIPS: a DOM subtree divided into a pool of visual blocks (MSR-TR-2003-79, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from enum import Enum
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatColumn, IntColumn
from ...page.geometry import Position
from ...page.page import Page
from ..lines import running_maximum
from .nodes import TD, Nodes, nodes_of
from .rules import BOX, Thresholds, changes_background, code_samples, coherences, deciding_rules, dialog_coherences
from .separators import Item, PageRules, bounding_box

_DIVIDE = frozenset({2, 5, 6, 7, 8, 12})
#: Rules that keep what is never divided: texts, pictures, controls.
_FINAL = (0, 4)
_NO_SIBLING: bool | None = None
_TOP = attrgetter("top")
#: Tolerated overlap of siblings in line heights; most siblings in one row that are tested for overlaps.
_OVERLAP, _MOST_OPEN = 0.1, 100


class DivideAction(Enum):
    """Action of the rules on a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


class DivideDecision(NamedTuple):
    """Action on a node, deciding rule (0 for texts and pictures), and degree of coherence of a kept node, else 0."""

    action: DivideAction
    rule: int
    doc: int


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
        self._child, self._first_child = self.nodes.children()
        rule, kept_doc = deciding_rules(self.nodes, thresholds), coherences(self.nodes, thresholds)
        layer_doc, code = dialog_coherences(self.nodes, thresholds), code_samples(self.nodes)
        box_doc = np.where(code, np.int8(8), layer_doc)
        self._doc: list[int] = kept_doc.tolist()
        self._layer_doc: list[int] = layer_doc.tolist()
        doc = _coherences_of(self.nodes, rule, np.where(rule == BOX, box_doc, kept_doc))
        self._decision = _decisions(rule, doc)
        self._may_overlap: list[bool] = _may_overlap(self.nodes).tolist()
        self._other_background: list[bool] = changes_background(self.nodes).tolist()
        self._cell: list[bool] = (self.nodes.group == TD).tolist()
        joined = _joined(self.nodes, self._child)
        self._joined: list[bool] = joined.tolist()
        self._with_runs = set(self.nodes.page.parent[np.asarray(self._child, dtype=np.int64)[joined]].tolist())
        self.line: list[float] = self.nodes.line.tolist()
        self._first, self._last = self.nodes.shown_range.T.tolist()
        self._changes: list[int] = self.nodes.font_changes.tolist()
        self._item = _items(self.nodes, rule, doc, code)

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
        levels, sibling_divided = [iter(self._parts_of(item.node))], [_NO_SIBLING]
        overlapping = self._overlapping(item.node)
        while levels:
            part = next(levels[-1], None)
            if part is None:
                levels.pop()
                sibling_divided.pop()
                continue
            action, rule, doc = self.decide(part, sibling_divided[-1], kept)
            divided = sibling_divided[-1] = action is DivideAction.DIVIDE
            if divided and (rule == 2 or part[0] in overlapping):
                overlapping |= self._overlapping(part[0])
                kept.update(self.kept_children(part[0]) if rule == 8 else ())
                levels.append(iter(self._parts_of(part[0])))
                sibling_divided.append(_NO_SIBLING)
            elif action is not DivideAction.CUT:
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
        decision = self._decision[node]
        if kept and node in kept and decision.rule not in (0, 4, BOX):
            return DivideDecision(DivideAction.KEEP, 8, max(self._doc[node], 6))
        if decision.rule == 13 and sibling_divided is False and self._cell[node]:
            return decision._replace(rule=11)
        return decision

    def kept_children(self, node: int) -> tuple[int, ...]:
        """Return the children of another background, which R8 keeps whole for this round."""
        return tuple(child for child in self._children(node) if self._other_background[child])

    def item(self, part: tuple[int, ...], doc: int, *, rule: int = 3) -> Item:
        """Return a node, or a run of siblings, as a block of the pool."""
        item = self._item[part[0]]
        if len(part) > 1:
            return _run([self._item[node] for node in part], doc, rule)
        if item.doc == doc and item.rule == rule:
            return item
        return item._replace(doc=doc, rule=rule, final=rule in _FINAL)

    def _overlapping(self, node: int) -> set[int]:
        """Return the children of a node whose boxes overlap the box of a sibling that is positioned with them."""
        overlapping = set[int]()
        if not self._may_overlap[node]:
            return overlapping
        open_boxes = list[Item]()
        slack = _OVERLAP * self.line[node]
        for child in sorted((self._item[child] for child in self._children(node)), key=_TOP):
            top, left, right = child.top + slack, child.left + slack, child.right - slack
            open_boxes = [other for other in open_boxes[-_MOST_OPEN:] if other.bottom > top]
            for other in open_boxes:
                adjacent = other.left >= right or other.right <= left
                if not adjacent and other.positioned == child.positioned:
                    overlapping.update((other.node, child.node))
            open_boxes.append(child)
        return overlapping

    def _children(self, node: int) -> list[int]:
        return self._child[self._first_child[node] : self._first_child[node + 1]]

    def _parts_of(self, node: int) -> list[tuple[int, ...]]:
        """Return the children of a node, with adjacent text and virtual text nodes joined.

        CSS lays out such a run as one anonymous block, which is visually a paragraph (R4 would keep it); the report's
        rules consider elements only and would split it.
        """
        children = self._children(node)
        if node not in self._with_runs:
            alone: list[tuple[int, ...]] = list(zip(children))
            return alone
        joined = self._joined[self._first_child[node] : self._first_child[node + 1]]
        bounds = [*(place for place, inside in enumerate(joined) if not inside), len(children)]
        return [tuple(children[first:last]) for first, last in pairwise(bounds)]

    def _text_doc(self, part: tuple[int, ...]) -> int:
        first, last = self._first[part[0]], self._last[part[-1]] - 1
        return 10 if first > last or self._changes[first] == self._changes[last] else 9


def _coherences_of(nodes: Nodes, rule: NDArray[np.int8], kept_doc: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the degree of coherence of each node by its rule, int8 (nodes,); 0 for divided ones."""
    first, last = nodes.shown_range.T
    last = np.maximum(last - 1, first)
    changes = np.append(nodes.font_changes, 0)
    text_doc = np.where(
        changes[np.minimum(first, len(changes) - 1)] == changes[np.minimum(last, len(changes) - 1)], 10, 9
    )
    doc = np.select([rule == 0, rule == 4, np.isin(rule, (1, *_DIVIDE))], [10, text_doc, 0], kept_doc)
    return doc.astype(np.int8)


def _decisions(rule: NDArray[np.int8], doc: NDArray[np.int8]) -> list[DivideDecision]:
    """Return the decision on each node that is alone in its part, from its rule and coherence."""
    action = [DivideAction.DIVIDE if number in _DIVIDE else DivideAction.KEEP for number in range(BOX + 1)]
    action[1] = DivideAction.CUT
    return [
        DivideDecision(action[number], number, coherence)
        for number, coherence in zip(rule.tolist(), doc.tolist(), strict=True)
    ]


def _items(nodes: Nodes, rule: NDArray[np.int8], doc: NDArray[np.int8], code: BoolColumn) -> dict[int, Item]:
    """Return each visible node that is not inside a text or picture as a block of the pool, by its deciding rule."""
    page, geometry, painted = nodes.page, nodes.page.geometry, nodes.painted
    assert geometry is not None
    # The page and layers over it are divided, whatever decides them.
    whole = nodes.valid & np.isin(rule, _FINAL) & (page.parent >= 0)
    inside = page.below(whole)[page.parent] & (page.parent >= 0) & ~page.below(painted.raised)
    rows = np.flatnonzero(nodes.valid & ~inside)
    only = nodes.flow & (nodes.summed(nodes.valid)[page.parent] == 1)
    # The outermost element with the same content: lists repeat it, whatever is inside.
    outer = page.nearest(~only)[rows]
    template = page.tag.astype(np.int64) * (len(page.strings) + 1) + page.attribute("class") + 1
    positioned = (geometry.position == Position.ABSOLUTE) | painted.raised
    first, last = nodes.shown_range[rows].T
    # Size and weight of each shown leaf; equal ones are one object: pages have few fonts and many leaves.
    fonts = [*_fonts(geometry.font_size[nodes.shown_rows], geometry.font_weight[nodes.shown_rows]), None]
    return dict(
        zip(
            rows.tolist(),
            map(
                Item,
                *nodes.box[rows].T.tolist(),
                rows.tolist(),
                page.end[rows].tolist(),
                doc[rows].tolist(),
                rule[rows].tolist(),
                (painted.whole | painted.framed)[rows].tolist(),
                np.isin(rule[rows], _FINAL).tolist(),
                code[rows].tolist(),
                painted.look[rows].tolist(),
                page.parent[outer].tolist(),
                template[outer].tolist(),
                _classes(page, outer),
                page.nearest(positioned)[rows].tolist(),
                geometry.paint_order[rows].tolist(),
                map(fonts.__getitem__, np.where(first < last, first, -1).tolist()),
                map(fonts.__getitem__, np.where(first < last, last - 1, -1).tolist()),
            ),
            strict=True,
        )
    )


def _run(items: Sequence[Item], doc: int, rule: int) -> Item:
    """Return a run of siblings as one block."""
    left, top, right, bottom = bounding_box(items)
    return items[0]._replace(
        left=left,
        top=top,
        right=right,
        bottom=bottom,
        end=items[-1].end,
        doc=doc,
        rule=rule,
        boxed=False,
        final=rule in _FINAL,
        code=False,
        first_font=next((item.first_font for item in items if item.first_font), None),
        last_font=next((item.last_font for item in reversed(items) if item.last_font), None),
    )


def _joined(nodes: Nodes, child: list[int]) -> BoolColumn:
    """Return which of the children of all nodes, by parent, are text or virtual text next to the one before."""
    rows = np.asarray(child, dtype=np.int64)
    parent, texty = nodes.page.parent[rows], nodes.texty[rows]
    joined = np.zeros(len(rows), dtype=bool)
    joined[1:] = texty[1:] & texty[:-1] & (parent[1:] == parent[:-1])
    return joined


def _classes(page: Page, node: IntColumn) -> list[frozenset[str]]:
    """Return the classes of each given node, each after its tag; equal sets are one object."""
    names, none = page.attribute("class"), frozenset[str]()
    sets = dict[tuple[int, int], frozenset[str]]()
    found = [none] * len(node)
    rows = np.flatnonzero(names[node] >= 0)
    for row, tag, name in zip(rows.tolist(), page.tag[node[rows]].tolist(), names[node[rows]].tolist(), strict=True):
        classes = sets.get((tag, name))
        if classes is None:
            classes = sets[tag, name] = frozenset(f"{page.names[tag]}.{one}" for one in page.strings[name].split())
        found[row] = classes
    return found


def _fonts(size: FloatColumn, weight: NDArray[np.int16]) -> list[tuple[float, float]]:
    """Return the size and weight of each leaf as a tuple; equal ones are one object."""
    key = size.astype(np.float32).view(np.int32).astype(np.int64) << 16 | weight.view(np.uint16)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    fonts = list(zip(size[first].tolist(), weight[first].tolist(), strict=True))
    return [fonts[font] for font in number.tolist()]


def _may_overlap(nodes: Nodes) -> BoolColumn:
    """Return the nodes with children that overlap some sibling in x and some in y, bool (nodes,): few do both."""
    rows = np.flatnonzero(nodes.flow)
    overlapping = np.full(len(nodes.page), len(rows) > 1)
    for axis in (0, 1) if len(rows) > 1 else ():
        start, end = nodes.box[rows, axis], nodes.box[rows, axis + 2]
        order = np.lexsort((start, nodes.page.parent[rows]))
        parent = nodes.page.parent[rows[order]]
        group = np.cumsum(np.diff(parent, prepend=-1) != 0)
        # The running maximum is of sums with multiples of the group's number, and as exact as these.
        rounding = 2 * np.spacing((float(np.ptp(end)) + 1.0) * len(rows))
        near = (parent[1:] == parent[:-1]) & (start[order][1:] < running_maximum(end[order], group)[:-1] + rounding)
        overlapping &= np.bincount(parent[1:][near], minlength=len(nodes.page)) > 0
    return overlapping
