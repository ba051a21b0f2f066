"""HTMLCleaner: ranges of good sentences with many function words and few links (Girardi, WAC3 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ...features.stretches import maximal_stretches
from ...lexicon.word_lists import by_language
from ...lexicon.words import sentence_ends, words
from ...page.arrays import BoolColumn, FloatArray, IntColumn, Marks, prefix_sums
from ...page.page import Page
from ..system import Card, card_of
from .linear_page import Lines, characters, lines_of_text

#: Marks that end a sentence, and those that may follow them.
_STOPS = ".!?…。！？।؟։።"
_CLOSING = "\"'»”’)]」』）"


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlCleaner:
    """The ranges between good sentences with most function words and fewest links (CleanEval 74.0 %).

    Forms are removed. A sentence is good if it is longer than the page's mean, starts with a capital letter and ends
    with punctuation. Of all ranges that start and end with a good sentence, those are selected in which the characters
    in function words exceed those in links most: the best one, and recursively before and after it while any exceeds
    (:func:`~blocksight.features.stretches.maximal_stretches`).

    In the spirit of the source, of which only a summary is available. Ours: the lists of function words; the choice of
    the language by ``lang`` or by the words themselves; that letters without case count as capitals; and that a form
    with more than half of the page's characters is kept: some servers put the whole page into one.
    """

    card: ClassVar[Card] = card_of("htmlcleaner")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of which most is in one of the best ranges."""
        text, owner = _joined_text(page, lines_of_text(page), _in_forms(page))
        spans = _sentences(text)
        sentences = [text[first:last].strip() for first, last in spans]
        gain = _function_characters(page, sentences) - _link_characters(page, owner, spans)
        selected = np.zeros(len(owner), dtype=bool)
        for _, first, last in maximal_stretches(gain, _good(sentences)):
            selected[spans[first][0] : spans[last - 1][1]] = True
        number = len(page.leaves)
        inside = np.bincount(owner[selected & (owner >= 0)], minlength=number)
        return inside * 2 > np.bincount(owner[owner >= 0], minlength=number)


def _in_forms(page: Page) -> Marks:
    size = characters(page)
    small = page.has_tag("form") & (page.sum_leaves(size) * 2 <= size.sum())
    return page.below(small)[page.leaves]


def _joined_text(page: Page, lines: Lines, excluded: Marks) -> tuple[str, IntColumn]:
    """Return the visible text, with a line break before each line, and the leaf of each character, -1 for none."""
    parts, leaves, before = [], [], -1
    for leaf, (text, line) in enumerate(zip(page.leaf_texts, lines.leaf_line.tolist(), strict=True)):
        if line < 0 or excluded[leaf]:
            continue
        if line != before:
            parts.append("\n")
            leaves.append(-1)
            before = line
        parts.append(text.replace("\n", " "))
        leaves.append(leaf)
    owner = np.repeat(np.asarray(leaves, dtype=np.int32), [len(part) for part in parts])
    return "".join(parts), owner.astype(np.int32)


def _sentences(text: str) -> list[tuple[int, int]]:
    bounds = {0, len(text), *(index for index, character in enumerate(text) if character == "\n")}
    for stop in sentence_ends(text):
        end = stop
        while end < len(text) and text[end] in _CLOSING:
            end += 1
        bounds.add(end)
    return [(first, last) for first, last in pairwise(sorted(bounds)) if not text[first:last].isspace()]


def _good(sentences: list[str]) -> BoolColumn:
    average = sum(map(len, sentences)) / max(len(sentences), 1)
    good = [
        len(text) > average
        and text[0].isalpha()
        and not text[0].islower()
        and text.rstrip(_CLOSING).endswith(tuple(_STOPS))
        for text in sentences
    ]
    return np.asarray(good, dtype=bool)


def _function_characters(page: Page, sentences: list[str]) -> FloatArray:
    tokens = [words(text) for text in sentences]
    frequent = _language_words(page, tokens)
    return np.asarray([sum(len(word) for word in one if word in frequent) for one in tokens], dtype=np.float64)


def _language_words(page: Page, sentences: list[list[str]]) -> frozenset[str]:
    """Return the function words of the declared language, else of the one with most of them on the page."""
    listed = by_language("function_words")["FUNCTION_WORDS"]
    lists = {language: frozenset(" ".join(lines).split()) for language, lines in listed.items()}
    declared = page.language.lower()[:2]
    if declared in lists:
        return lists[declared]
    page_words = [word for sentence in sentences for word in sentence]
    return max(lists.values(), key=lambda listed: sum(word in listed for word in page_words))


def _link_characters(page: Page, owner: IntColumn, spans: list[tuple[int, int]]) -> FloatArray:
    linked = np.append(page.below(page.has_tag("a"))[page.leaves], False)
    total = prefix_sums(linked[owner].astype(np.float64))
    bounds = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
    return total[bounds[:, 1]] - total[bounds[:, 0]]
