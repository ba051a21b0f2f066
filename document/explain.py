"""The verdict of a system on every block of a page, with the contributions of its features."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Protocol, runtime_checkable

import numpy as np

from ..classify.model.contributions import Contributions, block_contributions
from ..classify.model.model import Model
from ..classify.roles import LeafRoles
from ..classify.system import System
from ..features.rows import Rows, rows_of
from ..page.arrays import FloatArray, Marks
from ..page.page import Page
from ..segment.blocks import leaf_boxes, text_blocks
from .block_scores import BlockVerdict, kind_of


@runtime_checkable
class Explained(System, Protocol):
    """A system that judges by a model, of which reasons can be asked."""

    def as_judged(self, page: Page) -> Page:
        """Return the page as it is judged, with or without geometry."""
        ...

    def model_for(self, page: Page) -> Model:
        """Return the model that judges a page."""
        ...


def explain_blocks(
    page: Page, system: System, marks: Marks, probability: FloatArray | None, roles: LeafRoles | None = None
) -> tuple[BlockVerdict, ...]:
    """Return the verdict on each block from marks, probabilities and roles of leaves, with a linear model's reasons."""
    rows, why = _blocks(page, system)
    boxes = leaf_boxes(page, rows.leaf_row, len(rows)).astype(np.float64).round(2).tolist()
    kept = rows.summed(marks.astype(np.float64)) > 0
    lengths = np.asarray([len(text) for text in page.leaf_texts], dtype=np.int64)
    order = np.argsort(rows.leaf_row, kind="stable")
    bounds = np.searchsorted(rows.leaf_row[order], np.arange(len(rows) + 1))
    leaves = [order[first:last].tolist() for first, last in pairwise(bounds.tolist())]
    roles_of_blocks = [(None, None) if roles is None else roles.of(some, lengths) for some in leaves]
    probabilities = [None] * len(rows) if probability is None else _mean(rows, probability)
    return tuple(
        BlockVerdict(
            kept=bool(kept[row]),
            probability=probabilities[row],
            kind=kind_of(page.tag_of(node)),
            box=None if math.isnan(boxes[row][0]) else (boxes[row][0], boxes[row][1], boxes[row][2], boxes[row][3]),
            text=rows.texts[row],
            role=roles_of_blocks[row][0],
            role_probability=roles_of_blocks[row][1],
            positive_contributions=tuple(reason.to_dict() for reason in why[row].positive),
            negative_contributions=tuple(reason.to_dict() for reason in why[row].negative),
            group_contributions=why[row].groups,
        )
        for row, node in enumerate(rows.node.tolist())
    )


def _blocks(page: Page, system: System) -> tuple[Rows, list[Contributions]]:
    if not isinstance(system, Explained):
        rows = rows_of(page, text_blocks(page))
        return rows, [Contributions()] * len(rows)
    table = system.model_for(page).measure(system.as_judged(page))
    return table.rows, block_contributions(system.model_for(page), table, table.rows.leaf_row, len(table))


def _mean(rows: Rows, probability: FloatArray) -> list[float | None]:
    """Return the mean probability of each block's leaves, weighted by words; None if it is unknown for all."""
    known = np.isfinite(probability)
    weight = (rows.leaf_words + 1e-9) * known
    words, sums = rows.summed(weight), rows.summed(weight * np.nan_to_num(probability))
    return [
        round(total / weight_sum, 4) if weight_sum > 0 else None
        for total, weight_sum in zip(sums.tolist(), words.tolist(), strict=True)
    ]
