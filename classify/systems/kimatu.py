"""Kimatu: blocks of similar elements, compared with the largest (Saralegi and Leturia, WAC3 2007)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...features.alignment import common_subsequence
from ...lexicon.words import count_sentences, word_runs, words
from ...page.arrays import Marks
from ...page.page import Page
from ..system import Card, card_of
from .linear_page import HEADINGS, Lines, lines_of_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Kimatu:
    """Blocks of similar elements near each other: candidates by their ratios to the largest, and similar blocks.

    A block is a set of lines whose elements have the same tag, class and parent, and are near each other. Its score is
    the mean of its length, its mean line length and its punctuation, each relative to the maximum on the page, minus
    the share of its words in links; blocks with a high score are candidates. Short repeated lines ("posted by"), and
    short quotations of candidates, are removed. Lines with a low score but the tag and class of a near candidate are
    included, and headings directly before content.

    In the spirit of the source, of which only a summary is available: all numbers are ours.
    """

    #: Most lines between two lines of a block, and between a candidate and a similar line.
    near: int = 3
    least_score: float = 0.2  # of a candidate
    most_links: float = 0.5  # largest share of words in links of a similar line
    #: Most words of a repeated label, or of a heading without a heading's tag.
    short: int = 8
    repeats: int = 3  # least number of short lines with the same first two words that are labels
    quotation: int = 40  # most words of a quotation
    #: Least share of a quotation's words that are, in their order, in a candidate line before it.
    quoted_share: float = 0.9
    card: ClassVar[Card] = card_of("kimatu")

    def mark(self, page: Page) -> Marks:
        """Mark candidates, similar lines and headings."""
        lines = lines_of_text(page)
        return lines.marks(self._chosen(page, lines))

    def _chosen(self, page: Page, lines: Lines) -> NDArray[np.bool_]:
        if not len(lines):
            return np.zeros(0, dtype=bool)
        texts = [words(text) for text in lines.texts]
        kinds = _kinds(page, lines)
        score, links = self._scores(page, lines, texts, self._blocks(page, lines, kinds))
        candidate = (score >= self.least_score) & ~self._labels(texts)
        similar = self._similar(candidate, kinds) & (links <= self.most_links) & ~self._labels(texts)
        chosen = candidate | similar
        chosen &= ~self._quotations(texts, candidate)
        return chosen | _headings(page, lines, chosen)

    def _blocks(self, page: Page, lines: Lines, kinds: list[tuple[str, ...]]) -> NDArray[np.int64]:
        blocks: list[int] = []
        latest: dict[tuple[object, ...], int] = {}
        for index, (kind, above) in enumerate(zip(kinds, page.parent[lines.node].tolist(), strict=True)):
            last = latest.get((kind, above), -1)
            joins = last >= 0 and index - last - 1 <= self.near
            blocks.append(blocks[last] if joins else index)
            latest[kind, above] = index
        return np.asarray(blocks, dtype=np.int64)

    def _scores(
        self, page: Page, lines: Lines, texts: list[list[str]], blocks: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        length = np.asarray([len(text) for text in texts], dtype=np.float64)
        linked = _linked_words(page, lines)
        stops = np.asarray([count_sentences(text) + text.count(",") for text in lines.texts], dtype=np.float64)
        total, links, marks = (np.bincount(blocks, weights=column)[blocks] for column in (length, linked, stops))
        mean = total / np.bincount(blocks)[blocks]
        ratios = [column / max(column.max(), 1.0) for column in (total, mean, marks)]
        share = links / np.maximum(total, 1.0)
        return np.mean(ratios, axis=0) - share, share

    def _labels(self, texts: list[list[str]]) -> NDArray[np.bool_]:
        """Return which lines are short and have the same first words as several others."""
        starts = [tuple(text[:2]) if 0 < len(text) <= self.short else None for text in texts]
        counts = Counter(start for start in starts if start)
        return np.asarray([start is not None and counts[start] >= self.repeats for start in starts], dtype=bool)

    def _quotations(self, texts: list[list[str]], candidate: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which short lines repeat a candidate line before them."""
        quoted = np.zeros(len(texts), dtype=bool)
        seen: dict[tuple[str, ...], int] = {}
        for index, text in enumerate(texts):
            triples = list(word_runs(text, 3))
            if triples and len(text) <= self.quotation:
                # Only lines that share three words in a row can have most of them in common.
                sources = {seen[triple] for triple in triples if triple in seen}
                quoted[index] = any(self._quotes(text, texts[source]) for source in sorted(sources))
            if candidate[index] and not quoted[index]:
                seen.update(dict.fromkeys(triples, index))
        return quoted

    def _quotes(self, text: list[str], source: list[str]) -> bool:
        return len(source) > len(text) and common_subsequence(text, source).mean() >= self.quoted_share

    def _similar(self, candidate: NDArray[np.bool_], kinds: list[tuple[str, ...]]) -> NDArray[np.bool_]:
        similar = np.zeros(len(kinds), dtype=bool)
        lines: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for index, kind in enumerate(kinds):
            lines[kind].append(index)
        for rows in lines.values():
            for one, other in pairwise(rows):
                near = other - one - 1 <= self.near
                similar[one] |= near and candidate[other]
                similar[other] |= near and candidate[one]
        return similar


def _kinds(page: Page, lines: Lines) -> list[tuple[str, ...]]:
    classes = page.attribute("class")[lines.node].tolist()
    names = [page.tag_of(row) for row in lines.node.tolist()]
    return [(name, page.strings[code] if code >= 0 else "") for name, code in zip(names, classes, strict=True)]


def _linked_words(page: Page, lines: Lines) -> NDArray[np.float64]:
    linked = page.below(page.has_tag("a"))[page.leaves] & (lines.leaf_line >= 0)
    amount = [len(words(page.leaf_texts[leaf])) for leaf in np.flatnonzero(linked).tolist()]
    return np.bincount(lines.leaf_line[linked], weights=amount, minlength=len(lines)).astype(np.float64)


def _headings(page: Page, lines: Lines, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    heading = page.nearest(page.has_tag(*HEADINGS))[lines.node] >= 0
    before: NDArray[np.bool_] = heading & np.append(chosen[1:], False)
    return before
