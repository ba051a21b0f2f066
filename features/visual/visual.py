"""Visual features: where a block stands, how large it is, what it looks like. All NaN for pages without geometry."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, prefix_sums
from ...page.geometry import Position
from ...page.hidden import Hidden
from ...page.visibility import invisible_leaves
from ...segment.blocks import lines_of
from ...segment.lines import number_lines
from ..columns import Column, ColumnGroup, Columns, flag, log_count, share
from ..rows import Rows
from .look import BlockAppearance, lightness

_FIASCO = "blocksight; outlines after FIASCO (Bauer et al., WAC3 2007)"
_SCEDD = "blocksight; after SCEDD (2016)"
COLUMNS = (
    Column(name="x", meaning="left edge, relative to the page's width", unit="page widths", low=-inf),
    Column(name="y", meaning="top edge, relative to the page's height", unit="page heights", low=-inf),
    Column(name="width", meaning="width, relative to the page's", unit="page widths"),
    Column(name="height_log", meaning="ln(1 + height in lines of the page's body text)", unit="ln(1 + lines)"),
    Column(name="area_share", meaning="area, relative to the page's", unit="ratio"),
    Column(
        name="center_offset",
        meaning="distance of the middle from the page's vertical axis, relative to half the width",
        unit="half page widths",
        low=-inf,
    ),
    share("solidity1", "likeness of the outline of the block's lines to a rectangle, 0 to 1", _FIASCO),
    Column(name="solidity2_log", meaning="ln(vertices of that outline)", unit="ln(n)", source=_FIASCO),
    Column(
        name="solidity3",
        meaning="mean distance of its vertices from the centre, relative to its size",
        unit="ratio",
        source=_FIASCO,
    ),
    share("convexity", "area of the outline relative to its convex hull"),
    log_count("lines_log", "ln(1 + rendered lines)"),
    Column(
        name="line_difference",
        meaning="place of the first line by its coordinates less that by SCEDD's count of block tags, -1 to 1",
        unit="shares of the page",
        low=-1.0,
        high=1.0,
        source=_SCEDD,
    ),
    share("line_words", "words a line, over the widest mean of the page"),
    Column(name="last_line", meaning="width of the last line relative to the widest", unit="ratio"),
    Column(name="ink", meaning="area of the lines relative to the block's box", unit="ratio", high=1.5),
    Column(
        name="first_line_y",
        meaning="top of the first line in heights of the window, at most 10",
        unit="window heights",
        low=-inf,
        high=10.0,
    ),
    flag("on_first_screen", "1 where the block begins within the first window"),
    Column(name="font_size", meaning="font size relative to the page's body text", unit="body font sizes", high=4.0),
    flag("font_larger", "1 where it is more than 1.15 times the body text's"),
    flag("font_smaller", "1 where it is less than 0.9 times the body text's"),
    flag("font_bold", "1 where the weight is 600 or more and the body text's is not"),
    flag("same_color", "1 where the text has the colour of the body text"),
    share("contrast", "difference in lightness between text and background, 0 to 1"),
    flag("same_background", "1 where the background is that of the body text"),
    share("column_share", "share of the page's words that begin at the same left edge (± 8 pixels)"),
    share("width_share", "share of the page's words in blocks of the same width (± 10 %)"),
    flag("in_main_column", "1 where the block lies within the left and right edges of the most filled column"),
    share("main_column_overlap", "share of the block's width that lies within that column"),
    Column(
        name="box_width",
        meaning="width of the innermost element that is narrower than nine tenths of the page, relative to the page",
        unit="page widths",
    ),
    Column(
        name="box_x", meaning="left edge of that element, relative to the page's width", unit="page widths", low=-inf
    ),
    share("box_share", "share of the page's words in that element"),
    Column(
        name="gap_before",
        meaning="white space above, in lines of body text, -5 to 10",
        unit="lines",
        low=-5.0,
        high=10.0,
    ),
    Column(
        name="gap_after",
        meaning="white space below, in lines of body text, -5 to 10",
        unit="lines",
        low=-5.0,
        high=10.0,
    ),
    Column(name="beside", meaning="number of blocks that stand beside this one, ln(1 + n)", unit="ln(1 + blocks)"),
    flag("hidden", "1 where no text of the block can be seen"),
    flag("covered_or_clipped", "1 where it is hidden by opacity, clipping or its place"),
    flag("fixed", "1 within an element fixed or stuck to the window"),
    flag("lifted", "1 within an absolutely positioned element"),
)

_LEFT_TOLERANCE = 8.0


def visual_features(rows: Rows, _: Columns) -> Columns:
    """Return the visual columns, float64 (rows,) each; :data:`COLUMNS` says what they are."""
    look = BlockAppearance(rows)
    return _position(look) | _outlines(look) | _type(look) | _edges(look) | _gaps(look) | _visibility(look)


def _position(look: BlockAppearance) -> dict[str, FloatArray]:
    """Where a block stands and how large it is."""
    left, top, width, height = look.box.T
    screen = look.geometry.viewport[1]
    return {
        "x": left / look.page_width,
        "y": top / look.page_height,
        "width": width / look.page_width,
        "height_log": np.log1p(height / look.line),
        "area_share": width * height / (look.page_width * look.page_height),
        "center_offset": (left + width / 2 - look.page_width / 2) / (look.page_width / 2),
        "first_line_y": np.minimum(top / screen, 10.0),
        "on_first_screen": np.where(look.shown, top < screen, np.nan),
    }


def _outlines(look: BlockAppearance) -> dict[str, FloatArray]:
    """The shape that its lines make."""
    measures = look.rows.outlines
    boxes, row = lines_of(look.rows.page, look.rows.leaf_row)
    count = len(look.rows)
    lines = np.bincount(row, minlength=count).astype(np.float64)
    area = np.bincount(row, weights=boxes[:, 2].astype(np.float64) * boxes[:, 3], minlength=count)
    words_a_line = look.rows.words / np.maximum(measures.lines, 1)
    last = np.full(count, np.nan)
    if len(row):
        last[row] = boxes[:, 2]
    known = np.where(lines > 0, 0.0, np.nan)
    return {
        "solidity1": measures.solidity1.astype(np.float64),
        "solidity2_log": np.log(np.maximum(measures.solidity2, 1)) + known,
        "solidity3": measures.solidity3.astype(np.float64),
        "convexity": measures.convexity.astype(np.float64),
        "lines_log": np.log1p(measures.lines) + known,
        "line_difference": _line_difference(look),
        "line_words": words_a_line / max(float(words_a_line.max(initial=0.0)), 1e-9) + known,
        "last_line": last / np.maximum(look.box[:, 2], 1.0),
        "ink": np.minimum(area / np.maximum(look.box[:, 2] * look.box[:, 3], 1.0), 1.5) + known,
    }


def _line_difference(look: BlockAppearance) -> FloatArray:
    """The first leaf of a block that is seen stands for it."""
    difference = number_lines(look.rows.page).difference
    found = np.full(len(look.rows), np.nan)
    seen = np.flatnonzero(np.isfinite(difference) & (look.rows.leaf_row >= 0))[::-1]
    found[look.rows.leaf_row[seen]] = difference[seen]
    return found


def _type(look: BlockAppearance) -> dict[str, FloatArray]:
    """Its size, weight and colours, against the body text's."""
    ratio = look.font / look.body_font
    known = np.where(look.shown, 0.0, np.nan)
    contrast = np.abs(lightness(look.color) - lightness(look.background))
    return {
        "font_size": np.minimum(ratio, 4.0) + known,
        "font_larger": (ratio > 1.15) + known,
        "font_smaller": (ratio < 0.9) + known,
        "font_bold": (look.bold & (not look.body_bold)) + known,
        "same_color": (look.color == look.body_color) + known,
        "contrast": contrast + known,
        "same_background": (look.background == look.body_background) + known,
    }


def _edges(look: BlockAppearance) -> dict[str, FloatArray]:
    """What stands under the same edge, and the page's main column."""
    left, right = look.box[:, 0], look.box[:, 0] + look.box[:, 2]
    total = max(look.weight.sum(), 1e-9)
    by_left = _nearby_sums(left, look.weight, np.full(len(left), _LEFT_TOLERANCE)) / total
    by_width = _nearby_sums(look.box[:, 2], look.weight, 0.1 * look.box[:, 2]) / total
    low, high = _main_column(look)
    overlap = np.minimum(right, high) - np.maximum(left, low)
    inside = (left >= low - _LEFT_TOLERANCE) & (right <= high + _LEFT_TOLERANCE)
    node = _frames(look)
    size = look.rows.over_nodes(look.rows.words)
    frame = look.geometry.box[node].astype(np.float64)
    return {
        "column_share": by_left,
        "width_share": by_width,
        "in_main_column": np.where(look.shown, inside, np.nan),
        "main_column_overlap": np.clip(overlap / np.maximum(look.box[:, 2], 1.0), 0, 1),
        "box_width": frame[:, 2] / look.page_width,
        "box_x": frame[:, 0] / look.page_width,
        "box_share": size[node] / max(look.rows.words.sum(), 1.0),
    }


def _main_column(look: BlockAppearance) -> tuple[float, float]:
    """Left and right edge of the element-wide column (± 8 pixels) with most words outside links."""
    free = look.weight * (1 - look.rows.link_density) * look.rows.long
    if not free.sum() > 0:
        return 0.0, look.page_width
    left = look.box[:, 0]
    filled = _nearby_sums(left, free, np.full(len(left), _LEFT_TOLERANCE))
    best = int(np.nanargmax(np.where(look.shown, filled, np.nan)))
    member = look.shown & (np.abs(left - left[best]) <= _LEFT_TOLERANCE) & (free > 0)
    return float(left[best]), float((look.box[member, 0] + look.box[member, 2]).max())


def _frames(look: BlockAppearance) -> NDArray[np.int32]:
    page = look.rows.page
    narrow = np.nan_to_num(look.geometry.box[:, 2], nan=np.inf) < 0.9 * look.page_width
    framing = narrow & page.block_level & (np.nan_to_num(look.geometry.box[:, 2]) > 0)
    # Single paragraphs and headings say no more than the block itself: look for what holds several.
    several = np.diff(look.rows.node_rows, axis=1)[:, 0] > 1
    return np.maximum(page.nearest(framing & several)[look.rows.node], 0)


def _gaps(look: BlockAppearance) -> dict[str, FloatArray]:
    """White space around it, and what stands beside."""
    top, bottom = look.box[:, 1], look.box[:, 1] + look.box[:, 3]
    gap = np.full(len(top) + 1, np.nan)
    gap[1:-1] = (top[1:] - bottom[:-1]) / look.line
    gap = np.clip(gap, -5.0, 10.0)
    low, high = np.sort(top[look.shown]), np.sort(bottom[look.shown])
    beside = np.searchsorted(low, bottom - 1) - np.searchsorted(high, top + 1) - 1
    return {
        "gap_before": gap[:-1],
        "gap_after": gap[1:],
        "beside": np.where(look.shown, np.log1p(np.maximum(beside, 0)), np.nan),
    }


def _visibility(look: BlockAppearance) -> dict[str, FloatArray]:
    """Whether a person sees it, and whether it moves with the page."""
    page, geometry = look.rows.page, look.geometry
    reason = page.hidden
    seen = look.rows.summed((~invisible_leaves(page)).astype(np.float64))
    tricks = np.isin(reason, (Hidden.OPACITY, Hidden.CLIP, Hidden.OFF_SCREEN, Hidden.OVERLAY))
    masked = look.rows.summed(tricks.astype(np.float64))
    stuck = page.below(np.isin(geometry.position, (Position.FIXED, Position.STICKY)))[look.rows.node]
    lifted = page.below(geometry.position == Position.ABSOLUTE)[look.rows.node]
    return {
        "hidden": (seen == 0).astype(np.float64),
        "covered_or_clipped": ((seen == 0) & (masked > 0)).astype(np.float64),
        "fixed": stuck.astype(np.float64),
        "lifted": lifted.astype(np.float64),
    }


def _nearby_sums(values: FloatArray, weight: FloatArray, tolerance: FloatArray) -> FloatArray:
    """For each value, the weight of all values within its tolerance; NaN stays NaN."""
    known = np.isfinite(values)
    order = np.argsort(values[known], kind="stable")
    ordered = values[known][order]
    total = prefix_sums(weight[known][order])
    share = np.full(len(values), np.nan)
    low = np.searchsorted(ordered, values[known] - tolerance[known], side="left")
    high = np.searchsorted(ordered, values[known] + tolerance[known], side="right")
    share[known] = total[high] - total[low]
    return share


GROUP = ColumnGroup(name="visual", columns=COLUMNS, measure=visual_features, needs="geometry")
