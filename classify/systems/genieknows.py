"""GenieKnows: the importance of blocks as a weighted sum, and of their neighbours' (WAC3 2007)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import GeometryMissing
from ...features.block_table import Table, measure
from ...features.papers.genieknows_columns import PREFIX, SAME_PIXELS
from ...page.arrays import FloatArray, Marks
from ...page.page import Page
from ...segment.blocks import Blocks, text_blocks, visible_blocks
from ..system import Card, Segment, SegmentKind
from .reading.kinds import LISTS, MarkedLine, kinds_by_tag, marked_lines

#: CSS font weights from here on are bold.
BOLD = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class GenieKnows:
    """Blocks of little importance are removed (GenieKnows Web Page cleaning system, CleanEval 73.6 %).

    A block's importance is a weighted sum of the paper's columns
    (:mod:`~blocksight.features.papers.genieknows_columns`): place, font size, amount of text, of links and of
    sentences relative to the document, links by text, forms and images, distance, offset and width. Then it is drawn
    towards the importance of blocks near it, the more the nearer they are and if they begin at the same left edge and
    are equally wide.

    In the spirit of the source, of which a summary is known. Ours: the weights, a least-squares fit on training pages,
    rounded; how neighbours draw; and that blocks are paragraphs. The source's are neither too long nor too short, as
    those of :func:`~blocksight.segment.semantic.semantic_blocks` are, which may be given as ``segment``: with them
    word-bag F1 is .860 over 165 pages of three corpora, with paragraphs .872.

    Parameters
    ----------
    least_importance : float
        Blocks below go.
    position, font_size, text_length, link_count, link_text, sentences, has_form, has_image : float
        Weights of what a block is.
    distance, offset, same_width : float
        Weights of how it stands to others.
    relation : float
        Weight of the neighbours' importance against the block's own, 0 to 1.
    reach : int
        This many blocks before and behind are neighbours.
    other_edge, other_width : float
        What is left of a neighbour's influence if its left edge, or its width, is not the same.
    segment : callable
        Cuts the page into blocks.
    """

    least_importance: float = 0.1
    position: float = 0.003
    font_size: float = 0.007
    text_length: float = 1.45
    link_count: float = -1.42
    link_text: float = -0.54
    sentences: float = 2.15
    has_form: float = -0.33
    has_image: float = -0.08
    distance: float = -0.58
    offset: float = -0.49
    same_width: float = 0.68
    relation: float = 0.5
    reach: int = 5
    other_edge: float = 0.5
    other_width: float = 0.5
    segment: Callable[[Page], Blocks] = text_blocks
    card: ClassVar[Card] = Card(
        name="genieknows",
        title="blocks by importance, a weighted sum of place, font, text, links and neighbours",
        paper="Gao, Abou-Assaleh: GenieKnows Web Page Cleaning System (WAC3)",
        year=2007,
        visual=True,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark the blocks of some importance.

        Raises
        ------
        GeometryMissing
            When no browser has seen the page.
        """
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        table = self.measured(page)
        marks: Marks = np.append(self.importance(table) >= self.least_importance, False)[table.rows.leaf_row]
        return marks

    def segments(self, page: Page) -> list[Segment]:
        """Return the content as headings, paragraphs and items.

        As the source says: ``<h1>`` to ``<h6>`` are headings, and so is a paragraph in bold type; a table's item is a
        list's; a list's end begins a paragraph, even within an item of another list.
        """
        lines = marked_lines(page, self.mark(page))
        kinds = kinds_by_tag(page, [line.node for line in lines])
        lists = page.nearest(page.has_tag(*LISTS))[[line.node for line in lines]].tolist()
        for place, (line, before) in enumerate(zip(lines, [-1, *lists], strict=False)):
            # The list before it stands in the same element, and has ended.
            if kinds[place] is SegmentKind.ITEM and line.node < before < page.end[line.node]:
                kinds[place] = SegmentKind.PARAGRAPH
            if kinds[place] is SegmentKind.PARAGRAPH and _is_bold(page, line):
                kinds[place] = SegmentKind.HEADING
        return [Segment(kind=kind, text=line.text) for line, kind in zip(lines, kinds, strict=True)]

    def measured(self, page: Page) -> Table:
        """Measure the blocks of a page, without the text that nobody sees."""
        return measure(page, visible_blocks(page, self.segment(page)), groups=("genieknows",))

    def importance(self, table: Table) -> FloatArray:
        """float64 (rows,): importance of each block that holds text."""
        own = np.zeros(len(table))
        for name, column in table.columns.items():
            own += getattr(self, name.removeprefix(PREFIX)) * np.nan_to_num(column)
        return (1 - self.relation) * own + self.relation * self.drawn(own, table.rows.box.astype(np.float64))

    def drawn(self, own: FloatArray, box: FloatArray) -> FloatArray:
        """float64 (rows,): mean importance of the blocks near each one, its own where it has none.

        Parameters
        ----------
        own : float64 (rows,)
        box : float64 (rows, 4)
            ``[x, y, width, height]`` in CSS pixels.
        """
        drawn, total = np.zeros(len(own)), np.zeros(len(own))
        for step in range(1, min(self.reach, len(own) - 1) + 1):
            pull = np.nan_to_num(self._pull(box[:-step], box[step:]))
            for here, there in ((slice(step, None), slice(None, -step)), (slice(None, -step), slice(step, None))):
                drawn[here] += pull * own[there]
                total[here] += pull
        return np.where(total > 0, drawn / np.where(total > 0, total, 1.0), own)

    def _pull(self, upper: FloatArray, lower: FloatArray) -> FloatArray:
        """Influence of boxes on each other: 1 if they touch, half of it a line of 16 pixels apart, and so on."""
        gap = np.maximum(
            np.maximum(upper[:, 1], lower[:, 1]) - np.minimum(upper[:, 1] + upper[:, 3], lower[:, 1] + lower[:, 3]), 0
        )
        edge = np.where(np.abs(upper[:, 0] - lower[:, 0]) <= SAME_PIXELS, 1.0, self.other_edge)
        width = np.where(np.abs(upper[:, 2] - lower[:, 2]) <= SAME_PIXELS, 1.0, self.other_width)
        pull: FloatArray = edge * width / (1 + gap / 16)
        return pull


def _is_bold(page: Page, line: MarkedLine) -> bool:
    """Return whether all marked text of a line is set in bold type."""
    assert page.geometry is not None
    return bool((page.geometry.font_weight[page.leaves[list(line.leaves)]] >= BOLD).all())
