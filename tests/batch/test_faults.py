"""Whatever ends a run, at whatever moment: no finished row is lost, and none is in the output twice."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace

import blocksight as bs
import orjson
import pytest
from blocksight.batch.pipeline import Pipeline, page_path
from blocksight.batch.sources.inputs import input_of
from blocksight.errors import RunInProgress, RunStopped

from .conftest import filed

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX")]

COUNT = 400


def sources():
    return [f"{'bad' if number % 33 == 0 else 'page'}{number}" for number in range(COUNT)]


def filed_ids(out):
    return [row["id"] for row in filed(out)]


def in_a_process_of_its_own(work):
    """Do some work in a copy of this process; return its number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def reported(out, options, log):
    """Run, and write down each row that was yielded, so that the test knows what was promised."""
    with log.open("a", buffering=1) as lines:
        for row in bs.run_batch(sources(), out, options=options):
            lines.write(f"{row['id']}\n")


def wait_for_rows(log, more, child):
    """Wait until the child reported some more rows, so that the moment depends on no machine's speed."""
    before = log.stat().st_size if log.exists() else 0
    while True:
        # A row's line is its 32 digits and the end of the line.
        written = ((log.stat().st_size if log.exists() else 0) - before) // 33
        if written >= more or os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return
        time.sleep(0.001)


@pytest.mark.parametrize("first", [True, False], ids=["anew", "again"])
def test_killed_at_random_moments(quick, plain, tmp_path, first):
    options = replace(plain, shard_rows=7, retry=() if first else ("failed",))
    if not first:
        list(bs.run_batch(sources(), tmp_path / "out", options=replace(options, retry=())))
    out, log = tmp_path / "out", tmp_path / "log"
    chance = random.Random(7)
    killed = 0
    for _ in range(20):
        child = in_a_process_of_its_own(lambda: reported(out, options, log))
        wait_for_rows(log, chance.randrange(15 if first else 3), child)
        time.sleep(chance.uniform(0, 0.01))
        os.kill(child, signal.SIGKILL)
        killed += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        there = filed_ids(out)
        assert len(there) == len(set(there)), "a row is there twice"
    assert killed >= 5, killed
    list(bs.run_batch(sources(), out, options=replace(options, retry=())))
    there = filed_ids(out)
    assert len(there) == len(set(there)) == COUNT
    if log.exists():
        promised = [line for line in log.read_text().splitlines() if len(line) == 32]
        assert set(promised) <= set(there)
        assert not first or len(promised) == len(set(promised)), "a page was done twice"


def test_a_full_disk(quick, plain, tmp_path):
    """No file may grow beyond a limit: the error that SQLite and others get when there is no room."""
    out = tmp_path / "out"

    def work():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))
        try:
            list(bs.run_batch(sources(), out, options=replace(plain, shard_rows=1000)))
        except RunStopped as error:
            (tmp_path / "why").write_text(str(error))

    os.waitpid(in_a_process_of_its_own(work), 0)
    assert "call the same command again" in (tmp_path / "why").read_text()
    before = filed_ids(out)
    assert len(before) == len(set(before)) < COUNT
    list(bs.run_batch(sources(), out, options=replace(plain, shard_rows=1000)))
    there = filed_ids(out)
    assert len(there) == len(set(there)) == COUNT


def test_a_killed_run_leaves_no_unfinished_files(quick, plain, tmp_path):
    out = tmp_path / "out"
    kept, swept = (
        out / "pages" / "ab" / "my.unfinished",
        out / "pages" / "ab" / f".{'ab' * 16}.page.{'c' * 16}.unfinished",
    )

    def work():
        for _ in bs.run_batch(sources(), out, options=plain):
            os.kill(os.getpid(), signal.SIGKILL)

    os.waitpid(in_a_process_of_its_own(work), 0)
    swept.parent.mkdir(parents=True)
    kept.touch()
    swept.touch()
    list(bs.run_batch([], out, options=plain))
    assert kept.exists()
    assert not swept.exists()
    swept.touch()
    list(bs.run_batch([], out, options=plain))  # the last run has ended: nothing is searched
    assert swept.exists()


def test_a_worker_that_is_killed_leaves_no_unfinished_page(plain, tmp_path, monkeypatch):
    class Killed:
        def run(self, work, page, settings, path, seconds):
            path.with_name(f".{path.name}.{'c' * 16}.unfinished").touch()
            raise TimeoutError("not done in time")

    pipeline = Pipeline(plain, pages=tmp_path)
    pipeline._workers = Killed()
    monkeypatch.setattr(pipeline, "_page", lambda *_: bs.parse("<p>Tea"))
    entry = input_of("https://a.org/")
    result = pipeline.process(entry)
    assert result.row["error_kind"] == "timeout"
    assert list(page_path(tmp_path, entry.id).parent.iterdir()) == []


def test_sigterm_ends_as_an_interrupt_does(tmp_path):
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    for number in range(2000):
        (pages / f"{number}.html").write_text(
            f"<title>Tea {number}</title><p>Fresh water boils in the pot for a while."
        )
    words = [
        "batch",
        str(pages),
        "-o",
        str(out),
        "--no-browser",
        "--system",
        "bte",
        "--shard-rows",
        "10",
        "--workers",
        "1",
    ]
    running = subprocess.Popen([sys.executable, "-m", "blocksight", *words], stderr=subprocess.PIPE)
    while len(list(out.glob("rows/*.parquet"))) < 2 and running.poll() is None:
        time.sleep(0.01)
    running.terminate()
    messages = running.communicate(timeout=300)[1]
    assert running.returncode == 143, messages
    assert messages.splitlines()[-1] == b"blocksight: terminated"
    summary = orjson.loads((out / "summary.json").read_bytes())
    assert 0 < summary["done"] < 2000
    assert len(filed_ids(out)) == len(set(filed_ids(out))) == summary["done"] == summary["rows"]


def test_a_run_in_another_process_is_refused_until_it_ends(quick, plain, tmp_path):
    out, flag = tmp_path / "out", tmp_path / "begun"

    def work():
        for _ in bs.run_batch(sources(), out, options=plain):
            flag.touch()
            signal.pause()

    child = in_a_process_of_its_own(work)
    try:
        while not (flag.exists() or os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
            time.sleep(0.05)
        with pytest.raises(RunInProgress):
            list(bs.run_batch(["a"], out, options=plain))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert len(list(bs.run_batch(sources(), out, options=plain))) < COUNT
    assert len(filed_ids(out)) == COUNT
