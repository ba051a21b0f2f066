"""The fields of records that are content: each in all records of a group or in none, and the title in all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ...page.arrays import FloatArray, IntColumn, Marks, prefix_sums
from ...page.page import Page
from ...segment.record_groups import RecordGroup, find_record_groups
from .body import body_place
from .columns import FieldColumn, columns_of
from .field_columns import Aligned, align
from .field_names import named_columns

#: Least number of records; least share of them with content, and of their text that is content, for a group to be so.
_FEWEST, _RECORDS, _TEXT = 3, 0.5, 0.5
#: Share of the records with a text at some place from which on all have it as content, and of who wrote it, when, and
#: buttons, which rarely are; share up to which none have, and most characters of what none have.
_HALF, _MOST, _FEW, _LABEL = 0.5, 0.8, 0.2, 60.0
#: Fields that are content if anything of the records is.
_ALWAYS = ("title", "price")
_BUTTONS, _BUTTON = frozenset(("button", "label", "option")), re.compile(r"(?:^|[-_ ])(?:btn|button|cta)(?:$|[-_ ])")


def whole_records(page: Page, marks: Marks, shown: Marks, *, least: float = _TEXT) -> Marks:
    """Complete the marks of records that are content, bool (leaves,).

    A text that most records have at the same place is in all of them if it is content in half of those; titles and
    prices are in all, dates, names and buttons in none unless they are content in most. ``shown``, bool (leaves,), marks visible text; ``least`` is the share
    of a group's text from which on the group is content.
    """
    whole, owner = marks.copy(), None
    for group, whole_text in content_groups(page, marks, shown, least=least):
        if len(group.outer) < _FEWEST or whole_text:
            continue
        owner = page.nearest(page.block_level) if owner is None else owner
        aligned = align(page, group, shown, owner)
        for column, wanted in _decided(aligned, marks):
            for leaves in column.leaves.values():
                if wanted and not marks[leaves].any():
                    whole[leaves] = True
                elif not wanted and _is_line(page, leaves, whole, owner):
                    whole[leaves] = False
    return whole


def _is_line(page: Page, leaves: list[int], marks: Marks, owner: IntColumn) -> bool:
    """Return whether texts are whole lines of the content: a date within a line leaves a hole."""
    rows = np.unique(owner[page.leaves[leaves]])
    near = np.arange(page.leaf_range[rows, 0].min(), page.leaf_range[rows, 1].max())
    same = near[np.isin(owner[page.leaves[near]], rows) & marks[near]]
    return bool(np.isin(same, leaves).all())


def content_groups(
    page: Page, marks: Marks, shown: Marks, *, least: float = _TEXT
) -> Iterator[tuple[RecordGroup, bool]]:
    """Yield the groups whose records are mostly content, each with whether it is all of their text."""
    size = page.leaf_lengths.astype(np.float64) * shown
    every, held = prefix_sums(size), prefix_sums(size * marks)
    for group in find_record_groups(page):
        first, end = np.asarray(group.outer).T
        low, high = page.leaf_range[first, 0], page.leaf_range[end - 1, 1]
        all_of, some_of = _within(every, low, high), _within(held, low, high)
        enough = np.count_nonzero(some_of) >= _RECORDS * np.count_nonzero(all_of)
        if enough and some_of.sum() >= least * max(all_of.sum(), 1.0):
            yield group, bool((some_of == all_of).all())


def _within(sums: FloatArray, low: IntColumn, high: IntColumn) -> FloatArray:
    return sums[high] - sums[low]


def _decided(aligned: Aligned, marks: Marks) -> Iterator[tuple[FieldColumn, bool]]:
    """Yield the columns that some records have as content and others do not, and whether all should."""
    columns = [column for column in columns_of(aligned, 0) if column.coverage >= _HALF]
    fields = {column.place: name for name, column in named_columns(aligned, body_place(aligned)).items()}
    repeated = {leaf for cells in aligned.cells for leaf in cells.boilerplate}
    held = {
        column.place: sum(bool(marks[leaves].any()) for leaves in column.leaves.values()) / len(column.leaves)
        for column in columns
    }
    # Titles alone are a menu.
    described = any(share >= _HALF and fields.get(place) not in _ALWAYS for place, share in held.items())
    for column in columns:
        share, name = held[column.place], fields.get(column.place, "")
        button = _is_button(column, repeated)
        if share == 1:
            continue
        if (name in _ALWAYS and described) or share >= (_MOST if name or button else _HALF):
            yield column, True
        elif share and (name or button or (share <= _FEW and column.length <= _LABEL)):
            yield column, False


def _is_button(column: FieldColumn, repeated: set[int]) -> bool:
    """Return whether the texts are buttons, by tag or class, or links with the same words in most records."""
    same = sum(leaf in repeated for some in column.leaves.values() for leaf in some) >= _HALF * len(column.leaves)
    called = column.linked >= _HALF and column.length <= _LABEL and _BUTTON.search(column.called) is not None
    return called or bool(column.tags & _BUTTONS) or (same and column.linked >= _HALF)
