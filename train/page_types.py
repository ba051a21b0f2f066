"""Train what tells sets of records and types of pages: logistic regression, kept as plain numbers."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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
from ..gold.leaf_labels import label_leaves
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import read_page
from ..gold.split import training_pages
from ..page.arrays import FloatArray
from ..processes.workers import parallel_map

#: What corpora call their kinds of pages; all else are no types.
KINDS = {
    "article": "article", "forum": "thread", "thread": "thread", "listing": "listing", "collection": "collection",
    "product": "product",
    "documentation": "documentation", "service": "service", "home": "home", "none": "none",
}  # fmt: skip
FOLDS = 5
#: Inverse strength of regularisation, of sets and of types.
SETS_C, TYPES_C = 0.05, 0.03
#: What each page counts a second time, as one whose address is not known.
NAMELESS = 0.25
#: How much more a page of a rare type counts: the power of how much rarer it is.
RARE = 0.35


@dataclass(frozen=True, kw_only=True, eq=False)
class TypedPage:
    """A page, its groups of records, and what the gold says of them.

    Attributes
    ----------
    own : float64
        Its measures (:func:`~blocksight.document.records.page_features.own_measures`).
    matrix : float64 (groups, columns)
        What speaks for each group of records.
    content : float64 (groups,)
        Share of each group's text that is content; NaN where the gold says nothing of it.
    kind : str
        The type of the page, "" where none is known.
    site : str
    """

    own: FloatArray
    matrix: FloatArray
    content: FloatArray
    kind: str
    site: str


def measured_page(gold: GoldPage) -> TypedPage | None:
    """Measure a page of a corpus as raw HTML; None where it cannot be read."""
    try:
        page = read_page(gold)
    except BlocksightError:
        return None
    measures = measure_groups(page)
    labels = label_leaves(page, gold)
    shares = [_share(measures, labels, group.outer) for group in measures.groups]
    return TypedPage(
        own=own_measures(measures),
        matrix=measures.matrix,
        content=np.asarray(shares, dtype=np.float64),
        kind=kind_of(gold),
        site=gold.site,
    )


def kind_of(gold: GoldPage) -> str:
    """Return the type of a page of a corpus, "" where it states none that is known."""
    if gold.kind in KINDS:
        return KINDS[gold.kind]
    return "home" if gold.roles.typed_leaves and urlsplit(gold.url or "").path in ("", "/") else ""


def _share(measures: GroupMeasures, labels: NDArray[np.int8], spans: Iterable[tuple[int, int]]) -> float:
    """Share of a group's prose, or of its text where it has none, that is content."""
    page, known, held = measures.page, np.zeros(2), np.zeros(2)
    for first, end in spans:
        low, high = int(page.leaf_range[first, 0]), int(page.leaf_range[end - 1, 1])
        for number, size in enumerate((measures.prose[low:high], measures.characters[low:high])):
            known[number] += size[labels[low:high] != UNCERTAIN].sum()
            held[number] += size[labels[low:high] == CONTENT].sum()
    which = 0 if known[0] > 0 else 1
    return float(held[which] / known[which]) if known[which] > 0 else float("nan")


def fit_page_types(pages: Sequence[TypedPage], *, sets_c: float = SETS_C, types_c: float = TYPES_C) -> PageTypeModel:
    """Fit both models; what is said of unseen sites is by folds over them.

    Raises
    ------
    ValueError
        When no page states a type, or no group of records is content.
    """
    fold = np.asarray([zlib.crc32(page.site.encode()) % FOLDS for page in pages])
    sets, likely, accuracy = _fit_sets(pages, fold, sets_c)
    some = [number for number, page in enumerate(pages) if page.kind]
    if len({pages[number].kind for number in some}) < 2:
        raise ValueError("the pages state no two types: a corpus with `page_type` is needed")
    matrix = np.stack([np.concatenate([pages[n].own, set_measures(pages[n].matrix, likely[n])]) for n in some])
    names = tuple(name for name in PAGE_TYPES if any(pages[number].kind == name for number in some))
    kind = np.asarray([names.index(pages[number].kind) for number in some])
    weight = (len(kind) / np.bincount(kind)[kind]) ** RARE
    told = np.zeros((len(some), len(names)))
    for held_out in range(FOLDS):
        out = fold[some] == held_out
        if out.any() and len(set(kind[~out].tolist())) == len(names):
            told[out] = _fit_types(matrix[~out], kind[~out], weight[~out], types_c).probability(matrix[out])
    best = told.argmax(axis=1)
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
    """Fit the types on pages with their addresses, and on the same without: a file has none."""
    nameless = matrix.copy()
    nameless[:, [column.startswith(ADDRESS) for column in PAGE_COLUMNS]] = 0
    rows, weights = np.concatenate([matrix, nameless]), np.concatenate([weight, NAMELESS * weight])
    return fitted(rows, np.concatenate([kind, kind]), weights, strength)


def _fit_sets(
    pages: Sequence[TypedPage], fold: NDArray[Any], strength: float
) -> tuple[Softmax, list[FloatArray], float]:
    """Return the model of sets, and what is said of each page's by one that has not seen its site."""
    number = np.repeat(np.arange(len(pages)), [len(page.content) for page in pages])
    matrix = np.concatenate([page.matrix for page in pages])
    share = np.concatenate([page.content for page in pages])
    known = np.isfinite(share)
    content = (share >= 0.5).astype(np.int64)
    if len(set(content[known].tolist())) < 2:
        raise ValueError("the gold of these pages parts no groups of records into content and other")
    # By its text, but not in proportion: one long page is one page.
    weight = np.sqrt(np.clip(np.expm1(matrix[:, 0]) * np.expm1(matrix[:, 1]), 1, 20_000))
    likely = np.zeros(len(content))
    for held_out in range(FOLDS):
        out = fold[number] == held_out
        use = known & ~out
        if out.any() and len(set(content[use].tolist())) == 2:
            likely[out] = fitted(matrix[use], content[use], weight[use], strength).probability(matrix[out])[:, 1]
    right = (likely > 0.5) == content
    model = fitted(matrix[known], content[known], weight[known], strength)
    return (
        model,
        [likely[number == page] for page in range(len(pages))],
        float(np.average(right[known], weights=weight[known])),
    )


def fitted(matrix: FloatArray, classes: NDArray[np.int64], weight: FloatArray, strength: float) -> Softmax:
    """Fit logistic regression to standardised columns."""
    mean, deviation = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), 0.05)
    rows = np.clip((matrix - mean) / deviation, -6, 6)
    found = LogisticRegression(C=strength, max_iter=3000).fit(rows, classes, sample_weight=weight / weight.mean())
    coefficients, bias = found.coef_, found.intercept_
    if len(coefficients) == 1:
        coefficients, bias = np.concatenate([-coefficients, coefficients]) / 2, np.concatenate([-bias, bias]) / 2
    return Softmax(mean=mean, deviation=deviation, weight=coefficients, bias=bias)


def train_page_types(
    folders: Sequence[Path], *, processes: int = 2, say: Callable[[str], object] = print
) -> PageTypeModel:
    """Train on the pages of the split "train" of some corpora, as raw HTML.

    Parameters
    ----------
    folders : sequence of Path
        Corpora; those whose pages state a ``page_type`` teach the types.
    processes : int
        Pages measured at once.
    say : callable
        Is told how far it is.

    Raises
    ------
    ValueError
        When there is nothing to learn from.
    """
    golds = [gold for gold in training_pages(folders) if kind_of(gold)]
    if not golds:
        raise ValueError("no page for training states its type (`page_type` in gold.jsonl)")
    say(f"{len(golds)} pages: {dict(Counter(map(kind_of, golds)))}")
    pages = [page for page in parallel_map(measured_page, golds, processes, died=_gone) if page is not None]
    return fit_page_types(pages)


def _gone(_: GoldPage) -> None:
    """A page at which a process died is left out."""
