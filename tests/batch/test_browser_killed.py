"""The browser is killed in the middle of a batch: every input has its one row, and the run goes on with another."""

import os
import random
import threading
from contextlib import suppress

import blocksight as bs
import psutil
import pytest
from blocksight.batch.batch_options import BatchOptions, RateLimits

from .conftest import filed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX"),
]

COUNT, KILLS = 60, 20
SENTENCE = "Pot number {} is filled with fresh water, which boils for a good while before the tea. "


def browsers():
    """The browsers that this process has started and that still run."""
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if "--remote-debugging-pipe" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                yield child


class Killer:
    """Kills whatever browsers there are a random moment after a row has come."""

    def __init__(self, seed):
        self._chance = random.Random(seed)
        self.rows = set(self._chance.sample(range(COUNT - 5), KILLS))
        self.killed = set()
        self._timers = []

    def after(self, number):
        if number in self.rows:
            self._timers.append(threading.Timer(self._chance.uniform(0.0, 0.5), self._kill))
            self._timers[-1].start()

    def _kill(self):
        for browser in browsers():
            with suppress(psutil.Error):
                browser.kill()
                self.killed.add(browser.pid)

    def join(self):
        for timer in self._timers:
            timer.join()


def test_no_row_is_lost_and_none_is_doubled(tmp_path):
    folder, out = tmp_path / "pages", tmp_path / "out"
    folder.mkdir()
    for number in range(COUNT):
        text = SENTENCE.format(number) * 3
        (folder / f"{number:03d}.html").write_text(f"<title>Tea {number}</title><h1>Tea</h1><p>{text}</p>")
    options = BatchOptions(
        render=bs.RenderOptions(timeout=30.0, settle=0.0, scroll=0),
        system="bte",
        workers=2,
        shard_rows=7,
        limits=RateLimits(robots=False),
    )
    killer, rows = Killer(7), []
    for row in bs.run_batch([folder], out, options=options):
        killer.after(len(rows))
        rows.append(row)
    killer.join()
    # Where a browser takes its time to start, some moments find none.
    assert len(killer.killed) >= KILLS // 4, "the browser was killed too seldom for a test"
    stored = filed(out)
    assert len(rows) == len(stored) == len({row["id"] for row in stored}) == COUNT
    # Killed twice with the same page, or as it starts, so that the page waits in vain.
    assert {row["error_kind"] for row in stored} <= {None, "failed", "timeout"}
    assert {row["error"] for row in stored if row["error_kind"] == "failed"} <= {"the browser died"}
    assert sum(row["error"] is None for row in stored) >= COUNT // 2
    assert all(f"Pot number {int(row['source'][-8:-5])} is" in row["text"] for row in stored if row["error"] is None)
    assert list(bs.run_batch([folder], out, options=options)) == []
