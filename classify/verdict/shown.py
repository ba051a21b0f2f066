"""The text that a page shows, line by line, and the facts of which a verdict's evidence consists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise

import numpy as np

from ...features.strings.characters import CharacterCounts
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.lazy import Lazy
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.element_locators import STEP_SEPARATOR, ElementLocators

_FRAMING = ("nav", "header", "footer", "aside")
_HEADINGS = ("h1", "h2", "h3")
#: Words of a line of prose, and of a label, a heading or a button.
PROSE_WORDS, LABEL_WORDS = 12.0, 40.0
#: Words of a noscript element from which it is a copy of the page.
_NOTE_WORDS = 90.0
#: Most characters of a value in the evidence, and most lines that are searched for phrases.
_SHOWN, _MOST_LINES = 80, 400
#: In place of a row: the title of the page.
TITLE = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of the evidence of a verdict.

    Attributes
    ----------
    name : str
        What was found, such as "words of content".
    value : str, int or float
    where : str
        A CSS selector, "title", "response", "address" or "page".
    """

    name: str
    value: str | int | float
    where: str

    def __str__(self) -> str:
        return f"{self.name}: {self.value} ({self.where})"

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the fact as plain values."""
        return {"fact": self.name, "value": self.value, "where": self.where}


@dataclass(frozen=True, slots=True)
class Line:
    """The visible text of a block: its row in the page, its text in lower case, and its words."""

    row: int
    text: str
    words: float


def any_of(phrases: Sequence[str], *, whole: bool = False) -> re.Pattern[str]:
    """Return a pattern for any of some phrases, at the start of a word; with ``whole`` for a line that is one."""
    alternatives = "|".join(phrases)
    return re.compile(rf"^\W*(?:{alternatives})\W*$" if whole else rf"(?<!\w)(?:{alternatives})", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, eq=False)
class ShownText:
    """The text that a page shows; ``marks``, bool (leaves,), are its content."""

    page: Page
    marks: Marks

    @cached_property
    def seen(self) -> BoolColumn:
        """bool (leaves,): visible text, without notes to readers without scripts."""
        page = self.page
        notes = page.has_tag("noscript")
        if notes.any():
            # Discourse and others have the whole page there, which is no note.
            notes = notes & (page.sum_leaves(self._written_words) < _NOTE_WORDS)
        return ~invisible_leaves(page) & ~page.below(notes)[page.leaves]

    @cached_property
    def _written_words(self) -> FloatArray:
        """float64 (leaves,): words of leaves, visible or not."""
        counts = CharacterCounts(self.page.leaf_texts)
        return counts.words - counts.unspaced / 2

    @cached_property
    def leaf_words(self) -> FloatArray:
        """float64 (leaves,): words of visible leaves, 0 for others."""
        return self._written_words * self.seen

    @cached_property
    def words(self) -> float:
        """Visible words."""
        return float(self.leaf_words.sum())

    @cached_property
    def content_words(self) -> float:
        """Words of the content."""
        return float(self.leaf_words[self.marks].sum())

    @cached_property
    def framing(self) -> BoolColumn:
        """bool (nodes,): menus, headers, footers and side columns, but those of an article."""
        page = self.page
        within = page.below(page.has_tag("article", "main") | page.attribute_matches("role", "main".__eq__))
        return page.below(page.has_tag(*_FRAMING) & ~within)

    @cached_property
    def main_words(self) -> float:
        """Visible words outside of :attr:`framing`."""
        return self.words_outside(self.framing)

    def words_outside(self, nodes: BoolColumn) -> float:
        """Return the visible words outside of some nodes."""
        return float(self.leaf_words[~nodes[self.page.leaves]].sum())

    @cached_property
    def lines(self) -> list[Line]:
        """The visible blocks in document order."""
        page = self.page
        shown = np.flatnonzero(self.seen)
        owner = page.owner[page.leaves[shown]]
        starts = np.flatnonzero(np.diff(owner, prepend=-2))
        if not len(starts):
            return []
        # Words are whole or halves: their sums are exact.
        words = np.add.reduceat(self.leaf_words[shown], starts).tolist()
        texts = [page.leaf_texts[leaf] for leaf in shown.tolist()]
        bounds = pairwise([*starts.tolist(), len(texts)])
        return [
            Line(row, " ".join(" ".join(texts[first:last]).split()).lower(), amount)
            for row, (first, last), amount in zip(owner[starts].tolist(), bounds, words, strict=True)
        ]

    def text_in(self, row: int) -> str:
        """Return the start of the visible text in an element, or the label of a button without text."""
        first, last = self.page.leaf_range[row].tolist()
        last = min(last, first + 60)
        texts = [*compress(self.page.leaf_texts[first:last], self.seen[first:last].tolist())]
        return " ".join(" ".join(texts).split()) or self.page.attributes_of(row).get("value", "")

    @cached_property
    def headings(self) -> list[Line]:
        """The visible headings of the first three levels outside of :attr:`framing`, else inside."""
        page = self.page
        marked = page.below(page.has_tag(*_HEADINGS) | page.attribute_matches("role", "heading".__eq__))
        lines = [line for line in self.lines if line.row >= 0 and marked[line.row]]
        return [line for line in lines if not self.framing[line.row]] or lines

    @cached_property
    def prose_words(self) -> float:
        """Words of lines of prose outside of :attr:`framing`, without those that are mostly links."""
        page = self.page
        linked = page.below(page.has_tag("a"))[page.leaves]
        links = page.sum_leaves(self.leaf_words * linked)
        return sum(
            line.words
            for line in self.lines
            if line.words >= PROSE_WORDS and line.row >= 0 and not self.framing[line.row]
            and links[line.row] <= line.words / 2
        )  # fmt: skip

    def title_or_heading(self, pattern: re.Pattern[str], most_words: int = 14) -> tuple[str, int] | None:
        """Return the title or the heading that matches, with its row, :data:`TITLE` for the title."""
        if pattern.search(self.page.title.strip()) and len(self.page.title.split()) <= most_words:
            return shortened(self.page.title), TITLE
        line = next((line for line in self.headings if line.words <= most_words and pattern.search(line.text)), None)
        return None if line is None else (shortened(line.text), line.row)

    def phrase(self, pattern: re.Pattern[str], most_words: float = LABEL_WORDS) -> tuple[Line, str] | None:
        """Return the first line of few words that matches, with the words that do."""
        for line in self.lines[:_MOST_LINES]:
            if line.words <= most_words and (match := pattern.search(line.text)):
                return line, shortened(match[0])
        return None

    # -- elements ------------------------------------------------------------------------------------------------

    @cached_property
    def _locators(self) -> Lazy[ElementLocators]:
        return Lazy(lambda: ElementLocators(self.page))

    def where(self, row: int) -> str:
        """Return the CSS selector of a node's element, "page" for none. The first call reads the whole page."""
        if row == TITLE:
            return "title"
        locators = self._locators.value
        return STEP_SEPARATOR.join(locators.of(row).selector) if locators.element(row) >= 0 else "page"


def shortened(text: str) -> str:
    """Return a text in one line, cut after some words."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"
