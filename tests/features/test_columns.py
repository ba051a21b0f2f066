"""Every column says what it is, and holds to it; what is not asked for is not measured."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.features import block_table
from blocksight.features.block_table import CATALOGUE, GROUP_NAMES, column_names, measure
from blocksight.features.columns import OURS, Column, ColumnGroup, flag, log_count, share
from blocksight.features.rows import rows_of

EVERY = [column for group in CATALOGUE for column in group.columns]
PAGE = bs.parse("<body><div><a href=/>Home</a></div><h2>Salt</h2><p>One two three, four five. Six seven?</p></body>")
FIXTURES = ("client-rendered", "index", "liquid", "news", "open-shadow", "short")


def test_ways_to_write_a_column():
    assert flag("a", "1 where") == Column(name="a", meaning="1 where", unit="0 or 1", low=0, high=1, source=OURS)
    assert share("a", "share of", "A paper") == Column(
        name="a", meaning="share of", unit="share", low=0, high=1, source="A paper"
    )
    assert (log_count("a", "ln").low, log_count("a", "ln").high) == (0, np.inf)


def test_every_column_says_what_it_is():
    for column in EVERY:
        assert all((column.name, column.meaning, column.unit, column.source)), column
        assert not column.meaning.endswith("."), column
        assert column.low < column.high, column


def test_no_name_occurs_twice():
    assert len(EVERY) == len(set(column_names())) == len(column_names())


@pytest.mark.parametrize("group", CATALOGUE, ids=lambda group: f"{group.name}-{group.names[0]}")
def test_a_group_measures_its_columns_and_no_others(group):
    rows = rows_of(PAGE, bs.text_blocks(PAGE))
    if not group.needs_geometry:
        found = group.measure(rows, measure(PAGE).columns)
        assert set(found) == set(group.names)
        assert all(column.dtype == np.float64 and column.shape == (len(rows),) for column in found.values())


def within(columns):
    for column in EVERY:
        known = columns[column.name][np.isfinite(columns[column.name])]
        assert (known >= column.low - 1e-9).all(), column
        assert (known <= column.high + 1e-9).all(), column


@pytest.mark.parametrize("name", FIXTURES)
def test_values_lie_between_low_and_high(fixtures, name):
    within(measure(bs.parse((fixtures / name / "page.html").read_bytes())).columns)


@pytest.mark.browser
@pytest.mark.parametrize("name", FIXTURES)
def test_values_of_rendered_pages_lie_between_low_and_high(browser, address, name):
    columns = measure(browser.open(f"{address}/{name}/page.html")).columns
    within(columns)
    absent = [name for name, column in columns.items() if np.isnan(column).all()]
    assert not absent, "a rendered page has values in every column"


# -- what is measured ----------------------------------------------------------------------------------------------


@pytest.fixture
def other_catalogue(monkeypatch):
    """Put other groups into the catalogue; what is kept of it is worked out anew, and once more afterwards."""

    def put(groups):
        monkeypatch.setattr(block_table, "CATALOGUE", groups)
        monkeypatch.setattr(block_table, "GROUP_NAMES", tuple(dict.fromkeys(group.name for group in groups)))
        forget()

    def forget():
        for kept in (block_table._groups_by_column, block_table._groups_with, block_table.column_names):
            kept.cache_clear()

    yield put
    monkeypatch.undo()
    forget()


@pytest.fixture
def measured(other_catalogue):
    """The groups that are measured, by name and first column, one entry each time."""
    found = []

    def watched(group):
        def measure(rows, columns):
            found.append(group.name)
            return group.measure(rows, columns)

        return replace(group, measure=measure)

    other_catalogue(tuple(map(watched, CATALOGUE)))
    return found


@pytest.mark.parametrize("name", sorted(set(GROUP_NAMES) - {"neighbour", "visual", "proportion", "layout", "krdwrd"}))
def test_measure_one_group(measured, name):
    measure(PAGE, groups=(name,))
    assert set(measured) == {name}


def test_measure_group_that_reads_others(measured):
    measure(PAGE, groups=("neighbour",))
    assert sorted(measured) == sorted(["neighbour", "text", "link", "structure", "keyword"])
    measured.clear()
    measure(PAGE)
    assert len(measured) == len([group for group in CATALOGUE if not group.needs_geometry])


def test_measure_single_columns(measured):
    found = measure(PAGE, columns=("fiasco_depth", "words_log"))
    assert tuple(found.columns) == ("fiasco_depth", "words_log")
    assert measured == ["fiasco", "text"]
    with pytest.raises(ValueError, match="no such column: smell"):
        measure(PAGE, columns=("smell",))


def test_measure_without_geometry(other_catalogue):
    def broken(rows, columns):
        raise AssertionError

    group = ColumnGroup(name="looks", columns=(share("looks", "share"),), measure=broken, needs_geometry=True)
    other_catalogue((group,))
    assert np.isnan(measure(PAGE).columns["looks"]).tolist() == [True] * 3
