"""Gold text to labels: the blocks of a page that it comes from.

The gold of most corpora is plain text, made by people who looked at a page and not at its markup. It is laid along the
page's own words by their longest common subsequence; a block is content where most of its words are on that path and
most of its word triples occur in the gold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..features.counts import Counts
from ..features.words import words

#: Shares of a block's word triples, and of its words, that must be found.
LEAST_TRIPLES = 0.5
LEAST_WORDS = 0.35
#: Blocks up to this many words have hardly any triples: they count where a neighbour does.
SHORT = 3
#: Beyond this many page words times gold words the alignment would take too long; triples alone decide then.
_LARGEST = 400_000_000


def row_labels(counts: Counts, gold: str) -> NDArray[np.bool_]:
    """Tell which rows of a page are content by its gold text.

    Parameters
    ----------
    counts : Counts
        The page's blocks in reading order.
    gold : str
        The gold text.

    Returns
    -------
    bool (rows,)
    """
    row_words = [words(text) for text in counts.texts]
    gold_words = words(gold)
    labels = np.zeros(len(counts), dtype=bool)
    if not gold_words:
        return labels
    size = np.asarray([len(found) for found in row_words], dtype=np.int64)
    matched = _matched(row_words, gold_words)
    triples = frozenset(zip(gold_words, gold_words[1:], gold_words[2:], strict=False))
    shared = np.asarray([_triple_share(found, triples) for found in row_words])
    labels = (size > SHORT) & (shared > LEAST_TRIPLES) & (matched > LEAST_WORDS)
    short = (size > 0) & (size <= SHORT) & (matched > 0.99)
    beside = np.zeros(len(counts), dtype=bool)
    beside[1:] |= labels[:-1]
    beside[:-1] |= labels[1:]
    return labels | (short & beside)


def _triple_share(found: list[str], triples: frozenset[tuple[str, str, str]]) -> float:
    own = list(zip(found, found[1:], found[2:], strict=False))
    return sum(triple in triples for triple in own) / len(own) if own else 0.0


def _matched(row_words: list[list[str]], gold_words: list[str]) -> NDArray[np.float64]:
    """Share of each row's words that lie on a longest common subsequence of page and gold."""
    page_words = [word for found in row_words for word in found]
    if len(page_words) * len(gold_words) > _LARGEST:
        return np.ones(len(row_words))
    on_path = np.concatenate([[0], np.cumsum(common_subsequence(page_words, gold_words))])
    ends = np.cumsum([0, *map(len, row_words)])
    share: NDArray[np.float64] = np.diff(on_path[ends]) / np.maximum(np.diff(ends), 1)
    return share


def common_subsequence(first: list[str], second: list[str]) -> NDArray[np.bool_]:
    """Mark the members of ``first`` that lie on one longest common subsequence with ``second``.

    Bit-parallel rows (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"), kept for the way back: a zero bit
    stands where the length grows along ``second``.

    Returns
    -------
    bool (len(first),)
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
    marks = np.zeros(len(first), dtype=bool)
    line, column = len(first), len(second)
    while line and column:
        if rows[line - 1] >> (column - 1) & 1:
            column -= 1
            continue
        line -= 1
        if line and not rows[line - 1] >> (column - 1) & 1:
            continue
        column -= 1
        marks[line] = True
    return marks
