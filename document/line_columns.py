"""The rendered lines of a document's paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import HALF, FloatArray
from ..page.page import Page
from .content.content import Content

Box = tuple[float, float, float, float]
#: The widest gap between two boxes of one line, in heights of the lower one.
GAP = 1.5
#: Scripts that are written from right to left: a part of such a line has the box of the line.
LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LineColumns:
    """The rendered lines of the paragraphs, those of each paragraph in the order of its text.

    ``first``, int64 (paragraphs + 1,), is the first line of each paragraph; ``box``, float64 (lines, 4), is
    ``[x, y, width, height]`` in CSS pixels; ``start`` and ``end``, int64 (lines,), are the range in the paragraph's
    characters without white space, -1 where it is not known.
    """

    first: NDArray[np.int64]
    box: FloatArray
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def boxes(self, paragraph: int, within: tuple[int, int] | None = None) -> list[Box]:
        """Return the boxes of the lines of a paragraph, or of the part of them in a range of its characters.

        In a part of a line, all characters count as equally wide.
        """
        found = []
        for line in range(int(self.first[paragraph]), int(self.first[paragraph + 1])):
            x, y, width, height = self.box[line].tolist()
            start, end = int(self.start[line]), int(self.end[line])
            if within is not None and start >= 0:
                low, high = max(start, within[0]), min(end, within[1])
                if low >= high:
                    continue
                share = width / (end - start)
                x, width = x + (low - start) * share, (high - low) * share
            found.append((round(x, 2), round(y, 2), round(width, 2), round(height, 2)))
        return merged(found)


def merged(boxes: list[Box]) -> list[Box]:
    """Return boxes, those next to each other in one line as one."""
    lines: list[Box] = []
    for box in boxes:
        if lines and _adjoin(lines[-1], box):
            (x, y, width, height), (left, top, wide, high) = lines[-1], box
            right, bottom = max(x + width, left + wide), max(y + height, top + high)
            x, y = min(x, left), min(y, top)
            lines[-1] = (x, y, round(right - x, 2), round(bottom - y, 2))
        else:
            lines.append(box)
    return lines


def _adjoin(one: Box, other: Box) -> bool:
    (x, y, width, height), (left, top, wide, high) = one, other
    overlap = min(y + height, top + high) - max(y, top)
    gap = max(x, left) - min(x + width, left + wide)
    least = min(height, high)
    return overlap >= HALF * least and gap <= GAP * least


def line_columns(page: Page, content: Content, boxes: FloatArray) -> LineColumns:
    """Collect the lines of the paragraphs of a rendered page; ``boxes``, (paragraphs, 4), are their visible boxes."""
    geometry = page.geometry
    count = len(content.paragraphs)
    if geometry is None:
        nothing = np.zeros(0, dtype=np.int64)
        empty = np.zeros(count + 1, dtype=np.int64)
        return LineColumns(first=empty, box=np.zeros((0, 4)), start=nothing, end=nothing)
    firsts, rows, ranges = [0], list[int](), list[tuple[int, int]]()
    order = np.argsort(geometry.line_node, kind="stable")
    nodes = geometry.line_node[order]
    area = np.all(geometry.line_box[:, 2:] > 0, axis=1)
    bounds = np.searchsorted(nodes, page.leaves), np.searchsorted(nodes, page.leaves, side="right")
    for number, paragraph in enumerate(content.paragraphs):
        at, first = 0, len(rows)
        for leaf in paragraph.leaves if not np.isnan(boxes[number, 0]) else ():
            text = page.text_of(int(page.leaves[leaf]))
            for line in order[bounds[0][leaf] : bounds[1][leaf]].tolist():
                begin = int(geometry.line_start[line])
                before = at + _size(text[:begin])
                size = _size(text[begin : begin + int(geometry.line_length[line])])
                if area[line] and size:
                    rows.append(line)
                    ranges.append((before, before + size))
            at += _size(text)
        if at != _size(paragraph.text) or LEFTWARD.search(paragraph.text):
            ranges[first:] = [(-1, -1)] * (len(ranges) - first)
        firsts.append(len(rows))
    found = geometry.line_box[rows].astype(np.float64).reshape(-1, 4)
    owner = np.repeat(np.arange(count), np.diff(firsts))
    return LineColumns(
        first=np.asarray(firsts, dtype=np.int64),
        box=_inside(found, boxes[owner]),
        start=np.asarray([start for start, _ in ranges], dtype=np.int64),
        end=np.asarray([end for _, end in ranges], dtype=np.int64),
    )


def _inside(box: FloatArray, around: FloatArray) -> FloatArray:
    """Return boxes clipped to others; those outside have no width or height."""
    low = np.maximum(box[:, :2], around[:, :2])
    high = np.minimum(box[:, :2] + box[:, 2:], around[:, :2] + around[:, 2:])
    return np.concatenate([low, np.maximum(high - low, 0)], axis=1)


def _size(text: str) -> int:
    return len("".join(text.split()))


def visible(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return the boxes with an area, each once."""
    return tuple(dict.fromkeys(box for box in boxes if min(box[2:]) > 0))
