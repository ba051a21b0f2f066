"""Files of rows that other computers write: they count once, when they are whole, and each input has one row."""

import blocksight as bs
import pyarrow as pa
import pytest
from blocksight.batch.output import output as writing
from blocksight.batch.output.output import Output
from blocksight.batch.output.shards import ShardFolder
from blocksight.batch.row_schema import schema, whole_row
from blocksight.batch.sources.inputs import input_of
from pyarrow import parquet

INPUTS = [input_of(f"https://{number}.org/") for number in range(5)]


def row_of(one, **more):
    return whole_row({"id": one.id, "source": one.source, "tries": 1, "finished": 5.0, "text": "Tea"} | more)


def arrive(folder, name, *rows):
    (folder / "incoming").mkdir(exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema()), folder / "incoming" / f"{name}.parquet")


def texts(folder):
    parts = ShardFolder(folder / "rows", "parquet")
    return sorted((row["source"], row["text"]) for number in parts.numbers() for row in parts.read(number))


def opened(folder):
    return Output(folder, format="parquet", shard_rows=2)


@pytest.fixture
def output(tmp_path):
    made = opened(tmp_path)
    made.ledger.add(INPUTS)
    yield made
    made.close()


def test_a_whole_file_is_taken_and_half_a_one_waits(output, tmp_path):
    arrive(tmp_path, "a", row_of(INPUTS[0]), row_of(INPUTS[1], error_kind="http", error="gone"))
    (tmp_path / "incoming" / "b.parquet").write_bytes((tmp_path / "incoming" / "a.parquet").read_bytes()[:-9])
    assert [row["source"] for row in output.merge()] == [one.source for one in INPUTS[:2]]
    assert output.ledger.counts() == (1, 3, {"http": 1})
    assert [path.name for path in (tmp_path / "incoming").iterdir()] == ["b.parquet"]
    assert output.merge() == []
    output.incoming.clean_up()
    assert list((tmp_path / "incoming").iterdir()) == []


def test_incoming_rows_are_written_in_the_format_of_the_run(tmp_path):
    output = Output(tmp_path, format="jsonl", shard_rows=2)
    output.ledger.add(INPUTS)
    arrive(tmp_path, "a", row_of(INPUTS[0]))
    output.merge()
    assert [row["text"] for row in ShardFolder(tmp_path / "rows", "jsonl").read(1)] == ["Tea"]
    output.close()


def test_work_that_was_done_twice_counts_once(output, tmp_path):
    arrive(tmp_path, "a", row_of(INPUTS[0]), row_of(INPUTS[0], text="Pot"))
    arrive(tmp_path, "b", row_of(INPUTS[0], text="Cup"), row_of(INPUTS[1]))
    arrive(tmp_path, "c", row_of(input_of("https://strange.org")))
    assert len(output.merge()) == 2
    assert [source for source, _ in texts(tmp_path)] == [one.source for one in INPUTS[:2]]
    assert list((tmp_path / "incoming").iterdir()) == []


def test_a_row_that_is_done_again_takes_the_place_of_the_old_one(output, tmp_path):
    arrive(tmp_path, "a", row_of(INPUTS[0], error_kind="http", text=None), row_of(INPUTS[1]))
    output.merge()
    assert output.ledger.reset(failed=True) == 1
    arrive(tmp_path, "a", row_of(INPUTS[0], text="Pot"))
    output.merge()
    assert texts(tmp_path) == [(INPUTS[0].source, "Pot"), (INPUTS[1].source, "Tea")]


@pytest.mark.parametrize("moment", ["list_merged", "drop"])
def test_killed_between_the_file_and_the_ledger(output, tmp_path, monkeypatch, moment):
    arrive(tmp_path, "a", row_of(INPUTS[0]))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(writing.Ledger if moment == "list_merged" else writing.WarcOutput, moment, killed)
        with pytest.raises(KeyboardInterrupt):
            output.merge()
    output.close()
    again = opened(tmp_path)
    assert texts(tmp_path) == [(INPUTS[0].source, "Tea")]
    assert again.ledger.counts() == (1, 4, {})
    assert list((tmp_path / "incoming").iterdir()) == []
    again.close()


def test_nothing_behind_a_link_is_taken_or_removed(tmp_path):
    """Somebody else may have put a link where the rows arrive."""
    others, out = tmp_path / "others", tmp_path / "out"
    out.mkdir()
    arrive(tmp_path, "a", row_of(INPUTS[0]))
    (tmp_path / "incoming").rename(others)
    (out / "incoming").symlink_to(others)
    output = opened(out)
    output.ledger.add(INPUTS)
    assert output.merge() == []
    output.incoming.clean_up()
    assert [path.name for path in others.iterdir()] == ["a.parquet"]
    with pytest.raises(bs.errors.RunStopped, match="is a link"):
        output.incoming.make()
    output.close()


def test_only_files_of_rows_are_swept(output, tmp_path):
    arrive(tmp_path, "a", row_of(INPUTS[0]))
    for name in ("stop", "mine.txt"):
        (tmp_path / "incoming" / name).touch()
    output.incoming.clean_up()
    assert [path.name for path in (tmp_path / "incoming").iterdir()] == ["mine.txt"]
