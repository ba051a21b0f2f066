"""Overlap of two texts: by words, by word order.

A share of nothing is 0, unless both texts are empty: then all shares are 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from ...lexicon.words import words


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
