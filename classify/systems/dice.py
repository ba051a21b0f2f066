"""FIASCO's labels of target nodes: the overlap of words with the paragraphs of a gold text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ...lexicon.words import words
from ...page.arrays import FloatArray


def dice_shares(texts: Sequence[str], gold: str) -> FloatArray:
    """Return each text's largest Dice overlap of words with a paragraph of the gold, NaN without words.

    FIASCO (Bauer et al., WAC3 2007): ``2 · |common words| / (|words of the text| + |words of the paragraph|)``, of
    multisets of words. A paragraph is a line of the gold; as lines may be wrapped, adjacent ones are joined to it as
    long as the overlap grows (our addition).
    """
    lines = [Counter(words(line)) for line in gold.splitlines()]
    postings: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        for word in line:
            postings[word].append(index)
    rows = (Counter(words(text)) for text in texts)
    return np.asarray([_best_dice(row, lines, postings) if row else np.nan for row in rows], dtype=np.float64)


def _best_dice(row: Counter[str], lines: list[Counter[str]], postings: dict[str, list[int]]) -> float:
    common = Counter(index for word in row for index in postings.get(word, ()))
    if not common:
        return 0.0
    # The best line by Dice is among those with most distinct words in common.
    dice, start = max((_dice(row, lines[index]), index) for index, _ in common.most_common(5))
    first, last, joined = start, start + 1, lines[start]
    while True:
        sides = [(index, joined + lines[index]) for index in (first - 1, last) if 0 <= index < len(lines)]
        best, index, grown = max(
            ((_dice(row, more), index, more) for index, more in sides),
            key=lambda grown: grown[0],
            default=(0.0, 0, joined),
        )
        if best <= dice:
            return dice
        dice, joined, first, last = best, grown, min(first, index), max(last, index + 1)


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / (one.total() + other.total())
