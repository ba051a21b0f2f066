"""Repeated records: cards, posts, products, rows that stand beside or below one another in one shape.

Siblings of one make are records where they are equally wide, built alike and evenly spaced. A record may be several
siblings (a title row and a row of facts, ``dt`` and ``dd``); groups may lie in records of other groups: a thread holds
posts, a post quotes. Paragraphs and headings are prose, however evenly they are set.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, FloatColumn, IntColumn
from ..page.page import Page
from .blocks import Blocks
from .shape import LIKE, Shapes, like
from .vips.nodes import Nodes, nodes_of

#: Ways in which the records of a group follow one another.
COLUMN, ROW, GRID = range(3)
DIRECTIONS = {COLUMN: "column", ROW: "row", GRID: "grid"}
#: Elements of running text, which repeat in any article.
_PROSE = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br", "figure", "ul", "ol", "table")
#: Elements that are entries of something even where they hold nothing but text.
_ENTRIES = ("li", "tr", "dt", "dd", "article")
#: Share of a group that is as wide as most, and share of the gaps that are about as large as most.
_MOST = 0.7
#: Pixels, or shares of a width, by which equal widths differ; line heights by which equal gaps do.
_WIDTH, _WIDTH_SHARE, _GAP = 2.0, 0.03, 0.6
#: Kinds of siblings that one is compared with, the latest.
_KINDS = 30
#: Siblings that one record may be made of, and how often such a row has to repeat.
_LONGEST, _FEWEST = 4, 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Records:
    """The repeated records of a page, in document order, each before those inside it.

    Attributes
    ----------
    node : int32 (records,)
        Its element, the first one where a record is made of several siblings.
    end : int32 (records,)
        It covers the page's rows ``[node, end)``.
    group : int32 (records,)
        The group that it is one of.
    box : float32 (records, 4)
        ``[x, y, width, height]`` in CSS pixels of the document.
    block_record : int32 (blocks,)
        For each block of the segmentation the innermost record that it lies in, -1 for none.
    leaf_record : int32 (leaves,)
        The same for each text leaf of the page.
    group_node : int32 (groups,)
        The element around all records of each group.
    group_direction : int8 (groups,)
        :data:`COLUMN` (one below the other), :data:`ROW` (side by side) or :data:`GRID`.
    group_pitch : float32 (groups, 2)
        From one record to the next, the usual distance of their left and of their top edges in CSS pixels; 0 where
        there is no next one in that direction.
    group_record : int32 (groups,)
        The record that a group lies in, -1 for none.
    """

    node: IntColumn
    end: IntColumn
    group: IntColumn
    box: FloatColumn
    block_record: IntColumn
    leaf_record: IntColumn
    group_node: IntColumn
    group_direction: NDArray[np.int8]
    group_pitch: FloatColumn
    group_record: IntColumn

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def parent(self) -> IntColumn:
        """int32 (records,): the record around each, -1 for none."""
        return self.group_record[self.group] if len(self) else np.zeros(0, dtype=np.int32)

    def of_group(self, group: int) -> IntColumn:
        """Return the records of one group, in document order."""
        return np.flatnonzero(self.group == group).astype(np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Records, each a run of rows ``(first, end)`` of the page, and the element around them."""

    node: int
    spans: tuple[tuple[int, int], ...]
    boxes: FloatArray


def records(page: Page, blocks: Blocks) -> Records:
    """Find the repeated records of a rendered page, and mark the blocks of a segmentation that lie in them.

    Parameters
    ----------
    page : Page
        With geometry.
    blocks : Blocks
        Any segmentation of the page.

    Raises
    ------
    ValueError
        When the page has no geometry.
    """
    if page.geometry is None:
        raise ValueError("records are found by where they stand: render the page with Browser().open(...)")
    nodes = nodes_of(page)
    groups = list(_groups(nodes, Shapes(page, nodes.valid)))
    spans = [(first, -end, number) for number, group in enumerate(groups) for first, end in group.spans]
    order = sorted(range(len(spans)), key=spans.__getitem__)
    boxes = np.concatenate([group.boxes for group in groups]) if groups else np.zeros((0, 4))
    node = np.asarray([spans[at][0] for at in order], dtype=np.int32)
    end = np.asarray([-spans[at][1] for at in order], dtype=np.int32)
    group_node = np.asarray([group.node for group in groups], dtype=np.int32)
    held = _innermost(len(page), node, end)
    corners = boxes[order]
    corners[:, 2:] -= corners[:, :2]
    return Records(
        node=node,
        end=end,
        group=np.asarray([spans[at][2] for at in order], dtype=np.int32),
        box=corners.astype(np.float32).reshape(-1, 4),
        block_record=_block_records(page, blocks, held),
        leaf_record=held[page.leaves],
        group_node=group_node,
        group_direction=np.asarray([direction_of(group.boxes) for group in groups], dtype=np.int8),
        group_pitch=np.asarray([_pitch(group.boxes) for group in groups], dtype=np.float32).reshape(-1, 2),
        group_record=held[group_node] if groups else np.zeros(0, dtype=np.int32),
    )


def _groups(nodes: Nodes, shapes: Shapes) -> list[_Group]:
    """Find the groups among the children of every element, in document order."""
    page = nodes.page
    prose = page.has_tag(*_PROSE)
    rows = np.flatnonzero(nodes.flow & (page.text < 0))
    children: dict[int, list[int]] = defaultdict(list)
    for row, above in zip(rows.tolist(), page.parent[rows].tolist(), strict=True):
        children[above].append(row)
    found = []
    for above, siblings in sorted(children.items()):
        if len(siblings) > 1:
            found += [
                group for spans in _candidates(nodes, shapes, prose, siblings) if (group := _even(nodes, above, spans))
            ]
    return found


def _candidates(
    nodes: Nodes, shapes: Shapes, prose: NDArray[np.bool_], siblings: list[int]
) -> list[list[tuple[int, int]]]:
    """Return siblings that are built alike, and rows of siblings that repeat, as runs of the page's rows."""
    end, tag = nodes.page.end, nodes.page.tag
    kinds: list[tuple[int, frozenset[int], list[int]]] = []
    for row in siblings:
        shape = shapes.of(row)
        kind = next((kind for kind in kinds[-_KINDS:] if kind[0] == tag[row] and like(kind[1], shape)), None)
        if kind is None:
            kinds.append((int(tag[row]), shape, [row]))
        else:
            kind[2].append(row)
    repeated = _repeated(nodes, prose, siblings, kinds)
    whole = [(spans[0][0], spans[-1][1]) for spans in repeated]
    # Siblings stand in order.
    runs = (slice(bisect_left(siblings, first), bisect_left(siblings, last)) for first, last in whole)
    taken = {row for run in runs for row in siblings[run]}
    alike = [
        [(row, int(end[row])) for row in members]
        for _, _, members in kinds
        if members[0] not in taken and not prose[members[0]] and _is_more_than_text(nodes, shapes, members)
    ]
    return alike + repeated


def _is_more_than_text(nodes: Nodes, shapes: Shapes, members: list[int]) -> bool:
    """Return whether siblings show more than a paragraph each, or are entries of a list or table."""
    page = nodes.page
    parts = sum(bool(shapes.of(row)) and not nodes.texty[row] for row in members)
    if page.has_tag("td", "th")[members[0]]:
        return len(members) > 1 and parts == len(members) and all(len(shapes.of(row)) > 1 for row in members)
    if page.has_tag(*_ENTRIES)[members[0]]:
        return len(members) >= (2 if parts == len(members) else _FEWEST)
    if len(members) == 2:
        # Two of a kind may be chance: each has to be built as the other.
        one, other = shapes.of(members[0]), shapes.of(members[1])
        return min(len(one), len(other)) > 1 and len(one & other) >= LIKE * max(len(one), len(other))
    several = sum(len(shapes.of(row)) > 1 for row in members)
    return len(members) > 2 and several >= _MOST * len(members)


def _repeated(
    nodes: Nodes, prose: NDArray[np.bool_], siblings: list[int], kinds: list[tuple[int, frozenset[int], list[int]]]
) -> list[list[tuple[int, int]]]:
    """Return rows of two to four unlike siblings that repeat: title and facts, ``dt`` and ``dd``."""
    kind_of = {row: number for number, (_, _, members) in enumerate(kinds) for row in members}
    keys, end = [kind_of[row] for row in siblings], nodes.page.end
    for length in range(2, _LONGEST + 1):
        runs, at = [], 0
        while at + _FEWEST * length <= len(keys):
            pattern, count = keys[at : at + length], 1
            if len(set(pattern)) == length and not prose[siblings[at : at + length]].any():
                while keys[at + count * length : at + (count + 1) * length] == pattern:
                    count += 1
            if count >= _FEWEST:
                firsts = range(at, at + count * length, length)
                runs.append([(siblings[first], int(end[siblings[first + length - 1]])) for first in firsts])
            at += count * length if count >= _FEWEST else 1
        if runs:
            return runs
    return []


def _even(nodes: Nodes, above: int, spans: list[tuple[int, int]]) -> _Group | None:
    """Return a group of those that are as wide as most; None where they are no two, or are spaced unevenly."""
    page = nodes.page
    parent, flow = page.parent, nodes.flow
    boxes = []
    for first, end in spans:
        rows = (
            [row for row in range(first, end) if parent[row] == above and flow[row]]
            if end > page.end[first]
            else [first]
        )
        box = nodes.box[rows]
        boxes.append([*box[:, :2].min(axis=0), *box[:, 2:].max(axis=0)])
    laid = _laid_out(page, spans, np.asarray(boxes))
    width = laid[:, 2] - laid[:, 0]
    usual = float(np.median(width))
    same = np.abs(width - usual) <= max(_WIDTH, _WIDTH_SHARE * usual)
    if same.sum() < 2 or same.mean() < _MOST or not _evenly_spaced(laid[same], nodes.painted.unit):
        return None
    kept = [span for span, wide in zip(spans, same.tolist(), strict=True) if wide]
    return _Group(node=above, spans=tuple(kept), boxes=laid[same])


def _laid_out(page: Page, spans: list[tuple[int, int]], seen: FloatArray) -> FloatArray:
    """Return the boxes of records as wide as they are laid out, for text fills a box raggedly."""
    assert page.geometry is not None
    box = seen.copy()
    for number, (first, _) in enumerate(spans):
        left, _, width, _ = page.geometry.box[first].tolist()
        if width > 0:
            box[number, 0], box[number, 2] = min(left, box[number, 0]), max(left + width, box[number, 2])
    return box


def _evenly_spaced(box: FloatArray, unit: float) -> bool:
    """Return whether most neighbours are as far apart as the others in their direction, and none cover one another."""
    gaps: tuple[list[float], list[float]] = ([], [])
    for one, other in pairwise(box):
        across, down = other[0] - one[2], other[1] - one[3]
        if down >= -_GAP * unit:
            gaps[1].append(down)
        elif across >= -_GAP * unit:
            gaps[0].append(across)
        elif other[2] > one[0] + _GAP * unit:
            return False
    even = sum(int((np.abs(np.asarray(some) - np.median(some)) <= _GAP * unit).sum()) for some in gaps if some)
    count = sum(map(len, gaps))
    return count > 0 and even >= _MOST * count


def direction_of(box: FloatArray) -> int:
    """Return :data:`COLUMN`, :data:`ROW` or :data:`GRID` for the boxes ``[left, top, right, bottom]`` of records."""
    beside = _beside(box)
    return ROW if all(beside) else GRID if any(beside) else COLUMN


def _beside(box: FloatArray) -> list[bool]:
    """Return for each two neighbours whether the second stands beside the first."""
    return [bool(min(one[3], other[3]) - max(one[1], other[1]) > 0.5 * min(one[3] - one[1], other[3] - other[1]))
            for one, other in pairwise(box)]  # fmt: skip


def _pitch(box: FloatArray) -> tuple[float, float]:
    """Return the usual distance of left edges of those side by side, and of top edges of those below."""
    beside = np.asarray(_beside(box), dtype=bool)
    steps = np.diff(box[:, :2], axis=0)
    tops = steps[~beside, 1]
    return (
        float(np.median(np.abs(steps[beside, 0]))) if beside.any() else 0.0,
        float(np.median(tops)) if len(tops) else 0.0,
    )


def _innermost(count: int, node: IntColumn, end: IntColumn) -> IntColumn:
    """int32 (nodes,): the innermost record of each node of the page; records come before those inside them."""
    held = np.full(count, -1, dtype=np.int32)
    for number, (first, last) in enumerate(zip(node.tolist(), end.tolist(), strict=True)):
        held[first:last] = number
    return held


def _block_records(page: Page, blocks: Blocks, held: IntColumn) -> IntColumn:
    """int32 (blocks,): the record in which all text of a block lies, or else its element."""
    found = np.full(len(blocks), -1, dtype=np.int32)
    found[blocks.node >= 0] = held[blocks.node[blocks.node >= 0]]
    low, high = np.full(len(blocks), np.iinfo(np.int32).max), np.full(len(blocks), -2)
    inside = np.flatnonzero(blocks.leaf_block >= 0)
    record = held[page.leaves[inside]]
    np.minimum.at(low, blocks.leaf_block[inside], record)
    np.maximum.at(high, blocks.leaf_block[inside], record)
    one = low == high
    found[one] = np.maximum(found[one], low[one])
    return found
