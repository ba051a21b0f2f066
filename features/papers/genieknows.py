"""GenieKnows' features: what makes a semantic block important (CleanEval 2007).

The source names the features and neither formulas nor weights: those here are ours, in its spirit.
"""

from __future__ import annotations

import numpy as np

from ...render.arrays import FloatArray
from ...segment.blocks import leaf_boxes
from ..rows import Rows
from ..words import count_sentences

SOURCE = "GenieKnows, CleanEval 2007; formulas ours"
DOCS = {
    "genieknows_position": "distance of the block's middle from the page's, relative to half its diagonal",
    "genieknows_font_size": "pixels of the font of most of the block's words",
    "genieknows_text_length": "share of the page's characters",
    "genieknows_link_count": "share of the page's links",
    "genieknows_link_text": "share of the block's words that stand in links",
    "genieknows_sentences": "share of the page's ends of sentences",
    "genieknows_has_form": "1 where a form or a control stands in the block's element or around it",
    "genieknows_has_image": "1 where an image stands in the block's element",
    "genieknows_distance": "white space to the nearer of the blocks before and after, relative to the page's height",
    "genieknows_offset": "horizontal offset from the block before, relative to the page's width",
    "genieknows_same_width": "share of the page's words in blocks of the same width (± 10 pixels)",
}
_CONTROLS = ("form", "input", "select", "textarea", "button")
_SAME_WIDTH = 10.0


def genieknows_features(counts: Rows) -> dict[str, FloatArray]:
    """Return GenieKnows' columns, float64 (rows,) each; those of places and sizes are NaN without geometry."""
    page = counts.page
    length = np.asarray([len(text) for text in counts.texts], dtype=np.float64)
    sentences = np.asarray([count_sentences(text) for text in counts.texts], dtype=np.float64)
    links = below(counts, "a")
    form = page.below(page.has_tag("form"))[counts.node] | (below(counts, *_CONTROLS) > 0)
    return {
        "genieknows_text_length": _share(length),
        "genieknows_link_count": _share(links),
        "genieknows_link_text": counts.link_density,
        "genieknows_sentences": _share(sentences),
        "genieknows_has_form": form.astype(np.float64),
        "genieknows_has_image": (below(counts, "img", "picture", "svg") > 0).astype(np.float64),
    } | _looks(counts)


def below(counts: Rows, *tags: str) -> FloatArray:
    """float64 (rows,): elements of these tags below each block's node."""
    number = np.concatenate([[0], np.cumsum(counts.page.has_tag(*tags))])
    found: FloatArray = (number[counts.page.end[counts.node]] - number[counts.node]).astype(np.float64)
    return found


def _share(values: FloatArray) -> FloatArray:
    share: FloatArray = values / max(float(values.sum()), 1.0)
    return share


def _looks(counts: Rows) -> dict[str, FloatArray]:
    geometry = counts.page.geometry
    if geometry is None:
        names = ("position", "font_size", "distance", "offset", "same_width")
        return {f"genieknows_{name}": np.full(len(counts), np.nan) for name in names}
    width, height = (max(size, 1.0) for size in geometry.size)
    left, top, wide, high = leaf_boxes(counts.page, counts.leaf_row, len(counts)).astype(np.float64).T
    across, down = left + wide / 2 - width / 2, top + high / 2 - height / 2
    return {
        "genieknows_position": np.hypot(across, down) / (np.hypot(width, height) / 2),
        "genieknows_font_size": _font_size(counts, geometry.font_size[counts.page.leaves].astype(np.float64)),
        "genieknows_distance": _nearest(top, top + high) / height,
        "genieknows_offset": np.abs(np.diff(left, prepend=left[:1])) / width,
        "genieknows_same_width": _same_width(wide, counts.words),
    }


def _font_size(counts: Rows, size: FloatArray) -> FloatArray:
    """Size of the leaf with most words of each row."""
    inside = np.flatnonzero(counts.leaf_row >= 0)
    order = inside[np.lexsort((counts.leaf_words[inside], counts.leaf_row[inside]))]
    found = np.full(len(counts), np.nan)
    found[counts.leaf_row[order]] = size[order]
    return found


def _nearest(top: FloatArray, bottom: FloatArray) -> FloatArray:
    gap = np.full(len(top) + 1, np.nan)
    gap[1:-1] = np.maximum(top[1:] - bottom[:-1], 0.0)
    nearest: FloatArray = np.fmin(gap[:-1], gap[1:])
    return nearest


def _same_width(wide: FloatArray, amount: FloatArray) -> FloatArray:
    order = np.argsort(wide, kind="stable")
    known = np.isfinite(wide[order])
    ordered, weight = wide[order][known], amount[order][known]
    total = np.concatenate([[0.0], np.cumsum(weight)])
    low = np.searchsorted(ordered, wide - _SAME_WIDTH, side="left")
    high = np.searchsorted(ordered, wide + _SAME_WIDTH, side="right")
    share = (total[high] - total[low]) / max(float(total[-1]), 1e-9)
    return np.where(np.isfinite(wide), share, np.nan)
