"""Labels of a page's rows or text leaves, from every kind of gold.

Models, data sets, the measure ``labels`` and the benchmarks all use these labels. A row is content from half of its
words on; what the gold does not cover is neither content nor boilerplate, and is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..features.alignment import LEAST_SHARE, RowLabels, alignment, word_shares
from ..features.rows import Rows, rows_of
from ..lexicon.words import words
from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from ..segment.blocks import text_blocks, visible_blocks
from .pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldNodes, GoldPage
from .pieces import labelled_nodes

#: Labels of rows or of text leaves: :data:`~blocksight.gold.pages.CONTENT`, ``BOILERPLATE`` or ``UNCERTAIN``.
Labels = NDArray[np.int8]


def page_rows(page: Page) -> Rows:
    """Return the rows that have labels: the visible paragraphs."""
    return rows_of(page, visible_blocks(page, text_blocks(page)))


def label_rows(texts: Sequence[str], gold: GoldPage, *, threshold: float = LEAST_SHARE) -> RowLabels:
    """Label a page's rows by labelled nodes if there are any, else by the corpus' own text, else by pieces or snippets.

    Parameters
    ----------
    texts : sequence of str
        Of the page's blocks, in reading order.
    gold : GoldPage
    threshold : float
        Share of a content row's words that must be in the gold.

    Returns
    -------
    RowLabels
        Rows that the gold does not cover (no words, uncertain, no piece or snippet in them) are labelled -1.
    """
    if gold.nodes.texts or gold.is_partial:
        nodes = labelled_nodes(gold)
        share = node_shares(texts, nodes.texts, nodes.labels)
    elif gold.texts:
        share = word_shares(texts, gold.text)
    else:
        share = snippet_shares(texts, gold.snippets.must_have, gold.snippets.must_not)
    return RowLabels(label=_labels(share, threshold), share=share)


def label_leaves(page: Page, gold: GoldPage) -> Labels:
    """Label a page's text leaves by its labelled nodes, else by its gold text, else by pieces or snippets.

    By nodes and pieces, a leaf that is one of them has the label of that node, any other one that of most of its words.
    By texts and snippets, a leaf has the label of its paragraph (:func:`label_rows`), and an invisible leaf has none.

    Returns
    -------
    int8 (leaves,)
    """
    if gold.nodes.texts or gold.is_partial:
        nodes = labelled_nodes(gold)
        labels = _labels(node_shares(page.leaf_texts, nodes.texts, nodes.labels), LEAST_SHARE)
        node = matching_nodes(page, nodes)
        labels[node >= 0] = np.asarray(nodes.labels, dtype=np.int8)[node[node >= 0]]
        return labels
    rows = page_rows(page)
    return np.append(label_rows(rows.texts, gold).label, np.int8(UNCERTAIN))[rows.leaf_row]


def matching_nodes(page: Page, nodes: GoldNodes) -> IntColumn:
    """Return the number of the labelled node with the same text as each leaf, -1 for none, int32 (leaves,)."""
    from rapidfuzz.distance import LCSseq

    texts = [[" ".join(text.split()) for text in side] for side in (page.leaf_texts, nodes.texts)]
    node = np.full(len(texts[0]), -1, dtype=np.int32)
    for step in LCSseq.opcodes(*texts):
        if step.tag == "equal":
            node[step.src_start : step.src_end] = np.arange(step.dest_start, step.dest_end)
    return node


def _labels(share: FloatArray, threshold: float) -> Labels:
    labels = np.where(np.nan_to_num(share) >= threshold, CONTENT, BOILERPLATE)
    return np.where(np.isnan(share), UNCERTAIN, labels).astype(np.int8)


def node_shares(texts: Sequence[str], node_texts: Sequence[str], node_labels: Sequence[int]) -> FloatArray:
    """Return the share of each text's labelled words that are in content nodes, NaN for texts without such words.

    The words of both sides are aligned in reading order, so they need not be segmented in the same way.
    """
    owner, label = labelled_words(texts, node_texts, node_labels)
    certain = label != UNCERTAIN
    amount = np.bincount(owner[certain], minlength=len(texts))
    content = np.bincount(owner[label == CONTENT], minlength=len(texts))
    return np.where(amount > 0, content / np.maximum(amount, 1), np.nan)


def labelled_words(
    texts: Sequence[str], node_texts: Sequence[str], node_labels: Sequence[int]
) -> tuple[IntColumn, IntColumn]:
    """Align the words of nodes with the page's; return the text and the label of each aligned word."""
    text_words, node_words = ([words(text) for text in side] for side in (texts, node_texts))
    owner, node = (np.repeat(np.arange(len(side)), list(map(len, side))) for side in (text_words, node_words))
    partner = alignment(*([word for text in side for word in text] for side in (text_words, node_words)))
    aligned = partner >= 0
    label = np.asarray(node_labels, dtype=np.int32)[node[partner[aligned]]]
    return owner[aligned].astype(np.int32), label


def snippet_shares(texts: Sequence[str], must_have: tuple[str, ...], must_not: tuple[str, ...]) -> FloatArray:
    """Return 1 for texts with a snippet of the content, 0 for those with a snippet of the boilerplate, else NaN.

    Of several occurrences of a content snippet, the one in the longest row counts. A boilerplate snippet counts if it
    is at least half of the row, or occurs once on the page; content wins if a row has both.
    """
    text = " ".join(texts)
    starts = np.cumsum([0, *(len(row) + 1 for row in texts)])
    length = np.diff(starts) - 1
    share = np.full(len(texts), np.nan)
    for snippet in map(_spaced, must_not):
        places = _occurrences(text, snippet)
        for first, last in _rows_at(starts, places, len(snippet)):
            if len(places) == 1 or len(snippet) >= 0.5 * length[first:last].sum():
                share[first:last] = 0.0
    for snippet in map(_spaced, must_have):
        spans = _rows_at(starts, _occurrences(text, snippet), len(snippet))
        if spans:
            first, last = max(spans, key=lambda rows: int(length[rows[0] : rows[1]].sum()))
            share[first:last] = 1.0
    return share


def _spaced(snippet: str) -> str:
    return " ".join(snippet.split())


def _occurrences(text: str, snippet: str) -> list[int]:
    places, start = [], text.find(snippet) if snippet else -1
    while start >= 0:
        places.append(start)
        start = text.find(snippet, start + 1)
    return places


def _rows_at(starts: NDArray[np.int64], places: list[int], length: int) -> list[tuple[int, int]]:
    first = np.searchsorted(starts, places, side="right") - 1
    last = np.searchsorted(starts, np.asarray(places, dtype=np.int64) + length, side="left")
    return list(zip(first.tolist(), last.tolist(), strict=True))
