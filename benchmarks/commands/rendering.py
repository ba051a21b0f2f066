"""Cost of rendering, next to Playwright."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
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
from common import INTEGERS, cpu_seconds, folder_argument, html_files
from playwright.async_api import async_playwright
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

T = TypeVar("T")
SIZES = ((0, "under 2,000 nodes"), (2000, "2,000 to 7,000"), (7000, "7,000 to 13,000"), (13000, "more"))
OFFLINE_FLAGS = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars"]
OPTIONS = bs.RenderOptions(offline=True, allow_private=True)
PAGE_SECONDS = 30.0


def cpu_and_wall(step: Callable[[], T]) -> tuple[float, float, T]:
    """Return the CPU seconds of all processes and the wall seconds of a step, and its result."""
    cpu, start = cpu_seconds(), time.perf_counter()
    result = step()
    return cpu_seconds() - cpu, time.perf_counter() - start, result


def paired_costs(urls: list[str]) -> np.ndarray:
    """Return for each page the number of nodes, CPU and wall seconds of blocksight, and those of Playwright."""
    rows: list[tuple[float, ...]] = []
    with bs.Browser(pages=1, options=OPTIONS) as browser, sync_playwright() as playwright:
        other = playwright.chromium.launch(
            executable_path=find_browser().path, args=OFFLINE_FLAGS, chromium_sandbox=False
        )

        def ours(url: str) -> int:
            return len(browser.open(url))

        def theirs(url: str) -> int:
            context = other.new_context()
            try:
                page = context.new_page()
                page.goto(url)
                return len(page.content())
            finally:
                context.close()

        for number, url in enumerate([urls[0], *urls]):
            try:
                # In alternating order, so that neither program always finds the caches warm.
                order = (ours, theirs) if number % 2 else (theirs, ours)
                costs = {program: cpu_and_wall(partial(program, url)) for program in order}
            except (bs.PageFailed, PlaywrightError) as error:
                print(error, file=sys.stderr)
                continue
            if number:
                rows.append((costs[ours][2], *costs[ours][:2], *costs[theirs][:2]))
    return np.asarray(rows)


def report_ratios(rows: np.ndarray) -> None:
    """Print medians by size."""
    print(f"{len(rows)} pages; median ratio blocksight / Playwright goto + content (CPU, wall), CPU ms of both")
    bounds = [least for least, _ in SIZES] + [10**9]
    groups = [(name, (rows[:, 0] >= bounds[i]) & (rows[:, 0] < bounds[i + 1])) for i, (_, name) in enumerate(SIZES)]
    for name, chosen in [*groups, ("all", np.ones(len(rows), dtype=bool))]:
        if chosen.any():
            _, cpu, wall, their_cpu, their_wall = rows[chosen].T
            ratios = [
                np.median(ours / np.maximum(other, 1e-3)) for ours, other in ((cpu, their_cpu), (wall, their_wall))
            ]
            milliseconds = [1000 * np.median(values) for values in (cpu, their_cpu)]
            print(
                f"  {name:20} {chosen.sum():4} pages  CPU {ratios[0]:.2f}  wall {ratios[1]:.2f}"
                f"  {milliseconds[0]:.0f} / {milliseconds[1]:.0f} ms"
            )


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
    - CPU and wall time of Browser.open (navigate, settle, capture, decode to a Page) as a ratio to goto and content()
      of Playwright, by size of page; CPU time is that of the browser, the driver and Python together;
    - the CPU time of decoding a snapshot to a Page, for a thousand nodes;
    - pages a second with the content extracted: blocksight, and Playwright with trafilatura.
    """
    files = html_files(folder, limit)
    with serve_folder(folder) as address:
        urls = [f"{address}/{path.name}" for path in files]
        report_ratios(paired_costs(urls))
        report_decoding(urls)
        for number in at_once:
            rates = {
                "blocksight": run_ours(urls, number),
                "Playwright + trafilatura": asyncio.run(run_playwright(urls, number)),
            }
            cells = "  ".join(f"{name} {good / seconds:.2f} ({good})" for name, (seconds, good) in rates.items())
            print(f"pages a second, {number} at once (pages that did not fail): {cells}")
