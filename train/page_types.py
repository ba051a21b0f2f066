"""Training of the models of record sets and page types: logistic regression, saved as plain numbers."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from ..errors import BlocksightError
from ..gold.leaf_labels import label_leaves
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import read_page
from ..gold.split import training_pages
from ..page.arrays import FloatArray
from ..processes.workers import parallel_map
from ..records.candidates import RecordCandidates, find_records
from ..records.page_features import ADDRESS, PAGE_COLUMNS, own_measures, set_measures
from ..records.page_type import PAGE_TYPES, PageTypeModel, Softmax

#: Page types by the terms of corpora; other terms are not used.
KINDS = {
    "article": "article", "forum": "thread", "thread": "thread", "listing": "listing", "collection": "collection",
    "product": "product",
    "documentation": "documentation", "service": "service", "home": "home", "none": "none", "index": "listing",
    "gallery": "listing", "chat": "thread",
}  # fmt: skip
FOLDS = 5
#: Inverse strength of regularisation, of sets and of types.
SETS_C, TYPES_C = 0.05, 0.03
#: Weight of the copy of each page without its address.
NAMELESS = 1.0
#: Exponent of the weight of rare types.
RARE = 0.35
#: Most pages of a corpus of articles: more would outweigh the pages of other types.
ARTICLES = 120


@dataclass(frozen=True, kw_only=True, eq=False)
class TypedPage:
    """A page with its record groups, and its gold."""

    own: FloatArray  # Its measures (:func:`~blocksight.records.page_features.own_measures`)
    matrix: FloatArray  # float64 (groups, columns): What speaks for each group of records
    #: float64 (groups,): Share of each group's text that is content; NaN where the gold says nothing of it.
    content: FloatArray
    kind: str  # The type of the page, "" where none is known
    site: str


def measure_typed_page(gold: GoldPage) -> TypedPage | None:
    """Measure the raw HTML of a page of a corpus; None if it cannot be read."""
    try:
        page = read_page(gold)
    except BlocksightError:
        return None
    measures = find_records(page)
    labels = label_leaves(page, gold)
    shares = [_share(measures, labels, group.outer) for group in measures.groups]
    return TypedPage(
        own=own_measures(measures),
        matrix=measures.matrix,
        content=np.asarray(shares, dtype=np.float64),
        kind=stated_type(gold),
        site=gold.site,
    )


def stated_type(gold: GoldPage) -> str:
    """Return the type of a page of a corpus, "" if it is not stated or unknown."""
    if gold.kind in KINDS:
        return KINDS[gold.kind]
    return "home" if gold.roles.typed_leaves and urlsplit(gold.url or "").path in ("", "/") else ""


def _share(measures: RecordCandidates, labels: NDArray[np.int8], spans: Iterable[tuple[int, int]]) -> float:
    """Return the share of a group's prose, or of its text if it has none, that is content."""
    page, labelled, content = measures.page, np.zeros(2), np.zeros(2)
    for first, end in spans:
        low, high = int(page.leaf_range[first, 0]), int(page.leaf_range[end - 1, 1])
        for number, size in enumerate((measures.prose[low:high], measures.characters[low:high])):
            labelled[number] += size[labels[low:high] != UNCERTAIN].sum()
            content[number] += size[labels[low:high] == CONTENT].sum()
    measure = 0 if labelled[0] > 0 else 1
    return float(content[measure] / labelled[measure]) if labelled[measure] > 0 else float("nan")


def fit_page_types(pages: Sequence[TypedPage], *, sets_c: float = SETS_C, types_c: float = TYPES_C) -> PageTypeModel:
    """Fit both models, with cross-validation over sites. Raises ValueError if there is nothing to learn."""
    fold = np.asarray([zlib.crc32(page.site.encode()) % FOLDS for page in pages])
    sets, likely, accuracy = _fit_sets(pages, fold, sets_c)
    some = [number for number, page in enumerate(pages) if page.kind]
    if len({pages[number].kind for number in some}) < 2:
        raise ValueError("training needs pages of two types: add a corpus with `page_type`")
    matrix = np.stack([np.concatenate([pages[n].own, set_measures(pages[n].matrix, likely[n])]) for n in some])
    names = tuple(name for name in PAGE_TYPES if any(pages[number].kind == name for number in some))
    kind = np.asarray([names.index(pages[number].kind) for number in some])
    weight = (len(kind) / np.bincount(kind)[kind]) ** RARE
    probability = np.zeros((len(some), len(names)))
    for held_out in range(FOLDS):
        out = fold[some] == held_out
        if out.any() and len(set(kind[~out].tolist())) == len(names):
            probability[out] = _fit_types(matrix[~out], kind[~out], weight[~out], types_c).probability(matrix[out])
    best = probability.argmax(axis=1)
    about = {
        "pages": len(some),
        "types": {name: int((kind == number).sum()) for number, name in enumerate(names)},
        "accuracy on unseen sites": round(float((best == kind).mean()), 4),
        "recall by type": {name: round(float((best[kind == n] == n).mean()), 3) for n, name in enumerate(names)},
        "sets right on unseen sites": round(accuracy, 4),
        "scikit-learn": sklearn.__version__,
    }
    types = _fit_types(matrix, kind, weight, types_c)
    return PageTypeModel(sets=sets, types=types, names=names, about=about)


def _fit_types(matrix: FloatArray, kind: NDArray[np.int64], weight: FloatArray, strength: float) -> Softmax:
    """Fit the types on pages with their addresses, and on the same without: files have none."""
    nameless = matrix.copy()
    nameless[:, [column.startswith(ADDRESS) for column in PAGE_COLUMNS]] = 0
    rows, weights = np.concatenate([matrix, nameless]), np.concatenate([weight, NAMELESS * weight])
    return fit_softmax(rows, np.concatenate([kind, kind]), weights, strength)


def _fit_sets(
    pages: Sequence[TypedPage], fold: NDArray[Any], strength: float
) -> tuple[Softmax, list[FloatArray], float]:
    """Return the model of record sets, its cross-validated probabilities for each page, and their accuracy."""
    number = np.repeat(np.arange(len(pages)), [len(page.content) for page in pages])
    matrix = np.concatenate([page.matrix for page in pages])
    share = np.concatenate([page.content for page in pages])
    known = np.isfinite(share)
    content = (share >= 0.5).astype(np.int64)
    if len(set(content[known].tolist())) < 2:
        raise ValueError("training needs record groups of content and others")
    # By the root of its text: a long page is still one page.
    weight = np.sqrt(np.clip(np.expm1(matrix[:, 0]) * np.expm1(matrix[:, 1]), 1, 20_000))
    likely = np.zeros(len(content))
    for held_out in range(FOLDS):
        out = fold[number] == held_out
        use = known & ~out
        if out.any() and len(set(content[use].tolist())) == 2:
            likely[out] = fit_softmax(matrix[use], content[use], weight[use], strength).probability(matrix[out])[:, 1]
    right = (likely > 0.5) == content
    model = fit_softmax(matrix[known], content[known], weight[known], strength)
    return (
        model,
        [likely[number == page] for page in range(len(pages))],
        float(np.average(right[known], weights=weight[known])),
    )


def fit_softmax(matrix: FloatArray, classes: NDArray[np.int64], weight: FloatArray, strength: float) -> Softmax:
    """Fit logistic regression to standardised columns."""
    mean, deviation = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), 0.05)
    rows = np.clip((matrix - mean) / deviation, -6, 6)
    regression = LogisticRegression(C=strength, max_iter=3000).fit(rows, classes, sample_weight=weight / weight.mean())
    coefficients, bias = regression.coef_, regression.intercept_
    if len(coefficients) == 1:
        coefficients, bias = np.concatenate([-coefficients, coefficients]) / 2, np.concatenate([-bias, bias]) / 2
    return Softmax(mean=mean, deviation=deviation, weight=coefficients, bias=bias)


def train_page_types(
    folders: Sequence[Path],
    *,
    articles: Sequence[Path] = (),
    processes: int = 2,
    say: Callable[[str], object] = print,
) -> PageTypeModel:
    """Train on the raw HTML of the training pages of some corpora that state a ``page_type``.

    ``articles`` are corpora of articles alone, which state none; :data:`ARTICLES` pages of each are used. ``say`` is
    called with progress messages. Raises ValueError if there is nothing to learn from.
    """
    golds = [gold for gold in training_pages(folders) if stated_type(gold)]
    if not golds:
        raise ValueError("no training page has a type (`page_type` in gold.jsonl)")
    for folder in articles:
        golds += [replace(gold, kind="article") for gold in training_pages([folder])[:ARTICLES]]
    say(f"{len(golds)} pages: {dict(Counter(map(stated_type, golds)))}")
    measured = parallel_map(measure_typed_page, golds, processes, died=lambda _: None)
    pages = [page for page in measured if page is not None]
    model = fit_page_types(pages)
    corpora = Counter(gold.corpus for gold in golds)
    return replace(model, about=model.about | {"corpora": {name: corpora[name] for name in sorted(corpora)}})
