"""Scores that ask whether a page came out well, not by how much: snippets, SCEDD's error, NewsFeed's grades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import count_sentences
from .overlap import common_words, word_tuple

#: SCEDD: a result with a greater share of characters that are not in the gold is wrong.
SCEDD_TOLERANCE = 0.20
#: Bounds of what a sentence is taken for, in words: lists have no ends of sentences, verse has many.
LEAST_SENTENCE, MOST_SENTENCE = 8.0, 40.0


class Snippets(NamedTuple):
    """Snippets that should be there and are, should not and are, should and are not, should not and are not."""

    right: int
    wrong: int
    missed: int
    avoided: int


def snippet_counts(found: str, must_have: Sequence[str], must_not: Sequence[str]) -> Snippets:
    """Look for short texts in an extraction, with their case and with white space made even (trafilatura's evaluation).

    >>> snippet_counts("High water at noon.", ["High  water", "the bar"], ["Home"])
    Snippets(right=1, wrong=0, missed=1, avoided=1)
    """
    text = _even(found)
    right = sum(_even(snippet) in text for snippet in must_have)
    wrong = sum(_even(snippet) in text for snippet in must_not)
    return Snippets(right, wrong, len(must_have) - right, len(must_not) - wrong)


def _even(text: str) -> str:
    return " ".join(text.split())


def snippet_f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 2 right / (2 right + wrong + missed) over all snippets of all pages, as trafilatura's evaluation does.

    Parameters
    ----------
    counts : float64 (..., pages, 4)
        A :class:`Snippets` a page.

    Returns
    -------
    float64 (...)
    """
    right, wrong, missed, _ = np.moveaxis(counts.sum(axis=-2), -1, 0)
    f1: NDArray[np.float64] = 2 * right / np.maximum(2 * right + wrong + missed, 1e-300)
    return f1


def scedd_error(found: str, gold: str) -> float:
    """Share of the result that is not on the longest common subsequence of characters with the gold (SCEDD 2016).

    White space does not count. What is missed does not count either, but a result that is empty where there is gold is
    all wrong: for that case the paper's formula has no value.

    >>> scedd_error("abcx", "abcd")
    0.25
    """
    one, other = "".join(found.split()), "".join(gold.split())
    if not one:
        return float(bool(other))
    return 1.0 - common_words(one, other) / len(one)


class Grade(StrEnum):
    """The four outcomes of NewsFeed's evaluation (thesis, section 2.4.4.1)."""

    PERFECT = "perfect"
    MAJOR_OVERLAP = "major overlap"
    GARBAGE = "garbage"
    MISSED = "missed"


def grade(found: str, gold: str) -> Grade:
    """Grade an extraction as NewsFeed's authors did by hand.

    Perfect deviates by less than a sentence, or is rightly empty; missed is wrongly empty; garbage is mostly text that
    is not in the gold; major overlap is the rest. In numbers, which are ours: a sentence is as long as the gold's are
    on average, within 8 and 40 words, and words are compared by their longest common subsequence.

    >>> str(grade("The dog barked twice.", "The dog barked."))
    'perfect'
    """
    one, other = word_tuple(found), word_tuple(gold)
    if not one:
        return Grade.MISSED if other else Grade.PERFECT
    shared = common_words(one, other)
    if 2 * shared < len(one):
        return Grade.GARBAGE
    sentence = min(max(len(other) / max(count_sentences(gold), 1), LEAST_SENTENCE), MOST_SENTENCE)
    return Grade.PERFECT if len(one) + len(other) - 2 * shared < sentence else Grade.MAJOR_OVERLAP


def grade_rates(grades: Sequence[str]) -> tuple[float, float]:
    """Return precision and recall by pages: perfect and major overlap are right, garbage is wrong, missed is missed.

    A rate that has nothing to count is NaN.

    Examples
    --------
    NewsFeed's own figures, for which it states 94 % each:

    >>> rates = ["perfect"] * 663 + ["major overlap"] * 221 + ["garbage"] * 58 + ["missed"] * 58
    >>> [round(rate, 2) for rate in grade_rates(rates)]
    [0.94, 0.94]
    """
    count = {one: sum(given == one for given in grades) for one in Grade}
    right = count[Grade.PERFECT] + count[Grade.MAJOR_OVERLAP]
    found, wanted = right + count[Grade.GARBAGE], right + count[Grade.MISSED]
    return right / found if found else float("nan"), right / wanted if wanted else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """On how many pages one system does better than, as well as, and worse than another.

    Attributes
    ----------
    better, tie, worse : int
    p : float
        Two-sided sign test over the pages that are no tie: how likely a difference as large would be by chance.
    """

    better: int
    tie: int
    worse: int
    p: float


def duel(first: Sequence[float], second: Sequence[float], *, margin: float = 0.01) -> Duel:
    """Compare two systems page by page (the table of NewsFeed's thesis, 2.3).

    Parameters
    ----------
    first, second : sequence of float
        A score a page, higher is better, of the same pages; NewsFeed's were a person's choice between two texts.
    margin : float
        Differences up to this are a tie.

    Examples
    --------
    NewsFeed's WWW against WWW++ on 150 pages, "significant with a 5 % confidence interval":

    >>> duel([1] * 6 + [0] * 18 + [0] * 124, [0] * 6 + [1] * 18 + [0] * 124)
    Duel(better=6, tie=124, worse=18, p=0.022655844688415527)
    """
    from scipy.stats import binomtest

    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    better, worse = int((difference > margin).sum()), int((difference < -margin).sum())
    p = float(binomtest(better, better + worse).pvalue) if better + worse else 1.0
    return Duel(better=better, tie=len(difference) - better - worse, worse=worse, p=p)
