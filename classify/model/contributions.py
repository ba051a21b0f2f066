"""Why a model judged a block as it did: what each column added to the decision of its last look.

A linear support vector machine can say this exactly: its decision is the sum of the columns' standardised values times
their weights, and a number that is the same for all blocks. 0 is what a block adds that is like the mean of the blocks
learned from.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from ...features.block_table import CATALOGUE, Table
from ...features.columns import Column
from ...page.arrays import FloatArray, IntColumn
from .model import Model
from .svm import LinearSvm

#: Columns that are named for and against each block.
MOST = 3
#: What the columns of the second look say, by the beginnings of their names.
_AROUND = (
    ("first_score", "what the first look made of the block itself"),
    ("first_at", "what it made of a block near by"),
    ("first_mean", "what it made of the blocks around"),
    ("first_before", "what it made of the blocks before"),
    ("first_after", "what it made of the blocks behind"),
    ("first_up", "what it made of the elements around"),
    ("first_make", "what it made of the blocks that look the same"),
    ("first_stretch", "the stretch of content that the block stands in or near"),
    ("first_tree", "the part of the tree with content that the block stands in or near"),
    ("first_mass", "how much of the content stands before"),
    ("first_page", "what it made of the page"),
    ("first_rank", "how many blocks of the page it found less likely"),
    ("first_vips", "what it made of the visual block around"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What one column said of a block.

    Attributes
    ----------
    column : str
    words : str
        What it measures and what it measured, to be read by a person.
    value : float
        What it measured.
    weight : float
        What it added to the decision; above 0 it spoke for content.
    """

    column: str
    words: str
    value: float
    weight: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


#: The columns that spoke most for content, and those that spoke most against, the strongest first.
Reasons = tuple[tuple[Reason, ...], tuple[Reason, ...]]


def reasons(model: Model, table: Table, owner: IntColumn, count: int) -> list[Reasons]:
    """Return which columns spoke most for and against each of some blocks.

    Parameters
    ----------
    model : Model
        Where its last look is no linear support vector machine, nothing can be said.
    table : Table
        As :meth:`~blocksight.classify.model.model.Model.measure` returns it.
    owner : int32 (leaves,)
        The block of each text leaf, -1 for none. A block may hold several rows of the table: each counts by its words.
    count : int
        How many blocks there are.
    """
    last = model.second or model.first
    if not isinstance(last, LinearSvm) or not len(table):
        return [((), ())] * count
    values = model.looked(table).values
    added = last.standardise(values) * last.weight
    inside = np.flatnonzero((owner >= 0) & (table.rows.leaf_row >= 0))
    rows, blocks = table.rows.leaf_row[inside], owner[inside]
    weight = table.rows.leaf_words[inside] + 1e-9
    share = np.zeros((count, len(table)))
    np.add.at(share, (blocks, rows), weight)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-12)
    mean = share @ np.nan_to_num(values)
    return [_strongest(last.columns, *pair) for pair in zip(mean, share @ added, strict=True)]


def _strongest(columns: tuple[str, ...], values: FloatArray, added: FloatArray) -> Reasons:
    order = np.argsort(added, kind="stable")
    against = [number for number in order[:MOST].tolist() if added[number] < 0]
    spoke = [number for number in order[::-1][:MOST].tolist() if added[number] > 0]
    found = [[_reason(columns[n], float(values[n]), float(added[n])) for n in numbers] for numbers in (spoke, against)]
    return tuple(found[0]), tuple(found[1])


def _reason(name: str, value: float, added: float) -> Reason:
    return Reason(column=name, words=_in_words(name, value), value=round(value, 4), weight=round(added, 4))


def _in_words(name: str, value: float) -> str:
    column = _catalogue().get(name)
    if column is None:
        family = "".join(sign for sign in name if not sign.isdigit())
        meaning = next((words for start, words in _AROUND if family.startswith(start)), name)
        return f"{meaning}: {value:.2f}"
    if column.unit == "0 or 1" and value in (0.0, 1.0):
        return f"{column.meaning.removeprefix('1 ').removeprefix('where ')}: {'yes' if value else 'no'}"
    if column.unit == "share":
        return f"{column.meaning}: {100 * value:.0f} %"
    if column.unit == "ln(1 + n)":
        return f"{_plain(column.meaning)}: {math.expm1(max(value, 0.0)):.3g}"
    return f"{column.meaning}: {value:.3g}"


def _plain(meaning: str) -> str:
    """Take the logarithm off what a column counts: ``ln(1 + words)`` is words."""
    inner, bracket, rest = meaning.removeprefix("ln(1 + ").partition(")")
    return inner + rest if meaning.startswith("ln(1 + ") and bracket else meaning


@cache
def _catalogue() -> dict[str, Column]:
    return {column.name: column for group in CATALOGUE for column in group.columns}
