"""The page as a reader sees it: lines of text, fields, buttons and scripts, by which a verdict is decided."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...features.strings.characters import CharacterCounts
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.element_locators import STEP_SEPARATOR, ElementLocators

_FRAMING, _HEADINGS = ("nav", "header", "footer", "aside"), ("h1", "h2", "h3")
#: Words of a line of prose, more than a heading has; most words of a label.
PROSE_WORDS, LABEL_WORDS = 12.0, 40.0
#: Most words of a page, or of a note to readers without scripts, that says little; others are a copy of the page.
FEW_WORDS = 90.0
#: Most characters of a value in the evidence, and most lines that are searched for phrases.
SHOWN, _MOST_LINES = 80, 400
#: In place of a row: the title of the page.
TITLE = -2
_WRITABLE = ("text", "email", "tel", "search", "url", "number", "password", "")
#: A refresh to another address; one without is a page that reloads itself.
_REFRESH = re.compile(r"\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=)?\s*\S", re.IGNORECASE)


class Line(NamedTuple):
    """The visible text of a block: its row in the page, its text in lower case, and its words."""

    row: int
    text: str
    words: float


class Phrase(NamedTuple):
    """Words that were found on a page, and the row of their element, :data:`TITLE` for the title."""

    text: str
    row: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ShownPage:
    """The visible text and elements of a page; ``marks``, bool (leaves,), are its content."""

    page: Page
    marks: Marks

    # -- text ---------------------------------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> BoolColumn:
        """bool (leaves,): visible text, without notes to readers without scripts."""
        page = self.page
        notes = page.has_tag("noscript")
        if notes.any():
            # Discourse and others have the whole page there, which is no note.
            notes = notes & (page.sum_leaves(self._written_words) < FEW_WORDS)
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
        return float(self.leaf_words[~self.framing[self.page.leaves]].sum())

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

    @cached_property
    def headings(self) -> list[Line]:
        """The visible headings of the first three levels outside of :attr:`framing`, else inside."""
        page = self.page
        marked = page.below(page.has_tag(*_HEADINGS) | page.attribute_matches("role", "heading".__eq__))
        lines = [line for line in self.lines if line.row >= 0 and marked[line.row]]
        return [line for line in lines if not self.framing[line.row]] or lines

    @cached_property
    def prose(self) -> list[Line]:
        """The lines of prose."""
        return [line for line in self.lines if line.words >= PROSE_WORDS]

    @cached_property
    def prose_words(self) -> float:
        """Words of lines of prose outside of :attr:`framing`, without those that are mostly links."""
        page = self.page
        links = page.sum_leaves(self.leaf_words * page.below(page.has_tag("a"))[page.leaves])
        return sum(
            words
            for row, _, words in self.prose
            if row >= 0 and not self.framing[row] and links[row] <= words / 2
        )  # fmt: skip

    def leaf_marked(self, row: int) -> bool:
        """Return whether content is in an element."""
        first, last = self.page.leaf_range[row].tolist()
        return row >= 0 and bool(self.marks[first:last].any())

    def title_or_heading(self, pattern: re.Pattern[str]) -> Phrase | None:
        """Return the title or the heading of few words that matches."""
        if pattern.search(self.page.title.strip()) and len(self.page.title.split()) <= PROSE_WORDS:
            return Phrase(shortened(self.page.title), TITLE)
        few = (line for line in self.headings if line.words <= PROSE_WORDS and pattern.search(line.text))
        return next((Phrase(shortened(line.text), line.row) for line in few), None)

    def phrase(self, pattern: re.Pattern[str]) -> Phrase | None:
        """Return the words that match in the first line of few words that has any."""
        few = (line for line in self.lines[:_MOST_LINES] if line.words <= LABEL_WORDS)
        found = ((pattern.search(line.text), line.row) for line in few)
        return next((Phrase(shortened(match[0]), row) for match, row in found if match), None)

    # -- elements -----------------------------------------------------------------------------------------------------

    @cached_property
    def drawn(self) -> BoolColumn:
        """bool (nodes,): elements that are drawn, such as fields of a form; without geometry, that are not hidden."""
        geometry = self.page.geometry
        if geometry is None:
            shown: BoolColumn = self.page.declared_hidden == 0
            return shown
        return np.isfinite(geometry.box[:, 0]) & (geometry.box[:, 2:] > 1).all(axis=1)

    @cached_property
    def fields(self) -> int:
        """The number of fields to write into that are drawn."""
        page = self.page
        inputs = np.flatnonzero(page.has_tag("input") & self.drawn).tolist()
        kinds = [page.attributes_of(row).get("type", "").strip().lower() for row in inputs]
        return sum(kind in _WRITABLE for kind in kinds) + int((page.has_tag("textarea") & self.drawn).sum())

    @cached_property
    def scripts(self) -> list[int]:
        """The scripts that would run."""
        page = self.page
        rows = np.flatnonzero(page.has_tag("script")).tolist()
        return [row for row in rows if "json" not in page.attributes_of(row).get("type", "").lower()]

    def script_text(self, row: int) -> str:
        """Return the text of a script or of any element whose text is not shown."""
        return "".join(self.page.text_of(node) for node in range(row + 1, int(self.page.end[row])))

    @cached_property
    def refresh(self) -> tuple[int, float] | None:
        """The ``meta`` element that sends readers to another address, and the seconds until then."""
        page = self.page
        for row in np.flatnonzero(page.has_tag("meta")).tolist():
            attributes = page.attributes_of(row)
            match = _REFRESH.match(attributes.get("content", ""))
            if match and attributes.get("http-equiv", "").strip().lower() == "refresh":
                return row, float(match[1])
        return None

    @cached_property
    def _locators(self) -> ElementLocators:
        return ElementLocators(self.page)

    def where(self, row: int) -> str:
        """Return the CSS selector of a node's element, "page" for none. The first call reads the whole page."""
        if row == TITLE:
            return "title"
        return STEP_SEPARATOR.join(self._locators.of(row).selector) if self._locators.element(row) >= 0 else "page"


def shortened(text: str) -> str:
    """Return a text in one line, cut after some words."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1].rstrip()}…"
