"""Features of the inner blocks of a VIPS tree, from which the adaptive cut decides where to divide.

All of them are about what is inside a block, and how far down it begins: nothing around it counts, so that what
follows changes nothing. Lengths
are in heights of the block's own lines, or in shares of the window. No feature reads the name or class of an element.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, prefix_sums
from ..blocks import PARTS, Blocks
from .nodes import Nodes
from .painted import PICTURES
from .rules import BOX

FEATURES = (
    "weight", "least_weight", "separators", "horizontal", "no_separator",
    *(f"part_{part}" for part in PARTS if part != "font"), "weight_over_inside", "gap_over_rhythm",
    "children", "levels", "children_leaves", "children_framed", "children_pictures", "children_headed",
    "children_alike", "children_one_font", "plain_series", "series_height", "left_spread",
    "largest_child", "chars_spread", "width_spread", "height_spread",
    "child_height", "child_chars", "covered",
    "framed", "width", "height", "wide", "tall", "top", "chars", "lines", "chars_of_leaf",
    "long_share", "font", "start_font", "first_font", "greatest_font", "fonts",
)  # fmt: skip
#: Factor by which a bold font counts as larger, and size from which the first text is a heading, relative to the mean.
_LARGER, _HEADED = 1.06, 1.05
#: Weight of separators from which they count as equally heavy.
_HEAVIEST = 10.0
#: Characters from which a text is part of running text.
_LONG = 80


@dataclass(frozen=True, eq=False)
class BlockTree:
    """Positions in a tree of blocks: the rows of each subtree, and its text leaves."""

    parent: IntColumn
    leaf_block: IntColumn

    @cached_property
    def depth(self) -> NDArray[np.int64]:
        """Number of blocks around each block, int64 (blocks,)."""
        depth = [-1] * (len(self.parent) + 1)
        for row, above in enumerate(self.parent.tolist()):
            depth[row] = depth[above] + 1
        return np.asarray(depth[:-1], dtype=np.int64)

    @cached_property
    def levels(self) -> list[NDArray[np.intp]]:
        """Rows below a parent, by depth, the deepest first."""
        order = np.argsort(-self.depth, kind="stable")
        steps = np.flatnonzero(np.diff(self.depth[order])) + 1
        return [rows for rows in np.split(order, steps) if len(rows) and self.parent[rows[0]] >= 0]

    @cached_property
    def end(self) -> NDArray[np.int64]:
        """Row after the subtree of each block, int64 (blocks,)."""
        return self.greatest(np.arange(1.0, len(self.parent) + 1)).astype(np.int64)

    @cached_property
    def child(self) -> NDArray[np.intp]:
        """Rows that have a parent."""
        return np.flatnonzero(self.parent >= 0)

    @cached_property
    def above(self) -> IntColumn:
        """Parent of each of these."""
        return self.parent[self.child]

    @cached_property
    def number(self) -> NDArray[np.int64]:
        """Number of children of each block, int64 (blocks,)."""
        return np.bincount(self.above, minlength=len(self.parent))

    @cached_property
    def leaf(self) -> NDArray[np.intp]:
        """Text leaves in blocks, sorted by their block."""
        inside = np.flatnonzero(self.leaf_block >= 0)
        return inside[np.argsort(self.leaf_block[inside], kind="stable")]

    @cached_property
    def bounds(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """First and last position in ``leaf`` of the text leaves of each block, int (blocks,)."""
        owner = self.leaf_block[self.leaf]
        return np.searchsorted(owner, np.arange(len(self.parent))), np.searchsorted(owner, self.end)

    def greatest(self, values: FloatArray) -> FloatArray:
        """Return the greatest value in each subtree."""
        result = values.copy()
        for rows in self.levels:
            np.maximum.at(result, self.parent[rows], result[rows])
        return result

    def summed(self, values: FloatArray) -> FloatArray:
        """Return the sum of a column of blocks over each subtree."""
        sums = prefix_sums(values)
        return sums[self.end] - sums[: len(values)]

    def leaf_sums(self, values: FloatArray) -> FloatArray:
        """Return the sum of a column of the page's text leaves over each block."""
        sums, (first, last) = prefix_sums(values[self.leaf]), self.bounds
        return sums[last] - sums[first]

    def most(self, values: FloatArray, start: float) -> FloatArray:
        """Return the greatest value of the children of each block; ``start`` without any."""
        result = np.full(len(self.parent), start)
        np.maximum.at(result, self.above, values[self.child])
        return result

    def mean(self, values: FloatArray) -> FloatArray:
        """Return the mean over the children of each block; 0 without any."""
        sums = np.bincount(self.above, weights=values[self.child], minlength=len(self.parent))
        return sums / np.maximum(self.number, 1)

    def spread(self, values: FloatArray) -> FloatArray:
        """Return the coefficient of variation over the children of each block."""
        average = self.mean(values)
        variance = np.maximum(self.mean(values**2) - average**2, 0.0)
        return np.sqrt(variance) / np.maximum(average, 1e-9)


def cut_features(nodes: Nodes, blocks: Blocks) -> FloatArray:
    """Return :data:`FEATURES` of each block, float64 (blocks, features); only those of inner blocks are used."""
    tree = BlockTree(blocks.parent, blocks.leaf_block)
    columns = _separator_columns(blocks, tree)
    columns |= _size_columns(nodes, blocks)
    columns |= _text_columns(nodes, tree, columns)
    columns |= _content_columns(nodes, blocks, tree)
    columns |= _child_columns(tree, columns)
    columns |= _series_columns(blocks, tree, columns)
    return np.stack([columns[name] for name in FEATURES], axis=1)


def _separator_columns(blocks: Blocks, tree: BlockTree) -> dict[str, FloatArray]:
    separators, count = blocks.separators, len(blocks)
    block, weight = separators.block, np.minimum(separators.weight.astype(np.float64), _HEAVIEST)
    number = np.bincount(block, minlength=count).astype(np.float64)
    heaviest, least = np.zeros(count), np.full(count, np.inf)
    np.maximum.at(heaviest, block, weight)
    np.minimum.at(least, block, weight)
    order = np.argsort(weight, kind="stable")
    strongest = np.zeros(count, dtype=np.int64)
    strongest[block[order]] = order
    has = number > 0
    parts = (
        np.where(has[:, None], np.clip(separators.parts[strongest], -_HEAVIEST, _HEAVIEST), 0.0)
        if len(block)
        else np.zeros((count, len(PARTS)))
    )
    across = np.bincount(block[separators.horizontal], minlength=count)
    inside = tree.most(tree.greatest(heaviest), 0.0)
    inner_number = tree.summed(number) - number
    gaps = np.zeros(count)
    np.add.at(gaps, block, separators.parts[:, 0])
    rhythm = (tree.summed(gaps) - gaps) / np.maximum(inner_number, 1.0)
    return {
        "weight": heaviest,
        "least_weight": np.where(has, least, 0.0),
        "separators": np.log1p(number),
        "horizontal": across / np.maximum(number, 1.0),
        "no_separator": (~has).astype(np.float64),
        **{f"part_{part}": parts[:, index] for index, part in enumerate(PARTS)},
        "weight_over_inside": heaviest - inside,
        "gap_over_rhythm": np.log((parts[:, 0] + 0.5) / (rhythm + 0.5)),
    }


def _size_columns(nodes: Nodes, blocks: Blocks) -> dict[str, FloatArray]:
    assert nodes.page.geometry is not None
    box = blocks.box.astype(np.float64)
    line = nodes.line[blocks.node]
    wide, high = nodes.page.geometry.viewport
    return {
        "line": line,
        "width": np.log1p(box[:, 2] / line),
        "height": np.log1p(box[:, 3] / line),
        "wide": np.minimum(box[:, 2] / wide, 1.0),
        "tall": np.log1p(box[:, 3] / high),
        "size": box[:, 2] * box[:, 3],
        "top": np.log1p(np.maximum(box[:, 1], 0.0) / high),
    }


def _text_columns(nodes: Nodes, tree: BlockTree, known: dict[str, FloatArray]) -> dict[str, FloatArray]:
    page, geometry = nodes.page, nodes.page.geometry
    assert geometry is not None
    length = page.leaf_lengths.astype(np.float64)
    font = geometry.font_size[page.leaves].astype(np.float64)
    font = np.where(geometry.font_weight[page.leaves] >= 600, font * _LARGER, font)
    first, last = tree.bounds
    chars, some = tree.leaf_sums(length), last > first
    base = np.where(some, tree.leaf_sums(font * length) / np.maximum(chars, 1.0), 1.0)
    changes = np.diff(font[tree.leaf], prepend=-1.0) != 0
    at_first = font[tree.leaf[np.minimum(first, max(len(tree.leaf) - 1, 0))]] if len(tree.leaf) else base
    in_block = np.zeros(len(tree.parent))
    np.maximum.at(in_block, tree.leaf_block[tree.leaf], font[tree.leaf])
    leaves = np.maximum(last - first, 1)
    return {
        "text": chars,
        "chars": np.log1p(chars),
        "lines": np.log1p(chars / np.maximum(np.expm1(known["width"]), 4.0)),
        "chars_of_leaf": np.log1p(chars / leaves),
        "long_share": tree.leaf_sums(length * (length >= _LONG)) / np.maximum(chars, 1.0),
        "font": np.log(np.where(some, base, 16.0) / 16.0),
        "start_font": np.log(np.where(some, at_first, 16.0) / 16.0),
        "first_font": np.where(some, at_first / base, 1.0),
        "greatest_font": np.where(some, tree.greatest(in_block) / base, 1.0),
        "fonts": np.log1p(_range_sums(changes, first, last)) / np.log1p(leaves),
        "font_code": np.where(some, np.round(at_first * 16), -1.0),
    }


def _range_sums(values: BoolColumn, first: NDArray[np.intp], last: NDArray[np.intp]) -> FloatArray:
    """Return the number of true values in (first, last): what is between the values of a block."""
    sums = prefix_sums(values)
    return np.asarray(sums[last] - sums[np.minimum(first + 1, last)], dtype=np.float64)


def _content_columns(nodes: Nodes, blocks: Blocks, tree: BlockTree) -> dict[str, FloatArray]:
    page = nodes.page
    assert blocks.rule is not None
    framed = (blocks.rule == BOX).astype(np.float64)
    leaf = tree.number == 0
    shown = page.count_within(nodes.valid & page.has_tag(*PICTURES))[blocks.node] > 0
    pictures = tree.summed((leaf & shown).astype(np.float64))
    return {
        "framed": framed,
        "pictured": (pictures > 0).astype(np.float64),
    }


def _child_columns(tree: BlockTree, known: dict[str, FloatArray]) -> dict[str, FloatArray]:
    count = len(tree.parent)
    headed = (known["first_font"] > _HEADED) & (tree.number > 0)
    texts = known["text"]
    look = np.stack(
        [
            known["font_code"],
            known["framed"],
            known["pictured"],
            np.round(2 * known["width"]),
            np.minimum(tree.number, 2),
        ]
    )
    level = np.zeros(count)
    for rows in tree.levels:
        np.maximum.at(level, tree.parent[rows], level[rows] + 1)
    areas = np.bincount(tree.above, weights=known["size"][tree.child], minlength=count)
    return {
        "children": np.log1p(tree.number),
        "levels": np.log1p(level),
        "children_leaves": tree.mean((tree.number == 0).astype(np.float64)),
        "children_framed": tree.mean(known["framed"]),
        "children_pictures": tree.mean(known["pictured"]),
        "children_headed": tree.mean(headed.astype(np.float64)),
        "children_alike": _commonest(look, tree),
        "children_one_font": _commonest(look[:1], tree),
        "largest_child": tree.most(texts, 0.0) / np.maximum(texts, 1.0),
        "chars_spread": tree.spread(texts),
        "width_spread": tree.spread(np.expm1(known["width"])),
        "height_spread": tree.spread(np.expm1(known["height"])),
        "child_height": tree.mean(known["height"]),
        "child_chars": tree.mean(known["chars"]),
        "covered": np.minimum(areas / np.maximum(known["size"], 1e-9), 1.5),
    }


def _series_columns(blocks: Blocks, tree: BlockTree, known: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return products with the likeness of the children: plain entries are a list, large or framed ones are blocks."""
    alike = known["children_alike"]
    left = blocks.box[:, 0].astype(np.float64)
    inset = left - left[np.maximum(tree.parent, 0)]
    variance = np.maximum(tree.mean(inset**2) - tree.mean(inset) ** 2, 0.0)
    return {
        "plain_series": alike * (1.0 - known["children_framed"]) * (1.0 - known["children_pictures"]),
        "series_height": alike * known["child_height"],
        "left_spread": np.log1p(np.sqrt(variance) / known["line"]),
    }


def _commonest(look: FloatArray, tree: BlockTree) -> FloatArray:
    """Return the share of each block's children with the commonest look; ``look`` is float64 (values, blocks)."""
    result = np.zeros(len(tree.parent))
    if len(tree.child):
        keys = np.concatenate([tree.above[None, :].astype(np.float64), look[:, tree.child]])
        order = np.lexsort(keys)
        starts = np.ones(len(order), dtype=bool)
        starts[1:] = (np.diff(keys[:, order]) != 0).any(axis=0)
        first = np.flatnonzero(starts)
        np.maximum.at(result, tree.above[order][first], np.diff(np.append(first, len(order))).astype(np.float64))
    return result / np.maximum(tree.number, 1)
