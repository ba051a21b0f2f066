"""The fields of records that are content: each in all records of a group or in none, and the title in all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ..page.arrays import HALF, MOST, SOME, IntColumn, Marks, prefix_sums
from ..page.page import Page
from ..segment.blocks import text_runs
from ..segment.record_groups import RecordGroup
from .candidates import RecordCandidates
from .field_columns import FEWEST, Aligned, leaf_text
from .field_names import GroupColumns
from .field_values import LONGEST
from .text_columns import FieldColumn

#: Fields that are content if anything of the records is.
_ALWAYS = ("title", "price")
#: Elements of which records with fields have some: lists of sentences have none.
_PARTS = ("a", "h1", "h2", "h3", "h4", "h5", "h6", "img", "time", "span", "div", "td", "small", "b", "strong")
_BUTTONS, _BUTTON = frozenset(("button", "label", "option")), re.compile(r"(?:^|[-_ ])(?:btn|button|cta)(?:$|[-_ ])")


def whole_records(records: RecordCandidates, marks: Marks) -> Marks:
    """Complete the marks of records that are content, bool (leaves,).

    A text that most records have at the same place is in all of them if it is content in half of those; titles and
    prices are in all; dates, names and buttons in none unless they are content in most.
    """
    page, whole, runs = records.page, marks.copy(), None
    parts = prefix_sums(page.has_tag(*_PARTS))
    for group, whole_text in _content_groups(records, marks):
        first, end = group.outer[0][0], group.outer[-1][1]
        if len(group.outer) < FEWEST or whole_text or parts[end] == parts[first]:
            continue
        runs = text_runs(page, page.leaves, page.block_level, breaks=1) if runs is None else runs
        aligned = records.aligned(group)
        added, dropped, buttons = _decided(aligned, records.columns_of(group), marks)
        whole[[*added]], whole[[*buttons]] = True, False
        for line in _lines(aligned, runs, whole):
            # A date within a line leaves a hole.
            if not dropped.isdisjoint(line) and (dropped.issuperset(line) or _is_label(page, line, added)):
                whole[line] = False
    return whole


def _lines(aligned: Aligned, runs: IntColumn, marks: Marks) -> list[list[int]]:
    """Return the leaves of the content of each line of the records."""
    lines: dict[int, list[int]] = {}
    for cells in aligned.cells:
        for leaf in cells.leaves:
            if marks[leaf]:
                lines.setdefault(int(runs[leaf]), []).append(leaf)
    return [*lines.values()]


def _is_label(page: Page, line: list[int], added: set[int]) -> bool:
    return added.isdisjoint(line) and sum(len(leaf_text(page, leaf)) for leaf in line) <= LONGEST


def _content_groups(records: RecordCandidates, marks: Marks) -> Iterator[tuple[RecordGroup, bool]]:
    """Yield the groups of which half is content, each with whether it is all of their text."""
    if not records.groups:
        return
    start, _, _, low, high = records.outer
    size = records.page.leaf_lengths * records.shown
    # Of each record; sums of whole numbers are exact in any order.
    all_of, some_of = (sums[high] - sums[low] for sums in map(prefix_sums, (size, size * marks)))
    every, some, equal = (
        np.add.reduceat(one, start, dtype=np.intp) for one in (all_of > 0, some_of > 0, some_of == all_of)
    )
    enough = (some >= HALF * every) & (
        np.add.reduceat(some_of, start) >= HALF * np.maximum(np.add.reduceat(all_of, start), 1)
    )
    for number in enough.nonzero()[0].tolist():
        yield records.groups[number], bool(equal[number] == len(records.groups[number].outer))


def _decided(aligned: Aligned, known: GroupColumns, marks: Marks) -> tuple[set[int], set[int], set[int]]:
    """Return the leaves that are content as others at their place are, and those that are not; then such of buttons."""
    columns = [column for column in known.columns if column.coverage >= HALF]
    fields = {column.place: name for name, column in known.named.items()}
    repeated = set[int]().union(*(cells.boilerplate for cells in aligned.cells))
    held = {
        column.place: sum(bool(marks[leaves].any()) for leaves in column.leaves.values()) / len(column.leaves)
        for column in columns
    }
    # Titles alone are a menu.
    described = any(share >= HALF and fields.get(place) not in _ALWAYS for place, share in held.items())
    added, dropped, buttons = set[int](), set[int](), set[int]()
    for column in columns:
        share, name, button = held[column.place], fields.get(column.place, ""), _is_button(column, repeated)
        rare = button or name not in ("", *_ALWAYS)
        if (described and name in _ALWAYS) or share >= (MOST if rare else HALF):
            added |= _whole_texts(column, marks)
        elif share and (rare or (share <= SOME and column.length <= LONGEST)):
            (buttons if button else dropped).update(*column.leaves.values())
    return added, dropped, buttons


def _whole_texts(column: FieldColumn, marks: Marks) -> set[int]:
    """Return the content of the texts of a column, and all of those without content."""
    texts = column.leaves.values()
    return {leaf for leaves in texts for leaf in leaves if marks[leaf] or not marks[leaves].any()}


def _is_button(column: FieldColumn, repeated: set[int]) -> bool:
    """Return whether the texts are buttons, by tag or class, or links with the same words in most records."""
    same = sum(leaf in repeated for some in column.leaves.values() for leaf in some) >= HALF * len(column.leaves)
    called = column.linked >= HALF and column.length <= LONGEST and _BUTTON.search(column.called) is not None
    return called or bool(column.tags & _BUTTONS) or (same and column.linked >= HALF)
