"""Data dictionary: name, group, meaning, unit, range and source of every column of the catalogue."""

from __future__ import annotations

import pandas as pd

from ..block_table import groups_named

#: Fields of each column.
FIELDS = ("name", "group", "meaning", "unit", "low", "high", "source")


def dictionary(*groups: str) -> pd.DataFrame:
    """Return the feature columns of some groups, or of all, as a data frame with the columns :data:`FIELDS`."""
    described = [
        (column.name, group.name, column.meaning, column.unit, column.low, column.high, column.source)
        for group in groups_named(*groups)
        for column in group.columns
    ]
    return pd.DataFrame(described, columns=list(FIELDS))
