"""Visible text of a page: which leaves are hidden, and pages with all text shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .arrays import BoolColumn
from .hidden import Hidden
from .html import REVEALED
from .page import Page, cached_column

#: Plain numbers, which NumPy compares faster.
_VISIBLE, _OVERLAY = int(Hidden.VISIBLE), int(Hidden.OVERLAY)
#: Texts of at least SENTENCE characters outside of links count as sentences; PROSE characters of them are readable.
SENTENCE, PROSE = 25, 150
#: Reasons with which animations start; least share of the prose of a page, and least texts, that scripts then show.
_STARTS, STARTING_SHARE, STARTING_TEXTS = (Hidden.OPACITY, Hidden.VISIBILITY), 1 / 4, 3
#: Reasons that scripts commonly remove when they show a page.
_SHOWN_BY_SCRIPTS = (
    Hidden.DISPLAY,
    Hidden.VISIBILITY,
    Hidden.OPACITY,
    Hidden.CLIP,
    Hidden.ZERO_AREA,
    Hidden.OFF_SCREEN,
)


def hidden_leaves(page: Page) -> BoolColumn:
    """Return the leaves that are hidden for any reason but an overlay that can be closed, bool (leaves,)."""
    hidden: BoolColumn = (page.hidden != _VISIBLE) & (page.hidden != _OVERLAY)
    return hidden


@cached_column
def invisible_leaves(page: Page) -> BoolColumn:
    """Return the leaves that a reader does not see, bool (leaves,): the hidden ones, unless the page awaits scripts.

    A page whose scripts did not run here (no browser, no JavaScript, no network) may show little because its scripts
    show it: it fades in, it is built hidden, it asks for consent. If less than a third of the text of such a page would
    be left, with hardly a sentence, all text that scripts could have shown counts as visible. If animations start with
    a large part of its prose, this does. If nothing at all is
    left of its sentences, its scripts may have been removed when it was saved. For other pages hidden
    text is never visible, however much of it there is: a page whose own scripts fail looks the same to every reader.
    """
    hidden = hidden_leaves(page)
    if not hidden.any() or page.environment.get("scripts", "off") not in ("off", "kept out"):
        return hidden
    size = page.leaf_lengths
    prose = (size >= SENTENCE) & ~page.below(page.has_tag("a", "button"))[page.leaves]
    awaits_scripts = page.has_tag("script", "noscript").any() or (hidden.all() and size[prose].sum() >= PROSE)
    starts = np.isin(page.hidden, _STARTS)
    total = size[prose & (starts | ~hidden)].sum()
    if (
        awaits_scripts
        and (prose & starts).sum() >= STARTING_TEXTS
        and size[prose & starts].sum() >= STARTING_SHARE * total
    ):
        hidden = hidden & ~starts
    if not awaits_scripts or size[~hidden].sum() * 3 >= size.sum() or size[~hidden & prose].sum() >= PROSE:
        return hidden
    return hidden & ~np.isin(page.hidden, _SHOWN_BY_SCRIPTS)


def awaiting_leaves(page: Page) -> BoolColumn:
    """Return the leaves that count as visible since scripts, which did not run, would show them, bool (leaves,)."""
    awaiting: BoolColumn = hidden_leaves(page) & ~invisible_leaves(page)
    return awaiting


def revealed_leaves(page: Page) -> dict[int, str]:
    """Return the leaves that a click has shown (``RenderOptions.reveal``), each with the name of what was clicked."""
    name = page.attribute(REVEALED)
    if (name < 0).all():
        return {}
    rows = page.nearest(name >= 0)[page.leaves]
    return {leaf: page.strings[name[rows[leaf]]] for leaf in np.flatnonzero(rows >= 0).tolist()}


def with_hidden_text(page: Page) -> Page:
    """Return the page with all leaves visible, such as collapsed parts, tabs, and text that fades in."""
    if page.geometry is not None:
        visible = np.full(len(page.leaves), Hidden.VISIBLE, dtype=np.uint8)
        return page.replace(geometry=replace(page.geometry, hidden=visible))
    # Without geometry, text is hidden by these attributes only.
    kept = ~page.has_name(page.attribute_name, "hidden", "style")
    return replace(
        page,
        attribute_node=page.attribute_node[kept],
        attribute_name=page.attribute_name[kept],
        attribute_value=page.attribute_value[kept],
    )
