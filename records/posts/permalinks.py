"""The address of each post: that of its date, or of a place on the page."""

from __future__ import annotations

from collections.abc import Iterator

from ...page.page import Page
from ...page.urls import Addresses, address_of
from ..field_columns import Aligned, Cells, leaf_text
from ..field_names import is_profile_url
from ..field_values import CLOCK, LONGEST, is_date
from ..page_features import is_post_id
from ..text_columns import FieldColumn

#: Elements of a record whose ids are read: its own, and that of an empty link at its start.
_FIRST = 6


def permalinks(aligned: Aligned, columns: dict[str, FieldColumn]) -> list[str]:
    """Return the address of each post, "" if it has none: its author's profile and buttons are no address of it."""
    addresses, own = Addresses(aligned.page), address_of(aligned.page).split("#", maxsplit=1)[0]
    own = own if own.startswith(("http://", "https://")) else ""
    dates = columns["date"].leaves if "date" in columns else {}
    return [
        next(filter(None, _addresses_of(aligned.page, cells, dates.get(record, []), addresses, own)), "")
        for record, cells in enumerate(aligned.cells)
    ]


def _addresses_of(page: Page, cells: Cells, dates: list[int], addresses: Addresses, own: str) -> Iterator[str]:
    """Yield what may be the address of a post: that of its date, of a place in it, and its own id."""
    rows = [row for row, _ in cells.elements if page.tag_of(row) == "a"]
    links = [(row, page.attributes_of(row).get("href", "").strip()) for row in rows]
    links = [(row, href) for row, href in links if href not in ("", "#") and not is_profile_url(href)]
    for row, href in links:
        if _shows_date(page, row, dates):
            yield own + href if href.startswith("#") else addresses.absolute(row, href)
    names = _names_in(page, cells)
    for _, href in links:
        place, _, fragment = href.partition("#")
        if fragment in names and place in ("", own):
            yield f"{own}#{fragment}"
    for name in names:
        if is_post_id(name):
            yield f"{own}#{name}"


def _shows_date(page: Page, row: int, dates: list[int]) -> bool:
    first, last = page.leaf_range[row].tolist()
    text = " ".join(leaf_text(page, leaf) for leaf in range(first, last))
    return any(first <= leaf < last for leaf in dates) or (
        len(text) <= LONGEST and (is_date(text) or CLOCK.fullmatch(text) is not None)
    )


def _names_in(page: Page, cells: Cells) -> list[str]:
    """Return the ids and names of a record's first elements, which are places on the page."""
    first, end = cells.span
    names = []
    for row in range(first, min(end, first + _FIRST)):
        attributes = page.attributes_of(row)
        names += [attributes[key] for key in ("id", "name") if attributes.get(key)]
    return names
