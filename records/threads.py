"""The posts of a page as a candidate for its content: text, authors and dates, and the facts that speak for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..page.arrays import HALF, HARDLY_ANY, NEARLY_ALL, SOME, Marks, mask_of
from ..page.page import Page
from ..segment.record_groups import RecordGroup
from .candidates import RecordCandidates, fact
from .field_columns import FEWEST
from .field_values import PROSE, count_when
from .fields import FieldReader, Reading
from .page_type import PageType, shipped_page_types
from .posts.joined_rows import is_dated, whole_posts
from .posts.signatures import have_titles
from .single_records import opening_post

#: Fields that say who wrote a post, and when.
SIGNATURE = ("author", "date")
#: Most groups that are read.
_MOST_READ = 3
#: Probability of a thread, by its class names and words, from which records are read although few have dates; most
#: characters of a time of day.
_HARDLY, _LONGEST_TIME = 0.03, 20
#: What is between the title of a page and the name of its site.
_SITE = re.compile(r"\s[|–—-]\s|::|»")


@dataclass(frozen=True, kw_only=True, eq=False)
class Thread:
    """Posts of a page that may be its content: ``groups`` in document order, an opening post first."""

    records: RecordCandidates
    reader: FieldReader
    groups: tuple[RecordGroup, ...]
    likely: float  # probability that the largest group is content

    @cached_property
    def readings(self) -> list[Reading]:
        """The fields of each group."""
        return [self.reader.read(group) for group in self.groups]

    @cached_property
    def inside(self) -> Marks:
        """All leaves in the posts, bool (leaves,)."""
        page, marks = self.records.page, np.zeros(len(self.records.page.leaves), dtype=bool)
        for first, end in (span for group in self.groups for span in group.outer):
            marks[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]] = True
        return marks

    @cached_property
    def text(self) -> Marks:
        """The leaves of the texts of the posts, bool (leaves,)."""
        return self._marked(leaf for one in self.readings for some in one.texts for leaf in some)

    @cached_property
    def roles(self) -> dict[str, Marks]:
        """The leaves of authors and dates, bool (leaves,) each."""
        return {role: self._marked(leaf for one in self.readings for leaf in one.leaves_of(role)) for role in SIGNATURE}

    @property
    def signature(self) -> Marks:
        """Who wrote the posts, and when, bool (leaves,)."""
        marks: Marks = np.any(list(self.roles.values()), axis=0)
        return marks

    def _marked(self, leaves: Iterable[int]) -> Marks:
        return mask_of(len(self.records.page.leaves), list(leaves))

    def whole(self, marks: Marks) -> Marks:
        """Return the marks with the text of all posts, and nothing else inside them.

        Outside of them, only prose stays, with what is between: an opening post, and no form to sign in.
        """
        outside = marks & ~self.inside
        said = (outside & _prose(self.records.page, self.records.prose > 0)).nonzero()[0]
        outside[: said[0] if len(said) else len(outside)] = False
        outside[said[-1] + 1 if len(said) else 0 :] = False
        kept: Marks = outside | self.text
        return kept

    def facts(self, types: PageType, read: Marks) -> dict[str, float]:
        """Return what speaks for and against the posts as content, by name; ``read`` marks the content without them."""
        records, group, reading = self.records, self.groups[-1], self.readings[-1]
        number = next((n for n, one in enumerate(records.groups) if one is group), -1)
        matrix = records.matrix[number] if number >= 0 else records.with_groups([group]).matrix[0]
        first = int(records.page.leaf_range[self.groups[0].spans[0][0], 0])
        free, count = records.characters * ~records.linked, max(len(reading.fields), 1)
        links = {one.get("link", "").split("#")[0] for one in reading.fields}
        titles = {one["title"] for one in reading.fields if "title" in one}
        sizes = [float(records.characters[some].sum()) for some in reading.texts if some] or [0.0]
        longest, mean = self._longest_outside(), sum(sizes) / len(sizes)
        subject = _SITE.split(records.page.title)[0].strip().casefold()
        subjects = [subject in text.casefold() for text in records.texts] if len(subject) > 2 else [False]
        facts = {name: fact(matrix, name) for name in ("free_share", "prose", "linked", "links_each", "in_article")}
        return facts | {
            "likely": self.likely,
            "thread": types.every["thread"],
            "article": types.every["article"],
            "list": types.every["listing"] + types.every["collection"] + types.every["home"],
            "records": float(np.log1p(len(reading.fields))),
            "signed": float(reading.signed),
            "dated": _share_dated(records, group),
            "before": float(records.prose[:first].sum()) / max(float(records.prose.sum()), 1.0),
            "share": float(records.characters[self.text].sum()) / max(float(free.sum()), 1.0),
            "apart": len(links) / count,
            "comments": max(fact(matrix, "own_comment"), fact(matrix, "around_comment")),
            "over_longest": longest / (longest + max(sizes) + 1),
            "over_mean": longest / (longest + mean + 1),
            "opening": float(len(self.groups) > 1),
            "subjects": float((self.inside & subjects).sum()) / count,
            "read": float((free * self.text * read).sum()) / max(float((free * self.text).sum()), 1.0),
            "titles": len(titles) / count,
            "above": _share_above(reading),
            **{name: reading.share(name) for name in (*SIGNATURE, "link", "image", "price")},
            # The title of the thread above each post is none of its own.
            "title": reading.share("title") * have_titles(reading.aligned, reading.columns),
        }

    def _longest_outside(self) -> float:
        """Return the characters of the longest text outside of the posts: the paragraphs of one element."""
        page, prose = self.records.page, self.records.prose * ~self.inside
        paragraph = page.nearest(page.block_level)[page.leaves]
        above = np.where(paragraph >= 0, page.parent[paragraph], -1)
        return float(np.bincount(above + 1, weights=prose, minlength=1).max())


def _are_entries(reading: Reading) -> bool:
    """Return whether records have a title each that leads elsewhere, above who wrote last: sections of a forum."""
    titles = {one.get("title", str(number)) for number, one in enumerate(reading.fields)}
    links = {one.get("link", "").split("#")[0] for one in reading.fields}
    few = NEARLY_ALL * len(reading.fields)
    return (
        reading.share("title") >= NEARLY_ALL
        and min(len(titles), len(links)) >= few
        and _share_above(reading) < 1 - NEARLY_ALL
    )


def _share_above(reading: Reading) -> float:
    """Return the share of records whose author or date is above their text; who wrote last in a topic is below."""
    signed, above = {leaf for role in SIGNATURE for leaf in reading.leaves_of(role)}, 0
    for cells, text in zip(reading.aligned.cells, reading.texts, strict=True):
        first = next((leaf for leaf in cells.leaves if leaf in signed), None)
        above += first is not None and bool(text) and first < text[0]
    return above / max(len(reading.texts), 1)


def _prose(page: Page, sentences: Marks) -> Marks:
    """Return the leaves of the block-level elements with a sentence: a link or bold print may start it."""
    owner = page.nearest(page.block_level)[page.leaves]
    prose: Marks = np.bincount(owner[sentences] + 1, minlength=len(page) + 1)[owner + 1] > 0
    return prose


def find_thread(records: RecordCandidates, types: PageType) -> Thread | None:
    """Return the records that are most like the posts of a thread; None if none has authors and dates.

    Reading fields is slow: pages without dates, and without words and class names of a thread, are not searched.
    """
    if types.every["thread"] < _HARDLY and not _has_times(records):
        return None
    likely = shipped_page_types().content(records)
    reader = FieldReader(records, posts=types.every["thread"] >= SOME)
    matrix, found = records.matrix, list[tuple[float, int, RecordGroup]]()
    order = sorted(range(len(likely)), key=lambda number: -fact(matrix[number], "free_share"))
    for number in [number for number in order if likely[number] >= HARDLY_ANY][:_MOST_READ]:
        group = whole_posts(records, records.groups[number])
        if _share_dated(records, group) < HALF:
            continue
        reading = reader.read(group)
        characters = float(np.mean([len(one.get("text", "")) for one in reading.fields]))
        signed = sum(map(reading.share, SIGNATURE)) >= 1 and characters > PROSE
        if signed and not _are_entries(reading):
            found.append((float(likely[number]) * fact(matrix[number], "free_share"), number, group))
    if found:
        _, number, group = max(found, key=lambda one: one[:2])
        opening = opening_post(records, number)
        groups = (group,) if opening is None else (opening, group)
        return Thread(records=records, reader=reader, groups=groups, likely=float(likely[number]))
    if types.every["thread"] >= SOME and (alone := opening_post(records)) is not None:
        return Thread(records=records, reader=reader, groups=(alone,), likely=types.every["thread"])
    return None


def _has_times(records: RecordCandidates) -> bool:
    """Return whether a page has as many dates or times of day as the shortest thread, a condition that costs little."""
    if records.dates.sum() >= FEWEST:
        return True
    return count_when([text for text in records.texts if 0 < len(text) <= _LONGEST_TIME]) >= FEWEST


def _share_dated(records: RecordCandidates, group: RecordGroup) -> float:
    """Return the share of records with a date or a time of day."""
    return sum(is_dated(records, *span) for span in group.spans) / len(group.spans)
