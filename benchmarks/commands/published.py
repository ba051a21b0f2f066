"""Published benchmarks of main text: the scores of their own scorers, from their published definitions.

They compare the text that a program returns with the gold, without the page. Each has its own format of predictions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from blocksight.compare.measures.measures import snippet_counts
from blocksight.gold.pages import GoldPage
from blocksight.lexicon.words import word_runs
from blocksight.page.arrays import FloatArray

#: Types of pages whose names differ between the files of WCXB; pages that state none are articles.
_WCXB_TYPES = {"category": "collection", "": "article"}
#: Folders of WCXB's splits, before the ids of pages that were read from both.
_WCXB_SPLIT = re.compile(r"^(?:dev|test)-(?=\d)")
_WORD = re.compile(r"\w+")
#: Words of a shingle.
_RUN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedBenchmark:
    """A published benchmark: how it scores a page, and all of them, and how it reads predictions."""

    name: str
    source: str
    needs: str  # "texts" or "snippets", without which it does not score a page
    #: From a prediction and its gold to the counts or shares of the page.
    page_scores: Callable[[str, GoldPage], Sequence[float]]
    figures: tuple[str, ...]  # Names of the figures; the first one ranks
    #: From float64 (..., pages, scores) to the figures, float64 (figures, ...).
    summary: Callable[[FloatArray], FloatArray]
    page_type: Callable[[GoldPage], str]  # By which its pages are grouped in tables
    #: From predictions by the id of a page to the content of the file that its own scorer reads.
    predictions: Callable[[Mapping[str, str], Iterable[GoldPage]], Mapping[str, object]]

    def scores(self, gold: GoldPage) -> bool:
        """Return whether it scores a page with this gold."""
        return bool(gold.texts) if self.needs == "texts" else bool(gold.snippets.must_have or gold.snippets.must_not)


def wcxb_scores(prediction: str, gold: GoldPage) -> tuple[float, float, float, float, float]:
    r"""Return F1, precision and recall of words as a multiset, and the shares of snippets that are there.

    Words are ``\w+`` in lower case. Without words in the gold, an empty prediction has 1 and any other one 0. Snippets
    are compared in lower case with white space as it is; without any, their share is 1.
    """
    predicted, expected = (_WORD.findall(text.lower()) for text in (prediction, gold.text))
    shared = (Counter(predicted) & Counter(expected)).total()
    precision, recall = (shared / len(words) if words else 0.0 for words in (predicted, expected))
    if not expected and not predicted:
        precision = recall = 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    snippets = gold.snippets
    return f1, precision, recall, _found(prediction, snippets.must_have), _found(prediction, snippets.must_not)


def _found(text: str, snippets: Sequence[str]) -> float:
    lower = text.lower()
    return sum(snippet.lower() in lower for snippet in snippets) / len(snippets) if snippets else 1.0


def shingle_scores(prediction: str, gold: GoldPage) -> tuple[float, ...]:
    r"""Return the runs of four ``\w+`` (with their case) that are right, wrong and missed, as shares of their sum."""
    predicted, expected = (_shingles(text) for text in (prediction, gold.text))
    shared = (predicted & expected).total()
    counts = shared, predicted.total() - shared, expected.total() - shared
    return tuple(count / (sum(counts) or 1) for count in counts)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _WORD.findall(text)
    return Counter([tuple(tokens)] if 0 < len(tokens) < _RUN else word_runs(tokens, _RUN))


def shingle_figures(scores: FloatArray) -> FloatArray:
    """Return the harmonic mean of the mean precision of pages with an answer and the mean recall of those with gold."""
    right, wrong, missed = np.moveaxis(scores, -1, 0)
    means = []
    for whole in (right + wrong, right + missed):
        shares = np.where(whole > 0, right / np.where(whole > 0, whole, 1.0), 0.0)
        means.append(shares.sum(axis=-1) / np.maximum((whole > 0).sum(axis=-1), 1))
    precision, recall = means
    return np.stack([2 * precision * recall / np.maximum(precision + recall, 1e-300), precision, recall])


def snippet_figures(counts: FloatArray) -> FloatArray:
    """Return F1, precision, recall and accuracy over all snippets of all pages, float64 (4, ...).

    ``counts`` is float64 (..., pages, 4): :class:`~blocksight.compare.measures.measures.Snippets` of each page. A
    figure of nothing is 0.
    """
    right, wrong, missed, avoided = np.moveaxis(counts.sum(axis=-2), -1, 0)
    shares = (
        (2 * right, 2 * right + wrong + missed),
        (right, right + wrong),
        (right, right + missed),
        (right + avoided, right + wrong + missed + avoided),
    )
    return np.stack([part / np.maximum(whole, 1e-300) for part, whole in shares])


def _by_number(texts: Mapping[str, str], _: Iterable[GoldPage]) -> Mapping[str, object]:
    numbers = {_WCXB_SPLIT.sub("", identity): text for identity, text in texts.items()}
    if len(numbers) < len(texts):
        raise ValueError("its splits have pages of the same number: score one at a time, FOLDER/dev or FOLDER/test")
    return numbers


WCXB = PublishedBenchmark(
    name="wcxb",
    source="Foley, Web Content Extraction Benchmark (WCXB), evaluate.py --results FILE --per-type",
    needs="texts",
    page_scores=wcxb_scores,
    figures=("F1", "precision", "recall", "with", "without"),
    summary=lambda scores: np.moveaxis(scores.mean(axis=-2), -1, 0),
    page_type=lambda gold: _WCXB_TYPES.get(gold.kind, gold.kind),
    predictions=_by_number,
)
ARTICLE_EXTRACTION = PublishedBenchmark(
    name="article-extraction",
    source="Zyte, article-extraction-benchmark, evaluate.py on output/NAME.json",
    needs="texts",
    page_scores=shingle_scores,
    figures=("F1", "precision", "recall"),
    summary=shingle_figures,
    page_type=lambda gold: gold.kind,
    predictions=lambda texts, _: {identity: {"articleBody": text} for identity, text in texts.items()},
)
TRAFILATURA = PublishedBenchmark(
    name="trafilatura",
    source="Barbaresi, trafilatura, tests/evaluate.py (count_item, ConfusionMatrix)",
    needs="snippets",
    page_scores=lambda prediction, gold: snippet_counts(prediction, gold.snippets.must_have, gold.snippets.must_not),
    figures=("F1", "precision", "recall", "accuracy"),
    summary=snippet_figures,
    page_type=lambda gold: gold.language,
    predictions=lambda texts, golds: {gold.url or gold.id: texts[gold.id] for gold in golds if gold.id in texts},
)
