"""Repeated records by markup: siblings with the same template, and elements of that template elsewhere on the page.

Siblings with the same tag that share most of their shape or of their class names are records (MDR: Liu, Grossman & Zhai
2003). Groups with the same tag paths belong together although they are in different rows of a grid (tag path
clustering: Miao et al. 2009), and so do elements of the same template inside a record: replies below replies. Each
element is compared with a bounded number of kinds, so the time is linear in the size of the page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, FloatArray, Marks, prefix_sums, span_sums
from ..page.clean_text import text_below
from ..page.hidden import Hidden
from ..page.html import TEXT
from ..page.page import Page
from ..page.visibility import hidden_leaves
from .shape import CELLS, LATEST, ClassNames, Kind, Names, Shape, Shapes, kind_of, same_template, sibling_kinds
from .table_entries import TableEntries

Span = tuple[int, int]

#: Elements of running text, and elements that never contain a record.
_PROSE = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br", "figure", "form", "select", "svg")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: Elements that are list entries even if they contain only text.
_ENTRIES = frozenset(("li", "tr", "dt", "dd", "article"))
#: Pictures and players count as content of a record, but for those of the width or height of a spacer.
_PICTURES, _THIN = ("img", "picture", "video", "audio", "iframe", "svg"), ("0", "1", "2", "3")
#: Share of a group's records that need a class name for it to be a name of the group.
_MOST = 0.8
#: Least ratio of the smallest to the largest text of two or three siblings without class names, and least share of
#: their tag paths that all of them have.
_EVEN, _COMMON_PATHS = 0.15, 0.5
#: Mean share of a record's tag paths that most records of the group have.
_UNIFORM = 0.4
#: Most siblings of one record, and least repetitions of such a row.
_LONGEST, _FEWEST = 4, 3
#: Share of a group's text in smaller records inside it from which these are the records instead.
_INNER_SHARE = 0.6
#: Levels up to the common ancestor of groups that are joined; most groups of a page that are examined.
_JOIN_LEVELS, _MOST_GROUPS = 3, 1500


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordGroup:
    """Records with the same template."""

    node: int  # element around all of them
    spans: tuple[Span, ...]  # (int, int): rows [first, end) of each, in document order, each before those inside it
    tag: str  # tag of the first element of each
    names: Names  # class names that nearly all of these have, digits as "#"

    @cached_property
    def outer(self) -> tuple[Span, ...]:
        """Records that are in no other record of the group."""
        outer: list[Span] = []
        for span in self.spans:
            if not outer or span[0] >= outer[-1][1]:
                outer.append(span)
        return tuple(outer)


def visible_or_covered(page: Page) -> Marks:
    """Return the leaves that are visible or covered only by an overlay, bool (leaves,)."""
    return ~hidden_leaves(page)


def find_record_groups(page: Page, shown: Marks | None = None) -> list[RecordGroup]:
    """Return the repeated records of a page by its markup, rendered or not, in the order of their first records.

    ``shown`` marks the text leaves that count, by default :func:`visible_or_covered`. Each part of the page is in the
    records of at most one group.
    """
    return _GroupFinder(page, visible_or_covered(page) if shown is None else shown).find()


def _is_inside(row: int, group: RecordGroup) -> bool:
    """Return whether a row is below the first element of one of the group's records."""
    index = bisect_left(group.spans, (row, 0)) - 1
    return index >= 0 and group.spans[index][0] < row < group.spans[index][1]


class _GroupFinder:
    """Shapes, sizes and class names of a page's elements, and the groups found from them."""

    def __init__(self, page: Page, shown: Marks) -> None:
        self.page = page
        self.sums = prefix_sums(page.leaf_lengths.astype(np.float64) * shown)
        self.characters = self.sums[page.leaf_range[:, 1]] - self.sums[page.leaf_range[:, 0]]
        self.counted = _counted(page, self.characters)
        self.shapes = Shapes(page, self.counted)
        # Views return integers of Python, as lists do, of which those of all nodes are slow to make.
        self.parent, self.end, tags = page.parent.data, page.end.data, page.tag.data
        self.tag_of: Callable[[int], str] = lambda row: page.names[tags[row]]
        self.possible = self.counted & ~page.has_tag(*_PROSE)
        self.names, self._classes = ClassNames(page, self.possible.nonzero()[0]), page.attribute("class").data
        self.entries = TableEntries(page, self.counted)

    def find(self) -> list[RecordGroup]:
        groups = [group for family in self._families() for group in self._sibling_groups(*family)]
        groups = _distinct([self._extend(group) for group in self._join_groups(groups[:_MOST_GROUPS])])
        groups = groups if len(groups) < 2 else self._choose_levels(groups)
        return sorted(groups, key=lambda group: (group.spans[0][0], -group.spans[0][1]))

    def names_of(self, row: int) -> Names:
        return self.names[self._classes[row]]

    # -- siblings -------------------------------------------------------------------------------------------------

    def _candidates(self) -> NDArray[np.intp]:
        """Return the elements that can be records, siblings together."""
        page, inside = self.page, self.page.below(self.page.has_tag("svg", "select", "pre", "p"))
        rows = (self.possible & (page.parent >= 0)).nonzero()[0]
        rows = rows[~inside[page.parent[rows]]]
        return rows[np.argsort(page.parent[rows], kind="stable")]

    def _families(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield elements with two or more children of one kind, those that can be records, and the kinds of these."""
        rows = self._candidates()
        if not len(rows):
            return
        parents = self.page.parent[rows]
        bounds = np.concatenate([[0], (parents[1:] != parents[:-1]).nonzero()[0] + 1, [len(rows)]])
        starts, counts = bounds[:-1], bounds[1:] - bounds[:-1]
        alone = several = counts > 1
        if (kinds := sibling_kinds(self.page, rows, self.shapes, self.names)) is not None:
            alone = several & np.logical_or.reduceat(self.page.has_tag("tr")[rows], starts)
            several = alone | (np.maximum.reduceat(kinds, starts) + 1 < counts)
        for number in several.nonzero()[0].tolist():
            family = slice(starts[number], starts[number] + counts[number])
            members = rows[family].tolist()
            numbers = self._kinds(members) if kinds is None or alone[number] else kinds[family].tolist()
            if max(numbers) + 1 < len(numbers):
                yield self.parent[members[0]], members, numbers

    def _sibling_groups(self, above: int, rows: list[int], numbers: list[int]) -> list[RecordGroup]:
        """Return the groups of some siblings, given the numbers of their kinds."""
        if self.tag_of(rows[0]) == "tr" and (entries := self.entries.of(rows)):
            return [self._group(above, entries)]
        kinds: list[list[int]] = [[] for _ in range(max(numbers) + 1)]
        for row, number in zip(rows, numbers, strict=True):
            kinds[number].append(row)
        groups, grouped = [], set[int]()
        for spans in self._repeated_rows(rows, numbers) if len(kinds) > 1 else ():
            first, last = bisect_left(rows, spans[0][0]), bisect_left(rows, spans[-1][1])
            inside = Counter(numbers[first:last])
            # Siblings that are mostly elsewhere are records of their own, with other elements between some of them.
            if all(count >= _MOST * len(kinds[kind]) for kind, count in inside.items()):
                groups.append(self._group(above, spans))
                grouped |= inside.keys()
        for number, members in enumerate(kinds):
            if len(members) > 1 and number not in grouped and self._is_template(members):
                groups.append(self._group(above, [(row, self.end[row]) for row in members]))
        return groups

    def _kinds(self, rows: list[int]) -> list[int]:
        """Return the number of each sibling's kind."""
        kinds, numbers = list[Kind](), list[int]()
        # Most siblings equal one before them; a sibling that fitted none of the kinds then fits none of them now.
        number_of: dict[tuple[str, Shape, Names], int] = {}
        for row in rows:
            template = (self.tag_of(row), self.shapes.of(row), self.names_of(row))
            first = max(len(kinds) - LATEST, 0)
            if (number := number_of.get(template, -1)) < first:
                number = number_of[template] = kind_of(kinds, first, *template)
            if number == len(kinds):
                kinds.append((*template, []))
            kinds[number][3].append(row)
            numbers.append(number)
        return numbers

    def _is_template(self, members: list[int]) -> bool:
        return self._is_entry(members) and self._is_even(members) and self._is_uniform(members)

    def _is_uniform(self, members: list[int]) -> bool:
        """Return whether siblings share most of their tag paths, unlike the sections of a page."""
        numbers = [*map(self.shapes.numbers.__getitem__, members)]
        if numbers.count(numbers[0]) == len(numbers):
            return True
        shapes = [self.shapes.of(row) for row in members]
        counts = Counter(path for shape in shapes for path in shape)
        common = {path for path, count in counts.items() if count * 2 > len(shapes)}
        parts = [len(shape & common) / max(len(shape | common), 1) if shape or common else 1.0 for shape in shapes]
        return sum(parts) >= _UNIFORM * len(parts)

    def _is_entry(self, members: list[int]) -> bool:
        """Return whether siblings contain more than a line of text each, or are list entries by their tag."""
        if self.tag_of(members[0]) in _ENTRIES:
            return True
        paths = [*map(self.shapes.sizes.__getitem__, members)]
        with_elements = len(paths) - paths.count(0)
        with_several = with_elements - paths.count(1)
        if with_several * 2 < len(members) and len(members) >= _FEWEST and self.tag_of(members[0]) == "div":
            # Parts of a line with the same tag: name, time and words of a chat, an event and its time.
            with_several = sum(self._has_different_parts(row) for row in members)
        return with_elements >= _MOST * len(members) and with_several * 2 >= len(members)

    def _has_different_parts(self, above: int) -> bool:
        """Return whether children differ by their class names, or by having letters."""
        children = [row for row in range(above + 1, self.end[above]) if self.counted[row] and self.parent[row] == above]
        in_words = {any(map(str.isalpha, text_below(self.page, child))) for child in children}
        return len(in_words) > 1 or len({self.names_of(child) for child in children} - {frozenset()}) > 1

    def _is_even(self, members: list[int]) -> bool:
        """Return whether siblings are of similar size: two or three without class names may be the parts of a page."""
        if len(members) > _FEWEST or frozenset.intersection(*map(self.names_of, members)):
            return True
        if self.tag_of(members[0]) in _ENTRIES:
            return True
        sizes = [float(self.characters[row]) for row in members]
        shapes = [self.shapes.of(row) for row in members]
        similar = len(frozenset.intersection(*shapes)) >= _COMMON_PATHS * len(frozenset.union(*shapes))
        return similar and min(sizes) >= _EVEN * max(sizes)

    def _repeated_rows(self, rows: list[int], kinds: list[int]) -> list[list[Span]]:
        """Return rows of two to four different siblings that repeat: heading and text, title and metadata."""
        for length in range(2, min(_LONGEST, len(set(kinds)), len(kinds) // _FEWEST) + 1):
            repeated, index = [], 0
            while index + _FEWEST * length <= len(kinds):
                pattern, count = kinds[index : index + length], 1
                if len(set(pattern)) == length:
                    while kinds[index + count * length : index + (count + 1) * length] == pattern:
                        count += 1
                if count >= _FEWEST:
                    firsts = range(index, index + count * length, length)
                    repeated.append([(rows[first], self.end[rows[first + length - 1]]) for first in firsts])
                index += count * length if count >= _FEWEST else 1
            if repeated:
                return repeated
        return []

    def _group(self, above: int, spans: list[Span]) -> RecordGroup:
        of_code, classes = self.names, self._classes
        named = [of_code[classes[first]] for first, _ in spans]
        names = named[0]
        if named.count(names) < len(named):
            counts = Counter(name for one in named for name in one)
            names = frozenset(name for name, count in counts.items() if count >= _MOST * len(spans))
        return RecordGroup(node=above, spans=tuple(spans), tag=self.tag_of(spans[0][0]), names=names)

    # -- other elements of the same template ------------------------------------------------------------------------

    def _join_groups(self, groups: list[RecordGroup]) -> list[RecordGroup]:
        """Join groups of the same template with a common ancestor a few levels up: the rows of a grid."""
        by_key: dict[tuple[object, ...], list[RecordGroup]] = defaultdict(list)
        for group in groups:
            by_key[self._group_key(group)].append(group)
        result = []
        for same_key in by_key.values():
            rest = same_key
            while rest:
                first, others = rest[0], rest[1:]
                around = self._ancestor(first.node, _JOIN_LEVELS - 1) if others else first.node
                near = [other for other in others if around <= other.node < self.end[around]]
                rest = [other for other in others if not around <= other.node < self.end[around]] if others else []
                spans = sorted({span for other in (first, *near) for span in other.spans}) if near else ()
                result.append(replace(first, node=around, spans=tuple(spans)) if near else first)
        return result

    def _group_key(self, group: RecordGroup) -> tuple[object, ...]:
        parent = group.node
        alone = group.spans[0][1] == self.end[group.spans[0][0]]
        names = (group.names, self.names_of(parent)) if group.names else (self._tag_path(parent),)
        return (group.tag, alone, int(self.page.depth[parent]), self.tag_of(parent), *names)

    def _tag_path(self, row: int) -> tuple[str, ...]:
        tags = []
        while row >= 0:
            tags.append(self.tag_of(row))
            row = self.parent[row]
        return tuple(tags)

    def _ancestor(self, row: int, steps: int) -> int:
        for _ in range(steps):
            above = self.parent[row]
            if above < 0 or self.tag_of(row) in ("body", "main"):
                break
            row = above
        return row

    def _extend(self, group: RecordGroup) -> RecordGroup:
        """Add elements of the same template and class names: inside records, or alone in their row of a grid."""
        if not group.names or any(end != self.end[first] for first, end in group.spans):
            return group
        around, firsts = self._ancestor(group.node, _JOIN_LEVELS - 1), {first for first, _ in group.spans}
        rows = {*self.names.rows_named(group.names, around, self.end[around])} - firsts
        if not rows:
            return group
        shape = self.shapes.of(max(firsts, key=lambda row: (self.shapes.sizes[row], -row)))
        depth, parent_key = self.page.depth[group.spans[0][0]], self._parent_key(group.spans[0][0])
        more = [
            row
            for row in rows
            if self.tag_of(row) == group.tag
            and same_template(shape, self.shapes.of(row))
            and (_is_inside(row, group) or (self.page.depth[row] == depth and parent_key == self._parent_key(row)))
        ]
        spans = sorted([*group.spans, *((row, self.end[row]) for row in more)], key=lambda span: (span[0], -span[1]))
        return replace(group, node=around, spans=tuple(spans)) if more else group

    def _parent_key(self, row: int) -> tuple[str, Names]:
        return self.tag_of(self.parent[row]), self.names_of(self.parent[row])

    # -- levels ---------------------------------------------------------------------------------------------------

    def _choose_levels(self, groups: list[RecordGroup]) -> list[RecordGroup]:
        """Remove groups that consist mostly of other groups, then groups inside the records of the others."""
        outer = [group.outer for group in groups]
        size = _sizes(self.page, self.sums, outer)
        order = np.argsort(-size, kind="stable").tolist()
        count = np.asarray([*map(len, outer)])
        low, high = np.asarray([(spans[0][0], spans[-1][1]) for spans in outer]).reshape(-1, 2).T
        meet = (low[:, None] < high) & (high[:, None] > low) & ~np.eye(len(outer), dtype=bool)
        smaller = meet & (count >= 1.5 * count[:, None]) & (size >= _INNER_SHARE * size[:, None])
        kept = []
        for group in order:
            inner = smaller[group].nonzero()[0].tolist()
            titled = inner and _have(self.page, outer[group], *_HEADINGS).all()
            if not any(
                _contained_in(outer[other], outer[group])
                # The points of plans with a heading each are their text, and the rows of a small table are one entry.
                and not (titled and _are_plain(self.page, outer[other]))
                and not self._are_one_entry(outer[other])
                for other in inner
            ):
                kept.append(group)
        chosen: list[int] = []
        for group in kept:
            if not any(meet[group, other] and _contained_in(outer[group], outer[other]) for other in chosen):
                chosen.append(group)
        return [groups[number] for number in chosen]

    def _are_columns(self, spans: tuple[Span, ...]) -> bool:
        """Return whether cells differ by their column, in most rows in the same way: each row is one record then."""
        rows = defaultdict[int, tuple[int, ...]](tuple)
        for first, _ in spans:
            rows[self.parent[first]] += (self.shapes.numbers[first],)
        usual, count = Counter(rows.values()).most_common(1)[0]
        return len({*usual}) > 1 and count * 2 > len(rows)

    def _are_one_entry(self, spans: tuple[Span, ...]) -> bool:
        """Return whether table rows are those of entries with a table each, or cells those of one entry a row."""
        rows = [first for first, _ in spans]
        if self.tag_of(rows[0]) != "tr":
            return self.tag_of(rows[0]) in CELLS and self._are_columns(spans)
        if len({self.parent[row] for row in rows}) < len(rows) // _LONGEST:
            return False
        return {first for first, _ in self.entries.of(rows)} >= {
            row for row, before in zip(rows, [-1, *rows], strict=False) if self.parent[row] != self.parent[before]
        }


def _counted(page: Page, characters: FloatArray) -> BoolColumn:
    """Return the elements with visible content, bool (nodes,)."""
    spacer = page.attribute_matches("height", _THIN.__contains__) | page.attribute_matches("width", _THIN.__contains__)
    pictures = page.count_within(page.has_tag(*_PICTURES) & ~spacer & (page.declared_hidden == Hidden.VISIBLE))
    return ((characters > 0) | (pictures > 0)) & page.in_source & ~page.has_tag(TEXT)


def _sizes(page: Page, sums: FloatArray, outer: list[tuple[Span, ...]]) -> FloatArray:
    """Return the visible characters of each group; sums of whole numbers are exact in any order."""
    first, end = np.asarray([span for spans in outer for span in spans]).T
    leaves, records = page.leaf_range, np.asarray([len(spans) for spans in outer])
    characters = sums[leaves[end - 1, 1]] - sums[leaves[first, 0]]
    return np.add.reduceat(characters, np.cumsum(records) - records)


def _are_plain(page: Page, spans: tuple[Span, ...]) -> bool:
    """Return whether records are entries of lists without links, headings and pictures."""
    return page.tag_of(spans[0][0]) == "li" and not _have(page, spans, "a", *_HEADINGS, *_PICTURES).any()


def _have(page: Page, spans: tuple[Span, ...], *tags: str) -> BoolColumn:
    """Return which records have an element with one of these tags, bool (records,)."""
    first, end = np.ascontiguousarray(np.asarray(spans).T)
    return span_sums(page.has_tag(*tags), first, end) > 0


def _distinct(groups: list[RecordGroup]) -> list[RecordGroup]:
    distinct: list[RecordGroup] = []
    covered: set[Span] = set()
    for group in sorted(groups, key=lambda group: -len(group.spans)):
        if not set(group.spans) <= covered:
            distinct.append(group)
            covered |= set(group.spans)
    return distinct


def _contained_in(spans: tuple[Span, ...], outer: tuple[Span, ...]) -> bool:
    if spans[0][0] >= outer[-1][1] or spans[-1][1] <= outer[0][0]:
        return False
    inside = 0
    for first, end in spans:
        index = bisect_left(outer, (first, 1 << 60)) - 1
        inside += index >= 0 and outer[index][0] <= first and end <= outer[index][1]
    return inside * 2 > len(spans)
