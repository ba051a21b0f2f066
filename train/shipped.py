"""Train the models that blocksight ships.

``python -m blocksight.train.shipped CORPORA --rendered FOLDER --out FOLDER``

``CORPORA`` holds one folder a corpus (:mod:`~blocksight.classify.corpora`). Only pages of the split ``train`` are used.
Pages are rendered once, offline, and kept in the folder given by ``--rendered``; a second run starts from there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from ..classify.corpora import GoldPage, read_corpus, read_sites, sample
from ..classify.model.choice import Calibration, choose, expected_f1
from ..classify.model.model import Model, second_look
from ..classify.model.second_look import NAMES, SEEN_NAMES
from ..classify.model.svm import LEAST_DEVIATION, LinearSvm, standardise
from ..features.rows import Rows, rows_of
from ..features.table import column_names, measure
from ..gold.labels import word_shares
from ..gold.rendered import render_missing, saved_path
from ..render.arrays import FloatArray
from ..render.errors import BlocksightError
from ..render.page import Page
from ..render.static import parse
from ..render.store import load
from ..segment.blocks import seen_blocks, text_blocks

#: Strength of regularisation on the mean loss.
LAMBDA = 1e-4
#: Of the optimiser.
_STEPS = {"maxiter": 100, "maxcor": 20}
FOLDS = 4
#: A block is content where the gold holds this share of its words.
LEAST_SHARE = 0.5
#: Standard deviations of a page's common shift of scores that are tried.
SPREADS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
#: Of spreads whose mean F1 differs by less, the least is taken. Set after looking at dev, where a larger one took too
#: much text on short pages while unseen training sites could hardly tell them apart.
AS_GOOD = 0.0003
#: A page weighs about the same whatever its size, and a block as much as it moves the page's F1.
LEAST_GOLD_WORDS = 50.0
LEAST_WEIGHT, MOST_WEIGHT = 0.0015, 0.4
#: Blocks of small weight are kept with a probability that falls to this, and count the more for it.
LEAST_KEPT, KEPT_WEIGHT = 0.12, 0.01
#: More pages of the same sites teach next to nothing.
PAGES_A_SITE = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """A page's rows as the machine sees them."""

    gold: GoldPage
    matrix: NDArray[np.float32]
    labels: NDArray[np.bool_]
    weight: FloatArray


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What to train on: the groups of features, and where rendered pages lie (None for raw HTML)."""

    groups: tuple[str, ...]
    rendered: Path | None

    @property
    def columns(self) -> tuple[str, ...]:
        """The features' names."""
        return column_names(*self.groups)

    def page(self, gold: GoldPage) -> Page:
        """Get a page, rendered or parsed."""
        if self.rendered is None:
            return parse(gold.path.read_bytes(), url=gold.url or gold.path.name, encoding=gold.encoding)
        return load(saved_path(self.rendered, gold))

    def example(self, gold: GoldPage) -> Example | None:
        """Measure and label a page; None where it cannot be had or shares nothing with its gold."""
        try:
            page = self.page(gold)
        except BlocksightError:
            return None
        table = measure(page, seen_blocks(page, text_blocks(page)), groups=self.groups)
        labels = np.nan_to_num(word_shares(table.rows.texts, gold.text)) >= LEAST_SHARE
        if not labels.any():
            return None
        words = table.rows.words
        weight = np.clip(words / max(LEAST_GOLD_WORDS, float(words[labels].sum())), LEAST_WEIGHT, MOST_WEIGHT)
        matrix = table.matrix(self.columns).astype(np.float32)
        return Example(gold=gold, matrix=matrix, labels=labels, weight=weight)

    @property
    def second_names(self) -> tuple[str, ...]:
        """Names of what the second machine looks at beside the features."""
        return NAMES if self.rendered is None else (*NAMES, *SEEN_NAMES)

    def second_look(self, gold: GoldPage, scores: FloatArray) -> NDArray[np.float32]:
        """Measure a page again by the first machine's scores."""
        return second_look(self._counts(gold), scores, seen=self.rendered is not None).astype(np.float32)

    def worth(
        self, gold: GoldPage, scores: FloatArray, labels: NDArray[np.bool_], calibration: Calibration
    ) -> FloatArray:
        """Return the F1, in words, of the choice at each of the :data:`SPREADS`."""
        counts = self._counts(gold)
        chosen = [choose(counts, scores, replace(calibration, spread=spread)).rows for spread in SPREADS]
        return expected_f1(np.stack(chosen), counts.words, labels.astype(np.float64))

    def _counts(self, gold: GoldPage) -> Rows:
        page = self.page(gold)
        return rows_of(page, seen_blocks(page, text_blocks(page)))


def training_pages(
    corpora: Path, sites: Mapping[str, str] | None = None, pages_a_site: int = PAGES_A_SITE
) -> list[GoldPage]:
    """Collect the pages of a folder of corpora to train on, see :func:`pages_of_split_train`."""
    folders = [listing.parent for listing in sorted(corpora.glob("*/gold.jsonl"))]
    return pages_of_split_train(folders, sites, pages_a_site)


def pages_of_split_train(
    folders: Sequence[Path], sites: Mapping[str, str] | None = None, pages_a_site: int = PAGES_A_SITE
) -> list[GoldPage]:
    """Collect the pages of some corpora to train on, at most so many a site; the choice is always the same.

    Pages that show the text of a page of another split are left out.
    """
    found: list[GoldPage] = []
    for folder in folders:
        taken: Counter[str] = Counter()
        everything = list(read_corpus(folder, sites))
        held_out = {gold.text_id for gold in everything if gold.split != "train"} - {""}
        pages = [gold for gold in everything if gold.split == "train" and gold.text_id not in held_out]
        for gold in sample(pages):
            taken[gold.site] += 1
            if taken[gold.site] <= pages_a_site:
                found.append(gold)
    return found


def train(pages: Sequence[GoldPage], recipe: Recipe, *, processes: int = 2, seed: int = 0) -> Model:
    """Fit both machines and the calibration.

    Parameters
    ----------
    pages : sequence of GoldPage
        Of the split ``train`` only.
    recipe : Recipe
    processes : int
        Pages are measured in so many processes.
    seed : int
        Of the choice of light blocks.
    """
    wrong = {gold.split for gold in pages} - {"train"}
    if wrong:
        raise ValueError(f"only pages of the split train may be trained on, not {', '.join(sorted(wrong))}")
    with ProcessPoolExecutor(processes) as pool:
        examples = [example for example in pool.map(recipe.example, pages, chunksize=8) if example is not None]
        _say(f"{len(examples)} pages, {sum(len(e.labels) for e in examples)} blocks, {len(recipe.columns)} features")
        folds = fold_of_sites(examples)
        first, first_scores = _machine([e.matrix for e in examples], examples, recipe.columns, folds, seed)
        golds = [e.gold for e in examples]
        looks = list(pool.map(recipe.second_look, golds, first_scores, chunksize=8))
        matrices = [np.concatenate([e.matrix, more], axis=1) for e, more in zip(examples, looks, strict=True)]
        second, scores = _machine(matrices, examples, (*recipe.columns, *recipe.second_names), folds, seed)
        calibration = calibrate(np.concatenate(scores), examples)
        judged = partial(recipe.worth, calibration=calibration)
        found = np.mean(list(pool.map(judged, golds, scores, [e.labels for e in examples], chunksize=8)), axis=0)
    best = int(np.argmax(found >= found.max() - AS_GOOD))
    about = _about(examples, recipe, scores, seed) | {
        "F1 on unseen sites": round(float(found[best]), 4),
        "F1 by spread": {str(spread): round(float(worth), 4) for spread, worth in zip(SPREADS, found, strict=True)},
    }
    return Model(
        first=first,
        second=second,
        calibration=replace(calibration, spread=SPREADS[best]),
        seen_only=True,
        about=about,
    )


def fold_of_sites(examples: Sequence[Example], folds: int = FOLDS) -> NDArray[np.int64]:
    """Return each page a fold, such that a site's pages share one and folds are about equally large.

    Raises
    ------
    ValueError
        When all pages are of one site: nothing could be judged on unseen ones.
    """
    sites = [e.gold.site for e in examples]
    if len(set(sites)) < 2:
        raise ValueError(f"training needs pages of two sites at least, not {len(set(sites))}")
    fold = np.zeros(len(examples), dtype=np.int64)
    splitter = GroupKFold(min(folds, len(set(sites))))
    for number, (_, held_out) in enumerate(splitter.split(sites, groups=sites)):
        fold[held_out] = number
    return fold


def _machine(
    matrices: Sequence[NDArray[np.float32]],
    examples: Sequence[Example],
    columns: tuple[str, ...],
    folds: NDArray[np.int64],
    seed: int,
) -> tuple[LinearSvm, list[FloatArray]]:
    """Fit on all pages; give also each page's scores from a machine that has not seen its site."""
    scores: list[FloatArray] = [np.zeros(0)] * len(examples)
    for fold in range(int(folds.max(initial=0)) + 1):
        seen = np.flatnonzero(folds != fold).tolist()
        machine = fit([matrices[i] for i in seen], [examples[i] for i in seen], columns, seed)
        for index in np.flatnonzero(folds == fold).tolist():
            scores[index] = machine.decision(matrices[index])
    return fit(matrices, examples, columns, seed), scores


def fit(
    matrices: Sequence[NDArray[np.float32]], examples: Sequence[Example], columns: tuple[str, ...], seed: int
) -> LinearSvm:
    """Fit one linear SVM on a weighted sample of the blocks."""
    random = np.random.default_rng(seed)
    weight = np.concatenate([e.weight for e in examples])
    labels = np.concatenate([e.labels for e in examples])
    kept = np.clip(weight / KEPT_WEIGHT, LEAST_KEPT, 1.0)
    chosen = np.flatnonzero(random.random(len(weight)) < kept)
    matrix = np.concatenate(matrices)[chosen]
    mean = np.nan_to_num(np.nanmean(matrix, axis=0, dtype=np.float64))
    deviation = np.maximum(np.nan_to_num(np.nanstd(matrix, axis=0, dtype=np.float64)), LEAST_DEVIATION)
    rows = standardise(matrix, mean, deviation).astype(np.float32)
    weights, bias = squared_hinge(rows, labels[chosen], weight[chosen] / kept[chosen])
    return LinearSvm(columns=columns, mean=mean, deviation=deviation, weight=weights, bias=bias)


def squared_hinge(
    rows: NDArray[np.float32], labels: NDArray[np.bool_], weight: FloatArray, strength: float = LAMBDA
) -> tuple[FloatArray, float]:
    """Find the plane of a linear SVM: the least of the mean squared hinge loss + strength / 2 · |plane|².

    The primal by L-BFGS: on half a million rows it takes a tenth of the time of scikit-learn's LinearSVC, which
    solves the same.

    Returns
    -------
    (float64 (columns,), float)
        The plane and its bias, which is not regularised.
    """
    side = np.where(labels, 1.0, -1.0).astype(np.float32)
    share = (weight / weight.sum()).astype(np.float32)

    def loss(plane: FloatArray) -> tuple[float, FloatArray]:
        normal = plane[:-1].astype(np.float32)
        short = np.maximum(1.0 - side * (rows @ normal + np.float32(plane[-1])), 0.0)
        slope = -2.0 * share * short * side
        gradient = np.append(slope @ rows + strength * normal, slope.sum(dtype=np.float64))
        value = float((share * short * short).sum(dtype=np.float64)) + strength / 2 * float(normal @ normal)
        return value, gradient.astype(np.float64)

    found = minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B", options=_STEPS).x
    return found[:-1], float(found[-1])


def calibrate(scores: FloatArray, examples: Sequence[Example]) -> Calibration:
    """Fit the probability of content to scores of unseen sites (Platt 1999)."""
    labels, weight = np.concatenate([e.labels for e in examples]), np.concatenate([e.weight for e in examples])
    logistic = LogisticRegression(C=1e6)
    logistic.fit(scores[:, None], labels, sample_weight=weight / weight.mean())
    return Calibration(slope=float(logistic.coef_[0, 0]), offset=float(logistic.intercept_[0]))


def _about(examples: Sequence[Example], recipe: Recipe, scores: Sequence[FloatArray], seed: int) -> dict[str, Any]:
    labels, weight = np.concatenate([e.labels for e in examples]), np.concatenate([e.weight for e in examples])
    right = ((np.concatenate(scores) > 0) == labels) * weight
    corpora = Counter(e.gold.corpus for e in examples)
    return {
        "corpora": {name: corpora[name] for name in sorted(corpora)},
        "split": "train",
        "sites": len({e.gold.site for e in examples}),
        "blocks": len(labels),
        "input": "raw HTML" if recipe.rendered is None else "rendered pages",
        "groups": list(recipe.groups),
        "labels": f"{LEAST_SHARE:.0%} of a block's words in the gold",
        "lambda": LAMBDA,
        "seed": seed,
        "scikit-learn": sklearn.__version__,
        "weighted accuracy on unseen sites": round(float(right.sum() / weight.sum()), 4),
    }


def _rendered(gold: GoldPage, why: str) -> None:
    if why:
        _say(f"{gold.corpus}/{gold.id}: {why}")


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m blocksight.train.shipped", description=__doc__)
    parser.add_argument("corpora", type=Path, help="folder with one folder a corpus")
    parser.add_argument("--rendered", type=Path, required=True, help="folder that keeps the rendered pages")
    parser.add_argument("--out", type=Path, required=True, help="folder for blocksight.npz and blocksight-dom.npz")
    parser.add_argument("--sites", type=Path, help="split of each site, for corpora that do not say: site<TAB>split")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=("visual", "dom"), help="train one of the two models")
    return parser.parse_args(arguments)


def recipes(rendered: Path) -> Iterator[tuple[str, Recipe]]:
    """Yield the two models' names and recipes."""
    groups = ("text", "link", "structure", "keyword", "region", "neighbour", "section", "page")
    yield "dom", Recipe(groups=groups, rendered=None)
    yield "visual", Recipe(groups=(*groups, "visual", "proportion"), rendered=rendered)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the models are written, 2 when there is nothing to train on."""
    wanted = _arguments(arguments)
    pages = training_pages(wanted.corpora, read_sites(wanted.sites) if wanted.sites else None)
    if not pages:
        _say(f"{wanted.corpora}: no corpus with pages of the split train (NAME/gold.jsonl) in there")
        return 2
    wanted.out.mkdir(parents=True, exist_ok=True)
    for name, recipe in recipes(wanted.rendered):
        if wanted.only in (None, name):
            if recipe.rendered is not None:
                render_missing(pages, recipe.rendered, done=_rendered)
            model = train(pages, recipe, processes=wanted.processes)
            file = wanted.out / ("blocksight.npz" if name == "visual" else "blocksight-dom.npz")
            model.save(file)
            _say(f"{file}: {model.about}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
