"""Readings of a page: the sets of blocks that may be its content, by what the page may be.

A person reads a page as an article, as an article without its comments, as a thread or as an index; each reading has
its own blocks. Thresholds on the probabilities of single blocks alone do not offer them: a series of records (the cards
of an index, the posts of a thread, the teasers below an article) is content as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.sections import FAMILIES, section_columns
from ...page.arrays import BoolColumn, FloatArray
from ...page.role_names import ROLE
from ...segment.record_groups import RecordGroup, find_record_groups
from .second_stage import template_groups
from .selection import FLOOR, INVISIBLE_SCORE, candidate_sets

#: Most series of a page that are readings, those with most words, and fewest words of one.
_MOST_SERIES, _LEAST_WORDS = 10, 6.0
#: Thresholds of the sets whose series are completed, and share of a series from which on it is content.
_COMPLETED, _HALF = (-0.7, -0.35, 0.0), 0.5
#: Least weight of a row in the mean of its template, in words.
_LEAST_WEIGHT = 0.5
#: Labels above what is no content of an article; the text from the headline to the first of them is a reading.
ENDS = ("comment", "related", "letter", "author", "tags")


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """Records with the same template."""

    group: RecordGroup
    rows: BoolColumn  # bool (rows,): all rows in the records
    #: bool (rows,): Without the columns of the records that are unlikely on the whole, such as "read more".
    likely: BoolColumn
    records: int


@dataclass(frozen=True, kw_only=True, eq=False)
class PageReadings:
    """A page with what its readings are found and judged by."""

    rows: Rows
    scores: FloatArray  # float64 (rows,): SVM decisions; those of invisible rows are INVISIBLE_SCORE
    roles: FloatArray | None  # float64 (rows, roles): probabilities, if the model has any

    @cached_property
    def weight(self) -> FloatArray:
        """Words of each row, at least one half; 0 for invisible rows, float64 (rows,)."""
        return np.where(self.scores <= INVISIBLE_SCORE, 0.0, np.maximum(self.rows.words, 0.5))

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """The series of the page in document order."""
        page = self.rows.page
        found = [self._series(group) for group in find_record_groups(page)]
        words = [float(self.weight[one.rows].sum()) for one in found]
        order = sorted(range(len(found)), key=lambda number: -words[number])[:_MOST_SERIES]
        return tuple(found[number] for number in sorted(order) if words[number] >= _LEAST_WORDS)

    def _series(self, group: RecordGroup) -> Series:
        marks = np.zeros(len(self.rows), dtype=bool)
        spans = np.asarray(group.outer)
        leaves = self.rows.page.leaf_range
        firsts = np.searchsorted(self.rows.first_leaf, leaves[spans[:, 0], 0])
        lasts = np.searchsorted(self.rows.first_leaf, leaves[spans[:, 1] - 1, 1])
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            marks[first:last] = True
        inside = np.flatnonzero(marks)
        column = self.template[inside]
        weight = np.maximum(self.weight[inside], _LEAST_WEIGHT)
        # Templates of other rows have no weight.
        amount = np.maximum(np.bincount(column, weights=weight), _LEAST_WEIGHT)
        mean = np.bincount(column, weights=weight * self.scores[inside]) / amount
        likely = marks.copy()
        likely[inside] = (mean > FLOOR)[column] & (self.scores[inside] > INVISIBLE_SCORE)
        return Series(group=group, rows=marks, likely=likely, records=int((lasts > firsts).sum()))

    @cached_property
    def template(self) -> NDArray[np.intp]:
        """The template of each row, int (rows,)."""
        return template_groups(self.rows)

    @cached_property
    def labels(self) -> dict[str, FloatArray]:
        """The rows that are labels, and those below one, by family, float64 (rows,) each."""
        columns = section_columns(self.rows)
        return {name: columns[name] for family in FAMILIES for name in (f"says_{family}", f"below_{family}")}

    @cached_property
    def title(self) -> int:
        """The row of the headline: the most likely title, without roles the first ``h1``; -1 for none."""
        if self.roles is not None:
            return int(np.argmax(self.roles[:, ROLE["title"]])) if len(self.rows) else -1
        first = np.flatnonzero(self.rows.page.below(self.rows.page.has_tag("h1"))[self.rows.node])
        return int(first[0]) if len(first) else -1

    def sets(self) -> list[BoolColumn]:
        """Return the distinct readings, none of them empty, bool (rows,) each."""
        distinct = {candidate.tobytes(): candidate for candidate in self._candidates() if candidate.any()}
        return list(distinct.values())

    def _candidates(self) -> Iterator[BoolColumn]:
        base = list(candidate_sets(self.rows, self.scores))
        yield from base
        yield from self._without_ends(base)
        seen = self.scores > INVISIBLE_SCORE
        outside = ~np.any([one.rows for one in self.series], axis=0) if self.series else np.ones_like(seen)
        for threshold in _COMPLETED:
            selected = self.scores > threshold
            yield self._completed(selected)
            yield selected & outside
        likely = (self.scores > 0) & outside
        for one in self.series:
            yield one.rows & seen
            yield one.likely
            yield one.likely | likely
        for one in self.series:
            yield from self._around(one, seen)

    def _completed(self, selected: BoolColumn) -> BoolColumn:
        """Return a set with each series as a whole or not at all."""
        result = selected.copy()
        for one in self.series:
            held = self.weight[one.rows & selected].sum() > _HALF * self.weight[one.likely].sum()
            result[one.rows] = one.likely[one.rows] if held else False
        return result

    def _around(self, series: Series, seen: BoolColumn) -> Iterator[BoolColumn]:
        """Yield a series with what is between the headline and its end."""
        rows = np.flatnonzero(series.rows)
        if 0 <= self.title < rows[0]:
            between = np.zeros_like(seen)
            between[self.title + 1 : rows[0]] = self.scores[self.title + 1 : rows[0]] > FLOOR
            yield series.likely | between

    def _without_ends(self, sets: Sequence[BoolColumn]) -> Iterator[BoolColumn]:
        """Yield the text from the headline to the first label of what follows an article, and sets up to there."""
        ends = np.max([self.labels[f"says_{family}"] for family in ENDS], axis=0) > 0
        index = np.arange(len(self.rows))
        after = np.flatnonzero(ends & (index > self.title))
        stop = int(after[0]) if len(after) else len(index)
        article = (index > self.title) & (index < stop)
        yield article & (self.scores > FLOOR)
        below = np.max([self.labels[f"below_{family}"] for family in ENDS], axis=0) > 0
        for one in sets:
            yield one & article
            yield one & ~below & ~ends
