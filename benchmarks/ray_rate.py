"""Pages a second of ``blocksight batch --ray`` on this computer, and the memory that its actors hold.

    python benchmarks/ray_rate.py SAVED [--saved 400] [--rendered 100] [--cpus 2] [--shard-rows 20]

SAVED is a folder of saved pages (``.page``). Rendered pages are made by ``batch_rate.py`` and served on 127.0.0.1. The
time counts from the first row to the last, as a cluster needs half a minute to begin, and once more with the beginning.
Memory is that of each kind of process at its largest, what it shares with others left out; the browser's processes
count with the actor that owns them. The table is Markdown.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import blocksight as bs
import psutil
import ray
from batch_rate import Site, linked
from blocksight.batch.ray.ray_run import run_on_ray
from blocksight.render.network.local_server import serve

#: Seconds between two looks at memory.
LOOK = 1.0


class Watch(threading.Thread):
    """Looks at the processes below this one: the most that each kind held, in MB, and the CPU seconds of all."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most: dict[str, float] = {}
        self.seconds: dict[int, float] = {}
        self._over = threading.Event()

    def run(self) -> None:
        """Look until the end."""
        while not self._over.wait(LOOK):
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    self._look(process)

    def _look(self, process: psutil.Process) -> None:
        kind = "".join(process.cmdline()[:1])
        times = process.cpu_times()
        self.seconds[process.pid] = times.user + times.system
        for name in ("Opening", "Finishing"):
            if f"({name})" in kind:
                size = sum(map(own, [process, *process.children(recursive=True)]))
                self.most[name] = max(self.most.get(name, 0.0), size)

    def end(self) -> None:
        """End it."""
        self._over.set()
        self.join()


def own(process: psutil.Process) -> float:
    """Return the megabytes that a process holds alone."""
    with suppress(psutil.Error):
        found = process.memory_info()
        return float(found.rss - getattr(found, "shared", 0)) / 1e6
    return 0.0


def measured(name: str, sources: Iterable[str], count: int, shard_rows: int, workers: int) -> str:
    """Run on the cluster; return a line of the table."""
    options = bs.BatchOptions(
        render=bs.RenderOptions(allow_private=True),
        workers=workers,
        shard_rows=shard_rows,
        limits=bs.RateLimits(robots=False, delay=0.0, per_host=1000),
    )
    watch, times, failed, began = Watch(), [], 0, time.perf_counter()
    watch.start()
    with tempfile.TemporaryDirectory() as out:
        for row in run_on_ray(sources, out, options=options):
            times.append(row["finished"])
            failed += row["error"] is not None
    whole = time.perf_counter() - began
    watch.end()
    rate = (len(times) - 1) / (max(times) - min(times))
    sizes = " | ".join(f"{watch.most.get(kind, 0.0):.0f}" for kind in ("Opening", "Finishing"))
    cpu = sum(watch.seconds.values()) / count
    return f"| {name} | {count} | {failed} | {rate:.2f} | {count / whole:.2f} | {cpu:.2f} | {sizes} |"


def main() -> None:
    """Run both kinds of pages and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("saved", type=Path, metavar="SAVED")
    parser.add_argument("--saved", type=int, default=400, dest="saved_count")
    parser.add_argument("--rendered", type=int, default=100)
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shard-rows", type=int, default=20)
    given = parser.parse_args()
    ray.init(num_cpus=given.cpus, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False)
    head = (
        "run",
        "pages",
        "failed",
        "pages a second",
        "with the beginning",
        "CPU s a page",
        "MB rendering",
        "MB judging",
    )
    print(f"| {' | '.join(head)} |\n|---|" + "---:|" * (len(head) - 1))
    try:
        with serve(Site) as address, tempfile.TemporaryDirectory() as folder:
            addresses = [f"{address}/{number}" for number in range(given.rendered)]
            print(measured("rendered", addresses, given.rendered, given.shard_rows, given.workers), flush=True)
            names = linked(given.saved, given.saved_count, Path(folder))
            print(measured("saved", names, given.saved_count, given.shard_rows, given.workers), flush=True)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
