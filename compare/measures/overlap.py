"""Overlap of two texts: by words, by word order, by runs of four words.

A share of nothing is 0, unless both texts are empty: then all shares are 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from ...lexicon.words import word_runs, words

_WORD = re.compile(r"\w+")
#: Tokens of a run.
SHINGLE = 4


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def overlap(shared: float, prediction: float, reference: float) -> Overlap:
    """Return precision, recall and F1 from the sizes of the intersection, the prediction and the reference.

    >>> overlap(2, 2, 3)
    Overlap(precision=1.0, recall=0.6666666666666666, f1=0.8)
    """
    if not prediction and not reference:
        return Overlap(1.0, 1.0, 1.0)
    return Overlap(
        precision=shared / prediction if prediction else 0.0,
        recall=shared / reference if reference else 0.0,
        f1=2 * shared / (prediction + reference),
    )


@lru_cache(maxsize=64)
def word_tuple(text: str) -> tuple[str, ...]:
    """Return a text's words; cached, since each reference is needed once for each system and measure."""
    return tuple(words(text))


def common_words(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two sequences."""
    return int(LCSseq.similarity(first, second))


def word_bag(prediction: str, reference: str) -> Overlap:
    """Compare two texts as multisets of words (Pasternack and Roth, WWW 2009, section 7, for VIPS and CleanEval).

    >>> word_bag("a b b", "b b c")
    Overlap(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    predicted, expected = Counter(word_tuple(prediction)), Counter(word_tuple(reference))
    return overlap((predicted & expected).total(), predicted.total(), expected.total())


def word_bag_f1(prediction: str, reference: str) -> float:
    """Return the F1 of :func:`word_bag`.

    >>> word_bag_f1("a b b", "b b c")
    0.6666666666666666
    """
    return word_bag(prediction, reference).f1


def word_sequence(prediction: str, reference: str) -> Overlap:
    """Compare two texts as sequences: the words on their longest common subsequence are the same ones.

    Pasternack and Roth (WWW 2009, section 7) treat every word of a page as distinct, even if two are spelled the same.
    A reference that is plain text does not determine which of them it means; the longest common subsequence is the most
    favourable assignment that keeps the order.

    >>> word_sequence("c a b", "a b c").f1
    0.6666666666666666
    """
    predicted, expected = word_tuple(prediction), word_tuple(reference)
    return overlap(common_words(predicted, expected), len(predicted), len(expected))


def best_of(measure: Callable[[str, str], Overlap], prediction: str, references: Iterable[str]) -> Overlap:
    """Compare with several acceptable extractions and return the best F1 (MSS, section 4.1, "best").

    ValueError without a reference.
    """
    return max((measure(prediction, reference) for reference in references), key=lambda result: result.f1)


def shortest(references: Sequence[str]) -> str:
    """Return the extraction with the fewest words (MSS, section 4.1, "short": main text without headline or byline).

    >>> shortest(["Headline. Text here.", "Text here."])
    'Text here.'
    """
    return min(references, key=lambda reference: len(word_tuple(reference)))


class Matches(NamedTuple):
    """True positives, false positives and false negatives; counts, or shares of their sum."""

    right: float
    wrong: float
    missed: float


def shingle_matches(prediction: str, reference: str) -> Matches:
    r"""Compare two texts by their runs of four words, as the article-extraction-benchmark does (Zyte, 2020).

    Its tokens are ``\w+``, case-sensitive; a text of fewer than four has one shingle. The three counts are divided by
    their sum, so that all pages have the same weight; two empty texts give three zeros.

    >>> shingle_matches("a b c d e", "a b c d")
    Matches(right=0.5, wrong=0.5, missed=0.0)
    """
    predicted, expected = _shingles(prediction), _shingles(reference)
    shared = (predicted & expected).total()
    counts = (shared, predicted.total() - shared, expected.total() - shared)
    return Matches(*(count / (sum(counts) or 1) for count in counts))


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _WORD.findall(text)
    return Counter([tuple(tokens)] if 0 < len(tokens) < SHINGLE else word_runs(tokens, SHINGLE))


def shingle_overlap(matches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Aggregate pages as the article-extraction-benchmark does.

    ``matches`` is float64 (..., pages, 3), a :class:`Matches` for each page. The result is float64 (3, ...): mean
    precision over the pages with a prediction, mean recall over those with a reference, and the harmonic mean of these
    two means (not the mean of the pages' F1).
    """
    right, wrong, missed = np.moveaxis(matches, -1, 0)
    precision = _mean_share(right, right + wrong)
    recall = _mean_share(right, right + missed)
    return np.stack([precision, recall, 2 * precision * recall / np.maximum(precision + recall, 1e-300)])


def _mean_share(part: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.float64]:
    defined = total > 0
    share = np.where(defined, part / np.where(defined, total, 1.0), 0.0)
    mean: NDArray[np.float64] = share.sum(axis=-1) / np.maximum(defined.sum(axis=-1), 1)
    return mean
