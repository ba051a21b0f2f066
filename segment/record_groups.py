"""Repeated records by markup alone: siblings of one make, and their cousins elsewhere on the page.

Siblings of one tag that are built alike, or named alike by their class, are records (MDR: Liu, Grossman & Zhai 2003).
Groups whose tag paths are the same belong together although they stand in different rows of a grid (tag path
clustering: Miao et al. 2009), and so do elements of the same make inside of a record: answers below answers. Each
element is compared with a bounded number of kinds, so that the time grows with the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np

from ..page.arrays import BoolColumn, Marks
from ..page.page import TEXT, Hidden, Page
from .shape import Shape, Shapes, same_template

Span = tuple[int, int]
Names = frozenset[str]

#: Elements of running text, and what never holds a record.
_PROSE = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br", "figure", "form", "select", "svg")
#: Elements that are entries of something even where they hold nothing but text.
_ENTRIES = frozenset(("li", "tr", "dt", "dd", "article"))
#: Cells of a row are columns, which may share a name, unless they are built alike.
_CELLS = frozenset(("td", "th"))
#: Pictures and players count as something in a record.
_PICTURES = ("img", "picture", "video", "audio", "iframe", "svg")
#: Kinds of siblings that one is compared with, the latest; share of class names that makes two of them one kind.
_KINDS, _NAMED_ALIKE = 30, 0.5
#: Share of the tag paths of two siblings that both have, to be one kind; where just one of them has a class name.
_BUILT_ALIKE, _BUILT_THE_SAME = 0.5, 0.7
#: Share of a group's records that a class name has to be on to stand for the group.
_MOST = 0.8
#: Share of the text of the largest of two or three nameless siblings that the smallest has, and of their tag paths that
#: all of them have.
_EVEN, _PARTS_ALIKE = 0.15, 0.5
#: Share of the tag paths in a record that all records of a group have, on average.
_UNIFORM = 0.4
#: Siblings that one record may be made of, and how often such a row has to repeat.
_LONGEST, _FEWEST = 4, 3
#: Share of a group's text that smaller records inside of it hold where these are the records.
_INNER_SHARE = 0.6
#: Steps up on which cousins have to meet, and groups of a page that are looked at.
_COUSINS, _MOST_GROUPS = 3, 1500
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordGroup:
    """Records of one make.

    Attributes
    ----------
    node : int
        The element around all of them.
    spans : tuple of (int, int)
        The rows ``[first, end)`` of each, in document order, each before those inside of it.
    tag : str
        Of the first element of each.
    names : frozenset of str
        Class names that nearly all of these have, digits written "#".
    """

    node: int
    spans: tuple[Span, ...]
    tag: str
    names: Names

    @property
    def outer(self) -> tuple[Span, ...]:
        """The records that lie in no other one of the group."""
        found: list[Span] = []
        for span in self.spans:
            if not found or span[0] >= found[-1][1]:
                found.append(span)
        return tuple(found)


def visible_or_covered(page: Page) -> Marks:
    """bool (leaves,): what a person sees, or would below an overlay."""
    found: Marks = (page.hidden == Hidden.VISIBLE) | (page.hidden == Hidden.OVERLAY)
    return found


def find_record_groups(page: Page, shown: Marks | None = None, *, nested: bool = False) -> list[RecordGroup]:
    """Find the repeated records of a page by its markup, rendered or not.

    Parameters
    ----------
    page : Page
    shown : bool (leaves,), optional
        The text that counts; by default :func:`visible_or_covered`.

    Returns
    -------
    list of RecordGroup
        By their first record. No group lies in another one that it makes up for the most part.
    """
    return _GroupFinder(page, visible_or_covered(page) if shown is None else shown).found(nested=nested)


def class_names(written: str) -> Names:
    """Return the names in an attribute ``class``, digits written "#": "post-12" and "post-13" are one name."""
    return frozenset(_DIGITS.sub("#", written.lower()).split())


class _GroupFinder:
    """What is known of the page's elements, and the groups made of them."""

    def __init__(self, page: Page, shown: Marks) -> None:
        self.page = page
        self.sizes = np.asarray([len(text.strip()) for text in page.leaf_texts], dtype=np.float64) * shown
        self.characters = page.sum_leaves(self.sizes)
        self.counted = self._counted()
        self.shapes = Shapes(page, self.counted)
        self.parent, self.end = page.parent.tolist(), page.end.tolist()
        self.depth = page.depth
        self.prose = page.has_tag(*_PROSE)
        self._classes, self._known = page.attribute("class").tolist(), dict[int, Names]()

    def found(self, *, nested: bool) -> list[RecordGroup]:
        groups = [group for above, rows in self._families() for group in self._siblings(above, rows)]
        groups = _distinct([self._with_cousins(group) for group in self._met(groups[:_MOST_GROUPS])])
        if not nested:
            groups = self._levels(groups)
        return sorted(groups, key=lambda group: (group.spans[0][0], -group.spans[0][1]))

    def names_of(self, row: int) -> Names:
        """Return the class names of an element, digits written "#"."""
        code = self._classes[row]
        if code not in self._known:
            self._known[code] = class_names(self.page.strings[code]) if code >= 0 else frozenset()
        return self._known[code]

    def _counted(self) -> BoolColumn:
        """Elements in which there is something to see."""
        page = self.page
        pictures = page.count_within(page.has_tag(*_PICTURES) & (page.declared_hidden == Hidden.VISIBLE))
        counted: BoolColumn = ((self.characters > 0) | (pictures > 0)) & page.written & ~page.has_tag(TEXT)
        return counted

    # -- siblings -------------------------------------------------------------------------------------------------

    def _families(self) -> list[tuple[int, list[int]]]:
        rows = np.flatnonzero(self.counted & ~self.prose & (self.page.parent >= 0))
        inside = self.page.below(self.page.has_tag("svg", "select", "pre", "p"))
        families: dict[int, list[int]] = defaultdict(list)
        for row in rows[~inside[self.page.parent[rows]]].tolist():
            families[self.parent[row]].append(row)
        return [(above, members) for above, members in sorted(families.items()) if len(members) > 1]

    def _siblings(self, above: int, rows: list[int]) -> list[RecordGroup]:
        """Return the groups among the children of an element."""
        kinds: list[tuple[str, Shape, Names, list[int]]] = []
        kind_of: list[int] = []
        # Most siblings are made exactly like one before them, and what no kind fitted then none of them fits now.
        known: dict[tuple[str, Shape, Names], int] = {}
        for row in rows:
            made = (self.page.tag_of(row), self.shapes.of(row), self.names_of(row))
            first = max(len(kinds) - _KINDS, 0)
            place = known.get(made, -1)
            if place < first:
                place = _kind_of(kinds, first, *made)
                known[made] = place
            if place == len(kinds):
                kinds.append((*made, []))
            kinds[place][3].append(row)
            kind_of.append(place)
        found, taken = [], set[int]()
        for spans in self._rows_of_siblings(rows, kind_of):
            first, last = bisect_left(rows, spans[0][0]), bisect_left(rows, spans[-1][1])
            inside = Counter(kind_of[first:last])
            # Siblings that mostly stand elsewhere are records of their own, with something between some of them.
            if all(count >= _MOST * len(kinds[kind][3]) for kind, count in inside.items()):
                found.append(self._group(above, spans))
                taken |= inside.keys()
        for number, (_, _, _, members) in enumerate(kinds):
            if len(members) > 1 and number not in taken and self._is_one_make(members):
                found.append(self._group(above, [(row, self.end[row]) for row in members]))
        return found

    def _is_one_make(self, members: list[int]) -> bool:
        return self._is_entry(members) and self._is_even(members) and self._is_uniform(members)

    def _is_uniform(self, members: list[int]) -> bool:
        """Return whether siblings share their frame, other than the sections of a page do."""
        shapes = [self.shapes.of(row) for row in members]
        counts = Counter(path for shape in shapes for path in shape)
        frame = {path for path, count in counts.items() if count * 2 > len(shapes)}
        parts = [len(shape & frame) / max(len(shape | frame), 1) if shape or frame else 1.0 for shape in shapes]
        return sum(parts) >= _UNIFORM * len(parts)

    def _is_entry(self, members: list[int]) -> bool:
        """Return whether siblings hold more than a line of text each, or are entries by their tag."""
        if self.page.tag_of(members[0]) in _ENTRIES:
            return True
        built = sum(bool(self.shapes.of(row)) for row in members)
        return built >= _MOST * len(members) and sum(len(self.shapes.of(row)) > 1 for row in members) * 2 >= len(
            members
        )

    def _is_even(self, members: list[int]) -> bool:
        """Return whether two or three siblings without names are more than the parts of a page: of about one size."""
        if len(members) > _FEWEST or frozenset.intersection(*map(self.names_of, members)):
            return True
        if self.page.tag_of(members[0]) in _ENTRIES:
            return True
        sizes = [float(self.characters[row]) for row in members]
        shapes = [self.shapes.of(row) for row in members]
        alike = len(frozenset.intersection(*shapes)) >= _PARTS_ALIKE * len(frozenset.union(*shapes))
        return alike and min(sizes) >= _EVEN * max(sizes)

    def _rows_of_siblings(self, rows: list[int], kinds: list[int]) -> list[list[Span]]:
        """Return rows of two to four unlike siblings that repeat: head and text, title and facts."""
        for length in range(2, _LONGEST + 1):
            found, at = [], 0
            while at + _FEWEST * length <= len(kinds):
                pattern, count = kinds[at : at + length], 1
                if len(set(pattern)) == length:
                    while kinds[at + count * length : at + (count + 1) * length] == pattern:
                        count += 1
                if count >= _FEWEST:
                    firsts = range(at, at + count * length, length)
                    found.append([(rows[first], self.end[rows[first + length - 1]]) for first in firsts])
                at += count * length if count >= _FEWEST else 1
            if found:
                return found
        return []

    def _group(self, above: int, spans: list[Span]) -> RecordGroup:
        counts = Counter(name for first, _ in spans for name in self.names_of(first))
        names = frozenset(name for name, count in counts.items() if count >= _MOST * len(spans))
        return RecordGroup(node=above, spans=tuple(spans), tag=self.page.tag_of(spans[0][0]), names=names)

    # -- cousins --------------------------------------------------------------------------------------------------

    def _met(self, groups: list[RecordGroup]) -> list[RecordGroup]:
        """Join groups of one make whose parents meet a few steps up: the rows of a grid."""
        joined: dict[tuple[object, ...], list[RecordGroup]] = defaultdict(list)
        for group in groups:
            joined[self._make(group)].append(group)
        found = []
        for some in joined.values():
            rest = some
            while rest:
                first, others = rest[0], rest[1:]
                around = self._up(first.node, _COUSINS - 1)
                near = [one for one in others if around <= one.node < self.end[around]]
                rest = [one for one in others if not around <= one.node < self.end[around]]
                spans = sorted({span for one in (first, *near) for span in one.spans})
                found.append(replace(first, node=around, spans=tuple(spans)) if near else first)
        return found

    def _make(self, group: RecordGroup) -> tuple[object, ...]:
        above = group.node
        alone = group.spans[0][1] == self.end[group.spans[0][0]]
        names = (group.names, self.names_of(above)) if group.names else (self._path(above),)
        return (group.tag, alone, int(self.depth[above]), self.page.tag_of(above), *names)

    def _path(self, row: int) -> tuple[str, ...]:
        found = []
        while row >= 0:
            found.append(self.page.tag_of(row))
            row = self.parent[row]
        return tuple(found)

    def _up(self, row: int, steps: int) -> int:
        """Go up some steps, not beyond the body."""
        for _ in range(steps):
            above = self.parent[row]
            if above < 0 or self.page.tag_of(row) in ("body", "main"):
                break
            row = above
        return row

    def _with_cousins(self, group: RecordGroup) -> RecordGroup:
        """Add elements of the same make and names: inside of records, or alone in their row of a grid."""
        single = all(end == self.end[first] for first, end in group.spans)
        if not group.names or not single:
            return group
        around = self._up(group.node, _COUSINS - 1)
        shape = self.shapes.of(max((first for first, _ in group.spans), key=lambda row: len(self.shapes.of(row))))
        rows = np.flatnonzero(self.page.has_tag(group.tag)[around : self.end[around]]) + around
        known = {first for first, _ in group.spans}
        depth = self.depth[group.spans[0][0]]
        above = self._named(self.parent[group.spans[0][0]])
        more = [
            row
            for row in rows[self.counted[rows]].tolist()
            if row not in known and group.names <= self.names_of(row) and same_template(shape, self.shapes.of(row))
            and (self._inside(row, group) or (self.depth[row] == depth and self._named(self.parent[row]) == above))
        ]  # fmt: skip
        spans = sorted([*group.spans, *((row, self.end[row]) for row in more)], key=lambda span: (span[0], -span[1]))
        return replace(group, node=around, spans=tuple(spans)) if more else group

    def _named(self, row: int) -> tuple[str, Names]:
        return self.page.tag_of(row), self.names_of(row)

    @staticmethod
    def _inside(row: int, group: RecordGroup) -> bool:
        place = bisect_left(group.spans, (row, 0)) - 1
        return place >= 0 and group.spans[place][0] < row < group.spans[place][1]

    # -- levels ---------------------------------------------------------------------------------------------------

    def _levels(self, groups: list[RecordGroup]) -> list[RecordGroup]:
        """Leave out groups that others inside of them make up, and those inside of a record that they do not."""
        outer = [group.outer for group in groups]
        size = [self._size(spans) for spans in outer]
        order = sorted(range(len(groups)), key=lambda number: -size[number])
        kept = []
        for one in order:
            wanted = (_INNER_SHARE * size[one], 1.5 * len(outer[one]))
            # Larger ones lie in no smaller one.
            if not any(
                size[other] >= wanted[0] and len(outer[other]) >= wanted[1] and _contained_in(outer[other], outer[one])
                for other in order
                if other != one
            ):
                kept.append(one)
        chosen: list[int] = []
        for one in kept:
            if not any(_contained_in(outer[one], outer[other]) for other in chosen):
                chosen.append(one)
        return [groups[number] for number in chosen]

    def _size(self, spans: tuple[Span, ...]) -> float:
        held = self.page.leaf_range
        return float(sum(self.sizes[held[first, 0] : held[end - 1, 1]].sum() for first, end in spans))


def _kind_of(kinds: list[tuple[str, Shape, Names, list[int]]], first: int, tag: str, shape: Shape, names: Names) -> int:
    """Return the place of the first kind, from some place on, that an element is of; their number for none."""
    for place in range(first, len(kinds)):
        if kinds[place][0] == tag and _same_kind(kinds[place], shape, names):
            return place
    return len(kinds)


def _same_kind(kind: tuple[str, Shape, Names, list[int]], shape: Shape, names: Names) -> bool:
    shared, every = len(kind[2] & names), len(kind[2] | names)
    if every and kind[0] not in _CELLS:
        # Of a record that has a name and one that has none, more has to be the same.
        least = _BUILT_ALIKE if shared > 0 or bool(kind[2]) == bool(names) else _BUILT_THE_SAME
        return shared >= _NAMED_ALIKE * every or _shapes_overlap(kind[1], shape, least)
    return _shapes_overlap(kind[1], shape)


def _shapes_overlap(one: Shape, other: Shape, least: float = _BUILT_ALIKE) -> bool:
    """Return whether two shapes have most in common, so that a small one is not like every large one."""
    return one == other or len(one & other) >= least * len(one | other)


def _distinct(groups: list[RecordGroup]) -> list[RecordGroup]:
    """Leave out groups whose records another one has, too."""
    found: list[RecordGroup] = []
    known: set[Span] = set()
    for group in sorted(groups, key=lambda group: -len(group.spans)):
        if not set(group.spans) <= known:
            found.append(group)
            known |= set(group.spans)
    return found


def _contained_in(spans: tuple[Span, ...], outer: tuple[Span, ...]) -> bool:
    """Return whether most of some records lie in others."""
    if spans[0][0] >= outer[-1][1] or spans[-1][1] <= outer[0][0]:
        return False
    inside = 0
    for first, end in spans:
        place = bisect_left(outer, (first, 1 << 60)) - 1
        inside += place >= 0 and outer[place][0] <= first and end <= outer[place][1]
    return inside * 2 > len(spans)
