"""Growth of time with the size of a page, by stage; an exponent of 1 is linear.

    python benchmarks/growth.py raw | kinds

The exponent is the slope of log cost over log size. "extract" is the whole way from the page to Markdown, the stages
before it included.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import blocksight as bs
import click
from blocksight.classify.model.model import shipped_model
from blocksight.page.overlays import find_overlays
from blocksight.page.store import dumps, loads
from blocksight.page.to_html import to_html
from blocksight.segment.lines import depths
from blocksight.segment.targets import target_nodes
from blocksight.segment.visible_boxes import visible_boxes
from common import INTEGERS, growth_table, run, timed
from generators import growing_pages

#: An exponent above this is not linear; caches and noise of the last step explain some of it.
STEEP = 1.35
#: Seconds below which a stage is not judged.
NEGLIGIBLE = 0.1
LARGE_PAGES = bs.RenderOptions(offline=True, timeout=180.0, max_nodes=1_000_000, max_bytes=100_000_000)
ADDRESS = "https://example.org/tides"
SEGMENTATION: dict[str, Callable[[bs.Page], object]] = {
    "vips": bs.vips,
    "targets": target_nodes,
    "paragraphs": bs.text_blocks,
    "lines": depths,
}

Costs = dict[str, float]


#: Runs a stage by its name, records what it costs, and returns its result.
Measure = Callable[[str, Callable[[], Any]], Any]


@click.group(help=__doc__)
def growth() -> None:
    """Define the command line."""


def measure_seconds(costs: Costs) -> Measure:
    """Return a function that puts the CPU seconds of each stage in this process into ``costs``."""

    def run_stage(stage: str, step: Callable[[], Any]) -> Any:
        costs[stage], result = timed(step)
        return result

    return run_stage


def raw_stages(html: str, run_stage: Measure) -> bs.Page:
    """Measure the stages from raw HTML to Markdown."""
    page: bs.Page = run_stage("parse", lambda: bs.parse(html, url=ADDRESS))
    run_stage("leaves", lambda: (page.leaves, page.leaf_texts, page.hidden, page.leaf_range, page.depth))
    run_stage("segment", lambda: bs.text_blocks(page))
    run_stage("markup", lambda: to_html(page))
    extract_stages(page, run_stage, visual=False)
    return page


def rendered_stages(browser: bs.Browser, html: str, run_stage: Measure) -> bs.Page:
    """Measure the stages from rendering to Markdown, in this process."""
    page: bs.Page = run_stage("render", lambda: browser.open(html.encode(), url=ADDRESS))
    run_stage("overlays", lambda: find_overlays(page))
    run_stage("visible", lambda: visible_boxes(page))
    for name, method in SEGMENTATION.items():
        run_stage(name, partial(method, page))
    run_stage("saved", lambda: loads(dumps(page)))
    extract_stages(page, run_stage, visual=True)
    return page


def extract_stages(page: bs.Page, run_stage: Measure, *, visual: bool) -> None:
    """Measure features, scores, and the whole way from a page to Markdown."""
    model = shipped_model(visual=visual)
    table = run_stage("features", lambda: model.measure(page))
    if len(table):
        run_stage("scores", lambda: model.scores(table))
    run_stage("extract", lambda: bs.extract(page).markdown)


# -- pages of mixed content -------------------------------------------------------------------------------------------


@growth.command()
@click.option("--sizes", type=INTEGERS, default="1000,3000,10000,30000,100000,300000", show_default=True)
def raw(sizes: list[int]) -> None:
    """Measure CPU seconds of the stages from raw HTML to Markdown."""
    raw_stages(growing_pages.mixed_page(1_000), measure_seconds({}))
    seconds: list[Costs] = [{} for _ in sizes]
    nodes = []
    for row, size in enumerate(sizes):
        html = growing_pages.mixed_page(size)
        nodes.append(len(raw_stages(html, measure_seconds(seconds[row]))))
    print(f"load {os.getloadavg()[0]:.1f}")
    growth_table(nodes, seconds)


# -- kinds of pages that are slow -------------------------------------------------------------------------------------


def kind_line(kind: str, sizes: list[int], max_seconds: float, cost: Callable[[str], Costs]) -> tuple[str, bool]:
    """Measure a kind; return the line to print, and whether each stage is about linear."""
    generate = (growing_pages.KINDS | growing_pages.RENDERED_KINDS)[kind]
    costs: list[tuple[int, Costs]] = []
    for size in sizes:
        try:
            costs.append((size, cost(generate(size))))
        except bs.PageFailed as error:
            return f"{kind:24} {size:>8} refused: {error.reason}", True
        if sum(costs[-1][1].values()) > max_seconds:
            break
    size, last = costs[-1]
    size_before, before = costs[-2] if len(costs) > 1 else (1, {})
    parts, linear = [], True
    for stage, seconds in last.items():
        if seconds < NEGLIGIBLE:
            continue
        slope = math.log(seconds / max(before.get(stage, 0.0), 1e-3)) / math.log(size / size_before)
        steep = slope > STEEP and seconds > 2 * NEGLIGIBLE
        linear &= not steep
        parts.append(f"{stage} {seconds:.2f} ({slope:.2f}){'!' if steep else ''}")
    return f"{kind:24} {size:>8} {sum(last.values()):7.2f} s  {', '.join(parts)}", linear


@growth.command(help=f"Measure pages of kinds that once were slow: {', '.join(growing_pages.KINDS)}.")
@click.argument("kinds", nargs=-1)
@click.option("--rendered", "render", is_flag=True, help="Render the pages, and kinds that only rendering makes slow.")
@click.option("--sizes", type=INTEGERS, default="3000,12000,48000", show_default=True)
@click.option("--max-seconds", default=20.0, help="Seconds after which a kind grows no further.")
def kinds(kinds: tuple[str, ...], render: bool, sizes: list[int], max_seconds: float) -> None:
    """Print the stages of each kind at the largest size, with the exponent between the last two sizes.

    The exit code is 1 if a stage of over 0.2 seconds has an exponent above 1.35.
    """
    with ExitStack() as stack:
        stages: Callable[[str, Measure], bs.Page] = raw_stages
        if render:
            options = bs.RenderOptions(offline=True, timeout=120.0)
            stages = partial(rendered_stages, stack.enter_context(bs.Browser(pages=1, options=options)))

        def cost(html: str) -> Costs:
            seconds: Costs = {}
            stages(html, measure_seconds(seconds))
            return seconds

        cost(growing_pages.article("warm"))
        all_linear = True
        for kind in kinds or (*growing_pages.KINDS, *(growing_pages.RENDERED_KINDS if render else ())):
            line, linear = kind_line(kind, sizes, max_seconds, cost)
            print(line, flush=True)
            all_linear &= linear
    sys.exit(0 if all_linear else 1)


if __name__ == "__main__":
    run(growth)
