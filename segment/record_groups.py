"""Repeated records by markup: siblings with the same template, and elements of that template elsewhere on the page.

Siblings with the same tag that share most of their shape or of their class names are records (MDR: Liu, Grossman & Zhai
2003). Groups with the same tag paths belong together although they are in different rows of a grid (tag path
clustering: Miao et al. 2009), and so do elements of the same template inside a record: replies below replies. Each
element is compared with a bounded number of kinds, so the time is linear in the size of the page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import BoolColumn, Marks, cached_by_owner, prefix_sums
from ..page.hidden import Hidden
from ..page.html import TEXT
from ..page.page import Page
from .shape import Names, NamesByCode, Shape, Shapes, same_template

Span = tuple[int, int]
#: Tag, shape and class names of the first of some siblings, and their rows.
Kind = tuple[str, Shape, Names, list[int]]

#: Elements of running text, and elements that never contain a record.
_PROSE = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br", "figure", "form", "select", "svg")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: Elements that are list entries even if they contain only text.
_ENTRIES = frozenset(("li", "tr", "dt", "dd", "article"))
#: Cells of a row are columns, which may share a class name; only their shape counts.
_CELLS = frozenset(("td", "th"))
#: Pictures and players count as content of a record.
_PICTURES = ("img", "picture", "video", "audio", "iframe", "svg")
#: Number of latest kinds that a sibling is compared with; share of common class names of two siblings of one kind.
_KINDS, _SAME_NAMES = 30, 0.5
#: Share of common tag paths of two siblings of one kind; the same if only one of them has a class name.
_SAME_PATHS, _SAME_PATHS_UNNAMED = 0.5, 0.7
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordGroup:
    """Records with the same template."""

    node: int  # element around all of them
    spans: tuple[Span, ...]  # (int, int): rows [first, end) of each, in document order, each before those inside it
    tag: str  # tag of the first element of each
    names: Names  # class names that nearly all of these have, digits as "#"

    @property
    def outer(self) -> tuple[Span, ...]:
        """Records that are in no other record of the group."""
        outer: list[Span] = []
        for span in self.spans:
            if not outer or span[0] >= outer[-1][1]:
                outer.append(span)
        return tuple(outer)


def visible_or_covered(page: Page) -> Marks:
    """Return the leaves that are visible or covered only by an overlay, bool (leaves,)."""
    leaves: Marks = (page.hidden == Hidden.VISIBLE) | (page.hidden == Hidden.OVERLAY)
    return leaves


def find_record_groups(page: Page, shown: Marks | None = None, *, nested: bool = False) -> list[RecordGroup]:
    """Return the repeated records of a page by its markup, rendered or not, in the order of their first records.

    ``shown`` marks the text leaves that count, by default :func:`visible_or_covered`. By default each part of the page
    is in the records of at most one group; with ``nested`` groups inside records of others are returned too.
    """
    if shown is None and not nested:
        return list(_visible_groups(page))
    return _GroupFinder(page, visible_or_covered(page) if shown is None else shown).find(nested=nested)


@cached_by_owner
def _visible_groups(page: Page) -> list[RecordGroup]:
    """Find the groups of visible text once: the readings of a page, its type and its records need them."""
    return _GroupFinder(page, visible_or_covered(page)).find(nested=False)


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
        self.counted = self._counted()
        self.shapes = Shapes(page, self.counted)
        self.parent, self.end = page.parent.tolist(), page.end.tolist()
        self.tag_of = list(map(page.names.__getitem__, page.tag.tolist())).__getitem__
        self.depth, self.prose = page.depth, page.has_tag(*_PROSE)
        self._classes, self._known = page.attribute("class").tolist(), NamesByCode(page)

    def find(self, *, nested: bool) -> list[RecordGroup]:
        groups = [group for above, rows in self._candidates() for group in self._sibling_groups(above, rows)]
        groups = _distinct([self._extend(group) for group in self._join_groups(groups[:_MOST_GROUPS])])
        if not nested:
            groups = self._choose_levels(groups)
        return sorted(groups, key=lambda group: (group.spans[0][0], -group.spans[0][1]))

    def names_of(self, row: int) -> Names:
        return self._known[self._classes[row]]

    def _counted(self) -> BoolColumn:
        """Return the elements with visible content, bool (nodes,)."""
        page = self.page
        pictures = page.count_within(page.has_tag(*_PICTURES) & (page.declared_hidden == Hidden.VISIBLE))
        return ((self.characters > 0) | (pictures > 0)) & page.in_source & ~page.has_tag(TEXT)

    # -- siblings -------------------------------------------------------------------------------------------------

    def _candidates(self) -> list[tuple[int, list[int]]]:
        """Return the elements with two or more children that can be records, and those children."""
        page, inside = self.page, self.page.below(self.page.has_tag("svg", "select", "pre", "p"))
        rows = np.flatnonzero(self.counted & ~self.prose & (page.parent >= 0))
        rows = rows[~inside[page.parent[rows]]]
        rows = rows[np.argsort(page.parent[rows], kind="stable")]
        above, members = page.parent[rows], rows.tolist()
        starts = [*np.flatnonzero(np.diff(above, prepend=-1)).tolist(), len(rows)]
        return [(int(above[at]), members[at:end]) for at, end in pairwise(starts) if end - at > 1]

    def _sibling_groups(self, above: int, rows: list[int]) -> list[RecordGroup]:
        if len({*map(self.tag_of, rows)}) == len(rows):
            return []  # siblings with different tags are of different kinds
        kinds, kind_of = list[Kind](), list[int]()
        # Most siblings equal one before them; a sibling that fitted none of the kinds then fits none of them now.
        number_of: dict[tuple[str, Shape, Names], int] = {}
        tag_of, shapes, known, classes = self.tag_of, self.shapes.by_row, self._known, self._classes
        for row in rows:
            template = (tag_of(row), shapes[row], known[classes[row]])
            first = max(len(kinds) - _KINDS, 0)
            if (number := number_of.get(template, -1)) < first:
                number = number_of[template] = _row_kind(self, kinds, first, row, template)
            if number == len(kinds):
                kinds.append((*template, []))
            kinds[number][3].append(row)
            kind_of.append(number)
        groups, grouped = [], set[int]()
        for spans in self._repeated_rows(rows, kind_of):
            first, last = bisect_left(rows, spans[0][0]), bisect_left(rows, spans[-1][1])
            inside = Counter(kind_of[first:last])
            # Siblings that are mostly elsewhere are records of their own, with other elements between some of them.
            if all(count >= _MOST * len(kinds[kind][3]) for kind, count in inside.items()):
                groups.append(self._group(above, spans))
                grouped |= inside.keys()
        for number, (_, _, _, members) in enumerate(kinds):
            if len(members) > 1 and number not in grouped and self._is_template(members):
                groups.append(self._group(above, [(row, self.end[row]) for row in members]))
        return groups

    def _is_template(self, members: list[int]) -> bool:
        return self._is_entry(members) and self._is_even(members) and self._is_uniform(members)

    def _is_uniform(self, members: list[int]) -> bool:
        """Return whether siblings share most of their tag paths, unlike the sections of a page."""
        shapes = [self.shapes.of(row) for row in members]
        if shapes.count(shapes[0]) == len(shapes):
            return True
        counts = Counter(path for shape in shapes for path in shape)
        common = {path for path, count in counts.items() if count * 2 > len(shapes)}
        parts = [len(shape & common) / max(len(shape | common), 1) if shape or common else 1.0 for shape in shapes]
        return sum(parts) >= _UNIFORM * len(parts)

    def _is_entry(self, members: list[int]) -> bool:
        """Return whether siblings contain more than a line of text each, or are list entries by their tag."""
        if self.tag_of(members[0]) in _ENTRIES:
            return True
        paths = [len(self.shapes.of(row)) for row in members]
        with_elements, with_several = sum(count > 0 for count in paths), sum(count > 1 for count in paths)
        if with_several * 2 < len(members) and len(members) >= _FEWEST and self.tag_of(members[0]) == "div":
            # Parts of a line with the same tag, which differ by their class names: name, time and words of a chat.
            with_several = sum(_named_parts(self, row) > 1 for row in members)
        return with_elements >= _MOST * len(members) and with_several * 2 >= len(members)

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
        counts = Counter(name for first, _ in spans for name in self.names_of(first))
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
                around = self._ancestor(first.node, _JOIN_LEVELS - 1)
                near = [other for other in others if around <= other.node < self.end[around]]
                rest = [other for other in others if not around <= other.node < self.end[around]]
                spans = sorted({span for other in (first, *near) for span in other.spans})
                result.append(replace(first, node=around, spans=tuple(spans)) if near else first)
        return result

    def _group_key(self, group: RecordGroup) -> tuple[object, ...]:
        parent = group.node
        alone = group.spans[0][1] == self.end[group.spans[0][0]]
        names = (group.names, self.names_of(parent)) if group.names else (self._tag_path(parent),)
        return (group.tag, alone, int(self.depth[parent]), self.tag_of(parent), *names)

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
        single = all(end == self.end[first] for first, end in group.spans)
        if not group.names or not single:
            return group
        around = self._ancestor(group.node, _JOIN_LEVELS - 1)
        shape = self.shapes.of(max((first for first, _ in group.spans), key=lambda row: len(self.shapes.of(row))))
        rows = np.flatnonzero(self.page.has_tag(group.tag)[around : self.end[around]]) + around
        firsts = {first for first, _ in group.spans}
        depth = self.depth[group.spans[0][0]]
        parent_key = self._parent_key(group.spans[0][0])
        more = [
            row
            for row in rows[self.counted[rows]].tolist()
            if row not in firsts
            and group.names <= self.names_of(row)
            and same_template(shape, self.shapes.of(row))
            and (_is_inside(row, group) or (self.depth[row] == depth and parent_key == self._parent_key(row)))
        ]
        spans = sorted([*group.spans, *((row, self.end[row]) for row in more)], key=lambda span: (span[0], -span[1]))
        return replace(group, node=around, spans=tuple(spans)) if more else group

    def _parent_key(self, row: int) -> tuple[str, Names]:
        return self.tag_of(self.parent[row]), self.names_of(self.parent[row])

    # -- levels ---------------------------------------------------------------------------------------------------

    def _choose_levels(self, groups: list[RecordGroup]) -> list[RecordGroup]:
        """Remove groups that consist mostly of other groups, then groups inside the records of the others."""
        outer = [group.outer for group in groups]
        size = self._sizes(outer)
        rich = prefix_sums(self.page.has_tag("a", *_HEADINGS, *_PICTURES))
        plain = [_is_plain(self.page, spans, rich) for spans in outer]
        headed = prefix_sums(self.page.has_tag(*_HEADINGS))
        order = sorted(range(len(groups)), key=lambda number: -size[number])
        kept = []
        for group in order:
            least_size, least_count = _INNER_SHARE * size[group], 1.5 * len(outer[group])
            large = order[: sum(one >= least_size for one in size)]
            if not any(
                len(outer[other]) >= least_count
                and _contained_in(outer[other], outer[group])
                # The points of plans with a heading each are their text.
                and not (plain[other] and all(headed[end] > headed[first] for first, end in outer[group]))
                for other in large
                if other != group
            ):
                kept.append(group)
        chosen: list[int] = []
        for group in kept:
            if not any(_contained_in(outer[group], outer[other]) for other in chosen):
                chosen.append(group)
        return [groups[number] for number in chosen]

    def _sizes(self, outer: list[tuple[Span, ...]]) -> list[float]:
        """Return the visible characters of each group; sums of whole numbers are exact in any order."""
        if not outer:
            return []
        first, end = np.asarray([span for spans in outer for span in spans]).T
        leaves, records = self.page.leaf_range, np.asarray([len(spans) for spans in outer])
        characters = self.sums[leaves[end - 1, 1]] - self.sums[leaves[first, 0]]
        return list(np.add.reduceat(characters, np.cumsum(records) - records).tolist())


def _named_parts(finder: _GroupFinder, row: int) -> int:
    """Return the number of children with different class names."""
    page, inside = finder.page, slice(row + 1, finder.end[row])
    children = np.flatnonzero((page.parent[inside] == row) & finder.counted[inside]) + row + 1
    return len({finder.names_of(child) for child in children.tolist()} - {frozenset()})


def _row_kind(finder: _GroupFinder, kinds: list[Kind], first: int, row: int, template: tuple[str, Shape, Names]) -> int:
    """Return the kind of a sibling; a table row is none of a kind with other cells if only one has class names."""
    number = _kind_of(kinds, first, *template)
    if template[0] == "tr" and number < len(kinds) and bool(kinds[number][2]) != bool(template[2]):
        return number if _cells(finder, kinds[number][3][0]) == _cells(finder, row) else len(kinds)
    return number


def _cells(finder: _GroupFinder, row: int) -> int:
    children = np.flatnonzero(finder.page.parent[row + 1 : finder.end[row]] == row) + row + 1
    return sum(finder.tag_of(child) in _CELLS for child in children.tolist())


def _is_plain(page: Page, spans: tuple[Span, ...], rich: NDArray[np.int64]) -> bool:
    """Return whether records are entries of lists without rich elements, of which ``rich`` are the prefix sums."""
    return page.tag_of(spans[0][0]) == "li" and not any(rich[end] > rich[first] for first, end in spans)


def _kind_of(kinds: list[Kind], first: int, tag: str, shape: Shape, names: Names) -> int:
    """Return the index, from ``first`` on, of the first kind that an element fits; the number of kinds for none."""
    for index in range(first, len(kinds)):
        if kinds[index][0] == tag and _same_kind(kinds[index], shape, names):
            return index
    return len(kinds)


def _same_kind(kind: Kind, shape: Shape, names: Names) -> bool:
    shared, total = len(kind[2] & names), len(kind[2] | names)
    if total and kind[0] not in _CELLS:
        # If only one of the two has a class name, more of the shape must be the same.
        least = _SAME_PATHS if shared > 0 or bool(kind[2]) == bool(names) else _SAME_PATHS_UNNAMED
        return shared >= _SAME_NAMES * total or _shapes_overlap(kind[1], shape, least)
    return _shapes_overlap(kind[1], shape)


def _shapes_overlap(one: Shape, other: Shape, least: float = _SAME_PATHS) -> bool:
    return one == other or len(one & other) >= least * len(one | other)


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
