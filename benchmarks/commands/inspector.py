"""Learning curves of the inspector."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Self, TypeVar

import click
import numpy as np
from blocksight.classify.model.model import Model
from blocksight.features.block_table import Table
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import label_leaves
from blocksight.gold.pages import CONTENT, UNCERTAIN, GoldPage
from blocksight.gold.rendered import saved_path
from blocksight.inspector import page_cache
from blocksight.inspector.items import InspectorItem, item_of
from blocksight.inspector.learning import marks_f1
from blocksight.inspector.ranking import Rank
from blocksight.inspector.server.app import inspector_app
from blocksight.inspector.session import InspectorSession
from blocksight.page.page import Page
from blocksight.render.render_options import RenderOptions
from common import FILE, FOLDER, INTEGERS, List, corpus_argument
from starlette.types import ASGIApp, Message

T = TypeVar("T")

TOKEN = "benchmark"
COLORS = {"confidence": "#0f6b5c", "random": "#c2410c"}
NAMES = {"confidence": "the queue: least confident first", "random": "at random"}


class LocalSession(InspectorSession):
    """A session that works in this process, and segments and measures each page once for all models."""

    def __enter__(self) -> Self:
        self.enter_context(self._pages)
        return self

    def run(self, work: Callable[..., T], page: Page, *given: Any) -> T:
        """Run a job in this process."""
        return work(page, *given)

    def _rank(self, item: InspectorItem) -> Rank:
        return Rank(confidence=self.system.judge(self.page(item.id)).expected_f1)


def reuse_tables() -> None:
    """Compute the features of each page once for all models."""
    measure, tables = Model.measure, dict[int, Table]()

    def cached(model: Model, page: Page) -> Table:
        if id(page) not in tables:
            tables[id(page)] = measure(model, page)
        return tables[id(page)]

    Model.measure = cached  # type: ignore[method-assign, assignment]


class Client:
    """Sends requests to the inspector as its web page does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def request(self, path: str, body: object = None) -> Any:
        """Return the JSON of the response."""
        return json.loads(asyncio.run(self._response(path, body)))

    async def _response(self, path: str, body: object) -> bytes:
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


def _by_site_in_turn(golds: Sequence[GoldPage]) -> list[GoldPage]:
    """Return pages in turn from each site."""
    sites = sorted({page.site for page in golds})
    turns = zip_longest(*([page for page in golds if page.site == site] for site in sites))
    return [page for turn in turns for page in turn if page is not None]


def _curve(
    seed: int | None, pages: Sequence[tuple[InspectorItem, GoldPage]], steps: Sequence[int], model: Path | None
) -> list[tuple[int, float]]:
    """Label page by page, in the order of the queue or at random; return the mean F1 on the rest after each step."""
    golds = {item.id: gold for item, gold in pages}
    left, curve = list(golds), list[tuple[int, float]]()
    if seed is not None:
        random.Random(seed).shuffle(left)
    with tempfile.TemporaryDirectory() as folder:
        items = [item for item, _ in pages]
        with LocalSession(items, Path(folder), who="script", options=RenderOptions(), model=model) as session:
            texts = {item.id: session.page(item.id) for item, _ in pages}
            client = Client(inspector_app(session, TOKEN))
            for step in steps:
                while len(golds) - len(left) < step:
                    if seed is None:
                        left = [row["id"] for row in client.request("api/queue?order=confidence") if row["id"] in left]
                    _answer(client, left[0], texts[left[0]], golds[left[0]])
                    del left[0]
                if step:
                    session.learning.learn()
                if seed is None:
                    session.ranking.start().join()
                f1 = [
                    marks_f1(texts[n], session.system.judge(texts[n]).marks, label_leaves(texts[n], golds[n]))
                    for n in left
                ]
                curve.append((step, float(np.mean(f1))))
                print("queue" if seed is None else f"random {seed}", step, round(curve[-1][1], 4), flush=True)
    return curve


def _answer(client: Client, identity: str, page: Page, gold: GoldPage) -> None:
    """Label each leaf as the gold does; the page is not confirmed, which would classify it before and after."""
    shown = client.request(f"api/pages/{identity}")
    digests = shown["leaves"]["digest"]
    labels = label_leaves(page, gold).tolist()
    labelled = [
        [leaf, digests[leaf], None, label == CONTENT] for leaf, label in enumerate(labels) if label != UNCERTAIN
    ]
    client.request(
        f"api/pages/{identity}/labels", {"fingerprint": shown["fingerprint"], "change": "set", "leaves": labelled}
    )


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
        parts.append(f'<text x="330" y="{200 + 20 * number}" fill="{COLORS[order]}">{NAMES[order]}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


@click.command()
@corpus_argument
@click.option("--rendered", type=FOLDER, required=True)
@click.option("--sites", type=List(str), required=True, help="Sites that the model has not learned from.")
@click.option("--model", type=FILE, help="Instead of the shipped model.")
@click.option("--queue/--no-queue", default=True, help="Measure the order of the queue, too.")
@click.option("--random", "orders", default=3, help="Number of random orders; each is drawn.")
@click.option("--pages", "count", default=30)
@click.option("--steps", type=INTEGERS, default="0,1,2,4,8,12,16,20", show_default=True)
@click.option("-o", "--output", type=FILE, required=True, help="An SVG file.")
def inspector(
    corpus: Path, rendered: Path, sites: list[str], model: Path | None, queue: bool, orders: int, count: int,
    steps: list[int], output: Path,
) -> None:  # fmt: skip
    """Measure what labelling in the inspector is worth: F1 on unlabelled pages over the number of labelled ones.

    In place of a person, this asks the inspector for its queue, answers each page from gold through the same addresses
    as the web page, and trains: in the order of the queue and at random.
    """
    reuse_tables()
    page_cache._CACHED = count
    golds = [gold for gold in read_corpus(corpus) if gold.site in sites and not gold.error]
    pages = [(item_of(str(saved_path(rendered, gold))), gold) for gold in _by_site_in_turn(golds)[:count]]
    curves = {"confidence": [_curve(None, pages, steps, model)]} if queue else {}
    curves["random"] = [_curve(seed, pages, steps, model) for seed in range(orders)]
    output.write_text(drawn(curves), encoding="utf-8")
