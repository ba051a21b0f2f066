"""GenieKnows: the importance of a block as a weighted sum over itself and its neighbours (WAC3 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import GeometryMissing
from ...features.block_table import Table, measure
from ...features.papers.genieknows_columns import PREFIX, SAME_PIXELS
from ...page.arrays import FloatArray, Marks
from ...page.page import Page
from ...segment.blocks import text_blocks, visible_blocks
from ..system import Card, card_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GenieKnows:
    """Blocks of little importance are removed (GenieKnows Web Page cleaning system, CleanEval 73.6 %).

    A block's importance is a weighted sum of the paper's columns
    (:mod:`~blocksight.features.papers.genieknows_columns`): place, font size, amount of text, of links and of
    sentences relative to the document, links by text, forms and images, distance, offset and width. Then it is averaged
    with the importance of blocks near it, with larger weights for blocks that are nearer and that have the same left
    edge and width.

    In the spirit of the source, of which only a summary is available. Ours: the weights, a rounded least-squares fit on
    training pages, which gives the place (.003) and images almost no weight, and font size .11 at 16 pixels; the
    influence of neighbours; and that blocks are paragraphs. The source's are neither too long nor too short: with
    paragraphs joined to such a length word-bag F1 was .860 over 165 pages of three corpora, with paragraphs .872.
    """

    least_importance: float = 0.1  # blocks with less importance are removed
    #: position, font_size, text_length, link_count, link_text, sentences, has_form, has_image: Weights of a block's own
    #: columns.
    position: float = 0.003
    font_size: float = 0.007
    text_length: float = 1.45
    link_count: float = -1.42
    link_text: float = -0.54
    sentences: float = 2.15
    has_form: float = -0.33
    has_image: float = -0.08
    #: distance, offset, same_width: Weights of its relation to other blocks.
    distance: float = -0.58
    offset: float = -0.49
    same_width: float = 0.68
    #: Weight of the neighbours' importance against the block's own, 0 to 1.
    relation: float = 0.5
    reach: int = 5  # the number of blocks before and after that are neighbours
    #: other_edge, other_width: Factors of a neighbour's influence if its left edge, or its width, differs.
    other_edge: float = 0.5
    other_width: float = 0.5
    card: ClassVar[Card] = card_of("genieknows")

    def mark(self, page: Page) -> Marks:
        """Mark the important blocks; GeometryMissing for a page that is not rendered."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        table = self.measured(page)
        return np.append(self.importance(table) >= self.least_importance, False)[table.rows.leaf_row]

    def measured(self, page: Page) -> Table:
        """Measure the visible blocks of a page."""
        return measure(page, visible_blocks(page, text_blocks(page)), groups=("genieknows",))

    def importance(self, table: Table) -> FloatArray:
        """Return the importance of each block with text, float64 (rows,)."""
        own = np.zeros(len(table))
        for name, column in table.columns.items():
            own += getattr(self, name.removeprefix(PREFIX)) * np.nan_to_num(column)
        return (1 - self.relation) * own + self.relation * self.neighbour_importance(
            own, table.rows.box.astype(np.float64)
        )

    def neighbour_importance(self, own: FloatArray, box: FloatArray) -> FloatArray:
        """Return the weighted mean of ``own`` over the blocks near each one, float64 (rows,)."""
        mean, total = np.zeros(len(own)), np.zeros(len(own))
        for step in range(1, min(self.reach, len(own) - 1) + 1):
            influence = np.nan_to_num(self._influence(box[:-step], box[step:]))
            for here, there in ((slice(step, None), slice(None, -step)), (slice(None, -step), slice(step, None))):
                mean[here] += influence * own[there]
                total[here] += influence
        return np.where(total > 0, mean / np.where(total > 0, total, 1.0), own)

    def _influence(self, upper: FloatArray, lower: FloatArray) -> FloatArray:
        """Return the influence of boxes on each other: 1 if they touch, 1/2 at a distance of 16 pixels, and so on."""
        gap = np.maximum(
            np.maximum(upper[:, 1], lower[:, 1]) - np.minimum(upper[:, 1] + upper[:, 3], lower[:, 1] + lower[:, 3]), 0
        )
        edge = np.where(np.abs(upper[:, 0] - lower[:, 0]) <= SAME_PIXELS, 1.0, self.other_edge)
        width = np.where(np.abs(upper[:, 2] - lower[:, 2]) <= SAME_PIXELS, 1.0, self.other_width)
        influence: FloatArray = edge * width / (1 + gap / 16)
        return influence
