"""Kinds of marked lines of text by their elements: headings, items, paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....page.arrays import Marks
from ....page.page import Page
from ...system import SegmentKind
from .counts import lines_of_text

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LISTS = ("ul", "ol", "dl", "menu", "dir")
_ITEMS = ("li", "dt", "dd")
_CELLS = ("td", "th")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedLine:
    """The marked part of a line of text: its element, marked leaves, and their text with white space collapsed."""

    node: int
    leaves: tuple[int, ...]
    text: str


def marked_lines(page: Page, marks: Marks) -> list[MarkedLine]:
    """Return the marked part of each line of a page, in order."""
    lines = lines_of_text(page)
    leaves: dict[int, list[int]] = {}
    for leaf in np.flatnonzero(marks & (lines.leaf_line >= 0)).tolist():
        leaves.setdefault(int(lines.leaf_line[leaf]), []).append(leaf)
    marked = [
        MarkedLine(
            node=int(lines.node[line]),
            leaves=tuple(members),
            text=" ".join("".join(page.leaf_texts[leaf] for leaf in members).split()),
        )
        for line, members in sorted(leaves.items())
    ]
    return [line for line in marked if line.text]


def kinds_by_tag(page: Page, nodes: Sequence[int]) -> list[SegmentKind]:
    """Return the kind of the lines of some elements by their tags.

    A heading is in ``<h1>`` to ``<h6>``; an item is in a list item, or directly in a table cell: a cell that contains
    paragraphs is layout.
    """
    rows = np.asarray(nodes, dtype=np.int64)
    heading = page.below(page.has_tag(*HEADINGS))[rows]
    item = page.below(page.has_tag(*_ITEMS))[rows] | page.has_tag(*_CELLS)[rows]
    kinds = np.where(heading, SegmentKind.HEADING, np.where(item, SegmentKind.ITEM, SegmentKind.PARAGRAPH))
    return [SegmentKind(kind) for kind in kinds.tolist()]
