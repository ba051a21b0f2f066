"""Agreement of several readers of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from ..lexicon.words import words


def word_agreement(texts: Sequence[str | None]) -> float | None:
    """Return the mean F1 of the words of each pair of texts, as multisets; None unless there are two.

    >>> word_agreement(["green tea", "Tea", None])
    0.6666666666666666
    """
    bags = [Counter(words(text)) for text in texts if text is not None]
    return fmean(_f1(one, other) for one, other in combinations(bags, 2)) if len(bags) > 1 else None


def _f1(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
