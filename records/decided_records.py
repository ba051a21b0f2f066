"""The record sets of a page, each decided as a whole: main content, a secondary set, or navigation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ..features.class_names import FAMILIES
from ..page.arrays import HALF, MOST, MOSTLY, NEARLY_ALL, SOME, BoolColumn, FloatArray, Marks, prefix_sums
from ..page.lazy import Lazy, Readable
from ..segment.record_groups import RecordGroup
from .candidates import SET_COLUMNS, RecordCandidates, fact
from .field_columns import FEWEST
from .field_values import PROSE
from .fields import FieldReader, Reading
from .page_type import PageType, PageTypeModel, shipped_page_types
from .single_records import declared_product, only_product
from .threads import Thread

#: Most characters of a record of navigation.
_SHORT = 90.0
#: Types of pages whose main records are posts, are links, or are none.
_OF_POSTS, OF_LINKS = ("thread",), ("listing", "collection", "home")
_OF_TEXT = ("article", "product", "documentation", "service", "home", "none")


@dataclass(frozen=True, kw_only=True, eq=False)
class DecidedRecords:
    """The record groups of a page after the choice of its content.

    ``likely``, float64 (groups,), is the probability of content of each; ``main`` the group that is the content, -1 for
    none; ``opening`` the post before it with other markup; ``posts`` whether the main records are posts.
    """

    candidates: RecordCandidates
    likely: Readable[FloatArray] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    page_type: Readable[PageType] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    main: int = -1
    opening: RecordGroup | None = None
    posts: bool = False
    reader: FieldReader

    def reading(self, group: RecordGroup) -> Reading:
        """Return the fields of a group."""
        return self.reader.read(group)

    @property
    def main_group(self) -> RecordGroup | None:
        """The group of the main records."""
        return self.candidates.groups[self.main] if self.main >= 0 else None

    @cached_property
    def is_index(self) -> bool:
        """Whether the main records are links: entries that lead to other pages."""
        group = self.main_group
        return (
            group is not None and not self.posts and len(group.outer) > 1 and self.reading(group).share("link") >= HALF
        )

    def missing(self, marks: Marks) -> Marks:
        """Return what main records lack in the content, bool (leaves,): titles, and texts that are mostly left out."""
        lacking, group = np.zeros_like(marks), self.main_group
        if group is None or self.posts:
            return lacking
        reading = self.reading(group)
        titles = reading.columns["title"].leaves if "title" in reading.columns else {}
        for number in range(len(reading.aligned.cells)):
            title = titles.get(number, [])
            if title and not marks[title].all():
                lacking[title] = True
            text = reading.texts[number] if len(group.outer) > 1 else []
            size = self.candidates.characters[text]
            if text and (size * marks[text]).sum() < HALF * size.sum():
                lacking[text] = True
        return lacking & ~marks

    @cached_property
    def cards(self) -> BoolColumn:
        """The nodes in records that are no post, and in comments: their titles, authors and dates are their own.

        bool (nodes,)
        """
        marks = np.zeros(len(self.candidates.page), dtype=bool)
        for number, group in enumerate(self.candidates.groups):
            if number == self.main and (self.posts or len(group.outer) == 1):
                continue
            if number == self.main or _are_cards(self.candidates, number):
                for first, end in group.outer:
                    marks[first:end] = True
        return marks


def _are_cards(records: RecordCandidates, number: int) -> bool:
    """Return whether records that are no content have titles or are comments, and not parts of the page's header."""
    facts = dict(zip(SET_COLUMNS, records.matrix[number].tolist(), strict=True))
    if facts["own_comment"] or facts["around_comment"]:
        return True
    titled = facts["headings"] >= HALF or np.expm1(facts["links_each"]) >= 1
    return bool(len(records.groups[number].outer) >= FEWEST and np.expm1(facts["texts_each"]) >= 2 and titled)


def decide_records(records: RecordCandidates, marks: Marks, thread: Thread | None = None) -> DecidedRecords:
    """Decide which records are the main ones and what the page is, given its content, bool (leaves,).

    ``thread`` are the posts if they were chosen as the content. Else the main records are those with most of the
    content, if most of their text is content; what the content contradicts is no type of the page.
    """
    model = shipped_page_types()
    if thread is not None:
        return _with_posts(records, thread, model)
    likely, reader = Lazy(partial(model.content, records)), FieldReader(records)
    types = Lazy(lambda: model.page_type(records, likely.value))
    if marks.any() and (single := declared_product(records)) is not None:
        return _with_product(records, single, types, model)
    for number in _with_content(records, marks, likely):
        found = DecidedRecords(candidates=records, likely=likely, page_type=types, main=number, reader=reader)
        # On a page that lists nothing, records that are partly left out are not what it is about.
        listed = sum(types.value.every[name] for name in OF_LINKS) >= HALF
        if _is_of_one_text(found, number) or not ((listed and found.is_index) or not found.missing(marks).any()):
            continue
        return replace(found, page_type=types.value.among(OF_LINKS if found.is_index else _OF_TEXT))
    if not marks.any() or (single := only_product(records)) is None:
        of_text = Lazy(lambda: types.value.among(_OF_TEXT))
        return DecidedRecords(candidates=records, likely=likely, page_type=of_text, reader=reader)
    return _with_product(records, single, types, model)


def _with_product(
    records: RecordCandidates, single: RecordGroup, types: Lazy[PageType], model: PageTypeModel
) -> DecidedRecords:
    with_single = records.with_group(single)
    return DecidedRecords(
        candidates=with_single,
        likely=Lazy(partial(model.content, with_single)),
        page_type=Lazy(lambda: types.value.among(_OF_TEXT)),
        main=len(with_single.groups) - 1,
        reader=FieldReader(with_single),
    )


def _with_posts(records: RecordCandidates, thread: Thread, model: PageTypeModel) -> DecidedRecords:
    group = thread.groups[-1]
    if not any(one is group for one in records.groups):
        records = records.with_group(group)
    likely = Lazy(partial(model.content, records))
    return DecidedRecords(
        candidates=records,
        likely=likely,
        page_type=Lazy(lambda: model.page_type(records, likely.value).among(_OF_POSTS)),
        main=next(number for number, one in enumerate(records.groups) if one is group),
        opening=thread.groups[0] if len(thread.groups) > 1 else None,
        posts=True,
        reader=thread.reader,
    )


def _with_content(records: RecordCandidates, marks: Marks, likely: Lazy[FloatArray]) -> list[int]:
    """Return the groups whose text is content, or nearly all content is in them, those with most of it first."""
    found = list[tuple[float, int]]()
    if not marks.any() or not records.groups:
        return []
    start, _, _, low, high = records.outer
    every, held = (prefix_sums(size) for size in (records.characters, records.characters * marks))
    whole, content = (np.add.reduceat(sums[high] - sums[low], start) for sums in (every, held))
    shares = content / max(float(held[-1]), 1.0)
    for number in ((content >= HALF * whole) | (shares >= NEARLY_ALL)).nonzero()[0].tolist():
        if len(records.groups[number].outer) < FEWEST:
            continue
        # Menus and lists of text, which are parts of a text otherwise, have most of it.
        share = float(shares[number])
        part = leads_away(records, number) or _is_list_of_text(records, number)
        if share >= (MOST if part else SOME) and not _called(records, number, "comment"):
            found.append((share * (SOME + float(likely.value[number])), number))
    return [number for _, number in sorted(found, reverse=True)]


def _is_list_of_text(measures: RecordCandidates, number: int) -> bool:
    """Return whether the records of a group are entries of a list with text alone."""
    group = measures.groups[number]
    facts = ("links_each", "pictures", "headings", "dates", "prices", "buttons")
    return group.tag in ("li", "dd") and not any(fact(measures.matrix[number], name) for name in facts)


def _is_of_one_text(decided: DecidedRecords, number: int) -> bool:
    """Return whether records are few, uneven or without titles, and have neither links, prices nor signatures.

    Numbered ones without titles are steps.
    """
    records, reading = decided.candidates, decided.reading(decided.candidates.groups[number])
    share = {name: reading.share(name) for name in ("title", "link", "price", "author", "date", "rank")}
    title = reading.columns.get("title")
    linked = title is not None and (share["link"] >= HALF or title.linked >= HALF)
    if linked or share["price"] >= HALF or share["author"] + share["date"] >= 2 * HALF:
        return False
    few = len(reading.fields) <= FEWEST or sum(map(bool, reading.fields)) < HALF * len(reading.fields)
    untitled = share["title"] < HALF and fact(records.matrix[number], "free_share") < MOSTLY
    untitled |= share["rank"] >= HALF > share["title"]
    return few or untitled or fact(records.matrix[number], "even") < HALF


def first_author(decided: DecidedRecords) -> str:
    """Return the author of the first post of a thread, "" if unknown or if the page is none."""
    groups = (decided.opening, decided.main_group) if decided.posts else ()
    fields = (one for group in groups if group is not None for one in decided.reading(group).fields if one)
    return next((one.get("author", "") for one in fields), "")


def _called(measures: RecordCandidates, number: int, family: str) -> bool:
    return bool(fact(measures.matrix[number], f"own_{family}") or fact(measures.matrix[number], f"around_{family}"))


def is_boilerplate(decided: DecidedRecords, number: int) -> bool:
    """Return whether a group has hardly any text: options of a form, words between two bars."""
    empty = not any(fact(decided.candidates.matrix[number], name) for name in ("prose", "pictures", "dates", "prices"))
    short = np.expm1(fact(decided.candidates.matrix[number], "characters")) < PROSE
    unlikely = number != decided.main and decided.likely[number] < SOME
    return bool(unlikely and decided.candidates.groups[number].tag != "tr" and empty and short)


def leads_away(measures: RecordCandidates, number: int) -> bool:
    """Return whether a group is navigation: links only, or in a navigation element."""
    facts = dict(zip(SET_COLUMNS, measures.matrix[number].tolist(), strict=True))
    short = np.expm1(facts["characters"]) < _SHORT
    framed = facts["in_nav"] or facts["in_header"] or facts["in_footer"]
    named = any(facts[f"own_{family}"] or facts[f"around_{family}"] for family in _NAVIGATION)
    # Entries of a list may have a title only, which is a heading then.
    plain = facts["linked"] >= MOSTLY and facts["prose"] == 0 and facts["headings"] < HALF
    return bool((framed and (short or plain)) or (plain and short and (named or not facts["pictures"])))


_NAVIGATION = tuple(family for family in ("nav", "breadcrumb", "pager", "tags", "footer") if family in FAMILIES)


def record_type(decided: DecidedRecords, number: int, reading: Reading) -> str:
    """Return the type of the records of a group."""
    if number == decided.main and decided.posts:
        return "post"
    if reading.share("price") >= HALF:
        return "product"
    said_by = reading.share("author") + reading.share("date")
    text = float(np.mean([len(one.get("text", "")) for one in reading.fields]))
    called = _called(decided.candidates, number, "comment")
    answer = (called and said_by > 0) or (said_by >= 1 and reading.share("link") < HALF)
    comments = text > PROSE and answer and reading.share("image") <= HALF and number != decided.main
    return "comment" if comments else "card"
