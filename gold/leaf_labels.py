"""The one labelling: every kind of gold to labels of a page's rows or text leaves.

Models learn by it, data sets hold it, the measure ``labels`` and the benchmarks judge by it. A row is content from half
of its words on; what the gold says nothing of is neither content nor boilerplate, and is not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..features.alignment import LEAST_SHARE, RowLabels, alignment, word_shares
from ..features.rows import rows_of
from ..lexicon.words import words
from ..page.arrays import FloatArray, IntColumn, Marks
from ..page.page import Page
from ..segment.blocks import text_blocks, visible_blocks
from .pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldPage

#: Labels of rows or of text leaves: :data:`~blocksight.gold.pages.CONTENT`, ``BOILERPLATE`` or ``UNCERTAIN``.
Labels = NDArray[np.int8]


def row_gold(
    texts: Sequence[str], gold: GoldPage, *, align: str = "words", threshold: float = LEAST_SHARE
) -> RowLabels:
    """Label a page's rows by whatever its gold is.

    Parameters
    ----------
    texts : sequence of str
        Of the page's blocks, in reading order.
    gold : GoldPage
        Labels of nodes are used where there are any, else the corpus' own text, else snippets.
    align : str
        One of :data:`ALIGNMENTS`, for gold texts.
    threshold : float
        Least share of a row that the gold must hold.

    Returns
    -------
    RowLabels
        Rows of which the gold says nothing (no words, uncertain, no snippet in them) are labelled -1.
    """
    if gold.node_texts:
        share = node_shares(texts, gold.node_texts, gold.node_labels)
    elif gold.texts:
        share = ALIGNMENTS[align](texts, gold.text)
    else:
        share = snippet_shares(texts, gold.must_have, gold.must_not)
    return RowLabels(label=_labels(share, threshold), share=share)


def leaf_gold(page: Page, gold: GoldPage) -> Labels:
    """Label a page's text leaves by its labelled nodes, else by its gold text, else by snippets.

    By nodes, a leaf that stands among them as it is has the label of that node, any other one that of most of its
    words. By texts and snippets, a leaf has the label of its paragraph (:func:`row_gold`); text that nobody sees has
    none.

    Returns
    -------
    int8 (leaves,)
    """
    if gold.node_texts:
        return _leaves_by_nodes(page, gold)
    return _leaves_by_paragraphs(page, lambda texts: row_gold(texts, gold).label)


def gold_marks(page: Page, text: str) -> Marks:
    """Mark the text leaves that are content by a gold text: the gold in the form in which systems answer.

    Returns
    -------
    bool (leaves,)
        True where :func:`leaf_gold` says content.
    """
    marks: Marks = _leaves_by_paragraphs(page, lambda texts: _labels(word_shares(texts, text), LEAST_SHARE)) == CONTENT
    return marks


def _leaves_by_paragraphs(page: Page, labels_of: Callable[[Sequence[str]], Labels]) -> Labels:
    paragraphs = rows_of(page, visible_blocks(page, text_blocks(page)))
    return np.append(labels_of(paragraphs.texts), np.int8(UNCERTAIN))[paragraphs.leaf_row]


def _leaves_by_nodes(page: Page, gold: GoldPage) -> Labels:
    labels = _labels(node_shares(page.leaf_texts, gold.node_texts, gold.node_labels), LEAST_SHARE)
    node = same_nodes(page, gold)
    labels[node >= 0] = np.asarray(gold.node_labels, dtype=np.int8)[node[node >= 0]]
    return labels


def same_nodes(page: Page, gold: GoldPage) -> IntColumn:
    """Return int32 (leaves,): the number of the labelled node that each leaf stands for as it is, -1 for none."""
    from rapidfuzz.distance import LCSseq

    same = [[" ".join(text.split()) for text in texts] for texts in (page.leaf_texts, gold.node_texts)]
    found = np.full(len(same[0]), -1, dtype=np.int32)
    for step in LCSseq.opcodes(*same):
        if step.tag == "equal":
            found[step.src_start : step.src_end] = np.arange(step.dest_start, step.dest_end)
    return found


def _labels(share: FloatArray, threshold: float) -> Labels:
    found = np.where(np.nan_to_num(share) >= threshold, CONTENT, BOILERPLATE)
    return np.where(np.isnan(share), UNCERTAIN, found).astype(np.int8)


def dice_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return each text's largest Dice overlap of words with a paragraph of the gold, as FIASCO does.

    Bauer et al. (WAC3 2007): ``2 · |common words| / (|words of the text| + |words of the paragraph|)``, each word as
    often as it stands there. A paragraph is a line of the gold; as lines may be wrapped, those beside it are joined to
    it as long as the overlap grows (ours).

    Returns
    -------
    float64 (texts,)
        NaN for texts without a word.
    """
    lines = [Counter(words(line)) for line in gold.splitlines()]
    postings: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        for word in line:
            postings[word].append(index)
    rows = (Counter(words(text)) for text in texts)
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


#: Ways of laying a gold text along the texts of a page: each returns a share a text.
ALIGNMENTS: dict[str, Callable[[Sequence[str], str], FloatArray]] = {"words": word_shares, "dice": dice_shares}


def node_shares(texts: Sequence[str], node_texts: Sequence[str], node_labels: Sequence[int]) -> FloatArray:
    """Return the share of each text's words that nodes labelled as content hold.

    The nodes' words are laid along the page's, so that neither have to be cut in the same way.

    Parameters
    ----------
    texts : sequence of str
        The page's blocks, or its text leaves, in reading order.
    node_texts : sequence of str
        The nodes in reading order.
    node_labels : sequence of int

    Returns
    -------
    float64 (texts,)
        NaN for texts of which no word is labelled, or only uncertain ones are.
    """
    owner, label = labelled_words(texts, node_texts, node_labels)
    known = label != UNCERTAIN
    amount = np.bincount(owner[known], minlength=len(texts))
    content = np.bincount(owner[label == CONTENT], minlength=len(texts))
    return np.where(amount > 0, content / np.maximum(amount, 1), np.nan)


def labelled_words(
    texts: Sequence[str], node_texts: Sequence[str], node_labels: Sequence[int]
) -> tuple[IntColumn, IntColumn]:
    """Lay the words of nodes along the page's; return the text and the label of each word that is on both sides."""
    text_words, node_words = ([words(text) for text in side] for side in (texts, node_texts))
    owner, node = (np.repeat(np.arange(len(side)), list(map(len, side))) for side in (text_words, node_words))
    partner = alignment(*([word for found in side for word in found] for side in (text_words, node_words)))
    there = partner >= 0
    label = np.asarray(node_labels, dtype=np.int32)[node[partner[there]]]
    return owner[there].astype(np.int32), label


def snippet_shares(texts: Sequence[str], must_have: tuple[str, ...], must_not: tuple[str, ...]) -> FloatArray:
    """Return 1 for texts that hold a snippet of the content, 0 for those that hold one of the boilerplate, else NaN.

    A snippet of the content that stands in several places is taken for the longest row. A snippet of the boilerplate
    counts where it is half of the row at least, or stands on the page once; the content wins where both claim a row.
    """
    text = " ".join(texts)
    starts = np.cumsum([0, *(len(row) + 1 for row in texts)])
    length = np.diff(starts) - 1
    share = np.full(len(texts), np.nan)
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
