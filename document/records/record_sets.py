"""The record sets of a page, each classified as a whole: main content, a secondary set, or navigation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...features.class_names import FAMILIES
from ...page.arrays import FloatArray
from ...page.page import Page
from ...segment.element_locators import ElementLocators
from ...segment.record_groups import RecordGroup
from ...segment.record_layout import DIRECTIONS, direction_of
from ..metadata.urls import Addresses
from .field_columns import said
from .fields import FieldReader, Reading, records_in
from .first_post import opening_post
from .group_features import SET_COLUMNS, GroupMeasures, measure_groups
from .page_features import best_group
from .page_type import PageType, PageTypeModel, shipped_page_types
from .record import Box, Record, RecordSet

#: A set is the page's matter from this probability on; in a page that is likely a thread, from that. Of a list, the
#: entries are: whether they are content is another question.
MAIN, MAIN_OF_THREAD = 0.5, 0.12
#: Probability of a listing or a collection from which a page is taken for a list.
_LISTED = 0.4
#: Types of pages that are made of records.
OF_RECORDS = ("thread", "listing", "collection")
#: Share of a set's text in links, and characters of a record, by which it is navigation.
_LINKED, _SHORT = 0.7, 90.0
#: Share of records that need a price, a date with an author, to be products, posts.
MOST = 0.5
#: Shares of records with an author and with a date, added up, from which they are signed.
SIGNED = 1.5
#: Probability of a thread from which signed records that lead elsewhere are posts; where the records are as likely as
#: this the page's matter, that of the second number will do. Of 1,620 training pages the latter are eight, all threads.
_PERHAPS, _SURE, _HARDLY_THREAD = 0.3, 0.8, 0.1
#: Share of its text by which a set is the matter of a page that is not made of records.
_MATTER = 0.3
#: Characters of a record that is no more than a label, and the probability below which it is none of the content.
_LABEL, _UNLIKELY = 40.0, 0.25
#: Sets that are written down.
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
        return tuple(
            record for one in self.sets if one.record_type == "comment" and one.kind != "main" for record in one.records
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifiedGroups:
    """The groups of a page with their probabilities of content, float64 (groups,), and the page's type.

    ``main`` is the group that is the main content, -1 for none; ``opening`` the post before it with other markup.
    """

    evidence: GroupMeasures
    likely: FloatArray
    page_type: PageType
    main: int
    opening: RecordGroup | None = None

    @cached_property
    def reader(self) -> FieldReader:
        """The reader of their fields."""
        return FieldReader(self.evidence.page, self.evidence.shown)

    @cached_property
    def _readings(self) -> dict[RecordGroup, Reading]:
        return {}

    def reading(self, group: RecordGroup) -> Reading:
        """Return the fields of a group, read once."""
        if group not in self._readings:
            self._readings[group] = self.reader.read(group)
        return self._readings[group]

    @property
    def posts(self) -> list[RecordGroup]:
        """The groups of posts: the main one, after the opening post."""
        main = [self.evidence.groups[self.main]] if self.main >= 0 else []
        return main if self.opening is None else [self.opening, *main]


def classify_groups(
    page: Page, model: PageTypeModel | None = None, *, alone: GroupMeasures | None = None
) -> ClassifiedGroups:
    """Find the groups of records of a page, and the page's type, with the shipped model by default.

    ``alone`` are the counts of the page without records (:func:`~.group_features.evidence_alone`), if known.
    """
    model = model or shipped_page_types()
    evidence = measure_groups(page, alone)
    likely = model.content(evidence)
    page_type = model.page_type(evidence, likely)
    best = _best(evidence, likely, page_type)
    least = MAIN if page_type.every["thread"] < MOST else MAIN_OF_THREAD
    least = 0.0 if _is_list(page_type) else least
    main = best if best >= 0 and likely[best] >= least else -1
    if main >= 0 and page_type.name not in OF_RECORDS and not _is_matter(evidence, main):
        main = -1
    opening = opening_post(evidence, main) if page_type.every["thread"] >= MOST else None
    if main < 0 and opening is not None:
        first, end = opening.spans[0]
        outside = [group for group in evidence.groups if not first <= group.spans[0][0] < end]
        evidence = evidence.with_groups([*outside, opening])
        likely, main, opening = model.content(evidence), len(outside), None
    return ClassifiedGroups(evidence=evidence, likely=likely, page_type=page_type, main=main, opening=opening)


def _is_matter(evidence: GroupMeasures, number: int) -> bool:
    """Return whether a group is the main content of a page of another type, and not the steps in its text."""
    share = max(_fact(evidence, number, "share"), _fact(evidence, number, "free_share"))
    return share >= _MATTER and not _called(evidence, number, "comment")


def page_records(page: Page, model: PageTypeModel | None = None) -> PageRecords:
    """Return the record sets of a page with their fields, and its type; boxes only for rendered pages."""
    return records_of(classify_groups(page, model))


def records_of(judged: ClassifiedGroups) -> PageRecords:
    """Return the record sets and the page type of classified groups."""
    groups = judged.evidence.groups
    order = sorted(range(len(groups)), key=lambda number: (number != judged.main, number))[:_MOST_SETS]
    selector = _Selectors(judged.evidence.page)
    sets = [_set_of(judged, number, selector) for number in order]
    found = tuple(one for one in sets if len(one) > 1 or (one.records and one.kind == "main"))
    return PageRecords(sets=found, page_type=judged.page_type)


def _is_list(page_type: PageType) -> bool:
    return page_type.every["listing"] + page_type.every["collection"] >= _LISTED


def _best(evidence: GroupMeasures, likely: FloatArray, page_type: PageType) -> int:
    """Return the best candidate for the main group: of lists the one with most entries, else the most probable."""
    entries = [number for number in range(len(likely)) if not _leads_away(evidence, number)]
    if not _is_list(page_type) or not entries:
        return best_group(evidence.matrix, likely)
    shares = evidence.matrix[
        :, [SET_COLUMNS.index(name) for name in ("records", "share", "prices", "pictures", "even")]
    ]

    def entered(number: int) -> float:
        records, share, prices, pictures, even = shares[number].tolist()
        return float(records * np.sqrt(share) * (1 + prices + pictures) * (0.5 + even))

    return max(entries, key=entered)


class _Selectors:
    """CSS selectors of elements, with locators that are built on first use."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._places: ElementLocators | None = None

    def __call__(self, row: int) -> tuple[str, ...]:
        """Return the selector of a node's element."""
        self._places = self._places or ElementLocators(self._page)
        return self._places.of(row).selector if self._places.element(row) >= 0 else ()


def _set_of(judged: ClassifiedGroups, number: int, selector: Callable[[int], tuple[str, ...]]) -> RecordSet:
    evidence, group, reader = judged.evidence, judged.evidence.groups[number], judged.reader
    kind = "main" if number == judged.main else "secondary"
    if number != judged.main and (_leads_away(evidence, number) or _is_furniture(judged, number)):
        kind = "navigation"
    if kind == "navigation":
        records, type_ = _links(reader.page, evidence, group), "link"
    else:
        reading = judged.reading(group)
        type_ = record_type(judged, number, reading)
        found = records_in(reader, reading, selector)
        if number == judged.main and type_ == "post" and judged.opening is not None:
            found = (*records_in(reader, judged.reading(judged.opening), selector), *found)
        records = tuple(one for one in found if one.fields or one.records)
    boxes = [record.box for record in records if record.box is not None]
    return RecordSet(
        kind=kind,
        record_type=type_,
        probability=round(float(judged.likely[number]), 4),
        direction=DIRECTIONS[direction_of(_corners(boxes))] if boxes else "",
        selector=selector(group.node) if kind != "navigation" else (),
        columns=tuple(dict.fromkeys(name for record in records for name in record.fields)),
        records=records,
    )


def _corners(boxes: list[Box]) -> FloatArray:
    found = np.asarray(boxes, dtype=np.float64)
    found[:, 2:] += found[:, :2]
    return found


def _fact(evidence: GroupMeasures, number: int, column: str) -> float:
    return float(evidence.matrix[number, SET_COLUMNS.index(column)])


def _called(evidence: GroupMeasures, number: int, family: str) -> bool:
    return bool(_fact(evidence, number, f"own_{family}") or _fact(evidence, number, f"around_{family}"))


def _is_furniture(judged: ClassifiedGroups, number: int) -> bool:
    """Return whether a group has hardly any text: options of a form, words between two bars."""
    group = judged.evidence.groups[number]
    empty = not any(_fact(judged.evidence, number, name) for name in ("prose", "pictures", "dates", "prices"))
    short = np.expm1(_fact(judged.evidence, number, "characters")) < _LABEL
    return bool(number != judged.main and group.tag != "tr" and empty and short and judged.likely[number] < _UNLIKELY)


def _leads_away(evidence: GroupMeasures, number: int) -> bool:
    """Return whether a group is navigation: links only, or in a navigation element."""
    facts = dict(zip(SET_COLUMNS, evidence.matrix[number].tolist(), strict=True))
    short = np.expm1(facts["characters"]) < _SHORT
    framed = facts["in_nav"] or facts["in_header"] or facts["in_footer"]
    named = any(facts[f"own_{family}"] or facts[f"around_{family}"] for family in _NAVIGATION)
    # Entries of a list may be no more than a title; it is a heading then.
    plain = facts["linked"] >= _LINKED and facts["prose"] == 0 and facts["headings"] < MOST
    return bool((framed and (short or plain)) or (plain and short and (named or not facts["pictures"])))


_NAVIGATION = tuple(family for family in ("nav", "breadcrumb", "pager", "tags", "footer") if family in FAMILIES)


def record_type(judged: ClassifiedGroups, number: int, reading: Reading) -> str:
    """Return the type of the records of a group."""
    said_by = reading.share("author") + reading.share("date")
    text = float(np.mean([len(one.get("text", "")) for one in reading.fields]))
    if reading.share("price") >= MOST:
        return "product"
    thread = judged.page_type.every["thread"]
    # Entries of a list lead to other pages.
    apart = len({one.get("link", "").split("#")[0] for one in reading.fields}) > MOST * len(reading.fields)
    signed = said_by >= SIGNED and (not apart or thread > _PERHAPS or is_signed_thread(judged, reading))
    if number == judged.main and text > 20 and (thread >= MOST or signed):
        return "post"
    called = _called(judged.evidence, number, "comment")
    if (
        text > 20
        and ((called and said_by > 0) or (said_by >= 1 and reading.share("link") < MOST))
        and not reading.share("image") > MOST
    ):
        # What is said below something else; of its own, it is what the page is about.
        return "post" if number == judged.main else "comment"
    return "card"


def is_signed_thread(judged: ClassifiedGroups, reading: Reading) -> bool:
    """Return whether the main records are posts by their fields, on a page with features of another type."""
    said_by = reading.share("author") + reading.share("date")
    thread, likely = judged.page_type.every["thread"], judged.likely[judged.main]
    return bool(said_by >= SIGNED and likely >= _SURE and thread >= _HARDLY_THREAD)


def _links(page: Page, evidence: GroupMeasures, group: RecordGroup) -> tuple[Record, ...]:
    """Return the entries of a menu: title and link."""
    addresses, href, found = Addresses(page), page.attribute("href"), []
    link = page.has_tag("a") & (href >= 0)
    for first, end in group.outer:
        low, high = page.leaf_range[first, 0], page.leaf_range[end - 1, 1]
        leaves = [leaf for leaf in range(low, high) if evidence.shown[leaf]]
        rows = np.flatnonzero(link[first:end])
        address = (
            addresses.absolute(first + int(rows[0]), page.strings[int(href[first + int(rows[0])])]) if len(rows) else ""
        )
        title = " ".join(said(page, leaf) for leaf in leaves)
        fields = {name: value for name, value in (("title", title), ("link", address)) if value}
        if fields:
            found.append(Record(fields=fields, leaves=tuple(leaves)))
    return tuple(found)
