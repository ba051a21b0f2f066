"""The rules by which VIPS cuts a DOM subtree into visual blocks (MSR-TR-2003-79, section 4.1, tables 1 and 2)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..render.page import TEXT, Page
from .extents import extents, grounds, seen_lines
from .separators import Item

#: Which rules hold for which nodes (table 2 of the report), beside R1 to R3, which hold for all.
_TABLE = {
    "inline": (4, 5, 6, 7, 9, 10, 12),
    "table": (8, 10, 13),
    "tr": (7, 8, 10, 13),
    "td": (4, 9, 10, 11, 13),
    "p": (4, 5, 6, 7, 9, 10, 12),
    "other": (4, 6, 7, 9, 10, 12),
}
#: Shares of the page's area from which a block that stays whole has coherence 5, 6, 7; smaller ones have 8. The report
#: says "by tag and size" and gives no numbers.
_SIZES = ((0.3, 5), (0.1, 6), (0.02, 7))
#: Elements that hold one thing by their nature are one step more coherent.
_COHERENT = frozenset(["p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"])
#: Computed values of ``display`` that make a node a table, row or cell to a person's eye, whatever its tag.
_TABLE_LOOKS = {"table": "table", "inline-table": "table", "table-row": "tr", "table-cell": "td"}


class Fate(Enum):
    """What the rules do with a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A node's fate, the rule that decided it, and, for a kept one, its degree of coherence.

    ``kept`` are the children that rule R8 keeps whole for this round.
    """

    fate: Fate
    rule: int
    doc: int = 0
    kept: tuple[int, ...] = ()


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
        self.is_text = page.has_tag(TEXT).tolist()
        self.block_level = page.block_level.tolist()
        corners, leaf = seen_lines(page)
        #: bool (leaves,): text leaves of which something is seen.
        self.shown = np.zeros(len(page.leaves), dtype=bool)
        self.shown[leaf] = True
        self.extent = extents(page, corners, leaf)
        self.valid = np.isfinite(self.extent[:, 0])
        self.children: list[list[int]] = [[] for _ in range(len(page))]
        for row in np.flatnonzero(self.valid & (page.parent >= 0)).tolist():
            self.children[page.parent[row]].append(row)
        self.virtual = self._virtual()
        self.background = grounds(page).tolist()
        rules = self.extent[page.has_tag("hr")]
        self.rules = rules[np.isfinite(rules[:, 0])]
        self._rows: list[int] = page.leaves[self.shown].tolist()
        self._end: list[int] = page.end.tolist()
        size = np.nan_to_num(self.extent[:, 2:] - self.extent[:, :2])
        self._area: list[float] = (size[:, 0] * size[:, 1]).tolist()
        self._tags = [page.names[code] for code in page.tag.tolist()]
        self._group = self._groups()

    def root(self) -> Item | None:
        """Give the whole page as an item, None when there is nothing to see."""
        return self.item((0,), 1, text=False) if self._rows and self.valid[0] else None

    def divide(self, item: Item) -> list[Item]:
        """Cut a block at its root (R3) and go down as far as the rules say; give the pool in document order."""
        pool: list[Item] = []
        kept: set[int] = set()
        divided: dict[int, bool] = {}
        pending = _stacked(self._parts(item))
        while pending:
            part, before = pending.pop()
            node = part[0]
            verdict = self._whole(part) if len(part) > 1 or node in kept else self.judge(node, divided.get(before))
            divided[node] = verdict.fate is Fate.DIVIDE
            kept.update(verdict.kept)
            if divided[node]:
                pending += _stacked(self._runs(self.children[node]))
            elif verdict.fate is Fate.KEEP and self._texts(part):
                pool.append(self.item(part, verdict.doc, text=verdict.rule in (0, 4)))
        return pool

    def _parts(self, item: Item) -> list[tuple[int, ...]]:
        """Cut a block at its root: an element into its children, an anonymous block into the nodes of its run."""
        if item.end == self._end[item.node]:
            return self._runs(self.children[item.node])
        siblings = self.children[int(self.page.parent[item.node])]
        first, last = bisect_left(siblings, item.node), bisect_left(siblings, item.end)
        return [(node,) for node in siblings[first:last]]

    def _whole(self, part: tuple[int, ...]) -> Verdict:
        """Judge a run, which is kept as R4 keeps a paragraph, or a child that R8 keeps."""
        if len(part) > 1:
            return Verdict(fate=Fate.KEEP, rule=4, doc=10 if self._one_font(part) else 9)
        return Verdict(fate=Fate.KEEP, rule=8, doc=max(self.doc(part[0]), 6))

    def _runs(self, children: list[int]) -> list[tuple[int, ...]]:
        """Join text and virtual text nodes that stand side by side.

        CSS lays such a run out as one anonymous block, which a person sees as a paragraph (R4 would keep it); the
        report's rules look at elements only and would take it to pieces.
        """
        runs: list[tuple[int, ...]] = []
        texty = False
        for child in children:
            before, texty = texty, self._texty(child)
            if before and texty:
                runs[-1] += (child,)
            else:
                runs.append((child,))
        return runs

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
        for rule in _TABLE[self._group[node]]:
            verdict = self._apply(rule, node, children, sibling_divided)
            if verdict is not None:
                return verdict
        raise AssertionError("the last rule of every row of the table decides")

    def _apply(  # noqa: PLR0911 - one line a rule, as in the report's table
        self, rule: int, node: int, children: list[int], sibling_divided: bool | None
    ) -> Verdict | None:
        if rule == 4 and all(self._texty(child) for child in children):
            return Verdict(fate=Fate.KEEP, rule=4, doc=10 if self._one_font((node,)) else 9)
        if rule == 5 and any(self.block_level[child] for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=5)
        if rule == 6 and any(self._tags[child] == "hr" for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=6)
        if rule == 7 and sum(self.area(child) for child in children) > self.area(node) * 1.001:
            return Verdict(fate=Fate.DIVIDE, rule=7)
        if rule == 8:
            ground = self.background[node]
            other = [child for child in children if self.background[child] != ground and not self.is_text[child]]
            return Verdict(fate=Fate.DIVIDE, rule=8, kept=tuple(other)) if other else None
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

    def item(self, nodes: tuple[int, ...], doc: int, *, text: bool) -> Item:
        """Describe a node, or a run of siblings, as a block of the pool."""
        corners = self.extent[list(nodes)]
        rows = self._texts(nodes)
        return Item(
            node=nodes[0],
            end=self._end[nodes[-1]],
            doc=doc,
            box=(*corners[:, :2].min(axis=0).tolist(), *corners[:, 2:].max(axis=0).tolist()),
            text=text,
            background=self.background[nodes[0]],
            first_font=self._font(rows[0]),
            last_font=self._font(rows[-1]),
        )

    def area(self, node: int) -> float:
        """Area of what is seen of a node, in square CSS pixels."""
        return self._area[node]

    def _share(self, node: int) -> float:
        return self.area(node) / self.page_area

    def _groups(self) -> list[str]:
        """The row of the rules' table that holds for each node: by its computed display, P by its tag."""
        looks = [_TABLE_LOOKS.get(name, "") for name in self.page.names]
        display = self.geometry.display.tolist()
        return [
            "inline" if not block else looks[look] or ("p" if tag == "p" else "other")
            for block, look, tag in zip(self.block_level, display, self._tags, strict=True)
        ]

    def _texty(self, node: int) -> bool:
        return bool(self.is_text[node] or self.virtual[node])

    def _texts(self, nodes: tuple[int, ...]) -> list[int]:
        """Visible text leaves below the nodes of a run."""
        return self._rows[bisect_left(self._rows, nodes[0]) : bisect_left(self._rows, self._end[nodes[-1]])]

    def _font(self, leaf: int) -> tuple[float, float]:
        return float(self.geometry.font_size[leaf]), float(self.geometry.font_weight[leaf])

    def _one_font(self, nodes: tuple[int, ...]) -> bool:
        return len({self._font(row) for row in self._texts(nodes)}) <= 1

    def _virtual(self) -> list[bool]:
        """Inline elements all of whose valid children are text or virtual text nodes."""
        virtual = [False] * len(self.page)
        for row in range(len(self.page) - 1, -1, -1):
            children = self.children[row]
            if children and not self.block_level[row]:
                virtual[row] = all(self.is_text[child] or virtual[child] for child in children)
        return virtual


def _stacked(parts: list[tuple[int, ...]]) -> list[tuple[tuple[int, ...], int]]:
    """Turn siblings into a stack, the first on top, each with the first node of the sibling before (-1 for none)."""
    before = [-1, *(part[0] for part in parts)]
    return list(zip(parts, before, strict=False))[::-1]
