"""The size of page maps, and whether they have the facts that tasks need."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.document.map.page_map import estimate_tokens
from blocksight.render.network.local_server import serve_folder
from common import FOLDER, skip, table_head, table_row

from .clicks import FIXTURES, corpus_pages, fixture_pages, opened, playwright_browser


@click.command(epilog="Example: python benchmarks/accuracy.py map-size CORPUS CORPUS")
@click.argument("corpora", nargs=-1, type=FOLDER)
@click.option("--limit", default=18, show_default=True, help="Pages of each corpus, one of a site.")
@click.option("--fixtures", "fixture_count", default=24, show_default=True, help="Pages of fixtures/layouts.")
def map_size(corpora: tuple[Path, ...], limit: int, fixture_count: int) -> None:
    """Count the tokens of maps next to those of ARIA snapshots, of the accessibility tree and of the HTML."""
    pages = [(FIXTURES, path) for path in fixture_pages(fixture_count)]
    pages += [(corpus, path) for corpus in corpora for path in corpus_pages(corpus, limit)]
    if not pages:
        skip("there are no pages")
    counts: dict[str, list[int]] = {}
    with playwright_browser() as browser:
        for root, path in pages:
            with serve_folder(root) as address, opened(browser, f"{address}/{path}") as page:
                session = page.context.new_cdp_session(page)
                tree = session.send("Accessibility.getFullAXTree")["nodes"]
                for name, text in {
                    "map": bs.page_map(bs.capture(page)).text,
                    "ARIA snapshot": page.aria_snapshot(),
                    "ARIA snapshot for models": page.aria_snapshot(mode="ai"),
                    "accessibility tree": json.dumps(tree, ensure_ascii=False),
                    "HTML": page.content(),
                }.items():
                    counts.setdefault(name, []).append(estimate_tokens(text))
    table_head("", "median", "90 %", "most", "times the map (median of pages)")
    for name, column in counts.items():
        ratio = float(np.median(np.asarray(column) / np.asarray(counts["map"])))
        table_row(name, int(np.median(column)), int(np.percentile(column, 90)), max(column), f"{ratio:.1f}")
    print(f"{len(pages)} pages")


@click.command(epilog="Example: python benchmarks/accuracy.py map-tasks --tokens 800")
@click.option("--tokens", default=1500, show_default=True, help="Most tokens of a map.")
def map_tasks(tokens: int) -> None:
    """Count the tasks of fixtures/map-tasks.toml whose facts are in the map of their page."""
    tasks = tomllib.loads((FIXTURES / "map-tasks.toml").read_text(encoding="utf-8"))["task"]
    maps: dict[str, str] = {}
    with bs.Browser(options=bs.RenderOptions(offline=True)) as browser:
        for name in dict.fromkeys(task["page"] for task in tasks):
            page = browser.open(str(FIXTURES / "layouts" / f"{name}.html"))
            maps[name] = bs.page_map(page).to_text(tokens=tokens)
    done = 0
    for task in tasks:
        missing = [fact for fact in task["facts"] if not re.search(fact, maps[task["page"]])]
        done += not missing
        if missing:
            print(f"{task['page']}: {task['task']}: no {missing}")
    print(f"{done} of {len(tasks)} tasks, {tokens} tokens")
