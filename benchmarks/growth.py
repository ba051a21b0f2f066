"""Growth of time and memory with the size of a page, by stage; an exponent of 1 is linear.

    python benchmarks/growth.py raw | rendered | kinds | segmentation

The exponent is the slope of log cost over log size.
"""

from __future__ import annotations

import math
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial, wraps
from typing import Any, Protocol, TypeVar
from unittest.mock import patch

import blocksight as bs
import click
import numpy as np
from blocksight.classify.model.model import Model, shipped_model
from blocksight.classify.model.selection import fill_gaps, select_content
from blocksight.document.content.clean_html import clean_markup
from blocksight.document.content.keep_elements import kept_elements
from blocksight.document.content.markdown import to_markdown
from blocksight.document.content.paragraphs import paragraphs_of
from blocksight.document.content.plain_text import plain_text
from blocksight.document.document import document
from blocksight.document.metadata.title import title_of
from blocksight.features.block_table import Table, measure
from blocksight.page.overlays import find_overlays
from blocksight.page.store import dumps, loads
from blocksight.page.tables import html_tables
from blocksight.page.to_html import to_html
from blocksight.page.visibility import invisible_leaves
from blocksight.render.chromium import page_session
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.devtools import channel
from blocksight.render.devtools.messages import read
from blocksight.render.visibility.pending_page import PendingPage
from blocksight.render.visibility.visible_boxes import visible_boxes
from blocksight.segment.lines import number_lines
from blocksight.segment.order import reading_order
from blocksight.segment.outlines import outline_measures
from blocksight.segment.targets import target_nodes
from common import INTEGERS, cpu_seconds, exponent, growth_table, run, table_head, table_row, timed
from generators import growing_pages
from lxml import etree

T = TypeVar("T")
#: An exponent above this is not linear; caches and noise of the last step explain some of it.
STEEP = 1.35
#: Seconds below which a stage is not judged.
NEGLIGIBLE = 0.1
LARGE_PAGES = bs.RenderOptions(offline=True, timeout=180.0, max_nodes=1_000_000, max_bytes=100_000_000)
ADDRESS = "https://example.org/tides"


class Measure(Protocol):
    """Runs a stage, records what it costs, and returns its result."""

    def __call__(self, stage: str, step: Callable[[], T]) -> T:
        """Run a stage."""


@click.group(help=__doc__)
def growth() -> None:
    """Define the command line."""


def measure_seconds(costs: dict[str, float]) -> Measure:
    """Return a function that adds the CPU seconds of each stage to ``costs``."""

    def run_stage(stage: str, step: Callable[[], T]) -> T:
        seconds, result = timed(step)
        costs[stage] = costs.get(stage, 0.0) + seconds
        return result

    return run_stage


def measure_megabytes(costs: dict[str, float]) -> Measure:
    """Return a function that puts the peak memory of each stage into ``costs``, in MB."""

    def run_stage(stage: str, step: Callable[[], T]) -> T:
        tracemalloc.start()
        result = step()
        costs[stage] = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        return result

    return run_stage


def selected(model: Model, page: bs.Page, table: Table) -> object:
    """Select the rows of the content, from the scores of the second stage."""
    unseen = table.rows.summed((~invisible_leaves(page)).astype(np.float64)) == 0
    scores = model.predict(table).scores
    return fill_gaps(table.rows, select_content(table.rows, scores, model.calibration, unseen).rows, scores)


def extract_stages(page: bs.Page, model: Model, run_stage: Measure) -> None:
    """Measure the stages from features to the document."""
    table = run_stage("features", lambda: model.measure(page))
    run_stage("choice", lambda: selected(model, page, table))
    marks = np.append(model.scores(table) > 0, False)[table.rows.leaf_row]
    run_stage("document", lambda: document(page, marks).text)


# -- pages of mixed content -------------------------------------------------------------------------------------------


def raw_stages(html: str, run_stage: Measure) -> None:
    """Measure the stages from raw HTML to the document."""
    page = run_stage("parse", lambda: bs.parse(html, url=ADDRESS))
    run_stage("segment", lambda: bs.text_blocks(page))
    extract_stages(page, shipped_model(visual=False), run_stage)


@growth.command()
@click.option("--sizes", type=INTEGERS, default="1000,3000,10000,30000,100000,300000", show_default=True)
def raw(sizes: list[int]) -> None:
    """Measure CPU seconds and peak memory of the stages from raw HTML to text."""
    raw_stages(growing_pages.mixed_page(1_000), measure_seconds({}))
    seconds: list[dict[str, float]] = []
    megabytes: list[dict[str, float]] = []
    nodes = []
    for size in sizes:
        html = growing_pages.mixed_page(size)
        nodes.append(len(bs.parse(html)))
        seconds.append({})
        megabytes.append({})
        raw_stages(html, measure_seconds(seconds[-1]))
        raw_stages(html, measure_megabytes(megabytes[-1]))  # apart, for tracing memory takes time
    print(f"load {os.getloadavg()[0]:.1f}")
    growth_table(nodes, seconds)
    growth_table(nodes, megabytes, "MB")


def recorded(seconds: dict[str, float], stage: str, step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that adds the CPU seconds of its thread to a stage."""

    @wraps(step)
    def run_step(*args: Any, **options: Any) -> Any:
        start = time.thread_time()
        result = step(*args, **options)
        seconds[stage] = seconds.get(stage, 0.0) + time.thread_time() - start
        return result

    return run_step


@contextmanager
def recorded_rendering(seconds: dict[str, float]) -> Iterator[None]:
    """Record the stages of a rendering that run in this process."""
    visibility = cached_property(recorded(seconds, "judge", vars(PendingPage)["visibility"].func))
    visibility.__set_name__(PendingPage, "visibility")
    with (
        patch.object(channel, "read", recorded(seconds, "read", read)),
        patch.object(page_session, "decode_snapshot", recorded(seconds, "decode", decode_snapshot)),
        patch.object(PendingPage, "visibility", visibility),
        patch.object(PendingPage, "finish", recorded(seconds, "cut", PendingPage.finish)),
    ):
        yield


def rendered_stages(browser: bs.Browser, html: str) -> tuple[int, dict[str, float]]:
    """Render a page and extract its content; return its number of nodes and the CPU seconds of each stage."""
    seconds: dict[str, float] = {}
    start = cpu_seconds(own=False)
    with recorded_rendering(seconds):
        page = browser.open(html.encode(), url=ADDRESS)
    seconds = {"browser": cpu_seconds(own=False) - start} | seconds
    extract_stages(page, shipped_model(visual=True), measure_seconds(seconds))
    return len(page), seconds


@growth.command()
@click.option("--sizes", type=INTEGERS, default="1000,3000,10000,30000,100000", show_default=True)
@click.option("--rounds", default=2, help="The fastest round counts.")
def rendered(sizes: list[int], rounds: int) -> None:
    """Measure CPU seconds of the stages from rendering to text; "browser" is that of all its processes."""
    nodes, costs = [], []
    with bs.Browser(pages=1, options=LARGE_PAGES) as browser:
        rendered_stages(browser, growing_pages.mixed_page(1_000))
        for size in sizes:
            results = [rendered_stages(browser, growing_pages.mixed_page(size)) for _ in range(rounds)]
            nodes.append(results[0][0])
            costs.append({stage: min(seconds[stage] for _, seconds in results) for stage in results[0][1]})
    print(f"load {os.getloadavg()[0]:.1f}")
    growth_table(nodes, costs)


# -- kinds of pages that are slow -------------------------------------------------------------------------------------


def raw_costs(html: str) -> dict[str, float]:
    """Return the CPU seconds of each stage from raw HTML to Markdown."""
    seconds: dict[str, float] = {}
    run_stage = measure_seconds(seconds)
    page = run_stage("parse", lambda: bs.parse(html, url=ADDRESS))
    run_stage("leaves", lambda: (page.leaves, page.leaf_texts, page.hidden, page.leaf_range, page.depth))
    run_stage("blocks", lambda: bs.text_blocks(page))
    run_stage("title", lambda: title_of(page))
    run_stage("markup", lambda: to_html(page))
    model = shipped_model(visual=False)
    table = run_stage("features", lambda: model.measure(page))
    if not len(table):
        return seconds
    run_stage("scores", lambda: model.scores(table))
    run_stage("choice", lambda: selected(model, page, table))
    marks = np.ones(len(page.leaves), dtype=bool)  # the whole page is written: the most expensive case
    kept = run_stage("structure", lambda: kept_elements(page, marks))
    paragraphs = run_stage("paragraphs", lambda: paragraphs_of(page, marks, kept))
    root = run_stage("tree", lambda: clean_markup(page, kept, paragraphs))
    run_stage("text", lambda: plain_text(root))
    markup = run_stage("html", lambda: "".join(etree.tostring(element, encoding="unicode") for element in root))
    run_stage("markdown", lambda: to_markdown(markup))
    run_stage("extract", lambda: bs.extract(page).markdown)
    return seconds


def rendered_costs(browser: bs.Browser, html: str) -> dict[str, float]:
    """Return the CPU seconds in this process of each stage from rendering to blocks and Markdown."""
    seconds: dict[str, float] = {}
    run_stage = measure_seconds(seconds)
    page = run_stage("render", lambda: browser.open(html.encode()))
    run_stage("overlays", lambda: find_overlays(page))
    run_stage("visible", lambda: visible_boxes(page))
    for name, step in SEGMENTATION.items():
        run_stage(name, partial(step, page))
    blocks = bs.text_blocks(page)
    run_stage("outlines", lambda: outline_measures(page, blocks.leaf_block, len(blocks)))
    model = shipped_model(visual=True)
    table = run_stage("features", lambda: model.measure(page))
    run_stage("all features", lambda: measure(page))
    if len(table):
        run_stage("scores", lambda: model.scores(table))
    run_stage("saved", lambda: loads(dumps(page)))
    run_stage("tables", lambda: html_tables(page))
    run_stage("extract", lambda: bs.extract(page).markdown)
    return seconds


def kind_line(
    kind: str, sizes: list[int], max_seconds: float, cost: Callable[[str], dict[str, float]]
) -> tuple[str, bool]:
    """Measure a kind; return the line to print, and whether each stage is about linear."""
    generate = (growing_pages.KINDS | growing_pages.RENDERED_KINDS)[kind]
    costs: list[tuple[int, dict[str, float]]] = []
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
    all_linear = True
    with ExitStack() as stack:
        cost = raw_costs
        if render:
            options = bs.RenderOptions(offline=True, timeout=120.0)
            cost = partial(rendered_costs, stack.enter_context(bs.Browser(pages=1, options=options)))
        cost(growing_pages.article("warm"))
        for kind in kinds or (*growing_pages.KINDS, *(growing_pages.RENDERED_KINDS if render else ())):
            line, linear = kind_line(kind, sizes, max_seconds, cost)
            print(line, flush=True)
            all_linear &= linear
    sys.exit(0 if all_linear else 1)


# -- segmentation -----------------------------------------------------------------------------------------------------

SEGMENTATION: dict[str, Callable[[bs.Page], object]] = {
    "vips": bs.vips,
    "targets": target_nodes,
    "paragraphs": bs.text_blocks,
    "lines": number_lines,
    "order": reading_order,
}


def segmentation_costs(page: bs.Page) -> dict[str, float]:
    """Return the CPU seconds of each step of segmentation."""
    costs = {name: timed(partial(step, page))[0] for name, step in SEGMENTATION.items()}
    blocks = bs.vips(page)
    costs["outlines"] = timed(lambda: outline_measures(page, blocks.leaf_block, len(blocks)))[0]
    return costs


@growth.command()
@click.option("--nodes", type=INTEGERS, default="1000,3000,10000,30000,100000", show_default=True)
@click.option("--kind", type=click.Choice(tuple(growing_pages.LAYOUTS)), default="news", show_default=True)
def segmentation(nodes: list[int], kind: str) -> None:
    """Measure segmentation next to rendering, on generated pages: CPU seconds of this process and of the browser.

    "all" is VIPS (adaptive cut), target nodes, paragraphs, lines, reading order, outlines of the
    VIPS blocks.
    """
    rows: list[tuple[float, ...]] = []
    with bs.Browser(pages=1, options=bs.RenderOptions(offline=True, timeout=120.0)) as browser:
        browser.open(b"<p>warm")
        for size in nodes:
            html = growing_pages.LAYOUTS[kind](size, np.random.default_rng(size))
            start = cpu_seconds()
            page = browser.open(f"<style>{growing_pages.STYLE}</style>{html}".encode())
            render = cpu_seconds() - start
            costs = segmentation_costs(page)
            total = sum(costs.values())
            if not rows:
                table_head("nodes", "render", "all", "share", *costs)
            values = [f"{cost:.3f}" for cost in costs.values()]
            table_row(len(page), f"{render:.2f}", f"{total:.3f}", f"{total / render:.1%}", *values)
            rows.append((len(page), total, *costs.values()))
    if len(rows) > 1:
        sizes, *columns = zip(*rows, strict=True)
        slopes = [f"{exponent(sizes, column):.2f}" for column in columns]
        table_row("exponent", "", slopes[0], "", *slopes[1:])


if __name__ == "__main__":
    run(growth)
