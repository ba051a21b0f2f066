"""WCC's genetic programming: trees of regular expressions that are bred (Hofmann and Weerkamp, WAC3 2007)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelMismatch
from ....features.rows import Rows
from ....page.arrays import Marks
from ....page.page import Page
from ...system import Card
from ..learning.trainable import LabelledPage, Learned, shipped
from .decision_tree import PAPER, leaves_of_rows, paragraph_rows
from .expressions import expression, mutated

#: Ancestors whose tags stand before a block's text, and most characters of the text.
TAGS_BEFORE, LONGEST = 3, 1000
#: Points for a word of the gold, and for any other word.
GAIN, LOSS = 2.0, 1.0
#: Trees that compete for a place among the parents, trees that live on, and nodes a tree has at most.
TOURNAMENT, ELITE, LARGEST = 3, 2, 15
#: Of the children: share that is bred from two, the rest is one parent's with a change.
CROSSED = 0.6

#: A leaf keeps a block that its first expression finds something in, and its second, if any, does not; a node (a list)
#: keeps what any of its branches keeps.
Leaf = tuple[str, str]
Tree = tuple[Leaf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WccGenetic:
    """Regular expressions on the markup and text of blocks, joined by OR, as evolution has left them.

    The leaves of a tree select and reject by an expression, its nodes are ORs; a tree earns two points for each word
    that it keeps of the gold and loses one for each other word; the best live on and are crossed. Ours: as OR is
    associative, a tree is written flat, as the tuple of its leaves; expressions are drawn from a grammar of tags,
    names, lengths, punctuation and endings (:mod:`.expressions`) and see a block's text with the tags of three elements
    around it. The work is bounded by the number of generations, trees and blocks.

    Parameters
    ----------
    model : Learned, optional
        Instead of the one that comes with the program.
    generations, population : int
    blocks : int
        To learn from, at most; pages are taken in a random order until they have this number.
    seed : int
    say : callable, optional
        Called with a line that says how far it is.
    """

    model: Learned | None = None
    generations: int = 40
    population: int = 60
    blocks: int = 20_000
    seed: int = 0
    say: Callable[[str], None] | None = field(default=None, compare=False)
    model_name: ClassVar[str] = "wcc-genetic"
    card: ClassVar[Card] = Card(
        name="wcc-genetic",
        title="evolved OR-trees of regular expressions",
        paper=PAPER,
        year=2007,
        visual=False,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Breed trees on labelled pages."""
        random = Random(self.seed)
        fitness = self._fitness(list(pages), random)
        trees = [_tree(random) for _ in range(self.population)]
        for generation in range(1, self.generations + 1):
            trees = _next_generation(trees, fitness, random)
            if self.say is not None:
                self.say(f"generation {generation} of {self.generations}: {fitness(trees[0]):.0f} points")
        best = max(trees, key=fitness)
        # What no leaf adds to the points is left out.
        for leaf in best[1:]:
            fewer = tuple(other for other in best if other is not leaf)
            best = fewer if fewer and fitness(fewer) >= fitness(best) else best
        settings = {"tree": [list(leaf) for leaf in best]}
        return replace(self, model=Learned(system=self.model_name, arrays={}, settings=settings))

    def _fitness(self, labelled: list[LabelledPage], random: Random) -> Callable[[Tree], float]:
        random.shuffle(labelled)
        lines: list[str] = []
        points: list[float] = []
        for one in labelled:
            if len(lines) >= self.blocks:
                break
            rows = paragraph_rows(one.page)
            lines += source_lines(rows)
            hits = rows.summed(rows.leaf_words * one.marks)
            points += (GAIN * hits - LOSS * (rows.words - hits)).tolist()
        return lru_cache(maxsize=None)(_Points(lines, np.asarray(points)))

    def mark(self, page: Page) -> Marks:
        """Mark the blocks that the tree keeps."""
        tree = _read_tree(self.model or shipped(self.model_name))
        rows = paragraph_rows(page)
        kept = [any(_keeps(leaf, line) for leaf in tree) for line in source_lines(rows)]
        return leaves_of_rows(rows, np.asarray(kept, dtype=bool))


class _Points:
    """Rows the points of a tree; each expression is tried on each block once."""

    def __init__(self, lines: list[str], points: NDArray[np.float64]) -> None:
        self.lines = lines
        self.points = points
        self.found: dict[str, Marks] = {}

    def __call__(self, tree: Tree) -> float:
        kept = np.zeros(len(self.lines), dtype=bool)
        for wanted, unwanted in tree:
            chosen = self._matches(wanted)
            kept |= chosen & ~self._matches(unwanted) if unwanted else chosen
        return float(self.points[kept].sum())

    def _matches(self, pattern: str) -> Marks:
        if pattern not in self.found:
            search = re.compile(pattern).search
            self.found[pattern] = np.asarray([search(line) is not None for line in self.lines], dtype=bool)
        return self.found[pattern]


def source_lines(rows: Rows) -> list[str]:
    """Return each block as the expressions see it: the tags of the elements around it, outermost first, and text."""
    page = rows.page
    classes, ids = page.attribute("class"), page.attribute("id")

    def tag(row: int) -> str:
        values = [page.strings[code] for code in (int(classes[row]), int(ids[row])) if code >= 0]
        return f'<{page.tag_of(row)} "{" ".join(values).lower()}">'

    lines = []
    for chain, text in zip(rows.chain[:, :TAGS_BEFORE].tolist(), rows.texts, strict=True):
        lines.append("".join(tag(row) for row in reversed(chain)) + text[:LONGEST])
    return lines


def _keeps(leaf: Leaf, line: str) -> bool:
    wanted, unwanted = leaf
    return re.search(wanted, line) is not None and not (unwanted and re.search(unwanted, line))


def _leaf(random: Random) -> Leaf:
    return expression(random), expression(random) if random.random() < 0.7 else ""


def _tree(random: Random) -> Tree:
    return tuple(_leaf(random) for _ in range(random.randint(1, 4)))


def _next_generation(trees: list[Tree], fitness: Callable[[Tree], float], random: Random) -> list[Tree]:
    ranked = sorted(trees, key=fitness, reverse=True)
    following = ranked[:ELITE]
    while len(following) < len(trees):
        one, other = (max(random.sample(ranked, TOURNAMENT), key=fitness) for _ in range(2))
        following.append(_crossed(one, other, random) if random.random() < CROSSED else _changed(one, random))
    return sorted(following, key=fitness, reverse=True)


def _crossed(one: Tree, other: Tree, random: Random) -> Tree:
    """Return a tree with some branches of both."""
    taken = [leaf for leaf in dict.fromkeys((*one, *other)) if random.random() < 0.5]
    return tuple(taken[:LARGEST]) or one


def _changed(tree: Tree, random: Random) -> Tree:
    """Change, add or drop one branch."""
    at, kind = random.randrange(len(tree)), random.random()
    if kind < 0.2 and len(tree) > 1:
        return (*tree[:at], *tree[at + 1 :])
    if kind < 0.4 and len(tree) < LARGEST:
        return (*tree, _leaf(random))
    wanted, unwanted = tree[at]
    leaf = (mutated(wanted, random), unwanted) if kind < 0.7 else (wanted, mutated(unwanted, random))
    return (*tree[:at], leaf, *tree[at + 1 :])


@lru_cache(maxsize=8)
def _read_tree(learned: Learned) -> Tree:
    found: Any = learned.setting("tree")
    try:
        tree = tuple((str(wanted), str(unwanted)) for wanted, unwanted in found)
        for pattern in (pattern for leaf in tree for pattern in leaf):
            re.compile(pattern)
    except (TypeError, ValueError, re.error) as error:
        raise ModelMismatch(f"the model of {learned.system} holds no tree of expressions ({error})") from error
    return tree
