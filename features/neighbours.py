"""Neighbour features: the blocks before and after, and windows around a block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..page.arrays import FloatArray, prefix_sums, shifted
from . import class_names, links, structure, text
from .columns import ColumnGroup, Columns, flag, log_count, share
from .rows import Rows

_OTHERS = {
    column.name: column
    for group in (text.GROUP, links.GROUP, structure.GROUP, class_names.GROUP)
    for column in group.columns
}
#: Columns of other groups that are copied from the neighbours.
SHIFTED = tuple(
    _OTHERS[name]
    for name in ("words_log", "link_density", "ends_sentence", "tag_heading", "any_comment", "make0_count_log")
)
NEAR = (-2, -1, 1, 2)
WINDOWS = (3, 8)
_WINDOW = (
    log_count("words_log", "ln(1 + words per block)"),
    share("link_density", "share of words in links"),
    share("long_share", "share of long paragraphs"),
    share("content_share", "share of words outside links in paragraphs that end a sentence"),
)
COLUMNS = (
    *(
        replace(
            column, name=f"at{step:+d}_{column.name}", meaning=f"{column.name} of the block {step:+d} from this one"
        )
        for step in NEAR
        for column in SHIFTED
    ),
    *(
        replace(column, name=f"around{width}_{column.name}", meaning=f"{column.meaning}, {width} blocks on both sides")
        for width in WINDOWS
        for column in _WINDOW
    ),
    *(
        share(f"before{width}_long_share", f"share of long paragraphs among the {width} blocks before")
        for width in WINDOWS
    ),
    *(
        share(f"after{width}_long_share", f"share of long paragraphs among the {width} blocks after")
        for width in WINDOWS
    ),
    flag("same_make_before", "1 if the block before has the same template"),
    flag("same_make_after", "1 if the block after has the same template"),
)


def neighbour_features(rows: Rows, columns: Columns) -> Columns:
    """Return the neighbour columns, float64 (rows,) each; 0 beyond the ends of the page."""
    count = len(rows)
    neighbours = {
        f"at{step:+d}_{column.name}": values
        for column in SHIFTED
        for step, values in zip(NEAR, shifted(columns[column.name], NEAR, 0.0), strict=True)
    }
    ends = columns["ends_sentence"] * (rows.words - rows.link_words)
    totals = np.stack([prefix_sums(column) for column in (rows.words, rows.link_words, rows.long, ends)])
    row = np.arange(count)
    for width in WINDOWS:
        low, high = np.maximum(row - width, 0), np.minimum(row + width + 1, count)
        amount, links, long, closed = totals[:, high] - totals[:, low]
        size, some = (high - low).astype(np.float64), np.maximum(amount, 1e-9)
        neighbours |= {
            f"around{width}_words_log": np.log1p(amount / size),
            f"around{width}_link_density": links / some,
            f"around{width}_long_share": long / size,
            f"around{width}_content_share": closed / some,
            f"before{width}_long_share": (totals[2, 1:] - totals[2, low] - rows.long) / width,
            f"after{width}_long_share": (totals[2, high] - totals[2, :-1] - rows.long) / width,
        }
    return neighbours | _same_templates(rows)


def _same_templates(rows: Rows) -> dict[str, FloatArray]:
    page, node = rows.page, rows.node
    names, tags, above = page.attribute("class")[node], page.tag[node], page.tag[rows.chain[:, 1]]
    same = (names[1:] == names[:-1]) & (tags[1:] == tags[:-1]) & (above[1:] == above[:-1])
    before, after = np.zeros(len(rows)), np.zeros(len(rows))
    before[1:], after[:-1] = same, same
    return {"same_make_before": before, "same_make_after": after}


GROUP = ColumnGroup(name="neighbour", columns=COLUMNS, measure=neighbour_features)
