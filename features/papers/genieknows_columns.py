"""GenieKnows' features: the importance of a semantic block (Gao, Abou-Assaleh, WAC3 2007).

The source, slides of a lecture, names the features, but neither formulas nor weights: those here are ours. Text, links
and sentences are relative to the whole document, as on the slides.
"""

from __future__ import annotations

import numpy as np

from ...page.arrays import FloatArray
from ..columns import ColumnGroup, Columns, flag, numeric, share
from ..rows import Rows
from ..visual.look import nearby_sums

SOURCE = "GenieKnows, CleanEval 2007; formulas ours"
#: Prefix of the names of its columns.
PREFIX = "genieknows_"
PLACE_COLUMNS = (
    numeric(
        "genieknows_position",
        "distance of the block's middle from the page's, relative to half its diagonal",
        "ratio",
        source=SOURCE,
    ),
    numeric("genieknows_font_size", "font size of most of the block's words", "CSS pixels", source=SOURCE),
)
TEXT_COLUMNS = (
    share("genieknows_text_length", "share of the page's characters", SOURCE),
    share("genieknows_link_count", "share of the page's links", SOURCE),
    share("genieknows_link_text", "share of the block's words inside links", SOURCE),
    share("genieknows_sentences", "share of the page's sentence ends", SOURCE),
    flag("genieknows_has_form", "1 if a form or a control is in the block's element or around it", SOURCE),
    flag("genieknows_has_image", "1 if an image is in the block's element", SOURCE),
)
RELATION_COLUMNS = (
    numeric(
        "genieknows_distance",
        "white space to the nearer of the blocks before and after, relative to the page's height",
        "ratio",
        source=SOURCE,
    ),
    numeric(
        "genieknows_offset",
        "horizontal offset from the block before, relative to the page's width",
        "ratio",
        source=SOURCE,
    ),
    share("genieknows_same_width", "share of the page's words in blocks of the same width (± 10 pixels)", SOURCE),
)
_CONTROLS = ("form", "input", "select", "textarea", "button")
#: Greatest difference of equal widths in CSS pixels.
SAME_PIXELS = 10.0


def place_features(rows: Rows, _: Columns) -> Columns:
    """Return the position and the font size of each block."""
    geometry = rows.page.geometry
    assert geometry is not None
    width, height = (max(size, 1.0) for size in geometry.size)
    left, top, block_width, block_height = rows.box.astype(np.float64).T
    across, down = left + block_width / 2 - width / 2, top + block_height / 2 - height / 2
    return {
        "genieknows_position": np.hypot(across, down) / (np.hypot(width, height) / 2),
        "genieknows_font_size": _font_size(rows, geometry.font_size[rows.page.leaves].astype(np.float64)),
    }


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return the content of each block relative to the page."""
    page = rows.page
    form = page.below(page.has_tag("form"))[rows.node] | (rows.count_tags(*_CONTROLS) > 0)
    return {
        "genieknows_text_length": _share(rows.character_counts.lengths.astype(np.float64)),
        "genieknows_link_count": _share(rows.count_tags("a")),
        "genieknows_link_text": rows.link_density,
        "genieknows_sentences": _share(rows.character_counts.sentences),
        "genieknows_has_form": form.astype(np.float64),
        "genieknows_has_image": (rows.count_tags("img", "picture", "svg") > 0).astype(np.float64),
    }


def relation_features(rows: Rows, _: Columns) -> Columns:
    """Return the relations of blocks to each other; NaN for an invisible block."""
    geometry = rows.page.geometry
    assert geometry is not None
    width, height = (max(size, 1.0) for size in geometry.size)
    left, top, block_width, block_height = rows.box.astype(np.float64).T
    total = float(rows.words[np.isfinite(block_width)].sum())
    return {
        "genieknows_distance": _nearest(top, top + block_height) / height,
        "genieknows_offset": np.abs(np.diff(left, prepend=left[:1])) / width,
        "genieknows_same_width": nearby_sums(block_width, rows.words, SAME_PIXELS) / max(total, 1e-9),
    }


def _share(values: FloatArray) -> FloatArray:
    return values / max(float(values.sum()), 1.0)


def _font_size(rows: Rows, size: FloatArray) -> FloatArray:
    inside = np.flatnonzero(rows.leaf_row >= 0)
    order = inside[np.lexsort((rows.leaf_words[inside], rows.leaf_row[inside]))]
    font_size = np.full(len(rows), np.nan)
    font_size[rows.leaf_row[order]] = size[order]
    return font_size


def _nearest(top: FloatArray, bottom: FloatArray) -> FloatArray:
    gap = np.full(len(top) + 1, np.nan)
    gap[1:-1] = np.maximum(top[1:] - bottom[:-1], 0.0)
    nearest: FloatArray = np.fmin(gap[:-1], gap[1:])
    return nearest


PLACE = ColumnGroup(name="genieknows", columns=PLACE_COLUMNS, measure=place_features, needs_geometry=True)
TEXT = ColumnGroup(name="genieknows", columns=TEXT_COLUMNS, measure=text_features)
RELATIONS = ColumnGroup(name="genieknows", columns=RELATION_COLUMNS, measure=relation_features, needs_geometry=True)
GROUPS = (PLACE, TEXT, RELATIONS)
