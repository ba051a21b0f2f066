"""What rendering costs, beside Playwright and Crawl4AI, on the same pages in the same run.

    python benchmarks/capture.py FOLDER [--limit N] [--at-once 1 2 4] [--crawl4ai PYTHON]

FOLDER holds HTML files, served on 127.0.0.1 with the network beyond that closed for all. Three things are printed:

- CPU and wall time of ``Browser.open`` (navigate, settle, capture, decode to a Page) as a ratio to ``goto`` and
  ``content()`` of Playwright, by size of page. CPU time is that of the browser, the driver and Python together.
- Time to decode a snapshot to a Page, for a thousand nodes.
- Pages a second with the content extracted: blocksight, Playwright and trafilatura, and Crawl4AI, whose Python (of a
  virtual environment of its own) ``--crawl4ai`` names; without it Crawl4AI is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import blocksight as bs
import numpy as np
import psutil
import trafilatura
from blocksight.render.chromium import page_session
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.network.local_server import serve_folder
from blocksight.render.visibility.pending_page import PendingPage
from playwright.async_api import async_playwright
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

SIZES = ((0, "under 2,000 nodes"), (2000, "2,000 to 7,000"), (7000, "7,000 to 13,000"), (13000, "more"))
CLOSED = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars"]
OPTIONS = bs.RenderOptions(offline=True, allow_private=True)
PAGE_SECONDS = 30.0

CRAWL4AI = """
import asyncio, json, sys, time
from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig, SemaphoreDispatcher
async def main():
    given = json.loads(sys.stdin.read())
    config = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False, page_timeout=30000)
    browser = BrowserConfig(browser_mode="custom", cdp_url=given["cdp"], verbose=False)
    async with AsyncWebCrawler(config=browser) as crawler:
        await crawler.arun(given["urls"][0], config=config)
        began = time.perf_counter()
        found = await crawler.arun_many(given["urls"], config=config,
            dispatcher=SemaphoreDispatcher(max_session_permit=given["at_once"], semaphore_count=given["at_once"]))
        print(json.dumps({"seconds": time.perf_counter() - began, "good": sum(bool(one.success) for one in found)}))
asyncio.run(main())
"""


def cpu() -> float:
    """Seconds of CPU time of this process and all below it, those that have ended included."""
    total = sum(psutil.Process().cpu_times()[:4])
    for child in psutil.Process().children(recursive=True):
        try:
            total += sum(child.cpu_times()[:4])
        except psutil.Error:
            continue
    return total


def measured(work: Callable[[], int]) -> tuple[float, float, int]:
    """Run once; give CPU seconds, wall seconds, and the number of nodes."""
    before, began = cpu(), time.perf_counter()
    nodes = work()
    return cpu() - before, time.perf_counter() - began, nodes


def ratios(urls: list[str]) -> np.ndarray:
    """Return nodes, our CPU and wall seconds and theirs for each page."""
    rows: list[tuple[int, float, float, float, float]] = []
    with bs.Browser(pages=1, options=OPTIONS) as browser, sync_playwright() as playwright:
        plain = playwright.chromium.launch(executable_path=find_browser().path, args=CLOSED, chromium_sandbox=False)

        def ours(url: str) -> int:
            return len(browser.open(url))

        def theirs(url: str) -> int:
            context = plain.new_context()
            try:
                page = context.new_page()
                page.goto(url)
                return len(page.content())
            finally:
                context.close()

        for number, url in enumerate([urls[0], *urls]):
            try:
                # Turn about, so that neither always finds the caches warm.
                pair = (ours, theirs) if number % 2 else (theirs, ours)
                got = {one: measured(lambda one=one, url=url: one(url)) for one in pair}  # type: ignore[misc]
            except (bs.PageFailed, PlaywrightError) as error:
                print(error, file=sys.stderr)
                continue
            if number:
                rows.append((got[ours][2], got[ours][0], got[ours][1], got[theirs][0], got[theirs][1]))
    return np.asarray(rows)


def report_ratios(rows: np.ndarray) -> None:
    """Print medians by size."""
    print(f"{len(rows)} pages; median ratio blocksight / Playwright goto + content (CPU, wall), CPU ms of both")
    bounds = [least for least, _ in SIZES] + [10**9]
    groups = [(name, (rows[:, 0] >= bounds[i]) & (rows[:, 0] < bounds[i + 1])) for i, (_, name) in enumerate(SIZES)]
    for name, chosen in [*groups, ("all", np.ones(len(rows), dtype=bool))]:
        if chosen.any():
            part = rows[chosen]
            ratio = np.median(part[:, 1] / np.maximum(part[:, 3], 1e-3))
            wall = np.median(part[:, 2] / np.maximum(part[:, 4], 1e-3))
            mine, other = 1000 * np.median(part[:, 1]), 1000 * np.median(part[:, 3])
            print(f"  {name:20} {chosen.sum():4} pages  CPU {ratio:.2f}  wall {wall:.2f}  {mine:.0f} / {other:.0f} ms")


def report_decoding(urls: list[str]) -> None:
    """Print what making a Page of a snapshot takes."""
    usual = decode_snapshot
    found: list[tuple[float, int]] = []

    def timed(*args: object, **given: object) -> PendingPage:
        began = time.thread_time()
        pending = usual(*args, **given)  # type: ignore[arg-type]
        pending.finish()
        found.append((time.thread_time() - began, max(len(pending.plain), 1)))
        return pending

    page_session.decode_snapshot = timed  # type: ignore[attr-defined]
    with bs.Browser(pages=1, options=OPTIONS) as browser:
        for _ in browser.open_many(urls):
            pass
    page_session.decode_snapshot = usual  # type: ignore[attr-defined]
    seconds, nodes = np.asarray(found).T
    # What a page costs beside its nodes, and what a node costs: small pages would hide the one behind the other.
    each, fixed = np.polyfit(nodes, seconds, 1)
    print(
        f"decode: {1e6 * seconds.sum() / nodes.sum():.2f} ms CPU for 1,000 nodes over all, {1e6 * each:.2f} beside"
        f" {1e3 * fixed:.2f} a page; median over pages {1e6 * np.median(seconds / nodes):.2f}"
    )


def ours_at_once(urls: list[str], at_once: int) -> tuple[float, int]:
    """Render and extract; give seconds and the number of pages that came out."""
    with bs.Browser(pages=at_once, options=OPTIONS) as browser:
        browser.open(urls[0])
        began, good = time.perf_counter(), 0
        for opened in browser.open_many(urls):
            if opened.page is not None:
                bs.extract(opened.page)
                good += 1
        return time.perf_counter() - began, good


def playwright_at_once(urls: list[str], at_once: int) -> tuple[float, int]:
    """Load with Playwright, extract with trafilatura."""

    async def run() -> tuple[float, int]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_browser().path, args=CLOSED, chromium_sandbox=False
            )
            free, good = asyncio.Semaphore(at_once), 0

            async def one(url: str) -> None:
                nonlocal good
                async with free:
                    context = await browser.new_context()
                    try:
                        page = await context.new_page()
                        await page.goto(url, timeout=1000 * PAGE_SECONDS)
                        trafilatura.extract(await page.content(), include_comments=False)
                        good += 1
                    except PlaywrightError as error:
                        print(error.message.splitlines()[0], file=sys.stderr)
                    finally:
                        await context.close()

            await one(urls[0])
            good = 0
            began = time.perf_counter()
            await asyncio.gather(*(one(url) for url in urls))
            return time.perf_counter() - began, good

    return asyncio.run(run())


@contextmanager
def listening_browser() -> Iterator[str]:
    """Start the same browser for whoever connects from outside; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = [*CLOSED, "--headless", "--no-sandbox", f"--user-data-dir={profile}", f"--remote-debugging-port={port}"]
        running = subprocess.Popen([find_browser().path, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(2.0)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait(10)


def crawl4ai_at_once(urls: list[str], at_once: int, python: str) -> tuple[float, int]:
    """Have Crawl4AI make Markdown of the pages."""
    with listening_browser() as address:
        given = json.dumps({"cdp": address, "urls": urls, "at_once": at_once})
        limit = 60 + PAGE_SECONDS * len(urls)
        done = subprocess.run(
            [python, "-c", CRAWL4AI], input=given, capture_output=True, text=True, timeout=limit, check=False
        )
    if done.returncode:
        print(done.stderr[-600:], file=sys.stderr)
        return float("nan"), 0
    found = json.loads(done.stdout.splitlines()[-1])
    return found["seconds"], found["good"]


def report_throughput(urls: list[str], at_once: list[int], crawl4ai: str | None) -> None:
    """Print pages a second, content extracted."""
    for number in at_once:
        ways = {"blocksight": ours_at_once(urls, number), "Playwright + trafilatura": playwright_at_once(urls, number)}
        if crawl4ai:
            ways["Crawl4AI"] = crawl4ai_at_once(urls, number, crawl4ai)
        told = "  ".join(f"{name} {good / seconds:.2f} ({good})" for name, (seconds, good) in ways.items())
        print(f"pages a second, {number} at once (pages that came out): {told}")


def main() -> int:
    """Run all three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--at-once", type=int, nargs="*", default=[1, 2, 4], metavar="N")
    parser.add_argument("--crawl4ai", metavar="PYTHON", help="Python of an environment with Crawl4AI in it")
    wanted = parser.parse_args()
    files = sorted(wanted.folder.glob("*.htm*"), key=lambda path: zlib.crc32(path.name.encode()))[: wanted.limit]
    if not files:
        print(f"skipped: there are no HTML files in {wanted.folder}", file=sys.stderr)
        return 2
    with serve_folder(wanted.folder) as address:
        urls = [f"{address}/{path.name}" for path in files]
        report_ratios(ratios(urls))
        report_decoding(urls)
        report_throughput(urls, wanted.at_once, wanted.crawl4ai)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
