"""Fitting of the adaptive cut of VIPS (segment/vips/cut_curves.py) to labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import numpy as np
from blocksight.segment.vips.adaptive_cut import CutTrees, inside_divided, layered, save_trees, worth_dividing
from blocksight.segment.vips.cut_features import cut_features
from blocksight.segment.vips.nodes import nodes_of
from common import FOLDER, interval_cell, table_head, table_row
from numpy.typing import NDArray

from .labelled_layouts import LabelledPage, agreement, composed_pages, content_pages, counts, layouts, people_pages

#: Windows and further style sheets that make more training pages of the own layouts.
VARIANTS = {
    "": ((1280, 800), ""),
    "-w1000": ((1000, 800), ""),
    "-w1600": ((1600, 900), ""),
    "-tight": (
        (1366, 768),
        "p,li,dd,td,div,section,article{margin-top:0!important}p,li,dd,td{line-height:1.25!important}",
    ),
    "-loose": (
        (1280, 800),
        "p,li,dd{line-height:1.9!important;padding-top:4px!important;padding-bottom:4px!important}",
    ),
    "-small": ((1366, 768), "body,p,li,td,dd,a{font-size:13px!important}"),
}


#: Weights of a page of the own layouts in all its forms, of a page of the corpus with blocks, of a generated page, and
#: of a page whose content is marked.
OWN, PEOPLE, COMPOSED, CONTENT = 1.5, 3.0, 0.3, 0.1
#: Settings of scikit-learn's HistGradientBoostingClassifier.
SETTINGS = {
    "max_iter": 80,
    "max_leaf_nodes": 24,
    "min_samples_leaf": 15,
    "learning_rate": 0.1,
    "max_features": 0.3,
    "l2_regularization": 2.0,
}
#: Models of other random choices of features, whose mean is taken: one alone depends on these by some points of F1.
MODELS = 2
#: Log-odds that a block is divided have to be higher by this.
CAUTION = 0.4


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """The blocks of a page: their features, how far people divide each, and what is needed to score a cut."""

    name: str
    weight: float
    features: NDArray[np.float64]
    divide: NDArray[np.float64]  # (blocks,): share of the pairs of characters that meet here in different named blocks
    pairs: NDArray[np.float64]  # (blocks,): number of these pairs
    layered: NDArray[np.bool_]  # (blocks,): the root of several layers
    blocks: bs.Blocks
    inside: NDArray[np.float64]
    total: NDArray[np.float64]


def example(labelled: LabelledPage, weight: float) -> Example:
    """Return the blocks of a page with features and labels."""
    blocks = bs.vips(labelled.page, pdoc=10)
    inside, total = counts(blocks, labelled)
    together, same = inside.sum(axis=1) ** 2, (inside**2).sum(axis=1)
    return _example(labelled, weight, blocks, (inside, total), (together, same))


def content_example(labelled: LabelledPage, weight: float) -> Example:
    """Return the blocks of a page whose named blocks are its content (1), and all else (0).

    The content is one block. How much else is a block is not known: pairs of characters outside of the content do not
    count.
    """
    blocks = bs.vips(labelled.page, pdoc=10)
    inside, total = counts(blocks, labelled)
    other, content = inside.sum(axis=1) - inside[:, -1], inside[:, -1]
    return _example(labelled, weight, blocks, (inside, total), (content**2 + 2 * content * other, content**2))


def _example(
    labelled: LabelledPage,
    weight: float,
    blocks: bs.Blocks,
    inside_total: tuple[NDArray[np.float64], NDArray[np.float64]],
    known_same: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Example:
    """Return an example from the pairs of characters in each block, and those of them in one named block."""
    nodes = nodes_of(labelled.page)
    child, has_child = np.flatnonzero(blocks.parent >= 0), np.isin(np.arange(len(blocks)), blocks.parent)
    pairs, alike = (column.copy() for column in known_same)
    np.subtract.at(pairs, blocks.parent[child], known_same[0][child])
    np.subtract.at(alike, blocks.parent[child], known_same[1][child])
    pairs[~has_child] = 0.0
    return Example(
        name=labelled.name,
        weight=weight,
        features=cut_features(nodes, blocks),
        divide=np.where(pairs > 0, 1.0 - alike / np.maximum(pairs, 1e-9), 0.0),
        pairs=np.where(pairs > 1e-9, inside_total[0].sum(axis=1), 0.0),
        layered=layered(nodes, blocks),
        blocks=blocks,
        inside=inside_total[0],
        total=inside_total[1],
    )


def fit(examples: Sequence[Example]) -> CutTrees:
    """Fit boosted trees to the blocks with labelled text: the log-odds that a block is divided.

    Pages have weights, and blocks by the root of their text. A block some of whose pairs are in one named block counts
    in part as divided and in part as whole.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns, divide, weight = [], [], []
    for one in examples:
        rows = one.pairs > 0
        if rows.any():
            size = np.sqrt(one.pairs[rows] / one.total.sum())
            columns.append(one.features[rows])
            divide.append(one.divide[rows])
            weight.append(one.weight * size / size.sum())
    features, share, counted = np.concatenate(columns), np.concatenate(divide), np.concatenate(weight)
    parts = np.concatenate([counted * share, counted * (1.0 - share)])
    some = parts > 0
    twice, label = np.concatenate([features, features])[some], np.repeat([1, 0], len(features))[some]
    models = [
        HistGradientBoostingClassifier(**SETTINGS, early_stopping=False, random_state=seed).fit(
            twice, label, sample_weight=parts[some] / parts[some].mean()
        )
        for seed in range(MODELS)
    ]
    return cut_trees(models)


def cut_trees(models: Sequence[Any]) -> CutTrees:
    """Return the trees of fitted ``HistGradientBoostingClassifier``, whose mean they are, less the caution.

    scikit-learn has no public access to them.
    """
    nodes = [one.nodes for model in models for (one,) in model._predictors]
    root = np.cumsum([0, *map(len, nodes)])[:-1]
    column = np.concatenate(nodes)
    leaf = column["is_leaf"].astype(bool)
    offset = np.repeat(root, list(map(len, nodes)))[:, None]
    children = np.stack([column["left"], column["right"]], axis=1).astype(np.int64) + offset
    return CutTrees(
        feature=np.where(leaf, -1, column["feature_idx"]).astype(np.int16),
        threshold=np.where(leaf, 0.0, column["num_threshold"]).astype(np.float32).astype(np.float64),
        children=np.where(leaf[:, None], -1, children).astype(np.int32),
        value=np.where(leaf, column["value"] / len(models), 0.0).astype(np.float32).astype(np.float64),
        root=root.astype(np.int32),
        base=float(np.mean([model._baseline_prediction for model in models])) - CAUTION,
    )


def cut_scores(one: Example, trees: CutTrees) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the cut of a page."""
    divided = worth_dividing(one.blocks, trees.score(one.features)) | one.layered
    reached = inside_divided(one.blocks, divided)
    last = reached.copy()
    last[one.blocks.parent[reached & (one.blocks.parent >= 0)]] = False
    return agreement(one.inside[last], one.total)


Scores = tuple[float, float, float]


def held_scores(held: set[str], own: Sequence[Example], everything: Sequence[Example]) -> dict[str, Scores]:
    """Return the scores of some of the own pages, by trees that are fitted to all others."""
    trees = fit([one for one in everything if one.name not in held])
    return {one.name: cut_scores(one, trees) for one in own if one.name in held}


def print_scores(title: str, measured: dict[str, list[Example]], rounds: Sequence[dict[str, Scores]]) -> None:
    """Print the mean scores of each set of pages over some rounds."""
    table_head(title, "number", "precision", "recall", "F1")
    for name, examples in measured.items():
        mean = np.mean([[scores[one.name] for one in examples] for scores in rounds], axis=0)
        table_row(name, len(examples), *(interval_cell(mean[:, part].tolist()) for part in range(3)))


def by_folds(
    measured: dict[str, list[Example]], everything: Sequence[Example], folds: int, turn: int
) -> dict[str, Scores]:
    """Return the scores of all pages, each by trees that are fitted without its fold."""
    own = [one for examples in measured.values() for one in examples]
    names = sorted({one.name for one in own})
    order = np.random.default_rng(turn).permutation(len(names))
    scores: dict[str, Scores] = {}
    for fold in range(folds):
        scores |= held_scores({names[index] for index in order[fold::folds]}, own, everything)
    return scores


def by_sets(measured: dict[str, list[Example]], everything: Sequence[Example]) -> dict[str, Scores]:
    """Return the scores of all pages, each by trees that are fitted without its set."""
    scores: dict[str, Scores] = {}
    for examples in measured.values():
        scores |= held_scores({one.name for one in examples}, examples, everything)
    return scores


@click.command("fit-cut")
@click.argument("folders", type=FOLDER, nargs=-1, required=True)
@click.option("--people", type=FOLDER, required=True, help="Corpus with blocks of people; its split train is read.")
@click.option("--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages.")
@click.option("--content", type=FOLDER, multiple=True, help="Corpus with marked content; its rendered pages of train.")
@click.option("--folds", default=6, show_default=True, help="Number of folds over pages; 0 for none.")
@click.option("--rounds", default=1, show_default=True, help="Number of divisions into folds.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the trees.")
def fit_cut(
    folders: tuple[Path, ...],
    people: Path,
    rendered: Path,
    content: tuple[Path, ...],
    folds: int,
    rounds: int,
    output: Path | None,
) -> None:
    """Fit the adaptive cut of VIPS to pages with named blocks; measure it by folds over pages, and by sets left out.

    FOLDERS are those of fixtures/ that train; each of their pages is also rendered in other widths and
    styles for training. All forms of a page are in one fold, and so are all pages of a site (the corpus has one page a
    site). A set that is left out shows how the cut does on pages of an author it does not know. 160 generated pages
    (tests/generators/composed_layouts.py) always train, and are not measured; nor are pages
    whose content is marked, of sites that the other pages are not from.
    """
    measured = {folder.name: layout_examples(folder, rendered, "") for folder in folders}
    others = [
        one
        for folder in folders
        for variant in VARIANTS
        if variant
        for one in layout_examples(folder, rendered, variant)
    ]
    measured[people.name] = [example(one, PEOPLE) for one in people_pages(people, rendered, "train")]
    made = [example(one, COMPOSED) for one in composed_pages(160, rendered)]
    marked = [content_example(one, CONTENT) for corpus in content for one in content_pages(corpus, rendered)]
    own = [one for examples in measured.values() for one in examples]
    print(f"{len(own)} pages, {len(others)} other forms, {len(made)} generated, {len(marked)} with marked content")
    everything = [*own, *others, *made, *marked]
    if folds:
        print_scores("unseen pages", measured, [by_folds(measured, everything, folds, turn) for turn in range(rounds)])
        print()
        print_scores("unseen sets", measured, [by_sets(measured, everything)])
    if output is not None:
        save_trees(fit(everything), output)


def layout_examples(folder: Path, rendered: Path, variant: str) -> list[Example]:
    """Return the pages of a folder of layouts in one form; two folders may have pages of one name."""
    window, style = VARIANTS[variant]
    pages = layouts(folder, rendered, variant=variant, window=window, style=style)
    weight = OWN / len(VARIANTS)
    return [example(replace(one, name=f"{folder.name}/{one.name}"), weight) for one in pages]
