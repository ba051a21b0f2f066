"""What to make of text that a person does not see, and through what nodes are seen."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from .arrays import BoolColumn, IntColumn
from .page import Hidden, Page

#: Texts of at least so many characters that are no link read as sentences; so many of them are something to read.
SENTENCE, PROSE = 25, 150
#: Reasons that a script takes away when it shows a page.
_SHOWN_BY_SCRIPTS = (
    Hidden.DISPLAY,
    Hidden.VISIBILITY,
    Hidden.OPACITY,
    Hidden.CLIP,
    Hidden.ZERO_AREA,
    Hidden.OFF_SCREEN,
)


def levels(page: Page) -> list[IntColumn]:
    """Return the rows of each depth below the roots, shallow first: work by levels is work on whole columns."""
    order = np.argsort(page.depth, kind="stable").astype(np.int32)
    bounds = np.searchsorted(page.depth[order], np.arange(1, int(page.depth.max(initial=0)) + 2))
    return [order[first:last] for first, last in itertools.pairwise(bounds)]


def unseen(page: Page) -> BoolColumn:
    """bool (leaves,): text that nobody gets to see; what lies under an overlay comes to light when that is closed."""
    found: BoolColumn = (page.hidden != Hidden.VISIBLE) & (page.hidden != Hidden.OVERLAY)
    return found


def invisible_leaves(page: Page) -> BoolColumn:
    """Return which text leaves a person does not see.

    A page whose scripts we kept from it (no browser, no JavaScript, no network) may show next to nothing because it
    waited for them: it fades in, it is built unseen, it asks for consent. Where less than a third of such a page's text
    would be left, and in that hardly a sentence, what scripts could have shown is taken for seen. No other page is
    believed to mean to show what it hides, however much that is: one whose own scripts fail looks so to everybody.

    Returns
    -------
    bool (leaves,)
    """
    known = page.worked_out
    if "concealed" not in known:  # each step of an extraction asks
        known["concealed"] = _concealed(page)
        known["concealed"].flags.writeable = False
    return known["concealed"]


def _concealed(page: Page) -> BoolColumn:
    hidden = unseen(page)
    if not hidden.any() or not _waits_for_scripts(page):
        return hidden
    size = page.leaf_lengths
    prose = (size >= SENTENCE) & ~page.below(page.has_tag("a", "button"))[page.leaves]
    if size[~hidden].sum() * 3 >= size.sum() or size[~hidden & prose].sum() >= PROSE:
        return hidden
    return hidden & ~np.isin(page.hidden, _SHOWN_BY_SCRIPTS)


def _waits_for_scripts(page: Page) -> bool:
    """Return whether a page has scripts that we kept from it."""
    return page.environment.get("scripts", "off") in ("off", "kept out") and bool(
        page.has_tag("script", "noscript").any()
    )


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
