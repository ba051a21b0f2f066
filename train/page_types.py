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

from ..document.records.group_features import GroupMeasures, measure_groups
from ..document.records.page_features import ADDRESS, PAGE_COLUMNS, own_measures, set_measures
from ..document.records.page_type import PAGE_TYPES, PageTypeModel, Softmax
from ..errors import BlocksightError
from ..gold.anonymised import strip_markup
from ..gold.leaf_labels import label_leaves
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import read_page
from ..gold.split import training_pages
from ..page.arrays import FloatArray
from ..page.page import Page
from ..processes.workers import parallel_map

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
#: Weights of the copies of each page without its address, and without markup: without the latter, an article of plain
#: boxes is an index, since it has no paragraphs.
NAMELESS, NO_MARKUP = 0.25, 0.25
#: Exponent of the weight of rare types.
RARE = 0.35
#: Most pages of a corpus of articles: more would outweigh the pages of other types.
ARTICLES = 120


@dataclass(frozen=True, kw_only=True, eq=False)
class TypedPage:
    """A page with its record groups, and its gold."""

    own: FloatArray  # Its measures (:func:`~blocksight.document.records.page_features.own_measures`)
    matrix: FloatArray  # float64 (groups, columns): What speaks for each group of records
    #: float64 (groups,): Share of each group's text that is content; NaN where the gold says nothing of it.
    content: FloatArray
    kind: str  # The type of the page, "" where none is known
    site: str
    is_copy: bool = False  # whether it is a copy without markup


def measure_typed_page(gold: GoldPage) -> list[TypedPage]:
    """Measure the raw HTML of a page of a corpus, as it is and without markup; nothing if it cannot be read."""
    try:
        page = read_page(gold)
    except BlocksightError:
        return []
    return [_measured(page, gold), replace(_measured(strip_markup(page), gold), is_copy=True)]


def _measured(page: Page, gold: GoldPage) -> TypedPage:
    measures = measure_groups(page)
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
    """Return the type of a page of a corpus, "" if it is not stated or unknown.

    A thread without an address teaches nothing: its posts show what it is
    (:func:`~blocksight.document.records.record_sets.thread_by_posts`), and reviews and entries of an index are alike.
    """
    if gold.kind in KINDS:
        kind = KINDS[gold.kind]
        return kind if kind != "thread" or gold.url else ""
    return "home" if gold.roles.typed_leaves and urlsplit(gold.url or "").path in ("", "/") else ""


def _share(measures: GroupMeasures, labels: NDArray[np.int8], spans: Iterable[tuple[int, int]]) -> float:
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
    copied = np.where([page.is_copy for page in pages], NO_MARKUP, 1.0)
    sets, likely, accuracy = _fit_sets(pages, fold, copied, sets_c)
    some = [number for number, page in enumerate(pages) if page.kind]
    if len({pages[number].kind for number in some}) < 2:
        raise ValueError("training needs pages of two types: add a corpus with `page_type`")
    matrix = np.stack([np.concatenate([pages[n].own, set_measures(pages[n].matrix, likely[n])]) for n in some])
    names = tuple(name for name in PAGE_TYPES if any(pages[number].kind == name for number in some))
    kind = np.asarray([names.index(pages[number].kind) for number in some])
    original = np.asarray([not pages[number].is_copy for number in some])
    weight = copied[some] * (len(kind) / np.bincount(kind)[kind]) ** RARE
    probability = np.zeros((len(some), len(names)))
    for held_out in range(FOLDS):
        out = fold[some] == held_out
        if out.any() and len(set(kind[~out].tolist())) == len(names):
            probability[out] = _fit_types(matrix[~out], kind[~out], weight[~out], types_c).probability(matrix[out])
    right = probability.argmax(axis=1) == kind
    of_type = {name: original & (kind == number) for number, name in enumerate(names)}
    about = {
        "pages": int(original.sum()),
        "types": {name: int(own.sum()) for name, own in of_type.items()},
        "accuracy on unseen sites": round(float(right[original].mean()), 4),
        "recall by type": {name: round(float(right[own].mean()), 3) for name, own in of_type.items()},
        **({"accuracy without markup": round(float(right[~original].mean()), 4)} if not original.all() else {}),
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
    pages: Sequence[TypedPage], fold: NDArray[Any], copied: FloatArray, strength: float
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
    weight = copied[number] * np.sqrt(np.clip(np.expm1(matrix[:, 0]) * np.expm1(matrix[:, 1]), 1, 20_000))
    likely = np.zeros(len(content))
    for held_out in range(FOLDS):
        out = fold[number] == held_out
        use = known & ~out
        if out.any() and len(set(content[use].tolist())) == 2:
            likely[out] = fit_softmax(matrix[use], content[use], weight[use], strength).probability(matrix[out])[:, 1]
    right, original = (likely > 0.5) == content, known & (copied[number] == 1)
    model = fit_softmax(matrix[known], content[known], weight[known], strength)
    return (
        model,
        [likely[number == page] for page in range(len(pages))],
        float(np.average(right[original], weights=weight[original])),
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
    pages = [page for some in parallel_map(measure_typed_page, golds, processes, died=_skip_page) for page in some]
    model = fit_page_types(pages)
    corpora = Counter(gold.corpus for gold in golds)
    return replace(model, about=model.about | {"corpora": {name: corpora[name] for name in sorted(corpora)}})


def _skip_page(_: GoldPage) -> list[TypedPage]:
    """Return nothing for a page on which a process died."""
    return []
