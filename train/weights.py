"""Weights of rows in training: pages of all sizes weigh about the same.

The weight of a row is its share of the content's words, and so its effect on the page's F1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray

#: Pages with fewer words of content are treated as if they had this number.
MIN_GOLD_WORDS = 50.0
MIN_WEIGHT, MAX_WEIGHT = 0.0015, 0.4


def row_weights(words: FloatArray, label: NDArray[np.bool_], page: NDArray[np.int64] | None = None) -> FloatArray:
    """Return the weight of each row by its words, pages alike; without ``page`` numbers all are of one page."""
    page = np.zeros(len(words), dtype=np.int64) if page is None else page
    content = np.bincount(page, weights=words * label)
    return np.clip(words / np.maximum(content, MIN_GOLD_WORDS)[page], MIN_WEIGHT, MAX_WEIGHT)
