"""Visual features: position, size and appearance of a block. All NaN for pages without geometry."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray
from ...page.geometry import Position
from ...page.hidden import Hidden
from ...page.visibility import invisible_leaves
from ...segment.blocks import lines_of
from ...segment.lines import depths
from ..columns import ColumnGroup, Columns, flag, log_count, numeric, share
from ..rows import Rows
from .look import BlockAppearance, lightness, nearby_sums

_FIASCO = "blocksight; outlines after FIASCO (Bauer et al., WAC3 2007)"
_SCEDD = "blocksight; after SCEDD (2016)"
COLUMNS = (
    numeric("x", "left edge, relative to the page's width", "page widths", low=-inf),
    numeric("y", "top edge, relative to the page's height", "page heights", low=-inf),
    numeric("width", "width, relative to the page's", "page widths"),
    numeric("height_log", "ln(1 + height in lines of the page's body text)", "ln(1 + lines)"),
    numeric("area_share", "area, relative to the page's", "ratio"),
    numeric(
        "center_offset",
        "distance of the middle from the page's vertical axis, relative to half the width",
        "half page widths",
        low=-inf,
    ),
    share("solidity1", "rectangularity of the outline of the block's lines, 0 to 1", _FIASCO),
    numeric("solidity2_log", "ln(vertices of that outline)", "ln(n)", source=_FIASCO),
    numeric(
        "solidity3", "mean distance of its vertices from the centroid, relative to its size", "ratio", source=_FIASCO
    ),
    share("convexity", "area of the outline relative to its convex hull"),
    log_count("lines_log", "ln(1 + rendered lines)"),
    numeric(
        "line_difference",
        "position of the first line by coordinates minus that by SCEDD's count of block tags, -1 to 1",
        "shares of the page",
        low=-1.0,
        high=1.0,
        source=_SCEDD,
    ),
    share("line_words", "words per line, relative to the largest mean of the page"),
    numeric("last_line", "width of the last line relative to the widest", "ratio"),
    numeric("ink", "area of the lines relative to the block's box", "ratio", high=1.5),
    numeric(
        "first_line_y",
        "top of the first line in heights of the window, at most 10",
        "window heights",
        low=-inf,
        high=10.0,
    ),
    flag("on_first_screen", "1 if the block starts within the first window"),
    numeric("font_size", "font size relative to the page's body text", "body font sizes", high=4.0),
    flag("font_larger", "1 if it is more than 1.15 times the body text's"),
    flag("font_smaller", "1 if it is less than 0.9 times the body text's"),
    flag("font_bold", "1 if the weight is 600 or more and the body text's is not"),
    flag("same_color", "1 if the text has the colour of the body text"),
    share("contrast", "difference in lightness between text and background, 0 to 1"),
    flag("same_background", "1 if the background is that of the body text"),
    share("column_share", "share of the page's words in blocks with the same left edge (± 8 pixels)"),
    share("width_share", "share of the page's words in blocks of the same width (± 10 %)"),
    flag("in_main_column", "1 if the block is within the left and right edges of the column with most words"),
    share("main_column_overlap", "share of the block's width within that column"),
    numeric(
        "box_width",
        "width of the innermost element that is narrower than nine tenths of the page, relative to the page",
        "page widths",
    ),
    numeric("box_x", "left edge of that element, relative to the page's width", "page widths", low=-inf),
    share("box_share", "share of the page's words in that element"),
    numeric("gap_before", "white space above, in lines of body text, -5 to 10", "lines", low=-5.0, high=10.0),
    numeric("gap_after", "white space below, in lines of body text, -5 to 10", "lines", low=-5.0, high=10.0),
    numeric("beside", "number of blocks at the same height, ln(1 + n)", "ln(1 + blocks)"),
    flag("hidden", "1 if no text of the block is visible"),
    flag("covered_or_clipped", "1 if it is hidden by opacity, clipping or its position"),
    flag("fixed", "1 inside an element with position fixed or sticky"),
    flag("lifted", "1 inside an absolutely positioned element"),
)

_LEFT_TOLERANCE = 8.0


def visual_features(rows: Rows, _: Columns) -> Columns:
    """Return the visual columns, float64 (rows,) each; :data:`COLUMNS` describes them."""
    appearance = BlockAppearance(rows)
    return (
        _position(appearance)
        | _outlines(appearance)
        | _type(appearance)
        | _edges(appearance)
        | _gaps(appearance)
        | _visibility(appearance)
    )


def _position(appearance: BlockAppearance) -> dict[str, FloatArray]:
    left, top, width, height = appearance.box.T
    screen = appearance.geometry.viewport[1]
    return {
        "x": left / appearance.page_width,
        "y": top / appearance.page_height,
        "width": width / appearance.page_width,
        "height_log": np.log1p(height / appearance.line),
        "area_share": width * height / (appearance.page_width * appearance.page_height),
        "center_offset": (left + width / 2 - appearance.page_width / 2) / (appearance.page_width / 2),
        "first_line_y": np.minimum(top / screen, 10.0),
        "on_first_screen": np.where(appearance.shown, top < screen, np.nan),
    }


def _outlines(appearance: BlockAppearance) -> dict[str, FloatArray]:
    measures = appearance.rows.outlines
    boxes, row = lines_of(appearance.rows.page, appearance.rows.leaf_row)
    count = len(appearance.rows)
    lines = np.bincount(row, minlength=count).astype(np.float64)
    area = np.bincount(row, weights=boxes[:, 2].astype(np.float64) * boxes[:, 3], minlength=count)
    words_per_line = appearance.rows.words / np.maximum(measures.lines, 1)
    rendered = np.where(lines > 0, 0.0, np.nan)
    return {
        "solidity1": measures.solidity1.astype(np.float64),
        "solidity2_log": np.log(np.maximum(measures.solidity2, 1)) + rendered,
        "solidity3": measures.solidity3.astype(np.float64),
        "convexity": measures.convexity.astype(np.float64),
        "lines_log": np.log1p(measures.lines) + rendered,
        "line_difference": _line_difference(appearance),
        "line_words": words_per_line / max(float(words_per_line.max(initial=0.0)), 1e-9) + rendered,
        "last_line": _last_line_widths(boxes.astype(np.float64), row, count) / np.maximum(appearance.box[:, 2], 1.0),
        "ink": np.minimum(area / np.maximum(appearance.box[:, 2] * appearance.box[:, 3], 1.0), 1.5) + rendered,
    }


def _last_line_widths(boxes: FloatArray, row: NDArray[np.int32], count: int) -> FloatArray:
    """Return the width of each row's last line: links and emphasis divide a line into several boxes."""
    left, top, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    last = np.zeros(count, dtype=np.int64)
    last[row] = np.arange(len(row))
    of = last[row]
    shared = np.minimum(bottom, bottom[of]) - np.maximum(top, top[of])
    in_last = shared > 0.5 * np.minimum(bottom - top, (bottom - top)[of])
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, row[in_last], left[in_last])
    np.maximum.at(high, row[in_last], right[in_last])
    return np.where(np.isfinite(low), high - low, np.nan)


def _line_difference(appearance: BlockAppearance) -> FloatArray:
    page = appearance.rows.page
    counted = np.cumsum(page.block_level)[page.leaves] / max(int(page.block_level.sum()), 1)
    difference = depths(page) - counted
    result = np.full(len(appearance.rows), np.nan)
    visible = np.flatnonzero(np.isfinite(difference) & (appearance.rows.leaf_row >= 0))[::-1]
    result[appearance.rows.leaf_row[visible]] = difference[visible]
    return result


def _type(appearance: BlockAppearance) -> dict[str, FloatArray]:
    ratio = appearance.font / appearance.body_font
    known = np.where(appearance.shown, 0.0, np.nan)
    contrast = np.abs(lightness(appearance.color) - lightness(appearance.background))
    return {
        "font_size": np.minimum(ratio, 4.0) + known,
        "font_larger": (ratio > 1.15) + known,
        "font_smaller": (ratio < 0.9) + known,
        "font_bold": (appearance.bold & (not appearance.body_bold)) + known,
        "same_color": (appearance.color == appearance.body_color) + known,
        "contrast": contrast + known,
        "same_background": (appearance.background == appearance.body_background) + known,
    }


def _edges(appearance: BlockAppearance) -> dict[str, FloatArray]:
    left, right = appearance.box[:, 0], appearance.box[:, 0] + appearance.box[:, 2]
    total = max(appearance.weight.sum(), 1e-9)
    by_left = nearby_sums(left, appearance.weight, _LEFT_TOLERANCE) / total
    by_width = nearby_sums(appearance.box[:, 2], appearance.weight, 0.1 * appearance.box[:, 2]) / total
    low, high = _main_column(appearance)
    overlap = np.minimum(right, high) - np.maximum(left, low)
    inside = (left >= low - _LEFT_TOLERANCE) & (right <= high + _LEFT_TOLERANCE)
    node = _frames(appearance)
    size = appearance.rows.over_nodes(appearance.rows.words)
    frame = appearance.geometry.box[node].astype(np.float64)
    return {
        "column_share": by_left,
        "width_share": by_width,
        "in_main_column": np.where(appearance.shown, inside, np.nan),
        "main_column_overlap": np.clip(overlap / np.maximum(appearance.box[:, 2], 1.0), 0, 1),
        "box_width": frame[:, 2] / appearance.page_width,
        "box_x": frame[:, 0] / appearance.page_width,
        "box_share": size[node] / max(appearance.rows.words.sum(), 1.0),
    }


def _main_column(appearance: BlockAppearance) -> tuple[float, float]:
    """Return the edges of the column (± 8 pixels) with most words outside links."""
    free = appearance.weight * (1 - appearance.rows.link_density) * appearance.rows.long
    if not free.sum() > 0:
        return 0.0, appearance.page_width
    left = appearance.box[:, 0]
    filled = nearby_sums(left, free, _LEFT_TOLERANCE)
    best = int(np.nanargmax(np.where(appearance.shown, filled, np.nan)))
    member = appearance.shown & (np.abs(left - left[best]) <= _LEFT_TOLERANCE) & (free > 0)
    return float(left[best]), float((appearance.box[member, 0] + appearance.box[member, 2]).max())


def _frames(appearance: BlockAppearance) -> NDArray[np.int32]:
    page = appearance.rows.page
    narrow = np.nan_to_num(appearance.geometry.box[:, 2], nan=np.inf) < 0.9 * appearance.page_width
    framing = narrow & page.block_level & (np.nan_to_num(appearance.geometry.box[:, 2]) > 0)
    # The frame of a single paragraph or heading is the block itself: use elements with several rows.
    has_several = np.diff(appearance.rows.node_rows, axis=1)[:, 0] > 1
    return np.maximum(page.nearest(framing & has_several)[appearance.rows.node], 0)


def _gaps(appearance: BlockAppearance) -> dict[str, FloatArray]:
    top, bottom = appearance.box[:, 1], appearance.box[:, 1] + appearance.box[:, 3]
    gap = np.full(len(top) + 1, np.nan)
    gap[1:-1] = (top[1:] - bottom[:-1]) / appearance.line
    gap = np.clip(gap, -5.0, 10.0)
    low, high = np.sort(top[appearance.shown]), np.sort(bottom[appearance.shown])
    beside = np.searchsorted(low, bottom - 1) - np.searchsorted(high, top + 1) - 1
    return {
        "gap_before": gap[:-1],
        "gap_after": gap[1:],
        "beside": np.where(appearance.shown, np.log1p(np.maximum(beside, 0)), np.nan),
    }


def _visibility(appearance: BlockAppearance) -> dict[str, FloatArray]:
    page, geometry = appearance.rows.page, appearance.geometry
    reason = page.hidden
    seen = appearance.rows.summed((~invisible_leaves(page)).astype(np.float64))
    tricks = np.isin(reason, (Hidden.OPACITY, Hidden.CLIP, Hidden.OFF_SCREEN, Hidden.OVERLAY))
    masked = appearance.rows.summed(tricks.astype(np.float64))
    stuck = page.below(np.isin(geometry.position, (Position.FIXED, Position.STICKY)))[appearance.rows.node]
    lifted = page.below(geometry.position == Position.ABSOLUTE)[appearance.rows.node]
    return {
        "hidden": (seen == 0).astype(np.float64),
        "covered_or_clipped": ((seen == 0) & (masked > 0)).astype(np.float64),
        "fixed": stuck.astype(np.float64),
        "lifted": lifted.astype(np.float64),
    }


GROUP = ColumnGroup(name="visual", columns=COLUMNS, measure=visual_features, needs_geometry=True)
