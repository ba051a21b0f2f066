"""Selection of a page's content from the scores of its blocks: the set of blocks with the largest expected F1.

One threshold for all pages fails on some of them: the scores of one page are higher or lower together. Here several
methods (thresholds, the best contiguous range, the best subtree) each propose a set, and the one with the largest
expected F1 against the unknown content is selected, given each block's probability.

Errors of the blocks of a page are correlated: a support vector machine that has not seen such a page is too low (or too
high) on all of it. So the expectation is also over a shift of all scores of the page, normally distributed. It has no
effect on pages with clear scores; on pages where all scores are uncertain, more blocks are selected than the few with
the highest scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.stretches import Ties, best_stretch
from ...page.arrays import HALF, TINY, BoolColumn, FloatArray, prefix_sums
from .calibration import Calibration

#: Within a range or subtree, blocks with a lower score are also tried without; tables and code below content belong to
#: it down to that mean score.
FLOOR = -0.7
_THRESHOLDS = np.asarray((-1.0, -0.7, -0.5, -0.35, -0.2, 0.0, 0.25))[:, None]
#: Zero points for the best contiguous range and the best subtree.
LEVELS = np.linspace(FLOOR, 0, 3)
#: The score of an invisible block.
INVISIBLE_SCORE = -9.0
#: Elements that are included between selected blocks.
_FILLED_TAGS = ("table", "ul", "ol", "dl", "pre", "blockquote", "figure")


@dataclass(frozen=True, kw_only=True, eq=False)
class Selection:
    """A set of blocks, bool (rows,), and its expected F1, between 0 and 1."""

    rows: BoolColumn
    expected_f1: float


def select_content(
    rows: Rows, scores: FloatArray, calibration: Calibration, invisible: BoolColumn | None = None
) -> Selection:
    """Return the candidate set with the largest expected F1 for SVM decisions, without ``invisible`` rows."""
    out = np.zeros(len(rows), dtype=bool) if invisible is None else invisible
    stacked = candidate_sets(rows, np.where(out, INVISIBLE_SCORE, scores))
    if not len(stacked):
        return Selection(rows=np.zeros(len(rows), dtype=bool), expected_f1=0.0)
    weight = np.where(out, 0.0, np.maximum(rows.words, 0.5))
    shifts, share = calibration.shifts()
    probability = calibration.probability(scores + shifts[:, None])
    expected = share @ np.stack([expected_f1(stacked, weight, shifted) for shifted in probability])
    best = int(np.argmax(expected))
    return Selection(rows=stacked[best], expected_f1=float(expected[best]))


def fill_gaps(rows: Rows, selected: BoolColumn, scores: FloatArray) -> BoolColumn:
    """Include tables, lists, code, quotes and figures between selected blocks of the same parent.

    Tables of data and code are also included below a selected block, with headings at most between them, unless their
    scores are those of a sidebar: calendars, weather, opening hours. So is a table of any size whose first block is
    selected: cells score lower than the header.
    """
    # Their cells and items look like labels individually. Those of links or with most of the text are left out.
    page = rows.page
    elements = page.has_tag(*_FILLED_TAGS).nonzero()[0]
    if not len(elements):
        return selected
    first, last = rows.node_rows[elements].T
    low, high = rows.node_rows[np.maximum(page.parent[elements], 0)].T
    words, links = (np.diff(prefix_sums(of)[[first, last]], axis=0)[0] for of in (rows.words, rows.link_words))
    unlinked = links <= HALF * words
    small = unlinked & (words <= rows.words[selected].sum() / 2)
    # Row -1, above the first, and the row below the last one are not selected.
    chosen = np.append(selected, [False, False])
    stop = np.where(rows.in_heading & ~selected, -1, np.arange(len(rows)))
    above = np.append(np.maximum.accumulate(stop), -1)[first - 1]
    between = (low < first) & (last < high) & chosen[first - 1] & chosen[last]
    mean = np.diff(prefix_sums(scores)[[first, last]], axis=0)[0] / np.maximum(last - first, 1)
    likely = _has_data(rows)[elements] & (mean > FLOOR)
    begun = likely & unlinked & (first < last) & chosen[first]
    below = (likely & small & chosen[above]) | begun
    filled, below = (_covered(first[some], last[some], len(rows)) for some in (between & small, below))
    return selected | filled | (below & ~_line_numbers(rows))


def _covered(first: NDArray[np.integer[Any]], last: NDArray[np.integer[Any]], count: int) -> BoolColumn:
    """Return the rows within any of the spans ``[first, last)``, bool (count,)."""
    changes = np.bincount(first, minlength=count + 1) - np.bincount(last, minlength=count + 1)
    covered: BoolColumn = np.cumsum(changes)[:count] > 0
    return covered


def _has_data(rows: Rows) -> BoolColumn:
    """Return the nodes that are code, or a table of data and not of layout, bool (nodes,)."""
    page = rows.page
    if not page.has_tag("table").any():
        return page.has_tag("pre")
    lines, tables = (page.count_within(page.has_tag(tag)) for tag in ("tr", "table"))
    data = page.has_tag("table") & (lines > 1) & (tables == 1)
    found: BoolColumn = data | page.has_tag("pre")
    return found


def _line_numbers(rows: Rows) -> BoolColumn:
    """Return the rows of code without a letter, bool (rows,)."""
    numbers: BoolColumn = rows.page.below(rows.page.has_tag("pre"))[rows.node]
    for row in numbers.nonzero()[0].tolist():
        numbers[row] = not any(map(str.isalpha, rows.texts[row]))
    return numbers


def expected_f1(rows: BoolColumn | FloatArray, weight: FloatArray, probability: FloatArray) -> FloatArray:
    """Approximate the expected F1 of row sets (..., rows): ``2 Σ_in w p / (Σ_in w + Σ_all w p)``."""
    likely = weight * probability
    size = rows @ weight + likely.sum()
    return np.where(size > 0, 2.0 * (rows @ likely) / np.maximum(size, TINY), 0.0)


def candidate_sets(rows: Rows, scores: FloatArray) -> BoolColumn:
    """Return the sets of rows to consider, bool (sets, rows); none of them is empty."""
    if not len(scores):
        return np.zeros((0, 0), dtype=bool)
    spans = []
    for level in LEVELS:
        value = (scores - level) * np.maximum(rows.words, 0.5)
        spans += [best_stretch(value, Ties.FIRST), rows.node_rows[np.argmax(rows.over_nodes(value))]]
    first, last = np.asarray(spans).T[:, :, None]
    index = np.arange(len(scores))
    whole = (index >= first) & (index < last)
    candidates = np.concatenate([scores > _THRESHOLDS, in_turn(whole, whole & (scores > FLOOR))])
    return candidates[candidates.any(axis=1)]


def in_turn(*sets: BoolColumn) -> BoolColumn:
    """Return the first row of each of some matrices, then the second of each, and so on."""
    return np.stack(sets, axis=1).reshape(-1, sets[0].shape[1])
