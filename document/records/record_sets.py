"""The record sets of a page, each classified as a whole: main content, a secondary set, or navigation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...features.class_names import FAMILIES
from ...page.arrays import FloatArray
from ...page.page import Page
from ...segment.element_locators import ElementLocators
from ...segment.record_groups import RecordGroup
from ...segment.record_layout import DIRECTIONS, direction_of
from ..content.lazy import Lazy
from ..metadata.urls import Addresses
from .built_records import records_in
from .field_columns import leaf_text
from .fields import FieldReader, Reading
from .group_features import SET_COLUMNS, GroupMeasures, measure_groups
from .page_features import best_group
from .page_type import PageType, PageTypeModel, shipped_page_types
from .posts.posting_dates import share_dated
from .record import Box, Record, RecordSet
from .single_records import only_product, opening_post

#: Least probability of the main set, and on a page that is probably a thread; that of a list needs none.
MAIN, MAIN_OF_THREAD = 0.5, 0.12
#: Least probability of a listing or a collection for a page to be a list.
_LISTED = 0.4
#: Types of pages whose content is records.
OF_RECORDS = ("thread", "listing", "collection")
#: Least share of text in links, and most characters of a record, of navigation.
_LINKED, _SHORT = 0.7, 90.0
#: Least share of records with a price for products, with a date and an author for posts.
MOST = 0.5
#: Least probability of a thread: by folds 88 % of 85 threads have it, and two of 1,550 other pages.
THREAD = 0.3
#: The same for records without authors and dates to be posts: cards and rows of threads often have neither.
_UNSIGNED = 0.7
#: Least sum of the shares of records with an author and with a date for them to be signed.
SIGNED = 1.5
#: Least probability of content of signed records, and of a thread, for them to be posts where that of a thread is less
#: than THREAD.
_SURE, _HARDLY_THREAD = 0.8, 0.1
#: Posts that make a page a thread, whatever its type: least probability of content, least share of the page's text,
#: with an opening post that may be above them; least share of posts with an author, and with a date; most share of
#: prose above posts that are called comments, or are on what is surely an article; most groups that are read.
_LIKELY_POSTS, _POSTS_SHARE, _POSTS_AND_OPENING, _BY_WHOM, _UNCOMMENTED, _MOST_READ = 0.4, 0.25, 0.5, 0.8, 0.05, 3
_SURE_ARTICLE = 0.9
#: Least share of the text of the main set on pages of other types.
_MATTER = 0.3
#: Records that may be parts of one text: most of them, largest ratio of their median to their mean length, and largest
#: share of the page's text if they have no titles.
_SECTIONS, _UNEVEN, _UNTITLED = 3, 0.5, 0.7
#: Share of the text from which a list of text is no part of another text: the steps of a recipe are less.
_WHOLE = 0.8
#: Most characters of a label, and the probability below which labels are navigation.
_LABEL, _UNLIKELY = 40.0, 0.25
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


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifiedGroups:
    """The groups of a page with their probabilities of content, float64 (groups,), and the page's type.

    ``main`` is the group that is the main content, -1 for none; ``opening`` the post before it with other markup.
    """

    measures: GroupMeasures
    likely: FloatArray
    page_type: PageType
    main: int
    opening: RecordGroup | None = None
    #: Whether the page is a thread by its posts, whatever features of other types it has.
    by_posts: bool = False

    @cached_property
    def reader(self) -> FieldReader:
        """The reader of their fields."""
        return FieldReader(self.measures.page, self.measures.shown, posts=self.page_type.every["thread"] >= THREAD)

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
        main = [self.measures.groups[self.main]] if self.main >= 0 else []
        return main if self.opening is None else [self.opening, *main]


def classify_groups(page: Page, model: PageTypeModel | None = None) -> ClassifiedGroups:
    """Find the groups of records of a page, and the page's type, with the shipped model by default."""
    model = model or shipped_page_types()
    measures = measure_groups(page)
    likely = model.content(measures)
    page_type = model.page_type(measures, likely)
    best = _best(measures, likely, page_type)
    least = MAIN if page_type.every["thread"] < THREAD else MAIN_OF_THREAD
    least = 0.0 if _is_list(page_type) else least
    main = best if best >= 0 and likely[best] >= least else -1
    if main >= 0 and page_type.name not in OF_RECORDS and not _is_matter(measures, main):
        main = -1
    opening = opening_post(measures, main) if page_type.every["thread"] >= THREAD else None
    if main < 0 and (single := opening or only_product(measures)) is not None:
        first, end = single.spans[0]
        outside = [group for group in measures.groups if not first <= group.spans[0][0] < end]
        measures = measures.with_groups([*outside, single])
        likely, main, opening = model.content(measures), len(outside), None
    classified = ClassifiedGroups(measures=measures, likely=likely, page_type=page_type, main=main, opening=opening)
    return classified if page_type.name == "thread" else thread_by_posts(classified)


def thread_by_posts(classified: ClassifiedGroups) -> ClassifiedGroups:
    """Return the groups of a page as those of a thread if signed posts are most of its text.

    The model of types knows addresses and class names of forums; of a saved file, or of unknown software, it
    cannot know that people talk. The texts of an article's comments are unlikely content.
    """
    measures, likely = classified.measures, classified.likely
    text = float((measures.characters * ~measures.linked).sum())
    for number in sorted(range(len(likely)), key=lambda number: -_fact(measures, number, "free_share"))[:_MOST_READ]:
        if likely[number] < _LIKELY_POSTS or _fact(measures, number, "free_share") < _POSTS_SHARE:
            continue
        if share_dated(measures.page, measures.texts, measures.groups[number].spans) < _BY_WHOM:
            continue
        first = int(measures.page.leaf_range[measures.groups[number].spans[0][0], 0])
        before = float(measures.prose[:first].sum()) / max(float(measures.prose.sum()), 1.0)
        commented = _called(measures, number, "comment") or classified.page_type.every["article"] >= _SURE_ARTICLE
        if commented and before > _UNCOMMENTED:
            continue
        reading = classified.reading(measures.groups[number])
        if not reading.signed or min(reading.share("author"), reading.share("date")) < _BY_WHOM:
            continue
        share = float(measures.characters[[leaf for some in reading.texts for leaf in some]].sum()) / max(text, 1.0)
        if _labels_above(measures, first) > sum(len(cells.leaves) for cells in reading.aligned.cells):
            continue
        if _leads_apart(reading) and classified.page_type.every["thread"] < _HARDLY_THREAD:
            continue
        if share + before >= _POSTS_AND_OPENING and share >= _POSTS_SHARE:
            page_type = classified.page_type.as_thread(round(min(max(share + before, THREAD), 1.0), 4))
            opening = opening_post(measures, number)
            return replace(classified, page_type=page_type, main=number, opening=opening, by_posts=True)
    return classified


def _labels_above(measures: GroupMeasures, first: int) -> int:
    """Return the number of texts before a leaf that are neither links nor prose: figures of a product, tables."""
    plain = (measures.characters[:first] > 0) & ~measures.linked[:first] & (measures.prose[:first] == 0)
    return int(plain.sum())


def _leads_apart(reading: Reading) -> bool:
    """Return whether records link to as many pages, like entries of a list."""
    return len({one.get("link", "").split("#")[0] for one in reading.fields}) > MOST * len(reading.fields)


def _is_matter(measures: GroupMeasures, number: int) -> bool:
    """Return whether a group is the main content of a page of another type, and not the steps in its text."""
    share = max(_fact(measures, number, "share"), _fact(measures, number, "free_share"))
    if share < _WHOLE and _is_list_of_text(measures, number):
        return False
    return share >= _MATTER and not _called(measures, number, "comment")


def _is_list_of_text(measures: GroupMeasures, number: int) -> bool:
    """Return whether the records of a group are entries of a list with text alone."""
    group = measures.groups[number]
    facts = ("links_each", "pictures", "headings", "dates", "prices", "buttons")
    return group.tag in ("li", "dd") and not any(_fact(measures, number, name) for name in facts)


def page_records(page: Page, model: PageTypeModel | None = None) -> PageRecords:
    """Return the record sets of a page with their fields, and its type; boxes only for rendered pages."""
    return records_of(classify_groups(page, model))


def records_of(classified: ClassifiedGroups) -> PageRecords:
    """Return the record sets and the page type of classified groups."""
    classified, groups = _with_subject(classified), classified.measures.groups
    order = sorted(range(len(groups)), key=lambda number: (number != classified.main, number))[:_MOST_SETS]
    selector = _selectors(classified.measures.page)
    sets = [_set_of(classified, number, selector) for number in order]
    found = tuple(one for one in sets if len(one) > 1 or (one.records and one.kind == "main"))
    return PageRecords(sets=found, page_type=classified.page_type)


def _with_subject(classified: ClassifiedGroups) -> ClassifiedGroups:
    """Return the groups without a main one if that is parts of one text: sections, steps, ingredients."""
    number = classified.main
    if number < 0 or not _is_of_one_text(classified, number):
        return classified
    other = replace(classified, main=-1)
    other.__dict__.update({name: vars(classified)[name] for name in ("reader", "_readings")})
    return other


def _is_of_one_text(classified: ClassifiedGroups, number: int) -> bool:
    """Return whether records are few, uneven or without titles, and have neither links, prices nor signatures.

    Numbered ones without titles are steps.
    """
    measures, reading = classified.measures, classified.reading(classified.measures.groups[number])
    share = {name: reading.share(name) for name in ("title", "link", "price", "author", "date", "rank")}
    title = reading.columns.get("title")
    linked = title is not None and (share["link"] >= MOST or title.linked >= MOST)
    if linked or share["price"] >= MOST or share["author"] + share["date"] >= 2 * MOST:
        return False
    listed = _is_list(classified.page_type)
    if record_type(classified, number, reading) == "post" or (listed and share["title"] == 1):
        return False
    few = len(reading.fields) <= _SECTIONS or sum(map(bool, reading.fields)) < MOST * len(reading.fields)
    untitled = share["title"] < MOST and _fact(measures, number, "free_share") < _UNTITLED
    untitled &= not listed or _is_list_of_text(measures, number)
    untitled |= share["rank"] >= MOST > share["title"]
    return few or untitled or _fact(measures, number, "even") < _UNEVEN


def first_author(classified: ClassifiedGroups) -> str:
    """Return the author of the first of the main records, "" if unknown, without the fields of other sets."""
    if classified.main < 0:
        return ""
    records = _set_of(classified, classified.main, lambda _: ()).records
    return records[0].fields.get("author", "") if records else ""


def _is_list(page_type: PageType) -> bool:
    return page_type.every["listing"] + page_type.every["collection"] >= _LISTED


def _best(measures: GroupMeasures, likely: FloatArray, page_type: PageType) -> int:
    """Return the best candidate for the main group: of lists the one with most entries, else the most probable."""
    entries = [number for number in range(len(likely)) if not _leads_away(measures, number)]
    if not _is_list(page_type) or not entries:
        return best_group(measures.matrix, likely)
    columns = [*map(SET_COLUMNS.index, ("records", "share", "prices", "pictures", "even"))]
    shares = measures.matrix[:, columns]

    def entered(number: int) -> float:
        records, share, prices, pictures, even = shares[number].tolist()
        return float(records * np.sqrt(share) * (1 + prices + pictures) * (0.5 + even))

    return max(entries, key=entered)


def _selectors(page: Page) -> Callable[[int], tuple[str, ...]]:
    """Return a function from a node to the CSS selector of its element; the locators are built on first use."""
    locators = Lazy(lambda: ElementLocators(page))

    def selector(row: int) -> tuple[str, ...]:
        return locators.value.of(row).selector if locators.value.element(row) >= 0 else ()

    return selector


def _set_of(classified: ClassifiedGroups, number: int, selector: Callable[[int], tuple[str, ...]]) -> RecordSet:
    measures, group, reader = classified.measures, classified.measures.groups[number], classified.reader
    kind = "main" if number == classified.main else "secondary"
    if number != classified.main and (_leads_away(measures, number) or _is_boilerplate(classified, number)):
        kind = "navigation"
    if kind == "navigation":
        records, type_ = _links(reader.page, measures, group), "link"
    else:
        reading = classified.reading(group)
        type_ = record_type(classified, number, reading)
        reading = reading.with_permalinks() if type_ in ("post", "comment") else reading
        found = records_in(reader, reading, selector)
        if number == classified.main and type_ == "post" and classified.opening is not None:
            found = (*records_in(reader, classified.reading(classified.opening).with_permalinks(), selector), *found)
        records = tuple(_with_fields(found))
    boxes = [record.box for record in records if record.box is not None]
    return RecordSet(
        kind=kind,
        record_type=type_,
        probability=round(float(classified.likely[number]), 4),
        direction=DIRECTIONS[direction_of(_corners(boxes))] if boxes else "",
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


def _corners(boxes: list[Box]) -> FloatArray:
    corners = np.asarray(boxes, dtype=np.float64)
    corners[:, 2:] += corners[:, :2]
    return corners


def _fact(measures: GroupMeasures, number: int, column: str) -> float:
    return float(measures.matrix[number, SET_COLUMNS.index(column)])


def _called(measures: GroupMeasures, number: int, family: str) -> bool:
    return bool(_fact(measures, number, f"own_{family}") or _fact(measures, number, f"around_{family}"))


def _is_boilerplate(classified: ClassifiedGroups, number: int) -> bool:
    """Return whether a group has hardly any text: options of a form, words between two bars."""
    empty = not any(_fact(classified.measures, number, name) for name in ("prose", "pictures", "dates", "prices"))
    short = np.expm1(_fact(classified.measures, number, "characters")) < _LABEL
    unlikely = number != classified.main and classified.likely[number] < _UNLIKELY
    return bool(unlikely and classified.measures.groups[number].tag != "tr" and empty and short)


def _leads_away(measures: GroupMeasures, number: int) -> bool:
    """Return whether a group is navigation: links only, or in a navigation element."""
    facts = dict(zip(SET_COLUMNS, measures.matrix[number].tolist(), strict=True))
    short = np.expm1(facts["characters"]) < _SHORT
    framed = facts["in_nav"] or facts["in_header"] or facts["in_footer"]
    named = any(facts[f"own_{family}"] or facts[f"around_{family}"] for family in _NAVIGATION)
    # Entries of a list may have a title only, which is a heading then.
    plain = facts["linked"] >= _LINKED and facts["prose"] == 0 and facts["headings"] < MOST
    return bool((framed and (short or plain)) or (plain and short and (named or not facts["pictures"])))


_NAVIGATION = tuple(family for family in ("nav", "breadcrumb", "pager", "tags", "footer") if family in FAMILIES)


def record_type(classified: ClassifiedGroups, number: int, reading: Reading) -> str:
    """Return the type of the records of a group."""
    said_by = reading.share("author") + reading.share("date")
    text = float(np.mean([len(one.get("text", "")) for one in reading.fields]))
    if reading.share("price") >= MOST:
        return "product"
    likely = classified.page_type.every["thread"] >= (THREAD if said_by >= MOST else _UNSIGNED)
    signed = said_by >= SIGNED and (likely or is_signed_thread(classified, reading) or not _leads_apart(reading))
    if number == classified.main and text > 20 and (likely or signed):
        return "post"
    called = _called(classified.measures, number, "comment")
    answer = (called and said_by > 0) or (said_by >= 1 and reading.share("link") < MOST)
    if text > 20 and answer and reading.share("image") <= MOST:
        # Comments are below other content; on a page of their own they are the main content.
        return "post" if number == classified.main else "comment"
    return "card"


def is_signed_thread(classified: ClassifiedGroups, reading: Reading) -> bool:
    """Return whether the main records are posts by their fields, on a page with features of another type."""
    return may_be_signed_thread(classified) and reading.share("author") + reading.share("date") >= SIGNED


def may_be_signed_thread(classified: ClassifiedGroups) -> bool:
    """Return whether the fields of the main records decide if they are posts (:func:`is_signed_thread`)."""
    thread, likely = classified.page_type.every["thread"], classified.likely[classified.main]
    return bool(likely >= _SURE and thread >= _HARDLY_THREAD)


def _links(page: Page, measures: GroupMeasures, group: RecordGroup) -> tuple[Record, ...]:
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
