"""The program itself on a real cluster: killed, ended, and with pages that need a browser; see test_stages."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace

import blocksight as bs
import psutil
import pytest
from blocksight.batch.output.ledger import read_counts
from blocksight.batch.ray.actor_tasks import ActorPool
from blocksight.errors import RunStopped
from blocksight.render.network.local_server import QuietHandler, serve

from .conftest import KILLS, filed, workers, written

pytest.importorskip("ray", reason="needs Ray: pip install 'ray[data]>=2.60,<2.64'")

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX"),
]

PAGE = """<!doctype html><title>Tea</title><article><h1>Tea</h1><p id=p></p></article>
<script>document.getElementById("p").textContent = "Pot number " + location.pathname.slice(1) +
" is filled with fresh water, which boils for a good while, and then the tea is poured."</script>"""
RENDERED = 12


def command(cluster, pages, out):
    """The program with two actors, and few rows a file."""
    options = ["--no-browser", "--system", "bte", "--shard-rows", "10", "--workers", "1", "--actors", "2"]
    return [sys.executable, "-m", "blocksight", "batch", str(pages), "-o", str(out), *options, "--ray", cluster.address]


def done_so_far(out):
    with suppress(RunStopped):
        done, _, failed = read_counts(out / "ledger.sqlite")
        return done + sum(failed.values())
    return 0


def wait_for(running, out, count):
    """Wait until a run has stored so many rows, or has ended."""
    while running.poll() is None and done_so_far(out) < count:
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.02)


def each_once(out, count):
    there = filed(out)
    assert len(there) == len({row["id"] for row in there}) == count
    return {row["id"]: row["finished"] for row in there}


def test_the_program_killed_at_random_moments(cluster, tmp_path):
    count, chance, finished, killed = KILLS * 15, random.Random(9), {}, 0
    pages, out = written(tmp_path / "pages", count, {}), tmp_path / "out"
    for _ in range(KILLS):
        running = subprocess.Popen(command(cluster, pages, out), stderr=subprocess.PIPE)
        wait_for(running, out, done_so_far(out) + chance.randrange(12))
        time.sleep(chance.random() / 10)
        killed += running.poll() is None
        running.send_signal(signal.SIGKILL)
        running.communicate()
        now = {row["id"]: row["finished"] for row in filed(out)}
        assert finished.items() <= now.items(), "done twice"
        finished = now
    assert killed == KILLS
    done = subprocess.run(command(cluster, pages, out), capture_output=True, check=False)
    assert f"{count} inputs, {count} rows: {count} done, 0 failed".encode() in done.stderr, done.stderr
    assert finished.items() <= each_once(out, count).items(), "done twice"


def test_ended_by_sigterm(cluster, tmp_path):
    pages, out = written(tmp_path / "pages", 150, {}), tmp_path / "out"
    running = subprocess.Popen(command(cluster, pages, out), stderr=subprocess.PIPE)
    wait_for(running, out, 5)
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 143, said
    assert b"pages in progress are stored" in said
    summary = json.loads((out / "summary.json").read_bytes())
    assert summary["rows"] == len(each_once(out, summary["rows"])) == done_so_far(out) < 150
    subprocess.run(command(cluster, pages, out), capture_output=True, check=True)
    each_once(out, 150)


class Site(QuietHandler):
    """Pages that a script fills in."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE.encode())


def browsers(mark):
    """Browsers and worker processes whose environment has a mark."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if mark in process.environ().get("PYTHONPATH", "") and (
                "chrom" in process.name() or "spawn_main" in " ".join(process.cmdline())
            ):
                found.append(process)
    return found


@pytest.mark.browser
@pytest.mark.parametrize("browser", [True, "auto"])
def test_rendered_pages_while_an_actor_is_killed(connection, options, judge, tmp_path, browser):
    from blocksight.batch.ray.ray_run import run_on_ray

    mark, reported, seen = os.environ["PYTHONPATH"].partition(os.pathsep)[0], [], 0
    render = bs.RenderOptions(timeout=60.0, allow_private=True)
    options = replace(options, browser=browser, system="blocksight-dom", workers=2, render=render, shard_rows=4)
    pool = ActorPool(least=1, most=1, cpus=1.0, memory=100_000_000)
    with serve(Site) as address:
        sources = [f"{address}/{number}" for number in range(RENDERED)]
        for row in run_on_ray(sources, tmp_path / "out", options=options, pool=pool):
            reported.append(row)
            if len(reported) == RENDERED // 3:
                seen = len(browsers(mark))
                for actor in workers():
                    actor.kill()
    assert [row["error"] for row in reported if row["error_kind"]] == []
    assert len(filed(tmp_path / "out")) == len({row["id"] for row in reported}) == RENDERED
    for row in reported:
        number = row["source"].rpartition("/")[2]
        assert f"Pot number {number} is filled" in row["text"]
        assert row["seconds_render"] > 0
    assert seen > 1
    for _ in range(100):
        if not (left := browsers(mark)):
            break
        time.sleep(0.2)
    assert left == [], "an actor that is killed leaves no browser"
