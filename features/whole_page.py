"""Features of the page as a whole, equal in each of its rows."""

from __future__ import annotations

import numpy as np

from .columns import ColumnGroup, Columns, flag, log_count, share
from .rows import Rows

COLUMNS = (
    log_count("page_words_log", "ln(1 + words of the page)"),
    log_count("page_blocks_log", "ln(1 + blocks of the page)"),
    share("page_link_density", "share of the page's words inside links"),
    share("page_long_share", "share of the page's words in long paragraphs"),
    share("page_longest_share", "share of the page's words in its longest block"),
    flag("page_unspaced", "1 if most of the page is in scripts written without spaces"),
)


def page_features(rows: Rows, _: Columns) -> Columns:
    """Return the columns of the page, float64 (rows,) each; :data:`COLUMNS` describes them."""
    total = max(float(rows.words.sum()), 1e-9)
    unspaced = float(rows.character_counts.unspaced.sum())
    values = {
        "page_words_log": np.log1p(total),
        "page_blocks_log": np.log1p(len(rows)),
        "page_link_density": rows.link_words.sum() / total,
        "page_long_share": (rows.words * rows.long).sum() / total,
        "page_longest_share": rows.words.max(initial=0.0) / total,
        "page_unspaced": float(unspaced / 2 > total / 2),
    }
    return {name: np.full(len(rows), float(value)) for name, value in values.items()}


GROUP = ColumnGroup(name="page", columns=COLUMNS, measure=page_features)
