"""Parts of a page as pages of their own."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...page.arrays import IntColumn
from ...page.page import Page


def subpage_of(page: Page, first: int, end: int, quotes: Iterable[int] = (), *, url: str) -> Page:
    """Return the rows ``[first, end)`` as a page, with a parent if they are siblings; quotes become ``blockquote``."""
    rows = np.arange(first, end)
    names = (*page.names, "blockquote", "div")
    tag = page.tag[rows].copy()
    tag[[row - first for row in quotes]] = len(names) - 2
    parent = page.parent[rows] - first
    attributes = (page.attribute_node >= first) & (page.attribute_node < end)
    codes, text, value = _used(page.text[rows], page.attribute_value[attributes])
    return Page(
        url=url,
        title="",
        language=page.language,
        names=names,
        strings=tuple(page.strings[code] for code in codes),
        parent=np.concatenate([[-1], np.where(parent < 0, 0, parent + 1)]).astype(np.int32),
        tag=np.concatenate([[len(names) - 1], tag]).astype(np.int32),
        text=np.concatenate([[-1], text]).astype(np.int32),
        attribute_node=(page.attribute_node[attributes] - first + 1).astype(np.int32),
        attribute_name=page.attribute_name[attributes],
        attribute_value=value,
    )


def _used(text: IntColumn, value: IntColumn) -> tuple[list[int], IntColumn, IntColumn]:
    """Renumber the strings that are used."""
    codes, place = np.unique(np.concatenate([text, value]), return_inverse=True)
    # The first code is -1, no string, if there is any element.
    shift = int(codes[0] < 0) if len(codes) else 0
    numbers: IntColumn = (place - shift).astype(np.int32)
    return codes[shift:].tolist(), numbers[: len(text)], numbers[len(text) :]
