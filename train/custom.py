"""Training of a custom model from a data set: the best strength of a grid, fitted on all rows, and its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

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


class RowScore(NamedTuple):
    """Scores of rows of unseen sites at the decision 0, weighted by words, normalised per page."""

    f1: float
    precision: float
    recall: float


def train_custom(
    examples: Examples,
    values: Sequence[float],
    *,
    folds: int = 4,
    seed: int = 0,
    held_out: Examples | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Model:
    """Select a value of C by its F1 on unseen sites, and fit a model with it, whose ``about`` has all scores.

    Of values that do equally well the earlier is selected. ``held_out`` are rows to score the final model on.
    ``say`` is called with a line after each step. Raises NoExamples if all rows are of one site, or a fold has one
    label only, and ValueError without values, or if the rows held out have other features.
    """
    if not values:
        raise ValueError("no values of C to try")
    if held_out is not None and held_out.columns != examples.columns:
        raise ValueError("the rows held out have other features")
    decisions, scores = dict[float, FloatArray](), dict[float, RowScore]()
    for c in values:
        decisions[c] = _unseen_decisions(examples, c, folds, seed)
        scores[c] = score_rows(examples, decisions[c])
        say(f"C = {c:g}: F1 {scores[c].f1:.4f} on unseen sites")
    best = max(scores, key=lambda c: scores[c].f1)
    svm = _fit(examples, best, np.arange(len(examples)), seed)
    about = _about(examples, scores, best, folds, seed)
    if held_out is not None:
        about["held out"] = _rounded(score_rows(held_out, svm.decision(held_out.matrix)))
    return Model(
        first=svm,
        calibration=fit_platt(decisions[best], examples.label, examples.weights()),
        method=examples.about.get("method", "paragraphs"),
        about=about,
    )


def _fit(examples: Examples, c: float, rows: NDArray[np.int64], seed: int) -> LinearSvm:
    weight = examples.row_weights()[rows]
    return fit_linear(examples.matrix[rows], examples.label[rows], weight, examples.columns, seed, 1.0 / (c * C_ROWS))


def _unseen_decisions(examples: Examples, c: float, folds: int, seed: int) -> FloatArray:
    """Return the decision on each row by a support vector machine that was not trained on its site."""
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
    return decisions


def score_rows(examples: Examples, decisions: FloatArray) -> RowScore:
    """Score decisions against the labels."""
    precision, recall, f1, _ = precision_recall_fscore_support(
        examples.label, decisions > 0, average="binary", sample_weight=examples.weights(), zero_division=0.0
    )
    return RowScore(f1=float(f1), precision=float(precision), recall=float(recall))


def _about(examples: Examples, scores: Mapping[float, RowScore], best: float, folds: int, seed: int) -> dict[str, Any]:
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
        "C": best,
        "folds": folds,
        "seed": seed,
        "on unseen sites": _rounded(scores[best]),
        "by C": {f"{c:g}": _rounded(score) for c, score in scores.items()},
        "blocksight": VERSION,
        "scikit-learn": sklearn.__version__,
    }


def _rounded(score: RowScore) -> dict[str, float]:
    return {name: round(value, 4) for name, value in score._asdict().items()}
