"""The record sets of a page with their fields: main content, secondary sets, navigation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...classify.systems.blocksight import Blocksight
from ...page.arrays import DIGITS, HALF, FloatArray
from ...page.geometry import Geometry
from ...page.lazy import Lazy
from ...page.page import Page
from ...page.urls import Addresses
from ...records.candidates import RecordCandidates, find_records
from ...records.decided_records import DecidedRecords, decide_records, is_boilerplate, leads_away, record_type
from ...records.field_columns import leaf_text
from ...records.page_type import PageType
from ...segment.element_locators import ElementLocators
from ...segment.record_groups import RecordGroup
from .built_records import records_in
from .record import Box, Record, RecordSet

#: Most sets that are returned.
_MOST_SETS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecords:
    """The record sets of a page, the main one first, then in document order, and the type of the page."""

    sets: tuple[RecordSet, ...]
    page_type: PageType

    @property
    def main(self) -> RecordSet | None:
        """The main records; None if there are none."""
        return next((one for one in self.sets if one.kind == "main"), None)

    @property
    def comments(self) -> tuple[Record, ...]:
        """Comments, answers and reviews of readers; not the posts of a thread."""
        sets = [records for records in self.sets if records.record_type == "comment" and records.kind != "main"]
        return tuple(record for records in sets for record in records.records)


def decided_records_of(page: Page) -> DecidedRecords:
    """Return the records of a page as the visual system decides; without blocks there are none."""
    judgement = Blocksight().judge(page)
    return judgement.records.value if judgement.records else decide_records(find_records(page), judgement.marks)


def page_records(page: Page) -> PageRecords:
    """Return the record sets of a page with their fields, and its type, for the content that is chosen by default.

    Boxes are for rendered pages only.
    """
    return records_of(decided_records_of(page), page.geometry)


def records_of(decided: DecidedRecords, geometry: Geometry | None = None) -> PageRecords:
    """Return the record sets and the page type of decided records, with boxes by the geometry of the page."""
    groups = decided.candidates.groups
    order = sorted(range(len(groups)), key=lambda number: (number != decided.main, number))[:_MOST_SETS]
    selector = _selectors(decided.candidates.page)
    sets = [_set_of(decided, number, selector, geometry) for number in order]
    found = tuple(one for one in sets if len(one) > 1 or (one.records and one.kind == "main"))
    return PageRecords(sets=found, page_type=decided.page_type)


def _selectors(page: Page) -> Callable[[int], tuple[str, ...]]:
    """Return a function from a node to the CSS selector of its element; the locators are built on first use."""
    locators = Lazy(lambda: ElementLocators(page))

    def selector(row: int) -> tuple[str, ...]:
        return locators.value.of(row).selector if locators.value.element(row) >= 0 else ()

    return selector


def _set_of(
    decided: DecidedRecords, number: int, selector: Callable[[int], tuple[str, ...]], geometry: Geometry | None = None
) -> RecordSet:
    measures, group = decided.candidates, decided.candidates.groups[number]
    kind = "main" if number == decided.main else "secondary"
    if number != decided.main and (leads_away(measures, number) or is_boilerplate(decided, number)):
        kind = "navigation"
    if kind == "navigation":
        records, type_ = _links(measures.page, measures, group), "link"
    else:
        reading = decided.reading(group)
        type_ = record_type(decided, number, reading)
        found = records_in(reading, selector, geometry, links=type_ in ("post", "comment"))
        if number == decided.main and type_ == "post" and decided.opening is not None:
            found = (*records_in(decided.reading(decided.opening), selector, geometry, links=True), *found)
        records = tuple(_with_fields(found))
    boxes = [record.box for record in records if record.box is not None]
    return RecordSet(
        kind=kind,
        record_type=type_,
        probability=round(float(decided.likely[number]), DIGITS),
        direction=direction_of(_corners(boxes)),
        selector=selector(group.node) if kind != "navigation" else (),
        columns=tuple(dict.fromkeys(name for record in records for name in record.fields)),
        records=records,
    )


def _with_fields(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records that have a field, and those inside of others."""
    for record in records:
        if record.fields:
            yield replace(record, records=tuple(_with_fields(record.records)))
        else:
            yield from _with_fields(record.records)


def direction_of(corners: FloatArray) -> str:
    """Return the arrangement of boxes ``[left, top, right, bottom]``: column, row or grid, "" without boxes."""
    if not len(corners):
        return ""
    top, bottom = corners[:, 1], corners[:, 3]
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    in_row = shared > HALF * np.minimum((bottom - top)[1:], (bottom - top)[:-1])
    return "row" if in_row.all() else "grid" if in_row.any() else "column"


def _corners(boxes: list[Box]) -> FloatArray:
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    corners[:, 2:] += corners[:, :2]
    return corners


def _links(page: Page, measures: RecordCandidates, group: RecordGroup) -> tuple[Record, ...]:
    """Return the entries of a menu: title and link."""
    addresses, href, entries = Addresses(page), page.attribute("href"), []
    link = page.has_tag("a") & (href >= 0)
    for first, end in group.outer:
        low, high = page.leaf_range[first, 0], page.leaf_range[end - 1, 1]
        leaves = [leaf for leaf in range(low, high) if measures.shown[leaf]]
        rows = (first + np.flatnonzero(link[first:end])).tolist()
        address = addresses.absolute(rows[0], page.strings[int(href[rows[0]])]) if rows else ""
        title = " ".join(leaf_text(page, leaf) for leaf in leaves)
        fields = {name: value for name, value in (("title", title), ("link", address)) if value}
        if fields:
            entries.append(Record(fields=fields, leaves=tuple(leaves)))
    return tuple(entries)
