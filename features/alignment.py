"""Alignment of a text with a page: which of the page's words it contains, and which leaves it was taken from.

The gold of most corpora is plain text, made by people from the visible page and not its markup, and so is the output of
other extractors. Both are aligned with the page's own words by their longest common subsequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..lexicon.words import word_runs, words
from ..page.arrays import FloatArray, Marks
from ..page.page import Page
from ..segment.blocks import text_blocks, visible_blocks
from .rows import rows_of

#: A word of the page can match one of the text only in a run of this many words that the text contains too.
RUN_LENGTH = 3
#: Least share of a leaf's words that must match.
LEAST_SHARE = 0.5
#: Greatest number of words of the page times words of the text; larger subsequences would take too long.
MOST_CELLS = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowLabels:
    """Labels of a page's rows."""

    label: NDArray[np.int8]  # (rows,): 1 for content, 0 for boilerplate, -1 for unknown
    share: NDArray[np.float64]  # (rows,): share of the row's words in the gold; NaN if unknown


def in_runs(page_words: Sequence[str], text_words: Sequence[str]) -> Marks:
    """Mark the page's words in runs of three words that the text contains (of all its words if it has fewer)."""
    length = min(RUN_LENGTH, len(text_words))
    marks = np.zeros(len(page_words), dtype=bool)
    text_runs = frozenset(word_runs(text_words, length))
    for start, words_of_run in enumerate(word_runs(page_words, length)):
        if words_of_run in text_runs:
            marks[start : start + length] = True
    return marks


def word_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return the share of each text's words on a longest common subsequence with the gold, NaN without words."""
    # Only words in runs of RUN_LENGTH words of both count, which keeps common words of menus out. Runs continue across
    # texts, so that short headings match with the text after them. If it would take too long, only runs count.
    text_words = [words(text) for text in texts]
    page_words, gold_words = [word for words_of_text in text_words for word in words_of_text], words(gold)
    in_run = in_runs(page_words, gold_words)
    on_path = _mark_common(page_words, gold_words, in_run)
    return _word_means(in_run if on_path is None else on_path, text_words)


def leaves_of_text(page: Page, text: str) -> Marks:
    """Mark the text leaves of a page that a text was taken from, verbatim and mostly in page order, bool (leaves,).

    A leaf is marked if half of its words match as in :func:`word_shares`: that distinguishes the source of the text
    from repetitions elsewhere on the page. Then leaves are marked if half of their words are in runs of the text and
    among its unmatched words, since the text may have been reordered. A leaf without words is marked if its neighbours
    are. The time is linear except for the subsequence, which takes words by words / 64 and is omitted if it would take
    too long.
    """
    leaf_words = [words(leaf) for leaf in page.leaf_texts]
    page_words, text_words = [word for words_of_leaf in leaf_words for word in words_of_leaf], words(text)
    in_run = in_runs(page_words, text_words)
    on_path = _mark_common(page_words, text_words, in_run)
    near_share, path_share = (
        _word_means(in_run, leaf_words),
        _word_means(np.zeros(len(in_run)) if on_path is None else on_path, leaf_words),
    )
    marks: Marks = path_share >= LEAST_SHARE
    unmatched = Counter(text_words)
    unmatched.subtract(word for leaf in np.flatnonzero(marks).tolist() for word in leaf_words[leaf])
    for leaf in np.flatnonzero((near_share >= LEAST_SHARE) & ~marks).tolist():
        own = Counter(leaf_words[leaf])
        if sum(min(count, max(unmatched[word], 0)) for word, count in own.items()) >= LEAST_SHARE * len(
            leaf_words[leaf]
        ):
            marks[leaf] = True
            unmatched.subtract(own)
    wordless = np.isnan(near_share)
    return marks | (wordless & _between(marks, ~wordless))


def _mark_common(page_words: list[str], text_words: list[str], in_run: Marks) -> Marks | None:
    """Mark the words in runs on a longest common subsequence with the text; None if it would take too long."""
    indices = np.flatnonzero(in_run)
    if len(indices) * len(text_words) > MOST_CELLS:
        return None
    marks = np.zeros(len(page_words), dtype=bool)
    marks[indices] = common_subsequence([page_words[index] for index in indices.tolist()], text_words)
    return marks


def _word_means(values: NDArray[np.generic], text_words: list[list[str]]) -> FloatArray:
    size = np.asarray([len(words_of_text) for words_of_text in text_words], dtype=np.int64)
    total = np.bincount(np.repeat(np.arange(len(size)), size), weights=values, minlength=len(size))
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)


def _between(labels: Marks, known: Marks) -> Marks:
    """Return True where the nearest known labels before and after are both True."""
    indices = np.flatnonzero(known)
    labels_known = np.concatenate([[False], labels[indices], [False]])
    following = np.searchsorted(indices, np.arange(len(labels)), side="right")
    both: Marks = labels_known[following] & labels_known[following + 1]
    return both


def common_subsequence(first: list[str], second: list[str]) -> NDArray[np.bool_]:
    """Mark the members of ``first`` on one longest common subsequence with ``second``, bool (len(first),)."""
    return alignment(first, second) >= 0


def alignment(first: list[str], second: list[str]) -> NDArray[np.int32]:
    """Return the index in ``second`` of each member of ``first`` on one longest common subsequence, -1 for others.

    Bit-parallel rows (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"), stored for backtracking: a zero bit
    marks an increase of the length along ``second``. Of equally long ones it takes the first members of ``first``, but
    for those that continue a later run: a headline does not match the words of the sentence that repeats it.
    """
    positions: dict[str, int] = {}
    for index, word in enumerate(second):
        positions[word] = positions.get(word, 0) | 1 << index
    mask = (1 << len(second)) - 1
    row, rows = mask, []
    for word in first:
        hits = row & positions.get(word, 0)
        row = ((row + hits) | (row - hits)) & mask
        rows.append(row)
    partner = np.full(len(first), -1, dtype=np.int32)
    line, column = len(first), len(second)
    while line and column:
        if rows[line - 1] >> (column - 1) & 1:
            column -= 1
            continue
        line -= 1
        if line and not rows[line - 1] >> (column - 1) & 1:
            continue
        column -= 1
        partner[line] = column
    _join_runs(partner, first)
    return partner


def _join_runs(partner: NDArray[np.int32], first: list[str]) -> None:
    """Move each run of matches directly before the run that continues it, if the same words are there."""
    matched = np.flatnonzero(partner >= 0)
    if not len(matched):
        return
    breaks = np.flatnonzero((np.diff(matched) > 1) | (np.diff(partner[matched]) > 1)) + 1
    runs = np.split(matched, breaks)
    following = int(runs[-1][0])
    for run in reversed(runs[:-1]):
        start, end = int(run[0]), int(run[-1]) + 1
        target = following - (end - start)
        if partner[end - 1] + 1 == partner[following] and first[target:following] == first[start:end]:
            indices = partner[start:end].copy()
            partner[start:end] = -1
            partner[target:following] = indices
            start = target
        following = start


def aligned_marks(page: Page, text: str) -> Marks:
    """Return the visible text leaves whose blocks are in a text by their words, bool (leaves,)."""
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    found = np.nan_to_num(word_shares(rows.texts, text)) >= LEAST_SHARE
    marks: Marks = np.append(found, False)[rows.leaf_row]
    return marks
