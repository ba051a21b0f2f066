"""Lines as a person counts them: from where text stands, not from the tags between.

SCEDD (2016) gives each node a line number, the count of block-level tags before it, since a DOM parser knows no better.
With geometry the line is known: :func:`number_lines` gives both, and how far they differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from ..render.visibility.backgrounds import visible_boxes
from .blocks import text_blocks

#: Pieces of one line that are further apart than this many line heights belong to different columns.
COLUMN_GAP = 2.0

#: Lines follow one another at no more than so many line heights: in a paragraph, which may be set loosely; in a column,
#: where they may as well be entries with white space between.
_LOOSE, _TIGHT = 2.5, 1.5


@dataclass(frozen=True, kw_only=True, eq=False)
class LineGrid:
    """The visual lines of a page.

    Attributes
    ----------
    box : float64 (lines, 4)
        ``[x, y, width, height]`` in CSS pixels of the document, in document order of their first text.
    column : int32 (lines,)
        Lines whose left edges are at most half a line height apart have one number.
    leaf, line : int32 (pieces,)
        Which text leaf has text on which line.
    """

    box: FloatArray
    column: IntColumn
    leaf: IntColumn
    line: IntColumn

    def __len__(self) -> int:
        return len(self.box)


@dataclass(frozen=True, kw_only=True, eq=False)
class LineNumbers:
    """Where each text leaf stands, in lines.

    Attributes
    ----------
    height : float
        Median height of the page's lines from baseline to baseline, CSS pixels; NaN without lines.
    line : float64 (leaves,)
        Top of the leaf's first seen line in such lines, from 0; NaN where nothing of a leaf is seen.
    line_sum : float
        Height of the document in such lines; NaN without geometry.
    counted : int32 (leaves,)
        SCEDD's own: block-level tags that begin before the leaf.
    counted_sum : int
        SCEDD's own: block-level tags of the page.
    difference : float64 (leaves,)
        ``line / line_sum - counted / counted_sum``, -1 to 1: above 0 where a leaf stands further down than the tags
        tell; NaN where nothing of a leaf is seen.
    """

    height: float
    line: FloatArray
    line_sum: float
    counted: IntColumn
    counted_sum: int
    difference: FloatArray


def flow_lines(boxes: FloatArray, block: IntColumn) -> IntColumn:
    """Number the lines in which the text of blocks flows.

    A box goes on with the line of the box before it in its block if the two overlap by more than half of the lower
    one's height. Where text goes on at the head of the next column, a new line begins, however near the columns are.

    Parameters
    ----------
    boxes : float64 (boxes, 4)
        ``[x, y, width, height]``, in document order.
    block : int32 (boxes,)

    Returns
    -------
    int32 (boxes,)
        Counted over all blocks, from 0.
    """
    order = np.argsort(block, kind="stable")
    top, height = boxes[order, 1], boxes[order, 3]
    bottom = top + height
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    same = (block[order][1:] == block[order][:-1]) & (shared > np.minimum(height[1:], height[:-1]) / 2)
    line = np.zeros(len(order), dtype=np.int32)
    line[order[1:]] = np.cumsum(~same)
    return line


#: Of more places than this, a run of the same line is looked at once.
_LONG_RUN = 50


def line_grid(page: Page) -> LineGrid:
    """Find the visual lines of a page: pieces of text on one baseline with no column's gap between them.

    Parameters
    ----------
    page : Page
        With geometry; without, the grid is empty.
    """
    if page.geometry is None:
        corners, leaf = np.zeros((0, 4)), np.zeros(0, dtype=np.int32)
    else:
        seen = visible_boxes(page)
        corners, leaf = seen.line, seen.leaf
    boxes = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
    flow = flow_lines(boxes, text_blocks(page).leaf_block[leaf])
    line = _renumbered(_join_lines(_bounding_boxes(corners, flow))[flow]) if len(flow) else flow.astype(np.int64)
    box = _bounding_boxes(corners, line)
    return LineGrid(box=box, column=_columns(box), leaf=leaf, line=line.astype(np.int32))


def number_lines(page: Page) -> LineNumbers:
    """Return each text leaf its line from coordinates, and SCEDD's own count beside it.

    Parameters
    ----------
    page : Page
        With or without geometry; without it only the counts are known.
    """
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
    """Running maximum that begins anew with each group (groups stand together, numbered upwards)."""
    span = float(np.ptp(values)) + 1.0
    running: FloatArray = np.maximum.accumulate(values + group * span) - group * span
    return running


def _clusters(values: FloatArray, tolerance: FloatArray) -> NDArray[np.int64]:
    """Number values so that sorted neighbours no further apart than their tolerances have one number."""
    order = np.argsort(values, kind="stable")
    near = np.diff(values[order]) <= np.minimum(tolerance[order][1:], tolerance[order][:-1])
    number = np.zeros(len(values), dtype=np.int64)
    number[order[1:]] = np.cumsum(~near)
    return number


def _join_lines(box: FloatArray) -> NDArray[np.int64]:
    """Number lines so that those on one baseline without a column's gap between them have one number.

    The bands around the baselines are met from left to right. At each height, only the one that reaches farthest is
    remembered: whatever meets another there meets that one as well. So many that lie over each other cost no more.
    """
    height = box[:, 3]
    # A baseline lies about a fifth of the box above its bottom, in any usual font.
    baseline = box[:, 1] + 0.8 * height
    left, right = box[:, 0].tolist(), (box[:, 0] + box[:, 2] + COLUMN_GAP * height).tolist()
    rank = np.unique(np.concatenate([baseline - height / 6, baseline + height / 6]), return_inverse=True)[1]
    # Places where bands begin and end, and what lies between them.
    first, last = (2 * rank[: len(box)]).tolist(), (2 * rank[len(box) :] + 1).tolist()
    far, whose = np.full(4 * len(box), -np.inf), np.zeros(4 * len(box), dtype=np.int64)
    chief = list(range(len(box)))
    for row in np.argsort(box[:, 0], kind="stable").tolist():
        ends, owners = far[first[row] : last[row]], whose[first[row] : last[row]]
        met = owners[ends >= left[row]]
        for other in set(met[np.diff(met, prepend=-1) != 0].tolist() if len(met) > _LONG_RUN else met.tolist()):
            low, high = sorted((_root(chief, row), _root(chief, other)))
            chief[high] = low
        shorter = ends < right[row]
        ends[shorter], owners[shorter] = right[row], row
    return np.asarray([_root(chief, row) for row in range(len(box))], dtype=np.int64)


def _root(chief: list[int], row: int) -> int:
    while chief[row] != row:
        chief[row] = chief[chief[row]]
        row = chief[row]
    return row


def _renumbered(number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number groups by their first member."""
    _, first, group = np.unique(number, return_index=True, return_inverse=True)
    rank = np.zeros(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


def _bounding_boxes(corners: FloatArray, group: IntColumn | NDArray[np.int64]) -> FloatArray:
    count = int(group.max(initial=-1)) + 1
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, group, corners[:, :2])
    np.maximum.at(high, group, corners[:, 2:])
    return np.concatenate([low, high - low], axis=1)


def _columns(box: FloatArray) -> IntColumn:
    """Number lines by their left edges: neighbours within half a line height share a column."""
    return _renumbered(_clusters(box[:, 0], box[:, 3] / 2)).astype(np.int32)


def _pitch(grid: LineGrid, paragraph: IntColumn) -> float:
    """Median distance of neighbouring lines of a paragraph; of a column, where no paragraph has two; else their height.

    Parameters
    ----------
    grid : LineGrid
    paragraph : int32 (leaves,)
    """
    if not len(grid):
        return float("nan")
    first = np.unique(grid.line, return_index=True)[1]
    for group, most in ((paragraph[grid.leaf[first]], _LOOSE), (grid.column, _TIGHT)):
        order = np.lexsort((grid.box[:, 1], group))
        step, height = np.diff(grid.box[order, 1]), grid.box[order, 3][1:]
        next_line = (np.diff(group[order]) == 0) & (step > height / 2) & (step < most * height)
        if next_line.any():
            return float(np.median(step[next_line]))
    return float(np.median(grid.box[:, 3]))
