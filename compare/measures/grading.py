"""Scores of the literature for a text: snippets, CleanEval's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .overlap import common_words, word_tuple


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


def cleaneval_score(prediction: str, reference: str) -> float:
    """Return CleanEval's "text only" score: 1 - edits / length of the alignment (Pasternack, Roth 2009, section 7.7).

    Edits are insertions and deletions of words, there are no substitutions; the alignment has one step for each word
    that is inserted, deleted or aligned. With a longest common subsequence of L words that is L / (n + m - L).

    >>> cleaneval_score("the dog", "the dog barked")
    0.6666666666666666
    """
    predicted, expected = word_tuple(prediction), word_tuple(reference)
    aligned = common_words(predicted, expected)
    steps = len(predicted) + len(expected) - aligned
    return aligned / steps if steps else 1.0
