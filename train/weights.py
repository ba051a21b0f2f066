"""How much a row counts in training: a page weighs about the same whatever its size.

A block counts as much as it moves the page's F1: by its share of the words of the content.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray

#: A page with fewer words of content counts as one with this number.
LEAST_GOLD_WORDS = 50.0
LEAST_WEIGHT, MOST_WEIGHT = 0.0015, 0.4


def row_weights(words: FloatArray, label: NDArray[np.bool_], page: NDArray[np.int64] | None = None) -> FloatArray:
    """Return the weight of each row by its words, pages alike; without ``page`` numbers all are of one page."""
    page = np.zeros(len(words), dtype=np.int64) if page is None else page
    content = np.bincount(page, weights=words * label)
    return np.clip(words / np.maximum(content, LEAST_GOLD_WORDS)[page], LEAST_WEIGHT, MOST_WEIGHT)
