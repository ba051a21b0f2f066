"""Cost in time and memory, next to other programs on the same pages in the same run.

python benchmarks/cost.py raw | rendered | batch
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import blocksight as bs
import click
import numpy as np
import trafilatura
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.network.local_server import QuietHandler, serve, serve_folder
from common import (
    FOLDER,
    INTEGERS,
    PeakMemory,
    corpora_argument,
    cpu_seconds,
    private_megabytes,
    processes,
    respond,
    run,
    skip,
    split_option,
    table_head,
    table_row,
    timed,
)
from playwright.async_api import async_playwright
from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

T = TypeVar("T")
seed_option = click.option("--seed", default=0, show_default=True, help="Of the random choice of pages.")


def drawn(corpora: Sequence[Path], split: str, seed: int) -> list[GoldPage]:
    """Return the pages of a split in random order, one of each corpus in turn."""
    order, of_corpora = np.random.default_rng(seed), []
    for corpus in corpora:
        pages = [page for page in read_corpus(corpus) if page.split == split and not page.error]
        of_corpora.append([pages[number] for number in order.permutation(len(pages))])
    return [page for turn in zip_longest(*of_corpora) for page in turn if page is not None]


@click.group(help=__doc__)
def cost() -> None:
    """Define the command line."""


# -- raw HTML ---------------------------------------------------------------------------------------------------------


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
    "text": (
        lambda raw, url: bs.extract(bs.parse(raw, url=url)).text,
        lambda raw, url: trafilatura.extract(raw, url=url) or "",
    ),
    "Markdown and metadata": (our_markdown, their_markdown),
}


def job_seconds(pages: Sequence[GoldPage], rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the least CPU seconds of each page, job and program, float (pages, 2 * jobs), and of the first texts.

    A page that one of them refuses has no row. Of first texts, float (pages, 2), a program has cached nothing.
    """
    steps: list[list[Callable[[], str]]] = []
    first: list[list[float]] = []
    for page in pages:
        data, url = page.raw(), page.url or "https://example.org/"
        row: list[Callable[[], str]] = [partial(write, data, url) for pair in JOBS.values() for write in pair]
        with suppress(bs.BlocksightError, ValueError):
            first.append([timed(step)[0] for step in row])
            steps.append(row)
    seconds = np.asarray(first)
    for _ in range(rounds):
        seconds = np.minimum(seconds, [[timed(step)[0] for step in row] for row in steps])
    return seconds, np.asarray(first)[:, :2]


@cost.command()
@corpora_argument
@click.option("--limit", default=30)
@click.option("--rounds", default=3, help="The fastest round of each page counts.")
@split_option
@seed_option
@click.option("--bytes", "size", type=int, nargs=2, default=(0, 10**9), metavar="MIN MAX")
def raw(corpora: tuple[Path, ...], limit: int, rounds: int, split: str, seed: int, size: tuple[int, int]) -> None:
    """Measure raw HTML next to trafilatura: one process, one thread, bytes in, text out; no browser.

    Two jobs, with the defaults of each program: plain text, and Markdown with metadata. Both programs read the same
    pages, drawn at random from the corpora, by turns. A page that one of them refuses is left out for both.
    """
    pages = [page for page in drawn(corpora, split, seed) if size[0] <= len(page.raw()) <= size[1]][:limit]
    milliseconds, first = (1000 * seconds for seconds in job_seconds(pages, rounds))
    if not len(milliseconds):
        raise SystemExit("no page could be read: name a corpus with pages of that split and size")
    print(f"{len(milliseconds)} pages, load {os.getloadavg()[0]:.1f}")
    for number, job in enumerate(JOBS):
        ours, theirs = milliseconds[:, 2 * number], milliseconds[:, 2 * number + 1]
        ratio = np.median(ours / np.maximum(theirs, 0.1))
        print(f"{job}: {ours.mean():.1f} ms a page (median {np.median(ours):.1f}), trafilatura {theirs.mean():.1f}")
        print(f"    ratio {ours.sum() / theirs.sum():.2f} of the sums, {ratio:.2f} median of the pages")
    ours, theirs = first[1:].T  # the first page loads models and rules
    print(f"text, each page once: {ours.mean():.1f} ms, {theirs.mean():.1f}; ratio {ours.sum() / theirs.sum():.2f}")


# -- rendered pages ---------------------------------------------------------------------------------------------------

SIZES = ((0, "under 2,000 nodes"), (2000, "2,000 to 7,000"), (7000, "7,000 to 13,000"), (13000, "more"))
OPTIONS = bs.RenderOptions(offline=True, allow_private=True)
DEFAULT, PLAYWRIGHT = "blocksight", "Playwright + trafilatura"
#: "light" takes no pictures, does not scroll, and loads neither media nor images of known size.
SETTINGS = {
    DEFAULT: OPTIONS,
    "--look never": replace(OPTIONS, look="never"),
    "light": replace(OPTIONS, look="never", scroll=0, settle=1.0, block=("image", "media", "ping")),
}
#: Seconds between two samples of memory.
MEMORY_SECONDS = 0.02
PAGE_SECONDS = 30.0
#: Seconds in which the browser ends the processes of a page.
END_SECONDS = 0.15


def cpu_and_wall(step: Callable[[], T]) -> tuple[float, float, T]:
    """Return the CPU seconds of all processes and the wall seconds of a step, and its result.

    What the browser does after the step, as it ends the processes of a page, counts as its CPU.
    """
    cpu, start = cpu_seconds(), time.perf_counter()
    result = step()
    wall = time.perf_counter() - start
    time.sleep(END_SECONDS)
    return cpu_seconds() - cpu, wall, result


def launch_options() -> dict[str, Any]:
    """Return the options of Playwright's browser: the same program, which cannot reach the network."""
    flags = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars"]
    return {"executable_path": find_browser().path, "args": flags, "chromium_sandbox": False}


def their_rendering(browser: PlaywrightBrowser, url: str) -> int:
    """Load a page with Playwright and extract with trafilatura; return the length of its HTML."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(url)
        html = page.content()
        trafilatura.extract(html, include_comments=False)
        return len(html)
    finally:
        context.close()


def our_rendering(browser: bs.Browser, options: bs.RenderOptions, url: str) -> int:
    """Render a page and extract; return its number of nodes."""
    page = browser.open(url, options=options)
    _ = bs.extract(page).text
    return len(page)


def paired_costs(urls: list[str]) -> dict[str, np.ndarray]:
    """Return for each program, float (pages, 3): its CPU and wall seconds, and nodes (ours) or characters (theirs)."""
    rows: list[list[tuple[float, float, int]]] = []
    with bs.Browser(pages=1, options=OPTIONS) as browser, sync_playwright() as playwright:
        other = playwright.chromium.launch(**launch_options())
        programs: dict[str, Callable[[str], int]] = {
            name: partial(our_rendering, browser, options) for name, options in SETTINGS.items()
        }
        programs[PLAYWRIGHT] = partial(their_rendering, other)
        names = list(programs)
        for number, url in enumerate([urls[0], *urls]):
            # In another order for each page, so that no program always finds the caches warm.
            turn = number % len(names)
            try:
                costs = {name: cpu_and_wall(partial(programs[name], url)) for name in names[turn:] + names[:turn]}
            except (bs.PageFailed, PlaywrightError) as error:
                print(error, file=sys.stderr)
                continue
            if number:
                rows.append([costs[name] for name in names])
    return dict(zip(names, np.asarray(rows).transpose(1, 0, 2), strict=True))


def report_ratios(costs: dict[str, np.ndarray]) -> None:
    """Print the costs of each setting, and ratios to those of Playwright by size of page."""
    theirs = costs.pop(PLAYWRIGHT)
    nodes = costs[DEFAULT][:, 2]
    bounds = [least for least, _ in SIZES] + [10**9]
    groups = [(name, (nodes >= bounds[i]) & (nodes < bounds[i + 1])) for i, (_, name) in enumerate(SIZES)]
    print(f"ratios to {PLAYWRIGHT}, load {os.getloadavg()[0]:.1f}")
    table_head(
        "setting", "pages", "CPU, sums", "CPU, median", "wall, sums", "wall, median", "CPU ms, both", "wall ms, both"
    )
    for setting, ours in costs.items():
        for name, chosen in [*groups, ("all", np.ones(len(nodes), dtype=bool))]:
            if chosen.any() and (setting == DEFAULT or name == "all"):
                cells = []
                for column in (0, 1):
                    mine, other = ours[chosen, column], np.maximum(theirs[chosen, column], 1e-3)
                    cells += [f"{mine.sum() / other.sum():.2f}", f"{np.median(mine / other):.2f}"]
                means = [f"{1e3 * ours[chosen, c].mean():.0f}, {1e3 * theirs[chosen, c].mean():.0f}" for c in (0, 1)]
                table_row(f"{setting}, {name}", chosen.sum(), *cells, *means)


def report_memory(urls: list[str]) -> None:
    """Print the most memory of all processes while each page was rendered and extracted, with one browser each."""

    def report(name: str, render: Callable[[str], int]) -> None:
        peaks = []
        for url in urls:
            memory = PeakMemory(private_megabytes, seconds=MEMORY_SECONDS)
            with memory, suppress(bs.PageFailed, PlaywrightError):
                render(url)
            peaks.append(memory.megabytes)
        print(f"peak memory a page, {name}: median {np.median(peaks):.0f} MB, most {max(peaks):.0f} MB")

    with bs.Browser(pages=1, options=OPTIONS) as browser:
        report(DEFAULT, partial(our_rendering, browser, OPTIONS))
    with sync_playwright() as playwright:
        report(PLAYWRIGHT, partial(their_rendering, playwright.chromium.launch(**launch_options())))


def our_rate(urls: list[str], at_once: int) -> tuple[float, int]:
    """Render and extract; return wall seconds and the number of pages that did not fail."""
    with bs.Browser(pages=at_once, options=OPTIONS) as browser:
        browser.open(urls[0])
        start, good = time.perf_counter(), 0
        for future in as_completed([browser.submit(url) for url in urls]):
            if future.exception() is None:
                bs.extract(future.result())
                good += 1
        return time.perf_counter() - start, good


async def their_rate(urls: list[str], at_once: int) -> tuple[float, int]:
    """Load with Playwright and extract with trafilatura."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        limit = asyncio.Semaphore(at_once)

        async def extract(url: str) -> bool:
            async with limit:
                context = await browser.new_context()
                try:
                    page = await context.new_page()
                    await page.goto(url, timeout=1000 * PAGE_SECONDS)
                    trafilatura.extract(await page.content(), include_comments=False)
                except PlaywrightError as error:
                    print(error.message.splitlines()[0], file=sys.stderr)
                    return False
                finally:
                    await context.close()
                return True

        await extract(urls[0])
        start = time.perf_counter()
        results = await asyncio.gather(*map(extract, urls))
        return time.perf_counter() - start, sum(results)


@contextmanager
def served(pages: Sequence[GoldPage]) -> Iterator[list[str]]:
    """Serve pages on 127.0.0.1, those of sites that are kept as a whole with all of the site; yield their addresses."""
    with ExitStack() as opened, tempfile.TemporaryDirectory() as folder:
        folders = {page.folder for page in pages if page.url_path} | {Path(folder)}
        roots = {one: opened.enter_context(serve_folder(one)) for one in folders}
        addresses = []
        for number, page in enumerate(pages):
            root, path = (page.folder, page.url_path) if page.url_path else (Path(folder), f"/{number}.html")
            if not page.url_path:
                (root / path[1:]).write_bytes(page.raw())
            addresses.append(roots[root] + path)
        yield addresses


@cost.command()
@corpora_argument
@click.option("--limit", default=100)
@split_option
@seed_option
@click.option("--at-once", type=INTEGERS, default="1,2,4", show_default=True, help="Pages rendered at the same time.")
def rendered(corpora: tuple[Path, ...], limit: int, split: str, seed: int, at_once: list[int]) -> None:
    r"""Measure rendering next to Playwright, on the same pages in the same run.

    Pages are drawn at random and served on 127.0.0.1; no program can reach the network beyond. Printed are

    \b
    - CPU and wall time of Browser.open and extract as a ratio to goto and content() of Playwright with trafilatura, by
      size of page, and with other settings; CPU time is that of the browser, the driver and Python together;
    - the most memory of all these processes, a page at a time;
    - pages a second with the content extracted: blocksight, and Playwright with trafilatura.
    """
    with served(drawn(corpora, split, seed)[:limit]) as urls:
        report_ratios(paired_costs(urls))
        report_memory(urls)
        for number in at_once:
            rates = {DEFAULT: our_rate(urls, number), PLAYWRIGHT: asyncio.run(their_rate(urls, number))}
            cells = "  ".join(f"{name} {good / seconds:.2f} ({good})" for name, (seconds, good) in rates.items())
            print(f"pages a second, {number} at once (pages that did not fail): {cells}")


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
        skip(f"there are no saved pages (.page) in {saved}")
    return [str(shutil.copy(pages[number % len(pages)], folder / f"{number:06d}.page")) for number in range(count)]


def batch_row(name: str, sources: list[str], workers: int) -> None:
    """Run ``blocksight batch``; print its rate, and its memory in the second and in the last fifth."""
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
        rate = len(sources) / (time.perf_counter() - start)
    fifth = max(len(megabytes) // 5, 1)
    early, late = max(megabytes[fifth : 2 * fifth] or megabytes), max(megabytes[-fifth:])
    table_row(name, len(sources), failed, f"{rate:.2f}", f"{early:.0f}", f"{late:.0f}")


@cost.command()
@click.argument("saved", type=FOLDER)
@click.option("--saved", "saved_count", default=2000, help="Number of saved pages.")
@click.option("--rendered", "rendered_count", default=100, help="Number of rendered pages.")
@click.option("--workers", type=INTEGERS, default="1,2", show_default=True)
def batch(saved: Path, saved_count: int, rendered_count: int, workers: list[int]) -> None:
    """Measure pages a second of ``blocksight batch``, and its memory early and late in a run.

    SAVED is a folder of saved pages (.page). Rendered pages are generated and served on 127.0.0.1. Memory is that of
    all processes, without what they share, in MB.
    """
    table_head("run", "pages", "failed", "pages a second", "MB early", "MB late")
    with serve(ScriptedSite) as address, tempfile.TemporaryDirectory() as folder:
        addresses = [f"{address}/{number}" for number in range(rendered_count)]
        for count in workers:
            batch_row(f"batch, rendered, {count} at once", addresses, count)
        paths = copied_pages(saved, saved_count, Path(folder))
        for count in workers:
            batch_row(f"batch, saved, {count} at once", paths, count)


if __name__ == "__main__":
    run(cost)
