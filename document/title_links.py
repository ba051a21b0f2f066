"""Links of the titles of records whose own link is no text of the content: an empty one over a card, "read more"."""

from __future__ import annotations

import numpy as np

from ..page.arrays import BoolColumn, IntColumn, Marks, prefix_sums
from ..page.urls import address_of, host_of
from ..records.candidates import RecordCandidates
from ..records.fields import FieldReader, Reading
from ..records.whole_records import content_groups
from ..segment.record_groups import RecordGroup

#: Share of the records that need a link without content.
_HALF = 0.5


def title_links(records: RecordCandidates, marks: Marks) -> dict[int, str]:
    """Return the addresses of the marked leaves of titles that are no links, by leaf, for records that are content.

    The address is that of the record, on the site of the page, if no text of the record that is content leads there.
    """
    links: dict[int, str] = {}
    page = records.page
    href = page.attribute("href")
    anchors = page.has_tag("a") & (href >= 0)
    if not marks.any() or not anchors.any():
        return links
    held = prefix_sums(marks)
    without = anchors & (held[page.leaf_range[:, 1]] == held[page.leaf_range[:, 0]])
    reader, before = FieldReader(records), prefix_sums(without)
    for group, _ in content_groups(records, marks):
        first, end = np.asarray(group.outer).T
        if (before[end] > before[first]).mean() < _HALF or not _lead_elsewhere(href, without, anchors, first, end):
            continue
        links |= _links_of(reader.read(group), group, marks, anchors & ~without, reader)
    return links


def _lead_elsewhere(
    href: IntColumn, without: BoolColumn, anchors: BoolColumn, first: IntColumn, end: IntColumn
) -> bool:
    """Return whether links without content lead where no other link of their record leads, in half of the records.

    Pictures of cards mostly lead where their titles do: then no field has to be read.
    """
    elsewhere = 0
    for low, high in zip(first.tolist(), end.tolist(), strict=True):
        empty, own = without[low:high], href[low:high]
        elsewhere += not set(own[empty].tolist()) <= set(own[anchors[low:high] & ~empty].tolist())
    return elsewhere >= _HALF * len(first)


def _links_of(
    reading: Reading, group: RecordGroup, marks: Marks, written: BoolColumn, reader: FieldReader
) -> dict[int, str]:
    """Return the addresses of the leaves of the titles of a group; ``written`` marks the links of the content."""
    page, titles, links = reader.page, reading.columns.get("title"), dict[int, str]()
    if titles is None:
        return links
    site = host_of(address_of(page))
    for number, leaves in titles.leaves.items():
        address = reading.links.get(number, "")
        first, end = group.spans[number]
        there = {reader.address(row, "href") for row in (first + np.flatnonzero(written[first:end])).tolist()}
        elsewhere = site and host_of(address) not in ("", site)
        if address and address not in there and not elsewhere and marks[leaves].all():
            links |= dict.fromkeys(leaves, address)
    return links
