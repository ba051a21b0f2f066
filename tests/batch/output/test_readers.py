"""What a batch has written, as programs read it that are not ours."""

import json

import pytest
from blocksight.batch.output.output import FORMATS, Shards
from blocksight.batch.row_schema import COLUMNS, NAMES, SCHEMA_VERSION, whole_row
from blocksight.batch.sources.inputs import input_of

#: What tears files and tables: line ends that are none, quotes, text beyond Unicode's first plane, nothing at all.
TEXTS = ('Tea, "strong"\n\u2028and hot', "Grün \U0001f375", "", None)
COUNT = 25


@pytest.fixture(scope="module")
def rows():
    return [
        whole_row(
            {
                "id": input_of(f"{number}.html").id,
                "source": f"{number}.html",
                "text": TEXTS[number % 4],
                "confidence": None if number % 3 else number / 100,
                "partial": None if number % 5 else bool(number % 2),
                "nodes": number,
                "tries": 1,
            }
        )
        for number in range(COUNT)
    ]


@pytest.fixture(scope="module", params=FORMATS)
def written(request, rows, tmp_path_factory):
    """The form, and a folder of three files."""
    folder = tmp_path_factory.mktemp("rows")
    for number in range(3):
        Shards(folder, request.param).write(number + 1, rows[number * 9 : number * 9 + 9])
    return request.param, folder


def test_pyarrow(written, rows):
    from pyarrow import dataset, json, parquet

    form, folder = written
    if form == "parquet":
        table = parquet.read_table(folder)
        assert table.schema.names == list(NAMES)
        assert table.schema.metadata[b"blocksight.schema"] == str(SCHEMA_VERSION).encode()
        assert table.schema.field("nodes").metadata[b"about"] == b"nodes of the page"
        assert table.to_pylist() == rows
        assert dataset.dataset(folder).count_rows() == COUNT
    else:
        found = [row for path in sorted(folder.iterdir()) for row in json.read_json(path).to_pylist()]
        assert [row["text"] for row in found] == [row["text"] for row in rows]


def test_pandas(written):
    import pandas as pd

    form, folder = written
    paths = sorted(folder.iterdir())
    frames = [pd.read_parquet(path) if form == "parquet" else pd.read_json(path, lines=True) for path in paths]
    assert [number for frame in frames for number in frame["nodes"]] == list(range(COUNT))
    assert frames[0]["text"].iloc[0] == TEXTS[0]


def test_duckdb(written, rows):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'blocksight[dev]'")
    form, folder = written
    if form == "parquet":
        table = f"read_parquet('{folder}/*.parquet')"
    else:
        table = f"read_json('{folder}/*.{form}', format = 'newline_delimited')"
    found = duckdb.sql(f"select id, text, confidence, partial, nodes, schema from {table} order by nodes").fetchall()
    wanted = ("id", "text", "confidence", "partial", "nodes", "schema")
    assert found == [tuple(row[name] for name in wanted) for row in rows]
    (ended,) = duckdb.sql(f"select count(*) from {table} where error_kind is null").fetchall()
    assert ended == (COUNT,)


def test_lines_hold_every_column(rows, tmp_path):
    parts = Shards(tmp_path, "jsonl")
    parts.write(1, rows)
    lines = (tmp_path / "part-000001.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == rows
    assert all(set(json.loads(line)) == {column.name for column in COLUMNS} for line in lines)
