"""GenieKnows' features: what makes a semantic block important (Gao, Abou-Assaleh, WAC3 2007).

The source, a lecture's slides, names the features and neither formulas nor weights: those here are ours, in its spirit.
Text, links and sentences are counted relative to the whole document, as the slides say.
"""

from __future__ import annotations

import numpy as np

from ...page.arrays import FloatArray, prefix_sums
from ..columns import Column, ColumnGroup, Columns, flag, share
from ..rows import Rows

SOURCE = "GenieKnows, CleanEval 2007; formulas ours"
#: How the names of its columns begin.
PREFIX = "genieknows_"
PLACE_COLUMNS = (
    Column(
        name="genieknows_position",
        meaning="distance of the block's middle from the page's, relative to half its diagonal",
        unit="ratio",
        source=SOURCE,
    ),
    Column(
        name="genieknows_font_size",
        meaning="pixels of the font of most of the block's words",
        unit="CSS pixels",
        source=SOURCE,
    ),
)
TEXT_COLUMNS = (
    share("genieknows_text_length", "share of the page's characters", SOURCE),
    share("genieknows_link_count", "share of the page's links", SOURCE),
    share("genieknows_link_text", "share of the block's words that stand in links", SOURCE),
    share("genieknows_sentences", "share of the page's ends of sentences", SOURCE),
    flag("genieknows_has_form", "1 where a form or a control stands in the block's element or around it", SOURCE),
    flag("genieknows_has_image", "1 where an image stands in the block's element", SOURCE),
)
RELATION_COLUMNS = (
    Column(
        name="genieknows_distance",
        meaning="white space to the nearer of the blocks before and after, relative to the page's height",
        unit="ratio",
        source=SOURCE,
    ),
    Column(
        name="genieknows_offset",
        meaning="horizontal offset from the block before, relative to the page's width",
        unit="ratio",
        source=SOURCE,
    ),
    share("genieknows_same_width", "share of the page's words in blocks of the same width (± 10 pixels)", SOURCE),
)
_CONTROLS = ("form", "input", "select", "textarea", "button")
#: Widths and edges are the same if they differ by no more, in CSS pixels.
SAME_PIXELS = 10.0


def place_features(rows: Rows, _: Columns) -> Columns:
    """Return where blocks stand and how large their type is, float64 (rows,) each."""
    geometry = rows.page.geometry
    assert geometry is not None
    width, height = (max(size, 1.0) for size in geometry.size)
    left, top, wide, high = rows.box.astype(np.float64).T
    across, down = left + wide / 2 - width / 2, top + high / 2 - height / 2
    return {
        "genieknows_position": np.hypot(across, down) / (np.hypot(width, height) / 2),
        "genieknows_font_size": _font_size(rows, geometry.font_size[rows.page.leaves].astype(np.float64)),
    }


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return what blocks hold, float64 (rows,) each."""
    page = rows.page
    form = page.below(page.has_tag("form"))[rows.node] | (rows.count_tags(*_CONTROLS) > 0)
    return {
        "genieknows_text_length": _share(rows.characters),
        "genieknows_link_count": _share(rows.count_tags("a")),
        "genieknows_link_text": rows.link_density,
        "genieknows_sentences": _share(rows.sentences),
        "genieknows_has_form": form.astype(np.float64),
        "genieknows_has_image": (rows.count_tags("img", "picture", "svg") > 0).astype(np.float64),
    }


def relation_features(rows: Rows, _: Columns) -> Columns:
    """Return how blocks stand to each other, float64 (rows,) each; NaN where a block is not shown."""
    geometry = rows.page.geometry
    assert geometry is not None
    width, height = (max(size, 1.0) for size in geometry.size)
    left, top, wide, high = rows.box.astype(np.float64).T
    return {
        "genieknows_distance": _nearest(top, top + high) / height,
        "genieknows_offset": np.abs(np.diff(left, prepend=left[:1])) / width,
        "genieknows_same_width": _same_width(wide, rows.words),
    }


def _share(values: FloatArray) -> FloatArray:
    part: FloatArray = values / max(float(values.sum()), 1.0)
    return part


def _font_size(rows: Rows, size: FloatArray) -> FloatArray:
    """Size of the leaf with most words of each row."""
    inside = np.flatnonzero(rows.leaf_row >= 0)
    order = inside[np.lexsort((rows.leaf_words[inside], rows.leaf_row[inside]))]
    found = np.full(len(rows), np.nan)
    found[rows.leaf_row[order]] = size[order]
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
    total = prefix_sums(weight)
    low = np.searchsorted(ordered, wide - SAME_PIXELS, side="left")
    high = np.searchsorted(ordered, wide + SAME_PIXELS, side="right")
    part = (total[high] - total[low]) / max(float(total[-1]), 1e-9)
    return np.where(np.isfinite(wide), part, np.nan)


PLACE = ColumnGroup(name="genieknows", columns=PLACE_COLUMNS, measure=place_features, needs="geometry")
TEXT = ColumnGroup(name="genieknows", columns=TEXT_COLUMNS, measure=text_features)
RELATIONS = ColumnGroup(name="genieknows", columns=RELATION_COLUMNS, measure=relation_features, needs="geometry")
GROUPS = (PLACE, TEXT, RELATIONS)
