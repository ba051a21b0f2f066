"""Cost of rendering, next to Playwright."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import blocksight as bs
import click
import numpy as np
import trafilatura
from blocksight.render.chromium import page_session
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.network.local_server import serve_folder
from blocksight.render.visibility.pending_page import PendingPage
from common import (
    INTEGERS,
    cpu_seconds,
    folder_argument,
    html_files,
    private_megabytes,
    processes,
    table_head,
    table_row,
)
from playwright.async_api import async_playwright
from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

T = TypeVar("T")
SIZES = ((0, "under 2,000 nodes"), (2000, "2,000 to 7,000"), (7000, "7,000 to 13,000"), (13000, "more"))
OFFLINE_FLAGS = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars"]
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


class PeakMemory(threading.Thread):
    """Samples the memory of this process and its descendants, without what they share; ``megabytes`` is the largest."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.megabytes = 0.0
        self._ended = threading.Event()

    def __enter__(self) -> PeakMemory:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        """Sample until the end."""
        while not self._ended.wait(MEMORY_SECONDS):
            self.megabytes = max(self.megabytes, sum(map(private_megabytes, processes())))


def their_text(browser: PlaywrightBrowser, url: str) -> int:
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


def our_text(browser: bs.Browser, options: bs.RenderOptions, url: str) -> int:
    """Render a page and extract; return its number of nodes."""
    page = browser.open(url, options=options)
    _ = bs.extract(page).text
    return len(page)


def paired_costs(urls: list[str]) -> dict[str, np.ndarray]:
    """Return for each program, float (pages, 3): its CPU and wall seconds, and nodes (ours) or characters (theirs)."""
    rows: list[list[tuple[float, float, int]]] = []
    with bs.Browser(pages=1, options=OPTIONS) as browser, sync_playwright() as playwright:
        other = playwright.chromium.launch(
            executable_path=find_browser().path, args=OFFLINE_FLAGS, chromium_sandbox=False
        )
        programs: dict[str, Callable[[str], int]] = {
            name: partial(our_text, browser, options) for name, options in SETTINGS.items()
        }
        programs[PLAYWRIGHT] = partial(their_text, other)
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
    peaks: dict[str, list[float]] = {DEFAULT: [], PLAYWRIGHT: []}
    with bs.Browser(pages=1, options=OPTIONS) as browser:
        for url in urls:
            with PeakMemory() as memory, suppress(bs.PageFailed):
                our_text(browser, OPTIONS, url)
            peaks[DEFAULT].append(memory.megabytes)
    with sync_playwright() as playwright:
        other = playwright.chromium.launch(
            executable_path=find_browser().path, args=OFFLINE_FLAGS, chromium_sandbox=False
        )
        for url in urls:
            with PeakMemory() as memory, suppress(PlaywrightError):
                their_text(other, url)
            peaks[PLAYWRIGHT].append(memory.megabytes)
    for name, values in peaks.items():
        print(f"peak memory a page, {name}: median {np.median(values):.0f} MB, most {max(values):.0f} MB")


def report_decoding(urls: list[str]) -> None:
    """Print the CPU time of decoding snapshots to pages."""
    rows: list[tuple[float, int]] = []

    def recorded(*args: object, **options: object) -> PendingPage:
        start = time.thread_time()
        pending = decode_snapshot(*args, **options)  # type: ignore[arg-type]
        pending.finish()
        rows.append((time.thread_time() - start, max(len(pending.plain), 1)))
        return pending

    with patch.object(page_session, "decode_snapshot", recorded), bs.Browser(pages=1, options=OPTIONS) as browser:
        for _ in browser.open_many(urls):
            pass
    seconds, nodes = np.asarray(rows).T
    # The cost of a page apart from its nodes, since the mean of small pages would mix both.
    per_node, per_page = np.polyfit(nodes, seconds, 1)
    print(
        f"decode: {1e6 * seconds.sum() / nodes.sum():.2f} ms CPU for 1,000 nodes over all, {1e6 * per_node:.2f} without"
        f" {1e3 * per_page:.2f} a page; median over pages {1e6 * np.median(seconds / nodes):.2f}"
    )


def run_ours(urls: list[str], at_once: int) -> tuple[float, int]:
    """Render and extract; return wall seconds and the number of pages that did not fail."""
    with bs.Browser(pages=at_once, options=OPTIONS) as browser:
        browser.open(urls[0])
        start, good = time.perf_counter(), 0
        for result in browser.open_many(urls):
            if result.page is not None:
                bs.extract(result.page)
                good += 1
        return time.perf_counter() - start, good


async def run_playwright(urls: list[str], at_once: int) -> tuple[float, int]:
    """Load with Playwright and extract with trafilatura."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser().path, args=OFFLINE_FLAGS, chromium_sandbox=False
        )
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


@click.command()
@folder_argument
@click.option("--limit", default=100)
@click.option("--at-once", type=INTEGERS, default="1,2,4", show_default=True, help="Pages rendered at the same time.")
def rendered(folder: Path, limit: int, at_once: list[int]) -> None:
    r"""Measure rendering next to Playwright, on the same pages in the same run.

    FOLDER holds HTML files, served on 127.0.0.1; no program can reach the network beyond. Printed are

    \b
    - CPU and wall time of Browser.open and extract as a ratio to goto and content() of Playwright with trafilatura, by
      size of page, and with other settings; CPU time is that of the browser, the driver and Python together;
    - the most memory of all these processes, a page at a time;
    - the CPU time of decoding a snapshot to a Page, for a thousand nodes;
    - pages a second with the content extracted: blocksight, and Playwright with trafilatura.
    """
    files = html_files(folder, limit)
    with serve_folder(folder) as address:
        urls = [f"{address}/{path.name}" for path in files]
        report_ratios(paired_costs(urls))
        report_memory(urls)
        report_decoding(urls)
        for number in at_once:
            rates = {
                DEFAULT: run_ours(urls, number),
                PLAYWRIGHT: asyncio.run(run_playwright(urls, number)),
            }
            cells = "  ".join(f"{name} {good / seconds:.2f} ({good})" for name, (seconds, good) in rates.items())
            print(f"pages a second, {number} at once (pages that did not fail): {cells}")
