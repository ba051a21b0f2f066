"""What several systems count: characters a leaf, elements, lines of text."""

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
    """float64 (leaves,): characters of each leaf, runs of white space as one; hidden leaves have none."""
    sizes = np.asarray([len(" ".join(text.split())) for text in page.leaf_texts], dtype=np.float64)
    return np.where(invisible_leaves(page), 0.0, sizes)


def elements(page: Page) -> BoolColumn:
    """bool (nodes,): nodes that are elements of the page: not text, not generated, no programs and no styles."""
    generated = page.has_tag(*(name for name in page.names if name.startswith("::")))
    holds_none = page.leaf_range[:, 0] == page.leaf_range[:, 1]
    return ~page.has_tag(TEXT) & ~page.below(generated | page.has_tag(*_PROGRAMS) & holds_none)


def leaves_under(page: Page, rows: IntColumn) -> Marks:
    """Mark the leaves in the subtrees of some nodes that are not hidden."""
    chosen = np.zeros(len(page), dtype=bool)
    chosen[rows] = True
    marks: Marks = page.below(chosen)[page.leaves] & ~invisible_leaves(page)
    return marks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """A page as lines of text: the paragraphs of :func:`~blocksight.segment.blocks.text_blocks`.

    Attributes
    ----------
    leaf_line : int32 (leaves,)
        The line of each leaf, -1 for hidden ones.
    node : int32 (lines,)
        The element that each line belongs to.
    texts : tuple of str
        White space collapsed; "" where all leaves of a line are hidden.
    """

    leaf_line: IntColumn
    node: IntColumn
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    def marks(self, chosen: NDArray[np.bool_]) -> Marks:
        """Mark the leaves of some lines."""
        marks: Marks = np.append(chosen, False)[self.leaf_line]
        return marks

    def segments(self, kinds: Mapping[int, SegmentKind]) -> list[Segment]:
        """Return some lines as segments, in their order."""
        return [Segment(kind=kinds[line], text=self.texts[line]) for line in sorted(kinds) if self.texts[line]]


def lines_of_text(page: Page) -> Lines:
    """Write a page line by line, as a converter to plain text would."""
    blocks = text_blocks(page)
    leaf_line = np.where(invisible_leaves(page), -1, blocks.leaf_block).astype(np.int32)
    parts: list[list[str]] = [[] for _ in range(len(blocks))]
    for text, line in zip(page.leaf_texts, leaf_line.tolist(), strict=True):
        if line >= 0:
            parts[line].append(text)
    texts = tuple(" ".join("".join(part).split()) for part in parts)
    return Lines(leaf_line=leaf_line, node=blocks.node, texts=texts)
