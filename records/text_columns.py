"""Columns of records: the texts at one place of them, which a field may have."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..page.arrays import NEARLY_ALL
from ..page.clean_text import clean_leaves
from .field_columns import HEADINGS, Aligned

#: Elements that cross their text out.
STRUCK = frozenset(("del", "s", "strike"))
#: Texts between others of a line.
_SEPARATOR, _SEPARATORS = re.compile(r"[|·•/,;:()\[\]‒–—-]+"), frozenset("|·•/,;:()[]‒–—-")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldColumn:
    """The texts at one place of the records.

    ``leaves`` and ``texts`` are by record; ``tags`` and ``called`` the tags and class names on the path. ``coverage``
    is the share of records with a text, ``distinct`` that of different texts, ``linked`` and ``within`` those of leaves
    in links and in the text of the record, ``repeated`` that of records with several leaves, ``order`` the median
    position, counted in leaves.
    """

    place: int
    leaves: dict[int, list[int]]
    texts: dict[int, str]
    tags: frozenset[str]
    called: str
    coverage: float
    distinct: float
    linked: float
    within: float
    repeated: float
    order: float

    def rate(self, test: Callable[[str], object], least: float = 0.0) -> float:
        """Return the share of texts that pass a test, 0 for a share below the least one."""
        count, passed = len(self.texts), len(self.texts)
        for text in self.texts.values():
            if not test(text):
                passed -= 1
                if passed / count < least:
                    return 0.0
        return passed / count

    @property
    def length(self) -> float:
        """Mean number of characters."""
        return sum(map(len, self.texts.values())) / len(self.texts)


def _is_separator(text: str) -> bool:
    """Return whether a text only separates others of its line: the bar after a date."""
    return text[:1] in _SEPARATORS and _SEPARATOR.fullmatch(text) is not None


def _join_links(aligned: Aligned, leaves: dict[int, dict[int, list[int]]], order: dict[int, list[int]]) -> None:
    """Join columns that are links in some records and plain text in others: names with and without a home page."""
    for place in sorted(leaves, reverse=True):
        above = aligned.places[place].above
        if aligned.places[place].tag == "a" and above in leaves and leaves[above].keys().isdisjoint(leaves[place]):
            leaves[above] |= leaves.pop(place)
            order[above] += order.pop(place)


def _join_only(aligned: Aligned, leaves: dict[int, dict[int, list[int]]], order: dict[int, list[int]]) -> None:
    """Join columns that are the only text of an element with different markup: names of staff and members."""
    below: dict[int, set[int]] = {}
    for column in leaves:
        for place in aligned.paths[column][:-1]:
            below.setdefault(place, set()).add(column)
    for place in sorted(below):
        _join_exclusive(aligned, sorted(column for column in below[place] if column in leaves), leaves, order)


def _join_headings(aligned: Aligned, leaves: dict[int, dict[int, list[int]]], order: dict[int, list[int]]) -> None:
    """Join the headings of records that have one each, at other levels or places: large and small cards."""
    headed = sorted(column for column in leaves if not HEADINGS.isdisjoint(aligned.tags[column]))
    _join_exclusive(aligned, headed, leaves, order)


def _join_exclusive(
    aligned: Aligned, parts: list[int], leaves: dict[int, dict[int, list[int]]], order: dict[int, list[int]]
) -> None:
    """Join columns if no record has two of them, and nearly all have one."""
    count = sum([len(leaves[column]) for column in parts])
    if len(parts) < 2 or not NEARLY_ALL * len(aligned.cells) <= count <= len(aligned.cells):
        return
    if len({record for column in parts for record in leaves[column]}) == count:
        for column in parts[1:]:
            leaves[parts[0]] |= leaves.pop(column)
            order[parts[0]] += order.pop(column)


def columns_of(aligned: Aligned, body: int) -> list[FieldColumn]:
    """Return the columns of records, in the order of their first leaves."""
    inside = aligned.below(body) if body else set()
    written, order = clean_leaves(aligned.page), dict[int, list[int]]()
    leaves: dict[int, dict[int, list[int]]] = {}
    for record, cells in enumerate(aligned.cells):
        for number, (leaf, place) in enumerate(zip(cells.leaves, cells.places, strict=True)):
            separates = _is_separator(written[leaf]) and leaf not in cells.joined
            if leaf in cells.signed or (leaf in cells.quoted and place in inside) or separates:
                continue
            by_record = leaves.setdefault(place, {})
            if record not in by_record:
                order.setdefault(place, []).append(number)
            by_record.setdefault(record, []).append(leaf)
    struck = {place: leaves.pop(place) for place in [*leaves] if not STRUCK.isdisjoint(aligned.tags[place])}
    _join_links(aligned, leaves, order)
    _join_only(aligned, leaves, order)
    _join_headings(aligned, leaves, order)
    leaves |= struck
    columns = [
        column_at(aligned, place, by_record, order[place], within=place in inside)
        for place, by_record in leaves.items()
    ]
    return sorted(columns, key=lambda column: (column.order, column.place))


def column_at(
    aligned: Aligned, place: int, leaves: dict[int, list[int]], order: list[int], *, within: bool = False
) -> FieldColumn:
    """Return the column of some leaves at a place by record; ``order`` are their positions in the records."""
    written, every = clean_leaves(aligned.page), [leaf for some in leaves.values() for leaf in some]
    texts = {record: aligned.cells[record].text_of(some, written) for record, some in leaves.items()}
    return FieldColumn(
        place=place,
        leaves=leaves,
        texts=texts,
        tags=aligned.tags[place],
        called=aligned.names[place],
        coverage=len(texts) / len(aligned.cells),
        distinct=len(set(texts.values())) / len(texts),
        linked=int(aligned.linked[every].sum()) / len(every),
        within=float(within),
        repeated=sum([len(some) > 1 for some in leaves.values()]) / len(leaves),
        order=sorted(order)[len(order) // 2],
    )
