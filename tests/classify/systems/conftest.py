"""What the tests of the systems share: what a system marks, and pages with a layout made by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.render.page import INLINE_TAGS, TEXT, Geometry, Position

LINE = 20.0


def _hulls(page, boxes):
    """The smallest box around the leaves below each node; NaN where there are none."""
    hulls = np.full((len(page), 4), np.nan, dtype=np.float32)
    for row, (first, last) in enumerate(page.leaf_range.tolist()):
        if last > first:
            low, high = boxes[first:last, :2].min(axis=0), (boxes[first:last, :2] + boxes[first:last, 2:]).max(axis=0)
            hulls[row] = [*low, *(high - low)]
    return hulls


def _laid_out(html, boxes=None, sizes=None):
    page = bs.parse(html)
    names = (*page.names, "inline", "block")
    leaf_box = np.asarray(
        [
            (boxes or {}).get(text.strip(), (0.0, LINE * row, 8.0 * len(text), 16.0))
            for row, text in enumerate(page.leaf_texts)
        ],
        dtype=np.float32,
    ).reshape(-1, 4)
    hidden = page.hidden
    inline = page.has_tag(TEXT, *INLINE_TAGS)
    size = np.full(len(page), 16.0, dtype=np.float32)
    for row, text in zip(page.leaves.tolist(), page.leaf_texts, strict=True):
        size[row] = (sizes or {}).get(text.strip(), 16.0)
    bottom = float((leaf_box[:, 1] + leaf_box[:, 3]).max(initial=0.0))
    count, lines = len(page), len(page.leaves)
    geometry = Geometry(
        viewport=(800.0, 600.0),
        size=(800.0, max(bottom, 1.0)),
        box=_hulls(page, leaf_box),
        paint_order=np.arange(count, dtype=np.int32),
        display=np.where(inline, len(names) - 2, len(names) - 1).astype(np.int32),
        position=np.full(count, Position.STATIC, dtype=np.uint8),
        opacity=np.ones(count, dtype=np.float32),
        invisible=np.zeros(count, dtype=bool),
        clips=np.zeros((count, 2), dtype=bool),
        font_size=size,
        font_weight=np.full(count, 400, dtype=np.int16),
        color=np.full(count, 0x000000FF, dtype=np.uint32),
        background=np.zeros(count, dtype=np.uint32),
        line_node=page.leaves,
        line_box=leaf_box,
        line_start=np.zeros(lines, dtype=np.int32),
        line_length=np.asarray([len(text) for text in page.leaf_texts], dtype=np.int32),
        hidden=hidden,
    )
    return replace(page, names=names, geometry=geometry)


@pytest.fixture(scope="session")
def laid_out():
    """Parse HTML and set each text on a line of its own, 20 pixels a line.

    ``boxes`` (x, y, width, height) and ``sizes`` (of the font) are given by the text that they are for.
    """
    return _laid_out


@pytest.fixture(scope="session")
def marked():
    """Give the texts, stripped, that a system marks on a page or its HTML."""

    def texts(system, html):
        page = html if isinstance(html, bs.Page) else bs.parse(html)
        return [text.strip() for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]

    return texts
