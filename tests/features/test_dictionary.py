"""The data dictionary says of every column what the catalogue says."""

import pytest
from blocksight.features.block_table import column_names
from blocksight.features.dataset_files import FIELDS, dictionary


def test_every_column_is_in_it():
    found = dictionary()
    assert tuple(found["name"]) == column_names()
    assert tuple(found.columns) == FIELDS
    assert not found.isna().any().any()


def test_some_by_hand():
    rows = dictionary("neighbour", "visual", "text").set_index("name")
    assert rows.loc["short", ["unit", "low", "high"]].tolist() == ["0 or 1", 0, 1]
    assert rows.loc["words_log", ["unit", "group", "source"]].tolist() == ["ln(1 + n)", "text", "blocksight"]
    assert rows.loc["at-1_link_density", ["unit", "high"]].tolist() == ["share", 1]
    assert rows.loc["gap_before", ["unit", "low", "high"]].tolist() == ["lines", -5, 10]
    assert "SIGIR 2011" in rows.loc["text_density", "source"]


def test_a_misspelt_group_is_refused():
    with pytest.raises(ValueError, match="no such group of features: smell; there are text, link"):
        dictionary("smell")
