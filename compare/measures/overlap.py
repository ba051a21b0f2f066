"""How much of two texts is the same: by words, by their order, by runs of four words, by sentences.

A share of nothing is 0, unless both texts are empty: those agree in everything.
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


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def overlap(shared: float, found: float, gold: float) -> Overlap:
    """Turn what two sets share, and their sizes, into precision, recall and F1.

    >>> overlap(2, 2, 3)
    Overlap(precision=1.0, recall=0.6666666666666666, f1=0.8)
    """
    if not found and not gold:
        return Overlap(1.0, 1.0, 1.0)
    return Overlap(
        precision=shared / found if found else 0.0,
        recall=shared / gold if gold else 0.0,
        f1=2 * shared / (found + gold),
    )


@lru_cache(maxsize=64)
def word_tuple(text: str) -> tuple[str, ...]:
    """Return a text's words; kept for a while, since each gold text is asked for once a system and measure."""
    return tuple(words(text))


def common_words(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence of two sequences."""
    return int(LCSseq.similarity(first, second))


def word_bag(found: str, gold: str) -> Overlap:
    """Compare two texts as multisets of words (Pasternack and Roth, WWW 2009, section 7, for VIPS and CleanEval).

    >>> word_bag("a b b", "b b c")
    Overlap(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    one, other = Counter(word_tuple(found)), Counter(word_tuple(gold))
    return overlap((one & other).total(), one.total(), other.total())


def word_bag_f1(found: str, gold: str) -> float:
    """F1 of :func:`word_bag`.

    >>> word_bag_f1("a b b", "b b c")
    0.6666666666666666
    """
    return word_bag(found, gold).f1


def word_sequence(found: str, gold: str) -> Overlap:
    """Compare two texts as sequences: the words on their longest common subsequence are the same ones.

    Pasternack and Roth (WWW 2009, section 7) hold every word of a page for a distinct one, even where two are spelled
    alike. Gold that is plain text does not say which of them it means; the longest common subsequence finds the most
    favourable reading that keeps the order.

    >>> word_sequence("c a b", "a b c").f1
    0.6666666666666666
    """
    one, other = word_tuple(found), word_tuple(gold)
    return overlap(common_words(one, other), len(one), len(other))


def best_of(measure: Callable[[str, str], Overlap], found: str, golds: Iterable[str]) -> Overlap:
    """Compare with several acceptable extractions and take the one with the best F1 (MSS, section 4.1, "best").

    Raises
    ------
    ValueError
        When there is no gold text.
    """
    return max((measure(found, gold) for gold in golds), key=lambda one: one.f1)


def shortest(golds: Sequence[str]) -> str:
    """Return the extraction with the fewest words (MSS, section 4.1, "short": main text without headline or byline).

    >>> shortest(["Headline. Text here.", "Text here."])
    'Text here.'
    """
    return min(golds, key=lambda gold: len(word_tuple(gold)))


class Matches(NamedTuple):
    """What was found rightly, found wrongly and missed; counts, or shares of their sum."""

    right: float
    wrong: float
    missed: float


def shingle_matches(found: str, gold: str, size: int = 4) -> Matches:
    r"""Compare two texts by their runs of four words, as the article-extraction-benchmark does (Zyte, 2020).

    Its tokens are ``\w+`` with their case; a text of fewer than four has one shingle. The three counts are divided by
    their sum, so that long pages weigh no more than short ones; two empty texts give three zeros.

    >>> shingle_matches("a b c d e", "a b c d")
    Matches(right=0.5, wrong=0.5, missed=0.0)
    """
    one, other = _shingles(found, size), _shingles(gold, size)
    shared = (one & other).total()
    counts = (shared, one.total() - shared, other.total() - shared)
    return Matches(*(count / (sum(counts) or 1) for count in counts))


def _shingles(text: str, size: int) -> Counter[tuple[str, ...]]:
    tokens = _WORD.findall(text)
    if 0 < len(tokens) < size:
        return Counter([tuple(tokens)])
    return Counter(word_runs(tokens, size))


def shingle_overlap(matches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum pages up as the article-extraction-benchmark does.

    Parameters
    ----------
    matches : float64 (..., pages, 3)
        A :class:`Matches` a page.

    Returns
    -------
    float64 (3, ...)
        Mean precision over the pages on which anything was found, mean recall over those that have gold, and the
        harmonic mean of these two means (not the mean of the pages' F1).
    """
    right, wrong, missed = np.moveaxis(matches, -1, 0)
    precision = _mean_share(right, right + wrong)
    recall = _mean_share(right, right + missed)
    return np.stack([precision, recall, 2 * precision * recall / np.maximum(precision + recall, 1e-300)])


def _mean_share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    some = whole > 0
    share = np.where(some, part / np.where(some, whole, 1.0), 0.0)
    mean: NDArray[np.float64] = share.sum(axis=-1) / np.maximum(some.sum(axis=-1), 1)
    return mean
