"""Training of a custom model from a data set: the best setting of a grid, fitted on all rows, and its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn

from ..classify.model.model import Model
from ..classify.systems.learning.unseen_sites import fit_platt
from ..features.block_table import schema_hash
from ..version import VERSION
from .examples import Examples
from .grid_search import RowScore, Trial, cross_validate, fit_svm, score_rows
from .settings import Fitting, Setting


@dataclass(frozen=True, kw_only=True, eq=False)
class CustomModel:
    """A trained model with its evaluation."""

    model: Model
    trials: tuple[Trial, ...]  # One a setting of the grid
    #: The chosen setting with all the rows that may be learned from; its decisions are those of support vector
    #: machines that had not seen a row's site.
    best: Trial
    held_out: RowScore | None = None  # On rows that had no part in the choice


def train_custom(
    examples: Examples,
    settings: Sequence[Setting],
    fitting: Fitting,
    *,
    held_out: Examples | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> CustomModel:
    """Select a setting by its F1 on unseen sites, and fit a model with it.

    Of settings that do equally well the earlier is selected. ``held_out`` are rows to score the final model on.
    ``say`` is called with a line after each step. Raises NoExamples if all rows are of one site, or a fold has one
    label only, and ValueError without settings, or if the rows held out have other features.
    """
    if not settings:
        raise ValueError("no settings to try")
    if held_out is not None and held_out.columns != examples.columns:
        raise ValueError("the rows held out have other features")
    trials = []
    for setting in settings:
        trials.append(cross_validate(examples, setting, fitting, blocks=fitting.search_blocks))
        say(f"{setting}: F1 {trials[-1].score.f1:.4f} on unseen sites")
    setting = max(trials, key=lambda trial: trial.score.f1).setting
    best = cross_validate(examples, setting, fitting, blocks=fitting.blocks)
    say(f"chosen: {setting}: F1 {best.score.f1:.4f} with up to {fitting.blocks} blocks")
    weight = examples.weights()
    calibration = fit_platt(best.decisions, examples.label, weight)
    svm = fit_svm(examples, setting, weight, np.arange(len(examples)), blocks=fitting.blocks, seed=fitting.seed)
    model = Model(
        first=svm,
        calibration=calibration,
        method=examples.about.get("method", "paragraphs"),
        about=_about(examples, setting, fitting, best.score),
    )
    return CustomModel(
        model=model,
        trials=tuple(trials),
        best=best,
        held_out=None if held_out is None else score_rows(held_out, svm.decision(held_out.matrix)),
    )


def _about(examples: Examples, setting: Setting, fitting: Fitting, unseen: RowScore) -> dict[str, Any]:
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
        "kernel": setting.kernel,
        "C": setting.c,
        "gamma": setting.gamma / len(examples.columns),
        "folds": fitting.folds,
        "blocks learned from at most": fitting.blocks,
        "seed": fitting.seed,
        "on unseen sites": {name: round(getattr(unseen, name), 4) for name in unseen.__dataclass_fields__},
        "blocksight": VERSION,
        "scikit-learn": sklearn.__version__,
    }
