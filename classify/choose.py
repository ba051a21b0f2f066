"""The one decision about a page: its content, its main records, its type, and who wrote it.

Candidates come first: the readings of the page by its blocks, and the posts that its records may be. A fitted choice
takes one. What is no choice among sets of blocks follows in the order of :data:`RULES`; records and type are then those
that the content allows. Text, records, metadata, verdict, chunks and map read this decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..page.arrays import HALF, MOST, NEARLY_ALL, SOME, BoolColumn, FloatArray, Marks
from ..page.page import Page
from ..page.role_names import ROLE
from ..records.candidates import RecordCandidates
from ..records.decided_records import DecidedRecords, decide_records
from ..records.field_columns import FEWEST
from ..records.page_type import PageType, early_type
from ..records.threads import Thread, find_thread
from ..records.whole_records import whole_records
from .complete import (
    missing_cells,
    missing_headings,
    missing_items,
    missing_links,
    picture_captions,
)
from .marked_lines import MarkedLines, lines_about, lines_of, repeated_lines, without_lines, without_pagers
from .model.calibration import Calibration
from .model.readings import PageReadings, likeliest_series
from .model.selection import Selection, fill_gaps
from .model.thread_model import shipped_threads
from .verdict.shown_page import PROSE_WORDS

#: Roles that are removed from the content again.
LEFT_OUT = ("title", "author", "date", "caption")
#: A page whose selection has a lower expected F1, and hardly a line of prose, has no main text: a form, an error.
LEAST_EXPECTED_F1 = 0.25
#: Lines of links with so many words on average are headlines, not labels.
HEADLINE_WORDS = 3.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """Holds all that is known of a page before the choice."""

    reading: PageReadings
    calibration: Calibration
    hidden: Marks
    invisible: BoolColumn  # rows without visible text, bool (rows,)
    selection: Selection  # the reading with the largest expected F1
    _lines: dict[bytes, MarkedLines] = field(default_factory=dict, init=False, repr=False)

    @property
    def page(self) -> Page:
        """The page."""
        return self.reading.rows.page

    @property
    def records(self) -> RecordCandidates:
        """The repeated records of the page."""
        return self.reading.records

    @cached_property
    def probability(self) -> FloatArray:
        """The probability of content of each row, float64 (rows,)."""
        return self.calibration.probability(self.reading.scores)

    @cached_property
    def types(self) -> PageType:
        """The type of the page by itself, without its records."""
        return early_type(self.records)

    def likely(self, *types: str) -> float:
        """Return the probability of some types of page together."""
        return sum(self.types.every[name] for name in types)

    @cached_property
    def thread(self) -> Thread | None:
        """The posts that may be the content."""
        return find_thread(self.records, self.types)

    @cached_property
    def thread_facts(self) -> dict[str, float]:
        """What speaks for and against the posts as content, by name; empty if there are none."""
        return self.thread.facts(self.types, self.marked(self.selection.rows)) if self.thread else {}

    @cached_property
    def thread_likely(self) -> float:
        """The probability that the posts are the content."""
        return shipped_threads().probability(self.thread_facts) if self.thread else 0.0

    @cached_property
    def has_content(self) -> bool:
        """Whether the page has a main text: a paragraph, or a selection that is likely and more than a few links."""
        rows, selection = self.reading.rows, self.selection
        if rows.long.any():
            return True
        amount, links = rows.words[selection.rows].sum(), rows.link_words[selection.rows].sum()
        if links > amount / 2:
            return self._headlines or selection.expected_f1 >= HALF
        words = (rows.words * self.probability * selection.rows).sum()
        return bool(selection.expected_f1 >= LEAST_EXPECTED_F1 or words >= PROSE_WORDS)

    @property
    def _headlines(self) -> bool:
        """Whether most of the page is headlines that are chosen, as of an index, and none of it is a form."""
        rows, page = self.reading.rows, self.page
        apart = page.below(page.has_tag("nav", "header", "footer", "menu"))[rows.node]
        words = rows.words[self.selection.rows & (rows.link_density >= NEARLY_ALL) & ~apart]
        long = len(words) >= FEWEST and words.mean() >= HEADLINE_WORDS
        return bool(long and words.sum() > HALF * rows.words.sum() and not page.has_tag("form", "input").any())

    def lines(self, marks: Marks) -> MarkedLines:
        """Return the lines of the marked text, which several rules read."""
        key = marks.tobytes()
        if key not in self._lines:
            self._lines[key] = lines_of(self.page, marks)
        return self._lines[key]

    # -- blocks and leaves --------------------------------------------------------------------------------------------

    def content(self, marks: Marks) -> BoolColumn:
        """Return the rows with marked text, bool (rows,)."""
        marked: BoolColumn = self.reading.rows.summed(marks.astype(np.float64)) > 0
        return marked

    def marked(self, rows: BoolColumn) -> Marks:
        """Return the visible leaves of some rows, bool (leaves,)."""
        owner = self.reading.rows.leaf_row
        marks: Marks = rows[owner] & (owner >= 0) & ~self.hidden
        return marks

    def changed(self, marks: Marks, rows: BoolColumn) -> Marks:
        """Return the marks with the rows of a changed content: what both have is marked as before."""
        before = self.content(marks)
        changed: Marks = (marks | self.marked(rows & ~before)) & ~self.marked(before & ~rows)
        return changed


class Gain(NamedTuple):
    """The gain in F1 of a rule on pages that did not choose it: mean and 95 % interval, and where it was measured."""

    mean: float
    low: float
    high: float
    pages: int
    commit: str


class Rule(NamedTuple):
    """A change of the content that is no choice among sets of blocks.

    ``applies`` says to which pages and marks; ``change`` returns the new marks, bool (leaves,). A rule stays if its
    interval is above 0, or if it keeps a ``promise`` that a mean cannot show.
    """

    name: str
    applies: Callable[[Evidence, Marks], object]
    change: Callable[[Evidence, Marks], Marks]
    gain: Gain | None = None
    promise: str = ""


def _any(_: Evidence, marks: Marks) -> bool:
    return bool(marks.any())


def _with_roles(evidence: Evidence, marks: Marks) -> bool:
    return evidence.reading.roles is not None and bool(marks.any())


def _of_rows(change: Callable[[Evidence, BoolColumn], BoolColumn]) -> Callable[[Evidence, Marks], Marks]:
    """Return a change of marks by one of rows, bool (rows,)."""
    return lambda evidence, marks: evidence.changed(
        marks, change(evidence, evidence.content(marks)) & ~evidence.invisible
    )


def _without_metadata(evidence: Evidence, content: BoolColumn) -> BoolColumn:
    """Remove rows with a high probability of :data:`LEFT_OUT` roles, unless no row would remain."""
    roles = evidence.reading.roles
    assert roles is not None
    surely = roles[:, [ROLE[name] for name in LEFT_OUT]].max(axis=1) > MOST
    rest: BoolColumn = content & ~surely
    return rest if rest.any() else content


def _records(evidence: Evidence, marks: Marks) -> Marks:
    return whole_records(evidence.records, marks) & ~evidence.hidden


def _has_posts(evidence: Evidence, _: Marks) -> bool:
    return bool(evidence.thread_likely > HALF)


def _posts(evidence: Evidence, marks: Marks) -> Marks:
    return evidence.thread.whole(marks) & ~evidence.hidden if evidence.thread else marks


def _has_comments(evidence: Evidence, marks: Marks) -> bool:
    thread, facts = evidence.thread, evidence.thread_facts
    if not marks.any() or thread is None or evidence.thread_likely > HALF:
        return False
    above = facts["before"] >= SOME and facts["likely"] < HALF
    return above and facts["comments"] > 0 and bool((marks & ~thread.inside).any())


def _without_comments(evidence: Evidence, marks: Marks) -> Marks:
    """Leave out posts that are called comments, below a text that is the content."""
    return marks & ~evidence.thread.inside if evidence.thread else marks


def _without_tabs(evidence: Evidence, marks: Marks) -> Marks:
    """Leave out the labels of tabs, unless nothing shows which text is theirs."""
    page = evidence.page
    tab = page.attribute_matches("role", lambda role: role.strip().lower() == "tab")
    panel = page.attribute_matches("role", lambda role: role.strip().lower() == "tabpanel")
    return marks & ~page.below(tab)[page.leaves] if panel.any() else marks


def _without_repetitions(evidence: Evidence, marks: Marks) -> Marks:
    lines = evidence.lines(marks)
    repeated = repeated_lines(lines)
    if evidence.thread and _has_posts(evidence, marks):
        repeated = {line for line in repeated if not evidence.thread.inside[lines.leaves[line]].all()}
    return without_lines(marks, lines, repeated)


def _is_article(evidence: Evidence, marks: Marks) -> bool:
    return bool(marks.any()) and evidence.likely("article") >= HALF and not _has_posts(evidence, marks)


def _without_lines_about(evidence: Evidence, marks: Marks) -> Marks:
    lines = evidence.lines(marks)
    return without_lines(marks, lines, lines_about(lines))


def _is_empty_index(evidence: Evidence, marks: Marks) -> bool:
    return not marks.any() and evidence.likely("listing", "collection", "home") >= HALF


#: In their order; each is measured by ``benchmarks/accuracy.py rules`` (docs/results/rules.md).
RULES = (
    Rule(
        name="no main text",
        applies=lambda e, _: not e.has_content,
        change=lambda _, marks: np.zeros_like(marks),
        promise="a form, an error, a request for consent give no text",
    ),
    Rule(
        name="gaps",
        applies=_any,
        change=_of_rows(lambda e, content: fill_gaps(e.reading.rows, content, e.reading.scores)),
        promise="a table or code between paragraphs of a text is not lost",
    ),
    Rule(
        name="metadata",
        applies=_with_roles,
        change=_of_rows(_without_metadata),
        promise="title, by-line and date are metadata, which a text does not repeat",
    ),
    Rule(
        name="series of an index",
        applies=_is_empty_index,
        change=_of_rows(lambda e, _: likeliest_series(e.reading)),
        promise="an index is not empty",
    ),
    Rule(
        name="lists by the author",
        applies=_any,
        change=lambda e, marks: marks | missing_items(e.page, marks),
        gain=Gain(0.0010, 0.0001, 0.0024, 624, "1d752187"),
    ),
    Rule(
        name="records",
        applies=_any,
        change=_records,
        promise="a field is in all records of a set or in none",
    ),
    Rule(
        name="posts",
        applies=_has_posts,
        change=_posts,
        gain=Gain(0.0029, 0.0000, 0.0069, 624, "1d752187"),
        promise="the posts of a thread are whole, and buttons and cards of users are none of it",
    ),
    Rule(
        name="comments",
        applies=_has_comments,
        change=_without_comments,
        promise="what readers say below a short text is not its content",
    ),
    Rule(
        name="cells",
        applies=_any,
        change=lambda e, marks: marks | missing_cells(e.page, marks),
        promise="numbers of a table are not lost",
    ),
    Rule(
        name="labels of tabs",
        applies=_any,
        change=_without_tabs,
        promise="the labels of tabs are no list of the text",
    ),
    Rule(
        name="pagers",
        applies=_any,
        change=lambda e, marks: without_pagers(e.lines(marks), marks),
        promise="links to the page before and to the next are no text",
    ),
    Rule(
        name="links in sentences",
        applies=_any,
        change=lambda e, marks: marks | missing_links(e.page, marks),
        promise="a sentence has no hole",
    ),
    Rule(
        name="headings",
        applies=_any,
        change=lambda e, marks: marks | missing_headings(e.page, marks, ~e.hidden),
        promise="a section of a text has its heading",
    ),
    Rule(
        name="captions",
        applies=_any,
        change=lambda e, marks: marks & ~picture_captions(e.page, marks),
        promise="plain text, which shows no pictures, has no captions; other formats have them with their pictures",
    ),
    Rule(
        name="lines about the text",
        applies=_is_article,
        change=_without_lines_about,
        gain=Gain(0.0014, 0.0009, 0.0020, 377, "a4fef9d2"),
        promise="by-lines, dates and credits of pictures are metadata, which a text does not repeat",
    ),
    Rule(
        name="repetitions",
        applies=_any,
        change=_without_repetitions,
        promise="what a page shows twice is written once; what two people write is no repetition",
    ),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Decision:
    """Holds the content of a page, ``marks``, bool (leaves,), and the posts that are it, if any."""

    marks: Marks
    thread: Thread | None
    signed: Thread | None  # also posts in the content that are no thread, as those of a feed
    records: DecidedRecords


def chosen(evidence: Evidence, rules: tuple[Rule, ...] = RULES) -> tuple[Marks, Thread | None]:
    """Return the content of a page, bool (leaves,), and the posts that it is, if any."""
    marks, thread = evidence.marked(evidence.selection.rows), None
    for rule in rules:
        if rule.applies(evidence, marks):
            marks = rule.change(evidence, marks)
            thread = evidence.thread if rule.name == "posts" else thread
    return marks, thread


def decide(evidence: Evidence, rules: tuple[Rule, ...] = RULES) -> Decision:
    """Decide on a page: its content by the fitted choice and the rules, then the records and the type it allows."""
    marks, thread = chosen(evidence, rules)
    records = decide_records(evidence.records, marks, thread)
    # Each of the main records is in the text.
    marks = marks | (records.missing(marks) & ~evidence.hidden)
    return Decision(marks=marks, thread=thread, signed=thread or _signed(evidence, marks), records=records)


def _signed(evidence: Evidence, marks: Marks) -> Thread | None:
    """Return posts that are no thread, all with a name and a date above a text of the content."""
    thread = evidence.thread
    if thread is None or (marks & thread.text).sum() < NEARLY_ALL * max(thread.text.sum(), 1):
        return None
    return thread if min(evidence.thread_facts[name] for name in ("author", "date", "above")) >= NEARLY_ALL else None
