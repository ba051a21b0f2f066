"""What marked lines of text are by their elements: headings, items, paragraphs."""

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
    """What is marked of a line of text.

    Attributes
    ----------
    node : int
        The element that the line belongs to.
    leaves : tuple of int
        Text leaves of the line that are marked.
    text : str
        Theirs, white space collapsed.
    """

    node: int
    leaves: tuple[int, ...]
    text: str


def marked_lines(page: Page, marks: Marks) -> list[MarkedLine]:
    """Return what is marked of each line of a page, in order."""
    lines = lines_of_text(page)
    leaves: dict[int, list[int]] = {}
    for leaf in np.flatnonzero(marks & (lines.leaf_line >= 0)).tolist():
        leaves.setdefault(int(lines.leaf_line[leaf]), []).append(leaf)
    found = [
        MarkedLine(
            node=int(lines.node[line]),
            leaves=tuple(held),
            text=" ".join("".join(page.leaf_texts[leaf] for leaf in held).split()),
        )
        for line, held in sorted(leaves.items())
    ]
    return [line for line in found if line.text]


def kinds_by_tag(page: Page, nodes: Sequence[int]) -> list[SegmentKind]:
    """Return the kind of the lines of some elements by their tags.

    A heading is what stands in ``<h1>`` to ``<h6>``, an item what stands in an item of a list, or in a cell without an
    element of its own: a cell that holds paragraphs is layout.
    """
    rows = np.asarray(nodes, dtype=np.int64)
    heading = page.below(page.has_tag(*HEADINGS))[rows]
    item = page.below(page.has_tag(*_ITEMS))[rows] | page.has_tag(*_CELLS)[rows]
    kinds = np.where(heading, SegmentKind.HEADING, np.where(item, SegmentKind.ITEM, SegmentKind.PARAGRAPH))
    return [SegmentKind(kind) for kind in kinds.tolist()]
