"""Rows in files: whole or not at all, and each of them once."""

import errno
import os

import pytest
from blocksight.batch.output.output import FORMATS, Output, Shards
from blocksight.batch.row_schema import NAMES, schema, whole_row
from blocksight.batch.sources.inputs import input_of
from blocksight.errors import RunStopped

from ..conftest import filed


def row_of(one, **more):
    return whole_row({"id": one.id, "source": one.source, "tries": 1, "finished": 5.0, "text": "Tea"} | more)


INPUTS = [input_of(f"https://{number}.org/") for number in range(5)]


@pytest.mark.parametrize("form", FORMATS)
def test_rows_come_back_as_they_were_written(tmp_path, form):
    parts = Shards(tmp_path, form)
    rows = [row_of(one, confidence=0.5, partial=False, nodes=7, title="Ä\n\u2028") for one in INPUTS]
    parts.write(3, rows)
    assert list(parts.read(3)) == rows
    assert parts.numbers() == [3]
    assert [path.name for path in tmp_path.iterdir()] == [f"part-000003.{form}"]


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    parts = Shards(tmp_path, "jsonl")
    parts.write(1, [row_of(INPUTS[0])])

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(RunStopped, match="the disk is full; free some space"):
            parts.write(1, [row_of(INPUTS[1])])
    assert list(parts.read(1)) == [row_of(INPUTS[0])]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture
def output(tmp_path):
    made = Output(tmp_path, format="parquet", shard_rows=2)
    made.ledger.add(INPUTS)
    yield made
    made.close()


def test_rows_go_into_files_by_the_number(output, tmp_path):
    for one in INPUTS:
        output.add(one, row_of(one))
    assert output.ledger.shards() == [1, 2]
    assert len(output.ledger.unwritten(9)) == 1
    output.flush()
    assert {row["id"] for row in filed(tmp_path)} == {one.id for one in INPUTS}
    assert len(filed(tmp_path)) == 5


def test_a_new_row_takes_the_place_of_the_old_one(output, tmp_path):
    for one in INPUTS[:4]:
        output.add(one, row_of(one, error_kind="http"))
    output.ledger.reset(failed=True)
    for one in INPUTS[:3]:
        output.add(one, row_of(one, text="New"))
    output.flush()
    found_rows = sorted((row["source"], row["text"]) for row in filed(tmp_path))
    assert found_rows == [
        ("https://0.org/", "New"), ("https://1.org/", "New"), ("https://2.org/", "New"), ("https://3.org/", "Tea"),
    ]  # fmt: skip


def test_a_file_that_the_ledger_does_not_name_goes(output, tmp_path):
    output.add(INPUTS[0], row_of(INPUTS[0]))
    # Killed after the file was written, before the ledger knew of it.
    Shards(tmp_path / "rows", "parquet").write(1, [row_of(INPUTS[0])])
    output.close()
    again = Output(tmp_path, format="parquet", shard_rows=2)
    assert os.listdir(tmp_path / "rows") == []
    again.flush()
    assert [row["id"] for row in filed(tmp_path)] == [INPUTS[0].id]
    again.close()


@pytest.mark.parametrize("damage", [b"damage" * 1000, b"", None], ids=["overwritten", "empty", "gone"])
def test_a_damaged_ledger_does_not_delete_the_files(tmp_path, damage):
    first = Output(tmp_path, format="parquet", shard_rows=2)
    first.ledger.add(INPUTS)
    for one in INPUTS[:4]:
        first.add(one, row_of(one))
    first.close()
    for path in tmp_path.glob("ledger.sqlite*"):
        path.unlink()
    if damage is not None:
        (tmp_path / "ledger.sqlite").write_bytes(damage)
    for _ in range(2):
        with pytest.raises(RunStopped, match=r"damaged .*in another folder"):
            Output(tmp_path, format="parquet", shard_rows=2)
    assert len(filed(tmp_path)) == 4


def test_a_ledger_of_another_folder_does_not_delete_the_files(tmp_path):
    for folder, count in (("one", 4), ("other", 1)):
        (tmp_path / folder).mkdir()
        output = Output(tmp_path / folder, format="parquet", shard_rows=1)
        output.ledger.add(INPUTS)
        for one in INPUTS[:count]:
            output.add(one, row_of(one))
        output.close()
    (tmp_path / "other" / "ledger.sqlite").replace(tmp_path / "one" / "ledger.sqlite")
    with pytest.raises(RunStopped, match="does not list the files of rows"):
        Output(tmp_path / "one", format="parquet", shard_rows=1)
    assert len(filed(tmp_path / "one")) == 4


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"id": "../../x"}'])
def test_a_damaged_row_in_the_ledger_says_what_to_do(output, data):
    output.ledger.finish(INPUTS[0].id, data, error_kind=None, tries=1)
    with pytest.raises(RunStopped, match=r"damaged .*in another folder"):
        output.flush()


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("parquet", b"PAR1 cut"),
        ("jsonl", b'{"id": "a\n'),
        ("jsonl", b'{"id": "a"}\n'),
        ("jsonl", b"[]\n"),
    ],
)
def test_a_damaged_file_of_rows_says_what_to_do(tmp_path, form, data):
    (tmp_path / f"part-000001.{form}").write_bytes(data)
    with pytest.raises(RunStopped, match=r"part-000001.*damaged \(.*in another folder"):
        Shards(tmp_path, form).delete_rows(1, {INPUTS[0].id})


def test_the_old_file_is_untouched_until_the_ledger_is_on_the_disk(output, tmp_path, monkeypatch):
    for one in INPUTS[:2]:
        output.add(one, row_of(one, error_kind="http"))
    output.ledger.reset(failed=True)
    output.add(INPUTS[0], row_of(INPUTS[0], text="New"))

    def no_power():
        raise RunStopped("no power")

    monkeypatch.setattr(output.ledger, "sync", no_power)
    with pytest.raises(RunStopped, match="no power"):
        output.flush()
    assert [row["text"] for row in filed(tmp_path)] == ["Tea", "Tea"]


def test_rows_have_every_column_and_no_other():
    assert list(whole_row({})) == list(NAMES) == schema().names
    with pytest.raises(KeyError, match="no column colour"):
        whole_row({"colour": 1})
