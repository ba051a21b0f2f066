"""Where the blocks of a table stand in their page, by names that a browser finds them by."""

from __future__ import annotations

from ...segment.element_locators import ElementLocators, join_steps
from ..rows import Rows

#: Columns of a data set: meaning of each.
LOCATORS = {
    "selector": "CSS selector that finds the block's element alone; steps into frames and shadow roots after >>",
    "xpath": "the same as XPath",
}


def locator_columns(rows: Rows) -> dict[str, list[str | None]]:
    """Return selector and XPath of each block's element, the steps of a place with `` >> `` between them.

    Returns
    -------
    dict of str to list of str or None
        ``selector`` and ``xpath``, one a row; None for a block that stands in no element.
    """
    places = ElementLocators(rows.page)
    found: dict[str, list[str | None]] = {name: [] for name in LOCATORS}
    for node in rows.node.tolist():
        place = places.of(node) if places.element(node) >= 0 else None
        found["selector"].append(join_steps(place.selector) or None if place else None)
        found["xpath"].append(join_steps(place.xpath) or None if place else None)
    return found
