"""What segmentation costs on generated pages of 1,000 to 100,000 nodes, beside what rendering the same page costs.

    python benchmarks/segmentation_cost.py [--nodes N ...] [--kind news|flat|table]

CPU time, of the browser with all its processes for rendering, of this process for the rest. All of segmentation is
VIPS (PDoC 8), target nodes, paragraphs, lines, semantic blocks, reading order, and the outlines of the VIPS blocks.
What HEPS, BCS and the fusion of four methods cost stands behind it, by itself: the fusion makes all four once more.
The exponent is the slope of log cost over log nodes: 1 is linear.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable

import blocksight as bs
import numpy as np
import psutil
from blocksight.segment.lines import number_lines
from blocksight.segment.methods import METHODS
from blocksight.segment.order import reading_order
from blocksight.segment.outlines import outline_measures
from blocksight.segment.semantic import semantic_blocks
from blocksight.segment.targets import target_nodes

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
WORDS = "the of tide harbour ship water keel bridge noon and low high rope mast to in a pilot light sand mud".split()
STYLE = (
    "body{margin:0;font:16px/24px sans-serif}nav a{padding:8px}main{display:flex}article{width:700px;padding:20px}"
    "aside{width:300px;background:#eee}table{width:100%}section{margin-bottom:24px}"
)


def text(random: np.random.Generator, words: int) -> str:
    """Return so many words."""
    return " ".join(random.choice(WORDS, words))


def section(random: np.random.Generator) -> str:
    """Return a section of about thirty nodes: heading, paragraphs with links, a list."""
    paragraphs = "".join(
        f"<p>{text(random, 30)} <a href=#>{text(random, 3)}</a> {text(random, 20)} <b>{text(random, 1)}</b>.</p>"
        for _ in range(2)
    )
    items = "".join(f"<li>{text(random, 8)}</li>" for _ in range(3))
    return f"<section><h2>{text(random, 5)}</h2>{paragraphs}<ul>{items}</ul></section>"


def news(nodes: int, random: np.random.Generator) -> str:
    """Return a page of sections beside a bar of links."""
    links = "".join(f"<li><a href=#>{text(random, 4)}</a></li>" for _ in range(nodes // 12))
    sections = "".join(section(random) for _ in range(nodes * 3 // 4 // 25))
    menu = "".join(f"<a href=#>{text(random, 1)}</a>" for _ in range(10))
    return f"<nav>{menu}</nav><main><article>{sections}</article><aside><ul>{links}</ul></aside></main>"


def flat(nodes: int, random: np.random.Generator) -> str:
    """Return paragraphs side by side in the body."""
    return "".join(f"<p>{text(random, 12)}</p>" for _ in range(nodes // 2))


def grid(nodes: int, random: np.random.Generator) -> str:
    """Return a table of ten columns."""
    rows = "".join(f"<tr>{''.join(f'<td>{text(random, 1)}</td>' for _ in range(10))}</tr>" for _ in range(nodes // 21))
    return f"<table>{rows}</table>"


KINDS = {"news": news, "flat": flat, "table": grid}


#: Methods that are not part of the whole.
OTHERS: dict[str, Callable[[bs.Page], object]] = {
    "heps": METHODS["heps"],
    "bcs": METHODS["bcs"],
    "fusion": METHODS["fusion"],
}


def browser_cpu() -> float:
    """Seconds of CPU time of all processes below this one."""
    total = 0.0
    for child in psutil.Process().children(recursive=True):
        try:
            total += sum(child.cpu_times()[:4])
        except psutil.Error:
            continue
    return total


def rendered(browser: bs.Browser, html: str) -> tuple[bs.Page, float]:
    """Render a page; give it with the CPU seconds of the browser and of this process."""
    before, own = browser_cpu(), time.process_time()
    page = browser.open(html.encode())
    return page, browser_cpu() - before + time.process_time() - own


STEPS: dict[str, Callable[[bs.Page], object]] = {
    "vips": bs.vips,
    "targets": target_nodes,
    "paragraphs": bs.text_blocks,
    "lines": number_lines,
    "semantic": semantic_blocks,
    "order": reading_order,
}


def costs(page: bs.Page) -> dict[str, float]:
    """Return the CPU seconds of each step; what pages keep once computed is computed by the first."""
    found = {}
    for name, step in STEPS.items():
        gc.collect()
        began = time.process_time()
        made = step(page)
        found[name] = time.process_time() - began
        if name == "vips":
            blocks = made
    assert isinstance(blocks, bs.Blocks)
    began = time.process_time()
    outline_measures(page, blocks.leaf_block, len(blocks))
    return found | {"outlines": time.process_time() - began}


def others(page: bs.Page) -> dict[str, float]:
    """Return the CPU seconds of the methods that are not part of the whole."""
    found = {}
    for name in OTHERS:
        gc.collect()
        began = time.process_time()
        METHODS[name](page)
        found[name] = time.process_time() - began
    return found


def main() -> None:
    """Print one line a size, then the exponents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--kind", choices=tuple(KINDS), default="news")
    wanted = parser.parse_args()
    names = [*STEPS, "outlines", *OTHERS]
    print(
        f"{'nodes':>8} {'render':>8} {'all':>8} {'share':>6}  "
        + " ".join(f"{name:>10}" for name in names)
        + "  (CPU s)"
    )
    rows = []
    with bs.Browser(pages=1, options=bs.RenderOptions(offline=True, timeout=120.0)) as browser:
        rendered(browser, "<p>warm")
        for size in wanted.nodes:
            html = KINDS[wanted.kind](size, np.random.default_rng(size))
            page, render = rendered(browser, f"<style>{STYLE}</style>{html}")
            cost = costs(page)
            total = sum(cost.values())
            cost |= others(page)
            shown = " ".join(f"{cost[name]:10.3f}" for name in names)
            print(f"{len(page):8} {render:8.2f} {total:8.3f} {total / render:6.1%}  {shown}", flush=True)
            rows.append([len(page), total, *(cost[name] for name in names)])
    if len(rows) > 1:
        logs = np.log(np.maximum(np.asarray(rows, dtype=float), 1e-4))
        slopes = [np.polyfit(logs[:, 0], column, 1)[0] for column in logs[:, 1:].T]
        print(f"{'exponent':>17} {slopes[0]:8.2f} {'':6}  " + " ".join(f"{slope:10.2f}" for slope in slopes[1:]))


if __name__ == "__main__":
    main()
