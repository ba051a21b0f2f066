"""Fitting of the adaptive cut of VIPS (segment/vips/cut_curves.py) to labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.segment.vips.adaptive_cut import inside_divided, layered, score, with_outer
from blocksight.segment.vips.cut_features import FEATURES, Curves, cut_features
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


#: Weight of a page of the own layouts in all its forms, of a generated page, and of a page whose content is marked; a
#: page of the corpus with blocks has 1.
OWN, COMPOSED, CONTENT = 4.5, 0.375, 0.3
#: Where functions of a feature bend, and the standard deviations from the mean beyond which they are constant.
QUANTILES = (0.2, 0.5, 0.8)
MOST = 4.0


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


def fit(examples: Sequence[Example], strength: float) -> Curves:
    """Fit a logistic regression to the blocks with labelled text: a sum of piecewise linear functions of the features.

    Pages have weights, and blocks by the root of their text. The functions bend at three quantiles, and are constant
    beyond four standard deviations from the mean.
    """
    columns, divide, weight = [], [], []
    for one in examples:
        rows = one.pairs > 0
        if rows.any():
            size = np.sqrt(one.pairs[rows] / one.total.sum())
            columns.append(one.features[rows])
            divide.append(one.divide[rows])
            weight.append(one.weight * size / size.sum())
    features, share, counted = np.concatenate(columns), np.concatenate(divide), np.concatenate(weight)
    center, spread = features.mean(axis=0), features.std(axis=0)
    low = np.maximum(features.min(axis=0), center - MOST * spread)
    high = np.minimum(features.max(axis=0), center + MOST * spread)
    bends = np.quantile(features, QUANTILES, axis=0)
    basis = _basis(np.clip(features, low, high), bends)
    mean, scale = basis.mean(axis=0), basis.std(axis=0) + 1e-9
    slopes, intercept = _regression((basis - mean) / scale, share, counted / counted.sum(), strength)
    curves: Curves = {}
    for index, name in enumerate(FEATURES):
        points = np.unique([low[index], *bends[:, index], high[index]])
        at = np.tile(center, (len(points), 1))
        at[:, index] = points
        own = np.arange(index, len(slopes), len(FEATURES))
        values = ((_basis(at, bends) - mean) / scale * slopes)[:, own].sum(axis=1)
        curves[name] = tuple(points.tolist()), tuple((values + intercept / len(FEATURES)).tolist())
    return curves


def _basis(features: NDArray[np.float64], bends: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([features, *(np.maximum(features - bend, 0.0) for bend in bends)], axis=1)


def _regression(
    columns: NDArray[np.float64], share: NDArray[np.float64], weight: NDArray[np.float64], strength: float
) -> tuple[NDArray[np.float64], float]:
    """Return the slopes and the intercept of a logistic regression to shares."""
    from scipy.optimize import minimize

    design = np.column_stack([columns, np.ones(len(columns))])
    ridge = np.append(np.full(columns.shape[1], strength), 0.0)

    def loss(slopes: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = design @ slopes
        error = 1.0 / (1.0 + np.exp(-score)) - share
        value = (weight * (np.logaddexp(0.0, score) - share * score)).sum() + 0.5 * (ridge * slopes**2).sum()
        return float(value), design.T @ (weight * error) + ridge * slopes

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return found[:-1], float(found[-1])


def cut_scores(one: Example, curves: Curves) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the cut of a page."""
    reached = inside_divided(one.blocks, with_outer(one.blocks, (score(one.features, curves) > 0) | one.layered))
    last = reached.copy()
    last[one.blocks.parent[reached & (one.blocks.parent >= 0)]] = False
    return agreement(one.inside[last], one.total)


@click.command("fit-cut")
@click.argument("folder", type=FOLDER)
@click.option("--people", type=FOLDER, required=True, help="Corpus with blocks of people; its split train is read.")
@click.option("--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages.")
@click.option("--content", type=FOLDER, multiple=True, help="Corpus with marked content; its rendered pages of train.")
@click.option("--strength", default=0.005, show_default=True, help="Strength of the regularization.")
@click.option("--folds", default=6, show_default=True)
@click.option("--rounds", default=3, show_default=True, help="Number of divisions into folds.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the module of curves.")
def fit_cut(
    folder: Path,
    people: Path,
    rendered: Path,
    content: tuple[Path, ...],
    strength: float,
    folds: int,
    rounds: int,
    output: Path | None,
) -> None:
    """Fit the adaptive cut of VIPS to pages with named blocks, and measure it by folds over pages.

    FOLDER is fixtures/layouts; each of its pages is also rendered in other widths and styles for training. All forms
    of a page are in one fold, and so are all pages of a site (the corpus has one page a site). 160 generated pages
    (tests/generators/composed_layouts.py) always train, and are not measured; nor are pages whose content is marked,
    of sites that the other pages are not from.
    """
    weight = OWN / len(VARIANTS)
    own = {
        variant: [
            example(one, weight) for one in layouts(folder, rendered, variant=variant, window=window, style=style)
        ]
        for variant, (window, style) in VARIANTS.items()
    }
    theirs = [example(one, 1.0) for one in people_pages(people, rendered, "train")]
    measured = {folder.name: own[""], people.name: theirs}
    made = [example(one, COMPOSED) for one in composed_pages(160, rendered)]
    marked = [content_example(one, CONTENT) for corpus in content for one in content_pages(corpus, rendered)]
    print(f"{len(theirs)} pages of {people.name}, {len(made)} generated, {len(marked)} with marked content")
    everything = [one for examples in (*own.values(), theirs, made, marked) for one in examples]
    names = sorted({one.name for one in everything})
    scores: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    for turn in range(rounds):
        order = np.random.default_rng(turn).permutation(len(names))
        for fold in range(folds):
            held = {names[index] for index in order[fold::folds]}
            curves = fit([one for one in everything if one.name not in held], strength)
            for one in (*own[""], *theirs):
                if one.name in held:
                    scores[one.name].append(cut_scores(one, curves))
    table_head("unseen pages", "number", "precision", "recall", "F1")
    for name, examples in measured.items():
        mean = np.asarray([np.mean(scores[one.name], axis=0) for one in examples])
        table_row(name, len(examples), *(interval_cell(mean[:, part].tolist()) for part in range(3)))
    if output is not None:
        output.write_text(module_text(fit(everything, strength)), encoding="utf-8")


def module_text(curves: Curves) -> str:
    """Return the source of the module of curves."""
    lines = [f'    "{name}": ({_numbers(points)}, {_numbers(values)}),' for name, (points, values) in curves.items()]
    return (
        '"""Numbers of the adaptive cut; ``benchmarks/accuracy.py fit-cut`` computes them from labelled pages."""\n\n'
        "from __future__ import annotations\n\n"
        "from .cut_features import Curves\n\n"
        "CURVES: Curves = {\n" + "\n".join(lines) + "\n}  # fmt: skip\n"
    )


def _numbers(values: Sequence[float]) -> str:
    return f"({', '.join(f'{value:.4g}' for value in values)}{',' if len(values) == 1 else ''})"
