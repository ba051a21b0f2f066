"""The data dictionary says of every column what it is, and its ranges hold on real pages."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.export.dictionary import SCALES, SOURCES, dictionary, scale_of
from blocksight.features.table import CATALOGUE, FAMILIES, column_names, measure


def test_every_column_is_in_it_with_unit_range_and_source():
    found = dictionary()
    assert tuple(found["name"]) == column_names()
    assert set(SOURCES) == set(CATALOGUE)
    assert not found.isna().any().any()
    assert (found["low"] < found["high"]).all()


def test_scales_by_hand():
    rows = dictionary().set_index("name")
    assert rows.loc["short", ["unit", "low", "high"]].tolist() == ["0 or 1", 0, 1]
    assert rows.loc["words_log", "unit"] == "ln(1 + n)"
    assert rows.loc["at-1_link_density", ["unit", "high"]].tolist() == ["share", 1]
    assert rows.loc["gap_before", ["unit", "low", "high"]].tolist() == ["lines", -5, 10]


def test_scales_name_no_column_that_is_gone():
    assert set(SCALES) <= set(column_names())
    assert {group for groups in FAMILIES.values() for group in groups} <= set(CATALOGUE)


def test_a_column_of_unknown_scale_is_refused():
    with pytest.raises(LookupError, match="add it to SCALES"):
        scale_of("smell", "how it smells")


@pytest.mark.browser
@pytest.mark.parametrize("name", ["news", "open-shadow", "index"])
def test_ranges_hold(browser, address, name):
    columns = measure(browser.open(f"{address}/{name}/page.html")).columns
    for row in dictionary().itertuples(index=False):
        known = columns[row.name][np.isfinite(columns[row.name])]
        assert (known >= row.low - 1e-9).all(), row.name
        assert (known <= row.high + 1e-9).all(), row.name


def test_ranges_hold_without_geometry(fixtures):
    columns = measure(bs.parse((fixtures / "news" / "page.html").read_bytes())).columns
    for row in dictionary().itertuples(index=False):
        known = columns[row.name][np.isfinite(columns[row.name])]
        assert ((known >= row.low - 1e-9) & (known <= row.high + 1e-9)).all(), row.name
