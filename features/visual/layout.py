"""Layout features: headings and sections by their appearance, the main column, and painted frames.

All of them depend on what is painted, and on no tag, class or attribute except links: a page and a copy of it with
other markup and the same picture have the same values. NaN for pages without geometry.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ..columns import ColumnGroup, Columns, flag, log_count, numeric, share
from ..rows import Rows
from ..sections import FAMILIES
from ..structure import title_similarity
from .look import BlockAppearance, lightness

#: Least prominence of a heading; bold text of the body's size has :data:`_BOLD`, a font 1.15 times as large 0.14.
_PROMINENT, _BOLD = 0.1, 0.12
#: Most words and lines of a heading; headings of a page that are compared.
_MOST_WORDS, _MOST_LINES, _MOST_HEADINGS = 20.0, 3, 400
#: Greatest distance of equal edges in CSS pixels.
_SAME_EDGE = 8.0
#: Greatest distance in lines that is measured.
_FAR = 60.0
#: Share of the page's area from which a painted box is the background of the page.
_WHOLE = 0.8
#: Difference of lightness by which a frame is painted in another colour than what is around it.
_PAINTED = 0.02

COLUMNS = (
    numeric(
        "prominence",
        "ln(font size relative to the body text's) + 0.12 for bold text in a page whose body text is not bold",
        "ln(ratio)",
        low=-inf,
    ),
    flag("looks_heading", "1 if it is short, more prominent than the body text, and alone in its lines"),
    share("heading_rank", "share of such headings that are more prominent, 1 for other blocks"),
    numeric("heading_above", "prominence of the nearest such heading above in the same column, 0 without", "ln(ratio)"),
    log_count("heading_lines_log", "ln(1 + lines below that heading), at most 60 lines"),
    *(
        flag(f"under_{family}", f"1 in the section of a label of the family {family}, by appearance")
        for family in FAMILIES
    ),
    numeric("main_x", "left edge minus that of the main column, relative to the page's width", "page widths", low=-inf),
    numeric("main_width", "width of its element relative to the main column's", "ratio", high=3.0),
    numeric(
        "main_above",
        "lines above the first paragraph of the main column, negative below it: sign · ln(1 + n), at most 60 lines",
        "ln(1 + lines)",
        low=-inf,
    ),
    numeric(
        "main_below",
        "lines below the last paragraph of the main column, negative above it: sign · ln(1 + n), at most 60 lines",
        "ln(1 + lines)",
        low=-inf,
    ),
    flag("main_style", "1 if it has the font size, weight and colour of the body text, and is in the main column"),
    share("style_share", "share of the page's words in the same font size, weight, colour and column"),
    numeric(
        "title_lines",
        "lines below the title, negative above it: sign · ln(1 + n), at most 60 lines; 0 without a title",
        "ln(1 + lines)",
        low=-inf,
    ),
    share("title_column", "share of its width below or above the title"),
    numeric("space_before", "white space above, relative to the median between paragraphs of the main column, at most "
            "10", "ratio", low=-5.0, high=10.0),
    numeric("space_after", "white space below, relative to that median, at most 10", "ratio", low=-5.0, high=10.0),
    flag("framed", "1 inside a box with a border, a shadow, or a background of its own"),
    numeric("frame_width", "width of that box relative to the page's, 1 without", "page widths", high=3.0),
    share("frame_words", "share of the page's words in that box, 1 without"),
    share("frame_links", "share of words inside links in that box, of the whole page without"),
    flag("frame_main", "1 if that box contains the most words of the main column, or there is no such box"),
)  # fmt: skip


def layout_features(rows: Rows, columns: Columns) -> Columns:
    """Return the layout columns; NaN for an invisible block."""
    layout = _Layout(rows)
    measured = (
        _heading_columns(layout)
        | _section_columns(layout, columns)
        | _main_columns(layout)
        | _title_columns(layout)
        | _frame_columns(layout)
    )
    return {name: np.where(layout.appearance.shown, column, np.nan) for name, column in measured.items()}


class _Layout:
    """Blocks of a rendered page with the boxes of their elements, their prominence and the main column."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.appearance = appearance = BlockAppearance(rows)
        page, box = rows.page, appearance.geometry.box
        boxed = page.block_level & (np.nan_to_num(box[:, 2]) > 0)
        element = box[np.maximum(page.nearest(boxed)[rows.node], 0)].astype(np.float64)
        self.element_left, self.element_width = element[:, 0], element[:, 2]
        self.left, self.top = appearance.box[:, 0], appearance.box[:, 1]
        self.right, self.bottom = self.left + appearance.box[:, 2], self.top + appearance.box[:, 3]
        bold = appearance.bold & (not appearance.body_bold)
        self.prominence = np.log(np.maximum(appearance.font, 1.0) / appearance.body_font) + _BOLD * bold
        self.alone = _alone(self.top, self.bottom, self.left, self.element_left, self.element_width)
        self.heading = self._headings()
        self.main = self._main_rows()

    def _headings(self) -> BoolColumn:
        shown = self.appearance.shown
        prominent = shown & (self.prominence > _PROMINENT) & (self.rows.words <= _MOST_WORDS)
        lines = np.nan_to_num(self.appearance.box[:, 3]) / np.maximum(1.2 * self.appearance.font, 1.0)
        heading: BoolColumn = prominent & self.alone & (lines <= _MOST_LINES + 0.5)
        return heading

    def _main_rows(self) -> BoolColumn:
        """Return the long paragraphs in the left edge and width with the most words outside links."""
        free = self.appearance.weight * (1 - self.rows.link_density) * self.rows.long
        if not free.sum() > 0:
            return np.zeros(len(self.rows), dtype=bool)
        # Widths in steps of a tenth: paragraphs of one column have one width.
        step = np.round(np.log(np.maximum(self.element_width, 1.0)) / 0.1)
        edge = np.round(np.nan_to_num(self.element_left) / _SAME_EDGE)
        _, group = np.unique(np.stack([edge, step], axis=1), axis=0, return_inverse=True)
        group = group.ravel()
        best = int(np.argmax(np.bincount(group, weights=free)))
        main: BoolColumn = (group == best) & (free > 0)
        return main

    def in_main(self) -> BoolColumn:
        """Return the rows between the edges of the main column, bool (rows,); all without a main column."""
        if not self.main.any():
            return self.appearance.shown
        low = self.element_left[self.main].min() - _SAME_EDGE
        high = (self.element_left + self.element_width)[self.main].max() + _SAME_EDGE
        inside: BoolColumn = self.appearance.shown & (self.left >= low) & (self.right <= high)
        return inside

    def lines(self, distance: FloatArray) -> FloatArray:
        """Return distances in CSS pixels as signed logarithms of lines."""
        number = np.clip(distance / self.appearance.line, -_FAR, _FAR)
        scaled: FloatArray = np.sign(number) * np.log1p(np.abs(number))
        return scaled


def _alone(
    top: FloatArray, bottom: FloatArray, left: FloatArray, element_left: FloatArray, element_width: FloatArray
) -> BoolColumn:
    """Return the rows without another row of their element's width at their height, bool (rows,)."""
    alone = np.isfinite(top)
    order = np.flatnonzero(alone)
    order = order[np.argsort(top[order], kind="stable")]
    # A row is compared with the next ones in order of their tops, as long as these start within its height.
    for position, row in enumerate(order.tolist()):
        for other in order[position + 1 : position + 40].tolist():
            if top[other] >= bottom[row] - 1:
                break
            for one, two in ((row, other), (other, row)):
                if element_left[one] <= left[two] <= element_left[one] + element_width[one]:
                    alone[one] = False
    return alone


def _heading_columns(layout: _Layout) -> dict[str, FloatArray]:
    count = len(layout.rows)
    heading = np.flatnonzero(layout.heading)
    rank = np.ones(count)
    ordered = np.sort(-layout.prominence[heading])
    rank[heading] = np.searchsorted(ordered, -layout.prominence[heading] - 1e-6) / max(len(heading), 1)
    governing = _governing(layout, heading[:_MOST_HEADINGS])
    governed = governing >= 0
    below = np.where(governed, layout.top - layout.bottom[np.maximum(governing, 0)], 0.0)
    return {
        "prominence": layout.prominence,
        "looks_heading": layout.heading.astype(np.float64),
        "heading_rank": rank,
        "heading_above": np.where(governed, layout.prominence[np.maximum(governing, 0)], 0.0),
        "heading_lines_log": np.maximum(layout.lines(below), 0.0),
    }


def _governing(layout: _Layout, heading: NDArray[np.intp]) -> IntColumn:
    """Return the nearest heading above each row in the same column, -1 without, int32 (rows,)."""
    governing = np.full(len(layout.rows), -1, dtype=np.int32)
    for row in heading[np.argsort(layout.top[heading], kind="stable")].tolist():
        governing[_below(layout, row)] = row
    return governing


def _below(layout: _Layout, row: int) -> BoolColumn:
    """Return the rows below a row that start within the width of its element, bool (rows,)."""
    left = layout.element_left[row] - _SAME_EDGE
    right = left + layout.element_width[row] + 2 * _SAME_EDGE
    below: BoolColumn = (layout.top >= layout.bottom[row] - 1) & (layout.left >= left) & (layout.left <= right)
    return below


def _section_columns(layout: _Layout, columns: Columns) -> dict[str, FloatArray]:
    """Return the rows below labels: a section ends at the next heading that is as prominent as its label."""
    heading = np.flatnonzero(layout.heading)
    measured = {}
    for family in FAMILIES:
        under = np.zeros(len(layout.rows))
        labels = np.flatnonzero((columns[f"says_{family}"] > 0) & layout.appearance.shown & layout.alone)
        for row in labels[:_MOST_HEADINGS].tolist():
            below = _below(layout, row)
            level = max(float(layout.prominence[row]), _PROMINENT)
            ends = heading[below[heading] & (layout.prominence[heading] >= level - 0.01)]
            end = layout.top[ends].min() if len(ends) else np.inf
            under[below & (layout.top < end - 1)] = 1.0
        measured[f"under_{family}"] = under
    return measured


def _main_columns(layout: _Layout) -> dict[str, FloatArray]:
    appearance, main = layout.appearance, layout.main
    inside = layout.in_main()
    if main.any():
        left, width = layout.element_left[main].min(), max(float(np.median(layout.element_width[main])), 1.0)
        first, last = float(layout.top[main].min()), float(layout.bottom[main].max())
    else:
        left, width, first, last = 0.0, appearance.page_width, 0.0, appearance.page_height
    style = np.stack(
        [
            np.round(appearance.font * 2),
            appearance.bold.astype(np.float64),
            appearance.color.astype(np.float64),
            np.round(np.nan_to_num(layout.element_left) / _SAME_EDGE),
        ],
        axis=1,
    )
    as_body = (
        (np.abs(appearance.font - appearance.body_font) < 0.5)
        & (appearance.bold == appearance.body_bold)
        & (appearance.color == appearance.body_color)
    )
    total = max(float(appearance.weight.sum()), 1e-9)
    return {
        "main_x": (layout.left - left) / appearance.page_width,
        "main_width": np.minimum(layout.element_width / width, 3.0),
        "main_above": layout.lines(first - layout.top),
        "main_below": layout.lines(layout.bottom - last),
        "main_style": (as_body & inside).astype(np.float64),
        "style_share": _group_sums(style, appearance.weight) / total,
    } | _spaces(layout)


def _group_sums(keys: FloatArray, weight: FloatArray) -> FloatArray:
    if not len(keys):
        return np.zeros(0)
    _, group = np.unique(keys, axis=0, return_inverse=True)
    group = group.ravel()
    return np.bincount(group, weights=weight).astype(np.float64)[group]


def _spaces(layout: _Layout) -> dict[str, FloatArray]:
    """Return the white space to the rows before and after, relative to that between paragraphs."""
    gap = np.full(len(layout.rows) + 1, np.nan)
    gap[1:-1] = layout.top[1:] - layout.bottom[:-1]
    main = np.flatnonzero(layout.main[1:] & layout.main[:-1]) + 1
    between = gap[main]
    between = between[between > 0]
    rhythm = float(np.median(between)) if len(between) else layout.appearance.line
    scaled = np.clip(gap / max(rhythm, 1.0), -5.0, 10.0)
    return {"space_before": scaled[:-1], "space_after": scaled[1:]}


def _title_columns(layout: _Layout) -> dict[str, FloatArray]:
    rows = layout.rows
    count = len(rows)
    similar = np.where(layout.appearance.shown, title_similarity(rows) / np.where(rows.in_heading, 1.0, 0.5), 0.0)
    # Of equal texts, such as in a breadcrumb, the most prominent one is the title.
    likely = similar + 0.2 * np.clip(layout.prominence, 0.0, 1.0)
    best = int(np.argmax(np.where(similar > 0.2, likely, 0.0))) if count else 0
    if not count or similar[best] <= 0.2:
        return {"title_lines": np.zeros(count), "title_column": np.zeros(count)}
    width = np.maximum(layout.right - layout.left, 1.0)
    left, right = layout.element_left[best], layout.element_left[best] + layout.element_width[best]
    shared = np.minimum(layout.right, right) - np.maximum(layout.left, left)
    return {
        "title_lines": layout.lines(layout.top - layout.top[best]),
        "title_column": np.clip(shared / width, 0.0, 1.0),
    }


def _frame_columns(layout: _Layout) -> dict[str, FloatArray]:
    rows, appearance = layout.rows, layout.appearance
    page = rows.page
    frame = page.nearest(_frames(layout))[rows.node]
    framed = frame >= 0
    at = np.maximum(frame, 0)
    words, links = rows.over_nodes(rows.words), rows.over_nodes(rows.link_words)
    main = rows.over_nodes(rows.words * layout.main)
    total = max(float(rows.words.sum()), 1e-9)
    page_links = float(rows.link_words.sum()) / total
    return {
        "framed": framed.astype(np.float64),
        "frame_width": np.where(
            framed, np.minimum(appearance.geometry.box[at, 2] / appearance.page_width, 3.0), 1.0
        ).astype(np.float64),
        "frame_words": np.where(framed, words[at] / total, 1.0),
        "frame_links": np.where(framed, links[at] / np.maximum(words[at], 1e-9), page_links),
        "frame_main": np.where(framed, main[at] > 0.5 * main[0], True).astype(np.float64),
    }


def _frames(layout: _Layout) -> BoolColumn:
    """Return the boxes with a border, a shadow or a background that differs from what is around, bool (nodes,)."""
    page, geometry = layout.rows.page, layout.appearance.geometry
    box = np.nan_to_num(geometry.box.astype(np.float64))
    area = box[:, 2] * box[:, 3]
    opaque = (geometry.background & 0xFF) >= 0x80
    around = page.nearest(opaque)[np.maximum(page.parent, 0)]
    color = lightness(geometry.background)
    outside = np.where((around >= 0) & (page.parent >= 0), color[np.maximum(around, 0)], 1.0)
    painted = opaque & (np.abs(color - outside) > _PAINTED)
    if geometry.paint is not None:
        painted |= (geometry.paint.border > 0).all(axis=1) | geometry.paint.shadow
    whole = area >= _WHOLE * layout.appearance.page_width * layout.appearance.page_height
    frames: BoolColumn = painted & ~whole & (area > 0) & page.block_level
    return frames


GROUP = ColumnGroup(name="layout", columns=COLUMNS, measure=layout_features, needs_geometry=True)
