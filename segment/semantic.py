"""Semantic blocks of medium length, and the relations of two blocks.

After GenieKnows (CleanEval 2007), which is known from slides only: "semantic blocks" from the DOM and the appearance,
of medium length, related by their distance, their horizontal offset and equal widths. The construction is ours:
paragraphs are joined if one of them is short, the elements around them allow it, and they have a similar style.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.visible_boxes import visible_boxes
from .blocks import Blocks, flat_blocks, leaf_boxes, text_blocks

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, kw_only=True, eq=False)
class Relations:
    """Relations of pairs of blocks."""

    #: (pairs,): white space between the two boxes, CSS pixels; 0 if they touch or overlap, NaN without geometry
    distance: FloatArray
    offset: FloatArray  # (pairs,): left edge of the second minus that of the first, CSS pixels
    same_width: BoolColumn  # (pairs,): whether their widths differ by no more than the tolerance


def semantic_blocks(
    page: Page, *, least: int = 80, most: int = 1500, gap: float = 1.5, likeness: float = 1.1
) -> Blocks:
    """Segment a page into blocks of medium length.

    Two neighbouring blocks are joined, the deepest in the tree first, if one of them is short, both are all content of
    their elements, and their styles are similar: same background, similar font size, and little white space between. A
    heading is joined to the text after it, never to the text before. A paragraph that is too long is split at its line
    breaks.

    Parameters
    ----------
    page : Page
        Without geometry only the elements decide.
    least, most : int
        Characters. Blocks shorter than ``least`` are joined if the result is no longer than ``most``.
    gap : float
        Greatest white space between joined blocks in font sizes.
    likeness : float
        Greatest ratio of font sizes of joined blocks.

    Returns
    -------
    Blocks
        Flat, in document order; ``node`` is the smallest element around each block.
    """
    if not 0 < least <= most:
        raise ValueError(f"least must be above 0 and no more than most, not {least} and {most}")
    size = np.asarray([len("".join(text.split())) for text in page.leaf_texts], dtype=np.int64)
    pieces = _pieces(page, size, least, most)
    joined = _Joining(page, pieces, size, gap=gap, likeness=likeness).joined(least, most)
    leaf_block = (np.cumsum(np.diff(joined[pieces], prepend=-1) > 0) - 1).astype(np.int32)
    count = int(leaf_block.max(initial=-1)) + 1
    return flat_blocks(page, _common_elements(page, leaf_block, count), leaf_block)


def relations(blocks: Blocks, one: IntColumn, other: IntColumn, *, tolerance: float = 0.05) -> Relations:
    """Return the relations of pairs of rows; widths are equal up to ``tolerance`` of the wider one."""
    low, size = blocks.box[:, :2].astype(np.float64), blocks.box[:, 2:].astype(np.float64)
    high = low + size
    apart = np.maximum(np.maximum(low[one], low[other]) - np.minimum(high[one], high[other]), 0.0)
    wider = np.maximum(size[one, 0], size[other, 0])
    return Relations(
        distance=np.hypot(apart[:, 0], apart[:, 1]),
        offset=low[other, 0] - low[one, 0],
        same_width=np.abs(size[one, 0] - size[other, 0]) <= tolerance * wider,
    )


def _pieces(page: Page, size: NDArray[np.int64], least: int, most: int) -> IntColumn:
    """Return the paragraph of each leaf, int32 (leaves,); long ones are split at line breaks."""
    paragraph = text_blocks(page).leaf_block
    length = np.bincount(paragraph, weights=size)
    breaks = np.cumsum(page.has_tag("br"))[page.leaves]
    starts = np.diff(paragraph, prepend=-1) > 0
    characters = 0
    for leaf in np.flatnonzero(length[paragraph] > most).tolist():
        at_break = leaf > 0 and breaks[leaf] > breaks[leaf - 1] and characters >= least
        starts[leaf] |= at_break
        characters = int(size[leaf]) + (0 if starts[leaf] else characters)
    return (np.cumsum(starts) - 1).astype(np.int32)


class _Joining:
    """Pieces in document order, their styles, and the depth in the tree at which two neighbours meet."""

    def __init__(self, page: Page, piece: IntColumn, size: NDArray[np.int64], *, gap: float, likeness: float) -> None:
        count = int(piece.max(initial=-1)) + 1
        self.length = np.bincount(piece, weights=size, minlength=count).astype(np.int64)
        self.first = np.searchsorted(piece, np.arange(count))
        self.last = np.searchsorted(piece, np.arange(count), side="right") - 1
        self.opened, self.closed = _depths(page)
        self.heading = page.below(page.has_tag(*_HEADINGS))[page.leaves[self.first]]
        self.similar = np.ones(max(count - 1, 0), dtype=bool)
        if page.geometry is not None and count:
            self._compare_styles(page, piece, gap, likeness)

    def _compare_styles(self, page: Page, piece: IntColumn, gap: float, likeness: float) -> None:
        geometry = page.geometry
        assert geometry is not None
        rows = page.leaves[self.first]
        font = np.maximum(geometry.font_size[rows].astype(np.float64), 1.0)
        ground = visible_boxes(page).ground[rows]
        larger = font[:-1] > likeness * font[1:]
        bolder = (geometry.font_weight[rows][:-1] > geometry.font_weight[rows][1:]) & (font[:-1] >= font[1:])
        # A piece in a larger or bolder font than the next is its heading.
        self.heading[:-1] |= larger | bolder
        same_font = (np.maximum(font[1:], font[:-1]) <= likeness * np.minimum(font[1:], font[:-1])) | self.heading[:-1]
        box = leaf_boxes(page, piece, len(self.length)).astype(np.float64)
        white = np.maximum(box[1:, :2] - (box[:-1, :2] + box[:-1, 2:]), box[:-1, :2] - (box[1:, :2] + box[1:, 2:]))
        near = (white <= gap * np.minimum(font[1:], font[:-1])[:, None]).all(axis=1)
        self.similar = same_font & (ground[1:] == ground[:-1]) & (near | np.isnan(white).any(axis=1))

    def joined(self, least: int, most: int) -> NDArray[np.int64]:
        start, end, length = list(range(len(self.length))), list(range(len(self.length))), self.length.tolist()
        meet = self.opened[self.first[1:]]
        for left in np.argsort(-meet, kind="stable").tolist():
            if not self.similar[left] or self.heading[left + 1]:
                continue
            one, other, depth = start[left], left + 1, meet[left]
            whole = self.opened[self.first[one]] <= depth and self.closed[self.last[end[other]]] <= depth
            if whole and min(length[one], length[other]) < least and length[one] + length[other] <= most:
                length[one] += length[other]
                end[one] = end[other]
                # Only the ends of a block are read again.
                start[end[one]] = start[other] = one
        for piece, head in enumerate(start):
            start[piece] = start[head] if head != piece else piece
        return np.asarray(start, dtype=np.int64)


def _depths(page: Page) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the depths of the highest element that starts, and of the highest that ends, with each text leaf."""
    opened = np.full(len(page.leaves), np.iinfo(np.int64).max)
    closed = opened.copy()
    has_text = page.leaf_range[:, 1] > page.leaf_range[:, 0]
    np.minimum.at(opened, page.leaf_range[has_text, 0], page.depth[has_text])
    np.minimum.at(closed, page.leaf_range[has_text, 1] - 1, page.depth[has_text])
    return opened, closed


def _common_elements(page: Page, leaf_block: IntColumn, count: int) -> IntColumn:
    first = np.searchsorted(leaf_block, np.arange(count))
    last = page.leaves[np.searchsorted(leaf_block, np.arange(count), side="right") - 1]
    node = page.parent[page.leaves[first]]
    outside = page.end[node] <= last
    while outside.any():
        node[outside] = page.parent[node[outside]]
        outside = page.end[node] <= last
    return node.astype(np.int32)
