"""Lines of the marked text of a page, and those that are no content: such as repetitions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

import numpy as np

from ..lexicon.phrases import ALSO, BY, CREDIT, FURTHER_READING, alternatives
from ..page.arrays import BoolColumn, IntColumn, Marks
from ..page.clean_text import clean
from ..page.metadata.dates import iso_date
from ..page.page import Page
from ..records.field_values import LONGEST
from ..segment.blocks import text_runs

#: Least characters of a repetition near by, and anywhere on the page.
SHORTEST, LONG = 25, 160
#: Lines within which the same is a copy.
NEAR = 4

#: Lines about a text: who made a picture, after its caption or alone; who wrote the text; what else to read.
_CREDIT = re.compile(
    rf"(?i)\A(?:\W*|.{{5,160}}?[\W_])(?:{alternatives(CREDIT)})\s?[:：/]\s?\w[^.!?]{{0,60}}\W*\Z|\A.{{0,160}}©[^.]{{2,60}}\Z"
)
#: A credit has one of these.
_OF_CREDIT = ":：/©"
_NAME = r"[^\W\d_a-z][\w.'’-]+"
_BYLINE = re.compile(
    rf"\A\W*(?i:{alternatives(BY)}) (?:{_NAME},? (?:(?:de|van|von|der) )?){{1,3}}{_NAME}(?:, [^.!?]{{1,40}})?\Z"
)
_ALSO = re.compile(rf"(?i)\A\W*(?:{alternatives((*FURTHER_READING, *ALSO))})\b")
#: Links to the page before and to the next, "← Install" and "Timeouts →".
_PAGER = re.compile(r"[←‹«⟵].{1,200}|.{1,200}[→›»⟶]")
#: A time of the day.
_TIME = re.compile(r"\b\d{1,2}[:.]\d\d\b(?![.\d])")


@dataclass(frozen=True, kw_only=True, eq=False)
class MarkedLines:
    """The lines of the marked text of a page in document order: the marked leaves of each text run."""

    page: Page
    leaves: list[IntColumn]

    def __len__(self) -> int:
        return len(self.leaves)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each, white space collapsed."""
        written = self.page.leaf_texts
        return [clean("".join(written[leaf] for leaf in some.tolist())) for some in self.leaves]

    @cached_property
    def _first(self) -> IntColumn:
        return self.page.leaves[np.asarray([some[0] for some in self.leaves], dtype=np.intp)]

    def inside(self, *tags: str) -> BoolColumn:
        """Return the lines in an element of some tags, bool (lines,)."""
        marks: BoolColumn = self.page.below(self.page.has_tag(*tags))[self._first]
        return marks

    def mostly_linked(self, line: int) -> bool:
        """Return whether at least half of the text of a line is in links."""
        linked = self.page.below(self.page.has_tag("a"))[self.page.leaves[self.leaves[line]]]
        return bool(np.average(linked, weights=self.page.leaf_lengths[self.leaves[line]]) >= 1 / 2)

    def place(self, line: int) -> tuple[int, str, str]:
        """Return the parent of the element around a line, with the element's tag and class."""
        row = int(self.page.owner[self._first[line]])
        return int(self.page.parent[row]), self.page.tag_of(row), self.page.attributes_of(row).get("class", "")


def lines_of(page: Page, marks: Marks) -> MarkedLines:
    """Return the lines of the marked leaves, bool (leaves,)."""
    marked = marks.nonzero()[0].astype(np.int32)
    if not len(marked):
        return MarkedLines(page=page, leaves=[])
    runs = text_runs(page, page.leaves[marked], page.block_level)
    ends = (np.diff(runs).nonzero()[0] + 1).tolist()
    return MarkedLines(page=page, leaves=[marked[first:last] for first, last in pairwise([0, *ends, len(marked)])])


def without_lines(marks: Marks, lines: MarkedLines, dropped: set[int]) -> Marks:
    """Return the marks without some lines; all stay if nothing else would."""
    if not dropped or len(dropped) == len(lines):
        return marks
    rest = marks.copy()
    rest[np.concatenate([lines.leaves[line] for line in dropped])] = False
    return rest


def lines_about(lines: MarkedLines) -> set[int]:
    """Return the lines that say who wrote a text and when, who made its pictures, or what else to read."""
    free = lines.inside("td", "th", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")
    texts = {line: text for line, text in enumerate(lines.texts) if not free[line]}
    dates = {line for line, text in texts.items() if _is_date(text)}
    # More are the times of the entries of a report.
    about = dates if len(dates) <= 2 else set()
    for line, text in texts.items():
        leads = _ALSO.match(text) and lines.mostly_linked(line)
        if leads or _BYLINE.match(text) or (any(sign in text for sign in _OF_CREDIT) and _CREDIT.match(text)):
            about.add(line)
    return about


def without_pagers(lines: MarkedLines, marks: Marks) -> Marks:
    """Return the marks without last lines that link to the page before and to the next: more of them are a list."""
    last = reversed(range(len(lines)))
    found = {*takewhile(lambda line: _PAGER.fullmatch(lines.texts[line]) and lines.mostly_linked(line), last)}
    return without_lines(marks, lines, found) if len(found) <= 2 else marks


def _is_date(text: str) -> bool:
    """Return whether a line is a date with a time, and nothing else."""
    return bool(len(text) <= LONGEST and _TIME.search(text) and iso_date(text))


# -- repetitions ------------------------------------------------------------------------------------------------------


def repeated_lines(lines: MarkedLines) -> set[int]:
    """Return lines with the text of a long one before or of any one near by.

    Cells, code and quotes are none, nor repetitions by the author: neighbours of the same kind.
    """
    free = lines.inside("td", "th", "pre", "blockquote")
    texts = ["" if kept else text for text, kept in zip(lines.texts, free, strict=True)]
    dropped = _copies(lines, texts)
    if dropped:
        quoted = lines.page.below(lines.page.attribute_matches("class", lambda name: "quot" in name.lower()))
        dropped = {line for line in dropped if not quoted[lines.page.leaves[lines.leaves[line][0]]]}
    return dropped


def _copies(lines: MarkedLines, texts: list[str]) -> set[int]:
    """Return the lines whose text occurred before under another parent."""
    with_text = [line for line, text in enumerate(texts) if text]
    if len({texts[line] for line in with_text}) == len(with_text):
        return set()
    last: dict[str, int] = {}
    places: dict[str, set[tuple[int, str, str]]] = {}
    dropped: set[int] = set()
    for order, line in enumerate(with_text):
        text = texts[line]
        if len(text) < SHORTEST:
            continue
        here = lines.place(line)
        near = text in last and (len(text) >= LONG or order - last[text] <= NEAR)
        if near and here not in places[text]:
            dropped.add(line)
        last[text] = order
        places.setdefault(text, set()).add(here)
    return dropped
