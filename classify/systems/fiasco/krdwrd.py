"""KrdWrd, FIASCO's successor (Steger and Stemle, WAC5 2009): text nodes by eight geometric features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ....errors import GeometryMissing
from ....features.block_table import column_names, measure
from ....page.arrays import BoolColumn, FloatArray, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ....segment.blocks import leaf_blocks
from ...system import Card
from ..learning.kernel_svm import fit_kernel, kernel_of
from ..learning.trainable import LabelledPage, Learned, TrainedSystem
from ..reading import leaf_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Krdwrd(TrainedSystem):
    """An SVM with an RBF kernel over the geometry of each text node; its text is not used.

    It uses the columns of the paper (:mod:`~blocksight.features.papers.krdwrd_columns`). Ours: fitting on a
    sample of nodes, scaling between percentiles, grid search by the correctly labelled words on held-out sites. Text
    without a rendered line is never content.
    """

    seed: int = 0  # of the training sample
    model_name: ClassVar[str] = "krdwrd"
    card: ClassVar[Card] = Card(
        name="krdwrd",
        title="SVM over eight geometry features of each text node",
        paper="Steger, Stemle: KrdWrd, architecture for unified processing of web content (WAC5)",
        year=2009,
        visual=True,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit on the text nodes of labelled pages that are rendered."""
        matrices, labels, sizes, sites = [np.zeros((0, 8))], [np.zeros(0, dtype=bool)], [np.zeros(0)], []
        for labelled in pages:
            matrix, laid_out = geometry_of(labelled.page)
            matrices.append(matrix[laid_out])
            labels.append(labelled.marks[laid_out])
            sizes.append(leaf_words(labelled.page)[laid_out])
            sites += [labelled.site] * int(laid_out.sum())
        svm = fit_kernel(np.concatenate(matrices), np.concatenate(labels), sites, np.concatenate(sizes), seed=self.seed)
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
