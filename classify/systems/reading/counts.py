"""Characters of leaves, elements, and lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import BoolColumn, FloatArray, IntColumn, Marks
from ....page.html import TEXT
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ....segment.blocks import text_blocks
from ...system import Segment, SegmentKind

_PROGRAMS = ("head", "script", "style", "noscript", "template")


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

    #: int32 (leaves,): the line of each leaf, -1 for hidden ones.
    leaf_line: IntColumn
    #: int32 (lines,): the element of each line.
    node: IntColumn
    #: White space collapsed; "" if all leaves of a line are hidden.
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    def marks(self, chosen: NDArray[np.bool_]) -> Marks:
        """Mark the leaves of some lines."""
        marks: Marks = np.append(chosen, False)[self.leaf_line]
        return marks

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
