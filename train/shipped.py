"""Train the models that blocksight ships: what ``blocksight train shipped`` does.

Corpora lie in one folder, each in its own (:mod:`~blocksight.gold.corpora`). Only pages of the split ``train`` are
used. They are rendered once, offline, and kept; a second run starts from there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..classify.model.calibration import Calibration
from ..classify.model.choice import choose, expected_f1
from ..classify.model.model import Model
from ..classify.model.second_look import COLUMNS, TREE_COLUMNS, second_look
from ..classify.model.svm import LinearSvm
from ..classify.systems.learning.unseen_sites import folds_by_site, platt
from ..features.alignment import HALF
from ..features.rows import Rows, rows_of
from ..features.table import column_names, measure
from ..gold.labels import row_gold
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import read_page, render_missing
from ..gold.split import corpora_in, training_pages
from ..render.arrays import FloatArray
from ..render.errors import BlocksightError, PageFailed
from ..render.page import Page
from ..render.processes import spread_in_order
from ..segment.blocks import seen_blocks, text_blocks
from .linear import LAMBDA, fit_linear
from .weights import row_weights

T = TypeVar("T")

FOLDS = 4
#: Standard deviations of a page's common shift of scores that are tried.
SPREADS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
#: Of spreads whose mean F1 differs by less, the least is taken. Set after looking at dev, where a larger one took too
#: much text on short pages while unseen training sites could hardly tell them apart.
AS_GOOD = 0.0003


@dataclass(frozen=True, kw_only=True, eq=False)
class PageRows:
    """A page's rows to learn from: features, labels and weights."""

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
        return read_page(gold, self.rendered)

    def rows(self, gold: GoldPage) -> PageRows | None:
        """Measure and label a page; None where it cannot be had or shares nothing with its gold."""
        try:
            page = self.page(gold)
        except BlocksightError:
            return None
        table = measure(page, seen_blocks(page, text_blocks(page)), groups=self.groups)
        label = row_gold(table.rows.texts, gold).label
        labels = label == CONTENT
        if not labels.any():
            return None
        weight = row_weights(table.rows.words, labels)
        weight[label == UNCERTAIN] = 0.0
        matrix = table.matrix(self.columns).astype(np.float32)
        return PageRows(gold=gold, matrix=matrix, labels=labels, weight=weight)

    @property
    def second_columns(self) -> tuple[str, ...]:
        """What the second look has beside the features."""
        return TREE_COLUMNS if self.rendered is None else COLUMNS

    def second_look(self, gold: GoldPage, scores: FloatArray) -> NDArray[np.float32]:
        """Measure a page again by the scores of the first look."""
        return second_look(self._counts(gold), scores, self.second_columns).astype(np.float32)

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


def train_recipe(pages: Sequence[GoldPage], recipe: Recipe, *, processes: int = 2, seed: int = 0) -> Model:
    """Fit both looks and the calibration.

    Parameters
    ----------
    pages : sequence of GoldPage
        Of the split ``train`` only.
    recipe : Recipe
    processes : int
        In which pages are measured.
    seed : int
        Of the choice of light blocks.
    """
    wrong = {gold.split for gold in pages} - {"train"}
    if wrong:
        raise ValueError(f"only pages of the split train may be trained on, not {', '.join(sorted(wrong))}")
    found = spread_in_order(recipe.rows, pages, processes, died=_left_out)
    measured = [rows for rows in found if rows is not None]
    folds = folds_by_site([rows.gold.site for rows in measured], FOLDS)
    labels, weight = _joined(measured)
    _say(f"{len(measured)} pages, {len(labels)} blocks, {len(recipe.columns)} features")
    first, first_scores = _look([rows.matrix for rows in measured], measured, recipe.columns, folds, seed)
    golds = [rows.gold for rows in measured]
    again = partial(_applied, recipe.second_look)
    looks = spread_in_order(again, list(zip(golds, first_scores, strict=True)), processes, died=_gone)
    matrices = [np.concatenate([rows.matrix, more], axis=1) for rows, more in zip(measured, looks, strict=True)]
    second, scores = _look(matrices, measured, (*recipe.columns, *recipe.second_columns), folds, seed)
    calibration = platt(np.concatenate(scores), labels, weight / weight.mean())
    best, worth = _best_spread(recipe, measured, scores, calibration, processes)
    about = _about(measured, recipe, scores, seed) | {
        "F1 on unseen sites": round(float(worth[best]), 4),
        "F1 by spread": {str(spread): round(float(f1), 4) for spread, f1 in zip(SPREADS, worth, strict=True)},
    }
    return Model(
        first=first,
        second=second,
        calibration=replace(calibration, spread=SPREADS[best]),
        seen_only=True,
        about=about,
    )


def _best_spread(
    recipe: Recipe,
    measured: Sequence[PageRows],
    scores: Sequence[FloatArray],
    calibration: Calibration,
    processes: int,
) -> tuple[int, FloatArray]:
    """Return which of the :data:`SPREADS` is the least that does as well as the best, and the mean F1 of each."""
    judge = partial(_applied, partial(recipe.worth, calibration=calibration))
    tasks = [(rows.gold, found, rows.labels) for rows, found in zip(measured, scores, strict=True)]
    worth = np.mean(spread_in_order(judge, tasks, processes, died=_gone), axis=0)
    return int(np.argmax(worth >= worth.max() - AS_GOOD)), worth


def _applied(work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    return work(*arguments)


def _left_out(gold: GoldPage) -> None:
    _say(f"{gold.name} is left out: the process died on this page")


def _gone(arguments: tuple[Any, ...]) -> Any:
    raise PageFailed(arguments[0].name, "the process died on this page; leave it out and train again")


def _look(
    matrices: Sequence[NDArray[np.float32]],
    pages: Sequence[PageRows],
    columns: tuple[str, ...],
    folds: NDArray[np.int64],
    seed: int,
) -> tuple[LinearSvm, list[FloatArray]]:
    """Fit on all pages; return also each page's scores by a support vector machine that has not seen its site."""

    def fitted(some: Sequence[int]) -> LinearSvm:
        labels, weight = _joined([pages[i] for i in some])
        return fit_linear(np.concatenate([matrices[i] for i in some]), labels, weight, columns, seed)

    scores: list[FloatArray] = [np.zeros(0)] * len(pages)
    for fold in range(int(folds.max(initial=0)) + 1):
        svm = fitted(np.flatnonzero(folds != fold).tolist())
        for index in np.flatnonzero(folds == fold).tolist():
            scores[index] = svm.decision(matrices[index])
    return fitted(range(len(pages))), scores


def _joined(pages: Sequence[PageRows]) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return the labels of all rows, and their weights."""
    return np.concatenate([page.labels for page in pages]), np.concatenate([page.weight for page in pages])


def _about(measured: Sequence[PageRows], recipe: Recipe, scores: Sequence[FloatArray], seed: int) -> dict[str, Any]:
    labels, weight = _joined(measured)
    right = ((np.concatenate(scores) > 0) == labels) * weight
    corpora = Counter(rows.gold.corpus for rows in measured)
    return {
        "corpora": {name: corpora[name] for name in sorted(corpora)},
        "split": "train",
        "sites": len({rows.gold.site for rows in measured}),
        "blocks": len(labels),
        "input": "raw HTML" if recipe.rendered is None else "rendered pages",
        "groups": list(recipe.groups),
        "labels": f"{HALF:.0%} of a block's words in the gold",
        "lambda": LAMBDA,
        "seed": seed,
        "scikit-learn": sklearn.__version__,
        "weighted accuracy on unseen sites": round(float(right.sum() / weight.sum()), 4),
    }


def _complain(gold: GoldPage, why: str, _: float = 0.0) -> None:
    if why:
        _say(f"{gold.name}: {why}")


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def recipes(rendered: Path) -> Iterator[tuple[str, Recipe]]:
    """Yield the two models' names and recipes."""
    groups = ("text", "link", "structure", "keyword", "region", "neighbour", "section", "page")
    yield "dom", Recipe(groups=groups, rendered=None)
    yield "visual", Recipe(groups=(*groups, "visual", "proportion"), rendered=rendered)


def train_shipped(
    corpora: Path,
    *,
    rendered: Path,
    out: Path,
    sites: Mapping[str, str] | None = None,
    only: str | None = None,
    processes: int = 2,
) -> None:
    """Train the two models and write them as ``blocksight.npz`` and ``blocksight-dom.npz``.

    Parameters
    ----------
    corpora : Path
        Folder with one folder a corpus (:mod:`~blocksight.gold.corpora`).
    rendered : Path
        Keeps the rendered pages.
    out : Path
        Folder for the models.
    sites : mapping, optional
        The split of each site, whatever the corpora say.
    only : str, optional
        "visual" or "dom": train this one only.
    processes : int
        Pages measured at once.

    Raises
    ------
    ValueError
        When there is nothing to train on.
    """
    pages = training_pages(corpora_in(corpora), sites, left_out=lambda gold: _complain(gold, gold.error))
    if not pages:
        raise ValueError(f"{corpora}: no corpus with pages of the split train (NAME/gold.jsonl) in there")
    out.mkdir(parents=True, exist_ok=True)
    for name, recipe in recipes(rendered):
        if only in (None, name):
            if recipe.rendered is not None:
                render_missing(pages, recipe.rendered, done=_complain)
            model = train_recipe(pages, recipe, processes=processes)
            file = out / ("blocksight.npz" if name == "visual" else "blocksight-dom.npz")
            model.save(file)
            _say(f"{file}: {model.about}")
