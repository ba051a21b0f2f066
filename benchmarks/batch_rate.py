"""Pages a second of ``blocksight batch`` beside plain Playwright with trafilatura, and the memory that a run holds.

    python benchmarks/batch_rate.py SAVED [--saved 2000] [--rendered 100] [--workers 1 2]

SAVED is a folder of saved pages (``.page``); where it holds fewer than asked for, they stand in the run under several
names. Rendered pages are made here and served on 127.0.0.1; the other program loads each in a page of its own
(Playwright, as many at once as there are workers) and hands its HTML to trafilatura. All runs are made in one call, one
after the other; the table is Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import blocksight as bs
import psutil
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.network.local_server import QuietHandler, serve

WORDS = "fresh water is boiled, the pot is warmed, and the leaves draw for three minutes or four, as all like it. "
#: How often memory is measured in a run.
SAMPLES = 20


class Site(QuietHandler):
    """Pages whose text is written by a script."""

    def do_GET(self) -> None:
        """Answer with a page that has its number in it."""
        text = f"Page {self.path} tells that {WORDS * 8}"
        body = (
            f"<!doctype html><title>Tea {self.path}</title><nav>{'<a href=/>home</a> ' * 20}</nav><article><h1>Tea</h1>"
            f"<p id=p></p></article><script>document.getElementById('p').textContent = '{text}'</script>"
        ).encode()
        self.send_response(200)
        for name, value in (("Content-Type", "text/html"), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run came to; memory in MB, of this process and all below it."""

    name: str
    pages: int
    failed: int
    seconds: float
    early: float
    late: float

    def line(self) -> str:
        """Return it as a line of the table."""
        rate = self.pages / self.seconds
        return f"| {self.name} | {self.pages} | {self.failed} | {rate:.2f} | {self.early:.0f} | {self.late:.0f} |"


def held() -> float:
    """Return the megabytes that this process and all below it hold, what they share counted once each."""
    total = 0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            found = process.memory_info()
            total += found.rss - getattr(found, "shared", 0)
        except psutil.Error:
            continue
    return total / 1e6


def batch(name: str, sources: list[str], workers: int) -> Run:
    """Run a batch and measure it."""
    render = bs.RenderOptions(allow_private=True)
    limits = bs.RateLimits(robots=False, delay=0.0, per_host=workers)
    options = bs.BatchOptions(render=render, workers=workers, limits=limits)
    with tempfile.TemporaryDirectory() as out:
        began, sizes, failed, step = time.perf_counter(), [], 0, max(len(sources) // SAMPLES, 1)
        for number, row in enumerate(bs.run_batch(sources, out, options=options)):
            failed += row["error"] is not None
            if number % step == 0:
                sizes.append(held())
        seconds = time.perf_counter() - began
    fifth = max(len(sizes) // 5, 1)
    early, late = max(sizes[fifth : 2 * fifth] or sizes), max(sizes[-fifth:])
    return Run(name=name, pages=len(sources), failed=failed, seconds=seconds, early=early, late=late)


async def _plain(sources: Iterator[str], browser: object, sizes: list[float]) -> int:
    import trafilatura

    failed = 0
    for source in sources:
        page = await browser.new_page()  # type: ignore[attr-defined]
        await page.goto(source, wait_until="networkidle")
        html = await page.content()
        await page.close()
        failed += not await asyncio.to_thread(trafilatura.extract, html)
        sizes.append(held())
    return failed


async def plain(sources: list[str], workers: int) -> Run:
    """Do the same by Playwright and trafilatura."""
    from playwright.async_api import async_playwright

    waiting, sizes, began = iter(sources), list[float](), time.perf_counter()
    arguments = ["--no-sandbox"] if is_root() else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser().path, args=arguments)
        failed = sum(await asyncio.gather(*(_plain(waiting, browser, sizes) for _ in range(workers))))
        await browser.close()
    seconds = time.perf_counter() - began
    fifth = max(len(sizes) // 5, 1)
    early, late = max(sizes[fifth : 2 * fifth] or sizes), max(sizes[-fifth:])
    name = f"Playwright + trafilatura, {workers} at once"
    return Run(name=name, pages=len(sources), failed=failed, seconds=seconds, early=early, late=late)


def linked(saved: Path, count: int, folder: Path) -> list[str]:
    """Return so many names of saved pages, each another one; the pages repeat where there are fewer."""
    pages = sorted(saved.rglob("*.page"))
    if not pages:
        raise SystemExit(f"{saved}: there are no saved pages (.page)")
    names = []
    for number, page in enumerate(itertools.islice(itertools.cycle(pages), count)):
        # A hard link or a copy: a link of the other kind would be the same page.
        name = folder / f"{number:06d}.page"
        name.write_bytes(page.read_bytes())
        names.append(str(name))
    return names


def main() -> None:
    """Run all of them and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("saved", type=Path, metavar="SAVED")
    parser.add_argument("--saved", type=int, default=2000, dest="saved_count")
    parser.add_argument("--rendered", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    print("| run | pages | failed | pages a second | MB early | MB late |\n|---|---:|---:|---:|---:|---:|")
    with serve(Site) as address, tempfile.TemporaryDirectory() as folder:
        addresses = [f"{address}/{number}" for number in range(given.rendered)]
        for workers in given.workers:
            print(batch(f"batch, rendered, {workers} at once", addresses, workers).line(), flush=True)
            print(asyncio.run(plain(addresses, workers)).line(), flush=True)
        names = linked(given.saved, given.saved_count, Path(folder))
        for workers in given.workers:
            print(batch(f"batch, saved, {workers} at once", names, workers).line(), flush=True)


if __name__ == "__main__":
    main()
