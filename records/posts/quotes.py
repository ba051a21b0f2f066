"""Quotes in records: by tag or class name, but for elements around the text of the records."""

from __future__ import annotations

import numpy as np

from ...page.page import Page
from ...segment.shape import class_names
from ..field_columns import Aligned, leaf_text, quote_or_signature
from ..field_values import LONGEST


def quote_rows(page: Page) -> list[int]:
    """Return the rows of potential quotes, by tag or class name."""
    called = page.attribute_matches("class", lambda names: quote_or_signature(class_names(names))[0], needs=("quote",))
    rows: list[int] = np.flatnonzero(called | page.has_tag("blockquote")).tolist()
    return rows


def collect_quotes(aligned: Aligned, body: int) -> None:
    """Collect the text in quotes; an element around the text of the records is not a quote, whatever its tag."""
    around = set(aligned.paths[body])
    rows = aligned.page.leaves
    for cells in aligned.cells:
        cells.quotes = _outermost(aligned.page, [quote for quote in cells.quotes if quote[2] not in around])
        for first, end, _ in cells.quotes:
            cells.quoted |= {leaf for leaf in cells.leaves if first <= rows[leaf] < end}


def _outermost(page: Page, quotes: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Drop the elements of a quote that are called quotes as well: with what they quote, below who is quoted."""
    kept: list[tuple[int, int, int]] = []
    for quote in quotes:
        around = next((one for one in reversed(kept) if one[0] < quote[0] < one[1]), None)
        if around is None or not _is_part(page, around, quote):
            kept.append(quote)
    return kept


def _is_part(page: Page, around: tuple[int, int, int], quote: tuple[int, int, int]) -> bool:
    if page.tag_of(around[0]) == page.tag_of(quote[0]) == "blockquote":
        return False
    (first, last), (low, high) = page.leaf_range[around[0]].tolist(), page.leaf_range[quote[0]].tolist()
    name = sum(len(leaf_text(page, leaf)) for leaf in range(first, low))
    return bool(high == last and name <= LONGEST)


def quoted_name(page: Page, quote: int) -> int:
    """Return the row of the element that a quote starts with and that says who is quoted, -1 if there is none."""
    first, last = page.leaf_range[quote].tolist()
    row = -1 if last - first < 2 else int(page.parent[page.leaves[first]])
    while row > quote and int(page.parent[row]) > quote:
        row = int(page.parent[row])
    if row <= quote:
        return -1
    text = "".join(page.leaf_texts[first : page.leaf_range[row, 1]]).strip()
    named = page.tag_of(row) == "cite" or text.endswith((":", "："))
    return row if named and len(text) <= LONGEST and page.end[row] < page.end[quote] else -1
