"""Features of the inner blocks of a VIPS tree, from which the adaptive cut decides where to divide.

Lengths are in heights of the page's lines or in shares of the window, so that the features are independent of zoom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, prefix_sums
from ...page.page import Page
from ...render.visibility.visible_boxes import visible_boxes
from ..blocks import PARTS, Blocks
from .painted import CONTROLS, LINE, PICTURES, line_height
from .rules import BOX

_TAGS = {
    "list": ("ul", "ol", "dl", "menu"),
    "table": ("table", "tbody", "tr", "td"),
    "article": ("article",),
    "section": ("section", "main", "body"),
    "form": ("form", "fieldset"),
    "text": ("p", "pre", "blockquote", "li", "h1", "h2", "h3", "h4", "h5", "h6"),
}
_AROUND = {
    "in_nav": ("nav",), "in_header": ("header",), "in_footer": ("footer",), "in_main": ("main", "article"),
    "in_aside": ("aside",),
}  # fmt: skip
FEATURES = (
    "doc", "weight", "weight_least", *(f"part_{part}" for part in PARTS), "separators", "horizontal", "no_separator",
    "children", "children_leaves", "children_framed", "children_pictures", "children_headed", "first_headed",
    "children_alike", "children_one_font", "children_chars_spread", "children_width_spread", "children_height_spread",
    "children_links_range", "children_chars_median", "children_height_median", "children_area",
    "width", "height", "width_window", "height_window", "page_share", "top", "below", "center",
    "chars", "chars_share", "link_share", "lines", "density", "font", "first_font", "fonts_range",
    "pictures", "controls", "framed", "depth", "siblings", "parent_weight", "parent_horizontal", "parent_framed",
    "parent_alike", "weight_inside", "weight_rank", "levels", "page_height", "page_chars", "page_weight",
    *(f"tag_{name}" for name in _TAGS), *_AROUND,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockTree:
    """Positions in a tree of blocks: rows in preorder, and the leaves of the page inside each."""

    parent: IntColumn
    end: NDArray[np.int64]  # (blocks,): the subtree of block b is the rows [b, end)
    depth: NDArray[np.int64]
    children: NDArray[np.int64]  # (blocks,): number of children
    leaf: NDArray[np.int64]  # (shown,): leaves in blocks, sorted by their block, in document order within it
    first: NDArray[np.int64]  # (blocks,): block b contains leaf[first:last]
    last: NDArray[np.int64]

    def totals(self, leaf_values: FloatArray) -> FloatArray:
        """Return the sum of a column of the page's leaves over each block."""
        sums = prefix_sums(leaf_values[self.leaf])
        result: FloatArray = sums[self.last] - sums[self.first]
        return result

    def greatest(self, values: FloatArray) -> FloatArray:
        """Return the greatest value of a column of the blocks below each block; -1 without one."""
        result = np.full(len(self.parent), -1.0)
        for row in range(len(self.parent) - 1, 0, -1):
            above = self.parent[row]
            if above >= 0:
                result[above] = max(result[above], result[row], values[row])
        return result


def block_tree(blocks: Blocks) -> BlockTree:
    """Return the positions in a tree of blocks."""
    count = len(blocks)
    end, depth = np.arange(1, count + 1), np.zeros(count, dtype=np.int64)
    parent = blocks.parent.tolist()
    for row in range(count):
        depth[row] = depth[parent[row]] + 1 if parent[row] >= 0 else 0
    for row in range(count - 1, 0, -1):
        if parent[row] >= 0:
            end[parent[row]] = max(end[parent[row]], end[row])
    inside = np.flatnonzero(blocks.leaf_block >= 0)
    leaf = inside[np.argsort(blocks.leaf_block[inside], kind="stable")]
    owner = blocks.leaf_block[leaf]
    return BlockTree(
        parent=blocks.parent,
        end=end,
        depth=depth,
        children=np.bincount(blocks.parent[blocks.parent >= 0], minlength=count),
        leaf=leaf,
        first=np.searchsorted(owner, np.arange(count)),
        last=np.searchsorted(owner, end),
    )


def cut_features(page: Page, blocks: Blocks, tree: BlockTree) -> FloatArray:
    """Return :data:`FEATURES` of each block, float64 (blocks, features); only those of inner blocks are used."""
    columns = _separator_columns(blocks)
    columns |= _size_columns(page, blocks)
    columns |= _text_columns(page, tree)
    columns |= _element_columns(page, blocks)
    columns |= {"doc": blocks.doc.astype(np.float64), "depth": np.log1p(tree.depth)}
    columns |= _child_columns(page, blocks, tree, columns)
    columns |= _context_columns(tree, columns)
    return np.stack([columns[name] for name in FEATURES], axis=1)


def _separator_columns(blocks: Blocks) -> dict[str, FloatArray]:
    separators, count = blocks.separators, len(blocks)
    block = separators.block
    number = np.bincount(block, minlength=count).astype(np.float64)
    some = np.maximum(number, 1.0)
    weight, least = np.zeros(count), np.full(count, np.inf)
    np.maximum.at(weight, block, separators.weight)
    np.minimum.at(least, block, separators.weight)
    columns = {
        "weight": weight,
        "weight_least": np.where(number > 0, least, 0.0),
        "separators": np.log1p(number),
        "horizontal": np.bincount(block, weights=separators.horizontal, minlength=count) / some,
        "no_separator": (number == 0).astype(np.float64),
    }
    for index, part in enumerate(PARTS):
        columns[f"part_{part}"] = np.bincount(block, weights=separators.parts[:, index], minlength=count) / some
    return columns


def _size_columns(page: Page, blocks: Blocks) -> dict[str, FloatArray]:
    assert page.geometry is not None
    unit = line_height(visible_boxes(page)) or LINE
    box = blocks.box.astype(np.float64)
    wide, high = page.geometry.viewport
    page_wide, page_high = (max(float(side), 1.0) for side in page.geometry.size)
    area = box[:, 2] * box[:, 3]
    return {
        "width": np.log1p(box[:, 2] / unit),
        "height": np.log1p(box[:, 3] / unit),
        "width_window": box[:, 2] / wide,
        "height_window": np.log1p(box[:, 3] / high),
        "page_share": area / (page_wide * page_high),
        "top": np.log1p(np.maximum(box[:, 1], 0.0) / high),
        "below": np.log1p(np.maximum(page_high - box[:, 1] - box[:, 3], 0.0) / high),
        "center": np.abs((box[:, 0] + box[:, 2] / 2) / page_wide - 0.5),
        "page_height": np.full(len(blocks), np.log1p(page_high / high)),
        "area": area,
        "lines": np.log1p(box[:, 3] / unit),
    }


def _text_columns(page: Page, tree: BlockTree) -> dict[str, FloatArray]:
    assert page.geometry is not None
    length = page.leaf_lengths.astype(np.float64)
    linked = page.below(page.has_tag("a"))[page.leaves]
    size = page.geometry.font_size[page.leaves].astype(np.float64)
    size += (page.geometry.font_weight[page.leaves] >= 600) * 0.1 * size
    shown = tree.leaf
    body = _weighted_median(size[shown], length[shown])
    chars = tree.totals(length)
    first = (
        np.where(tree.last > tree.first, size[shown[np.minimum(tree.first, len(shown) - 1)]], body)
        if len(shown)
        else np.full(len(chars), body)
    )  # noqa: E501
    greatest = np.asarray(
        [size[shown[low:high]].max(initial=0.0) for low, high in zip(tree.first, tree.last, strict=True)]
    )
    some = np.maximum(chars, 1.0)
    return {
        "chars": np.log1p(chars),
        "chars_share": chars / max(length[shown].sum(), 1.0),
        "link_share": tree.totals(length * linked) / some,
        "density": np.log1p(chars / np.maximum(tree.last - tree.first, 1)),
        "font": tree.totals(size * length) / some / body,
        "first_font": first / body,
        "fonts_range": greatest / body,
        "page_chars": np.full(len(chars), np.log1p(length[shown].sum())),
        "raw_chars": chars,
    }


def _weighted_median(values: FloatArray, weights: FloatArray) -> float:
    if not len(values):
        return 16.0
    order = np.argsort(values, kind="stable")
    reach = np.cumsum(weights[order])
    return max(float(values[order][np.searchsorted(reach, reach[-1] / 2)]), 1.0)


def _element_columns(page: Page, blocks: Blocks) -> dict[str, FloatArray]:
    node = blocks.node
    columns = {f"tag_{name}": page.has_tag(*tags)[node].astype(np.float64) for name, tags in _TAGS.items()}
    columns |= {name: page.below(page.has_tag(*tags))[node].astype(np.float64) for name, tags in _AROUND.items()}
    assert blocks.rule is not None
    columns["framed"] = (blocks.rule == BOX).astype(np.float64)
    columns["pictures"] = np.log1p(page.count_within(page.has_tag(*PICTURES)))[node]
    columns["controls"] = np.log1p(page.count_within(page.has_tag(*CONTROLS)))[node]
    return columns


def _child_columns(page: Page, blocks: Blocks, tree: BlockTree, known: dict[str, FloatArray]) -> dict[str, FloatArray]:
    child = np.flatnonzero(tree.parent >= 0)
    above = tree.parent[child]
    count = len(blocks)
    some = np.maximum(tree.children, 1).astype(np.float64)

    def mean(values: FloatArray | BoolColumn) -> FloatArray:
        result: FloatArray = np.bincount(above, weights=values[child], minlength=count) / some
        return result

    def spread(values: FloatArray) -> FloatArray:
        average = mean(values)
        variance = np.maximum(mean(values**2) - average**2, 0.0)
        return np.sqrt(variance) / np.maximum(average, 1e-9)

    headed = known["first_font"] > 1.05
    is_first = np.zeros(count, dtype=bool)
    is_first[child] = child == above + 1
    links, text = known["link_share"], known["raw_chars"] > 0
    most, least = np.zeros(count), np.ones(count)
    np.maximum.at(most, above[text[child]], links[child][text[child]])
    np.minimum.at(least, above[text[child]], links[child][text[child]])
    box = blocks.box.astype(np.float64)
    return {
        "children": np.log1p(tree.children),
        "children_leaves": mean(tree.children == 0),
        "children_framed": mean(known["framed"]),
        "children_pictures": mean(known["pictures"] > 0),
        "children_headed": mean(headed),
        "first_headed": (np.bincount(above, weights=(headed & is_first)[child], minlength=count) > 0).astype(float),
        "children_alike": _most_common(_template(page, blocks), tree, child),
        "children_one_font": _most_common(np.round(known["first_font"] * 50).astype(np.int64), tree, child),
        "children_chars_spread": spread(known["raw_chars"]),
        "children_width_spread": spread(box[:, 2]),
        "children_height_spread": spread(box[:, 3]),
        "children_links_range": np.maximum(most - least, 0.0),
        "children_chars_median": mean(known["chars"]),
        "children_height_median": mean(known["height"]),
        "children_area": np.bincount(above, weights=known["area"][child], minlength=count)
        / np.maximum(known["area"], 1.0),
    }


def _template(page: Page, blocks: Blocks) -> NDArray[np.int64]:
    """Return a code of the tag and class of each block's element; unique for a block within its parent's element."""
    code = (page.tag.astype(np.int64) * (len(page.strings) + 1) + page.attribute("class") + 1)[blocks.node]
    inside = (blocks.parent >= 0) & (blocks.node == blocks.node[blocks.parent])
    return np.where(inside, -1 - np.arange(len(blocks)), code)


def _most_common(code: NDArray[np.int64], tree: BlockTree, child: NDArray[np.int64]) -> FloatArray:
    """Return the share of each block's children with the most common code."""
    pair = np.stack([tree.parent[child].astype(np.int64), code[child]], axis=1)
    kind, number = np.unique(pair, axis=0, return_counts=True)
    result = np.zeros(len(tree.parent))
    np.maximum.at(result, kind[:, 0], number)
    return result / np.maximum(tree.children, 1)


def _context_columns(tree: BlockTree, known: dict[str, FloatArray]) -> dict[str, FloatArray]:
    above = np.maximum(tree.parent, 0)
    inner = tree.children > 0
    weights = np.sort(known["weight"][inner])
    rank = np.searchsorted(weights, known["weight"], side="left") / max(len(weights), 1)
    levels = np.zeros(len(tree.parent))
    for row in range(len(tree.parent) - 1, 0, -1):
        if tree.parent[row] >= 0:
            levels[tree.parent[row]] = max(levels[tree.parent[row]], levels[row] + 1)
    inside = tree.greatest(np.where(inner, known["weight"], -1.0))
    return {
        "siblings": np.log1p(np.where(tree.parent >= 0, tree.children[above], 1)),
        "parent_weight": known["weight"][above] - known["weight"],
        "parent_horizontal": known["horizontal"][above],
        "parent_framed": known["framed"][above],
        "parent_alike": known["children_alike"][above],
        "weight_inside": known["weight"] - inside,
        "weight_rank": rank,
        "levels": np.log1p(levels),
        "page_weight": np.full(len(tree.parent), float(np.median(weights)) if len(weights) else 0.0),
    }
