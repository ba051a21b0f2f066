"""The rules by which VIPS cuts a DOM subtree into visual blocks (MSR-TR-2003-79, section 4.1, tables 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ..render.page import TEXT, Hidden, Page
from .separators import Item

FloatArray = NDArray[np.float64]

#: Which rules hold for which nodes (table 2 of the report), beside R1 to R3, which hold for all.
_TABLE = {
    "inline": (4, 5, 6, 7, 9, 10, 12),
    "table": (8, 10, 13),
    "tr": (7, 8, 10, 13),
    "td": (4, 9, 10, 11, 13),
    "p": (4, 5, 6, 7, 9, 10, 12),
    "other": (4, 6, 7, 9, 10, 12),
}
#: Elements that show something although they hold no text.
_REPLACED = (
    "img",
    "video",
    "canvas",
    "svg",
    "object",
    "embed",
    "iframe",
    "hr",
    "input",
    "textarea",
    "select",
    "button",
)
#: Shares of the page's area from which a block that stays whole has coherence 5, 6, 7; smaller ones have 8. The report
#: says "by tag and size" and gives no numbers.
_SIZES = ((0.3, 5), (0.1, 6), (0.02, 7))
#: Elements that hold one thing by their nature are one step more coherent.
_COHERENT = frozenset(["p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"])
#: Painted backgrounds with less alpha than this are seen through.
_OPAQUE = 0x80


class Fate(Enum):
    """What the rules do with a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A node's fate, the rule that decided it, and, for a kept one, its degree of coherence.

    ``kept_child`` is the child that rule R8 keeps whole for this round.
    """

    fate: Fate
    rule: int
    doc: int = 0
    kept_child: int = -1


class Extractor:
    """Block extraction over one rendered page.

    Parameters
    ----------
    page : Page
        With geometry.
    relative_size : float
        The threshold of R9 and R10, a share of the page's area.
    """

    def __init__(self, page: Page, relative_size: float) -> None:
        geometry = page.geometry
        assert geometry is not None
        self.page = page
        self.relative_size = relative_size
        self.page_area = max(geometry.size[0] * geometry.size[1], 1.0)
        self.geometry = geometry
        self.is_text = page.has_tag(TEXT)
        self.block_level = page.block_level.tolist()
        self.extent = self._extents()
        self.valid = np.isfinite(self.extent[:, 0])
        self.children: list[list[int]] = [[] for _ in range(len(page))]
        for row in np.flatnonzero(self.valid & (page.parent >= 0)).tolist():
            self.children[page.parent[row]].append(row)
        self.virtual = self._virtual()
        shown = page.leaves[page.hidden == Hidden.VISIBLE]
        self._shown = shown
        self.background = self._backgrounds()
        box = geometry.box[page.has_tag("hr")].astype(np.float64)
        box = box[np.isfinite(box[:, 0])]
        self.rules = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
        self._tags = [page.names[code] for code in page.tag.tolist()]

    def root(self) -> Item | None:
        """Give the whole page as an item, None when there is nothing to see."""
        return self.item(0, 1, text=False) if len(self.page) and self.valid[0] and len(self._shown) else None

    def divide(self, item: Item) -> list[Item]:
        """Cut a block at its root (R3) and go down as far as the rules say; give the pool in document order."""
        pool: list[Item] = []
        divided: dict[int, bool] = {}
        pending = [(child, item.node) for child in reversed(self.children[item.node])]
        kept: set[int] = set()
        while pending:
            node, parent = pending.pop()
            verdict = Verdict(fate=Fate.KEEP, rule=8, doc=max(self.doc(node), 6)) if node in kept else None
            verdict = verdict or self.judge(node, divided.get(self._before(node, parent)))
            divided[node] = verdict.fate is Fate.DIVIDE
            if verdict.fate is Fate.DIVIDE:
                if verdict.kept_child >= 0:
                    kept.add(verdict.kept_child)
                pending += [(child, node) for child in reversed(self.children[node])]
            elif verdict.fate is Fate.KEEP and self._has_text(node):
                pool.append(self.item(node, verdict.doc, text=verdict.rule in (0, 4)))
        return pool

    def judge(self, node: int, sibling_divided: bool | None = None) -> Verdict:
        """Apply the rules to one node that is not the root of its block.

        Parameters
        ----------
        node : int
        sibling_divided : bool or None
            Whether the sibling before was divided; None where there is none (R11).
        """
        if self.is_text[node]:
            return Verdict(fate=Fate.KEEP, rule=0, doc=10)
        children = self.children[node]
        if not children:
            return Verdict(fate=Fate.CUT, rule=1)
        if len(children) == 1 and not self.is_text[children[0]]:
            return Verdict(fate=Fate.DIVIDE, rule=2)
        for rule in _TABLE[self._group(node)]:
            verdict = self._apply(rule, node, children, sibling_divided)
            if verdict is not None:
                return verdict
        raise AssertionError("the last rule of every row of the table decides")

    def _apply(  # noqa: PLR0911 - one line a rule, as in the report's table
        self, rule: int, node: int, children: list[int], sibling_divided: bool | None
    ) -> Verdict | None:
        if rule == 4 and all(self._texty(child) for child in children):
            return Verdict(fate=Fate.KEEP, rule=4, doc=10 if self._one_font(node) else 9)
        if rule == 5 and any(self.block_level[child] for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=5)
        if rule == 6 and any(self._tags[child] == "hr" for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=6)
        if rule == 7 and sum(self.area(child) for child in children) > self.area(node) * 1.001:
            return Verdict(fate=Fate.DIVIDE, rule=7)
        if rule == 8:
            other = [child for child in children if self.background[child] != self.background[node]]
            return Verdict(fate=Fate.DIVIDE, rule=8, kept_child=other[0]) if other else None
        if rule == 9 and any(self._texty(child) for child in children) and self._share(node) < self.relative_size:
            return Verdict(fate=Fate.KEEP, rule=9, doc=self.doc(node))
        if rule == 10 and max(self._share(child) for child in children) < self.relative_size:
            return Verdict(fate=Fate.KEEP, rule=10, doc=self.doc(node))
        if rule == 11 and sibling_divided is False:
            return Verdict(fate=Fate.KEEP, rule=11, doc=self.doc(node))
        if rule == 12:
            return Verdict(fate=Fate.DIVIDE, rule=12)
        return Verdict(fate=Fate.KEEP, rule=13, doc=self.doc(node)) if rule == 13 else None

    def doc(self, node: int) -> int:
        """Degree of coherence of a node that stays whole: 5 to 8, by size and tag."""
        share = self._share(node)
        by_size = next((doc for least, doc in _SIZES if share >= least), 8)
        return min(by_size + (self._tags[node] in _COHERENT), 8)

    def item(self, node: int, doc: int, *, text: bool) -> Item:
        """Describe a node as a block of the pool."""
        left, top, right, bottom = self.extent[node].tolist()
        first, last = self._ends(node)
        return Item(
            node=node,
            doc=doc,
            box=(left, top, right, bottom),
            text=text,
            background=int(self.background[node]),
            first_font=self._font(first),
            last_font=self._font(last),
        )

    def area(self, node: int) -> float:
        """Area of what is seen of a node, in square CSS pixels."""
        left, top, right, bottom = self.extent[node].tolist()
        return float((right - left) * (bottom - top))

    def _share(self, node: int) -> float:
        return self.area(node) / self.page_area

    def _group(self, node: int) -> str:
        tag = self._tags[node]
        if not self.block_level[node]:
            return "inline"
        return "td" if tag == "th" else tag if tag in _TABLE else "other"

    def _before(self, node: int, parent: int) -> int:
        siblings = self.children[parent]
        place = siblings.index(node) if len(siblings) < 64 else int(np.searchsorted(siblings, node))
        return siblings[place - 1] if place else -1

    def _texty(self, node: int) -> bool:
        return bool(self.is_text[node] or self.virtual[node])

    def _has_text(self, node: int) -> bool:
        first, last = np.searchsorted(self._shown, [node, self.page.end[node]])
        return bool(last > first)

    def _ends(self, node: int) -> tuple[int, int]:
        """First and last visible text leaf below a node."""
        first, last = np.searchsorted(self._shown, [node, self.page.end[node]])
        return int(self._shown[first]), int(self._shown[last - 1])

    def _font(self, leaf: int) -> tuple[float, float]:
        return float(self.geometry.font_size[leaf]), float(self.geometry.font_weight[leaf])

    def _one_font(self, node: int) -> bool:
        first, last = np.searchsorted(self._shown, [node, self.page.end[node]])
        rows = self._shown[first:last]
        return len(set(zip(self.geometry.font_size[rows], self.geometry.font_weight[rows], strict=True))) <= 1

    def _extents(self) -> FloatArray:
        """float64 (nodes, 4): ``[left, top, right, bottom]`` of what is seen of each node, NaN where nothing is.

        The lines of visible text, pictures and other replaced elements, and boxes painted in a colour of their own;
        bare boxes are as large as what they hold, since a person does not see their padding.
        """
        page, geometry = self.page, self.geometry
        extent = np.full((len(page), 4), np.nan)
        shown = np.zeros(len(page), dtype=bool)
        shown[page.leaves[page.hidden == Hidden.VISIBLE]] = True
        lines = shown[geometry.line_node]
        rows, box = geometry.line_node[lines], geometry.line_box[lines].astype(np.float64)
        low, high = np.full((len(page), 2), np.inf), np.full((len(page), 2), -np.inf)
        np.minimum.at(low, rows, box[:, :2])
        np.maximum.at(high, rows, box[:, :2] + box[:, 2:])
        own = geometry.box.astype(np.float64)
        sized = np.isfinite(own[:, 0]) & (own[:, 2] > 0) & (own[:, 3] > 0) & ~geometry.invisible
        painted = sized & self._painted()
        solid = (sized & page.has_tag(*_REPLACED)) | painted
        low[solid], high[solid] = own[solid, :2], own[solid, :2] + own[solid, 2:]
        lows, highs, parents = low.tolist(), high.tolist(), page.parent.tolist()
        for row in range(len(page) - 1, 0, -1):
            above = parents[row]
            if above >= 0 and lows[row][0] < np.inf:
                for axis in (0, 1):
                    lows[above][axis] = min(lows[above][axis], lows[row][axis])
                    highs[above][axis] = max(highs[above][axis], highs[row][axis])
        found = np.concatenate([np.asarray(lows).reshape(-1, 2), np.asarray(highs).reshape(-1, 2)], axis=1)
        extent[np.isfinite(found[:, 0])] = found[np.isfinite(found[:, 0])]
        return extent

    def _painted(self) -> NDArray[np.bool_]:
        """Elements with a background that differs from what they stand on."""
        page, background = self.page, self.geometry.background
        opaque = (background & 0xFF) >= _OPAQUE
        standing = page.nearest(opaque)
        below = np.where(page.parent >= 0, standing[page.parent], -1)
        ground = np.where(below >= 0, background[below], np.uint32(0xFFFFFFFF))
        painted: NDArray[np.bool_] = opaque & (background != ground) & ~page.has_tag("html", "body")
        return painted

    def _virtual(self) -> list[bool]:
        """Inline elements all of whose valid children are text or virtual text nodes."""
        virtual = [False] * len(self.page)
        for row in range(len(self.page) - 1, -1, -1):
            children = self.children[row]
            if children and not self.block_level[row]:
                virtual[row] = all(self.is_text[child] or virtual[child] for child in children)
        return virtual

    def _backgrounds(self) -> NDArray[np.uint32]:
        """uint32 (nodes,): the background that each node stands on or paints; white where nobody paints."""
        background = self.geometry.background
        standing = self.page.nearest((background & 0xFF) >= _OPAQUE)
        return np.where(standing >= 0, background[standing], np.uint32(0xFFFFFFFF))
