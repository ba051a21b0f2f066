"""The posts of a thread: text, authors and dates, and the leaf at which each starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...page.arrays import FloatArray, Marks, cached_by_owner
from ...page.page import Page
from ..content.posts import PostLayout, post_layout
from .field_values import CLOCK
from .group_features import measures_without_groups
from .page_type import PageType, shipped_page_types
from .record_sets import THREAD, ClassifiedGroups, classify_groups, is_signed_thread, may_be_signed_thread, record_type

#: Fields that say who wrote a post, and when.
SIGNATURE = ("author", "date")
#: Least probability of the set, and least marked share of the posts' text, for all posts to be kept.
_THREAD_LIKELY, _HELD = 0.4, 0.2
#: Least probability of a thread, without features of records, for records to be searched, which is slow. The minimum of
#: 89 threads was .075.
_HARDLY = 0.03
#: Fewest times on a page without features of a thread that may be one by its posts; most characters of a time of day.
_FEW_TIMES, _LONGEST_TIME = 3, 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Thread:
    """The posts of a page that is a thread.

    ``inside`` and ``text``, bool (leaves,), mark the posts with everything in them, and their text; ``roles`` authors
    and dates by role; ``prose``, bool (leaves,), all paragraphs of the page; ``characters``, float64 (leaves,), counts
    visible text; ``likely`` is the probability that the posts are the main content; ``classified`` are the record
    groups of the page, which its document needs as well.
    """

    inside: Marks
    text: Marks
    roles: dict[str, Marks]
    prose: Marks
    characters: FloatArray
    likely: float
    classified: ClassifiedGroups | None = None
    #: Whether the posts prove that they are the content, whatever single blocks are.
    proved: bool = False

    def whole(self, marks: Marks) -> Marks:
        """Return the marks with the text of all posts, and nothing else inside them, unless little of it was marked.

        Outside of them, only prose stays, with what is between: an opening post, and no form to sign in.
        """
        if not self.is_whole(marks):
            return marks
        outside = marks & ~self.inside
        said = (outside & self.prose).nonzero()[0]
        outside[: said[0] if len(said) else len(outside)] = False
        outside[said[-1] + 1 if len(said) else 0 :] = False
        kept: Marks = outside | self.text
        return kept

    def is_whole(self, marks: Marks) -> bool:
        """Return whether enough of the text of the posts is marked for all of it to be content."""
        return self.proved or bool(self.characters[self.text & marks].sum() >= _HELD * self.characters[self.text].sum())


@cached_by_owner
def early_type(page: Page) -> PageType:
    """Return the type of a page without finding its records, which is slow: once for content and thread."""
    return shipped_page_types().page_type(measures_without_groups(page), np.zeros(0))


def thread_of(page: Page) -> Thread | None:
    """Return the posts of a thread whose records have authors or dates; None for any other page."""
    if early_type(page).every["thread"] < _HARDLY and not _has_times(page):
        return None
    classified = classify_groups(page)
    if classified.main < 0 or classified.likely[classified.main] < _THREAD_LIKELY:
        return None
    likely = classified.page_type.every["thread"] >= THREAD
    if not likely and not may_be_signed_thread(classified):
        return None
    measures, group = classified.measures, classified.measures.groups[classified.main]
    reading = classified.reading(group)
    is_thread = likely and reading.share("author") + reading.share("date") >= 1
    if not is_thread and not is_signed_thread(classified, reading):
        return None
    readings = [classified.reading(one) for one in classified.posts]
    spans = [span for one in classified.posts for span in one.outer]
    return Thread(
        inside=_within(page, spans),
        text=_marked(page, (leaf for one in readings for some in one.texts for leaf in some)),
        roles={role: _marked(page, (leaf for one in readings for leaf in one.leaves_of(role))) for role in SIGNATURE},
        prose=_prose(page, measures.prose > 0),
        characters=measures.characters,
        likely=float(classified.likely[classified.main]),
        classified=classified,
        proved=classified.by_posts,
    )


def _prose(page: Page, sentences: Marks) -> Marks:
    """Return the leaves of the block-level elements with a sentence: a link or bold print may start it."""
    owner = page.nearest(page.block_level)[page.leaves]
    prose: Marks = np.bincount(owner[sentences] + 1, minlength=len(page) + 1)[owner + 1] > 0
    return prose


def _has_times(page: Page) -> bool:
    """Return whether a page has as many dates or times of day as the shortest thread, a condition that costs little."""
    measures = measures_without_groups(page)
    found = int(measures.dates.sum())
    if found < _FEW_TIMES:
        short = ((measures.characters > 0) & (measures.characters <= _LONGEST_TIME)).nonzero()[0].tolist()
        times = (text for text in map(measures.texts.__getitem__, short) if text[0].isdigit())
        found += sum(CLOCK.fullmatch(text) is not None for text in times)
    return found >= _FEW_TIMES


def _within(page: Page, spans: Iterable[tuple[int, int]]) -> Marks:
    marks = np.zeros(len(page.leaves), dtype=bool)
    for first, end in spans:
        marks[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]] = True
    return marks


def _marked(page: Page, leaves: Iterable[int]) -> Marks:
    marks = np.zeros(len(page.leaves), dtype=bool)
    marks[list(leaves)] = True
    return marks


def layout_of_posts(classified: ClassifiedGroups) -> PostLayout | None:
    """Return the posts of a page for its document; None if the main records of the page are not posts."""
    if classified.main < 0:
        return None
    page, group = classified.measures.page, classified.measures.groups[classified.main]
    if record_type(classified, classified.main, classified.reading(group)) != "post":
        return None
    readings = [classified.reading(one) for one in classified.posts]
    return post_layout(
        page,
        [cells.span for reading in readings for cells in reading.aligned.cells],
        [text for reading in readings for text in reading.texts],
        _marked(page, (leaf for one in readings for role in SIGNATURE for leaf in one.leaves_of(role))),
        [row for one in readings for cells in one.aligned.cells for row, _, _ in cells.quotes],
    )
