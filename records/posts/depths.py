"""The depth of each reply of a thread whose posts are siblings: as the page says, or by how far each is indented."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from ...page.arrays import HALF, NEARLY_ALL
from ...page.page import Page
from ..field_columns import Aligned, Cells

#: Attributes, and class names, with the depth of a post.
_STATED = ("data-depth", "data-level", "aria-level", "indent")
_NAMED = re.compile(r"(?:^|[\s_-])(?:depth|level|indent)[-_]?(\d{1,2})(?=$|\s)")
#: The space at the start of an element by its style, and the pixels of units but pixels.
_SPACE = re.compile(r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d+(?:\.\d+)?)(px|em|rem|%)")
_EM = 16.0


def depths(aligned: Aligned) -> list[int]:
    """Return the number of posts above each one that it answers, 0 where nothing says or shows it."""
    page, cells = aligned.page, aligned.cells
    # The rows of each post up to its first text, and that text.
    starts = [(one.span[0], int(page.leaves[one.leaves[0]]) if one.leaves else one.span[0]) for one in cells]
    stated = [_stated(page, *start) for start in starts]
    if sum(depth >= 0 for depth in stated) >= NEARLY_ALL * len(cells):
        return _levels([*map(float, stated)])
    indents = [_indent(page, *start) for start in starts] if page.geometry is None else _lefts(page, cells)
    steps = [after - before for before, after in pairwise(indents) if after - before >= _EM / 2]
    regular = bool(steps) and max(steps) <= min(2 * min(steps), 100) and min(indents) > indents[0] - _EM / 2
    return _levels(indents) if regular else [0] * len(cells)


def _levels(indents: list[float]) -> list[int]:
    """Return the number of posts before each one that it is indented below."""
    above, levels = list[float](), list[int]()
    for indent in indents:
        above = [other for other in above if other < indent - HALF]
        levels.append(len(above))
        above.append(indent)
    return levels


def _stated(page: Page, first: int, text: int) -> int:
    for row in range(first, text):
        attributes = page.attributes_of(row)
        values = [attributes.get(name, "").strip() for name in _STATED] + _NAMED.findall(attributes.get("class", ""))
        if number := next((value for value in values if value.isdecimal()), ""):
            return int(number)
    return -1


def _indent(page: Page, first: int, text: int) -> float:
    """Return the pixels that a post is indented by the styles around its first text, and by an empty picture."""
    pixels = 0.0
    for row in range(first, text):
        attributes = page.attributes_of(row)
        if page.end[row] > text and "style" in attributes:
            pixels += sum(
                float(size) * (1 if unit == "px" else _EM) for size, unit in _SPACE.findall(attributes["style"])
            )
        width = attributes.get("width", "")
        if page.tag_of(row) == "img" and attributes.get("height") in ("0", "1") and width.isdecimal():
            pixels += float(width)
    return pixels


def _lefts(page: Page, cells: list[Cells]) -> list[float]:
    """Return the edge of the texts of each post at which its lines start."""
    assert page.geometry is not None
    box, edges = page.geometry.box, list[float]()
    from_right = page.attribute_matches("dir", lambda value: value.strip().lower() == "rtl")[:2].any()
    for one in cells:
        left, _, width, _ = box[page.leaves[one.leaves]].T.astype(np.float64)
        starts = -(left + width) if from_right else left
        starts = starts[np.isfinite(starts)]
        edges.append(float(starts.min()) if len(starts) else edges[-1] if edges else 0.0)
    return edges
