"""What to make of text that a person does not see, and through what nodes are seen."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from .arrays import BoolColumn, FloatColumn, IntColumn
from .page import Geometry, Hidden, Page
from .sight.windows import windows


def clip_windows(page: Page, geometry: Geometry) -> tuple[FloatColumn, FloatColumn]:
    """Return the window, as low and high corner, through which each node is seen: what is around it clips it.

    What a box scrolls is placed as it is when nothing has been scrolled, and not cut off.
    """
    seen = windows(page, geometry)
    return seen.low[seen.through].astype(np.float32), seen.high[seen.through].astype(np.float32)


def levels(page: Page) -> list[IntColumn]:
    """Return the rows of each depth below the roots, shallow first: work by levels is work on whole columns."""
    order = np.argsort(page.depth, kind="stable").astype(np.int32)
    bounds = np.searchsorted(page.depth[order], np.arange(1, int(page.depth.max(initial=0)) + 2))
    return [order[first:last] for first, last in itertools.pairwise(bounds)]


def unseen(page: Page) -> BoolColumn:
    """bool (leaves,): text that nobody gets to see; what lies under an overlay comes to light when that is closed."""
    found: BoolColumn = (page.hidden != Hidden.VISIBLE) & (page.hidden != Hidden.OVERLAY)
    return found


def concealed(page: Page) -> BoolColumn:
    """Return which text leaves a person does not see, unless that is nearly all of the page.

    Where less than a third of a page's text would be left, its styles or scripts did not come through (saved pages,
    pages that fade in, pages that wait for consent): then nothing is taken for hidden.

    Returns
    -------
    bool (leaves,)
    """
    hidden = unseen(page)
    size = np.asarray([len(text) for text in page.leaf_texts], dtype=np.int64)
    return hidden & bool(size[~hidden].sum() * 3 >= size.sum())


def revealed(page: Page) -> Page:
    """Return the same page with all of its text taken for seen: collapsed parts, tabs, what fades in later."""
    if page.geometry is not None:
        shown = np.full(len(page.leaves), Hidden.VISIBLE, dtype=np.uint8)
        return replace(page, geometry=replace(page.geometry, hidden=shown))
    # Without geometry only these attributes tell.
    kept = ~page.named(page.attribute_name, "hidden", "style")
    return replace(
        page,
        attribute_node=page.attribute_node[kept],
        attribute_name=page.attribute_name[kept],
        attribute_value=page.attribute_value[kept],
    )
