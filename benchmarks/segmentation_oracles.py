"""How well segmentations let content be picked: VIPS at each PDoC, target nodes, paragraphs and semantic blocks.

    python benchmarks/segmentation_oracles.py CORPUS --rendered FOLDER [--limit N] [--sites FILE]

CORPUS is a folder in one of the forms of docs/evaluation.md, with gold texts or labels of nodes. Pages are rendered
offline into FOLDER/CORPUS where they are not there yet. Only pages of the split ``dev`` are taken, a sample that is
always the same; ``--sites`` names the split of each site.

The columns are means over pages, in characters: leaf blocks; purity, the share of the text in blocks that are all
content or all not; completeness, the largest share of the content in one block; and the F1 of three oracles: all blocks
that are content throughout, the best set of blocks, the best single block or inner node.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.compare.measures.labelling import LeafReference, leaf_reference
from blocksight.compare.segmentation.content_fit import ContentFit, content_fit
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import read_page, render_missing
from blocksight.gold.split import read_sites
from blocksight.segment.semantic import semantic_blocks
from blocksight.segment.targets import target_nodes

MAKERS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    **{f"VIPS, PDoC {pdoc}": partial(bs.vips, pdoc=pdoc) for pdoc in range(1, 11)},
    "target nodes, share .10": target_nodes,
    "target nodes, share 1.0": partial(target_nodes, share=1.0),
    "paragraphs": bs.text_blocks,
    "semantic blocks": semantic_blocks,
}


def fits(page: bs.Page, gold: LeafReference) -> dict[str, ContentFit] | None:
    """Lay every segmentation beside the content that is seen; None where there is none."""
    length = np.where(gold.known, gold.length, 0.0)
    if not length[gold.content].sum() > 0:
        return None
    return {name: content_fit(make(page), gold.content, length) for name, make in MAKERS.items()}


def pages(golds: list[GoldPage], rendered: Path) -> Iterator[dict[str, ContentFit]]:
    """Yield the fits of each page that is there and has content."""
    for gold in golds:
        try:
            page = read_page(gold, rendered)
        except bs.BlocksightError as error:
            print(error, file=sys.stderr)
            continue
        leaves = leaf_reference(page, gold)
        found = None if leaves is None else fits(page, leaves)
        if found is not None:
            yield found


def complain(gold: GoldPage, why: str, _: float) -> None:
    """Name a page that could not be rendered."""
    if why:
        print(f"{gold.name}: {why}", file=sys.stderr)


def report(corpus: str, found: list[dict[str, ContentFit]]) -> None:
    """Print the table."""
    heads = ("blocks", "purity", "complete", "good blocks", "best blocks", "best node")
    print(f"{corpus}: {len(found)} pages with content")
    print(f"{'':24}" + "".join(f"{head:>12}" for head in heads))
    for name in MAKERS:
        means = np.mean([astuple(page[name]) for page in found], axis=0)
        print(f"{name:24}{means[0]:12.1f}" + "".join(f"{mean:12.3f}" for mean in means[1:]))


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sites", type=Path)
    wanted = parser.parse_args()
    try:
        golds = read_corpus(wanted.corpus, read_sites(wanted.sites) if wanted.sites else None)
    except bs.errors.CorpusUnreadable as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 2
    dev = [gold for gold in golds if gold.split == "dev" and not gold.error]
    chosen = sample(dev, wanted.limit)
    render_missing(chosen, wanted.rendered, done=complain)
    found = list(pages(chosen, wanted.rendered))
    if not found:
        print(f"skipped: {wanted.corpus} has no pages of the split dev with content", file=sys.stderr)
        return 2
    report(wanted.corpus.name, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
