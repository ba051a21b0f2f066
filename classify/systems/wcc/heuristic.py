"""WCC: web corpus cleaning (Hofmann and Weerkamp, WAC3 2007), the systems without training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ....lexicon.words import words
from ....page.arrays import Marks
from ....page.page import Page
from ...system import Card, Segment, SegmentKind
from ..reading import Lines, lines_of_text

_PAPER = "Hofmann, Weerkamp: Web corpus cleaning using content and structure (WAC3)"


@dataclass(frozen=True, slots=True, kw_only=True)
class WccBaseline:
    """Every block of text is a paragraph (CleanEval 62.2 %): all of the page's text."""

    card: ClassVar[Card] = Card(
        name="wcc-baseline",
        title="every block of text is a paragraph",
        paper=_PAPER,
        year=2007,
    )

    def mark(self, page: Page) -> Marks:
        """Mark every line of text."""
        lines = lines_of_text(page)
        return lines.marks(np.ones(len(lines), dtype=bool))

    def segments(self, page: Page) -> list[Segment]:
        """Return every line as a paragraph."""
        lines = lines_of_text(page)
        return lines.segments(dict.fromkeys(range(len(lines)), SegmentKind.PARAGRAPH))


@dataclass(frozen=True, slots=True, kw_only=True)
class WccHeuristic:
    """Long lines of long words are paragraphs, and a short line directly before one is its heading (CleanEval 68.5 %).

    Lines of at most three characters are skipped but counted; any other line that is no paragraph is a possible
    heading. In scripts without spaces every word has one character and no line is a paragraph, as in the source.
    """

    line_characters: int = 3  # a line must have more
    line_words: int = 10  # a paragraph must have more
    word_characters: float = 3.0  # the mean length of a paragraph's words must be greater
    heading_distance: int = 3  # fewer lines than this are between a heading and its paragraph
    card: ClassVar[Card] = Card(
        name="wcc-heuristic",
        title="long lines of long words, and short lines directly before them",
        paper=_PAPER,
        year=2007,
    )

    def mark(self, page: Page) -> Marks:
        """Mark paragraphs and their headings."""
        lines = lines_of_text(page)
        chosen = np.zeros(len(lines), dtype=bool)
        chosen[list(self._kinds(lines))] = True
        return lines.marks(chosen)

    def segments(self, page: Page) -> list[Segment]:
        """Return the paragraphs and their headings; the source has no lists."""
        lines = lines_of_text(page)
        return lines.segments(self._kinds(lines))

    def _kinds(self, lines: Lines) -> dict[int, SegmentKind]:
        kinds: dict[int, SegmentKind] = {}
        heading = -1
        for index, text in enumerate(lines.texts):
            if len(text) <= self.line_characters:
                continue
            if not self._paragraph(text):
                heading = index
                continue
            kinds[index] = SegmentKind.PARAGRAPH
            if heading >= 0 and index - heading - 1 < self.heading_distance:
                kinds[heading] = SegmentKind.HEADING
            heading = -1
        return kinds

    def _paragraph(self, text: str) -> bool:
        tokens = words(text)
        return len(tokens) > self.line_words and sum(map(len, tokens)) > self.word_characters * len(tokens)
