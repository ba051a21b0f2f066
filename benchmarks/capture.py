"""What rendering costs: CPU and wall time against Playwright's goto + content(), same pages, one run.

    python benchmarks/capture.py FOLDER [--limit N]

FOLDER holds HTML files. Both load them over HTTP from 127.0.0.1 with the network beyond that closed. CPU time is that
of the browser, the driver and Python together; ratios below 1 mean that blocksight costs less.
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import blocksight as bs
import numpy as np
import psutil
from blocksight.render.find import find_browser
from blocksight.render.loopback import serve_folder
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

SIZES = ((0, "under 2,000 nodes"), (2000, "2,000 to 7,000"), (7000, "7,000 to 13,000"), (13000, "more"))
CLOSED = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars"]


def cpu() -> float:
    """Seconds of CPU time of this process and all below it, those that have ended included."""
    me = psutil.Process()
    total = sum(me.cpu_times()[:4])
    for child in me.children(recursive=True):
        try:
            total += sum(child.cpu_times()[:2])
        except psutil.Error:
            continue
    return total


def measured(work: Callable[[], int]) -> tuple[float, float, int]:
    """Run once; give CPU seconds, wall seconds, and the number of nodes."""
    before, began = cpu(), time.perf_counter()
    nodes = work()
    return cpu() - before, time.perf_counter() - began, nodes


def main() -> int:
    """Print ratios by size of page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    wanted = parser.parse_args()
    files = sorted(wanted.folder.glob("*.htm*"), key=lambda path: zlib.crc32(path.name.encode()))[: wanted.limit]
    if not files:
        print(f"skipped: there are no HTML files in {wanted.folder}", file=sys.stderr)
        return 2
    rows: list[tuple[int, float, float, float, float]] = []
    options = bs.RenderOptions(offline=True, allow_private=True)
    with (
        serve_folder(wanted.folder) as address,
        bs.Browser(pages=1, options=options) as browser,
        sync_playwright() as playwright,
    ):
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

        for number, path in enumerate(files):
            url = f"{address}/{path.name}"
            try:
                # Turn about, so that neither always finds the caches warm.
                pair = (ours, theirs) if number % 2 else (theirs, ours)
                got = {one: measured(lambda one=one, url=url: one(url)) for one in pair}  # type: ignore[misc]
            except (bs.PageFailed, PlaywrightError) as error:
                print(error, file=sys.stderr)
                continue
            rows.append((got[ours][2], got[ours][0], got[ours][1], got[theirs][0], got[theirs][1]))
    report(np.asarray(rows))
    return 0


def report(rows: np.ndarray) -> None:
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


if __name__ == "__main__":
    raise SystemExit(main())
