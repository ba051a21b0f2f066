"""Pages with blocks that people named: our own layouts, and corpora of labelled pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import blocksight as bs
import numpy as np
import orjson
from blocksight.compare.measures.labelling import leaf_reference
from blocksight.gold.corpora import read_corpus
from blocksight.gold.rendered import render_missing, saved_path
from blocksight.page.store import load, save
from blocksight.render.visibility.visible_boxes import visible_boxes
from common import open_pages, report_failure, skip
from numpy.typing import NDArray

from .people import people_labels

OPTIONS = bs.RenderOptions(offline=True, allow_private=True, timeout=20.0, screenshot="full")


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPage:
    """A rendered page and the named block of each text leaf, -1 for none, int (leaves,)."""

    name: str
    page: bs.Page
    block: NDArray[np.int64]


def layouts(
    folder: Path, kept: Path, *, variant: str = "", window: tuple[int, int] = (1280, 800), style: str = ""
) -> Iterator[LabelledPage]:
    """Yield the pages of a folder whose elements have names of blocks (``data-block``); rendered ones are kept."""
    files = sorted(folder.glob("*.html"))
    if not files:
        skip(f"{folder} has no pages")
    target = kept / f"{folder.name}{variant}"
    target.mkdir(parents=True, exist_ok=True)
    missing = [file for file in files if not (target / f"{file.stem}.page").exists()]
    if missing:
        with bs.Browser(options=replace(OPTIONS, viewport=window)) as browser:
            for file in missing:
                source = file.read_text(encoding="utf-8").replace("</head>", f"<style>{style}</style></head>", 1)
                save(browser.open(source.encode()), target / f"{file.stem}.page")
    for file in files:
        page = load(target / f"{file.stem}.page")
        yield LabelledPage(name=file.stem, page=page, block=named_blocks(page))


def composed_pages(number: int, kept: Path) -> Iterator[LabelledPage]:
    """Yield generated pages with names of blocks; rendered ones are kept."""
    from generators.composed_layouts import composed

    target = kept / "composed"
    target.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in range(number) if not (target / f"{seed}.page").exists()]
    if missing:
        with bs.Browser(options=replace(OPTIONS, screenshot="")) as browser:
            for seed in missing:
                save(browser.open(composed(seed).encode()), target / f"{seed}.page")
    for seed in range(number):
        page = load(target / f"{seed}.page")
        yield LabelledPage(name=f"composed {seed}", page=page, block=named_blocks(page))


def named_blocks(page: bs.Page) -> NDArray[np.int64]:
    """Return the block of each visible text leaf by the innermost ``data-block`` around it, -1 for none."""
    name = page.attribute("data-block")
    around = page.nearest(name >= 0)[page.leaves]
    block = np.where(around >= 0, name[around], -1).astype(np.int64)
    visible = np.zeros(len(block), dtype=bool)
    visible[visible_boxes(page).leaf] = True
    return np.where(visible, block, -1)


def people_pages(corpus: Path, rendered: Path, split: str) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus with blocks of people."""
    golds = [gold for gold in read_corpus(corpus, None) if gold.split == split and not gold.error]
    lines = (corpus / "gold.jsonl").read_bytes().splitlines()
    entries = {entry["id"]: entry for entry in map(orjson.loads, lines) if "blocks" in entry}
    chosen = [gold for gold in golds if gold.id in entries]
    render_missing(chosen, rendered, done=report_failure)
    for gold, page in open_pages(chosen, rendered):
        block = people_labels(page, entries[gold.id]).leaf_block
        if (block >= 0).any():
            yield LabelledPage(name=gold.id, page=page, block=block)


def content_pages(corpus: Path, rendered: Path) -> Iterator[LabelledPage]:
    """Yield the training pages of a corpus that are rendered: block 1 is the content, 0 all else."""
    golds = [gold for gold in read_corpus(corpus, None) if gold.split == "train" and not gold.error]
    for gold, page in open_pages([gold for gold in golds if saved_path(rendered, gold).exists()], rendered):
        leaves = leaf_reference(page, gold)
        if leaves is None or page.geometry is None:
            continue
        block = np.where(leaves.known & (leaves.length > 0), leaves.content, -1).astype(np.int64)
        if {0, 1} <= set(block.tolist()):
            yield LabelledPage(name=f"{corpus.name} {gold.id}", page=page, block=block)


def counts(blocks: bs.Blocks, labelled: LabelledPage) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the characters of each named block in each block with all inside it, and those of each named block."""
    texts = labelled.page.leaf_texts
    weight = np.asarray([len("".join(text.split())) for text in texts], dtype=np.float64)
    names, code = np.unique(labelled.block, return_inverse=True)
    has = labelled.block >= 0
    total = np.bincount(code[has], weights=weight[has], minlength=len(names)).astype(np.float64)
    inside = np.zeros((len(blocks), len(names)))
    placed = has & (blocks.leaf_block >= 0)
    np.add.at(inside, (blocks.leaf_block[placed], code[placed]), weight[placed])
    for row in range(len(blocks) - 1, 0, -1):
        if blocks.parent[row] >= 0:
            inside[blocks.parent[row]] += inside[row]
    return inside[:, total > 0], total[total > 0]


def agreement(inside: NDArray[np.float64], total: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return precision, recall and F1 (BCubed over characters) of blocks without others inside, from their counts."""
    squares = inside**2
    precision = (squares.sum(axis=1) / np.maximum(inside.sum(axis=1), 1e-9)).sum() / max(inside.sum(), 1e-9)
    recall = (squares / total).sum() / total.sum()
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
