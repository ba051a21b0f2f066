"""Neighbour features: the blocks before and after, and windows around a block."""

from __future__ import annotations

import numpy as np

from ..render.arrays import FloatArray
from .rows import Rows

#: Columns (of other modules) that are looked at in the neighbours.
LOOKED_AT = ("words_log", "link_density", "ends_sentence", "tag_heading", "any_comment", "make0_count_log")
NEAR = (-2, -1, 1, 2)
WINDOWS = (3, 8)
_WINDOW = {
    "words_log": "ln(1 + words a block)",
    "link_density": "share of words in links",
    "long_share": "share of long paragraphs",
    "content_share": "share of words outside links in paragraphs that end a sentence",
}
DOCS = (
    {f"at{step:+d}_{name}": f"{name} of the block {step:+d} from this one" for step in NEAR for name in LOOKED_AT}
    | {
        f"around{width}_{name}": f"{what}, {width} blocks to both sides"
        for width in WINDOWS
        for name, what in _WINDOW.items()
    }
    | {f"before{width}_long_share": f"share of long paragraphs among the {width} blocks before" for width in WINDOWS}
    | {f"after{width}_long_share": f"share of long paragraphs among the {width} blocks after" for width in WINDOWS}
    | {
        "same_make_before": "1 where the block before is of the same make",
        "same_make_after": "1 where the block after is of the same make",
    }
)


def neighbour_features(counts: Rows, columns: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the neighbour columns, float64 (rows,) each; beyond the page's ends they are 0."""
    found = {f"at{step:+d}_{name}": _shifted(columns[name], step) for step in NEAR for name in LOOKED_AT}
    ends = columns["ends_sentence"] * (counts.words - counts.link_words)
    for width in WINDOWS:
        amount, size = _around(counts.words, width, width), _around(np.ones(len(counts)), width, width)
        found |= {
            f"around{width}_words_log": np.log1p(amount / size),
            f"around{width}_link_density": _around(counts.link_words, width, width) / np.maximum(amount, 1e-9),
            f"around{width}_long_share": _around(counts.long, width, width) / size,
            f"around{width}_content_share": _around(ends, width, width) / np.maximum(amount, 1e-9),
            f"before{width}_long_share": (_around(counts.long, width, 0) - counts.long) / width,
            f"after{width}_long_share": (_around(counts.long, 0, width) - counts.long) / width,
        }
    return found | _same_makes(counts)


def _shifted(column: FloatArray, step: int) -> FloatArray:
    moved = np.zeros_like(column)
    if step > 0:
        moved[:-step] = column[step:]
    else:
        moved[-step:] = column[:step]
    return moved


def _around(column: FloatArray, before: int, after: int) -> FloatArray:
    """Add up a column over each row and so many rows before and after it."""
    total = np.concatenate([[0.0], np.cumsum(column)])
    rows = np.arange(len(column))
    added: FloatArray = total[np.minimum(rows + after + 1, len(column))] - total[np.maximum(rows - before, 0)]
    return added


def _same_makes(counts: Rows) -> dict[str, FloatArray]:
    page, node = counts.page, counts.node
    names, tags, above = page.attribute("class")[node], page.tag[node], page.tag[counts.chain[:, 1]]
    same = (names[1:] == names[:-1]) & (tags[1:] == tags[:-1]) & (above[1:] == above[:-1])
    before, after = np.zeros(len(counts)), np.zeros(len(counts))
    before[1:], after[:-1] = same, same
    return {"same_make_before": before, "same_make_after": after}
