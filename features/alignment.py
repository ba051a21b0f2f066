"""A text laid along a page: which of the page's words it holds, and which leaves it was taken from.

The gold of most corpora is plain text, made by people who looked at a page and not at its markup; so is what other
extractors answer. Both are laid along the page's own words by their longest common subsequence.
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

#: A word of the page stands for one of the text only in a run of this many neighbours that the text has, too.
RUN_LENGTH = 3
#: Of a leaf's words, at least this share must be found.
LEAST_SHARE = 0.5
#: Beyond this many words of the page times words of the text the subsequence would take too long.
MOST_CELLS = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowLabels:
    """Labels of a page's rows.

    Attributes
    ----------
    label : int8 (rows,)
        1 for content, 0 for boilerplate, -1 for not known.
    share : float64 (rows,)
        Share of the row's words that the gold holds; NaN where that is not known.
    """

    label: NDArray[np.int8]
    share: NDArray[np.float64]


def in_runs(page_words: Sequence[str], text_words: Sequence[str], run: int = RUN_LENGTH) -> Marks:
    """Mark the page's words that stand in a run of ``run`` words of the text, or of all if it has fewer.

    Returns
    -------
    bool (words of the page,)
    """
    length = min(run, len(text_words))
    marks = np.zeros(len(page_words), dtype=bool)
    known = frozenset(word_runs(text_words, length))
    for place, found in enumerate(word_runs(page_words, length)):
        if found in known:
            marks[place : place + length] = True
    return marks


def word_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return the share of each text's words that lie on a longest common subsequence of page and gold.

    Only words count in runs of :data:`RUN_LENGTH` words of page and gold: that keeps common words of menus off the
    path. Runs go on over the borders of texts, so that short headings are found with what follows. Where the
    subsequence would take too long, runs alone decide.

    Parameters
    ----------
    texts : sequence of str
        The page's blocks, or its text leaves, in reading order.
    gold : str

    Returns
    -------
    float64 (texts,)
        NaN for texts without a word.
    """
    text_words = [words(text) for text in texts]
    page_words, gold_words = [word for found in text_words for word in found], words(gold)
    near = in_runs(page_words, gold_words)
    path = _mark_common(page_words, gold_words, near)
    return _word_means(near if path is None else path, text_words)


def leaves_of_text(page: Page, text: str) -> Marks:
    """Mark the text leaves of a page that a text was taken from, verbatim and mostly in the page's order.

    A leaf is in if half of its words are found as :func:`word_shares` finds them: that tells what the text took from
    what stands on the page a second time. Then leaves come in half of whose words stand in runs of the text, and which
    the text has left over, since it may have moved them. A leaf without words is in if its neighbours are. Time is
    linear but for the subsequence, which takes words by words / 64 and is left out where it would take long.

    Returns
    -------
    bool (leaves,)
    """
    found = [words(leaf) for leaf in page.leaf_texts]
    page_words, text_words = [word for said in found for word in said], words(text)
    near = in_runs(page_words, text_words)
    path = _mark_common(page_words, text_words, near)
    near_share, path_share = _word_means(near, found), _word_means(np.zeros(len(near)) if path is None else path, found)
    marks: Marks = path_share >= LEAST_SHARE
    left = Counter(text_words)
    left.subtract(word for leaf in np.flatnonzero(marks).tolist() for word in found[leaf])
    for leaf in np.flatnonzero((near_share >= LEAST_SHARE) & ~marks).tolist():
        own = Counter(found[leaf])
        if sum(min(count, max(left[word], 0)) for word, count in own.items()) >= LEAST_SHARE * len(found[leaf]):
            marks[leaf] = True
            left.subtract(own)
    silent = np.isnan(near_share)
    return marks | (silent & _between(marks, ~silent))


def _mark_common(page_words: list[str], text_words: list[str], near: Marks) -> Marks | None:
    """Mark the words near that lie on a longest common subsequence with the text; None where it would take long."""
    places = np.flatnonzero(near)
    if len(places) * len(text_words) > MOST_CELLS:
        return None
    marks = np.zeros(len(page_words), dtype=bool)
    marks[places] = common_subsequence([page_words[place] for place in places.tolist()], text_words)
    return marks


def _word_means(values: NDArray[np.generic], text_words: list[list[str]]) -> FloatArray:
    """Return the mean over the words of each text; NaN for texts without one."""
    size = np.asarray([len(found) for found in text_words], dtype=np.int64)
    total = np.bincount(np.repeat(np.arange(len(size)), size), weights=values, minlength=len(size))
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)


def _between(labels: Marks, known: Marks) -> Marks:
    """Return where the nearest known labels before and behind are both True."""
    places = np.flatnonzero(known)
    told = np.concatenate([[False], labels[places], [False]])
    behind = np.searchsorted(places, np.arange(len(labels)), side="right")
    both: Marks = told[behind] & told[behind + 1]
    return both


def common_subsequence(first: list[str], second: list[str]) -> NDArray[np.bool_]:
    """Mark the members of ``first`` that lie on one longest common subsequence with ``second``.

    Returns
    -------
    bool (len(first),)
    """
    return alignment(first, second) >= 0


def alignment(first: list[str], second: list[str]) -> NDArray[np.int32]:
    """Return the partner in ``second`` of each member of ``first`` along one longest common subsequence.

    Bit-parallel rows (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"), kept for the way back: a zero bit
    stands where the length grows along ``second``.

    Returns
    -------
    int32 (len(first),)
        Index into ``second``, -1 for members that are not on it.
    """
    positions: dict[str, int] = {}
    for index, word in enumerate(second):
        positions[word] = positions.get(word, 0) | 1 << index
    everything = (1 << len(second)) - 1
    row, rows = everything, []
    for word in first:
        hits = row & positions.get(word, 0)
        row = ((row + hits) | (row - hits)) & everything
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
    return partner
