"""Victor: web page cleaning with conditional random fields (Marek, Pecina and Spousta, WAC3 2007)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np

from ....features.papers.victor_columns import COLUMNS
from ....page.arrays import IntColumn, Marks
from ....page.page import Page
from ....segment.blocks import text_blocks
from ...system import Card, Segment, SegmentKind
from ..learning.trainable import LabelledPage, Learned, TrainedSystem
from .field import Field, train
from .victor_features import SETTINGS, columns_of, features, visible_leaves

#: Weights of the two regularisations and steps of L-BFGS (ours; the paper used CRF++).
L1, L2 = 0.1, 0.1
STEPS = 120


class Label(StrEnum):
    """The label of a block: the first one of a heading, a paragraph or a list item, a further one, or no content."""

    HEADING = "h"
    PARAGRAPH = "p"
    ITEM = "l"
    CONTINUATION = "continuation"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Victor(TrainedSystem):
    """A linear-chain CRF that labels the text runs between tags.

    It uses the columns of the paper (:mod:`~blocksight.features.papers.victor_columns`). Ours: their buckets
    (:mod:`~blocksight.classify.systems.victor.victor_features`) and regularisation; in training, the first
    content block of a paragraph is a heading inside h1 to h6, an item inside a list item, else a paragraph, since gold
    texts seldom have such labels.
    """

    #: The features: "all", "without-counts" (no word ratios, no absolute numbers of numeric, mixed and other tokens) or
    #: "without-url" (also no URLs and no document word count, the authors' best).
    setting: str = "without-url"
    card: ClassVar[Card] = Card(
        name="victor",
        title="conditional random field over text runs, with headings, paragraphs and lists",
        paper="Marek, Pecina, Spousta: Web Page Cleaning with Conditional Random Fields (WAC3, CleanEval's winner)",
        year=2007,
        trained=True,
    )

    def __post_init__(self) -> None:
        if self.setting not in SETTINGS:
            raise ValueError(f"setting must be one of {', '.join(SETTINGS)}, not {self.setting!r}")

    @property
    def model_name(self) -> str:
        """The file name of the shipped model, one for each setting."""
        return "victor" if self.setting == "without-url" else f"victor-{self.setting}"

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit the field on labelled pages; a few hundred are enough, and each needs about a megabyte of memory."""
        columns = columns_of(self.setting)
        rows = (
            (features(item.page, columns), [str(label) for label in gold_labels(item.page, item.marks)])
            for item in pages
        )
        field = train((pair for pair in rows if pair[0]), [str(label) for label in Label], l1=L1, l2=L2, steps=STEPS)
        settings = {"setting": self.setting, "columns": [column.name for column in columns]}
        return replace(self, model=Learned(system=self.model_name, arrays=field.arrays(), settings=settings))

    def labels(self, page: Page) -> list[Label]:
        """Return the label of each visible text leaf (:func:`.features.visible_leaves`)."""
        learned = self.learned
        # A model remains valid if columns are added.
        named = learned.setting("columns")
        columns = [column for column in COLUMNS if isinstance(named, list) and column.name in named]
        learned.check_columns([column.name for column in columns])
        labels = list(Label)
        return [labels[number] for number in _field(learned).tag(features(page, columns))]

    def mark(self, page: Page) -> Marks:
        """Mark the blocks of all labels but "other"."""
        marks = np.zeros(len(page.leaves), dtype=bool)
        marks[visible_leaves(page)] = [label != Label.OTHER for label in self.labels(page)]
        return marks

    def segments(self, page: Page) -> list[Segment]:
        """Return the content as headings, paragraphs and list items, for CleanEval's text-and-markup score."""
        parts: list[tuple[Label, list[str]]] = []
        opened = False
        for leaf, label in zip(visible_leaves(page).tolist(), self.labels(page), strict=True):
            text = page.leaf_texts[leaf]
            if label == Label.CONTINUATION and opened:
                parts[-1][1].append(text)
            elif label != Label.OTHER:
                # A continuation without a start is a paragraph.
                parts.append((Label.PARAGRAPH if label == Label.CONTINUATION else label, [text]))
            opened = label != Label.OTHER
        return [Segment(kind=SegmentKind(label), text=" ".join("".join(texts).split())) for label, texts in parts]


def gold_labels(page: Page, marks: Marks) -> list[Label]:
    """Return labels from marks and the elements around each block."""
    leaves = visible_leaves(page)
    rows = page.leaves[leaves]
    heading = page.below(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6"))[rows]
    item = page.below(page.has_tag("li", "dt", "dd"))[rows]
    starts = _paragraph_starts(text_blocks(page).leaf_block[leaves], marks[leaves])
    labels = np.where(heading, Label.HEADING, np.where(item, Label.ITEM, Label.PARAGRAPH)).astype(object)
    labels[~starts] = Label.CONTINUATION
    labels[~marks[leaves]] = Label.OTHER
    return [Label(label) for label in labels.tolist()]


def _paragraph_starts(paragraph: IntColumn, marks: Marks) -> Marks:
    """Return which marked blocks are the first marked ones of their paragraph."""
    starts = np.zeros(len(paragraph), dtype=bool)
    marked = np.flatnonzero(marks)
    starts[marked[np.diff(paragraph[marked], prepend=-1) != 0]] = True
    return starts


@lru_cache(maxsize=8)
def _field(learned: Learned) -> Field:
    return Field.of(learned, len(Label))
