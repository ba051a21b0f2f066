"""WCC: Web corpus cleaning using content and structure (Hofmann and Weerkamp, WAC3 2007), its untrained variants."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from ...features.words import words
from ...render.page import Page
from ..system import Card, Marks
from .nodes import Lines, lines_of_text

_PAPER = "Hofmann, Weerkamp: Web corpus cleaning using content and structure (WAC3)"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True, kw_only=True)
class WccBaseline:
    """Every block of text is a paragraph (CleanEval 62.2 %): all of the page's text."""

    card: ClassVar[Card] = Card(
        name="wcc-baseline",
        title="every block of text is a paragraph",
        paper=_PAPER,
        year=2007,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark every line of text."""
        lines = lines_of_text(page)
        return lines.marks(np.ones(len(lines), dtype=bool))


@dataclass(frozen=True, slots=True, kw_only=True)
class WccHeuristic:
    """Long lines of long words are paragraphs, and a short line just before one is its heading (CleanEval 68.5 %).

    Lines of no more than three characters are passed over but counted; any other line that is no paragraph becomes
    the possible heading. In scripts without spaces every word has one character and no line is a paragraph: so it is in
    the source.

    Parameters
    ----------
    line_characters : int
        A line must have more.
    line_words : int
        A paragraph must have more.
    word_characters : float
        The mean length of a paragraph's words must be greater.
    heading_distance : int
        A heading stands fewer lines than this before its paragraph, the paragraph's own line not counted.
    """

    line_characters: int = 3
    line_words: int = 10
    word_characters: float = 3.0
    heading_distance: int = 3
    card: ClassVar[Card] = Card(
        name="wcc-heuristic",
        title="long lines of long words, and short lines just before them",
        paper=_PAPER,
        year=2007,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark paragraphs and their headings."""
        lines = lines_of_text(page)
        chosen = np.zeros(len(lines), dtype=bool)
        heading = -1
        for index, text in enumerate(lines.texts):
            if len(text) <= self.line_characters:
                continue
            if not self._paragraph(text):
                heading = index
                continue
            chosen[index] = True
            if heading >= 0 and index - heading - 1 < self.heading_distance:
                chosen[heading] = True
            heading = -1
        return lines.marks(chosen)

    def _paragraph(self, text: str) -> bool:
        found = words(text)
        return len(found) > self.line_words and sum(map(len, found)) > self.word_characters * len(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class WccLm:
    """Lines that speak of what the title and the headings speak of (CleanEval 60.6 %); in the spirit of the source.

    The query model is the distribution of the words of the title and of all headings; a line is kept when the
    Kullback-Leibler divergence of its model from the query's is below a constant. The source gives neither the constant
    nor the smoothing: here a line's model is mixed with the page's, and the constant is a share of the divergence of a
    line that has none of the query's words, so that it fits long and short queries alike.

    Parameters
    ----------
    divergence : float
        The largest share of the divergence of an unrelated line.
    mixture : float
        Weight of a line's own model against the page's.
    """

    divergence: float = 0.99
    mixture: float = 0.5
    card: ClassVar[Card] = Card(
        name="wcc-lm",
        title="lines whose words are close to those of title and headings",
        paper=_PAPER,
        year=2007,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark the lines that are close to title and headings."""
        lines = lines_of_text(page)
        query = Counter(words(page.title))
        for index in np.flatnonzero(page.nearest(page.has_tag(*_HEADINGS))[lines.node] >= 0).tolist():
            query.update(words(lines.texts[index]))
        return lines.marks(self._near(lines, query))

    def _near(self, lines: Lines, query: Counter[str]) -> Marks:
        models = [Counter(words(text)) for text in lines.texts]
        page = Counter(query)
        for model in models:
            page.update(model)
        unrelated = self._divergence(query, Counter(), page)
        far = [self._divergence(query, model, page) > self.divergence * unrelated for model in models]
        return ~np.asarray(far, dtype=bool)

    def _divergence(self, query: Counter[str], line: Counter[str], page: Counter[str]) -> float:
        """Kullback-Leibler divergence of a line's smoothed model from the query's, in nats."""
        asked, said, all_said = query.total(), max(line.total(), 1), page.total()
        return sum(
            count
            / asked
            * log(count / asked / (self.mixture * line[word] / said + (1 - self.mixture) * page[word] / all_said))
            for word, count in query.items()
        )
