"""Agreement of segmentations with the blocks that people would name, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.segment.targets import target_nodes
from common import FOLDER, interval_cell, split_option, table_head, table_row
from numpy.typing import NDArray

from .labelled_layouts import LabelledPage, agreement, counts, layouts, people_pages

METHODS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    "FIASCO (target nodes)": partial(target_nodes, share=1.0),
    "VIPS, PDoC 8": partial(bs.vips, pdoc=8),
    "VIPS, auto": bs.vips,
}
BEST = ("VIPS, best PDoC of each page", "VIPS, best cut of the tree")
#: Weights of precision, at which the best cut is sought.
_TRADES = (0.2, 0.35, 0.5, 0.65, 0.8)

Scores = tuple[float, float, float]


def leaf_rows(blocks: bs.Blocks) -> NDArray[np.intp]:
    """Return the blocks without others inside."""
    return np.setdiff1d(np.arange(len(blocks)), blocks.parent)


def score(method: Callable[[bs.Page], bs.Blocks], labelled: LabelledPage) -> Scores:
    """Return precision, recall and F1 of a segmentation on a page."""
    blocks = method(labelled.page)
    inside, total = counts(blocks, labelled)
    own = inside.copy()
    below = blocks.parent >= 0
    np.subtract.at(own, blocks.parent[below], inside[below])
    return agreement(own, total)


def best_cut(labelled: LabelledPage) -> Scores:
    """Return the scores of the best cut of the whole tree: for some trades of precision for recall, bottom-up."""
    blocks = bs.vips(labelled.page, pdoc=10)
    inside, total = counts(blocks, labelled)
    precise = (inside**2).sum(axis=1) / np.maximum(inside.sum(axis=1), 1e-9)
    complete = (inside**2 / total).sum(axis=1)
    return max(
        (_cut(blocks, inside, total, one * precise + (1 - one) * complete) for one in _TRADES), key=lambda s: s[2]
    )


def _cut(
    blocks: bs.Blocks, inside: NDArray[np.float64], total: NDArray[np.float64], value: NDArray[np.float64]
) -> Scores:
    below, parent = np.zeros(len(blocks)), blocks.parent.tolist()
    divided = np.zeros(len(blocks), dtype=bool)
    has_child = np.isin(np.arange(len(blocks)), blocks.parent)
    for row in range(len(blocks) - 1, -1, -1):
        divided[row] = has_child[row] and below[row] > value[row] + 1e-12
        if parent[row] >= 0:
            below[parent[row]] += below[row] if divided[row] else value[row]
    reached = np.zeros(len(blocks), dtype=bool)
    for row, above in enumerate(parent):
        reached[row] = above < 0 or (reached[above] and divided[above])
    return agreement(inside[reached & ~divided], total)


def scores_of(labelled: LabelledPage) -> dict[str, Scores]:
    """Return the scores of each method on a page, and those of the best cuts."""
    scores = {name: score(method, labelled) for name, method in METHODS.items()}
    degrees = [score(partial(bs.vips, pdoc=pdoc), labelled) for pdoc in range(1, 11)]
    return scores | {BEST[0]: max(degrees, key=lambda s: s[2]), BEST[1]: best_cut(labelled)}


def print_scores(title: str, pages: dict[str, dict[str, Scores]], extremes: int) -> None:
    """Print the means over pages, and the best and worst pages of the adaptive cut."""
    print(f"\n{title}, {len(pages)} pages: BCubed over characters, 95 % intervals\n")
    table_head("", "precision", "recall", "F1")
    for name in (*METHODS, *BEST):
        table_row(name, *(interval_cell([page[name][part] for page in pages.values()]) for part in range(3)))
    ordered = sorted(pages, key=lambda page: (-pages[page]["VIPS, auto"][2], page))
    chosen = [*ordered[:extremes], *ordered[-extremes:]]
    print()
    table_head("page", *METHODS, *BEST)
    for page in chosen:
        table_row(page, *(f"{pages[page][name][2]:.2f}" for name in (*METHODS, *BEST)))


@click.command()
@click.argument("folder", type=FOLDER)
@click.option("--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages.")
@click.option("--people", type=FOLDER, help="Also a corpus with blocks of people.")
@split_option
@click.option("--extremes", default=10, show_default=True, help="Number of best pages, and of worst ones.")
def cuts(folder: Path, rendered: Path, people: Path | None, split: str, extremes: int) -> None:
    """Measure FIASCO, VIPS at PDoC 8 and its adaptive cut against blocks that people would name.

    FOLDER has HTML pages whose elements name blocks (``data-block``), as fixtures/layouts. The figures for VIPS, auto,
    on pages that trained it are too high: ``fit-cut`` prints those of folds.
    """
    found = {labelled.name: labelled for labelled in layouts(folder, rendered)}
    print_scores(folder.name, {name: scores_of(one) for name, one in found.items()}, extremes)
    if people is not None:
        named: Iterator[LabelledPage] = people_pages(people, rendered, split)
        print_scores(f"{people.name}, {split}", {one.name: scores_of(one) for one in named}, extremes)
