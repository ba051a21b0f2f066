"""Fitting of the choice between a page with its posts and without (:mod:`~blocksight.classify.model.thread_model`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from ..classify.choose import chosen
from ..classify.model.thread_model import ThreadModel
from ..classify.systems import as_system
from ..classify.systems.blocksight import Blocksight
from ..classify.systems.learning.unseen_sites import folds_by_site
from ..errors import BlocksightError
from ..gold.leaf_labels import label_leaves
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import read_page
from ..gold.split import training_pages
from ..page.arrays import HALF, FloatArray, Marks
from ..processes.workers import parallel_map
from ..records.candidates import find_records
from ..records.page_type import early_type
from ..records.threads import find_thread

#: Inverse strength of regularisation, and least difference in F1 of a page that teaches.
STRENGTH, LEAST = 0.05, 0.01
#: A smaller difference in F1 is as good as none: whether the page is a forum, if that is known, counts as these.
TIE, FORUM, NO_FORUM = 0.03, 0.03, -0.06
FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreadPage:
    """A page with posts that may be its content: the facts, the gain in F1 if they are, and its site."""

    facts: dict[str, float]
    gain: float
    site: str


def measure_thread_page(gold: GoldPage, rendered: Path | None = None) -> ThreadPage | None:
    """Return the facts of a page with posts, and their gain; None if it has none, or cannot be read."""
    try:
        page = read_page(gold, rendered)
    except BlocksightError:
        return None
    system = as_system("blocksight")
    assert isinstance(system, Blocksight)
    candidates = find_records(system.as_judged(page))
    # Most pages have no posts, which costs less to know than their blocks.
    if find_thread(candidates, early_type(candidates)) is None or (evidence := system.evidence(page)) is None:
        return None
    labels = label_leaves(evidence.page, gold)
    f1 = list[float]()
    for likely in (0.0, 1.0):
        # The rules ask for the probability, which no model says yet.
        vars(evidence)["thread_likely"] = likely
        f1.append(_f1(chosen(evidence)[0], labels, evidence.page.leaf_lengths))
    gain = f1[1] - f1[0]
    if abs(gain) < TIE and gold.kind:
        gain = FORUM if gold.kind.startswith("forum") else NO_FORUM
    return ThreadPage(facts=evidence.thread_facts, gain=gain, site=gold.site)


def _f1(marks: Marks, labels: NDArray[np.int8], sizes: NDArray[np.integer]) -> float:
    known = sizes * (labels != UNCERTAIN)
    hit, chosen_size = float((known * marks * (labels == CONTENT)).sum()), float((known * marks).sum())
    return 2 * hit / max(chosen_size + float((known * (labels == CONTENT)).sum()), 1.0)


def fit_threads(pages: Sequence[ThreadPage]) -> ThreadModel:
    """Fit the choice to pages; ValueError unless both are better somewhere."""
    telling = [page for page in pages if abs(page.gain) >= LEAST]
    better = np.asarray([page.gain > 0 for page in telling])
    if len(set(better.tolist())) < 2:
        raise ValueError("the choice needs pages that are better with their posts, and such that are not")
    names = tuple(telling[0].facts)
    rows = np.asarray([[page.facts[name] for name in names] for page in telling])
    mean, deviation = rows.mean(axis=0), np.maximum(rows.std(axis=0), 0.05)
    weight = np.minimum(np.abs([page.gain for page in telling]), 0.5)
    regression = LogisticRegression(C=STRENGTH, max_iter=3000)
    regression.fit(np.clip((rows - mean) / deviation, -4, 4), better, sample_weight=weight / weight.mean())
    return ThreadModel(
        names=names, mean=mean, deviation=deviation, weight=regression.coef_[0], bias=float(regression.intercept_[0])
    )


def cross_validated(pages: Sequence[ThreadPage]) -> FloatArray:
    """Return the gain in F1 on each page by models of the other sites, float64 (pages,)."""
    folds, gains = folds_by_site([page.site for page in pages], FOLDS), np.zeros(len(pages))
    for fold in range(FOLDS):
        model = fit_threads([page for page, own in zip(pages, folds.tolist(), strict=True) if own != fold])
        for number in np.flatnonzero(folds == fold).tolist():
            if model.probability(pages[number].facts) > HALF:
                gains[number] = pages[number].gain
    return gains


def train_threads(
    folders: Sequence[Path],
    sites: Mapping[str, str] | None = None,
    *,
    rendered: Path | None = None,
    processes: int = 2,
    say: Callable[[str], object] = print,
) -> tuple[ThreadModel, dict[str, object]]:
    """Fit the choice to the training pages of some corpora, raw and, where they are in ``rendered``, as rendered.

    Return also what it was fitted to. Raises ValueError if there is nothing to learn from.
    """
    golds = [gold for gold in training_pages(folders, sites) if gold.texts]
    measured = parallel_map(measure_thread_page, golds, processes, died=lambda _: None)
    if rendered is not None:
        measured += parallel_map(partial(measure_thread_page, rendered=rendered), golds, processes, died=lambda _: None)
    pages = [page for page in measured if page is not None]
    say(f"{len(golds)} pages, {len(pages)} times with posts")
    gains = cross_validated(pages)
    about: dict[str, object] = {
        "pages": len(pages),
        "gain of all posts": round(float(sum(page.gain for page in pages)), 2),
        "gain of the best": round(float(sum(max(page.gain, 0.0) for page in pages)), 2),
        "gain by models of other sites": round(float(gains.sum()), 2),
    }
    return fit_threads(pages), about
