"""Victor: web page cleaning with conditional random fields (Marek, Pecina and Spousta, WAC3 2007)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...features.block_table import Table, measure
from ...features.columns import Column
from ...features.papers.victor_columns import COLUMNS, PREFIX
from ...page.arrays import FloatArray, IntColumn, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import leaf_blocks, text_blocks, visible_blocks
from ..system import Card, card_of
from .learning.trainable import LabelledPage, Learned, TrainedSystem

#: Weights of the two regularisations and steps of L-BFGS (ours; the paper used CRF++).
L1, L2 = 0.1, 0.1
STEPS = 120
#: Number of blocks before and after whose features are used.
WINDOW = 3
#: Prefix of the columns of the whole page.
_DOCUMENT = f"{PREFIX}document_"
#: Columns left out in the best of the authors' settings (75.15 %, with all columns 73.92 %).
LEFT_OUT = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "div_group_word_ratio", "td_group_word_ratio", "token_num_abs", "token_mix_abs", "token_other_abs",
        "regexp_url", "document_word_count",
    )
)  # fmt: skip
USED = tuple(column for column in COLUMNS if column.name not in LEFT_OUT)


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

    It uses the columns of the paper (:mod:`~blocksight.features.papers.victor_columns`) for each block and its
    neighbours, as strings of column and bucket. Ours: the buckets (shares by tenths, counts by powers of two, other
    values unchanged, zeros omitted) and the regularisation; in training, the first content block of a paragraph is a
    heading inside h1 to h6, an item inside a list item, else a paragraph, since gold texts seldom have such labels.
    """

    model_name: ClassVar[str] = "victor"
    card: ClassVar[Card] = card_of("victor")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit the field on labelled pages; a few hundred are enough, and each needs about a megabyte of memory."""
        rows = (
            (features(item.page, USED), [str(label) for label in gold_labels(item.page, item.marks)]) for item in pages
        )
        field = train_field(
            (pair for pair in rows if pair[0]), [str(label) for label in Label], l1=L1, l2=L2, steps=STEPS
        )
        settings = {"columns": [column.name for column in USED]}
        return replace(self, model=Learned(system=self.model_name, arrays=field.arrays(), settings=settings))

    def labels(self, page: Page) -> list[Label]:
        """Return the label of each visible text leaf (:func:`visible_leaves`)."""
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
    starts = np.zeros(len(paragraph), dtype=bool)
    marked = np.flatnonzero(marks)
    starts[marked[np.diff(paragraph[marked], prepend=-1) != 0]] = True
    return starts


@lru_cache(maxsize=8)
def _field(learned: Learned) -> Field:
    return Field.of(learned, len(Label))


def visible_leaves(page: Page) -> IntColumn:
    """Return the blocks: indices of the visible text leaves."""
    return np.flatnonzero(~invisible_leaves(page)).astype(np.int32)


def measured(page: Page) -> Table:
    """Compute the columns of the paper for each visible text leaf of a page."""
    return measure(page, visible_blocks(page, leaf_blocks(page)), groups=("victor",))


def features(page: Page, columns: Sequence[Column]) -> list[list[str]]:
    """Return the features of each visible leaf as strings, those of its neighbours prefixed with their distance."""
    table = measured(page)
    own = _strings(table, [column for column in columns if not column.name.startswith(_DOCUMENT)])
    whole = _strings(table, [column for column in columns if column.name.startswith(_DOCUMENT)])
    strings = []
    for at, row in enumerate(whole):
        for distance in range(max(-WINDOW, -at), min(WINDOW, len(own) - 1 - at) + 1):
            row += [_at(distance, name) for name in own[at + distance]]
        strings.append(row)
    return strings


def bucket(values: FloatArray, column: Column) -> list[int]:
    """Return the bucket of each value: shares by tenths rounded up, counts 0, 1, 2-3, 4-7 ..."""
    if column.unit == "share":
        # Rounding errors must not change the bucket.
        return [int(value) for value in np.ceil(np.round(10 * values, 6))]
    whole = [int(value) for value in values]
    return [value.bit_length() for value in whole] if column.high == np.inf else whole


def _strings(table: Table, columns: list[Column]) -> list[list[str]]:
    strings: list[list[str]] = [[] for _ in range(len(table))]
    for column in columns:
        name = column.name.removeprefix(PREFIX)
        for row, value in zip(strings, bucket(table.columns[column.name], column), strict=True):
            if value:
                row.append(f"{name}={value}")
    return strings


@lru_cache(maxsize=1 << 14)
def _at(distance: int, name: str) -> str:
    return f"{distance}:{name}"


# -- the conditional random field: trained with CRFsuite, evaluated with NumPy ----------------------------------------

# CRFsuite does not validate its model files, so that a crafted one crashes the process. Therefore a model stores the
# weights, and CRFsuite is used only for training.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """Weights of a random field."""

    names: Mapping[str, int]  # row of each feature in ``state``
    #: float64 (features, labels): weights of the features.
    state: FloatArray
    #: float64 (labels, labels): weights of the transitions ``[previous, next]``.
    moves: FloatArray

    @classmethod
    def of(cls, learned: Learned, labels: int) -> Field:
        """Read the arrays written by :meth:`arrays`; ModelMismatch if they are not valid."""
        state = learned.array("state", (None, labels), kind="f").astype(np.float64)
        moves = learned.array("moves", (labels, labels), kind="f").astype(np.float64)
        try:
            names = learned.array("names", (None,), kind="u").astype(np.uint8).tobytes().decode().split("\n")
        except UnicodeDecodeError as error:
            raise learned.damaged("names") from error
        if len(names) != len(state) or len(set(names)) != len(names):
            raise learned.damaged("names")
        return cls(names={name: row for row, name in enumerate(names)}, state=state, moves=moves)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a model."""
        names = np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8)
        return {"names": names, "state": self.state.astype(np.float32), "moves": self.moves.astype(np.float32)}

    def tag(self, rows: Sequence[Sequence[str]]) -> list[int]:
        """Return the most likely sequence of labels for blocks with these features (Viterbi).

        Unknown features are ignored; of equally likely labels the first is returned.
        """
        if not rows:
            return []
        best, *others = self._emissions(rows)
        pointers = []
        for scores in others:
            paths = best[:, None] + self.moves
            pointers.append(paths.argmax(axis=0))
            best = paths.max(axis=0) + scores
        label = int(best.argmax())
        labels = [label]
        for before in reversed(pointers):
            label = int(before[label])
            labels.append(label)
        return labels[::-1]

    def _emissions(self, rows: Sequence[Sequence[str]]) -> FloatArray:
        """Return the sum of the weights of each row's features, float64 (rows, labels)."""
        known = [[self.names[name] for name in row if name in self.names] for row in rows]
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in known])
        feature = np.fromiter(chain.from_iterable(known), dtype=np.int64, count=len(owner))
        emissions = np.zeros((len(rows), self.state.shape[1]))
        for label in range(emissions.shape[1]):
            emissions[:, label] = np.bincount(owner, weights=self.state[feature, label], minlength=len(rows))
        return emissions


def train_field(
    sequences: Iterable[tuple[list[list[str]], list[str]]], labels: Sequence[str], *, l1: float, l2: float, steps: int
) -> Field:
    """Fit a field to sequences of features and labels by L-BFGS with two regularisations and at most ``steps``."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": l1, "c2": l2, "max_iterations": steps})
    for rows, row_labels in sequences:
        trainer.append(rows, row_labels)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(file))
        info = tagger.info()
        tagger.close()
    return _field_of(info.state_features, info.transitions, labels)


def _field_of(
    state_features: Mapping[tuple[str, str], float], transitions: Mapping[tuple[str, str], float], labels: Sequence[str]
) -> Field:
    column = {label: number for number, label in enumerate(labels)}
    names = {name: row for row, name in enumerate(sorted({name for name, _ in state_features}))}
    state, moves = np.zeros((len(names), len(labels))), np.zeros((len(labels), len(labels)))
    for (name, label), weight in state_features.items():
        state[names[name], column[label]] = weight
    for (previous, following), weight in transitions.items():
        moves[column[previous], column[following]] = weight
    return Field(names=names, state=state, moves=moves)
