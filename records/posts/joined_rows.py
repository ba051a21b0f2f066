"""Posts that are several siblings each: rows of a table with the date in one of them, the text or buttons in others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ...page.arrays import HALF, BoolColumn, Marks, prefix_sums
from ...page.page import Page
from ...segment.record_groups import RecordGroup
from ..candidates import RecordCandidates
from ..field_values import LONGEST, is_moment, is_when

#: Most siblings of one post, and their tags: messages of a chat, of which only some have a time, are made otherwise.
_LONGEST, _TABLES = 6, ("tr", "table")

#: What is alike in siblings of the same kind: the children by tag and columns, or the place of a date.
Layout = tuple[object, ...]


def whole_posts(records: RecordCandidates, group: RecordGroup) -> RecordGroup:
    """Return a group with all siblings of each post as one record, without what is around the posts."""
    page, said = records.page, _held(records, records.prose > 0)
    rows = _rows(records, group) if group.tag in _TABLES else []
    layouts = [_layout(page, row) for row in rows]
    for dated in _dated(records, rows):
        if _are_parts(layouts, dated, int(said[rows].sum())):
            spans = [(rows[first], int(page.end[rows[end - 1]])) for first, end in _posts(layouts, dated)]
            return replace(group, spans=tuple(spans))
    kept = [number for number, (first, end) in enumerate(group.spans) if said[first] or is_dated(records, first, end)]
    return replace(group, spans=group.spans[kept[0] : kept[-1] + 1]) if kept else group


def _are_parts(layouts: Sequence[Layout], dated: Sequence[int], saying: int) -> bool:
    """Return whether the siblings between dated ones are parts of posts, given how many of all say something.

    They have other cells, or always as many of them say nothing.
    """
    gaps = [after - before for before, after in pairwise(dated)]
    alike = {layouts[number] for number in dated}
    apart = all(layouts[number] not in alike for number in {*range(dated[0], dated[-1])}.difference(dated))
    regular = min(gaps) == max(gaps) and saying <= len(dated)
    most = dated[-1] - dated[0] + max(gaps) >= HALF * len(layouts)
    return most and min(gaps) > 1 and max(gaps) <= _LONGEST and saying >= HALF * len(dated) and (apart or regular)


def _posts(layouts: Sequence[Layout], dated: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first sibling and the end of each post: those before the date that are alike in all are of it."""
    gaps, ahead = [after - before for before, after in pairwise(dated)], 0
    while ahead < min(min(gaps) - 1, dated[0]) and len({layouts[number - ahead - 1] for number in dated}) == 1:
        ahead += 1
    starts = [number - ahead for number in dated]
    return [*zip(starts, [*starts[1:], min(starts[-1] + max(gaps), len(layouts))], strict=True)]


def is_dated(records: RecordCandidates, first: int, end: int) -> bool:
    """Return whether the rows ``[first, end)`` have a date or a time of day, which is known before fields are read."""
    page = records.page
    short = (
        text
        for text in records.texts[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]]
        if 0 < len(text) <= LONGEST
    )
    return bool(page.has_tag("time")[first:end].any()) or any(map(is_when, short))


def _rows(records: RecordCandidates, group: RecordGroup) -> list[int]:
    page = records.page
    shown = page.has_tag(group.tag) & (page.parent == group.node) & _held(records, records.characters > 0)
    rows: list[int] = shown.nonzero()[0].tolist()
    return rows


def _held(records: RecordCandidates, leaves: Marks) -> BoolColumn:
    """Return the nodes with some of the leaves."""
    sums, (low, high) = prefix_sums(leaves), records.page.leaf_range.T
    held: BoolColumn = sums[high] > sums[low]
    return held


def _layout(page: Page, row: int) -> Layout:
    cells = [child for child in range(row + 1, page.end[row]) if page.parent[child] == row]
    return tuple((page.tag_of(cell), page.attributes_of(cell).get("colspan", "")) for cell in cells)


def _dated(records: RecordCandidates, rows: Sequence[int]) -> list[list[int]]:
    """Return the numbers of the siblings with a date at one place each, those of most posts and with an hour first."""
    page, found, moments = records.page, defaultdict[Layout, list[int]](list), defaultdict[Layout, int](int)
    for number, row in enumerate(rows):
        low, high = page.leaf_range[row].tolist()
        for leaf in range(low, high):
            text = records.texts[leaf]
            if not 0 < len(text) <= LONGEST or not is_when(text):
                continue
            path, above = list[object](), int(page.parent[page.leaves[leaf]])
            while above > row:
                path.append((page.tag_of(above), page.attributes_of(above).get("colspan", "")))
                above = int(page.parent[above])
            if number not in found[tuple(path)]:
                found[tuple(path)].append(number)
                moments[tuple(path)] += is_moment(text)
    several = [path for path, numbers in found.items() if len(numbers) > 1]
    return [found[path] for path in sorted(several, key=lambda path: (-len(found[path]), -moments[path]))]
