"""Contributions: the share of each column in a model's decision on a block.

A linear support vector machine is explained exactly: its decision is the sum of the columns' standardised values times
their weights, and a constant. A contribution of 0 is that of a block with the training mean. These are also the Shapley
values against such a block, so those of a group's columns add up to that of the group.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...features.block_table import CATALOGUE, GROUP_NAMES, Table
from ...features.columns import Column
from ...page.arrays import FloatArray, IntColumn
from .model import Model
from .second_stage import CLIP, COLUMNS
from .svm import LinearSvm

#: Groups of second-stage columns: first-stage scores around the block, and probabilities of roles.
SURROUNDINGS, ROLE_PROBABILITIES = "surroundings", "roles"
#: Number of positive, and of negative, contributions that are reported for a block.
MOST_COLUMNS = 3
#: Descriptions of the second-stage columns, by the prefixes of their names.
_STAGE_MEANINGS = (
    ("first_score", "first-stage score of the block"),
    ("first_at", "first-stage score of a block near by"),
    ("first_mean", "first-stage scores of the blocks around"),
    ("first_before", "first-stage scores of the blocks before"),
    ("first_after", "first-stage scores of the blocks after"),
    ("first_up", "first-stage scores in the ancestor elements"),
    ("first_make", "first-stage scores of the blocks with the same template"),
    ("first_stretch", "position relative to the best contiguous range of blocks"),
    ("first_tree", "position relative to the best subtree"),
    ("first_mass", "share of the content before the block"),
    ("first_page", "first-stage scores of the page"),
    ("first_rank", "rank of the block's first-stage score"),
    ("first_vips", "first-stage scores in the VIPS block around"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """Contribution of one column to the decision on a block."""

    column: str
    words: str  # a description of the column and its value
    value: float
    weight: float  # the amount added to the decision; positive for content

    def to_dict(self) -> dict[str, Any]:
        """Return its fields as JSON values."""
        return asdict(self)


class Contributions(NamedTuple):
    """Contributions to the decision on a block."""

    #: positive, negative: the largest ones, each sorted by magnitude.
    positive: tuple[Contribution, ...] = ()
    negative: tuple[Contribution, ...] = ()
    #: The sum of each group of features, of :data:`SURROUNDINGS` and of :data:`ROLE_PROBABILITIES`, without zeros. The
    #: block's own score in the first stage is divided among the groups that led to it.
    groups: dict[str, float] = {}  # noqa: RUF012 - never changed


def block_contributions(model: Model, table: Table, owner: IntColumn, count: int) -> list[Contributions]:
    """Return the largest contributions to the decision on each block, none without a linear last stage."""
    # ``owner`` is the block of each text leaf, -1 for none; the rows of one block are averaged, weighted by words.
    last = model.second or model.first
    if not isinstance(last, LinearSvm) or not len(table):
        return [Contributions()] * count
    inputs = model.predict(table).inputs[:]
    added = last.standardise(inputs) * last.weight
    inside = ((owner >= 0) & (table.rows.leaf_row >= 0)).nonzero()[0]
    rows, blocks = table.rows.leaf_row[inside], owner[inside]
    share = np.zeros((count, len(table)))
    np.add.at(share, (blocks, rows), table.rows.leaf_words[inside] + 1e-9)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-12)
    mean = share @ np.nan_to_num(inputs)
    groups = _by_group(model, last, inputs, added)
    sums = {name: (share @ values).tolist() for name, values in groups.items()}
    return [
        Contributions(*_largest(last.columns, *pair), {name: round(of[row], 4) for name, of in sums.items() if of[row]})
        for row, pair in enumerate(zip(mean, share @ added, strict=True))
    ]


def _by_group(model: Model, last: LinearSvm, inputs: FloatArray, added: FloatArray) -> dict[str, FloatArray]:
    """Return the sum of each group's contributions, float64 (rows,) each."""
    owner = _groups_by_column()
    groups = np.asarray([owner.get(name, ROLE_PROBABILITIES) for name in last.columns])
    sums = {
        name: added[:, groups == name].sum(axis=1)
        for name in (*GROUP_NAMES, SURROUNDINGS, ROLE_PROBABILITIES)
        if (groups == name).any()
    }
    if "first_score" in last.columns and isinstance(model.first, LinearSvm):
        own = last.columns.index("first_score")
        first = model.first.standardise(inputs[:, : len(model.first.columns)]) * model.first.weight
        decision = first.sum(axis=1) + model.first.bias
        # A score beyond the clip counts as the clip: its parts are reduced accordingly.
        shrink = np.minimum(CLIP / np.maximum(np.abs(decision), 1e-9), 1.0) * last.weight[own] / last.deviation[own]
        for name in dict.fromkeys(groups[: len(model.first.columns)].tolist()):
            part = shrink * first[:, groups[: len(model.first.columns)] == name].sum(axis=1)
            sums[name] = sums[name] + part
            sums[SURROUNDINGS] = sums[SURROUNDINGS] - part
    return sums


#: What the elements of columns such as ``in_nav`` are to a reader.
_PLACES = {
    "article": "an article of the page", "main": "the main part of the page", "section": "a section", "nav": "a menu",
    "aside": "a side column or box", "footer": "the foot of the page or of a part",
    "header": "the head of the page or of a part", "table": "a table", "tr": "a row of a table", "td": "a cell",
    "ul": "a list", "ol": "a numbered list", "li": "an item of a list", "dl": "a list of terms", "form": "a form",
    "figure": "a figure", "blockquote": "a quote", "pre": "a block of code", "a": "a link",
    "details": "a part that unfolds", "button": "a button", "center": "a centred part", "h1": "the main heading",
    "h2": "a heading", "h3": "a heading",
}  # fmt: skip


@cache
def _groups_by_column() -> dict[str, str]:
    features = {column: group.name for group in CATALOGUE for column in group.names}
    return features | dict.fromkeys(COLUMNS, SURROUNDINGS)


def _largest(
    columns: tuple[str, ...], values: FloatArray, added: FloatArray
) -> tuple[tuple[Contribution, ...], tuple[Contribution, ...]]:
    def contributions(numbers: list[int]) -> tuple[Contribution, ...]:
        return tuple(
            Contribution(
                column=columns[number],
                words=_description(columns[number], float(values[number])),
                value=round(float(values[number]), 4),
                weight=round(float(added[number]), 4),
            )
            for number in numbers
        )

    order = np.argsort(added, kind="stable")
    positive = [number for number in order[::-1][:MOST_COLUMNS].tolist() if added[number] > 0]
    negative = [number for number in order[:MOST_COLUMNS].tolist() if added[number] < 0]
    return contributions(positive), contributions(negative)


def _description(name: str, value: float) -> str:
    column = _columns_by_name().get(name)
    place = _PLACES.get(name.removeprefix("in_")) if name.startswith("in_") else None
    if place and value in (0.0, 1.0):
        return f"in {place}" if value else f"not in {place}"
    if column is None:
        prefix = "".join(character for character in name if not character.isdigit())
        meaning = next((meaning for start, meaning in _STAGE_MEANINGS if prefix.startswith(start)), name)
        return f"{meaning}: {value:.2f}"
    if column.unit == "0 or 1" and value in (0.0, 1.0):
        return f"{column.meaning.removeprefix('1 ').removeprefix('where ')}: {'yes' if value else 'no'}"
    if column.unit == "share":
        return f"{column.meaning}: {100 * value:.0f} %"
    if column.unit == "ln(1 + n)":
        return f"{_without_logarithm(column.meaning)}: {math.expm1(max(value, 0.0)):.3g}"
    return f"{column.meaning}: {value:.3g}"


def _without_logarithm(meaning: str) -> str:
    inner, bracket, rest = meaning.removeprefix("ln(1 + ").partition(")")
    return inner + rest if meaning.startswith("ln(1 + ") and bracket else meaning


@cache
def _columns_by_name() -> dict[str, Column]:
    return {column.name: column for group in CATALOGUE for column in group.columns}
