"""FIASCO (Bauer et al., WAC3 2007) and KrdWrd, its successor (Steger and Stemle, WAC5 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar, NamedTuple, Self

import numpy as np

from ...errors import GeometryMissing
from ...features.block_table import Table, column_names, measure
from ...features.papers.fiasco_columns import OUTLINES, STRUCTURE, TEXT
from ...lexicon.words import words
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import leaf_blocks
from ...segment.targets import target_nodes
from ..system import Card, card_of
from .learning.kernel_svm import MOST_ROWS, KernelSvm, fit_kernel, kernel_of
from .learning.trainable import LabelledPage, Learned, TrainedSystem
from .linear_page import leaf_words

#: Its features: all of the paper except parts of speech.
COLUMNS = (*TEXT.columns, *STRUCTURE.columns, *OUTLINES.columns)
NAMES = tuple(column.name for column in COLUMNS)
#: Least Dice overlap with a gold paragraph of a clean target node.
LEAST_DICE = 0.5
#: Target nodes for fitting, of about a hundred thousand: with fewer, the grid search is not stable.
ROWS = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fiasco(TrainedSystem):
    """An SVM with probability output over linguistic, structural and visual features of target nodes.

    It uses the columns of the paper (:mod:`~blocksight.features.papers.fiasco_columns`). Ours: no parts of speech,
    since a tagger is bound to one language; logarithms of unbounded columns. A target node is clean in training if the
    Dice overlap of its words with a gold paragraph is at least a half (ours), with lines of a wrapped paragraph joined
    (:func:`~blocksight.gold.leaf_labels.dice_shares`). Text without layout is never content.
    """

    #: Least share of a target node's text in its own text children: all of it in the slides, a tenth in the successor.
    #: It is a setting of the model: train again to change it.
    share: float = 0.10
    threshold: float = 0.5  # least probability of a clean target node
    seed: int = 0  # of the training sample
    model_name: ClassVar[str] = "fiasco"
    card: ClassVar[Card] = card_of("fiasco")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit on the target nodes of labelled pages that are rendered."""
        svm = _fit([_example(labelled, self.share) for labelled in pages], most_rows=ROWS, seed=self.seed)
        settings = {"share": self.share, "columns": list(NAMES)}
        return replace(self, model=Learned(system=self.model_name, arrays=svm.arrays(), settings=settings))

    def mark(self, page: Page) -> Marks:
        """Mark the text of the clean target nodes."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        learned = self.learned
        learned.check_columns(NAMES)
        table = measured(page, learned.number("share"))
        laid_out = table.rows.outlines.lines > 0
        clean = np.zeros(len(table) + 1, dtype=bool)
        if laid_out.any():
            matrix = logarithms(table)[laid_out]
            clean[:-1][laid_out] = kernel_of(learned, len(COLUMNS)).probability(matrix) >= self.threshold
        marks: Marks = clean[table.rows.leaf_row] & ~invisible_leaves(page)
        return marks


def measured(page: Page, share: float) -> Table:
    """Compute :data:`COLUMNS` of the target nodes of a rendered page."""
    return measure(page, target_nodes(page, share=share), columns=NAMES)


def logarithms(table: Table) -> FloatArray:
    """Return the columns with logarithms of the unbounded ones, float64 (rows, columns)."""
    unbounded = np.asarray([column.high == inf for column in COLUMNS])
    matrix = table.matrix(NAMES)
    matrix[:, unbounded] = np.log1p(matrix[:, unbounded])
    return matrix


class _Example(NamedTuple):
    matrix: FloatArray
    labels: Marks
    words: FloatArray
    site: str


def _example(labelled: LabelledPage, share: float) -> _Example:
    table = measured(labelled.page, share)
    rows, laid_out = table.rows, table.rows.outlines.lines > 0
    clean = np.nan_to_num(dice_shares(rows.texts, labelled.gold)) >= LEAST_DICE
    return _Example(logarithms(table)[laid_out], clean[laid_out], rows.words[laid_out], labelled.site)


def _text_nodes(labelled: LabelledPage) -> _Example:
    matrix, laid_out = geometry_of(labelled.page)
    words = leaf_words(labelled.page)[laid_out]
    return _Example(matrix[laid_out], labelled.marks[laid_out], words, labelled.site)


def _fit(examples: list[_Example], *, most_rows: int = MOST_ROWS, seed: int) -> KernelSvm:
    if not examples:
        raise ValueError("a support vector machine needs pages for training")
    matrices, labels, sizes, sites = zip(*examples, strict=True)
    site_of_row = np.repeat(sites, [*map(len, labels)]).tolist()
    rows, truth, words = (np.concatenate(parts) for parts in (matrices, labels, sizes))
    return fit_kernel(rows, truth, site_of_row, words, most_rows=most_rows, seed=seed)


# -- KrdWrd ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Krdwrd(TrainedSystem):
    """An SVM with an RBF kernel over the geometry of each text node; its text is not used.

    It uses the columns of the paper (:mod:`~blocksight.features.papers.krdwrd_columns`). Ours: fitting on a
    sample of nodes, scaling between percentiles, grid search by the correctly labelled words on held-out sites. Text
    without a rendered line is never content.
    """

    seed: int = 0  # of the training sample
    model_name: ClassVar[str] = "krdwrd"
    card: ClassVar[Card] = card_of("krdwrd")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit on the text nodes of labelled pages that are rendered."""
        svm = _fit([_text_nodes(labelled) for labelled in pages], seed=self.seed)
        return replace(self, model=Learned(system=self.model_name, arrays=svm.arrays()))

    def mark(self, page: Page) -> Marks:
        """Mark the text nodes that the support vector machine classifies as content."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        marks = np.zeros(len(page.leaves), dtype=bool)
        matrix, laid_out = geometry_of(page)
        if laid_out.any():
            svm = kernel_of(self.learned, len(column_names("krdwrd")))
            marks[laid_out] = svm.decision(matrix[laid_out]) > 0
        return marks


def geometry_of(page: Page) -> tuple[FloatArray, BoolColumn]:
    """Return the features of each text node, float64 (leaves, 8), and which of them have layout and are visible."""
    matrix = measure(page, leaf_blocks(page), groups=("krdwrd",)).matrix(column_names("krdwrd"))
    return matrix, np.isfinite(matrix).all(axis=1) & ~invisible_leaves(page)


def dice_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return each text's largest Dice overlap of words with a paragraph of the gold, NaN without words.

    FIASCO (Bauer et al., WAC3 2007): ``2 · |common words| / (|words of the text| + |words of the paragraph|)``, of
    multisets of words. A paragraph is a line of the gold; as lines may be wrapped, adjacent ones are joined to it as
    long as the overlap grows (our addition).
    """
    lines = [Counter(words(line)) for line in gold.splitlines()]
    postings: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        for word in line:
            postings[word].append(index)
    rows = (Counter(words(text)) for text in texts)
    return np.asarray([_best_dice(row, lines, postings) if row else np.nan for row in rows], dtype=np.float64)


def _best_dice(row: Counter[str], lines: list[Counter[str]], postings: dict[str, list[int]]) -> float:
    common = Counter(index for word in row for index in postings.get(word, ()))
    if not common:
        return 0.0
    # The best line by Dice is among those with most distinct words in common.
    dice, start = max((_dice(row, lines[index]), index) for index, _ in common.most_common(5))
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
