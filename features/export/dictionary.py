"""The data dictionary: name, group, meaning, unit, range and source of every column, as the catalogue says them."""

from __future__ import annotations

import pandas as pd

from ..block_table import groups_named

#: What is said of each column.
FIELDS = ("name", "group", "meaning", "unit", "low", "high", "source")


def dictionary(*groups: str) -> pd.DataFrame:
    """Describe the feature columns of some groups, or of all.

    Returns
    -------
    DataFrame
        One row a column: ``name``, ``group``, ``meaning``, ``unit``, ``low``, ``high`` (infinite where there is no
        bound) and ``source``.

    Raises
    ------
    ValueError
        When there is no group of that name.
    """
    described = [
        (column.name, group.name, column.meaning, column.unit, column.low, column.high, column.source)
        for group in groups_named(*groups)
        for column in group.columns
    ]
    return pd.DataFrame(described, columns=list(FIELDS))
