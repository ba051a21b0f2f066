"""Kimatu: blocks of like elements, compared with the largest (Saralegi and Leturia, WAC3 2007)."""

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
from ..system import Card, Segment, SegmentKind
from .reading.counts import Lines, lines_of_text
from .reading.kinds import HEADINGS, kinds_by_tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Kimatu:
    """Blocks of like elements that stand near each other, candidates by their ratios to the largest, and their kin.

    A block is a set of lines whose elements have the same tag and class, stand in the same element and near each other.
    Its score is the mean of its length, its mean line length and its punctuation, each relative to the greatest on the
    page, less the share of its words in links; high scores make candidates. Short lines that repeat ("posted by"), and
    short quotations of what candidates say, go. Blocks of low score but of a candidate's kind that stand near one come
    in, and headings right before content.

    In the spirit of the source, of which a summary is known: all numbers are ours.

    Parameters
    ----------
    near : int
        Lines that stand at most between two lines of a block, and between a candidate and its kin.
    least_score : float
        Of a candidate.
    most_links : float
        Share of words in links that no kin exceeds.
    short : int
        Words of the longest line that can be a repeated label, or a heading without a heading's tag.
    repeats : int
        Short lines with the same first two words are labels where there are this many.
    quotation : int
        Words of the longest line that can be a quotation.
    quoted_share : float
        Share of a quotation's words, in their order, that a candidate line says before it.
    """

    near: int = 3
    least_score: float = 0.2
    most_links: float = 0.5
    short: int = 8
    repeats: int = 3
    quotation: int = 40
    quoted_share: float = 0.9
    card: ClassVar[Card] = Card(
        name="kimatu",
        title="blocks of like elements, compared with the largest",
        paper="Saralegi, Leturia: Kimatu, a tool for cleaning non-content text parts from HTML docs (WAC3)",
        year=2007,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark candidates and what belongs to them."""
        lines = lines_of_text(page)
        return lines.marks(self._chosen(page, lines))

    def segments(self, page: Page) -> list[Segment]:
        """Return the content as headings, paragraphs and items: by tags, else by punctuation and size.

        Ours: a short line without a mark at its end, right before a longer line of content, is a heading.
        """
        lines = lines_of_text(page)
        chosen = np.flatnonzero(self._chosen(page, lines)).tolist()
        kinds = dict(zip(chosen, kinds_by_tag(page, lines.node[chosen].tolist()), strict=True))
        for line in chosen:
            if kinds[line] is SegmentKind.PARAGRAPH and kinds.get(line + 1) is SegmentKind.PARAGRAPH:
                title = self._titles(lines.texts[line], lines.texts[line + 1])
                kinds[line] = SegmentKind.HEADING if title else SegmentKind.PARAGRAPH
        return lines.segments(kinds)

    def _titles(self, text: str, follows: str) -> bool:
        """Return whether a text looks like the heading of the one that follows."""
        size = len(words(text))
        return size <= self.short and size < len(words(follows)) and text[-1:].isalnum()

    def _chosen(self, page: Page, lines: Lines) -> NDArray[np.bool_]:
        """Return which lines are content."""
        if not len(lines):
            return np.zeros(0, dtype=bool)
        said = [words(text) for text in lines.texts]
        kinds = _kinds(page, lines)
        score, links = self._scores(page, lines, said, self._blocks(page, lines, kinds))
        candidate = (score >= self.least_score) & ~self._labels(said)
        kin = self._kin(candidate, kinds) & (links <= self.most_links) & ~self._labels(said)
        chosen = candidate | kin
        chosen &= ~self._quotations(said, candidate)
        return chosen | _headings(page, lines, chosen)

    def _blocks(self, page: Page, lines: Lines, kinds: list[tuple[str, ...]]) -> NDArray[np.int64]:
        """Number of each line's block."""
        blocks: list[int] = []
        latest: dict[tuple[object, ...], int] = {}
        for index, (kind, above) in enumerate(zip(kinds, page.parent[lines.node].tolist(), strict=True)):
            last = latest.get((kind, above), -1)
            joins = last >= 0 and index - last - 1 <= self.near
            blocks.append(blocks[last] if joins else index)
            latest[kind, above] = index
        return np.asarray(blocks, dtype=np.int64)

    def _scores(
        self, page: Page, lines: Lines, said: list[list[str]], blocks: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Score of each line's block, and the share of the block's words in links."""
        length = np.asarray([len(found) for found in said], dtype=np.float64)
        linked = _linked_words(page, lines)
        stops = np.asarray([count_sentences(text) + text.count(",") for text in lines.texts], dtype=np.float64)
        total, links, marks = (np.bincount(blocks, weights=column)[blocks] for column in (length, linked, stops))
        mean = total / np.bincount(blocks)[blocks]
        ratios = [column / max(column.max(), 1.0) for column in (total, mean, marks)]
        share = links / np.maximum(total, 1.0)
        return np.mean(ratios, axis=0) - share, share

    def _labels(self, said: list[list[str]]) -> NDArray[np.bool_]:
        """Return which lines are short and begin like several others."""
        begins = [tuple(found[:2]) if 0 < len(found) <= self.short else None for found in said]
        counts = Counter(begin for begin in begins if begin)
        return np.asarray([begin is not None and counts[begin] >= self.repeats for begin in begins], dtype=bool)

    def _quotations(self, said: list[list[str]], candidate: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which short lines say again what a candidate line before them has said."""
        quoted = np.zeros(len(said), dtype=bool)
        seen: dict[tuple[str, ...], int] = {}
        for index, found in enumerate(said):
            triples = list(word_runs(found, 3))
            if triples and len(found) <= self.quotation:
                # Only lines that share three words in a row can have most of them in common.
                sources = {seen[triple] for triple in triples if triple in seen}
                quoted[index] = any(self._quotes(found, said[source]) for source in sorted(sources))
            if candidate[index] and not quoted[index]:
                seen.update(dict.fromkeys(triples, index))
        return quoted

    def _quotes(self, found: list[str], source: list[str]) -> bool:
        return len(source) > len(found) and common_subsequence(found, source).mean() >= self.quoted_share

    def _kin(self, candidate: NDArray[np.bool_], kinds: list[tuple[str, ...]]) -> NDArray[np.bool_]:
        """Return which lines are of the kind of a candidate that stands near."""
        kin = np.zeros(len(kinds), dtype=bool)
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for index, kind in enumerate(kinds):
            places[kind].append(index)
        for rows in places.values():
            for one, other in pairwise(rows):
                near = other - one - 1 <= self.near
                kin[one] |= near and candidate[other]
                kin[other] |= near and candidate[one]
        return kin


def _kinds(page: Page, lines: Lines) -> list[tuple[str, ...]]:
    """Tag and class of each line's element."""
    classes = page.attribute("class")[lines.node].tolist()
    names = [page.tag_of(row) for row in lines.node.tolist()]
    return [(name, page.strings[code] if code >= 0 else "") for name, code in zip(names, classes, strict=True)]


def _linked_words(page: Page, lines: Lines) -> NDArray[np.float64]:
    linked = page.below(page.has_tag("a"))[page.leaves] & (lines.leaf_line >= 0)
    amount = [len(words(page.leaf_texts[leaf])) for leaf in np.flatnonzero(linked).tolist()]
    return np.bincount(lines.leaf_line[linked], weights=amount, minlength=len(lines)).astype(np.float64)


def _headings(page: Page, lines: Lines, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which lines are headings right before a chosen line."""
    heading = page.nearest(page.has_tag(*HEADINGS))[lines.node] >= 0
    before: NDArray[np.bool_] = heading & np.append(chosen[1:], False)
    return before
