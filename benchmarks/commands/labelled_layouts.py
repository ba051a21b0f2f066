"""Pages with blocks that people named: our own layouts, and corpora of labelled pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import blocksight as bs
import numpy as np
import orjson
from blocksight.compare.measures.measures import leaf_reference
from blocksight.gold.corpora import read_corpus
from blocksight.gold.rendered import render_missing, saved_path
from blocksight.page.store import load, save
from blocksight.segment.visible_boxes import visible_boxes
from common import open_pages, report_failure, skip
from numpy.typing import NDArray

OPTIONS = bs.RenderOptions(offline=True, allow_private=True, timeout=20.0, screenshot="full")


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPage:
    """A rendered page and the named block of each text leaf, -1 for none, int (leaves,)."""

    name: str
    page: bs.Page
    block: NDArray[np.int64]


def kept_pages(sources: dict[str, str], folder: Path, options: bs.RenderOptions) -> Iterator[LabelledPage]:
    """Yield pages whose elements have names of blocks (``data-block``), by name; rendered ones are kept in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in sources if not (folder / f"{name}.page").exists()]
    if missing:
        with bs.Browser(options=options) as browser:
            for name in missing:
                save(browser.open(sources[name].encode()), folder / f"{name}.page")
    for name in sources:
        page = load(folder / f"{name}.page")
        yield LabelledPage(name=name, page=page, block=named_blocks(page))


def layouts(
    folder: Path, kept: Path, *, variant: str = "", window: tuple[int, int] = (1280, 800), style: str = ""
) -> Iterator[LabelledPage]:
    """Yield the labelled pages of a folder, in a window of a size and with a further style sheet."""
    files = sorted(folder.glob("*.html"))
    if not files:
        skip(f"{folder} has no pages")
    sheet = f"<style>{style}</style></head>"
    sources = {file.stem: file.read_text(encoding="utf-8").replace("</head>", sheet, 1) for file in files}
    return kept_pages(sources, kept / f"{folder.name}{variant}", replace(OPTIONS, viewport=window))


def composed_pages(number: int, kept: Path) -> Iterator[LabelledPage]:
    """Yield generated pages with names of blocks."""
    from generators.composed_layouts import composed

    sources = {f"{seed}": composed(seed) for seed in range(number)}
    for page in kept_pages(sources, kept / "composed", replace(OPTIONS, screenshot="")):
        yield replace(page, name=f"composed {page.name}")


def named_blocks(page: bs.Page) -> NDArray[np.int64]:
    """Return the block of each visible text leaf by the innermost ``data-block`` around it, -1 for none."""
    name = page.attribute("data-block")
    around = page.nearest(name >= 0)[page.leaves]
    block = np.where(around >= 0, name[around], -1).astype(np.int64)
    visible = np.zeros(len(block), dtype=bool)
    visible[visible_boxes(page).leaf] = True
    return np.where(visible, block, -1)


def paths(page: bs.Page) -> list[str]:
    """Return the XPath of each element; for a text, of the element around it."""
    result: list[str] = []
    counts: Counter[tuple[int, int]] = Counter()
    for row, above in enumerate(page.parent.tolist()):
        path = result[above] if above >= 0 else ""
        if page.text[row] < 0:
            key = (above, int(page.tag[row]))
            counts[key] += 1
            tag = page.tag_of(row)
            path += f"/{tag}" if tag == "html" else f"/{tag}[{counts[key]}]"
        result.append(path)
    return result


def people_blocks(page: bs.Page, entry: dict[str, Any]) -> NDArray[np.int64]:
    """Return the block of each text leaf by people, -1 for none; texts of an element are in the same order in both.

    Blocks around the whole page ("wide") do not count.
    """
    blocks = (block["id"] for block in entry["blocks"] if not block.get("wide"))
    number = {block: position for position, block in enumerate(blocks)}
    labelled: dict[str, list[list[Any]]] = defaultdict(list)
    for leaf in entry["leaves"]:
        labelled[leaf[0]].append(leaf)
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int64)
    used: Counter[str] = Counter()
    path = paths(page)
    for leaf, row in enumerate(page.leaves.tolist()):
        name, text = path[row], "".join(page.leaf_texts[leaf].split())
        for position, candidate in enumerate(labelled[name][used[name] :], used[name]):
            if text.startswith("".join(candidate[3].split())[:15]):
                used[name] = position + 1
                leaf_block[leaf] = number.get(candidate[5], -1) if candidate[7] else -1
                break
    return leaf_block


def people_pages(corpus: Path, rendered: Path, split: str) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus with blocks of people; missing ones are rendered offline.

    Entries of its gold.jsonl have blocks (id, xpath, parent, wide) and leaves (lists: path of the element around a
    text, its number, type, start, role, block, content, visible).
    """
    entries = {
        entry["id"]: entry
        for entry in map(orjson.loads, (corpus / "gold.jsonl").read_bytes().splitlines())
        if "blocks" in entry
    }
    golds = [gold for gold in read_corpus(corpus) if gold.split == split and not gold.error and gold.id in entries]
    render_missing(golds, rendered, done=report_failure)
    for gold, page in open_pages(golds, rendered):
        block = people_blocks(page, entries[gold.id])
        if (block >= 0).any():
            yield LabelledPage(name=gold.id, page=page, block=block)


def content_pages(corpus: Path, rendered: Path) -> Iterator[LabelledPage]:
    """Yield the training pages of a corpus that are rendered: block 1 is the content, 0 all else."""
    golds = [gold for gold in read_corpus(corpus) if gold.split == "train" and not gold.error]
    for gold, page in open_pages([gold for gold in golds if saved_path(rendered, gold).exists()], rendered):
        leaves = leaf_reference(page, gold)
        if leaves is None or page.geometry is None:
            continue
        block = np.where(leaves.known & (page.leaf_lengths > 0), leaves.content, -1).astype(np.int64)
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
