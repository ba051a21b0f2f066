"""Agreement of segmentations with blocks that people labelled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import numpy as np
import orjson
from blocksight.compare.segmentation.bcubed import Elements, bcubed, nodes, pixels
from blocksight.compare.segmentation.edges import COARSE, FINE, edges
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import sample
from blocksight.gold.rendered import OFFLINE, render_missing
from blocksight.segment.segments import Segments, clip_segments, segments_of
from blocksight.segment.targets import target_nodes
from common import (
    FOLDER,
    List,
    corpus_argument,
    limit_option,
    open_pages,
    report_failure,
    skip,
    split_option,
    table_head,
    table_row,
)
from numpy.typing import NDArray

METHODS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    "VIPS, auto": bs.vips,
    **{f"VIPS, PDoC {pdoc}": partial(bs.vips, pdoc=pdoc) for pdoc in range(5, 11)},
    "target nodes, share .10": target_nodes,
    "paragraphs": bs.text_blocks,
}
OVER = ("pixels", "fine edges", "coarse edges", "nodes", "characters")


@dataclass(frozen=True, kw_only=True, eq=False)
class PeopleLabels:
    """The labels of people on a page: boxes, their nesting depth, and the block of each text leaf."""

    segments: Segments
    depth: NDArray[np.int64]
    leaf_block: NDArray[np.int64]


def paths(page: bs.Page) -> list[str]:
    """Return the XPath of each element; for a text, of the element around it."""
    result: list[str] = []
    counts: dict[tuple[int, int], int] = {}
    for row, above in enumerate(page.parent.tolist()):
        before = result[above] if above >= 0 else ""
        if page.text[row] >= 0:
            result.append(before)
            continue
        key = (above, int(page.tag[row]))
        counts[key] = counts.get(key, 0) + 1
        tag = page.tag_of(row)
        result.append(f"{before}/{tag}" if tag == "html" else f"{before}/{tag}[{counts[key]}]")
    return result


def people_labels(page: bs.Page, entry: dict[str, Any]) -> PeopleLabels:
    """Return the labels of an entry on its page."""
    assert page.geometry is not None
    path = paths(page)
    row_of = {name: row for row, name in reversed(list(enumerate(path))) if page.text[row] < 0}
    named = {block["id"]: block for block in entry["blocks"] if not block.get("wide")}
    number = {block: position for position, block in enumerate(named)}
    boxes, depth = [], []
    for block in named.values():
        row = row_of.get(block["xpath"])
        box = page.geometry.box[row] if row is not None else np.full(4, np.nan)
        boxes.append(np.nan_to_num(box.astype(np.float64)))
        depth.append(_depth(block, named))
    return PeopleLabels(
        segments=Segments(box=np.asarray(boxes).reshape(-1, 4), segment=np.arange(len(boxes), dtype=np.int32)),
        depth=np.asarray(depth, dtype=np.int64),
        leaf_block=_leaf_blocks(page, path, entry, number),
    )


def _depth(block: dict[str, Any], named: dict[int, dict[str, Any]]) -> int:
    depth = 0
    while block["parent"] in named:
        block, depth = named[block["parent"]], depth + 1
    return depth


def _leaf_blocks(page: bs.Page, path: list[str], entry: dict[str, Any], number: dict[int, int]) -> NDArray[np.int64]:
    """Return the block of each text leaf, -1 for none; the texts of an element are in the same order on both sides."""
    labelled: dict[str, list[list[Any]]] = defaultdict(list)
    for leaf in entry["leaves"]:
        labelled[leaf[0]].append(leaf)
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int64)
    used: dict[str, int] = defaultdict(int)
    for leaf, row in enumerate(page.leaves.tolist()):
        name, text = path[row], "".join(page.leaf_texts[leaf].split())
        for position in range(used[name], len(labelled[name])):
            candidate = labelled[name][position]
            if text.startswith("".join(candidate[3].split())[:15]):
                used[name] = position + 1
                leaf_block[leaf] = number.get(candidate[5], -1) if candidate[7] else -1
                break
    return leaf_block


def innermost(elements: Elements, depth: NDArray[np.int64]) -> Elements:
    """Return the elements inside labelled blocks, each with the deepest of its blocks."""
    inside = elements.other.any(axis=1)
    one, other = elements.one[inside], elements.other[inside]
    deepest = np.where(other, depth + 1, 0).argmax(axis=1) if other.shape[1] else np.zeros(0, dtype=np.int64)
    only = np.zeros_like(other)
    only[np.arange(len(only)), deepest] = True
    return Elements(weight=elements.weight[inside], one=one, other=only)


def text_elements(page: bs.Page, blocks: bs.Blocks, labels: PeopleLabels) -> Elements:
    """Return the text leaves in labelled blocks, weighted by their characters."""
    leaves = np.flatnonzero(labels.leaf_block >= 0)
    weight = np.asarray([len("".join(page.leaf_texts[leaf].split())) for leaf in leaves.tolist()], dtype=np.float64)
    one = blocks.leaf_block[leaves][:, None] == np.arange(len(blocks))
    other = labels.leaf_block[leaves][:, None] == np.arange(labels.segments.count)
    return Elements(weight=weight, one=one, other=other)


def agreement(page: bs.Page, labels: PeopleLabels, methods: list[str]) -> dict[str, list[float]]:
    """Return for each method the number of its leaf blocks, then precision, recall and F1 over each kind of element."""
    assert page.geometry is not None
    picture = page.screenshot
    drawn = {"fine edges": edges(picture, FINE), "coarse edges": edges(picture, COARSE)} if picture else {}
    reference = clip_segments(labels.segments, page.geometry.size)
    result = {}
    for name in methods:
        blocks = METHODS[name](page)
        ours = clip_segments(segments_of(blocks), page.geometry.size)
        elements = {
            "pixels": pixels(ours, reference),
            **{over: pixels(ours, reference, edge_pixels) for over, edge_pixels in drawn.items()},
            "nodes": nodes(page, ours, reference),
        }
        scores = {over: bcubed(innermost(elements[over], labels.depth)) for over in elements}
        scores["characters"] = bcubed(text_elements(page, blocks, labels))
        result[name] = [float(len(np.setdiff1d(np.arange(len(blocks)), blocks.parent)))]
        for over in OVER:
            score = scores.get(over)
            result[name] += [score.precision, score.recall, score.f1] if score else [float("nan")] * 3
    return result


def print_agreement(pages: list[dict[str, list[float]]]) -> None:
    """Print F1 over each kind of element (precision, recall)."""
    print(f"{len(pages)} pages with labelled text\n")
    table_head("", "blocks", *OVER)
    for name in pages[0]:
        means = np.nanmean([page[name] for page in pages], axis=0)
        cells = [f"{f1:.3f} ({precision:.2f}, {recall:.2f})" for precision, recall, f1 in means[1:].reshape(-1, 3)]
        table_row(name, f"{means[0]:.1f}", *cells)


@click.command()
@corpus_argument
@click.option("--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages, CORPUS/ID.page.")
@split_option
@click.option(
    "--methods", type=List(str, METHODS, separator=";"), default=tuple(METHODS), help="Names, separated by semicolons."
)
@limit_option
def people(corpus: Path, rendered: Path, split: str, methods: list[str], limit: int | None) -> None:
    """Measure segmentations against blocks that people labelled: extended BCubed over five kinds of elements.

    CORPUS is a folder with gold.jsonl whose rows have blocks (id, xpath, parent, wide) and leaves (lists: path of the
    element around a text, its number, type, start, role, block, content, visible). Missing pages are rendered offline,
    with a screenshot, into FOLDER/CORPUS. Every element counts in the innermost labelled block around it; elements
    outside of all blocks are left out, for labels are sparse. Blocks around the whole page (wide) do not count. Means
    over pages.
    """
    golds = [gold for gold in read_corpus(corpus, None) if gold.split == split and not gold.error]
    lines = (corpus / "gold.jsonl").read_bytes().splitlines()
    entries = {entry["id"]: entry for entry in map(orjson.loads, lines) if "blocks" in entry}
    chosen = sample([gold for gold in golds if gold.id in entries], limit)
    render_missing(chosen, rendered, options=replace(OFFLINE, screenshot="full"), done=report_failure)
    rows = []
    for gold, page in open_pages(chosen, rendered):
        labels = people_labels(page, entries[gold.id])
        if (labels.leaf_block >= 0).any():
            rows.append(agreement(page, labels, methods))
    if not rows:
        skip(f"{corpus} has no pages of the split {split} with labels")
    print_agreement(rows)
