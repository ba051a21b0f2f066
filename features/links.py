"""Link features."""

from __future__ import annotations

import numpy as np

from ..render.arrays import FloatArray
from .rows import Rows

DOCS = {
    "link_density": "share of the block's words that stand in links",
    "links_log": "ln(1 + links that begin in the block)",
    "in_link": "1 where the whole block stands in a link",
    "free_words_log": "ln(1 + words outside links)",
    "links_a_word": "links a word",
}


def link_features(counts: Rows) -> dict[str, FloatArray]:
    """Return the link columns, float64 (rows,) each; :data:`DOCS` says what they are."""
    page = counts.page
    link_of_leaf = page.nearest(page.has_tag("a"))[page.leaves]
    starts = link_of_leaf >= 0
    starts[1:] &= link_of_leaf[1:] != link_of_leaf[:-1]
    links = counts.summed(starts.astype(np.float64))
    return {
        "link_density": counts.link_density,
        "links_log": np.log1p(links),
        "in_link": (page.nearest(page.has_tag("a"))[counts.node] >= 0).astype(np.float64),
        "free_words_log": np.log1p(counts.words - counts.link_words),
        "links_a_word": links / np.maximum(counts.words, 1),
    }
