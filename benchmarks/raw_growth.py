"""How time and memory of reading raw HTML grow with a page, stage by stage, on a page of mixed make.

    python benchmarks/raw_growth.py [--sizes NODES ...]

Printed is a table: CPU seconds and the most memory at once of each stage and size, and the exponent of both: the slope
of log cost over log size between the last three sizes, 1 for linear. Pages that are made to be slow:
``benchmarks/growth.py``.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
import tracemalloc
from collections.abc import Callable

import blocksight as bs
import numpy as np
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.selection import fill_gaps, select_content
from blocksight.document.document import document
from blocksight.features.block_table import Table
from blocksight.page.page import Page
from blocksight.page.visibility import invisible_leaves

#: One section of an article, with a link, a list, emphasis and a picture, and a list of links beside it.
SECTION = (
    "<section class='part p{0}'><h2 id=s{0}>Part {0} of the tides</h2><p>High water number {0} at the bridge comes "
    "<em>forty minutes</em> after high water at the bar, <a href='/log/{0}'>a little later</a> after a wet spring.</p>"
    "<ul><li>Spring tide</li><li>Neap tide</li></ul><p>Skippers who trust the printed table of page {0} alone have "
    "been known to wait for it.</p><img src='/chart{0}.png' alt='Chart {0}'></section>"
    "<aside class=related><a href='/more/{0}'>More of {0}</a></aside>"
)


def page_of(nodes: int) -> str:
    """Return a page of about so many nodes."""
    count = max(nodes // len(bs.parse(SECTION.format(1))), 1)
    return f"<title>Tides</title><body><h1>Tides</h1>{''.join(map(SECTION.format, range(count)))}"


def stages(html: str, run: Callable[[str, Callable[[], object]], object]) -> None:
    """Read a page, each stage by itself."""
    model = shipped_model(visual=False)
    page = run("parse", lambda: bs.parse(html, url="https://example.org/tides"))
    assert isinstance(page, Page)
    run("segment", lambda: bs.text_blocks(page))
    table = run("features", lambda: model.measure(page))
    assert isinstance(table, Table)
    unseen = table.rows.summed((~invisible_leaves(page)).astype(np.float64)) == 0
    scores = model.scores(table)

    def chosen() -> object:
        looked = model.predict(table).scores
        return fill_gaps(table.rows, select_content(table.rows, looked, model.calibration, unseen).rows)

    run("choice", chosen)
    marks = np.append(scores > 0, False)[table.rows.leaf_row]
    run("document", lambda: document(page, marks).text)


def measured(html: str) -> dict[str, tuple[float, float]]:
    """Return seconds and MB of each stage: measured apart, as counting memory takes time."""
    seconds: dict[str, float] = {}
    memory: dict[str, float] = {}

    def timed(stage: str, step: Callable[[], object]) -> object:
        gc.collect()
        begun = time.process_time()
        made = step()
        seconds[stage] = time.process_time() - begun
        return made

    def weighed(stage: str, step: Callable[[], object]) -> object:
        gc.collect()
        tracemalloc.start()
        made = step()
        memory[stage] = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        return made

    stages(html, timed)
    stages(html, weighed)
    return {stage: (seconds[stage], memory[stage]) for stage in seconds}


def slope(sizes: list[int], costs: list[float]) -> float:
    """Return the exponent over the last three sizes."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(np.maximum(costs[-3:], 1e-6)), 1)[0])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 3_000, 10_000, 30_000, 100_000, 300_000])
    given = parser.parse_args()
    measured(page_of(1_000))
    pages = [page_of(size) for size in given.sizes]
    nodes = [len(bs.parse(html)) for html in pages]
    found = [measured(html) for html in pages]
    print(f"load {os.getloadavg()[0]:.1f}")
    print("| stage | " + " | ".join(f"{count:,} nodes" for count in nodes) + " | exponent of time, of memory |")
    print("|---" * (len(nodes) + 2) + "|")
    for stage in found[0]:
        cells = [f"{one[stage][0]:.3f} s, {one[stage][1]:.1f} MB" for one in found]
        time_slope, memory_slope = (slope(nodes, [one[stage][part] for one in found]) for part in (0, 1))
        print(f"| {stage} | " + " | ".join(cells) + f" | {time_slope:.2f}, {memory_slope:.2f} |")


if __name__ == "__main__":
    main()
