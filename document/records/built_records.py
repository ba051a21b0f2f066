"""Records with their fields, and the part of the page from which the HTML of each is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ...page.arrays import IntColumn
from ...page.geometry import Geometry
from ...page.lazy import Lazy
from ...page.metadata.dates import iso_date
from ...page.page import Page
from ...page.urls import base_of
from ...page.visibility import revealed_leaves
from ...records.field_columns import Cells
from ...records.field_values import FIELDS, amount_of
from ...records.fields import Reading, text_of
from ...records.posts.depths import depths
from .record import Box, Record, Source


def records_in(
    reading: Reading,
    selector: Callable[[int], tuple[str, ...]],
    geometry: Geometry | None = None,
    *,
    links: bool = False,
) -> tuple[Record, ...]:
    """Build the records, each with those inside it; posts with the address and the depth of each with ``links``."""
    fields = [parsed(one, reading.page.language) for one in (reading.permalinked() if links else reading.fields)]
    revealed = revealed_leaves(reading.page)
    depth = depths(reading.aligned) if links else [0] * len(fields)
    made: list[tuple[int, int, list[Record]]] = []
    # Backwards, as records inside another, and replies, come after it.
    for number, cells in reversed(list(enumerate(reading.aligned.cells))):
        first, end = cells.span
        inner = []
        while made and (made[-1][0] < end or made[-1][1] > depth[number]):
            inner += made.pop()[2]
        record = _record(reading, fields[number], number, tuple(inner), selector, geometry, revealed)
        made.append((first, depth[number], [record]))
    return tuple(record for *_, some in reversed(made) for record in some)


def parsed(fields: dict[str, str], language: str) -> dict[str, str]:
    """Return fields with the amount and the currency of the price, and the date as ISO 8601, beside what is written."""
    more = dict[str, str]()
    if price := fields.get("price"):
        more["amount"], more["currency"] = amount_of(price, language)
    if date := fields.get("date"):
        more["iso_date"] = iso_date(date, language)
    return {name: value for name in dict.fromkeys((*FIELDS, *fields)) if (value := fields.get(name, more.get(name)))}


def _record(
    reading: Reading,
    fields: dict[str, str],
    number: int,
    inner: tuple[Record, ...],
    selector: Callable[[int], tuple[str, ...]],
    geometry: Geometry | None,
    revealed: dict[int, str],
) -> Record:
    cells, page = reading.aligned.cells[number], reading.page
    first, end = cells.span
    text = reading.texts[number]
    leaves = set(text)
    quoted_rows = [row for row, _, _ in cells.quotes]
    quotes = [
        [leaf for leaf in cells.leaves if low <= page.leaves[leaf] < high and leaf in leaves]
        for low, high, _ in cells.quotes
    ]

    def source() -> Source:  # of its record alone
        part = subpage_of(page, first, end, quoted_rows, url=base_of(page))
        return Source(page=part, marks=np.isin(part.leaves, page.leaves[text] - first + 1))

    return Record(
        fields=fields,
        quotes=tuple(text_of(page, some) for some in quotes if some),
        box=_box(page, geometry, cells),
        selector=selector(first),
        leaves=tuple(text),
        records=inner,
        revealed=next((revealed[leaf] for leaf in cells.leaves if leaf in revealed), None),
        source=Lazy(source),
    )


def _box(page: Page, geometry: Geometry | None, cells: Cells) -> Box | None:
    """Return the box of a record's elements, or of those that were laid out."""
    if geometry is None:
        return None
    first, end = cells.span
    boxes = geometry.box[first:end][page.parent[first:end] == page.parent[first]]
    boxes = boxes[np.isfinite(boxes[:, 0])]
    if not len(boxes):
        return None
    left, top = boxes[:, 0].min(), boxes[:, 1].min()
    right, bottom = (boxes[:, 0] + boxes[:, 2]).max(), (boxes[:, 1] + boxes[:, 3]).max()
    return tuple(round(float(value), 2) for value in (left, top, right - left, bottom - top))  # type: ignore[return-value]


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
