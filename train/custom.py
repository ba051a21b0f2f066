"""Training of a custom model from a data set: the best strength of a grid, fitted on all rows, and its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_fscore_support

from ..classify.model.model import Model
from ..classify.model.svm import LinearSvm
from ..classify.systems.learning.unseen_sites import TooFewSites, fit_platt, folds_by_site
from ..features.block_table import schema_hash
from ..page.arrays import FloatArray
from ..version import VERSION
from .examples import Examples, NoExamples
from .linear import fit_linear

#: Rows for which C is meant: each of more rows counts less, so that a C means the same strength of regularisation
#: however many rows are learned from.
C_ROWS = 1000


@dataclass(frozen=True, kw_only=True)
class RowScore:
    """Scores of rows of unseen sites, weighted by words, normalised per page."""

    f1: float  # At the decision 0
    precision: float
    recall: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Trial:
    """One value of C, with its score and its decisions on unseen sites."""

    c: float
    score: RowScore
    decisions: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class CustomModel:
    """A trained model with its evaluation."""

    model: Model
    trials: tuple[Trial, ...]  # One a value of C
    best: Trial
    held_out: RowScore | None = None  # On rows that had no part in the choice


def train_custom(
    examples: Examples,
    values: Sequence[float],
    *,
    folds: int = 4,
    seed: int = 0,
    held_out: Examples | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> CustomModel:
    """Select a value of C by its F1 on unseen sites, and fit a model with it.

    Of values that do equally well the earlier is selected. ``held_out`` are rows to score the final model on.
    ``say`` is called with a line after each step. Raises NoExamples if all rows are of one site, or a fold has one
    label only, and ValueError without values, or if the rows held out have other features.
    """
    if not values:
        raise ValueError("no values of C to try")
    if held_out is not None and held_out.columns != examples.columns:
        raise ValueError("the rows held out have other features")
    trials = []
    for c in values:
        trials.append(_cross_validated(examples, c, folds, seed))
        say(f"C = {c:g}: F1 {trials[-1].score.f1:.4f} on unseen sites")
    best = max(trials, key=lambda trial: trial.score.f1)
    svm = _fit(examples, best.c, np.arange(len(examples)), seed)
    model = Model(
        first=svm,
        calibration=fit_platt(best.decisions, examples.label, examples.weights()),
        method=examples.about.get("method", "paragraphs"),
        about=_about(examples, trials, best, folds, seed),
    )
    if held_out is None:
        return CustomModel(model=model, trials=tuple(trials), best=best)
    score = score_rows(held_out, svm.decision(held_out.matrix))
    model = replace(model, about=model.about | {"held out": _rounded(score)})
    return CustomModel(model=model, trials=tuple(trials), best=best, held_out=score)


def _fit(examples: Examples, c: float, rows: NDArray[np.int64], seed: int) -> LinearSvm:
    weight = examples.row_weights()[rows]
    return fit_linear(examples.matrix[rows], examples.label[rows], weight, examples.columns, seed, 1.0 / (c * C_ROWS))


def _cross_validated(examples: Examples, c: float, folds: int, seed: int) -> Trial:
    """Score each row by a support vector machine that was not trained on its site."""
    try:
        fold = folds_by_site(examples.site, folds)
    except TooFewSites as error:
        raise NoExamples(str(error)) from error
    decisions = np.zeros(len(examples))
    for number in range(int(fold.max()) + 1):
        seen = np.flatnonzero(fold != number)
        if examples.label[seen].all() or not examples.label[seen].any():
            raise NoExamples("a fold has one label only: training needs content and boilerplate of more sites")
        decisions[fold == number] = _fit(examples, c, seen, seed).decision(examples.matrix[fold == number])
    return Trial(c=c, score=score_rows(examples, decisions), decisions=decisions)


def score_rows(examples: Examples, decisions: FloatArray) -> RowScore:
    """Score decisions against the labels."""
    precision, recall, f1, _ = precision_recall_fscore_support(
        examples.label, decisions > 0, average="binary", sample_weight=examples.weights(), zero_division=0.0
    )
    return RowScore(f1=float(f1), precision=float(precision), recall=float(recall))


def _about(examples: Examples, trials: Sequence[Trial], best: Trial, folds: int, seed: int) -> dict[str, Any]:
    return {
        "dataset": examples.about.get("name", ""),
        "input": examples.about.get("input", "rendered pages"),
        "pages": len(np.unique(examples.page)),
        "sites": len(np.unique(examples.site)),
        "blocks": len(examples),
        "content blocks": int(examples.label.sum()),
        "groups": list(examples.groups),
        "features": len(examples.columns),
        "schema": schema_hash(examples.columns),
        "C": best.c,
        "folds": folds,
        "seed": seed,
        "on unseen sites": _rounded(best.score),
        "by C": {f"{trial.c:g}": _rounded(trial.score) for trial in trials},
        "blocksight": VERSION,
        "scikit-learn": sklearn.__version__,
    }


def _rounded(score: RowScore) -> dict[str, float]:
    return {name: round(value, 4) for name, value in asdict(score).items()}
