"""Every column of the feature catalogue on eight small pages, compared with golden values.

``fixtures/golden/README.md`` describes the pages and how the values were checked. After a deliberate change::

    pytest tests/features/test_golden_table.py --update-golden

writes the golden values again and prints each difference. With ``--render-golden`` the rendered pages are rendered
again, too; since that depends on the browser and its fonts, do so only after a change of their HTML.
"""

from difflib import unified_diff
from math import isclose, isnan, nan

import blocksight as bs
import pytest
from blocksight.features.block_table import CATALOGUE

#: Address of each page; "" for pages that are rendered and saved.
PAGES = {
    "article": "",
    "poster": "",
    "plain": "",
    "sections": "",
    "forum": "https://boats.example/viewtopic.php?t=7",
    "chinese": "https://harbour.example/bridge",
    "links": "https://list.example/",
    "vocabulary": "https://ropes.example/words",
}
COLUMNS = [column.name for group in CATALOGUE for column in group.columns]
#: Values are written with five significant digits.
RELATIVE, ABSOLUTE = 1e-4, 1e-6
MOST_LINES = 60
VIEWPORT = (1000, 600)


@pytest.fixture(scope="module", params=PAGES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def page(request, name, fixtures):
    html, saved = (fixtures / "golden" / f"{name}{suffix}" for suffix in (".html", ".page"))
    if PAGES[name]:
        return bs.parse(html.read_bytes(), url=PAGES[name])
    if request.config.getoption("--render-golden"):
        options = bs.RenderOptions(timeout=20.0, viewport=VIEWPORT)
        bs.save(request.getfixturevalue("browser").open(html.read_bytes(), options=options), saved)
    return bs.load(saved)


@pytest.fixture(scope="module")
def table(page):
    return bs.block_features(page)


@pytest.fixture(scope="module")
def blocks(table):
    """A label for each block: its row, its tag and its first words."""
    return [
        f"{row} {tag}: {text[:20].strip()}" for row, (tag, text) in enumerate(zip(table.tag, table.text, strict=True))
    ]


@pytest.fixture(scope="module")
def golden(request, name, table, blocks, fixtures):
    """The labels of the blocks, and the golden values by column."""
    path = fixtures / "golden" / f"{name}.tsv"
    if request.config.getoption("--update-golden"):
        before = read_golden(path) if path.exists() else ([], {})
        lines = [["column", *blocks], *([column, *map(written, table[column])] for column in COLUMNS)]
        path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
        after = read_golden(path)
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"\n{path.name}: {report(name, blocks, before, after) or 'unchanged'}")
    return read_golden(path)


def written(value):
    return "-" if isnan(value) else f"{value:.5g}"


def read_golden(path):
    head, *lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return head[1:], {line[0]: [nan if value == "-" else float(value) for value in line[1:]] for line in lines}


def same(expected, measured):
    if isnan(expected) or isnan(measured):
        return isnan(expected) and isnan(measured)
    return isclose(expected, measured, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def report(name, blocks, expected, measured):
    """Return the differences between two golden tables, one line each; "" where there are none."""
    if expected[0] != measured[0]:
        return "\n".join(unified_diff(expected[0], measured[0], f"{name}: blocks", "measured", n=0, lineterm=""))
    lines = [f"{name}: no golden values of {column}" for column in measured[1] if column not in expected[1]]
    lines += [f"{name}: {column} is no column any more" for column in expected[1] if column not in measured[1]]
    lines += [
        f"{name}: {column}, block {block}: expected {old:.5g}, measured {new:.5g}"
        for column in expected[1].keys() & measured[1].keys()
        for block, old, new in zip(blocks, expected[1][column], measured[1][column], strict=True)
        if not same(old, new)
    ]
    more = [f"... and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return "\n".join(sorted(lines)[:MOST_LINES] + more)


def differences(name, blocks, golden, table, columns):
    expected = golden[0], {column: golden[1][column] for column in columns if column in golden[1]}
    return report(name, blocks, expected, (blocks, {column: table[column].tolist() for column in columns}))


def test_golden_values_name_the_columns_of_the_catalogue(golden):
    assert list(golden[1]) == COLUMNS, "a column was added or renamed: run pytest with --update-golden and check it"


def test_columns_have_their_golden_values(name, blocks, golden, table):
    found = differences(name, blocks, golden, table, COLUMNS)
    assert not found, found


def test_every_column_has_two_values(fixtures):
    tables = [read_golden(fixtures / "golden" / f"{name}.tsv")[1] for name in PAGES]
    values = {column: {value for table in tables for value in table[column] if not isnan(value)} for column in COLUMNS}
    assert not [column for column, found in values.items() if len(found) < 2]
