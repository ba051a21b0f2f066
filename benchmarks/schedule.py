"""Simulate the order in which a batch asks hosts, with a virtual clock, and measure the ledger at its largest."""

from __future__ import annotations

import heapq
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self, cast

import click
import orjson
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.extract_row import content_hash
from blocksight.batch.host_queue import HostQueue
from blocksight.batch.output.ledger import NAME, Ledger
from blocksight.batch.output.waiting_inputs import WaitingInputs
from blocksight.batch.pipeline import Outcome, outcome
from blocksight.batch.robots import ALLOW_ALL, RobotsRules
from blocksight.batch.run import Run
from blocksight.batch.sources.inputs import Input, input_of
from blocksight.batch.tasks import Tasks
from common import INTEGERS, cpu_seconds, run, table_head, table_row

_CHUNK = 100


@click.group(help=__doc__)
def schedule() -> None:
    """Define the command line."""


def inputs(hosts: Iterable[int], *, mixed: bool = False) -> Iterator[Input]:
    """Yield the inputs of hosts with some pages each, sorted by host, or with the hosts in turn."""
    names = [(f"https://site{number}.example", count) for number, count in enumerate(hosts)]
    if mixed:
        for page in range(max(count for _, count in names)):
            yield from (input_of(f"{host}/{page}") for host, count in names if page < count)
    else:
        yield from (input_of(f"{host}/{page}") for host, count in names for page in range(count))


def note(ledger: Ledger, entries: Iterator[Input]) -> int:
    """Note inputs in a ledger, as a run does."""
    count = 0
    while chunk := list(islice(entries, _CHUNK)):
        count += len(ledger.add(chunk))
    return count


def simulate(ledger: Ledger, limits: RateLimits, workers: int, seconds: float) -> tuple[float, int]:
    """Process all waiting inputs on a virtual clock; return its time at the end and the number of pages.

    A page takes 0.5 to 1.5 times ``seconds``, at random.
    """
    queue, now, pages = HostQueue(WaitingInputs(ledger), limits), 0.0, 0
    chance = random.Random(1)
    ends: list[tuple[float, int, Input | str]] = []
    while True:
        while len(ends) < workers and (entry := queue.next(now)) is not None:
            pages += 1
            heapq.heappush(ends, (now + seconds * chance.uniform(0.5, 1.5), pages, entry))
        pause = queue.wait(now) if len(ends) < workers else None
        if not ends and pause is None:
            return now, pages
        if pause is not None and (not ends or now + pause < ends[0][0]):
            now += max(pause, 1e-9)
            continue
        now, _, done = heapq.heappop(ends)
        if isinstance(done, str):
            queue.set_rules(done, ALLOW_ALL)
        else:
            queue.finish(done, now)


def least_seconds(hosts: Counter[str], limits: RateLimits, workers: int, seconds: float) -> float:
    """Return a bound below which no schedule ends: by the workers, and by the host with the most pages."""
    extra = 1 if limits.robots else 0
    total = sum(hosts.values()) + extra * len(hosts)
    chain = max(hosts.values()) - 1 + extra
    return max(total * seconds / workers, chain * limits.delay, chain * seconds / limits.per_host)


@schedule.command()
@click.option("--pages", type=INTEGERS, default="10000,1000,200", help="Pages of each host.")
@click.option("--total", default=40_000, help="Inputs of one list, of 8 hosts more than workers at least.")
@click.option("--workers", default=32)
@click.option("--delay", default=1.0)
@click.option("--seconds", default=1.0, help="Mean time of a page.")
def pace(pages: list[int], total: int, workers: int, delay: float, seconds: float) -> None:
    """Compare the time of sorted, mixed and uneven lists with the least that is possible."""
    limits = RateLimits(delay=delay, robots=False)
    table_head("list", "inputs", "hosts", "pages/s", "possible", "share")
    for count in pages:
        hosts = [count] * max(total // count, workers + 8)
        uneven = [max(int(count * (rank + 1) ** -0.7), 1) for rank in range(len(hosts))]
        lists = {"sorted": (hosts, False), "in turn": (hosts, True), "uneven, the largest last": (uneven[::-1], False)}
        for name, (sizes, mixed) in lists.items():
            with TemporaryDirectory() as folder:
                ledger = Ledger(Path(folder) / NAME)
                note(ledger, inputs(sizes, mixed=mixed))
                counts = Counter({str(number): size for number, size in enumerate(sizes)})
                took, done = simulate(ledger, limits, workers, seconds)
                ledger.close()
            least = least_seconds(counts, limits, workers, seconds)
            cells = f"{done:,}", f"{len(sizes):,}", f"{done / took:.1f}", f"{done / least:.1f}", f"{least / took:.1%}"
            table_row(f"{count:,} pages a host, {name}", *cells)


@schedule.command()
@click.option("--inputs", "total", default=1_000_000)
@click.option("--hosts", default=100_000)
@click.option("--steps", default=200_000, help="Inputs that are taken from the queue and finished.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the ledger; it is kept.")
def growth(total: int, hosts: int, steps: int, folder: Path | None) -> None:
    """Measure noting inputs, opening the ledger, the first input, and steps of the queue."""
    with TemporaryDirectory() as temporary:
        path = (folder or Path(temporary)) / NAME
        path.parent.mkdir(parents=True, exist_ok=True)
        rows: list[tuple[str, float, float]] = []

        def stage(name: str, start: float, cpu: float) -> None:
            rows.append((name, time.monotonic() - start, cpu_seconds() - cpu))
            print(f"{name}: {rows[-1][1]:.1f} s, {rows[-1][2]:.1f} CPU s, {_peak_mb():.0f} MB", file=sys.stderr)

        each, more = divmod(total, hosts)
        start, cpu = time.monotonic(), cpu_seconds()
        ledger = Ledger(path)
        note(ledger, inputs(each + (number < more) for number in range(hosts)))
        stage(f"note {total:,} inputs of {hosts:,} hosts", start, cpu)
        ledger.close()
        start, cpu = time.monotonic(), cpu_seconds()
        ledger = Ledger(path)
        stage("open the ledger", start, cpu)
        start, cpu = time.monotonic(), cpu_seconds()
        queue = HostQueue(WaitingInputs(ledger), RateLimits(delay=1.0, robots=False))
        first = queue.next(0.0)
        stage("first input", start, cpu)
        start, cpu = time.monotonic(), cpu_seconds()
        row, now, done = orjson.dumps({"text": "tea " * 500}), 0.0, 0
        while isinstance(first, Input) and done < steps:
            ledger.finish(first.id, row, error_kind=None, tries=1)
            ledger.query("UPDATE inputs SET row = NULL WHERE id = ?", first.id)
            queue.finish(first, now)
            done += 1
            while (first := queue.next(now)) is None:
                now += queue.wait(now) or 1e-3
        stage(f"{done:,} steps", start, cpu)
        ledger.close()
        table_head("stage", "seconds", "CPU s")
        for name, seconds, cpu in rows:
            table_row(name, f"{seconds:.1f}", f"{cpu:.1f}")
        disk = sum(file.stat().st_size for file in path.parent.glob(f"{NAME}*"))
        print(f"\nmost memory {_peak_mb():.0f} MB, ledger {disk / 1e6:.0f} MB, {disk / total:.0f} bytes an input")


class StubTasks:
    """Pages that take no time."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def slots(self) -> int:
        """Return a number of workers."""
        return 32

    def process(self, entry: Input, _: object) -> Future[Outcome]:
        """Return a row with a text of some 3 kB."""
        text = f"{entry.source} " + "tea " * 750
        future = Future[Outcome]()
        future.set_result(outcome(entry, {"text": text, "content_hash": content_hash(text)}, ""))
        return future

    def stop(self) -> None:
        """Do nothing: no page is left."""

    def rules(self, _: str) -> Future[RobotsRules]:
        """Allow all."""
        future = Future[RobotsRules]()
        future.set_result(ALLOW_ALL)
        return future

    def wants_more(self) -> None:
        """Do nothing."""


class StubRun(Run):
    """A run whose pages take no time."""

    def _start_workers(self, pages: Path | None, warcs: Path | None) -> None:
        del pages, warcs

    def _tasks(self) -> AbstractContextManager[Tasks]:
        return StubTasks()


@schedule.command()
@click.option("--inputs", "total", default=100_000, help="Inputs that are noted first; 0 for those of the folder.")
@click.option("--hosts", default=10_000)
@click.option("--rows", "most", default=100_000, help="Pages that are processed.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run; it is kept.")
def stub(total: int, hosts: int, most: int, folder: Path | None) -> None:
    """Measure a whole run, ledger, queue and files of rows, with pages that take no time."""
    options = BatchOptions(browser=False, limits=RateLimits(robots=False, delay=0.0))
    with TemporaryDirectory() as temporary, StubRun(folder or Path(temporary), options) as made:
        each, more = divmod(total, hosts)
        if total:
            made.note(entry.source for entry in inputs(each + (number < more) for number in range(hosts)))
            made.summary.recount()
        start, cpu = time.monotonic(), cpu_seconds()
        with closing(cast(Generator[object, None, None], made.rows())) as rows:
            done = sum(1 for _ in islice(rows, most))
        seconds, cpu = time.monotonic() - start, cpu_seconds() - cpu
        inputs_in_all = made.summary.total
        out = folder or Path(temporary)
        disk = sum(file.stat().st_size for file in (out / "rows").iterdir())
        table_head("inputs of the folder", "pages", "seconds", "CPU ms a page", "MB", "bytes of rows a page")
        cells = f"{done:,}", f"{seconds:.1f}", f"{1000 * cpu / done:.2f}", f"{_peak_mb():.0f}", f"{disk / done:.0f}"
        table_row(f"{inputs_in_all:,}", *cells)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    run(schedule)
