"""Readings of a page: the sets of blocks that may be its content, by what the page may be.

A person reads a page as an article, as an article without its comments, as a thread or as an index; each reading has
its own blocks. Thresholds on the probabilities of single blocks alone do not offer them: a series of records (the cards
of an index, the posts of a thread, the teasers below an article) is content as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.sections import FAMILIES, section_columns
from ...page.arrays import HALF, BoolColumn, FloatArray, prefix_sums
from ...page.role_names import ROLE
from ...records.candidates import RecordCandidates
from ...records.field_columns import FEWEST
from ...segment.record_groups import RecordGroup
from .second_stage import template_groups
from .selection import FLOOR, INVISIBLE_SCORE, LEVELS, candidate_sets, in_turn

#: Most series of a page that are readings, those with most words.
_MOST_SERIES = 10
#: Least weight of a row in the mean of its template or series, in words.
LEAST_WEIGHT = 0.5
#: Labels above what is no content of an article; the text from the headline to the first of them is a reading.
ENDS = ("comment", "related", "letter", "author", "tags")


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """Records with the same template."""

    group: RecordGroup
    number: int  # of the group among those of the page
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
    records: RecordCandidates  # of the same page

    @cached_property
    def weight(self) -> FloatArray:
        """Words of each row, at least one half; 0 for invisible rows, float64 (rows,)."""
        return np.where(self.scores <= INVISIBLE_SCORE, 0.0, np.maximum(self.rows.words, 0.5))

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """The series of the page in document order."""
        groups = self.records.groups
        if not groups:
            return ()
        # Words are whole or halves: their sums are exact.
        start, begin, end, _, _ = self.records.outer
        firsts, lasts = self.rows.node_rows[begin, 0], self.rows.node_rows[end - 1, 1]
        sums = prefix_sums(self.weight)
        words = np.add.reduceat(sums[lasts] - sums[firsts], start).tolist()
        records = np.add.reduceat(lasts > firsts, start, dtype=np.intp).tolist()
        order = sorted(range(len(groups)), key=lambda number: -words[number])[:_MOST_SERIES]
        chosen = [number for number in sorted(order) if words[number]]
        if not chosen:
            return ()
        place = np.full(len(groups), -1)
        place[chosen] = np.arange(len(chosen))
        place = place.repeat(np.diff(start, append=len(begin)))
        some = place >= 0
        marks = _covered(place[some], firsts[some], lasts[some], (len(chosen), len(self.rows)))
        likely = self._likely(marks)
        return tuple(
            Series(
                group=groups[number],
                number=number,
                rows=marks[index],
                likely=likely[index],
                records=records[number],
            )
            for index, number in enumerate(chosen)
        )

    def _likely(self, marks: BoolColumn) -> BoolColumn:
        """Return the rows of series, bool (series, rows), without those of templates that are unlikely in them."""
        series, inside = marks.nonzero()
        template = self.template
        # Each template of each series is a bin; those of other rows have no weight.
        column = series * (template.max(initial=0) + 1) + template[inside]
        scores, weight = self.scores[inside], np.maximum(self.weight[inside], LEAST_WEIGHT)
        amount = np.maximum(np.bincount(column, weights=weight), LEAST_WEIGHT)
        mean = np.bincount(column, weights=weight * scores) / amount
        likely = marks.copy()
        likely[series, inside] = (mean > FLOOR)[column] & (scores > INVISIBLE_SCORE)
        return likely

    @cached_property
    def inside(self) -> BoolColumn:
        """bool (series, rows): the rows of each series."""
        return _stacked([one.rows for one in self.series], len(self.rows))

    @cached_property
    def likely(self) -> BoolColumn:
        """bool (series, rows): the likely rows of each series."""
        return _stacked([one.likely for one in self.series], len(self.rows))

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
        first = self.rows.page.below(self.rows.page.has_tag("h1"))[self.rows.node].nonzero()[0]
        return int(first[0]) if len(first) else -1

    @cached_property
    def label_matrix(self) -> FloatArray:
        """float64 (2 · families, rows): whether a row is below a label of each family, and whether it is one."""
        kinds = ("below", "says")
        return np.asarray([self.labels[f"{kind}_{family}"] for kind in kinds for family in FAMILIES])

    def sets(self) -> BoolColumn:
        """Return the distinct readings, none of them empty, bool (sets, rows)."""
        if not len(self.rows):
            return np.zeros((0, 0), dtype=bool)
        candidates = self._candidates()
        distinct = {candidate.tobytes(): candidate for candidate in candidates[candidates.any(axis=1)]}
        return _stacked(list(distinct.values()), len(self.rows))

    def _candidates(self) -> BoolColumn:
        """Return all candidates in order, some of them empty or more than once."""
        seen = self.scores > INVISIBLE_SCORE
        outside: BoolColumn = np.logical_not(self.inside.any(axis=0))
        base, selected = candidate_sets(self.rows, self.scores), self.scores > LEVELS[:, None]
        likely = (self.scores > 0) & outside
        return np.concatenate(
            [
                base,
                self._without_ends(base),
                in_turn(self._completed(selected, outside), selected & outside),
                in_turn(self.inside & seen, self.likely, self.likely | likely),
                self._with_lead(),
            ]
        )

    def _completed(self, selected: BoolColumn, outside: BoolColumn) -> BoolColumn:
        """Return sets, bool (sets, rows), with each series as a whole or not at all."""
        if not self.series:
            return selected
        # Words are whole or halves: their sums are exact in any order.
        held = (selected * self.weight) @ self.inside.T.astype(np.float64)
        held_enough = held > HALF * (self.likely @ self.weight)
        # In a record inside another, the inner series decides.
        last = len(self.series) - 1 - self.inside[::-1].argmax(axis=0)
        own = self.likely[last, np.arange(len(last))] & ~outside
        completed: BoolColumn = (selected & outside) | (held_enough[:, last] & own)
        return completed

    def _with_lead(self) -> BoolColumn:
        """Return each series with what is between the headline and its start, if there is anything."""
        first, index = self.inside.argmax(axis=1)[:, None], np.arange(len(self.rows))
        between = (index > self.title) & (index < first) & (self.scores > FLOOR)
        led: BoolColumn = (self.likely | between)[(self.title >= 0) & (self.title < first[:, 0])]
        return led

    def _without_ends(self, sets: BoolColumn) -> BoolColumn:
        """Return the text from the headline to the first label of what follows an article, and sets up to there."""
        ends = np.max([self.labels[f"says_{family}"] for family in ENDS], axis=0) > 0
        index = np.arange(len(self.rows))
        after = (ends & (index > self.title)).nonzero()[0]
        stop = int(after[0]) if len(after) else len(index)
        article = (index > self.title) & (index < stop)
        below = np.max([self.labels[f"below_{family}"] for family in ENDS], axis=0) > 0
        return np.concatenate([[article & (self.scores > FLOOR)], in_turn(sets & article, sets & ~(below | ends))])


def _stacked(columns: Sequence[BoolColumn], width: int) -> BoolColumn:
    return np.stack(columns) if columns else np.zeros((0, width), dtype=bool)


def _covered(
    line: NDArray[np.signedinteger[Any]],
    first: NDArray[np.signedinteger[Any]],
    last: NDArray[np.signedinteger[Any]],
    shape: tuple[int, int],
) -> BoolColumn:
    """Mark the spans ``[first, last)`` of some lines, bool ``shape``."""
    lines, width = shape[0], shape[1] + 1
    begins, ends = (np.bincount(line * width + at, minlength=lines * width) for at in (first, last))
    covered: BoolColumn = (begins - ends).cumsum().reshape(lines, width)[:, :-1] > 0
    return covered


def likeliest_series(reading: PageReadings) -> BoolColumn:
    """Return the series of three records or more with the highest mean score, without dates, bool (rows,)."""
    weight = np.maximum(reading.rows.words, LEAST_WEIGHT)
    best, chosen = -np.inf, np.zeros(len(reading.rows), dtype=bool)
    for one in reading.series:
        rows = (one.rows & (reading.scores > INVISIBLE_SCORE)).nonzero()[0]
        if len(np.unique(_record(reading, one, rows))) < FEWEST:
            continue
        mean = float(np.average(reading.scores[rows], weights=weight[rows]))
        if mean > best:
            best, chosen = mean, np.zeros_like(chosen)
            chosen[rows] = True
    if reading.roles is None:
        return chosen
    signed: BoolColumn = reading.roles[:, [ROLE["author"], ROLE["date"]]].sum(axis=1) > HALF
    return chosen & ~signed


def _record(reading: PageReadings, series: Series, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the number of the record that each row is in."""
    starts = np.asarray(series.group.outer)[:, 0]
    return np.searchsorted(starts, reading.rows.node[rows], side="right")
