"""Link features."""

from __future__ import annotations

import numpy as np

from .columns import ColumnGroup, Columns, flag, log_count, numeric, share
from .rows import Rows

COLUMNS = (
    share("link_density", "share of the block's words inside links"),
    log_count("links_log", "ln(1 + links that start in the block)"),
    flag("in_link", "1 if the whole block is inside a link"),
    log_count("free_words_log", "ln(1 + words outside links)"),
    numeric("links_a_word", "links per word", "links per word"),
)


def link_features(rows: Rows, _: Columns) -> Columns:
    """Return the link columns, float64 (rows,) each; :data:`COLUMNS` describes them."""
    page = rows.page
    link = page.nearest(page.has_tag("a"))
    link_of_leaf = link[page.leaves]
    starts = link_of_leaf >= 0
    starts[1:] &= link_of_leaf[1:] != link_of_leaf[:-1]
    links = rows.summed(starts.astype(np.float64))
    return {
        "link_density": rows.link_density,
        "links_log": np.log1p(links),
        "in_link": (link[rows.node] >= 0).astype(np.float64),
        "free_words_log": np.log1p(rows.words - rows.link_words),
        "links_a_word": links / np.maximum(rows.words, 1),
    }


GROUP = ColumnGroup(name="link", columns=COLUMNS, measure=link_features)
