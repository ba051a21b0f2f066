"""Layout of a page's repeated records: box of each, direction and pitch of each group, blocks in each record.

The groups are those of :func:`~blocksight.segment.record_groups.find_record_groups`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, FloatColumn, IntColumn
from ..page.page import Page
from .blocks import Blocks
from .record_groups import RecordGroup, Span, find_record_groups
from .vips.nodes import nodes_of

#: Arrangements of the records of a group; without boxes it is unknown.
UNKNOWN, COLUMN, ROW, GRID = range(-1, 3)
DIRECTIONS = {COLUMN: "column", ROW: "row", GRID: "grid"}


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordLayout:
    """Repeated records of a page in document order, each before the records inside it."""

    node: IntColumn  # (records,): A record covers the page's rows [node, end)
    end: IntColumn  # (records,)
    group: IntColumn  # (records,): group of each record
    parent: IntColumn  # (records,): innermost record around each record, -1 for none
    box: FloatColumn  # (records, 4): [x, y, width, height] in CSS pixels of the document; NaN if not rendered
    block_record: IntColumn  # (blocks,): innermost record around each block and each text leaf, -1 for none
    leaf_record: IntColumn  # (leaves,)
    group_node: IntColumn  # (groups,): element around all records of each group
    #: (groups,): :data:`COLUMN` (vertical), :data:`ROW` (horizontal), :data:`GRID`, or :data:`UNKNOWN` without boxes
    group_direction: NDArray[np.int8]
    #: (groups, 2): median distance between the left and between the top edges of successive records in CSS pixels; 0 if
    #: no record follows in that direction
    group_pitch: FloatColumn
    group_record: IntColumn  # (groups,): innermost record around each group, -1 for none

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def groups(self) -> list[IntColumn]:
        """Records of each group, in document order."""
        return [(self.group == group).nonzero()[0].astype(np.int32) for group in range(len(self.group_node))]


def record_layout(page: Page, blocks: Blocks) -> RecordLayout:
    """Return a page's repeated records and which blocks they contain; boxes, directions and pitches need geometry."""
    groups = find_record_groups(page, nested=True)
    order = sorted((first, -end, number) for number, group in enumerate(groups) for first, end in group.spans)
    first, negative_end, group = np.asarray(order, dtype=np.int32).reshape(-1, 3).T
    innermost = np.full(len(page) + 1, -1, dtype=np.int32)
    for record, (start, stop) in enumerate(zip(first.tolist(), (-negative_end).tolist(), strict=True)):
        innermost[start:stop] = record
    box = _boxes(page, groups, [(start, -stop) for start, stop, _ in order])
    of_group = [box[(group == number) & np.isfinite(box[:, 0])] for number in range(len(groups))]
    corners = box.copy()
    corners[:, 2:] -= corners[:, :2]
    group_node = np.asarray([group.node for group in groups], dtype=np.int32)
    return RecordLayout(
        node=first,
        end=-negative_end,
        group=group,
        parent=innermost[page.parent[first]],
        box=corners.astype(np.float32),
        block_record=_block_records(page, blocks, innermost),
        leaf_record=innermost[page.leaves],
        group_node=group_node,
        group_direction=np.asarray([direction_of(each) for each in of_group], dtype=np.int8),
        group_pitch=np.asarray([_pitch(each) for each in of_group], dtype=np.float32).reshape(-1, 2),
        group_record=innermost[group_node],
    )


def _boxes(page: Page, groups: list[RecordGroup], spans: list[Span]) -> FloatArray:
    """Return the visible extent of each record, as wide as it is laid out: text fills a box raggedly."""
    corners = np.full((len(spans), 4), np.nan)
    if page.geometry is None or not groups:
        return corners
    extent = nodes_of(page).box
    for record, (first, end) in enumerate(spans):
        siblings = first + (page.parent[first:end] == page.parent[first]).nonzero()[0]
        corners[record, :2] = np.fmin.reduce(extent[siblings, :2])
        corners[record, 2:] = np.fmax.reduce(extent[siblings, 2:])
        left, _, width, _ = page.geometry.box[first].tolist()
        if width > 0 and len(siblings) == 1:
            corners[record, 0] = min(left, corners[record, 0])
            corners[record, 2] = max(left + width, corners[record, 2])
    return corners


def direction_of(box: FloatArray) -> int:
    """Return the arrangement of boxes ``[left, top, right, bottom]``: :data:`COLUMN`, :data:`ROW` or :data:`GRID`."""
    if not len(box):
        return UNKNOWN
    same_line = _on_one_line(box)
    return ROW if all(same_line) else GRID if any(same_line) else COLUMN


def _on_one_line(box: FloatArray) -> list[bool]:
    """Return for each two successive boxes whether they overlap vertically by more than half of the lower one."""
    return [
        bool(min(one[3], other[3]) - max(one[1], other[1]) > 0.5 * min(one[3] - one[1], other[3] - other[1]))
        for one, other in pairwise(box)
    ]


def _pitch(box: FloatArray) -> tuple[float, float]:
    same_line = np.asarray(_on_one_line(box), dtype=bool)
    steps = np.diff(box[:, :2], axis=0)
    across, down = np.abs(steps[same_line, 0]), steps[~same_line, 1]
    return float(np.median(across)) if len(across) else 0.0, float(np.median(down)) if len(down) else 0.0


def _block_records(page: Page, blocks: Blocks, innermost: IntColumn) -> IntColumn:
    """Return the record around all text of each block, or else around its element, int32 (blocks,)."""
    record = np.where(blocks.node >= 0, innermost[blocks.node], -1).astype(np.int32)
    low, high = np.full(len(blocks), np.iinfo(np.int32).max), np.full(len(blocks), -2)
    inside = (blocks.leaf_block >= 0).nonzero()[0]
    of_leaf = innermost[page.leaves[inside]]
    np.minimum.at(low, blocks.leaf_block[inside], of_leaf)
    np.maximum.at(high, blocks.leaf_block[inside], of_leaf)
    same = low == high
    record[same] = np.maximum(record[same], low[same])
    return record
