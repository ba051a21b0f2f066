"""How the time that a rendered page takes grows with its size, stage by stage, on a page of mixed make.

    python benchmarks/rendered_growth.py [--sizes NODES ...] [--rounds N]

Printed is a table: CPU seconds of each stage and size, the fastest of the rounds, and the exponent: the slope of log
cost over log size between the last three sizes, 1 for linear. "Browser" is the CPU time of all its processes. Raw HTML:
``benchmarks/raw_growth.py``; pages that are made to be slow: ``benchmarks/growth.py --rendered``.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any
from unittest.mock import patch

import blocksight as bs
import numpy as np
import psutil
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.selection import fill_gaps, select_content
from blocksight.document.document import document
from blocksight.page.visibility import invisible_leaves
from blocksight.render.chromium import page_session
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.devtools import channel
from blocksight.render.devtools.messages import read
from blocksight.render.visibility.pending_page import PendingPage
from raw_growth import page_of, slope

OPTIONS = bs.RenderOptions(offline=True, timeout=180.0, max_nodes=1_000_000, max_bytes=100_000_000)


def children() -> float:
    """Seconds of CPU time of the processes below this one, those that have ended included."""
    total = sum(psutil.Process().cpu_times()[2:4])
    for child in psutil.Process().children(recursive=True):
        total += sum(child.cpu_times()[:4])
    return total


def timed(seconds: dict[str, float], stage: str, step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that notes what it takes of its thread's time."""

    @wraps(step)
    def run(*given: Any, **named: Any) -> Any:
        began = time.thread_time()
        made = step(*given, **named)
        seconds[stage] = seconds.get(stage, 0.0) + time.thread_time() - began
        return made

    return run


@contextmanager
def watched(seconds: dict[str, float]) -> Iterator[None]:
    """Note the steps of a rendering that are taken in this process."""
    visibility = cached_property(timed(seconds, "judge", vars(PendingPage)["visibility"].func))
    visibility.__set_name__(PendingPage, "visibility")
    with (
        patch.object(channel, "read", timed(seconds, "read", read)),
        patch.object(page_session, "decode_snapshot", timed(seconds, "decode", decode_snapshot)),
        patch.object(PendingPage, "visibility", visibility),
        patch.object(PendingPage, "finish", timed(seconds, "cut", PendingPage.finish)),
    ):
        yield


def stages(browser: bs.Browser, html: str) -> tuple[int, dict[str, float]]:
    """Render a page and choose its content; return how many nodes it has, and the seconds of each stage."""
    seconds: dict[str, float] = {}
    began = children()
    with watched(seconds):
        page = browser.open(html.encode(), url="https://example.org/tides")
    seconds = {"browser": children() - began} | seconds
    model = shipped_model(visual=True)
    table = timed(seconds, "features", model.measure)(page)
    unseen = table.rows.summed((~invisible_leaves(page)).astype(np.float64)) == 0
    scores = model.scores(table)

    def chosen() -> None:
        looked = model.predict(table).scores
        fill_gaps(table.rows, select_content(table.rows, looked, model.calibration, unseen).rows)

    timed(seconds, "choice", chosen)()
    marks = np.append(scores > 0, False)[table.rows.leaf_row]
    timed(seconds, "document", lambda: document(page, marks).text)()
    return len(page), seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 3_000, 10_000, 30_000, 100_000])
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    nodes, found = [], []
    with bs.Browser(pages=1, options=OPTIONS) as browser:
        stages(browser, page_of(1_000))
        for size in given.sizes:
            rounds = [stages(browser, page_of(size)) for _ in range(given.rounds)]
            nodes.append(rounds[0][0])
            found.append({stage: min(one[stage] for _, one in rounds) for stage in rounds[0][1]})
    print(f"load {os.getloadavg()[0]:.1f}")
    print("| stage | " + " | ".join(f"{count:,} nodes" for count in nodes) + " | exponent |")
    print("|---" * (len(nodes) + 2) + "|")
    for stage in found[0]:
        costs = [one[stage] for one in found]
        print(f"| {stage} | " + " | ".join(f"{cost:.3f} s" for cost in costs) + f" | {slope(nodes, costs):.2f} |")


if __name__ == "__main__":
    main()
