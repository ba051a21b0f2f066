"""The rules by which VIPS cuts a DOM subtree into visual blocks (MSR-TR-2003-79, section 4.1, tables 1 and 2)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum

from ..render.page import Page
from .nodes import Nodes
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
_COHERENT = frozenset(["p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"])


class Fate(Enum):
    """What the rules do with a node."""

    CUT = "cut"
    DIVIDE = "divide"
    KEEP = "keep"


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
    coherent : frozenset of str
        Elements that hold one thing by their nature: one step more coherent, 8 at most.
    excess : float
        R7 divides where the children's areas are so many times the node's; a little over 1 for rounding.
    """

    relative_size: float = 0.1
    sizes: tuple[tuple[float, int], ...] = ((0.3, 5), (0.1, 6), (0.02, 7))
    coherent: frozenset[str] = _COHERENT
    excess: float = 1.001

    def __post_init__(self) -> None:
        if not 0 <= self.relative_size <= 1:
            raise ValueError(f"relative_size must be 0 to 1, not {self.relative_size}")
        if not all(5 <= doc <= 8 for _, doc in self.sizes):
            raise ValueError(f"sizes must give coherences 5 to 8, not {self.sizes}")


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
    thresholds : Thresholds, optional
    """

    def __init__(self, page: Page, thresholds: Thresholds | None = None) -> None:
        self.page = page
        self.nodes = Nodes(page)
        self.thresholds = thresholds or Thresholds()

    def root(self) -> Item | None:
        """Give the whole page as an item, None when there is nothing to see."""
        return self.item((0,), 1, text=False) if self.nodes.shown.any() and self.nodes.valid[0] else None

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
                pending += _stacked(self._runs(self.nodes.children[node]))
            elif verdict.fate is Fate.KEEP and self.nodes.texts(node, self.nodes.end[part[-1]]):
                pool.append(self.item(part, verdict.doc, text=verdict.rule in (0, 4)))
        return pool

    def _parts(self, item: Item) -> list[tuple[int, ...]]:
        """Cut a block at its root: an element into its children, an anonymous block into the nodes of its run."""
        children = self.nodes.children
        if item.end == self.nodes.end[item.node]:
            return self._runs(children[item.node])
        siblings = children[int(self.page.parent[item.node])]
        first, last = bisect_left(siblings, item.node), bisect_left(siblings, item.end)
        return [(node,) for node in siblings[first:last]]

    def _whole(self, part: tuple[int, ...]) -> Verdict:
        """Judge a run, which is kept as R4 keeps a paragraph, or a child that R8 keeps."""
        if len(part) > 1:
            return Verdict(fate=Fate.KEEP, rule=4, doc=self._text_doc(part))
        return Verdict(fate=Fate.KEEP, rule=8, doc=max(self.doc(part[0]), 6))

    def _runs(self, children: list[int]) -> list[tuple[int, ...]]:
        """Join text and virtual text nodes that stand side by side.

        CSS lays such a run out as one anonymous block, which a person sees as a paragraph (R4 would keep it); the
        report's rules look at elements only and would take it to pieces.
        """
        runs: list[list[int]] = []
        texty = False
        for child in children:
            before, texty = texty, self.nodes.texty(child)
            if before and texty:
                runs[-1].append(child)
            else:
                runs.append([child])
        return [tuple(run) for run in runs]

    def judge(self, node: int, sibling_divided: bool | None = None) -> Verdict:
        """Apply the rules to one node that is not the root of its block.

        Parameters
        ----------
        node : int
        sibling_divided : bool or None
            Whether the sibling before was divided; None where there is none (R11).
        """
        nodes = self.nodes
        if nodes.is_text[node]:
            return Verdict(fate=Fate.KEEP, rule=0, doc=10)
        children = nodes.children[node]
        if not children:
            return Verdict(fate=Fate.CUT, rule=1)
        if len(children) == 1 and not nodes.is_text[children[0]]:
            return Verdict(fate=Fate.DIVIDE, rule=2)
        for rule in _TABLE[nodes.group[node]]:
            verdict = self._apply(rule, node, children, sibling_divided)
            if verdict is not None:
                return verdict
        raise AssertionError("the last rule of every row of the table decides")

    def _apply(  # noqa: PLR0911 - one line a rule, as in the report's table
        self, rule: int, node: int, children: list[int], sibling_divided: bool | None
    ) -> Verdict | None:
        nodes, small = self.nodes, self.thresholds.relative_size
        if rule == 4 and all(nodes.texty(child) for child in children):
            return Verdict(fate=Fate.KEEP, rule=4, doc=self._text_doc((node,)))
        if rule == 5 and any(nodes.block_level[child] for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=5)
        if rule == 6 and any(nodes.tag[child] == "hr" for child in children):
            return Verdict(fate=Fate.DIVIDE, rule=6)
        if rule == 7 and sum(nodes.area[child] for child in children) > nodes.area[node] * self.thresholds.excess:
            return Verdict(fate=Fate.DIVIDE, rule=7)
        if rule == 8:
            ground = nodes.ground[node]
            other = tuple(child for child in children if nodes.ground[child] != ground and not nodes.is_text[child])
            return Verdict(fate=Fate.DIVIDE, rule=8, kept=other) if other else None
        if rule == 9 and nodes.share[node] < small and any(nodes.texty(child) for child in children):
            return Verdict(fate=Fate.KEEP, rule=9, doc=self.doc(node))
        if rule == 10 and max(nodes.share[child] for child in children) < small:
            return Verdict(fate=Fate.KEEP, rule=10, doc=self.doc(node))
        if rule == 11 and sibling_divided is False:
            return Verdict(fate=Fate.KEEP, rule=11, doc=self.doc(node))
        if rule == 12:
            return Verdict(fate=Fate.DIVIDE, rule=12)
        return Verdict(fate=Fate.KEEP, rule=13, doc=self.doc(node)) if rule == 13 else None

    def doc(self, node: int) -> int:
        """Degree of coherence of a node that stays whole: 5 to 8, by size and tag."""
        share = self.nodes.share[node]
        by_size = next((doc for least, doc in self.thresholds.sizes if share >= least), 8)
        return min(by_size + (self.nodes.tag[node] in self.thresholds.coherent), 8)

    def item(self, part: tuple[int, ...], doc: int, *, text: bool) -> Item:
        """Describe a node, or a run of siblings, as a block of the pool."""
        nodes, first, end = self.nodes, part[0], self.nodes.end[part[-1]]
        rows = nodes.texts(first, end)
        return Item(
            node=first,
            end=end,
            doc=doc,
            box=nodes.box(part),
            text=text,
            background=nodes.ground[first],
            first_font=nodes.font(rows[0]),
            last_font=nodes.font(rows[-1]),
        )

    def _text_doc(self, part: tuple[int, ...]) -> int:
        """10 for text of one font size and weight throughout, else 9."""
        return 10 if self.nodes.one_font(part[0], self.nodes.end[part[-1]]) else 9


def _stacked(parts: list[tuple[int, ...]]) -> list[tuple[tuple[int, ...], int]]:
    """Turn siblings into a stack, the first on top, each with the first node of the sibling before (-1 for none)."""
    before = [-1, *(part[0] for part in parts)]
    return list(zip(parts, before, strict=False))[::-1]
