"""Gaps between words without white space in the markup: links, tags and labels side by side."""

from __future__ import annotations

import numpy as np

from ...lexicon.words import count_unspaced
from ...page.arrays import BoolColumn, Marks
from ...page.page import Page

#: Least overlap of two boxes in one line, and least gap between two words, in heights of the lower box.
_SAME_LINE, _GAP = 0.5, 0.15
#: Least height of the lower one relative to the other: a large initial belongs to its word.
_ALIKE = 0.7


def word_gaps(page: Page, some: Marks | None = None) -> Marks:
    """Mark the leaves that do not continue the word before them, bool (leaves,); ``some`` are those asked about.

    Two links are two words, and so are two elements that a rendered page shows with a gap in between. The padding of
    one element within a text is no gap: "run()" as code, followed by a comma.
    """
    apart = np.zeros(len(page.leaves), dtype=bool)
    link = page.nearest(page.has_tag("a"))[page.leaves]
    apart[1:] = (link[1:] >= 0) & (link[:-1] >= 0) & (link[1:] != link[:-1])
    for leaf in (apart if some is None else apart & some).nonzero()[0].tolist():
        apart[leaf] = _are_words(page.leaf_texts[leaf - 1], page.leaf_texts[leaf])
    if page.geometry is None or not len(page.geometry.line_node):
        return apart
    nodes, boxes = page.geometry.line_node, page.geometry.line_box.astype(np.float64)
    first, end = (np.searchsorted(nodes, page.leaves, side) for side in ("left", "right"))
    drawn = end > first
    # Where a leaf is not drawn, any line will do: it is not compared.
    one, other = boxes[np.maximum(end - 1, 0)][:-1], boxes[np.minimum(first, len(boxes) - 1)][1:]
    low, high = np.maximum(one[:, :2], other[:, :2]), np.minimum(one[:, :2] + one[:, 2:], other[:, :2] + other[:, 2:])
    height = np.minimum(one[:, -1], other[:, -1])
    alike = height >= _ALIKE * np.maximum(one[:, -1], other[:, -1])
    same_line = high[:, 1] - low[:, 1] >= _SAME_LINE * height
    shown = (low[:, 0] - high[:, 0] >= _GAP * height) & same_line & alike
    apart[1:] |= shown & drawn[1:] & drawn[:-1] & _in_separate_elements(page)
    return apart


def _are_words(before: str, behind: str) -> bool:
    """Return whether two texts meet in letters or digits of scripts that separate words by spaces."""
    signs = before.strip()[-1:] + behind.strip()[:1]
    return all(map(str.isalnum, signs)) and not count_unspaced(signs)


def _in_separate_elements(page: Page) -> BoolColumn:
    """Return whether a leaf and the one before are in two elements of which neither contains the other leaf."""
    one, other = page.parent[page.leaves[:-1]], page.parent[page.leaves[1:]]
    separate: BoolColumn = (page.end[one] <= page.leaves[1:]) & (other > page.leaves[:-1])
    return separate
