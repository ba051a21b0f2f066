"""The fields of records that are content: each in all records of a group or in none, and the title in all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...page.arrays import FloatArray, IntColumn, Marks, prefix_sums
from ...page.page import Page
from ...segment.record_groups import RecordGroup, find_record_groups
from .columns import FieldColumn, columns_of
from .field_columns import Aligned, align
from .field_names import named_columns

#: Least number of records; least share of them with content, and of their text that is content, for a group to be so.
_FEWEST, _RECORDS, _TEXT = 3, 0.5, 0.5
#: Share of the records with a text at some place from which on its marks decide on the others.
_HALF = 0.5
#: Most characters of a text that is left out where most records leave it out: a label, a date, a name.
_LABEL = 60.0


def whole_records(page: Page, marks: Marks, shown: Marks, *, least: float = _TEXT) -> Marks:
    """Complete the marks of records that are content, bool (leaves,).

    A text that most records have at the same place is in all of them if it is content in half of those, and in none
    otherwise if it is short; titles are in all. ``shown``, bool (leaves,), marks visible text; ``least`` is the share
    of a group's text from which on the group is content.
    """
    whole, owner = marks.copy(), None
    for group in _of_content(page, marks, shown, least):
        owner = page.nearest(page.block_level) if owner is None else owner
        aligned = align(page, group, shown, owner)
        for column, wanted in _decided(aligned, marks):
            for leaves in column.leaves.values():
                if not wanted:
                    whole[leaves] = False
                elif not marks[leaves].any():
                    whole[leaves] = True
    return whole


def _of_content(page: Page, marks: Marks, shown: Marks, least: float) -> Iterator[RecordGroup]:
    """Yield the groups that are content but for some of their text."""
    size = page.leaf_lengths.astype(np.float64) * shown
    every, held = prefix_sums(size), prefix_sums(size * marks)
    for group in find_record_groups(page):
        first, end = np.asarray(group.outer).T
        low, high = page.leaf_range[first, 0], page.leaf_range[end - 1, 1]
        all_of, some_of = _within(every, low, high), _within(held, low, high)
        if len(first) < _FEWEST or some_of.sum() < least * max(all_of.sum(), 1.0) or (some_of == all_of).all():
            continue
        if np.count_nonzero(some_of) >= _RECORDS * np.count_nonzero(all_of):
            yield group


def _within(sums: FloatArray, low: IntColumn, high: IntColumn) -> FloatArray:
    return sums[high] - sums[low]


def _decided(aligned: Aligned, marks: Marks) -> Iterator[tuple[FieldColumn, bool]]:
    """Yield the columns that some records have as content and others do not, and whether all should."""
    title = named_columns(aligned, 0).get("title")
    for column in columns_of(aligned, 0):
        held = sum(bool(marks[leaves].any()) for leaves in column.leaves.values())
        if held == len(column.leaves) or column.coverage < _HALF:
            continue
        if (title is not None and column.place == title.place) or held >= _HALF * len(column.leaves):
            yield column, True
        elif held and column.length <= _LABEL:
            yield column, False
