"""Features of Victor: the columns of its paper (:mod:`~blocksight.features.papers.victor_columns`), in buckets.

The features of a conditional random field are strings: each value is the name of its column and a bucket, those of
adjacent blocks with their distance. Shares are bucketed by tenths, counts by powers of two, other values not at all;
zeros are omitted (the buckets are ours).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ....features.block_table import Table, measure
from ....features.columns import Column
from ....features.papers.victor_columns import COLUMNS, PREFIX
from ....page.arrays import FloatArray, IntColumn
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ....segment.blocks import leaf_blocks, visible_blocks

#: Number of blocks before and after whose features are used.
WINDOW = 3
#: Prefix of the columns of the whole page.
_DOCUMENT = f"{PREFIX}document_"
_COUNTS = frozenset(
    f"{PREFIX}{name}"
    for name in ("div_group_word_ratio", "td_group_word_ratio", "token_num_abs", "token_mix_abs", "token_other_abs")
)
#: The settings that the authors compare (scores of the lecture slides: 73.92, 74.5 and 75.15 %), with excluded columns.
SETTINGS = {
    "all": frozenset[str](),
    "without-counts": _COUNTS,
    "without-url": _COUNTS | {f"{PREFIX}regexp_url", f"{_DOCUMENT}word_count"},
}


def visible_leaves(page: Page) -> IntColumn:
    """Return the blocks: indices of the visible text leaves."""
    return np.flatnonzero(~invisible_leaves(page)).astype(np.int32)


def measured(page: Page) -> Table:
    """Compute the columns of the paper for each visible text leaf of a page."""
    return measure(page, visible_blocks(page, leaf_blocks(page)), groups=("victor",))


def columns_of(setting: str) -> tuple[Column, ...]:
    """Return the columns of one of :data:`SETTINGS`."""
    return tuple(column for column in COLUMNS if column.name not in SETTINGS[setting])


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
    """Return the bucket of each value of a column.

    Shares: 0, above 0 and up to a tenth, up to two tenths, ... Counts: 0, 1, 2-3, 4-7, ...
    """
    if column.unit == "share":
        # Rounding errors must not change the bucket.
        return [int(value) for value in np.ceil(np.round(10 * values, 6))]
    whole = [int(value) for value in values]
    return [value.bit_length() for value in whole] if column.high == np.inf else whole


def _strings(table: Table, columns: list[Column]) -> list[list[str]]:
    """Return the strings of each row, one for each non-zero column."""
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
