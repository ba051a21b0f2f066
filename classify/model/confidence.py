"""The confidence of an output: the F1 that it is expected to reach, by the scores of the page and what was selected.

The expected F1 of a selection assumes that the probabilities of the blocks are right. Where a model errs it errs on
whole pages, so a second model maps it, together with facts about the page, to the F1 of pages of unseen sites.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...features.rows import Rows
from ...page.arrays import HALF, SOME, TINY, BoolColumn, FloatArray, logistic
from ...page.role_names import ROLES
from .second_stage import template_groups
from .selection import expected_f1
from .svm import standardise

#: Roles whose share of the selection, and of the page, is a column.
_OF_SELECTION = ("body", "post", "comment", "related", "navigation", "promotion", "notice", "form", "footer")
_OF_PAGE = ("body", "post", "comment", "related", "navigation", "promotion")
#: Shifts of all scores of a page in logits: the selection is compared with what other thresholds would select.
_SHIFT = 1.5
#: Distance from one half below which the probability of a block is uncertain.
_UNSURE = 0.35

#: Least blocks of a series: blocks with the same tag, class and parent's tag.
_SERIES = 4

#: What the confidence is computed from, one number a page.
COLUMNS = (
    "expected_f1",
    "expected_precision",
    "expected_recall",
    "expected_f1_lower",
    "expected_f1_higher",
    "gain_of_best",
    "words_log",
    "page_words_log",
    "share",
    "unsure",
    "unsure_selected",
    "unsure_left_out",
    "spread_selected",
    "stretches_log",
    "longest_stretch",
    "largest_block",
    "gaps",
    "long_share",
    "long_left_out",
    "links",
    "highest",
    "series_left_out",
    "series_torn",
    *(f"selected_{role}" for role in _OF_SELECTION),
    *(f"page_{role}" for role in _OF_PAGE),
    "role_certainty",
)


def page_columns(
    rows: Rows, probability: FloatArray, selected: BoolColumn, expected: float, roles: FloatArray | None
) -> FloatArray:
    """Return :data:`COLUMNS`, float64, of a page with blocks.

    ``probability`` is that of content of each row, ``selected`` the rows of the output, ``expected`` its expected F1,
    ``roles`` float64 (rows, roles) or None.
    """
    weight = np.maximum(rows.words, 0.5)
    all_words, words = float(weight.sum()), float(weight[selected].sum())
    likely = weight * probability
    hit = float(likely[selected].sum())
    logit = np.log((probability + TINY) / (1.0 - probability + TINY))
    shifted = [_f1(selected, weight, logistic(logit + shift)) for shift in (-_SHIFT, _SHIFT)]
    unsure = weight * (abs(probability - HALF) < _UNSURE)
    rest = max(all_words - words, 1.0)
    stretches = _stretches(selected)
    sizes = [float(weight[first:last].sum()) for first, last in stretches]
    first, last = (stretches[0][0], stretches[-1][1]) if stretches else (0, 0)
    chosen = max(words, 1.0)
    mean = hit / chosen
    long = weight * (rows.long > 0)
    values = [
        expected,
        mean,
        hit / max(float(likely.sum()), TINY),
        *shifted,
        _best(weight, probability) - _f1(selected, weight, probability),
        np.log1p(words),
        np.log1p(all_words),
        words / all_words,
        float(unsure.sum()) / all_words,
        float(unsure[selected].sum()) / chosen,
        float(unsure[~selected].sum()) / chosen,
        float(np.sqrt((weight * (probability - mean) ** 2)[selected].sum() / chosen)),
        np.log1p(len(stretches)),
        max(sizes, default=0.0) / chosen,
        float(weight[selected].max(initial=0.0)) / chosen,
        float(weight[first:last].sum() - words) / chosen,
        float(long[selected].sum()) / chosen,
        float(long[~selected].sum()) / rest,
        float(rows.link_words[selected].sum()) / chosen,
        float(probability.max(initial=0.0)),
        *_series_columns(rows, weight, selected),
    ]
    return np.asarray([*values, *_role_columns(weight, selected, roles)], dtype=np.float64)


def _f1(selected: BoolColumn, weight: FloatArray, probability: FloatArray) -> float:
    return float(expected_f1(selected, weight, probability))


def _best(weight: FloatArray, probability: FloatArray) -> float:
    """Return the largest expected F1 of any set: one of those that hold all blocks above a probability."""
    order = np.argsort(-probability, kind="stable")
    size, likely = np.cumsum(weight[order]), np.cumsum((weight * probability)[order])
    return float((2.0 * likely / np.maximum(size + likely[-1], TINY)).max(initial=0.0))


def _stretches(selected: BoolColumn) -> list[tuple[int, int]]:
    """Return the runs of selected rows as ``[first, last)``."""
    edges = np.diff(selected.astype(np.int8), prepend=0, append=0).nonzero()[0].tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _series_columns(rows: Rows, weight: FloatArray, selected: BoolColumn) -> tuple[float, float]:
    """Return the words of the largest series that was left out, and those missing from series that were torn."""
    group = template_groups(rows)
    many = np.bincount(group) >= _SERIES
    size, chosen = np.bincount(group, weights=weight), np.bincount(group, weights=weight * selected)
    words = max(float(weight[selected].sum()), 1.0)
    left_out = float((size * many * (chosen == 0)).max(initial=0.0))
    return np.log1p(left_out / words), float((size - chosen)[many & (chosen > 0)].sum()) / words


def _role_columns(weight: FloatArray, selected: BoolColumn, roles: FloatArray | None) -> list[float]:
    if roles is None:
        return [0.0] * (len(_OF_SELECTION) + len(_OF_PAGE) + 1)
    of_selection, of_page = weight[selected] @ roles[selected], weight @ roles
    certainty = float((weight * roles.max(axis=1))[selected].sum())
    chosen = max(float(weight[selected].sum()), 1.0)
    return [
        *(float(of_selection[ROLES.index(role)]) / chosen for role in _OF_SELECTION),
        *(float(of_page[ROLES.index(role)]) / float(weight.sum()) for role in _OF_PAGE),
        certainty / chosen,
    ]


def _ranks(rows: FloatArray, quantiles: FloatArray) -> FloatArray:
    """Return the rank of each value in its column, -.5 to .5: ``np.interp`` of all columns at once."""
    steps, last = np.linspace(-0.5, 0.5, quantiles.shape[1]), quantiles.shape[1] - 1
    place = (quantiles <= rows[:, :, None]).sum(axis=2) - 1
    at, column = np.clip(place, 0, last - 1), np.arange(len(quantiles))
    low, high = quantiles[column, at], quantiles[column, at + 1]
    slope = (steps[at + 1] - steps[at]) / np.where(high > low, high - low, 1.0)
    inside = slope * (rows - low) + steps[at]
    ranks: FloatArray = np.where(place < 0, steps[0], np.where(place < last, inside, steps[last]))
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Confidence:
    """A logistic regression on :data:`COLUMNS` and their ranks, and a monotone map to the mean F1 of such pages.

    ``mean`` and ``deviation`` are float64 (columns,); ``quantiles`` float64 (columns, n) the values of each column at
    equal steps of its rank among the training pages; ``weight`` float64 (2 · columns,) that of the values, then of the
    ranks; ``knots`` float64 (2, n) the map: values in ascending order, and the F1 at each, linear in between.
    """

    mean: FloatArray
    deviation: FloatArray
    quantiles: FloatArray
    weight: FloatArray
    bias: float
    knots: FloatArray

    def inputs(self, rows: FloatArray) -> FloatArray:
        """Return values and ranks of the columns of pages, float64 (pages, 2 · columns)."""
        # Ranks are between -.5 and .5.
        values = SOME * standardise(rows, self.mean, self.deviation)
        return np.concatenate([values, _ranks(rows, self.quantiles)], axis=1)

    def raw(self, rows: FloatArray) -> FloatArray:
        """Return the value of the regression for pages, float64 (pages, columns), between 0 and 1."""
        return logistic(self.inputs(rows) @ self.weight + self.bias)

    def of(self, rows: FloatArray) -> FloatArray:
        """Return the confidence of pages."""
        return np.asarray(np.interp(self.raw(rows), *self.knots))
