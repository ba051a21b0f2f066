"""Gold text to labels: the blocks of a page that it comes from.

The gold of most corpora is plain text, made by people who looked at a page and not at its markup. It is laid along the
page's own words by their longest common subsequence; a block is content where most of its words are on that path and
most of its word triples occur in the gold.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ..render.arrays import prefix_sums
from ..render.page import Page
from .rows import Rows
from .words import words

#: Shares of a block's word triples, and of its words, that must be found.
LEAST_TRIPLES = 0.5
LEAST_WORDS = 0.35
#: Of a leaf's words, at least so many must be found.
HALF = 0.5
#: Blocks up to this many words have hardly any triples: they count where a neighbour does.
SHORT = 3
#: Beyond this many page words times gold words the alignment would take too long; triples alone decide then.
_LARGEST = 400_000_000


def row_labels(rows: Rows, gold: str) -> NDArray[np.bool_]:
    """Return which rows of a page are content by its gold text.

    Parameters
    ----------
    rows : Rows
        The page's blocks in reading order.
    gold : str
        The gold text.

    Returns
    -------
    bool (rows,)
    """
    row_words = [words(text) for text in rows.texts]
    gold_words = words(gold)
    labels = np.zeros(len(rows), dtype=bool)
    if not gold_words:
        return labels
    size = np.asarray([len(found) for found in row_words], dtype=np.int64)
    matched = _matched(row_words, gold_words)
    triples = frozenset(zip(gold_words, gold_words[1:], gold_words[2:], strict=False))
    shared = np.asarray([_triple_share(found, triples) for found in row_words])
    labels = (size > SHORT) & (shared > LEAST_TRIPLES) & (matched > LEAST_WORDS)
    short = (size > 0) & (size <= SHORT) & (matched > 0.99)
    beside = np.zeros(len(rows), dtype=bool)
    beside[1:] |= labels[:-1]
    beside[:-1] |= labels[1:]
    return labels | (short & beside)


def leaf_labels(page: Page, text: str) -> NDArray[np.bool_]:
    """Return which text leaves of a page a text was taken from, verbatim and mostly in the page's order.

    Words of the page stand for the text where one of the word triples around them, also across leaves, occurs in it.
    A leaf is in if half of its words do so and lie on a longest common subsequence: that tells what the text took from
    what stands on the page a second time. Then leaves come in whose words the text has left over, since it may have
    moved them. A leaf without words is in if its neighbours are. Time is linear but for the subsequence, which takes
    words by words / 64 and is left out where it would take long.

    Parameters
    ----------
    page : Page
    text : str

    Returns
    -------
    bool (leaves,)
    """
    found = [words(leaf) for leaf in page.leaf_texts]
    page_words, text_words = [word for said in found for word in said], words(text)
    ends = np.cumsum([0, *map(len, found)])
    size = np.diff(ends)
    near = _in_triples(page_words, text_words)
    near_share, path_share = (
        np.diff(prefix_sums(marks)[ends]) / np.maximum(size, 1)
        for marks in (near, _on_path(page_words, text_words, near))
    )
    labels: NDArray[np.bool_] = (path_share >= HALF) & (size > 0)
    left = Counter(text_words)
    left.subtract(word for leaf in np.flatnonzero(labels).tolist() for word in found[leaf])
    for leaf in np.flatnonzero((near_share >= HALF) & (size > 0) & ~labels).tolist():
        own = Counter(found[leaf])
        if sum(min(count, max(left[word], 0)) for word, count in own.items()) >= HALF * len(found[leaf]):
            labels[leaf] = True
            left.subtract(own)
    labels |= (size == 0) & _between(labels, size > 0)
    return labels


def _on_path(page_words: list[str], text_words: list[str], near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the words near that lie on a longest common subsequence with the text; none where it would take long."""
    marks = np.zeros(len(page_words), dtype=bool)
    places = np.flatnonzero(near)
    if len(places) * len(text_words) <= _LARGEST:
        marks[places] = common_subsequence([page_words[place] for place in places.tolist()], text_words)
    return marks


def _in_triples(page_words: list[str], text_words: list[str]) -> NDArray[np.bool_]:
    """Mark the words of a page that are part of a run of three words of the text, or of all if it has fewer."""
    length = min(3, len(text_words))
    counted = np.zeros(len(page_words), dtype=bool)
    runs = frozenset(zip(*(text_words[place:] for place in range(length)), strict=False))
    for place, run in enumerate(zip(*(page_words[place:] for place in range(length)), strict=False)):
        if run in runs:
            counted[place : place + length] = True
    return counted


def _between(labels: NDArray[np.bool_], known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return where the nearest known labels before and behind are both True."""
    places = np.flatnonzero(known)
    told = np.concatenate([[False], labels[places], [False]])
    behind = np.searchsorted(places, np.arange(len(labels)), side="right")
    both: NDArray[np.bool_] = told[behind] & told[behind + 1]
    return both


def _triple_share(found: list[str], triples: frozenset[tuple[str, str, str]]) -> float:
    own = list(zip(found, found[1:], found[2:], strict=False))
    return sum(triple in triples for triple in own) / len(own) if own else 0.0


def _matched(row_words: list[list[str]], gold_words: list[str]) -> NDArray[np.float64]:
    """Share of each row's words that lie on a longest common subsequence of page and gold."""
    page_words = [word for found in row_words for word in found]
    if len(page_words) * len(gold_words) > _LARGEST:
        return np.ones(len(row_words))
    on_path = prefix_sums(common_subsequence(page_words, gold_words))
    ends = np.cumsum([0, *map(len, row_words)])
    share: NDArray[np.float64] = np.diff(on_path[ends]) / np.maximum(np.diff(ends), 1)
    return share


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
