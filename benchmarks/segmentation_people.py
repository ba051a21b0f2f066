"""How well segmentations agree with blocks that people labelled: extended BCubed over five kinds of elements.

    python benchmarks/segmentation_people.py CORPUS --rendered FOLDER [--split dev] [--methods NAME ...] [--limit N]

CORPUS is a folder with ``gold.jsonl`` whose rows have ``blocks`` (``id``, ``xpath``, ``parent``, ``wide``) and
``leaves`` (lists: path of the element around a text, its number, type, beginning, role, block, content, visible).
Pages are rendered offline, with their pictures, into FOLDER/CORPUS where they are not there yet.

Every element counts in the innermost labelled block that it lies in; what lies in none is left out, for labels are
sparse. Blocks drawn round the whole page (``wide``) are none. Means over pages.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import blocksight as bs
import numpy as np
from blocksight.compare.segmentation.bcubed import Elements, bcubed, nodes, pixels
from blocksight.compare.segmentation.edges import COARSE, FINE, edges
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import OFFLINE, read_page, render_missing
from blocksight.segment.clusters import box_clusters
from blocksight.segment.fusion import fused_blocks
from blocksight.segment.heps import heps
from blocksight.segment.segments import Segments, clip_segments, segments_of
from blocksight.segment.semantic import semantic_blocks
from blocksight.segment.targets import target_nodes
from numpy.typing import NDArray

METHODS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    **{f"VIPS, PDoC {pdoc}": partial(bs.vips, pdoc=pdoc) for pdoc in range(5, 11)},
    "HEPS": heps,
    "BCS": box_clusters,
    "fusion, 2 votes": fused_blocks,
    "target nodes, share .10": target_nodes,
    "paragraphs": bs.text_blocks,
    "semantic blocks": semantic_blocks,
}
OVER = ("pixels", "fine edges", "coarse edges", "nodes", "characters")


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """What people labelled on a page: the boxes, how deep each lies in others, and the block of each text leaf."""

    segments: Segments
    depth: NDArray[np.int64]
    leaf_block: NDArray[np.int64]


def paths(page: bs.Page) -> list[str]:
    """Return the XPath of each element, that of the element around for texts."""
    found: list[str] = []
    counts: dict[tuple[int, int], int] = {}
    for row, above in enumerate(page.parent.tolist()):
        before = found[above] if above >= 0 else ""
        if page.text[row] >= 0:
            found.append(before)
            continue
        key = (above, int(page.tag[row]))
        counts[key] = counts.get(key, 0) + 1
        tag = page.tag_of(row)
        found.append(f"{before}/{tag}" if tag == "html" else f"{before}/{tag}[{counts[key]}]")
    return found


def people_on(page: bs.Page, entry: dict[str, Any]) -> People:
    """Lay the labels of an entry on its page."""
    assert page.geometry is not None
    path = paths(page)
    row_of = {name: row for row, name in reversed(list(enumerate(path))) if page.text[row] < 0}
    named = {block["id"]: block for block in entry["blocks"] if not block.get("wide")}
    number = {block: place for place, block in enumerate(named)}
    boxes, depth = [], []
    for block in named.values():
        row = row_of.get(block["xpath"])
        box = page.geometry.box[row] if row is not None else np.full(4, np.nan)
        boxes.append(np.nan_to_num(box.astype(np.float64)))
        depth.append(_depth(block, named))
    return People(
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
    """Return the block of each text leaf, -1 for none: texts of one element stand in one order on both sides."""
    there: dict[str, list[list[Any]]] = defaultdict(list)
    for leaf in entry["leaves"]:
        there[leaf[0]].append(leaf)
    found = np.full(len(page.leaves), -1, dtype=np.int64)
    used: dict[str, int] = defaultdict(int)
    for leaf, row in enumerate(page.leaves.tolist()):
        name, text = path[row], "".join(page.leaf_texts[leaf].split())
        for place in range(used[name], len(there[name])):
            labelled = there[name][place]
            if text.startswith("".join(labelled[3].split())[:15]):
                used[name] = place + 1
                found[leaf] = number.get(labelled[5], -1) if labelled[7] else -1
                break
    return found


def innermost(elements: Elements, depth: NDArray[np.int64]) -> Elements:
    """Keep of each element the deepest labelled block, and only the elements in one."""
    inside = elements.other.any(axis=1)
    one, other = elements.one[inside], elements.other[inside]
    deepest = np.where(other, depth + 1, 0).argmax(axis=1) if other.shape[1] else np.zeros(0, dtype=np.int64)
    only = np.zeros_like(other)
    only[np.arange(len(only)), deepest] = True
    return Elements(weight=elements.weight[inside], one=one, other=only)


def text_elements(page: bs.Page, blocks: bs.Blocks, people: People) -> Elements:
    """Return the text leaves in labelled blocks, each counted by its characters."""
    leaves = np.flatnonzero(people.leaf_block >= 0)
    weight = np.asarray([len("".join(page.leaf_texts[leaf].split())) for leaf in leaves.tolist()], dtype=np.float64)
    one = blocks.leaf_block[leaves][:, None] == np.arange(len(blocks))
    other = people.leaf_block[leaves][:, None] == np.arange(people.segments.count)
    return Elements(weight=weight, one=one, other=other)


def agreement(page: bs.Page, people: People, drawn: dict[str, NDArray[np.bool_]]) -> dict[str, list[float]]:
    """Return for each method the number of its leaf blocks, then precision, recall and F1 over each kind of element."""
    assert page.geometry is not None
    labelled = clip_segments(people.segments, page.geometry.size)
    found = {}
    for name, method in METHODS.items():
        blocks = method(page)
        ours = clip_segments(segments_of(blocks), page.geometry.size)
        made = {
            "pixels": pixels(ours, labelled),
            **{over: pixels(ours, labelled, picture) for over, picture in drawn.items()},
            "nodes": nodes(page, ours, labelled),
        }
        scores = {over: bcubed(innermost(made[over], people.depth)) for over in made}
        scores["characters"] = bcubed(text_elements(page, blocks, people))
        leaf = len(np.setdiff1d(np.arange(len(blocks)), blocks.parent))
        found[name] = [float(leaf)]
        for over in OVER:
            score = scores.get(over)
            found[name] += [score.precision, score.recall, score.f1] if score else [float("nan")] * 3
    return found


def pages(
    golds: list[GoldPage], entries: dict[str, dict[str, Any]], rendered: Path
) -> Iterator[dict[str, list[float]]]:
    """Yield the agreement on each page with labelled text."""
    for gold in golds:
        try:
            page = read_page(gold, rendered)
        except bs.BlocksightError as error:
            print(error, file=sys.stderr)
            continue
        people = people_on(page, entries[gold.id])
        if not (people.leaf_block >= 0).any():
            continue
        picture = page.screenshot
        drawn = {"fine edges": edges(picture, FINE), "coarse edges": edges(picture, COARSE)} if picture else {}
        print(gold.name, file=sys.stderr)
        yield agreement(page, people, drawn)


def report(found: list[dict[str, list[float]]]) -> None:
    """Print a Markdown table: F1 over each kind of element (precision, recall)."""
    print(f"{len(found)} pages with labelled text\n")
    print("| | blocks | " + " | ".join(OVER) + " |")
    print("|---|---|" + "---|" * len(OVER))
    for name in found[0]:
        means = np.nanmean([page[name] for page in found], axis=0)
        cells = [f"{f1:.3f} ({p:.2f}, {r:.2f})" for p, r, f1 in means[1:].reshape(-1, 3)]
        print(f"| {name} | {means[0]:.1f} | " + " | ".join(cells) + " |")


def complain(gold: GoldPage, why: str, _: float) -> None:
    """Name a page that could not be rendered."""
    if why:
        print(f"{gold.name}: {why}", file=sys.stderr)


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--methods", nargs="*", choices=tuple(METHODS))
    parser.add_argument("--limit", type=int)
    wanted = parser.parse_args()
    try:
        golds = [gold for gold in read_corpus(wanted.corpus, None) if gold.split == wanted.split and not gold.error]
        lines = (wanted.corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    except (bs.errors.CorpusUnreadable, OSError) as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 2
    for name in METHODS.keys() - set(wanted.methods or METHODS):
        del METHODS[name]
    entries = {entry["id"]: entry for entry in map(json.loads, lines) if "blocks" in entry}
    chosen = sample([gold for gold in golds if gold.id in entries], wanted.limit)
    render_missing(chosen, wanted.rendered, options=replace(OFFLINE, screenshot="full"), done=complain)
    found = list(pages(chosen, entries, wanted.rendered))
    if not found:
        print(f"skipped: {wanted.corpus} has no pages of the split {wanted.split} with labels", file=sys.stderr)
        return 2
    report(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
