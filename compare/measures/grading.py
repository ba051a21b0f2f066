"""Scores per page instead of per word: snippets, SCEDD's error, NewsFeed's grades."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ...lexicon.words import count_sentences
from .overlap import common_words, word_tuple

#: SCEDD: a result with a greater share of characters that are not in the reference is wrong.
SCEDD_TOLERANCE = 0.20
#: Bounds of the mean sentence length in words: lists have no ends of sentences, verse has many.
LEAST_SENTENCE, MOST_SENTENCE = 8.0, 40.0


class Snippets(NamedTuple):
    """Counts of required snippets that are present, forbidden ones present, required ones absent, forbidden absent."""

    right: int
    wrong: int
    missed: int
    avoided: int


def snippet_counts(prediction: str, must_have: Sequence[str], must_not: Sequence[str]) -> Snippets:
    """Count short texts in an extraction, case-sensitive, white space normalised (trafilatura's evaluation).

    >>> snippet_counts("High water at noon.", ["High  water", "the bar"], ["Home"])
    Snippets(right=1, wrong=0, missed=1, avoided=1)
    """
    text = _normalised(prediction)
    right = sum(_normalised(snippet) in text for snippet in must_have)
    wrong = sum(_normalised(snippet) in text for snippet in must_not)
    return Snippets(right, wrong, len(must_have) - right, len(must_not) - wrong)


def _normalised(text: str) -> str:
    return " ".join(text.split())


def scedd_error(prediction: str, reference: str) -> float:
    """Return the share of the result outside its longest common subsequence of characters with the reference.

    SCEDD 2016. White space is not counted, nor are missed characters; but an empty result is all wrong if there is a
    reference: for that case the paper's formula has no value.

    >>> scedd_error("abcx", "abcd")
    0.25
    """
    predicted, expected = "".join(prediction.split()), "".join(reference.split())
    if not predicted:
        return float(bool(expected))
    return 1.0 - common_words(predicted, expected) / len(predicted)


class Grade(StrEnum):
    """The four outcomes of NewsFeed's evaluation (thesis, section 2.4.4.1)."""

    PERFECT = "perfect"
    MAJOR_OVERLAP = "major overlap"
    GARBAGE = "garbage"
    MISSED = "missed"


def grade(prediction: str, reference: str) -> Grade:
    """Grade an extraction as NewsFeed's authors did manually.

    Perfect deviates by less than a sentence, or is rightly empty; missed is wrongly empty; garbage is mostly text that
    is not in the reference; major overlap is the rest. Our definition in numbers: a sentence has the reference's mean
    sentence length, within 8 and 40 words, and words are compared by their longest common subsequence.

    >>> str(grade("The dog barked twice.", "The dog barked."))
    'perfect'
    """
    predicted, expected = word_tuple(prediction), word_tuple(reference)
    if not predicted:
        return Grade.MISSED if expected else Grade.PERFECT
    shared = common_words(predicted, expected)
    if 2 * shared < len(predicted):
        return Grade.GARBAGE
    sentence = min(max(len(expected) / max(count_sentences(reference), 1), LEAST_SENTENCE), MOST_SENTENCE)
    return Grade.PERFECT if len(predicted) + len(expected) - 2 * shared < sentence else Grade.MAJOR_OVERLAP


def grade_rates(grades: Sequence[str]) -> tuple[float, float]:
    """Return precision and recall over pages: perfect and major overlap are right, garbage is wrong, missed is missed.

    A rate with an empty denominator is NaN. NewsFeed's own figures, for which it states 94 % each:

    >>> grades = ["perfect"] * 663 + ["major overlap"] * 221 + ["garbage"] * 58 + ["missed"] * 58
    >>> [round(rate, 2) for rate in grade_rates(grades)]
    [0.94, 0.94]
    """
    count = {grade: grades.count(grade) for grade in Grade}
    right = count[Grade.PERFECT] + count[Grade.MAJOR_OVERLAP]
    predicted, expected = right + count[Grade.GARBAGE], right + count[Grade.MISSED]
    return right / predicted if predicted else float("nan"), right / expected if expected else float("nan")
