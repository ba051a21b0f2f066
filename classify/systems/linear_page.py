"""Linear views of a page for classic systems: a stream of tags and text, or lines of text; sizes of leaves.

In the stream, an element has an opening and a closing tag, a void element one tag, in document order. Tags that are
optional in HTML (``</p>``, ``<tbody>``) are always included: a parsed page does not distinguish them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import count_words
from ...page.arrays import BoolColumn, FloatArray, IntColumn, Marks, mask_of
from ...page.html import TEXT, VOID_TAGS
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
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
    chosen = mask_of(len(page), rows)
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
