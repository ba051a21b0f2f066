"""HTML in a column of Parquet and JSON Lines files."""

import gzip
from dataclasses import replace
from types import SimpleNamespace

import blocksight as bs
import orjson
import pyarrow as pa
import pytest
from blocksight.batch.sources.html_tables import _ParquetRows, pages_in_table, table_page
from blocksight.batch.sources.inputs import input_of, part_of
from blocksight.batch.sources.lists import check_lists, inputs_of
from blocksight.errors import PageFailed
from pyarrow import parquet

COUNT = 300


def html(number):
    return f"<title>Tea {number}</title><p>Pot {number} is filled with fresh water, which boils for a while."


@pytest.fixture(params=["bytes.parquet", "text.parquet", "text.jsonl"])
def table(request, tmp_path):
    rows = [{"id": number, "url": f"https://a.org/{number}", "html": html(number)} for number in range(COUNT)]
    path = tmp_path / request.param
    if request.param.endswith(".jsonl"):
        path.write_bytes(b"\n".join(map(orjson.dumps, rows)))
    else:
        data = [row["html"].encode() if "bytes" in request.param else row["html"] for row in rows]
        columns = {"id": list(range(COUNT)), "url": [row["url"] for row in rows], "html": data}
        parquet.write_table(pa.table(columns), path, row_group_size=100)
    return path


def test_each_row_is_a_page_with_its_address(table, plain, tmp_path):
    options = replace(plain, system="bte", html_column="html", shard_rows=1000)
    rows = {row["url"]: row for row in bs.run_batch([table], tmp_path / "out", options=options)}
    assert len(rows) == COUNT
    for number in (0, 99, 100, 299):
        row = rows[f"https://a.org/{number}"]
        assert (row["title"], row["source"], row["error"]) == (f"Tea {number}", str(table), None)
        assert f"Pot {number} is" in row["text"]
    assert list(bs.run_batch([table], tmp_path / "out", options=options)) == []


def test_rows_in_any_order(table):
    places = dict(pages_in_table(str(table), "html"))
    for number in (250, 3, 4, 170, 99, 100, 3):
        page = table_page(str(table), "html", "", places[f"https://a.org/{number}"], limit=10_000)
        assert page.data.decode() == html(number)


class Interrupted:
    """A file of 200 rows, a reading of which breaks off once."""

    metadata = SimpleNamespace(row_group=lambda _: SimpleNamespace(num_rows=200))
    num_row_groups = 1

    def __init__(self):
        self._is_steady = False

    def iter_batches(self, batch_size, row_groups, columns):
        for first in range(0, 200, batch_size):
            if first and not self._is_steady:
                self._is_steady = True
                raise OSError("the connection broke")
            rows = list(range(first, min(first + batch_size, 200)))
            yield SimpleNamespace(column=lambda _, rows=rows: SimpleNamespace(to_pylist=lambda: rows))


def test_no_row_has_the_page_of_another_after_a_reading_that_broke_off():
    rows = _ParquetRows(Interrupted())
    assert [rows.value("html", number) for number in range(64)] == list(range(64))
    with pytest.raises(OSError, match="the connection broke"):
        rows.value("html", 64)
    assert [rows.value("html", number) for number in range(65, 200)] == list(range(65, 200))
    assert rows.value("html", 64) == 64


def test_a_column_that_is_missing_and_a_damaged_file(tmp_path):
    parquet.write_table(pa.table({"body": ["<p>tea"]}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="there is no column 'html'; there are body"):
        check_lists([tmp_path / "a.parquet"], html_column="html")
    assert list(pages_in_table(str(tmp_path / "a.parquet"), "body")) == [("", 0)]
    (tmp_path / "b.parquet").write_bytes(b"PAR1" + b"x" * 50)
    (entry,) = inputs_of([tmp_path / "b.parquet"], html_column="html")
    assert entry.error.startswith("the file is damaged")
    (tmp_path / "c.jsonl").write_bytes(b'{"html": 5}\n')
    with pytest.raises(PageFailed, match="the row has no HTML in the column 'html'"):
        table_page(str(tmp_path / "c.jsonl"), "html", "", 0, limit=100)


@pytest.mark.parametrize("name", ["urls.txt.gz", "urls.csv.gz", "urls.txt.zst", "urls.parquet"])
def test_packed_lists(tmp_path, name):
    sources = [f"https://a.org/{number}" for number in range(5)]
    path, data = tmp_path / name, "\n".join(["url"] * name.startswith("urls.csv") + sources).encode()
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(data))
    elif name.endswith(".zst"):
        with pa.output_stream(str(path), compression="zstd") as stream:
            stream.write(data)
    else:
        parquet.write_table(pa.table({"id": range(5), "url": sources}), path)
    assert [entry.source for entry in inputs_of([path])] == sources
    check_lists([path])


def test_a_packed_list_that_breaks_off_is_a_row_with_the_reason(tmp_path):
    data = gzip.compress(b"".join(b"https://a.org/%d\n" % (number * 7919) for number in range(20_000)))
    (tmp_path / "urls.txt.gz").write_bytes(data[: len(data) // 2])
    entries = list(inputs_of([tmp_path / "urls.txt.gz"]))
    assert len(entries) > 100
    assert "cannot be read after this line" in entries[-1].error


def test_parts_have_every_input_once_and_keep_hosts_together(quick, plain, tmp_path):
    sources = [f"https://h{number % 50}.org/{number}" for number in range(400)] + [f"{n}.html" for n in range(100)]
    parts = []
    for part in (1, 2, 3):
        options = replace(plain, shard=(part, 3), shard_rows=1000)
        parts.append({row["source"] for row in bs.run_batch(sources, tmp_path / str(part), options=options)})
    assert sorted(name for part in parts for name in part) == sorted(sources)
    assert min(map(len, parts)) > 80
    assert part_of(input_of("https://h1.org/1"), 3) == part_of(input_of("https://h1.org/51"), 3)
