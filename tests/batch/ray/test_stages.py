"""On a real cluster of two nodes, each with processes of its own: whatever dies, every input has its one row.

Skipped where Ray is not installed. ``BLOCKSIGHT_RAY_PAGES=2000`` takes more pages and kills.
"""

import os
import random
from contextlib import suppress
from dataclasses import replace

import blocksight as bs
import psutil
import pytest
from blocksight.batch.output.ledger import read_counts
from blocksight.batch.output.output import Output
from blocksight.batch.ray.actor_tasks import ActorPool
from blocksight.batch.ray.stages import Actors
from blocksight.batch.row_schema import SCHEMA_VERSION

from .conftest import COUNT, KILLS, filed, second_node, workers, written

ray = pytest.importorskip("ray", reason="needs Ray: pip install 'ray[data]>=2.60,<2.64'")

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX"),
]

#: So that the tests are not slower on a computer with few CPUs.
FEW = Actors(rendering=1, extracting=3, cpus=0.2, memory=0)
POOL = ActorPool(least=2, most=3, cpus=0.5, memory=100_000_000)
#: What one page in a hundred does, and the kind of failure that it comes to.
FAULTS = {7: ("it raises", "fault"), 37: ("it kills", "died"), 67: ("it hangs", "timeout")}


def number_of(row):
    return int(row["source"][-10:-5])


def whole(out, reported, count):
    """The rows of a folder, of which each input has one."""
    there = filed(out)
    assert len(there) == len({row["id"] for row in there}) == count
    assert sorted(row["id"] for row in reported) == sorted(row["id"] for row in there)
    output = Output(out, format="parquet", shard_rows=10)
    done, waiting, failed = output.ledger.counts()
    output.close()
    assert (done + sum(failed.values()), waiting) == (count, 0)
    return there


def right(row):
    return row["text"] is not None and f"Pot number {number_of(row)}." in row["text"]


def test_every_input_has_a_row_when_pages_are_odd_and_a_node_dies(connection, options, tmp_path):
    from blocksight.batch.ray.ray_run import run_on_ray

    pages, out, reported, odd = written(tmp_path / "pages", COUNT, FAULTS), tmp_path / "out", [], {}
    for row in run_on_ray([pages], out, options=options, pool=POOL):
        reported.append(row)
        if len(reported) == COUNT // 3:
            connection.remove_node(connection.second, allow_graceful=False)
    there = whole(out, reported, COUNT)
    for row in there:
        kind = FAULTS.get(number_of(row) % 100, ("", None))[1]
        if row["error_kind"] != kind:
            odd[number_of(row)] = row["error_kind"], row["error"]
        assert row["error_kind"] is not None or right(row)
    assert not odd
    assert all(
        row["tries"] >= 1 and row["schema"] == SCHEMA_VERSION and row["blocksight"] == bs.__version__ for row in there
    )
    assert list(run_on_ray([pages], out, options=options, pool=POOL)) == []


@pytest.mark.parametrize("victim", ["actor", "node"])
def test_killed_at_random_moments(connection, options, tmp_path, victim):
    from blocksight.batch.ray.ray_run import run_on_ray

    count = max(COUNT // 2, KILLS * 12)
    pages, out, reported, chance, killed = (
        written(tmp_path / "pages", count, {}),
        tmp_path / "out",
        [],
        random.Random(7),
        0,
    )
    moments = set(chance.sample(range(5, count - 20), KILLS))
    for row in run_on_ray([pages], out, options=options, pool=POOL):
        if len(reported) in moments:
            if victim == "node":
                connection.remove_node(connection.second, allow_graceful=False)
                connection.second = second_node(connection)
                killed += 1
            elif there := sorted(workers(), key=lambda process: process.pid):
                with suppress(psutil.Error):
                    chance.choice(there).kill()
                    killed += 1
        reported.append(row)
    assert killed >= KILLS // 2
    there = whole(out, reported, count)
    # One that is hit each time it is tried, alone as well, may have no text.
    assert {row["error_kind"] for row in there} <= {None, "died"}
    assert sum(right(row) for row in there) >= count - KILLS


def test_left_early_and_gone_on_with(connection, options, tmp_path):
    from blocksight.batch.ray.ray_run import run_on_ray

    pages, out, reported = written(tmp_path / "pages", 80, {}), tmp_path / "out", []
    rows = run_on_ray([pages], out, options=options, pool=POOL)
    for row in rows:
        reported.append(row["id"])
        if len(reported) == 15:
            break
    rows.close()
    before = {row["id"]: row["finished"] for row in filed(out)}
    assert set(reported) <= set(before)
    rest = list(run_on_ray([pages], out, options=options, pool=POOL))
    assert not before.keys() & {row["id"] for row in rest}
    there = filed(out)
    assert len(there) == len({row["id"] for row in there}) == 80
    assert all(map(right, there))


def test_a_step_of_your_own_pipeline(connection, options, tmp_path):
    from blocksight.batch.ray.stages import extract

    pages = written(tmp_path / "pages", 20, {})
    names = [str(path) for path in sorted(pages.iterdir())]
    items = [{"page": name, "mine": 1} for name in [*names, str(tmp_path / "none.html")]] + [{"page": "", "mine": 2}]
    rows = extract(
        ray.data.from_items(items, override_num_blocks=2), source="page", options=options, actors=FEW
    ).take_all()
    assert sorted(row["source"] for row in rows) == sorted(item["page"] for item in items)
    assert sorted(row["mine"] for row in rows) == [1] * 21 + [2]
    kinds = {row["source"]: row["error_kind"] for row in rows if row["error_kind"]}
    assert kinds == {str(tmp_path / "none.html"): "failed", "": "source"}
    assert sum("Pot number" in (row["text"] or "") for row in rows) == 20


def test_documents_in_a_column_and_others_that_are_kept(connection, options):
    from blocksight.batch.ray.stages import extract

    html = "<title>Tea</title><p>Pot number {} is hot, für alle."
    items = [{"url": f"https://a.org/{n}", "html": html.format(n).encode(), "n": n, "parts": [n]} for n in range(3)]
    options = replace(options, system="bte")
    rows = extract(ray.data.from_items(items), source="url", html="html", options=options, actors=FEW).take_all()
    found = sorted((row["n"], list(row["parts"]), row["url"], "html" in row, "für alle" in row["text"]) for row in rows)
    assert found == [(n, [n], f"https://a.org/{n}", False, True) for n in range(3)]
    with pytest.raises(Exception, match=r"rename these columns.*title"):
        extract(ray.data.from_items([{"url": "a", "title": "b"}]), source="url", options=options, actors=FEW).take_all()


def test_rows_come_early_and_hosts_are_asked_at_their_pace(connection, options, tmp_path):
    from blocksight.batch.ray.ray_run import run_on_ray

    pages, out = written(tmp_path / "pages", 30, {}), tmp_path / "out"
    rows = run_on_ray([pages], out, options=replace(options, shard_rows=1000), pool=POOL)
    first = next(rows)
    assert first["text"] is not None
    done, waiting, _ = read_counts(out / "ledger.sqlite")
    assert done < 30
    assert done + waiting == 30
    assert len(list(rows)) == 29
    assert len(whole(out, [first, *filed(out)][1:], 30)) == 30


def test_a_folder_that_other_machines_do_not_see_is_named():
    from blocksight.batch.ray.connection import node_error

    why = node_error("/not/there", bs.__version__, "", False)
    assert "cannot read /not/there: take a folder that all nodes share" in why
    assert node_error("", bs.__version__, "", False) == ""
    assert "install the same version everywhere" in node_error("", "0", "", False)
