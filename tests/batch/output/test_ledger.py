"""The ledger: what is done and what is left."""

import sqlite3

import pytest
from blocksight.batch.output.ledger import Ledger, WaitingInputs
from blocksight.batch.sources.inputs import input_of
from blocksight.errors import RunStopped

from ..conftest import waiting_in


@pytest.fixture
def ledger(tmp_path):
    made = Ledger(tmp_path / "ledger.sqlite")
    yield made
    made.close()


A, B, C = (input_of(f"https://{name}.org/") for name in "abc")


def test_new_inputs_are_returned(ledger):
    assert ledger.add([B, A]) == [B, A]
    assert ledger.add([C, A, input_of("HTTPS://A.org:443/")]) == [C]
    assert ledger.counts() == (0, 3, {})


def test_what_waits_by_host(ledger):
    other, file = input_of("https://a.org/other"), input_of("page.html")
    ledger.add([A, B, file, other, C])
    ledger.finish(C.id, b"{}", error_kind=None, tries=1)
    waiting = WaitingInputs(ledger)
    assert waiting.take_hosts(1) == [("https://a.org", 2)]
    waiting.add({"https://b.org": 1, "https://d.org": 5})
    assert waiting.take_hosts(9) == [("https://d.org", 5), ("https://b.org", 2), ("", 1)]
    assert waiting.take_hosts(9) == []
    assert waiting.inputs("https://a.org", 0, 1) == [(1, A)]
    assert waiting.inputs("https://a.org", 1, 9) == [(4, other)]
    assert waiting.inputs("", 0, 9) == [(3, file)]


def test_the_next_host_and_its_inputs_are_found_in_an_index(ledger):
    """Ten million inputs must not be read for one."""
    asked = []
    ledger._file.set_trace_callback(asked.append)
    waiting = WaitingInputs(ledger)
    waiting.take_hosts(9)
    waiting.inputs("https://a.org", 9, 9)
    ledger._file.set_trace_callback(None)
    queries = [query for query in asked if "SELECT" in query]
    assert len(queries) == 3
    for query in queries:
        plan = " ".join(step for *_, step in ledger.query(f"EXPLAIN QUERY PLAN {query}"))
        assert "INDEX waiting_by_host" in plan or "INDEX by_waiting" in plan, plan
        assert "B-TREE" not in plan, plan


def test_the_next_run_names_the_same_inputs(ledger, tmp_path):
    given = [A, B, A, A]
    noted = ledger.add(given)
    assert noted == [A, B]
    ledger.close()
    again = Ledger(tmp_path / "ledger.sqlite")
    again.finish(A.id, b"{}", error_kind=None, tries=1)
    assert again.add(given) == []
    assert again.add([C]) == [C]
    assert waiting_in(again) == [*noted[1:], C]
    assert again.counts() == (1, 2, {})
    again.close()


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE inputs DROP COLUMN shard",
        "ALTER TABLE shards RENAME COLUMN rows TO columns",
        "UPDATE inputs SET state = 'half'",
    ],
)
def test_tables_of_something_else_are_no_ledger(ledger, tmp_path, change):
    ledger.add([A])
    ledger.close()
    file = sqlite3.connect(tmp_path / "ledger.sqlite")
    file.execute(change)
    file.commit()
    file.close()
    with pytest.raises(RunStopped, match="in another folder"):
        Ledger(tmp_path / "ledger.sqlite")


def test_what_is_finished_is_kept_until_it_is_in_a_file(ledger):
    ledger.add([A, B])
    ledger.finish(A.id, b'{"a": 1}', error_kind=None, tries=1)
    assert ledger.unwritten(9) == [(A.id, None, b'{"a": 1}')]
    ledger.list_shard(1, [A.id])
    assert ledger.unwritten(9) == []
    assert ledger.shards() == [1]
    assert ledger.counts() == (1, 1, {})


def test_what_failed_is_done_again_on_request(ledger):
    ledger.add([A, B])
    ledger.finish(A.id, b"{}", error_kind="http", tries=2)
    ledger.finish(B.id, b"{}", error_kind=None, tries=1)
    ledger.list_shard(1, [A.id, B.id])
    assert ledger.counts() == (1, 0, {"http": 1})
    assert ledger.reset(failed=True) == 1
    assert waiting_in(ledger) == [A]
    assert ledger.tries(A.id) == 2
    ledger.finish(A.id, b"new", error_kind=None, tries=3)
    assert ledger.unwritten(9) == [(A.id, 1, b"new")]


def test_it_outlives_its_process(tmp_path):
    one = Ledger(tmp_path / "a")
    one.add([A])
    one.finish(A.id, b"{}", error_kind=None, tries=1)
    # Not closed: as if it had been killed.
    other = Ledger(tmp_path / "a")
    assert other.counts() == (1, 0, {})
    other.close()
    one.close()


@pytest.mark.parametrize("damage", [b"no ledger at all, and long enough to be looked at" * 100, None])
def test_a_damaged_ledger_is_distinguished_from_other_files(tmp_path, damage):
    path = tmp_path / "a"
    whole = Ledger(path)
    whole.add([input_of(f"https://{number}.org/") for number in range(2000)])
    whole.close()
    data = bytearray(path.read_bytes())
    data[4096:40960] = b"\xff" * 36864
    path.write_bytes(bytes(data) if damage is None else damage)
    with pytest.raises(RunStopped, match="in another folder"):
        Ledger(path)


def test_what_cannot_be_written_says_what_to_do(ledger):
    ledger.add([A])
    ledger._file.execute("PRAGMA max_page_count=1")
    with pytest.raises(RunStopped, match="the disk is full; free some space, then call the same command again"):
        ledger.finish(A.id, b"x" * 100_000, error_kind=None, tries=1)
    ledger._file.execute("PRAGMA max_page_count=100000")
    assert ledger.counts() == (0, 1, {})
    ledger.finish(A.id, b"x" * 100_000, error_kind=None, tries=1)


@pytest.mark.parametrize(
    ("identity", "source"), [("../../../tmp/x", '["a", "", -1, ""]'), ("a" * 32, "[]"), ("a" * 32, "{")]
)
def test_one_that_somebody_else_wrote_names_no_other_files(ledger, identity, source):
    ledger._file.execute("INSERT INTO inputs (id, source) VALUES (?, ?)", (identity, source))
    with pytest.raises(RunStopped, match=r"damaged .*in another folder"):
        waiting_in(ledger)


def test_another_program_that_holds_it(ledger, tmp_path):
    other = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None, timeout=0)
    other.execute("BEGIN IMMEDIATE")
    ledger._file.execute("PRAGMA busy_timeout=10")
    with pytest.raises(RunStopped, match="another program has locked it"):
        ledger.add([A])
    other.close()
