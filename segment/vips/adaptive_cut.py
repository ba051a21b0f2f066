"""The adaptive cut of a VIPS tree: which blocks people would divide, by trees of decisions on features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMismatch
from ...files.npz import FileKind, read_npz, write_npz
from ...page.arrays import BoolColumn, FloatArray, mask_of
from ..blocks import Blocks, Separators
from .cut_features import FEATURES, cut_features
from .nodes import Nodes

#: What is in the file of the shipped trees.
KIND = FileKind(
    format="blocksight-cut", version=1, title="adaptive cut", remedy="install blocksight again: the file belongs to it"
)
#: Blocks that go down the trees together: what is known of them stays in the cache of the processor.
_TOGETHER = 64
_SHIPPED = Path(__file__).parent / "cut.npz"


@dataclass(frozen=True, kw_only=True, eq=False)
class CutTrees:
    """A sum of regression trees; their nodes are in one column each, and the children of a node are after it."""

    feature: NDArray[np.int16]  # (nodes,): index into FEATURES of the split, -1 for a leaf
    threshold: FloatArray  # (nodes,): greatest value of the feature at which the lower child decides
    children: NDArray[np.int32]  # (nodes, 2): the lower and the upper child, -1 at a leaf
    value: FloatArray  # (nodes,): value of a leaf
    root: NDArray[np.int32]  # (trees,): the first node of each tree
    base: float  # added to the sum

    def __post_init__(self) -> None:
        nodes, inner = len(self.feature), self.feature >= 0
        shapes = (self.threshold.shape, self.value.shape, self.children.shape)
        kinds = "".join(column.dtype.kind for column in (self.feature, self.children, self.root))
        if shapes != ((nodes,), (nodes,), (nodes, 2)) or kinds != "iii" or self.root.ndim != 1:
            raise ModelMismatch("the columns of the trees of the adaptive cut are not of one length or type")
        below = self.children[inner]
        if (below <= np.flatnonzero(inner)[:, None]).any() or (below >= nodes).any():
            raise ModelMismatch("a tree of the adaptive cut has a child before its parent, or none")
        if (self.feature >= len(FEATURES)).any() or ((self.root < 0) | (self.root >= nodes)).any():
            raise ModelMismatch("a tree of the adaptive cut has no first node, or splits by an unknown feature")
        if not np.isfinite([self.base, *self.value, *self.threshold[inner]]).all():
            raise ModelMismatch("a value of the adaptive cut is not finite")

    def score(self, features: FloatArray) -> FloatArray:
        """Return the log-odds that people would divide each block, float64 (blocks,)."""
        pieces = [self._score(features[first : first + _TOGETHER]) for first in range(0, len(features), _TOGETHER)]
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def _score(self, features: FloatArray) -> FloatArray:
        """Return the log-odds of few blocks: all of them go down all trees at once, a level at a time."""
        trees, width = len(self.root), features.shape[1]
        column, flat = np.maximum(self.feature, 0).astype(np.intp), features.ravel()
        node = np.tile(self.root.astype(np.intp), len(features))
        start = np.repeat(np.arange(len(features)) * width, trees)
        place = np.flatnonzero(self.feature[node] >= 0)
        while len(place):
            at = node[place]
            upper = flat[start[place] + column[at]] > self.threshold[at]
            at = np.where(upper, self.children[at, 1], self.children[at, 0])
            node[place] = at
            place = place[self.feature[at] >= 0]
        score: FloatArray = self.value[node].reshape(len(features), trees).sum(axis=1) + self.base
        return score


def save_trees(trees: CutTrees, path: Path = _SHIPPED) -> None:
    """Write trees to a file of plain numbers."""
    arrays = {name: getattr(trees, name) for name in ("feature", "threshold", "children", "value", "root")}
    write_npz(path, KIND, {"features": list(FEATURES), "base": trees.base}, arrays)


def load_trees(path: Path) -> CutTrees:
    """Read trees from a file; raise ModelMismatch if they are for other features."""
    head, arrays = read_npz(path, KIND)
    if head.get("features") != list(FEATURES):
        raise ModelMismatch(f"{path}: these trees are for other features of blocks; {KIND.remedy}")
    return CutTrees(
        feature=arrays["feature"],
        threshold=arrays["threshold"],
        children=arrays["children"],
        value=arrays["value"],
        root=arrays["root"],
        base=float(head["base"]),
    )


@cache
def shipped_trees() -> CutTrees:
    """Return the trees of ``pdoc="auto"``."""
    return load_trees(_SHIPPED)


def reached(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the blocks of a tree that are not inside a block that people would leave whole, bool (blocks,)."""
    return inside_divided(blocks, divided(nodes, blocks))


def inside_divided(blocks: Blocks, divides: BoolColumn) -> BoolColumn:
    """Return the blocks around which all blocks are divided, bool (blocks,)."""
    inside = [True] * len(blocks)
    decided = divides.tolist()
    for row, above in enumerate(blocks.parent.tolist()):
        inside[row] = above < 0 or (inside[above] and decided[above])
    return np.asarray(inside, dtype=bool)


def divided(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the blocks that people would divide, if they see them as one, bool (blocks,)."""
    if not len(blocks):
        return np.zeros(0, dtype=bool)
    inner = np.flatnonzero(np.isin(np.arange(len(blocks)), blocks.parent))
    score = np.zeros(len(blocks))
    score[inner] = shipped_trees().score(cut_features(nodes, blocks)[inner])
    return worth_dividing(blocks, score) | layered(nodes, blocks)


def layered(nodes: Nodes, blocks: Blocks) -> BoolColumn:
    """Return the root of several layers, bool (blocks,): what is over a page is never one block with it."""
    result = np.zeros(len(blocks), dtype=bool)
    if len(blocks):
        result[0] = nodes.painted.raised[blocks.node[blocks.parent == 0]].any()
    return result


def worth_dividing(blocks: Blocks, score: FloatArray) -> BoolColumn:
    """Return the blocks that the most likely cut divides, if it divides all around them, bool (blocks,).

    ``score`` is the log-odds that a block is divided. A block is divided only if all around it are, so the division of
    an unlikely one has to be outweighed by those of likely ones inside it: one small block hardly divides a page.
    """
    gain = np.where(np.isin(np.arange(len(blocks)), blocks.parent), score, -np.inf).tolist()
    for row, above in zip(range(len(blocks) - 1, 0, -1), blocks.parent[:0:-1].tolist(), strict=True):
        if above >= 0 and gain[row] > 0:
            gain[above] += gain[row]
    return np.asarray(gain) > 0


def pruned(blocks: Blocks, kept: BoolColumn) -> Blocks:
    """Return the kept blocks of a tree; the parent of a kept block is kept, and so are all siblings of a kept block."""
    new = np.cumsum(kept) - 1
    row = np.where(kept, new, -1)
    for old, above in enumerate(blocks.parent.tolist()):
        if row[old] < 0:
            row[old] = row[above]
    parent = blocks.parent[kept]
    parent = np.where(parent >= 0, row[parent], -1).astype(np.int32)
    inner = mask_of(len(blocks), blocks.parent[kept & (blocks.parent >= 0)])
    separators = blocks.separators
    inside = inner[separators.block]
    return replace(
        blocks,
        parent=parent,
        node=blocks.node[kept],
        doc=blocks.doc[kept],
        leaf_block=np.where(blocks.leaf_block >= 0, row[blocks.leaf_block], -1).astype(np.int32),
        box=blocks.box[kept],
        rule=None if blocks.rule is None else blocks.rule[kept],
        separators=Separators(
            block=row[separators.block[inside]].astype(np.int32),
            box=separators.box[inside],
            horizontal=separators.horizontal[inside],
            weight=separators.weight[inside],
            parts=separators.parts[inside],
        ),
    )
