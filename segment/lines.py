"""Visual lines of a page, and line numbers of its text leaves from coordinates.

SCEDD (2016) gives each node a line number, the count of block-level tags before it, since a DOM parser has no layout.
:func:`number_lines` returns both and their difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.visible_boxes import visible_boxes
from .blocks import bounding_corners, text_blocks

#: Gap in line heights between pieces of one line from which they belong to different columns.
COLUMN_GAP = 2.0

#: Greatest distance of successive lines in line heights: in a paragraph; in a column, whose lines may be list entries.
_LOOSE, _TIGHT = 2.5, 1.5


@dataclass(frozen=True, kw_only=True, eq=False)
class LineGrid:
    """Visual lines of a page."""

    #: (lines, 4): [x, y, width, height] in CSS pixels of the document, in document order of their first text
    box: FloatArray
    column: IntColumn  # (lines,): number shared by lines whose left edges differ by at most half a line height
    leaf: IntColumn  # (pieces,): text leaf and line of each piece of text
    line: IntColumn  # (pieces,)

    def __len__(self) -> int:
        return len(self.box)


@dataclass(frozen=True, kw_only=True, eq=False)
class LineNumbers:
    """Line numbers of the text leaves."""

    height: float  # median distance of baselines in CSS pixels; NaN without lines
    line: FloatArray  # (leaves,): top of the leaf's first visible line in such lines, from 0; NaN for an invisible leaf
    line_sum: float  # height of the document in such lines; NaN without geometry
    counted: IntColumn  # (leaves,): SCEDD's count: block-level start tags before the leaf
    counted_sum: int  # SCEDD's count: block-level tags of the page
    #: (leaves,): line / line_sum - counted / counted_sum, -1 to 1: above 0 if a leaf is further down than the tags
    #: suggest; NaN for an invisible leaf
    difference: FloatArray


def flow_lines(boxes: FloatArray, block: IntColumn) -> IntColumn:
    """Return the number of the text line of each box ``[x, y, width, height]``, over all blocks from 0, int32 (boxes,).

    Boxes are in document order. A box continues the line of the previous box of its block if the two overlap by more
    than half of the smaller height. A new line starts where text continues at the top of the next column.
    """
    order = np.argsort(block, kind="stable")
    top, height = boxes[order, 1], boxes[order, 3]
    bottom = top + height
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    same = (block[order][1:] == block[order][:-1]) & (shared > np.minimum(height[1:], height[:-1]) / 2)
    line = np.zeros(len(order), dtype=np.int32)
    line[order[1:]] = np.cumsum(~same)
    return line


#: With more overlaps than this, successive equal ones are deduplicated first.
_LONG_RUN = 50


def line_grid(page: Page) -> LineGrid:
    """Return the pieces of text on one baseline without a column gap; an empty grid without geometry."""
    if page.geometry is None:
        corners, leaf = np.zeros((0, 4)), np.zeros(0, dtype=np.int32)
    else:
        visible = visible_boxes(page)
        corners, leaf = visible.line, visible.leaf
    boxes = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
    flow = flow_lines(boxes, text_blocks(page).leaf_block[leaf])
    line = _renumbered(_join_lines(_bounding_boxes(corners, flow))[flow]) if len(flow) else flow.astype(np.int64)
    box = _bounding_boxes(corners, line)
    column = _renumbered(_clusters(box[:, 0], box[:, 3] / 2)).astype(np.int32)
    return LineGrid(box=box, column=column, leaf=leaf, line=line.astype(np.int32))


def number_lines(page: Page) -> LineNumbers:
    """Return the line of each text leaf from coordinates, which need geometry, and SCEDD's count."""
    block = page.block_level
    counted = np.cumsum(block)[page.leaves].astype(np.int32)
    total = int(block.sum())
    line = np.full(len(page.leaves), np.inf)
    grid = line_grid(page)
    np.minimum.at(line, grid.leaf, grid.box[grid.line, 1])
    height = _pitch(grid, text_blocks(page).leaf_block)
    line[~np.isfinite(line)] = np.nan
    line /= height
    line_sum = page.geometry.size[1] / height if page.geometry else float("nan")
    return LineNumbers(
        height=height,
        line=line,
        line_sum=line_sum,
        counted=counted,
        counted_sum=total,
        difference=line / line_sum - counted / max(total, 1),
    )


def running_maximum(values: FloatArray, group: IntColumn | NDArray[np.int64]) -> FloatArray:
    """Return the running maximum within each group; groups are contiguous and numbered in ascending order."""
    span = float(np.ptp(values)) + 1.0
    running: FloatArray = np.maximum.accumulate(values + group * span) - group * span
    return running


def _clusters(values: FloatArray, tolerance: FloatArray) -> NDArray[np.int64]:
    order = np.argsort(values, kind="stable")
    near = np.diff(values[order]) <= np.minimum(tolerance[order][1:], tolerance[order][:-1])
    number = np.zeros(len(values), dtype=np.int64)
    number[order[1:]] = np.cumsum(~near)
    return number


def _join_lines(box: FloatArray) -> NDArray[np.int64]:
    """Number lines so that those on one baseline without a column gap between them share a number."""
    height = box[:, 3]
    # In common fonts the baseline is about a fifth of the box above its bottom.
    baseline = box[:, 1] + 0.8 * height
    left, right = box[:, 0], box[:, 0] + box[:, 2] + COLUMN_GAP * height
    rank = np.unique(np.concatenate([baseline - height / 6, baseline + height / 6]), return_inverse=True)[1]
    first, last = rank[: len(box)].astype(np.int64), rank[len(box) :].astype(np.int64)
    # Lines with the same band are joined at once: from left to right, up to the first gap.
    order = np.lexsort((left, last, first))
    first, last, left, right = first[order], last[order], left[order], right[order]
    starts = np.ones(len(order), dtype=bool)
    same_band = (np.diff(first) == 0) & (np.diff(last) == 0)
    starts[1:] = ~same_band
    band = np.cumsum(starts) - 1
    starts[1:] |= left[1:] > _exact_running_maximum(right, band)[:-1]
    chain, begin = np.cumsum(starts) - 1, np.flatnonzero(starts)
    # Only bands that overlap others are left; they are sorted by their first rank.
    reach = np.maximum.accumulate(last[begin])
    cluster = np.ones(len(begin), dtype=bool)
    cluster[1:] = first[begin][1:] > reach[:-1]
    cluster_of = np.cumsum(cluster) - 1
    bands = np.bincount(cluster_of, weights=np.diff(band[begin], prepend=-1))
    number = np.arange(len(begin))
    several = np.flatnonzero(bands[cluster_of] > 1)
    farthest = np.maximum.reduceat(right, begin)[several]
    number[several] = several[_join_bands(first[begin][several], last[begin][several], left[begin][several], farthest)]
    joined = np.empty(len(box), dtype=np.int64)
    joined[order] = number[chain]
    return joined


def _exact_running_maximum(values: FloatArray, group: NDArray[np.int64]) -> FloatArray:
    """Return the running maximum within contiguous groups in ascending order, without rounding."""
    order = np.lexsort((values, group))
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    running: FloatArray = values[order[np.maximum.accumulate(rank)]]
    return running


def _join_bands(
    first_rank: NDArray[np.int64], last_rank: NDArray[np.int64], left: FloatArray, right: FloatArray
) -> NDArray[np.int64]:
    """Return for each rectangle, from rank to rank and from left to right, the first one that it is joined with.

    Rectangles are processed from left to right. Per height interval only the one that reaches farthest right is stored:
    any later one that touches another one there touches that too. So many overlapping lines stay linear.
    """
    ranks = np.unique(np.concatenate([first_rank, last_rank]), return_inverse=True)[1]
    # Even indices are the ends of bands, odd ones the intervals between them.
    first, last = (2 * ranks[: len(left)]).tolist(), (2 * ranks[len(left) :] + 1).tolist()
    reach, owner = np.full(4 * len(left), -np.inf), np.zeros(4 * len(left), dtype=np.int64)
    parents = list(range(len(left)))
    starts, ends = left.tolist(), right.tolist()
    for row in np.argsort(left, kind="stable").tolist():
        interval_reach, interval_owners = reach[first[row] : last[row]], owner[first[row] : last[row]]
        touching = interval_owners[interval_reach >= starts[row]]
        for other in set(
            touching[np.diff(touching, prepend=-1) != 0].tolist() if len(touching) > _LONG_RUN else touching.tolist()
        ):
            low, high = sorted((_root(parents, row), _root(parents, other)))
            parents[high] = low
        shorter = interval_reach < ends[row]
        interval_reach[shorter], interval_owners[shorter] = ends[row], row
    return np.asarray([_root(parents, row) for row in range(len(left))], dtype=np.int64)


def _root(parents: list[int], row: int) -> int:
    while parents[row] != row:
        parents[row] = parents[parents[row]]
        row = parents[row]
    return row


def _renumbered(number: NDArray[np.int64]) -> NDArray[np.int64]:
    _, first, group = np.unique(number, return_index=True, return_inverse=True)
    rank = np.zeros(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


def _bounding_boxes(corners: FloatArray, group: IntColumn | NDArray[np.int64]) -> FloatArray:
    box = bounding_corners(corners, group, int(group.max(initial=-1)) + 1)
    box[:, 2:] -= box[:, :2]
    return box


def _pitch(grid: LineGrid, paragraph: IntColumn) -> float:
    """Return the median distance of successive lines of a paragraph, else of a column, else the median line height."""
    if not len(grid):
        return float("nan")
    first = np.unique(grid.line, return_index=True)[1]
    for group, greatest in ((paragraph[grid.leaf[first]], _LOOSE), (grid.column, _TIGHT)):
        order = np.lexsort((grid.box[:, 1], group))
        step, height = np.diff(grid.box[order, 1]), grid.box[order, 3][1:]
        next_line = (np.diff(group[order]) == 0) & (step > height / 2) & (step < greatest * height)
        if next_line.any():
            return float(np.median(step[next_line]))
    return float(np.median(grid.box[:, 3]))
