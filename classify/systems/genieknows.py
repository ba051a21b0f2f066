"""GenieKnows: the importance of blocks as a weighted sum, and of their neighbours' (WAC3 2007)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...features.rows import Rows
from ...features.rows import rows_of as made_rows
from ...features.words import count_sentences
from ...render.arrays import BoolColumn, FloatArray, Marks
from ...render.errors import GeometryMissing
from ...render.page import Geometry, Page
from ...render.visibility import concealed
from ...segment.blocks import Blocks, leaf_boxes, text_blocks
from ..system import Card

_FORM = ("form", "input", "select", "textarea", "button")
_IMAGE = ("img", "svg", "picture", "canvas")
#: Left edges and widths are the same if they differ by no more, in CSS pixels.
_SAME = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GenieKnows:
    """Blocks of little importance are removed (GenieKnows Web Page cleaning system, CleanEval 73.6 %).

    A block's importance is the weighted sum of its features: place on the page, font size, amount of text, of links and
    of sentences relative to the document, links by text, forms and images. Then it is drawn towards the importance of
    blocks near it, the more the nearer they are and if they begin at the same left edge and are equally wide.

    In the spirit of the source, of which a summary is known: the features are its, their forms (see
    :func:`block_features`) and all numbers are ours; the weights are a least-squares fit on training pages, rounded.

    Parameters
    ----------
    least_importance : float
        Blocks below go.
    place, height, font, length, links, link_share, sentences, form, image : float
        Weights of the features.
    relation : float
        Weight of the neighbours' importance against the block's own, 0 to 1.
    reach : int
        So many blocks before and behind are neighbours.
    other_edge, other_width : float
        What is left of a neighbour's influence if its left edge, or its width, is not the same.
    segment : callable
        Cuts the page into blocks.
    """

    least_importance: float = 0.35
    place: float = 0.2
    height: float = 0.3
    font: float = 0.1
    length: float = 0.4
    links: float = -0.1
    link_share: float = -0.4
    sentences: float = 0.1
    form: float = -0.2
    image: float = -0.1
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
        counts = made_rows(page, self.segment(page))
        important = self.importance(counts, page.geometry) >= self.least_importance
        marks: Marks = np.append(important, False)[counts.leaf_row] & ~concealed(page)
        return marks

    def importance(self, counts: Rows, geometry: Geometry) -> FloatArray:
        """float64 (rows,): importance of each block that holds text."""
        own = np.zeros(len(counts))
        for name, column in block_features(counts, geometry).items():
            own += getattr(self, name) * column
        return (1 - self.relation) * own + self.relation * self._neighbours(counts, own)

    def _neighbours(self, counts: Rows, own: FloatArray) -> FloatArray:
        """Mean importance of the blocks near each one, its own where it has none."""
        box = leaf_boxes(counts.page, counts.leaf_row, len(counts)).astype(np.float64)
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
        edge = np.where(np.abs(upper[:, 0] - lower[:, 0]) <= _SAME, 1.0, self.other_edge)
        width = np.where(np.abs(upper[:, 2] - lower[:, 2]) <= _SAME, 1.0, self.other_width)
        pull: FloatArray = edge * width / (1 + gap / 16)
        return pull


def block_features(counts: Rows, geometry: Geometry) -> dict[str, FloatArray]:
    """Return the features of blocks that hold text, float64 (rows,) each, 0 to 1 unless said otherwise.

    ``place``: nearness of the middle to the page's vertical axis; ``height``: how far up it begins; ``font``: size
    relative to the mean of the text, at most 2; ``length`` (in words), ``sentences``, ``links``: relative to the block
    with most; ``link_share``: share of its words in links; ``form``, ``image``: 1 if the block's element holds one.
    """
    page = counts.page
    box = leaf_boxes(page, counts.leaf_row, len(counts)).astype(np.float64)
    middle = (box[:, 0] + box[:, 2] / 2) / max(geometry.size[0] / 2, 1.0)
    seen = counts.leaf_words * ~concealed(page)
    said, linked = counts.summed(seen), counts.summed(seen * counts.leaf_linked)
    ends = np.asarray([count_sentences(text) for text in page.leaf_texts], dtype=np.float64)
    features = {
        "place": np.clip(1 - np.abs(middle - 1), 0, 1),
        "height": np.clip(1 - box[:, 1] / max(geometry.size[1], 1.0), 0, 1),
        "font": np.minimum(_fonts(counts, geometry, seen), 2.0),
        "length": _relative(said),
        "links": _relative(_below(counts, page.has_tag("a"))),
        "link_share": linked / np.maximum(said, 1.0),
        "sentences": _relative(counts.summed(ends * (seen > 0))),
        "form": np.minimum(_below(counts, page.has_tag(*_FORM)), 1),
        "image": np.minimum(_below(counts, page.has_tag(*_IMAGE)), 1),
    }
    return {name: np.nan_to_num(column) for name, column in features.items()}


def _fonts(counts: Rows, geometry: Geometry, seen: FloatArray) -> FloatArray:
    """Mean font size of each block's words, relative to the page's."""
    size = geometry.font_size[counts.page.leaves].astype(np.float64)
    said = counts.summed(seen)
    mean = counts.summed(seen * size) / np.maximum(said, 1e-9)
    usual = float((seen * size).sum()) / max(float(seen.sum()), 1e-9)
    return np.where(said > 0, mean / max(usual, 1e-9), 0.0)


def _below(counts: Rows, marked: BoolColumn) -> FloatArray:
    """Marked nodes among and below each block's element."""
    return (counts.page.count_below(marked) + marked)[counts.node]


def _relative(column: FloatArray) -> FloatArray:
    return column / max(float(column.max(initial=0.0)), 1.0)
