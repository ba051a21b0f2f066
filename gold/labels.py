"""Every kind of gold to labels of a page's rows: a text, snippets, or labels of single nodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..classify.corpora import GoldPage
from ..features.alignment import alignment, row_labels
from ..features.export.dataset import RowLabels
from ..features.rows import Rows
from ..features.words import words
from ..render.arrays import FloatArray, Marks
from ..render.page import Page

#: A word is taken for gold only within so many neighbours that stand in the gold in the same order.
RUN = 3
#: Beyond this many page words times gold words the alignment would take too long; runs alone decide then.
LARGEST = 400_000_000


def row_gold(counts: Rows, gold: GoldPage, *, align: str = "words", threshold: float = 0.5) -> RowLabels:
    """Label a page's rows by whatever its gold is.

    Parameters
    ----------
    counts : Rows
        The page's blocks in reading order.
    gold : GoldPage
        Labels of nodes are used where there are any, else the text, else snippets.
    align : str
        One of :data:`ALIGNMENTS`, for gold texts.
    threshold : float
        Least share of a row that the gold must hold.

    Returns
    -------
    RowLabels
        Rows of which the gold does not tell (no words, uncertain, no snippet in them) are labelled -1.
    """
    if gold.node_texts:
        share = node_shares(counts, gold.node_texts, gold.node_labels)
    elif gold.text or not (gold.must_have or gold.must_not):
        share = ALIGNMENTS[align](counts, gold.text)
    else:
        share = snippet_shares(counts, gold.must_have, gold.must_not)
    label = np.where(np.isnan(share), -1, np.nan_to_num(share) >= threshold).astype(np.int8)
    return RowLabels(label=label, share=share)


def gold_marks(page: Page, gold: str, *, threshold: float = 0.5) -> Marks:
    """Mark the text leaves that a gold text comes from: the gold in the form in which systems answer.

    A leaf is marked from a share of its words on; one without a word (a comma between two links) where the leaves with
    words before and after it are marked.

    Returns
    -------
    bool (leaves,)
    """
    share = word_shares(page.leaf_texts, gold)
    marks = np.nan_to_num(share) >= threshold
    worded = np.flatnonzero(np.isfinite(share))
    if len(worded):
        silent = np.flatnonzero(np.isnan(share))
        after = np.searchsorted(worded, silent)
        inside = (after > 0) & (after < len(worded))
        sides = marks[worded[np.maximum(after - 1, 0)]] & marks[worded[np.minimum(after, len(worded) - 1)]]
        marks[silent] = inside & sides
    return marks


def word_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return the share of each text's words that lie on a longest common subsequence of page and gold.

    Only words count that stand on the page in a run of :data:`RUN` which the gold has, too: that keeps common words of
    menus off the path. Runs go on over the borders of texts, so that short headings are found with what follows.

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
    page_words = [word for found in text_words for word in found]
    gold_words = words(gold)
    run = in_runs(page_words, gold_words)
    places = np.flatnonzero(run)
    marks = np.zeros(len(page_words))
    if len(places) * len(gold_words) > LARGEST:
        marks[places] = 1.0
    else:
        marks[places] = alignment([page_words[place] for place in places], gold_words) >= 0
    return _means(marks, text_words)


def in_runs(page_words: list[str], gold_words: list[str], run: int = RUN) -> NDArray[np.bool_]:
    """Mark the page's words that stand in a run of so many words which occurs in the gold."""
    length = min(run, len(gold_words))
    marks = np.zeros(len(page_words), dtype=bool)
    if not length:
        return marks
    known = set(zip(*(gold_words[start:] for start in range(length)), strict=False))
    for place, found in enumerate(zip(*(page_words[start:] for start in range(length)), strict=False)):
        if found in known:
            marks[place : place + length] = True
    return marks


def dice_shares(counts: Rows, gold: str) -> FloatArray:
    """Return each row's largest Dice overlap of words with a paragraph of the gold, as FIASCO does.

    Bauer et al. (WAC3 2007): ``2 · |common words| / (|words of the row| + |words of the paragraph|)``, each word as
    often as it stands there. A paragraph is a line of the gold; as lines may be wrapped, those beside it are joined to
    it as long as the overlap grows (ours).

    Returns
    -------
    float64 (rows,)
        NaN for rows without a word.
    """
    lines = [Counter(words(line)) for line in gold.splitlines()]
    postings: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        for word in line:
            postings[word].append(index)
    rows = (Counter(words(text)) for text in counts.texts)
    return np.asarray([_best_dice(row, lines, postings) if row else np.nan for row in rows], dtype=np.float64)


def _best_dice(row: Counter[str], lines: list[Counter[str]], postings: dict[str, list[int]]) -> float:
    met = Counter(index for word in row for index in postings.get(word, ()))
    if not met:
        return 0.0
    # A line that is best by Dice is among those with most different words in common.
    dice, start = max((_dice(row, lines[index]), index) for index, _ in met.most_common(5))
    first, last, joined = start, start + 1, lines[start]
    while True:
        sides = [(index, joined + lines[index]) for index in (first - 1, last) if 0 <= index < len(lines)]
        best, index, grown = max(
            ((_dice(row, more), index, more) for index, more in sides),
            key=lambda grown: grown[0],
            default=(0.0, 0, joined),
        )
        if best <= dice:
            return dice
        dice, joined, first, last = best, grown, min(first, index), max(last, index + 1)


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / (one.total() + other.total())


def triple_shares(counts: Rows, gold: str) -> FloatArray:
    """Return 1 for rows that :func:`~blocksight.features.alignment.row_labels` takes for content, else 0.

    That is how the labels were made that the shipped models learned from.
    """
    return row_labels(counts, gold).astype(np.float64)


#: Ways of laying a gold text along a page: each gives a share a row.
ALIGNMENTS: dict[str, Callable[[Rows, str], FloatArray]] = {
    "words": lambda counts, gold: word_shares(counts.texts, gold),
    "dice": dice_shares,
    "triples": triple_shares,
}


def node_shares(counts: Rows, texts: tuple[str, ...], labels: tuple[int, ...]) -> FloatArray:
    """Return the share of each row's words that nodes labelled as content hold.

    The nodes' words are laid along the page's, so that neither have to be cut in the same way.

    Parameters
    ----------
    counts : Rows
    texts : tuple of str
        The nodes in reading order.
    labels : tuple of int
        1 for content, 0 for boilerplate, -1 for uncertain.

    Returns
    -------
    float64 (rows,)
        NaN for rows of which no word is labelled, or only uncertain ones are.
    """
    row, label = node_words_of_rows(counts, texts, labels)
    known = label >= 0
    amount = np.bincount(row[known], minlength=len(counts))
    content = np.bincount(row[label == 1], minlength=len(counts))
    return np.where(amount > 0, content / np.maximum(amount, 1), np.nan)


def node_words_of_rows(
    counts: Rows, texts: tuple[str, ...], labels: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lay the words of nodes along the page's; give row and label of each word that is on both sides."""
    row_words = [words(text) for text in counts.texts]
    node_words = [words(text) for text in texts]
    of_word = np.repeat(np.asarray(labels, dtype=np.int64), [len(found) for found in node_words])
    row = np.repeat(np.arange(len(counts)), [len(found) for found in row_words])
    partner = alignment(
        [word for found in row_words for word in found], [word for found in node_words for word in found]
    )
    return row[partner >= 0], of_word[partner[partner >= 0]]


def snippet_shares(counts: Rows, must_have: tuple[str, ...], must_not: tuple[str, ...]) -> FloatArray:
    """Return 1 for rows that hold a snippet of the content, 0 for those that hold one of the boilerplate, else NaN.

    A snippet of the content that stands in several places is taken for the longest row. A snippet of the boilerplate
    counts where it is half of the row at least, or stands on the page once; the content wins where both claim a row.
    """
    text = " ".join(counts.texts)
    starts = np.cumsum([0, *(len(row) + 1 for row in counts.texts)])
    length = np.diff(starts) - 1
    share = np.full(len(counts), np.nan)
    for snippet in map(_spaced, must_not):
        places = _places(text, snippet)
        for first, last in _rows_at(starts, places, len(snippet)):
            if len(places) == 1 or len(snippet) >= 0.5 * length[first:last].sum():
                share[first:last] = 0.0
    for snippet in map(_spaced, must_have):
        found = _rows_at(starts, _places(text, snippet), len(snippet))
        if found:
            first, last = max(found, key=lambda rows: int(length[rows[0] : rows[1]].sum()))
            share[first:last] = 1.0
    return share


def _spaced(snippet: str) -> str:
    return " ".join(snippet.split())


def _places(text: str, snippet: str) -> list[int]:
    places, start = [], text.find(snippet) if snippet else -1
    while start >= 0:
        places.append(start)
        start = text.find(snippet, start + 1)
    return places


def _rows_at(starts: NDArray[np.int64], places: list[int], length: int) -> list[tuple[int, int]]:
    first = np.searchsorted(starts, places, side="right") - 1
    last = np.searchsorted(starts, np.asarray(places, dtype=np.int64) + length, side="left")
    return list(zip(first.tolist(), last.tolist(), strict=True))


def _means(values: FloatArray, text_words: list[list[str]]) -> FloatArray:
    """Mean of the words of each text; NaN for texts without one."""
    size = np.asarray([len(found) for found in text_words], dtype=np.int64)
    total = np.bincount(np.repeat(np.arange(len(size)), size), weights=values, minlength=len(size))
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)
