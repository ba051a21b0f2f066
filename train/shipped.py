"""Training of the shipped models: ``blocksight train shipped``.

Only pages of the split ``train`` are used. They are rendered once, offline, and saved for later runs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..classify.model.calibration import Calibration
from ..classify.model.confidence import Confidence
from ..classify.model.model import Model
from ..classify.model.reading_model import ReadingModel, shipped_readings
from ..classify.model.role_model import OneVsRestSvm, RoleModel, normalised_probability, role_columns
from ..classify.model.svm import LinearSvm
from ..classify.systems.learning.unseen_sites import fit_platt, folds_by_site
from ..errors import PageFailed
from ..features.alignment import LEAST_SHARE
from ..files.atomic import create_folder
from ..gold.anonymised import Markup
from ..gold.pages import GoldPage
from ..gold.rendered import may_be_styled, render_missing
from ..gold.split import corpora_in, training_pages
from ..page.arrays import MOST, FloatArray
from ..page.role_names import ROLES
from ..processes.workers import parallel_map
from .fit_confidence import JudgedPage, fit_confidence, rank_correlation, reliability
from .fit_readings import PageChoice, cross_validated, fit_readings
from .fit_roles import LAMBDA as ROLES_LAMBDA
from .fit_roles import calibrate_roles, fit_roles, role_weights
from .fit_threads import train_threads
from .linear import FIRST, LAMBDA, fit_linear
from .page_types import KINDS, train_page_types
from .recipe import SPREADS, PageRows, Recipe

T = TypeVar("T")

FOLDS = 4
#: Of spreads whose mean F1 differs by less, the smallest is used. Set by the split dev, where a larger one extracted
#: too much text on short pages, while unseen training sites hardly showed a difference.
TOLERANCE = 0.0003


def train_recipe(
    pages: Sequence[GoldPage],
    recipe: Recipe,
    *,
    processes: int = 2,
    seed: int = 0,
    readings: ReadingModel | None = None,
) -> Model:
    """Fit both stages, the roles and the calibration to training pages. Raises ValueError for pages of other splits.

    A model of readings is fitted, too, unless one is given.
    """
    if other := {gold.split for gold in pages} - {"train"}:
        raise ValueError(f"only pages of the split train may be trained on, not {', '.join(sorted(other))}")
    results = parallel_map(recipe.rows, recipe.tasks(list(pages)), processes, died=_skip)
    measured = [rows for rows in results if rows is not None]
    folds = folds_by_corpus([rows.gold for rows in measured])
    _log(f"{len(measured)} pages, {sum(len(rows.labels) for rows in measured)} blocks, {len(recipe.columns)} features")
    first, first_scores = _fit_stage([rows.matrix for rows in measured], measured, recipe.columns, folds, seed, FIRST)
    surroundings = _each(recipe.second_stage_columns, measured, processes, first_scores)
    matrices = _next_to_each_other([rows.matrix for rows in measured], surroundings)
    roles, role_probability = _fit_role_stages(recipe, measured, matrices, folds, processes, seed)
    _log("role stages fitted")
    inputs = _next_to_each_other(matrices, role_probability)
    columns = (*recipe.columns, *recipe.second_columns, *role_columns(ROLES))
    second, scores = _fit_stage(inputs, measured, columns, folds, seed, LAMBDA)
    kinds = _split_by_markup(measured, visual=recipe.rendered is not None)
    judged = kinds.pop(Markup.ORIGINAL)
    unseen, own_scores, own_roles = _some(judged, measured, scores, role_probability)
    values = own_scores, own_roles, [rows.labels for rows in unseen]
    calibration, f1 = _calibrate(recipe, unseen, own_scores, processes)
    about = _about(unseen, own_scores, measured, recipe, seed) | {
        "styled pages": sum(rows.styled for rows in unseen),
        "F1 on unseen sites": round(float(f1[SPREADS.index(calibration.spread)]), 4),
        "F1 by spread": {str(spread): round(float(each), 4) for spread, each in zip(SPREADS, f1, strict=True)},
        "pages by markup": {str(markup): len(some) for markup, some in kinds.items()},
    }
    if readings is None:
        choose, counted = partial(recipe.page_choice, calibration=calibration), [rows.weight > 0 for rows in unseen]
        found = _each(choose, unseen, processes, *values, counted)
        readings, about["F1 of readings on unseen sites"] = _fit_readings(found, folds[judged])
    judge = partial(recipe.judged, calibration=calibration, readings=readings)
    confidence, about["confidence on unseen sites"] = _fit_confidence(
        _each(judge, unseen, processes, *values), folds[judged]
    )
    return Model(
        first=first,
        second=second,
        roles=roles,
        calibration=calibration,
        readings=readings,
        confidence=confidence,
        seen_only=True,
        about=about,
    )


def folds_by_corpus(golds: Sequence[GoldPage]) -> NDArray[np.int64]:
    """Return the fold of each page: a corpus is held out as a whole, as the pages of users are of no known corpus.

    Corpora that share most of their sites are held out together. A corpus that has more than :data:`MOST` of the pages
    of a type is divided by site, as are all if there are fewer than :data:`FOLDS`.
    """
    sites: dict[str, set[str]] = {}
    for gold in golds:
        sites.setdefault(gold.corpus, set()).add(gold.site)
    typed = Counter((KINDS[gold.kind], gold.corpus) for gold in golds if gold.kind in KINDS)
    of_type = Counter(KINDS[gold.kind] for gold in golds if gold.kind in KINDS)
    divided = {corpus for (kind, corpus), pages in typed.items() if pages > MOST * of_type[kind]}
    if len(sites) < FOLDS:
        divided = set(sites)
    together = {
        corpus: min(other for other in sites if len(own & sites[other]) > MOST * len(own))
        for corpus, own in sites.items()
    }
    return folds_by_site([gold.site if gold.corpus in divided else together[gold.corpus] for gold in golds], FOLDS)


def _next_to_each_other(
    matrices: Sequence[NDArray[np.float32]], more: Sequence[NDArray[np.floating]]
) -> list[NDArray[np.float32]]:
    """Return the matrices of pages with more columns."""
    pairs = zip(matrices, more, strict=True)
    return [np.concatenate([matrix, columns.astype(np.float32)], axis=1) for matrix, columns in pairs]


def _each(work: Callable[..., T], pages: Sequence[PageRows], processes: int, *values: Sequence[Any]) -> list[T]:
    """Return the result of some work on each page, by its gold and markup, and values of it."""
    tasks = [(rows.gold, rows.markup, *own) for rows, *own in zip(pages, *values, strict=True)]
    return parallel_map(partial(_applied, work), tasks, processes, died=_fail)


def _fit_role_stages(
    recipe: Recipe,
    measured: Sequence[PageRows],
    matrices: Sequence[NDArray[np.float32]],
    folds: NDArray[np.int64],
    processes: int,
    seed: int,
) -> tuple[RoleModel, list[FloatArray]]:
    """Fit both role stages; return also the cross-validated probabilities on each page."""
    first, first_probability = _fit_role_stage(matrices, measured, folds, seed)
    around = _each(recipe.context, measured, processes, first_probability)
    inputs = _next_to_each_other(matrices, around)
    second, probability = _fit_role_stage(inputs, measured, folds, seed)
    model = RoleModel(
        roles=ROLES, columns=recipe.columns, surroundings=recipe.second_columns, first=first, second=second
    )
    return model, probability


def _fit_role_stage(
    matrices: Sequence[NDArray[np.float32]], pages: Sequence[PageRows], folds: NDArray[np.int64], seed: int
) -> tuple[OneVsRestSvm, list[FloatArray]]:
    """Fit a role stage on all pages; return also the cross-validated probabilities of each page."""
    number = np.repeat(np.arange(len(pages)), [len(rows.role) for rows in pages])
    matrix = np.concatenate(matrices)
    role, sides = np.concatenate([rows.role for rows in pages]), np.concatenate([rows.sides for rows in pages])
    weight = role_weights(role, sides, number)
    # Two folds are enough for the roles: each joins folds of the content.
    half = (folds % 2)[number]
    decision, starts = np.zeros(sides.shape), np.cumsum([0, *(len(rows.role) for rows in pages)])
    for fold in range(int(half.max()) + 1):
        held_out = half == fold
        svms = fit_roles(matrix, role, sides, np.where(held_out, 0.0, weight), seed)
        # Page by page: all at once would need several times the memory of the features.
        for index in np.flatnonzero(folds % 2 == fold).tolist():
            decision[starts[index] : starts[index + 1]] = svms.decision(matrices[index])
    svms = calibrate_roles(fit_roles(matrix, role, sides, weight, seed), decision, sides, weight)
    probability = normalised_probability(decision, svms.slope, svms.offset)
    return svms, np.split(probability, starts[1:-1])


def _split_by_markup(pages: Sequence[PageRows], *, visual: bool) -> dict[Markup, list[int]]:
    """Return the pages of each markup that the model will judge, by number: a visual model judges styled pages only.

    Pages with partial gold are left out, since it does not say what a right answer is.
    """
    whole = [number for number, rows in enumerate(pages) if not rows.gold.is_partial]
    judged = [number for number in whole if pages[number].styled or not visual] or whole
    kinds = {markup: [number for number in judged if pages[number].markup is markup] for markup in Markup}
    return {markup: some for markup, some in kinds.items() if some}


def _calibrate(
    recipe: Recipe, pages: Sequence[PageRows], scores: Sequence[FloatArray], processes: int
) -> tuple[Calibration, FloatArray]:
    """Return the calibration with the smallest spread that does as well as the best, and the mean F1 with each."""
    labels, weight = _labels_and_weights(pages)
    counted = weight > 0
    calibration = fit_platt(np.concatenate(scores)[counted], labels[counted], weight[counted] / weight[counted].mean())
    measure = partial(recipe.selection_f1, calibration=calibration)
    f1: FloatArray = np.mean(_each(measure, pages, processes, scores, [rows.labels for rows in pages]), axis=0)
    best = int(np.argmax(f1 >= f1.max() - TOLERANCE))
    return replace(calibration, spread=SPREADS[best]), f1


def _fit_readings(
    found: Sequence[PageChoice | None], folds: NDArray[np.int64]
) -> tuple[ReadingModel | None, float | None]:
    """Fit the model of readings, and return its mean F1 on unseen sites; None for pages of a single fold."""
    choices, own = [one for one in found if one is not None], folds[[one is not None for one in found]]
    if len(np.unique(own)) < 2:
        return None, None
    return fit_readings(choices), round(float(cross_validated(choices, own).mean()), 4)


def _fit_confidence(pages: Sequence[JudgedPage], folds: NDArray[np.int64]) -> tuple[Confidence | None, dict[str, Any]]:
    """Fit the confidence, and return what it is worth on unseen sites; None for pages of a single fold."""
    if len(np.unique(folds)) < 2:
        return None, {}
    confidence, known = fit_confidence(pages, folds)
    f1 = np.asarray([page.f1 for page in pages])
    return confidence, {
        "rank correlation": round(rank_correlation(known, f1), 4),
        "table": reliability(known, f1),
    }


def _some(numbers: Sequence[int], *columns: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the values of some pages of each column."""
    return ([column[number] for number in numbers] for column in columns)


def _applied(work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    return work(*arguments)


def _skip(task: tuple[GoldPage, Markup]) -> None:
    _log(f"{task[0].name} is skipped: the process died on this page")


def _fail(arguments: tuple[Any, ...]) -> Any:
    raise PageFailed(arguments[0].name, "the process died on this page; remove it and train again")


def _fit_stage(
    matrices: Sequence[NDArray[np.float32]],
    pages: Sequence[PageRows],
    columns: tuple[str, ...],
    folds: NDArray[np.int64],
    seed: int,
    strength: float,
) -> tuple[LinearSvm, list[FloatArray]]:
    """Fit a stage on all pages; return also the cross-validated scores of each page."""

    def fit(some: Sequence[int]) -> LinearSvm:
        counted = [pages[i].weight > 0 for i in some]
        parts = [
            (matrices[i][use], pages[i].labels[use], pages[i].weight[use]) for i, use in zip(some, counted, strict=True)
        ]
        matrix, labels, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return fit_linear(matrix, labels, weight, columns, seed, strength)

    scores: list[FloatArray] = [np.zeros(0)] * len(pages)
    for fold in range(int(folds.max(initial=0)) + 1):
        svm = fit(np.flatnonzero(folds != fold).tolist())
        for index in np.flatnonzero(folds == fold).tolist():
            scores[index] = svm.decision(matrices[index])
    return fit(range(len(pages))), scores


def _labels_and_weights(pages: Sequence[PageRows]) -> tuple[NDArray[np.bool_], FloatArray]:
    return np.concatenate([page.labels for page in pages]), np.concatenate([page.weight for page in pages])


def _about(
    pages: Sequence[PageRows], scores: Sequence[FloatArray], measured: Sequence[PageRows], recipe: Recipe, seed: int
) -> dict[str, Any]:
    """Return what a model learned from, and its accuracy on the pages that it is meant to judge."""
    learned = [rows for rows in measured if rows.markup is Markup.ORIGINAL]
    labels, weight = _labels_and_weights(pages)
    right = ((np.concatenate(scores) > 0) == labels) * weight
    corpora = Counter(rows.gold.corpus for rows in learned)
    return {
        "corpora": {name: corpora[name] for name in sorted(corpora)},
        "split": "train",
        "sites": len({rows.gold.site for rows in learned}),
        "blocks": sum(len(rows.labels) for rows in learned),
        "input": "raw HTML" if recipe.rendered is None else "rendered pages",
        "groups": list(recipe.groups),
        "labels": f"{LEAST_SHARE:.0%} of a block's words in the gold; roles by labeling functions agree",
        "lambda": {"first stage": FIRST, "roles": ROLES_LAMBDA, "second stage": LAMBDA},
        "seed": seed,
        "scikit-learn": sklearn.__version__,
        "weighted accuracy on unseen sites": round(float(right.sum() / weight.sum()), 4),
    }


def _report_failure(gold: GoldPage, why: str, _: float = 0.0) -> None:
    if why:
        _log(f"{gold.name}: {why}")


def _log(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def recipes(rendered: Path, articles: Collection[str] = ()) -> Iterator[tuple[str, Recipe]]:
    """Yield the names and recipes of the models; ``articles`` are corpora of articles alone."""
    groups = ("text", "link", "structure", "keyword", "region", "neighbour", "section", "page", "role")
    yield "dom", Recipe(groups=groups, rendered=None, articles=articles)
    yield "visual", Recipe(groups=(*groups, "visual", "proportion", "layout"), rendered=rendered)


def train_shipped(
    corpora: Path,
    *,
    rendered: Path,
    out: Path,
    sites: Mapping[str, str] | None = None,
    only: str | None = None,
    articles: Collection[str] = (),
    processes: int = 2,
) -> None:
    """Train the models and write them to ``out``.

    They are ``blocksight-dom.npz`` for raw HTML, ``blocksight.npz`` for rendered pages, ``readings.npz``,
    ``page-types.npz`` and ``threads.npz``.

    ``corpora`` has one folder per corpus, ``rendered`` keeps the rendered pages, ``sites`` overrides the splits of the
    corpora, ``only`` is "visual", "dom", "page-types" or "threads" to train those of one kind, and ``articles`` are the
    names of corpora of articles alone. Raises ValueError if there is nothing to train one of them on, or no corpus of
    such a name.
    """
    folders = corpora_in(corpora)
    pages = training_pages(folders, sites, left_out=lambda gold: _report_failure(gold, gold.error))
    if all(gold.is_partial for gold in pages):
        what = "only gold of pieces; add one with whole texts" if pages else "no corpus with pages of the split train"
        raise ValueError(f"{corpora}: {what} (NAME/gold.jsonl)")
    if unknown := set(articles) - {gold.corpus for gold in pages}:
        raise ValueError(f"{corpora}: no corpus {', '.join(sorted(unknown))} with pages of the split train")
    create_folder(out)
    _train_blocks(pages, rendered, out, only, articles, processes)
    for name in ("page-types", "threads") if only is None else {"page-types", "threads"} & {only}:
        try:
            if name == "threads":
                threads, about = train_threads(folders, sites, rendered=rendered, processes=processes, say=_log)
                threads.save(out / "threads.npz", about)
            else:
                of_articles = [folder for folder in folders if folder.name in articles]
                types = train_page_types(folders, articles=of_articles, processes=processes, say=_log)
                types.save(out / "page-types.npz")
        except ValueError as error:
            if only is not None:
                raise
            _log(f"{name}.npz is not trained: {error}")


def _train_blocks(
    pages: Sequence[GoldPage], rendered: Path, out: Path, only: str | None, articles: Collection[str], processes: int
) -> None:
    """Train the models of blocks, and the readings."""
    # The readings of raw HTML serve rendered pages, too: these gain .0010 by them, and lose .0008 by their own (folds).
    readings = shipped_readings() if only == "visual" else None
    for name, recipe in recipes(rendered, articles):
        if only in (None, name):
            if recipe.rendered is not None:
                render_missing([gold for gold in pages if may_be_styled(gold)], recipe.rendered, done=_report_failure)
            model = train_recipe(pages, recipe, processes=processes, readings=readings)
            if readings is None and (readings := model.readings) is not None:
                readings.save(out / "readings.npz", model.about)
            file = out / ("blocksight.npz" if name == "visual" else f"blocksight-{name}.npz")
            model.save(file)
            _log(f"{file}: {model.about}")
