"""What labelling by the inspector is worth: F1 on pages not yet labelled, over the number of labelled ones.

A script stands in for the person: it asks the inspector for its queue, answers each page from gold through the same
addresses as the browser and trains, in the queue's order and at random.

    python benchmarks/inspect_learning.py CORPUS --rendered PAGES --sites SITE,SITE,SITE -o FILE.svg

The model (the shipped one, unless --model names another) must not have learned from these sites.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from blocksight.classify.model.model import Model
from blocksight.features.block_table import Table
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import label_leaves
from blocksight.gold.pages import CONTENT, UNCERTAIN, GoldPage
from blocksight.gold.rendered import saved_path
from blocksight.inspector import page_cache
from blocksight.inspector.items import Item, item_of
from blocksight.inspector.learning import marks_f1
from blocksight.inspector.ranking import Rank
from blocksight.inspector.server.app import inspector_app
from blocksight.inspector.session import InspectorSession
from blocksight.page.page import Page
from blocksight.render.render_options import RenderOptions
from starlette.types import ASGIApp, Message

T = TypeVar("T")

TOKEN = "benchmark"
COLORS = {"confidence": "#0f6b5c", "random": "#c2410c"}
WORDS = {"confidence": "the queue: least sure first", "random": "at random"}


class DeskHere(InspectorSession):
    """Does all of its work in this process, and cuts and measures each page once: both are the same for all models."""

    def __enter__(self) -> Self:
        self.enter_context(self._opening)
        return self

    def run(self, work: Callable[..., T], page: Page, *given: Any) -> T:
        """Do some work here."""
        return work(page, *given)

    def _rank(self, sheet: Item) -> Rank:
        return Rank(confidence=self.system.judge(self.page(sheet.id)).expected_f1)


def measured_once() -> None:
    """Keep what models measure of a page."""
    measure, known = Model.measure, dict[int, Table]()

    def kept(model: Model, page: Page) -> Table:
        if id(page) not in known:
            known[id(page)] = measure(model, page)
        return known[id(page)]

    Model.measure = kept  # type: ignore[method-assign, assignment]


class Asker:
    """Asks the inspector as its page does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def ask(self, path: str, body: object = None) -> Any:
        """Return what the answer's JSON says."""
        return json.loads(asyncio.run(self._asked(path, body)))

    async def _asked(self, path: str, body: object) -> bytes:
        path, _, query = path.partition("?")
        data = b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "GET" if body is None else "POST", "path": f"/{TOKEN}/{path}",
                 "query_string": query.encode(), "headers": headers, "http_version": "1.1"}  # fmt: skip
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        answer: bytes = b"".join(message.get("body", b"") for message in sent[1:])
        if sent[0]["status"] >= 300:
            raise SystemExit(f"{path}: {answer.decode()}")
        return answer


def main() -> None:
    """Measure both orders, and draw them."""
    given = _arguments()
    measured_once()
    page_cache.HELD = given.pages
    golds = [page for page in read_corpus(given.corpus) if page.site in given.sites.split(",") and not page.error]
    pages = [(_sheet(page, given.rendered), page) for page in _in_turn(golds)[: given.pages]]
    steps = [int(step) for step in given.steps.split(",")]
    curves = {"confidence": [_curve(None, pages, steps, given.model)]} if given.queue else {}
    curves["random"] = [_curve(seed, pages, steps, given.model) for seed in range(given.random)]
    given.output.write_text(drawn(curves), encoding="utf-8")


def _in_turn(golds: Sequence[GoldPage]) -> list[GoldPage]:
    """Return pages in turn from each site."""
    sites = sorted({page.site for page in golds})
    turns = zip_longest(*([page for page in golds if page.site == site] for site in sites))
    return [page for turn in turns for page in turn if page is not None]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--sites", required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--queue", action=argparse.BooleanOptionalAction, default=True, help="the queue's order, too")
    parser.add_argument("--random", type=int, default=3, help="random orders; each is drawn")
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--steps", default="0,1,2,4,8,12,16,20")
    parser.add_argument("-o", "--output", type=Path, required=True)
    return parser.parse_args()


def _sheet(gold: GoldPage, rendered: Path) -> Item:
    return item_of(str(saved_path(rendered, gold)))


def _curve(
    seed: int | None, pages: Sequence[tuple[Item, GoldPage]], steps: Sequence[int], model: Path | None
) -> list[tuple[int, float]]:
    """Label page by page, in the queue's order or at random; return the mean F1 on the rest after some numbers."""
    golds = {sheet.id: gold for sheet, gold in pages}
    left, found = list(golds), list[tuple[int, float]]()
    if seed is not None:
        random.Random(seed).shuffle(left)
    with tempfile.TemporaryDirectory() as folder:
        sheets = [sheet for sheet, _ in pages]
        with DeskHere(sheets, Path(folder), who="script", options=RenderOptions(), model=model) as desk:
            texts = {sheet.id: desk.page(sheet.id) for sheet, _ in pages}
            asker = Asker(inspector_app(desk, TOKEN))
            for step in steps:
                while len(golds) - len(left) < step:
                    if seed is None:
                        left = [row["id"] for row in asker.ask("api/queue?order=confidence") if row["id"] in left]
                    _answer(asker, left[0], texts[left[0]], golds[left[0]])
                    del left[0]
                if step:
                    desk.learning.learn()
                if seed is None:
                    desk.ranking.look_through()
                f1 = [
                    marks_f1(texts[n], desk.system.judge(texts[n]).marks, label_leaves(texts[n], golds[n]))
                    for n in left
                ]
                found.append((step, float(np.mean(f1))))
                print("queue" if seed is None else f"random {seed}", step, round(found[-1][1], 4), flush=True)
    return found


def _answer(asker: Asker, identity: str, page: Page, gold: GoldPage) -> None:
    """Say of each leaf what the gold says.

    The page is not confirmed, too: pages that are would be judged before and after, which is not asked for here.
    """
    shown = asker.ask(f"api/pages/{identity}")
    digests = shown["leaves"]["digest"]
    labels = label_leaves(page, gold).tolist()
    said = [[leaf, digests[leaf], None, label == CONTENT] for leaf, label in enumerate(labels) if label != UNCERTAIN]
    asker.ask(f"api/pages/{identity}/labels", {"print": shown["print"], "change": "set", "leaves": said})


def drawn(curves: dict[str, list[list[tuple[int, float]]]]) -> str:
    """Draw curves of F1 over labelled pages as SVG: each run thin, their mean thick."""
    points = [point for runs in curves.values() for run in runs for point in run]
    most, low = max(step for step, _ in points), min(f1 for _, f1 in points) - 0.01
    width, height = 560, 300

    def at(step: int, f1: float) -> str:
        return f"{60 + step / max(most, 1) * 470:.1f},{250 - (f1 - low) / (1.0 - low) * 220:.1f}"

    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"'
    title = "<title>F1 on pages not yet labelled over the number of labelled pages</title>"
    parts = [f'{head} font-size="13">{title}<rect width="{width}" height="{height}" fill="#fff"/>']
    for mark in np.linspace(low, 1.0, 5).tolist():
        x, y = at(0, mark).split(",")
        parts.append(f'<path d="M{x} {y}H530" stroke="#ddd"/><text x="12" y="{float(y) + 4:.0f}">{mark:.3f}</text>')
    for step in sorted({step for step, _ in points}):
        parts.append(f'<text x="{at(step, low).split(",")[0]}" y="270" text-anchor="middle">{step}</text>')
    parts.append('<text x="295" y="292" text-anchor="middle" fill="#555">labelled pages</text>')
    for number, (order, runs) in enumerate(curves.items()):
        mean = [(steps[0][0], float(np.mean([f1 for _, f1 in steps]))) for steps in zip(*runs, strict=True)]
        for run, strong in [*((run, 1.0) for run in runs), (mean, 2.5)]:
            line = " ".join(at(*point) for point in run)
            look = f'stroke="{COLORS[order]}" stroke-width="{strong}" stroke-opacity="{min(strong, 2) / 2}"'
            parts.append(f'<polyline points="{line}" fill="none" {look}/>')
        parts.append(f'<text x="330" y="{200 + 20 * number}" fill="{COLORS[order]}">{WORDS[order]}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
