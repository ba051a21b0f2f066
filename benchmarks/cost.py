"""Cost in time and memory, next to other programs on the same pages in the same run.

python benchmarks/cost.py raw | rendered | block-media | batch | ray | driver | service
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from operator import itemgetter
from pathlib import Path

import blocksight as bs
import click
import numpy as np
import psutil
import trafilatura
from blocksight.batch.extract_row import content_hash
from blocksight.batch.pipeline import Outcome, outcome
from blocksight.batch.sources.inputs import Input
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.network.local_server import QuietHandler, serve
from commands.block_media import block_media
from commands.rendering import rendered
from commands.service_load import service_load
from common import (
    FOLDER,
    INTEGERS,
    corpora_argument,
    private_megabytes,
    processes,
    respond,
    run,
    split_option,
    table_head,
    table_row,
    timed,
)


@click.group(help=__doc__)
def cost() -> None:
    """Define the command line."""


cost.add_command(rendered)
cost.add_command(block_media)
cost.add_command(service_load)

# -- raw HTML ---------------------------------------------------------------------------------------------------------


def our_text(raw: bytes, url: str) -> str:
    """Return the text of the content."""
    return bs.extract(bs.parse(raw, url=url)).text


def their_text(raw: bytes, url: str) -> str:
    """Return the same by trafilatura."""
    return trafilatura.extract(raw, url=url) or ""


def our_markdown(raw: bytes, url: str) -> str:
    """Return Markdown with metadata."""
    doc = bs.extract(bs.parse(raw, url=url))
    return doc.metadata.to_yaml() + doc.markdown


def their_markdown(raw: bytes, url: str) -> str:
    """Return the same by trafilatura."""
    text = trafilatura.extract(
        raw, url=url, output_format="markdown", with_metadata=True, include_images=True, include_links=True
    )
    return text or ""


JOBS: dict[str, tuple[Callable[[bytes, str], str], Callable[[bytes, str], str]]] = {
    "text": (our_text, their_text),
    "Markdown and metadata": (our_markdown, their_markdown),
}


def job_seconds(pages: Sequence[GoldPage], rounds: int, turns: str) -> np.ndarray:
    """Return the least CPU seconds of each page, job and program over some rounds, float (pages, 2 * jobs).

    ``turns``: the programs take turns after each "page", so that one finds the caches full of the other, or after each
    "round" of all pages. A page that one of them refuses has no row.
    """
    steps: list[list[Callable[[], str]]] = []
    for page in pages:
        data, url = page.raw(), page.url or "https://example.org/"
        row: list[Callable[[], str]] = [partial(write, data, url) for pair in JOBS.values() for write in pair]
        with suppress(bs.BlocksightError, ValueError):
            for step in row:  # the first page loads models and rules
                step()
            steps.append(row)
    seconds = np.full((len(steps), 2 * len(JOBS)), np.inf)
    cells = list(np.ndindex(seconds.shape))
    for _ in range(rounds):
        for number, job in cells if turns == "page" else sorted(cells, key=itemgetter(1)):
            spent, _ = timed(steps[number][job], is_clean=turns == "page")
            seconds[number, job] = min(seconds[number, job], spent)
    return seconds


@cost.command()
@corpora_argument
@click.option("--limit", default=30)
@click.option("--rounds", default=3, help="The fastest round of each page counts.")
@split_option
@click.option("--kind", default="", help="Only pages of this kind, if the corpus has kinds.")
@click.option("--bytes", "size", type=int, nargs=2, default=(0, 10**9), metavar="MIN MAX")
@click.option("--turns", type=click.Choice(["page", "round"]), default="page", show_default=True)
def raw(
    corpora: tuple[Path, ...], limit: int, rounds: int, split: str, kind: str, size: tuple[int, int], turns: str
) -> None:
    """Measure raw HTML next to trafilatura: one process, one thread, bytes in, text out; no browser.

    Two jobs, with the defaults of each program: plain text, and Markdown with metadata. Both programs read the same
    pages by turns: one page each, or all pages in a row, as a program reads them. A page that one of them refuses is
    left out for both.
    """
    pages = [page for corpus in corpora for page in read_corpus(corpus) if page.split == split]
    pages = [page for page in pages if kind in ("", page.kind) and size[0] <= len(page.raw()) <= size[1]]
    milliseconds = 1000 * job_seconds(sample(pages, limit), rounds, turns)
    if not len(milliseconds):
        raise SystemExit("no page could be read: name a corpus with pages of that split, kind and size")
    print(f"{len(milliseconds)} pages, turns by {turns}, load {os.getloadavg()[0]:.1f}")
    for number, job in enumerate(JOBS):
        ours, theirs = milliseconds[:, 2 * number], milliseconds[:, 2 * number + 1]
        ratio = np.median(ours / np.maximum(theirs, 0.1))
        print(f"{job}: {ours.mean():.1f} ms a page (median {np.median(ours):.1f}), trafilatura {theirs.mean():.1f}")
        print(f"    ratio {ours.sum() / theirs.sum():.2f} of the sums, {ratio:.2f} median of the pages")


# -- batches ----------------------------------------------------------------------------------------------------------

WORDS = "fresh water is boiled, the pot is warmed, and the leaves draw for three minutes or four, as all like it. "
#: Samples of memory in a run.
SAMPLES = 20


class ScriptedSite(QuietHandler):
    """Serves pages whose text is written by a script."""

    def do_GET(self) -> None:
        """Respond with a page that contains its number."""
        text = f"Page {self.path} tells that {WORDS * 8}"
        body = (
            f"<!doctype html><title>Tea {self.path}</title><nav>{'<a href=/>home</a> ' * 20}</nav><article><h1>Tea</h1>"
            f"<p id=p></p></article><script>document.getElementById('p').textContent = '{text}'</script>"
        )
        respond(self, "text/html", body.encode())


def copied_pages(saved: Path, count: int, folder: Path) -> list[str]:
    """Return the paths of ``count`` saved pages, copied into a folder; they repeat if there are fewer."""
    pages = sorted(saved.rglob("*.page"))
    if not pages:
        raise SystemExit(f"{saved}: there are no saved pages (.page)")
    paths = []
    for number, page in enumerate(itertools.islice(itertools.cycle(pages), count)):
        path = folder / f"{number:06d}.page"
        path.write_bytes(page.read_bytes())
        paths.append(str(path))
    return paths


def batch_row(name: str, pages: int, failed: int, seconds: float, megabytes: Sequence[float]) -> None:
    """Print the rate of a run, and its memory in the second and in the last fifth."""
    fifth = max(len(megabytes) // 5, 1)
    early, late = max(megabytes[fifth : 2 * fifth] or megabytes), max(megabytes[-fifth:])
    table_row(name, pages, failed, f"{pages / seconds:.2f}", f"{early:.0f}", f"{late:.0f}")


def run_ours(name: str, sources: list[str], workers: int) -> None:
    """Run ``blocksight batch`` and print its row."""
    render = bs.RenderOptions(allow_private=True)
    limits = bs.RateLimits(robots=False, delay=0.0, per_host=workers)
    options = bs.BatchOptions(render=render, workers=workers, limits=limits)
    with tempfile.TemporaryDirectory() as out:
        start, failed, step = time.perf_counter(), 0, max(len(sources) // SAMPLES, 1)
        megabytes = []
        for number, row in enumerate(bs.run_batch(sources, out, options=options)):
            failed += row["error"] is not None
            if number % step == 0:
                megabytes.append(sum(map(private_megabytes, processes())))
        batch_row(name, len(sources), failed, time.perf_counter() - start, megabytes)


async def run_playwright(sources: list[str], workers: int) -> None:
    """Do the same with Playwright and trafilatura and print its row."""
    from playwright.async_api import async_playwright

    remaining, megabytes, failed = iter(sources), list[float](), 0
    start = time.perf_counter()
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox"] if is_root() else []
        browser = await playwright.chromium.launch(executable_path=find_browser().path, args=arguments)

        async def work() -> None:
            nonlocal failed
            for source in remaining:
                page = await browser.new_page()
                await page.goto(source, wait_until="networkidle")
                html = await page.content()
                await page.close()
                failed += not await asyncio.to_thread(trafilatura.extract, html)
                megabytes.append(sum(map(private_megabytes, processes())))

        await asyncio.gather(*(work() for _ in range(workers)))
        await browser.close()
    name = f"Playwright + trafilatura, {workers} at once"
    batch_row(name, len(sources), failed, time.perf_counter() - start, megabytes)


saved_argument = click.argument("saved", type=FOLDER)


@cost.command()
@saved_argument
@click.option("--saved", "saved_count", default=2000, help="Number of saved pages.")
@click.option("--rendered", "rendered_count", default=100, help="Number of rendered pages.")
@click.option("--workers", type=INTEGERS, default="1,2", show_default=True)
def batch(saved: Path, saved_count: int, rendered_count: int, workers: list[int]) -> None:
    """Measure pages a second and memory of ``blocksight batch``, next to Playwright with trafilatura.

    SAVED is a folder of saved pages (.page). Rendered pages are generated and served on 127.0.0.1; the other program
    loads each in a page of its own and passes its HTML to trafilatura. Memory is that of all processes, without what
    they share, in MB.
    """
    table_head("run", "pages", "failed", "pages a second", "MB early", "MB late")
    with serve(ScriptedSite) as address, tempfile.TemporaryDirectory() as folder:
        addresses = [f"{address}/{number}" for number in range(rendered_count)]
        for count in workers:
            run_ours(f"batch, rendered, {count} at once", addresses, count)
            asyncio.run(run_playwright(addresses, count))
        paths = copied_pages(saved, saved_count, Path(folder))
        for count in workers:
            run_ours(f"batch, saved, {count} at once", paths, count)


# -- a cluster --------------------------------------------------------------------------------------------------------

#: Seconds between two samples of memory.
INTERVAL = 1.0


class ActorMonitor(threading.Thread):
    """Samples the descendants of this process: peak memory of an actor in MB, CPU seconds of each process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.megabytes = 0.0
        self.seconds: dict[int, float] = {}
        self.ended = threading.Event()

    def run(self) -> None:
        """Sample until the end."""
        while not self.ended.wait(INTERVAL):
            for process in processes()[1:]:
                with suppress(psutil.Error):
                    self._sample(process)

    def _sample(self, process: psutil.Process) -> None:
        times = process.cpu_times()
        self.seconds[process.pid] = times.user + times.system
        if "PageActor" in "".join(process.cmdline()[:1]):
            size = sum(map(private_megabytes, [process, *process.children(recursive=True)]))
            self.megabytes = max(self.megabytes, size)


def run_cluster(name: str, sources: Sequence[str], shard_rows: int, workers: int) -> None:
    """Run a batch on the cluster and print its row."""
    from blocksight.batch.ray.ray_run import run_on_ray

    render, limits = bs.RenderOptions(allow_private=True), bs.RateLimits(robots=False, delay=0.0, per_host=1000)
    options = bs.BatchOptions(render=render, workers=workers, shard_rows=shard_rows, limits=limits)
    monitor, times, failed, start = ActorMonitor(), [], 0, time.perf_counter()
    monitor.start()
    with tempfile.TemporaryDirectory() as out:
        for row in run_on_ray(sources, out, options=options):
            times.append(row["finished"])
            failed += row["error"] is not None
    seconds = time.perf_counter() - start
    monitor.ended.set()
    monitor.join()
    rates = [(len(times) - 1) / (max(times) - min(times)), len(sources) / seconds]
    cpu = sum(monitor.seconds.values()) / len(sources)
    table_row(name, len(sources), failed, *(f"{value:.2f}" for value in (*rates, cpu)), f"{monitor.megabytes:.0f}")


@cost.command()
@saved_argument
@click.option("--saved", "saved_count", default=400, help="Number of saved pages.")
@click.option("--rendered", "rendered_count", default=100, help="Number of rendered pages.")
@click.option("--cpus", default=2)
@click.option("--workers", default=2)
@click.option("--shard-rows", default=20)
def ray(saved: Path, saved_count: int, rendered_count: int, cpus: int, workers: int, shard_rows: int) -> None:
    """Measure pages a second of ``blocksight batch --ray`` on this computer, and the memory of its actors.

    Time counts from the first row to the last, since a cluster needs half a minute to start, and again with the start.
    Memory is the peak of an actor with its browser and workers, without what processes share.
    """
    try:
        import ray as cluster
    except ImportError:
        sys.exit("skipped: Ray is not installed")
    cluster.init(num_cpus=cpus, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False)
    table_head("run", "pages", "failed", "pages a second", "with the start", "CPU s a page", "MB an actor")
    try:
        with serve(ScriptedSite) as address, tempfile.TemporaryDirectory() as folder:
            run_cluster("rendered", [f"{address}/{number}" for number in range(rendered_count)], shard_rows, workers)
            run_cluster("saved", copied_pages(saved, saved_count, Path(folder)), shard_rows, workers)
    finally:
        cluster.shutdown()


class StubActor:
    """An actor whose pages take no time."""

    def __init__(self, *_: object) -> None:
        pass

    def ready(self, *_: object) -> str:
        """Return that it can take part."""
        return ""

    def process(self, entry: Input, _: object) -> Outcome:
        """Return a row with a text of some 3 kB."""
        text = f"{entry.source} " + "tea " * 750
        return outcome(entry, {"text": text, "markdown": text, "content_hash": content_hash(text)}, "")


@cost.command()
@click.option("--pages", default=20_000)
@click.option("--actors", default=2)
@click.option("--workers", default=16)
def driver(pages: int, actors: int, workers: int) -> None:
    """Measure how many pages a second the driver of a cluster gives out and stores, with pages that take no time."""
    try:
        import ray as cluster
    except ImportError:
        sys.exit("skipped: Ray is not installed")
    from blocksight.batch.ray import actor_tasks
    from blocksight.batch.ray.ray_run import run_on_ray

    actor_tasks.PageActor = StubActor  # type: ignore[assignment, attr-defined]
    cluster.init(num_cpus=actors, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False)
    options = bs.BatchOptions(workers=workers, limits=bs.RateLimits(robots=False, delay=0.0))
    pool = actor_tasks.ActorPool(least=actors, most=actors, cpus=1.0, memory=100_000_000)
    sources = (f"https://site{number % 1000}.example/{number}" for number in range(pages))
    with tempfile.TemporaryDirectory() as out:
        rows = run_on_ray(sources, out, options=options, pool=pool)
        next(rows)
        start, cpu = time.perf_counter(), time.process_time()
        count = sum(1 for _ in rows)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    cluster.shutdown()
    table_head("pages", "pages a second", "CPU ms of the driver a page")
    table_row(f"{count:,}", f"{count / seconds:.0f}", f"{1000 * cpu / count:.2f}")


if __name__ == "__main__":
    run(cost)
