"""FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück (Bauer et al., WAC3 2007)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import ClassVar, Self

import numpy as np

from ....errors import GeometryMissing
from ....features.block_table import Table, measure
from ....features.papers.fiasco_columns import OUTLINES, STRUCTURE, TEXT
from ....gold.leaf_labels import dice_shares
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ....segment.targets import target_nodes
from ...system import Card
from ..learning.kernel_svm import KernelSvm, fit_kernel, kernel_of
from ..learning.trainable import LabelledPage, Learned, shipped

#: What it looks at: all that the paper names but the parts of speech.
COLUMNS = (*TEXT.columns, *STRUCTURE.columns, *OUTLINES.columns)
NAMES = tuple(column.name for column in COLUMNS)
#: Dice overlap with a gold paragraph from which on a target node is clean.
LEAST_DICE = 0.5
#: Target nodes to fit on: of fewer, a hundred thousand being there, chance chooses penalty and width of the kernel.
ROWS = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fiasco:
    """An SVM with probability output over linguistic, structural and visual features of target nodes.

    It judges by the columns of the paper (:mod:`~blocksight.features.papers.fiasco_columns`). Ours: parts of speech
    are left out, since a tagger knows one language; what has no upper bound enters by its logarithm. A target node is
    clean in training if the Dice overlap of its words with a gold paragraph is a half at least (ours), lines of a
    wrapped paragraph being joined (:func:`~blocksight.gold.leaf_labels.dice_shares`). Text that is not laid out is
    never content.

    Parameters
    ----------
    model : Learned, optional
        Instead of the one that comes with the program.
    share : float
        Of a target node's text in its own text children, at least; the slides ask for all of it, the successor for a
        tenth. It belongs to the model: learn anew to change it.
    threshold : float
        Probability from which on a target node is clean.
    seed : int
        Of the sample that it is fitted on.
    """

    model: Learned | None = None
    share: float = 0.10
    threshold: float = 0.5
    seed: int = 0
    model_name: ClassVar[str] = "fiasco"
    card: ClassVar[Card] = Card(
        name="fiasco",
        title="SVM over linguistic, structural and visual features of target nodes",
        paper="Bauer et al.: FIASCO, Filtering the Internet by Automatic Subtree Classification (WAC3)",
        year=2007,
        visual=True,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit on the target nodes of labelled pages that are rendered."""
        examples = [_example(labelled, self.share) for labelled in pages]
        if not examples:
            raise ValueError("fiasco needs pages to learn from")
        svm = fit_kernel(
            np.concatenate([one.matrix for one in examples]),
            np.concatenate([one.labels for one in examples]),
            [one.site for one in examples for _ in range(len(one.labels))],
            np.concatenate([one.words for one in examples]),
            most_rows=ROWS,
            seed=self.seed,
        )
        settings = {"share": self.share, "columns": list(NAMES)}
        return replace(self, model=Learned(system=self.model_name, arrays=svm.arrays(), settings=settings))

    def mark(self, page: Page) -> Marks:
        """Mark the text of the target nodes that are clean."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        learned = self.model or shipped(self.model_name)
        learned.check_columns(NAMES)
        table = measured(page, learned.number("share"))
        laid_out = _laid_out(table)
        clean = np.zeros(len(table) + 1, dtype=bool)
        if laid_out.any():
            matrix = logarithms(table)[laid_out]
            clean[:-1][laid_out] = _svm(learned).probability(matrix) >= self.threshold
        marks: Marks = clean[table.rows.leaf_row] & ~invisible_leaves(page)
        return marks


def measured(page: Page, share: float) -> Table:
    """Measure the target nodes of a rendered page: :data:`COLUMNS` of each."""
    return measure(page, target_nodes(page, share=share), columns=NAMES)


def logarithms(table: Table) -> FloatArray:
    """float64 (rows, columns): the columns as they enter the machine."""
    unbounded = np.asarray([column.high == inf for column in COLUMNS])
    matrix = table.matrix(NAMES)
    matrix[:, unbounded] = np.log1p(matrix[:, unbounded])
    return matrix


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Example:
    """The target nodes of a page that are laid out: what is seen of each, whether it is clean, and its words."""

    matrix: FloatArray
    labels: Marks
    words: FloatArray
    site: str


def _example(labelled: LabelledPage, share: float) -> _Example:
    table = measured(labelled.page, share)
    rows, laid_out = table.rows, _laid_out(table)
    clean = np.nan_to_num(dice_shares(rows.texts, labelled.gold)) >= LEAST_DICE
    return _Example(
        matrix=logarithms(table)[laid_out], labels=clean[laid_out], words=rows.words[laid_out], site=labelled.site
    )


def _laid_out(table: Table) -> Marks:
    seen: Marks = table.rows.outlines.lines > 0
    return seen


@lru_cache(maxsize=8)
def _svm(learned: Learned) -> KernelSvm:
    return kernel_of(learned, len(COLUMNS))
