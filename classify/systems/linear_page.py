"""Linear views of a page for classic systems: a stream of tags and text, or lines of text; sizes of leaves.

In the stream, an element has an opening and a closing tag, a void element one tag, in document order. Tags that are
optional in HTML (``</p>``, ``<tbody>``) are always included: a parsed page does not distinguish them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import count_words
from ...page.arrays import BoolColumn, FloatArray, IntColumn, Marks
from ...page.html import TEXT, VOID_TAGS
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks
from ..system import Segment, SegmentKind

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LISTS = ("ul", "ol", "dl", "menu", "dir")
_ITEMS = ("li", "dt", "dd")
_CELLS = ("td", "th")
_PROGRAMS = ("head", "script", "style", "noscript", "template")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """Tags and text leaves in document order."""

    row: IntColumn  # int32 (events,): the page's node of each event
    leaf: IntColumn  # int32 (events,): index of the text leaf, -1 for a tag
    opens: BoolColumn  # bool (events,): whether the event is an opening tag (also of a void element)
    leaves: int  # number of the page's text leaves

    def __len__(self) -> int:
        return len(self.row)

    def marks(self, start: int, stop: int) -> Marks:
        """Mark the leaves among the events ``[start, stop)``."""
        marks = np.zeros(self.leaves, dtype=bool)
        inside = self.leaf[start:stop]
        marks[inside[inside >= 0]] = True
        return marks

    def scores(self, leaf_values: FloatArray, tag_value: float) -> FloatArray:
        """Return a value for each event: that of its leaf, or the same one for all tags."""
        return np.append(leaf_values, tag_value)[self.leaf]


def stream_of(page: Page) -> Stream:
    """Return a page as a stream, starting after its head.

    Scripts, styles and form values are removed with their tags, hidden text without its tags.
    """
    leaf = np.full(len(page), -1, dtype=np.int32)
    leaf[page.leaves] = np.where(invisible_leaves(page), -1, np.arange(len(page.leaves)))
    opening = np.flatnonzero(page.in_source | (leaf >= 0)).astype(np.int32)
    closing = np.flatnonzero(page.in_source & ~page.has_tag(*VOID_TAGS)).astype(np.int32)
    row = np.concatenate([opening, closing])
    position = np.concatenate([opening * 2 + 1, page.end[closing] * 2])
    # At equal positions the innermost element closes first.
    order = np.lexsort([np.concatenate([opening, -closing]), position])
    opens = np.concatenate([leaf[opening] < 0, np.zeros(len(closing), dtype=bool)])
    return Stream(row=row[order], leaf=leaf[row][order], opens=opens[order], leaves=len(page.leaves))


def leaf_words(page: Page) -> FloatArray:
    """Count the words of each leaf, float64 (leaves,); each character of a script without spaces is one."""
    return np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)


def characters(page: Page) -> FloatArray:
    """Count the characters of each leaf, float64 (leaves,), white space collapsed; 0 for hidden leaves."""
    sizes = np.asarray([len(" ".join(text.split())) for text in page.leaf_texts], dtype=np.float64)
    return np.where(invisible_leaves(page), 0.0, sizes)


def elements(page: Page) -> BoolColumn:
    """Return the elements of the page, bool (nodes,): no text, generated content, scripts or styles."""
    generated = page.has_tag(*(name for name in page.names if name.startswith("::")))
    is_empty = page.leaf_range[:, 0] == page.leaf_range[:, 1]
    return ~page.has_tag(TEXT) & ~page.below(generated | page.has_tag(*_PROGRAMS) & is_empty)


def leaves_under(page: Page, rows: IntColumn) -> Marks:
    """Mark the visible leaves in the subtrees of some nodes."""
    chosen = np.zeros(len(page), dtype=bool)
    chosen[rows] = True
    marks: Marks = page.below(chosen)[page.leaves] & ~invisible_leaves(page)
    return marks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """A page as lines of text: the paragraphs of :func:`~blocksight.segment.blocks.text_blocks`."""

    leaf_line: IntColumn  # int32 (leaves,): the line of each leaf, -1 for hidden ones
    node: IntColumn  # int32 (lines,): the element of each line
    texts: tuple[str, ...]  # white space collapsed; "" if all leaves of a line are hidden

    def __len__(self) -> int:
        return len(self.texts)

    def marks(self, chosen: NDArray[np.bool_]) -> Marks:
        """Mark the leaves of some lines."""
        return np.append(chosen, False)[self.leaf_line]

    def segments(self, kinds: Mapping[int, SegmentKind]) -> list[Segment]:
        """Return some lines as segments, in document order."""
        return [Segment(kind=kinds[line], text=self.texts[line]) for line in sorted(kinds) if self.texts[line]]


def lines_of_text(page: Page) -> Lines:
    """Return a page as lines, as a converter to plain text would."""
    blocks = text_blocks(page)
    leaf_line = np.where(invisible_leaves(page), -1, blocks.leaf_block).astype(np.int32)
    parts: list[list[str]] = [[] for _ in range(len(blocks))]
    for text, line in zip(page.leaf_texts, leaf_line.tolist(), strict=True):
        if line >= 0:
            parts[line].append(text)
    texts = tuple(" ".join("".join(part).split()) for part in parts)
    return Lines(leaf_line=leaf_line, node=blocks.node, texts=texts)


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
