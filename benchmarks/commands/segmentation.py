"""Accuracy of segmentations and of reading order against gold texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from functools import partial
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.compare.measures.labelling import LeafReference, leaf_reference
from blocksight.compare.segmentation.content_fit import ContentFit, content_fit
from blocksight.features.alignment import common_subsequence
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import gold_marks
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import render_missing, saved_path
from blocksight.gold.split import read_sites
from blocksight.lexicon.words import words
from blocksight.segment.order import reading_order
from blocksight.segment.targets import target_nodes
from common import FOLDER, corpus_argument, limit_option, open_pages, report_failure, sites_option, skip

METHODS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    "VIPS, auto": bs.vips,
    **{f"VIPS, PDoC {pdoc}": partial(bs.vips, pdoc=pdoc) for pdoc in range(1, 11)},
    "target nodes, share .10": target_nodes,
    "target nodes, share 1.0": partial(target_nodes, share=1.0),
    "paragraphs": bs.text_blocks,
}
#: Words times gold words above which a comparison takes too long.
MAX_PRODUCT = 60_000_000

rendered_option = click.option(
    "--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages, CORPUS/ID.page."
)


def all_golds(corpus: Path, sites: Path | None) -> list[GoldPage]:
    """Return the pages of a corpus, with the split of each site if a file names it."""
    return read_corpus(corpus, read_sites(sites) if sites else None)


def content_fits(page: bs.Page, gold: LeafReference) -> dict[str, ContentFit] | None:
    """Return how each segmentation fits the visible content; None if there is none."""
    length = np.where(gold.known, gold.length, 0.0)
    if not length[gold.content].sum() > 0:
        return None
    return {name: content_fit(method(page), gold.content, length) for name, method in METHODS.items()}


@click.command()
@corpus_argument
@rendered_option
@limit_option
@sites_option
def oracles(corpus: Path, rendered: Path, limit: int | None, sites: Path | None) -> None:
    """Measure how well segmentations let content be selected: VIPS at each PDoC, target nodes, paragraphs, semantic.

    Pages of the split dev are rendered offline into FOLDER/CORPUS if they are missing. The columns are means over
    pages, in characters: leaf blocks; purity, the share of the text in blocks that are all content or all not;
    completeness, the largest share of the content in one block; and the F1 of three oracles: all blocks that are
    content throughout, the best set of blocks, the best single block or inner node.
    """
    dev = [gold for gold in all_golds(corpus, sites) if gold.split == "dev" and not gold.error]
    chosen = sample(dev, limit)
    render_missing(chosen, rendered, done=report_failure)
    rows = []
    for gold, page in open_pages(chosen, rendered):
        leaves = leaf_reference(page, gold)
        fits = None if leaves is None else content_fits(page, leaves)
        if fits is not None:
            rows.append(fits)
    if not rows:
        skip(f"{corpus} has no pages of the split dev with content")
    heads = ("blocks", "purity", "complete", "good blocks", "best blocks", "best node")
    print(f"{corpus.name}: {len(rows)} pages with content")
    print(f"{'':24}" + "".join(f"{head:>12}" for head in heads))
    for name in METHODS:
        means = np.mean([astuple(page_fits[name]) for page_fits in rows], axis=0)
        print(f"{name:24}{means[0]:12.1f}" + "".join(f"{mean:12.3f}" for mean in means[1:]))


def share_in_sequence(page: bs.Page, leaves: np.ndarray, gold: list[str]) -> float:
    """Return the share of the words on a longest common subsequence with the gold; NaN for very long texts."""
    sequence = [word for leaf in leaves.tolist() for word in words(page.leaf_texts[leaf])]
    if len(sequence) * len(gold) > MAX_PRODUCT:
        return float("nan")
    return float(common_subsequence(sequence, gold).mean())


@click.command()
@corpus_argument
@rendered_option
@limit_option
@sites_option
def order(corpus: Path, rendered: Path, limit: int | None, sites: Path | None) -> None:
    """Measure whether the gold text follows document order or reading order by geometry.

    The content of each page, as its gold text marks it, is written in both orders; the figure is the share of its words
    on a longest common subsequence with the gold text. Only pages whose content differs in order count.
    """
    golds = [gold for gold in all_golds(corpus, sites) if gold.texts and saved_path(rendered, gold).exists()]
    chosen = sample(golds, limit)
    rows, moved = [], 0
    for gold, page in open_pages(chosen, rendered):
        positions = reading_order(page)
        content = gold_marks(page, gold.text)
        moved += bool((np.diff(positions) != 1).any())
        visual, document = positions[content[positions]], np.flatnonzero(content)
        if not np.array_equal(visual, document):
            gold_words = words(gold.text)
            by_document, by_geometry = (share_in_sequence(page, leaves, gold_words) for leaves in (document, visual))
            rows.append((by_document, by_geometry, gold.id))
    rows = [row for row in rows if not np.isnan(row[0])]
    print(f"{corpus.name}: {len(chosen)} pages, {moved} read in another order, {len(rows)} in their content")
    if rows:
        scores = np.asarray([row[:2] for row in rows])
        better, worse = (scores[:, 1] > scores[:, 0] + 1e-9).sum(), (scores[:, 1] < scores[:, 0] - 1e-9).sum()
        print(f"  words in sequence: document {scores[:, 0].mean():.4f}, geometry {scores[:, 1].mean():.4f}; ", end="")
        print(f"geometry better on {better}, worse on {worse}")
        for by_document, by_geometry, name in sorted(rows, key=lambda row: -abs(row[0] - row[1]))[:5]:
            print(f"    {name}: document {by_document:.4f}, geometry {by_geometry:.4f}")
