"""From a data set to a model: the grid, the best machine on all rows, its calibration, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn

from ..classify.model.model import Model
from ..features.table import schema_hash
from ..render.version import VERSION
from .examples import Examples
from .fitting import (
    Score,
    Trial,
    ablation,
    cross_validated,
    fit,
    platt,
    reliability,
    score,
    search,
)
from .grid import Fitting, Setting


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """A model and how it came about.

    Attributes
    ----------
    model : Model
    examples : Examples
    trials : tuple of Trial
        One a setting of the grid.
    best : Trial
        The chosen setting with all the rows that a machine may learn from; its decisions are those of machines that
        had not seen a row's site.
    reliability : list of (float, float, float)
        Probability, share of content, and weight of each tenth.
    groups : dict of str to (Score, Score)
        Without the group, and the group alone; empty where that was not asked for.
    held_out : Score, optional
        On rows that had no part in the choice.
    """

    model: Model
    examples: Examples
    trials: tuple[Trial, ...]
    best: Trial
    reliability: list[tuple[float, float, float]]
    groups: dict[str, tuple[Score, Score]]
    held_out: Score | None = None


def learn(
    examples: Examples,
    settings: Sequence[Setting],
    fitting: Fitting,
    *,
    held_out: Examples | None = None,
    ablate: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> Learned:
    """Choose a setting by its F1 on unseen sites, and fit a model with it.

    Parameters
    ----------
    examples : Examples
    settings : sequence of Setting
        Of :func:`~blocksight.train.grid.grid`; of two that do equally well the earlier is taken.
    fitting : Fitting
    held_out : Examples, optional
        Rows to score the finished model on; they take no part in anything before.
    ablate : bool
        Score every group of features, too.
    say : callable
        Told of each step.

    Raises
    ------
    NoExamples
        When the rows are of one site, or a fold has one label only.
    ValueError
        When there is no setting, or the rows held out have other features.
    """
    if not settings:
        raise ValueError("there is no setting to try")
    if held_out is not None and held_out.columns != examples.columns:
        raise ValueError("the rows held out have other features")
    trials = []
    for trial in search(examples, settings, fitting):
        say(f"{trial.setting}: F1 {trial.score.f1:.4f} on unseen sites")
        trials.append(trial)
    setting = max(trials, key=lambda trial: trial.score.f1).setting
    best = cross_validated(examples, setting, fitting, blocks=fitting.blocks)
    say(f"chosen: {setting}: F1 {best.score.f1:.4f} with up to {fitting.blocks} blocks")
    calibration = platt(examples, best.decisions)
    weight = examples.weights(balanced=fitting.balanced)
    machine = fit(examples, setting, weight, np.arange(len(examples)), blocks=fitting.blocks, seed=fitting.seed)
    model = Model(
        first=machine,
        calibration=calibration,
        method=examples.about.get("method", "paragraphs"),
        about=_about(examples, setting, fitting, best.score),
    )
    return Learned(
        model=model,
        examples=examples,
        trials=tuple(trials),
        best=best,
        reliability=reliability(examples, best.decisions, calibration),
        groups=ablation(examples, setting, fitting, say) if ablate else {},
        held_out=None if held_out is None else score(held_out, machine.decision(held_out.matrix)),
    )


def _about(examples: Examples, setting: Setting, fitting: Fitting, unseen: Score) -> dict[str, Any]:
    return {
        "dataset": examples.about.get("name", ""),
        "input": examples.about.get("input", "rendered pages"),
        "labels": examples.about.get("labels", ""),
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
        "balanced": fitting.balanced,
        "seed": fitting.seed,
        "on unseen sites": {name: round(getattr(unseen, name), 4) for name in unseen.__dataclass_fields__},
        "blocksight": VERSION,
        "scikit-learn": sklearn.__version__,
    }
