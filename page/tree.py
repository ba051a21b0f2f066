"""The composed tree of a page as columns: queries on tags, attributes, ancestors and subtrees."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .arrays import BoolColumn, ColumnSchema, FloatArray, IntColumn, mask_of, numbered, span_sums

#: Indices of names up to this one are looked up by the compiled loop.
_MOST_COMPILED = 1 << 16
#: Stands for all attributes that a page does not have; no name of an attribute has a space.
_MISSING = " "


@dataclass(frozen=True, kw_only=True, eq=False)
class Tree:
    """Nodes in document order of the composed tree (shadow trees and frames in place), parents before children."""

    #: Vocabulary of lower-case tag names, attribute names and display values.
    names: tuple[str, ...]
    #: Texts and attribute values.
    strings: tuple[str, ...]
    #: Row of the parent, -1 for the root; always smaller than the row itself.
    parent: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1, "nodes")]
    #: Index into ``names``; text nodes are "#text", generated text is under "::before" and the like.
    tag: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", 0, "names")]
    #: Index into ``strings`` for text nodes, else -1.
    text: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1, "strings")]
    #: One row an attribute, ordered by node; those that the browser adds have names with the prefix "::"
    #: (:data:`~blocksight.page.html.SHOWN_SOURCE`).
    attribute_node: Annotated[IntColumn, ColumnSchema(np.int32, "attributes", 0, "nodes")]
    attribute_name: Annotated[IntColumn, ColumnSchema(np.int32, "attributes", 0, "names")]
    attribute_value: Annotated[IntColumn, ColumnSchema(np.int32, "attributes", 0, "strings")]

    def __len__(self) -> int:
        return len(self.parent)

    # -- columns ---------------------------------------------------------------------------------------------------

    @cached_property
    def end(self) -> IntColumn:
        """int32 (nodes,): one past the last row of each node's subtree, so that ``[i, end[i])`` is the subtree."""
        count = len(self)
        if arrays.compiled and arrays.compiled.ends(self.parent, result := np.empty(count, dtype=np.int32)):
            return result
        rows = np.arange(count + 1)
        parent = np.where(self.parent >= 0, self.parent, count)
        # Siblings are adjacent when rows are ordered by their parents.
        order = np.argsort(parent, kind="stable")
        siblings = parent[order][1:] == parent[order][:-1]
        following = np.full(count + 1, count)
        following[order[:-1][siblings]] = order[1:][siblings]
        # A subtree ends at the next sibling of its node, or of the nearest ancestor that has one.
        has_next = following < count
        has_next[count] = True
        up = np.where(has_next, rows, np.append(parent, count))
        while not has_next[up].all():
            up = up[up]
        ends: IntColumn = following[up[:count]].astype(np.int32)
        return ends

    @cached_property
    def depth(self) -> IntColumn:
        """int32 (nodes,): number of ancestors."""
        # Each node is in the subtrees of its ancestors and in its own.
        closed = np.bincount(self.end, minlength=len(self) + 1)[: len(self)]
        return (np.arange(len(self)) - np.cumsum(closed)).astype(np.int32)

    @cached_property
    def _up(self) -> IntColumn:
        """int32 (nodes,): row of the parent; one past the last row for the root."""
        return np.where(self.parent >= 0, self.parent, np.int32(len(self)))

    # -- names and attributes --------------------------------------------------------------------------------------

    def text_of(self, row: int) -> str:
        """Return the text of a text node, "" for other nodes."""
        return self.strings[self.text[row]] if self.text[row] >= 0 else ""

    def tag_of(self, row: int) -> str:
        """Return a node's tag name."""
        return self.names[int(self.tag[row])]

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    def name_codes(self, *names: str) -> list[int]:
        """Return the indices of some names in ``names``; names that the page does not have are left out."""
        codes = self._codes
        return [codes[name] for name in names if name in codes]

    def has_name(self, codes: IntColumn, *names: str) -> BoolColumn:
        """Return which of some indices into ``names`` are one of these names, bool (codes,); -1 is no name."""
        matching = self.name_codes(*names)
        return _among(codes, matching, len(self.names)) if matching else np.zeros(len(codes), dtype=bool)

    def has_tag(self, *tags: str) -> BoolColumn:
        """bool (nodes,): nodes with one of these tags; read-only."""
        known: BoolColumn | None = self._known.get(tags)
        if known is None:
            # Most tags that are asked for are not on a page: it has one column for all of them, that of no tag.
            code_of = self._codes.get
            if codes := [code for code in map(code_of, tags) if code is not None]:
                known = _among(self.tag, codes, len(self.names))
            elif (known := self._known.get(())) is None:
                known = self._known[()] = np.zeros(len(self), dtype=bool)
            known.flags.writeable = False
            self._known[tags] = known
        return known

    @cached_property
    def _known(self) -> dict[str | tuple[str, ...], Any]:
        """Cache of :meth:`attribute` by name, of :meth:`has_tag` by tags, and of the values of attributes."""
        return {}

    def attribute(self, name: str) -> IntColumn:
        """int32 (nodes,): index into ``strings`` of this attribute's value, -1 for nodes without it; read-only."""
        known: IntColumn | None = self._known.get(name)
        if known is None:
            if (code := self._codes.get(name, -1)) >= 0 or name == _MISSING:
                known = _values_of(self, code)
                known.flags.writeable = False
            elif (known := self._known.get(_MISSING)) is None:
                known = self.attribute(_MISSING)
            self._known[name] = known
        return known

    def attribute_matches(
        self, name: str, predicate: Callable[[str], bool], *, needs: tuple[str, ...] = ()
    ) -> BoolColumn:
        """bool (nodes,): nodes whose value of this attribute satisfies a predicate, called once a distinct value.

        Each value that satisfies it contains one of ``needs``, in lower or upper case. Most pages have none of them.
        """
        matches = np.zeros(len(self), dtype=bool)
        if name not in self._codes:
            return matches
        rows, values, number = attribute_values(self, name)
        possible = _containing(self, name, values, needs) if needs else range(len(values))
        if found := [place for place in possible if predicate(values[place])]:
            matching = mask_of(len(values), found)
            matches[rows] = matching[number]
        return matches

    @cached_property
    def _first_attribute(self) -> IntColumn:
        """int32 (nodes + 1,): the first attribute of each node."""
        return np.searchsorted(self.attribute_node, np.arange(len(self) + 1)).astype(np.int32)

    def attributes_of(self, row: int) -> dict[str, str]:
        """Return the attributes of one element."""
        first, last = self._first_attribute[row : row + 2].tolist()
        names, values = self.attribute_name[first:last].tolist(), self.attribute_value[first:last].tolist()
        return {self.names[name]: self.strings[value] for name, value in zip(names, values, strict=True)}

    # -- ancestors and subtrees ------------------------------------------------------------------------------------

    def below(self, marked: BoolColumn) -> BoolColumn:
        """bool (nodes,): nodes that are marked or have a marked ancestor."""
        none: BoolColumn | None = self._known.get(())
        if marked is none:
            return np.zeros_like(marked)
        if arrays.compiled:
            arrays.compiled.below(self.parent, marked, result := np.empty(len(marked), dtype=bool))
            return result
        rows = marked.nonzero()[0]
        steps = np.bincount(rows, minlength=len(self) + 1) - np.bincount(self.end[rows], minlength=len(self) + 1)
        return np.cumsum(steps[:-1]) > 0

    def inherited_bits(self, bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """uint64 (nodes,): the bits that are set at a node or at any of its ancestors."""
        if arrays.compiled:
            arrays.compiled.inherited(self.parent, result := bits.copy())
            return result
        inherited, up = np.append(bits, np.uint64(0)), self._up
        # Pointer jumping: each round doubles the number of ancestors that are included.
        while (up < len(self)).any():
            inherited[:-1] |= inherited[up]
            up = np.append(up, len(self))[up]
        return inherited[:-1]

    def nearest(self, marked: BoolColumn) -> IntColumn:
        """int32 (nodes,): row of the nearest marked node among the node itself and its ancestors; -1 if none."""
        if arrays.compiled:
            arrays.compiled.nearest(self.parent, marked, result := np.empty(len(self), dtype=np.int32))
            return result
        # Pointer jumping: marked nodes point to themselves; for the others each round doubles the distance.
        count = len(self)
        up = np.append(np.where(marked, np.arange(count), self._up), count)
        while not np.array_equal(further := up[up], up):
            up = further
        return np.where(up[:-1] < count, up[:-1], -1).astype(np.int32)

    def count_within(self, marked: BoolColumn) -> FloatArray:
        """float64 (nodes,): number of marked nodes in each node's subtree, the node itself included."""
        return subtree_sums(self, marked).astype(np.float64)

    def count_below(self, marked: BoolColumn) -> FloatArray:
        """float64 (nodes,): number of marked nodes in each node's subtree, the node itself not counted."""
        return self.count_within(marked) - marked


def _values_of(tree: Tree, code: int) -> IntColumn:
    """Return the value of the attribute with this index of its name for each node, int32 (nodes,), -1 without."""
    if arrays.compiled:
        columns = (tree.attribute_node, tree.attribute_name, tree.attribute_value)
        arrays.compiled.attribute(*columns, code, result := np.empty(len(tree), dtype=np.int32))
        return result
    values = np.full(len(tree), -1, dtype=np.int32)
    rows = (tree.attribute_name == code).nonzero()[0]
    values[tree.attribute_node[rows]] = tree.attribute_value[rows]
    return values


def _among(codes: IntColumn, matching: list[int], names: int) -> BoolColumn:
    """Return which of some indices of names are one or more others, bool (codes,)."""
    if arrays.compiled and max(matching) < _MOST_COMPILED:
        arrays.compiled.among(np.ascontiguousarray(codes), matching, result := np.empty(len(codes), dtype=bool))
        return result
    # The last one is for -1.
    table = np.zeros(names + 1, dtype=bool)
    table[matching] = True
    return table[codes]


def codes_of(tree: Tree, names: Iterable[str]) -> IntColumn:
    """Return the index of each name in ``tree.names``, -1 if the page does not have it, int32 (n,)."""
    return np.asarray([*map(tree._codes.get, names, itertools.repeat(-1))], dtype=np.int32)


def tag_bits(tree: Tree, *groups: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return bits of each node, uint8 (nodes,): bit n at nodes with one of the tags of group n, of at most eight."""
    table = np.zeros(len(tree.names), dtype=np.uint8)
    for number, tags in enumerate(groups):
        for code in tree.name_codes(*tags):
            table[code] |= 1 << number
    bits: NDArray[np.uint8] = table[tree.tag]
    return bits


def attribute_values(tree: Tree, *names: str) -> tuple[NDArray[np.signedinteger[Any]], list[str], NDArray[np.intp]]:
    """Return the nodes with attributes of some names, the distinct values, and the index of each node's value.

    With several names, a node is there once for each of its attributes.
    """
    key = f"values of {' '.join(names)}"  # no name of an attribute has a space
    known: tuple[NDArray[np.signedinteger[Any]], list[str], NDArray[np.intp]] | None = tree._known.get(key)
    if known is None:
        rows: NDArray[np.signedinteger[Any]]
        if len(names) == 1:
            column = tree.attribute(names[0])
            rows = (column >= 0).nonzero()[0]
            codes = column[rows]
        else:
            named = tree.has_name(tree.attribute_name, *names)
            rows, codes = tree.attribute_node[named], tree.attribute_value[named]
        distinct, number = numbered(codes)
        known = tree._known[key] = (rows, [tree.strings[code] for code in distinct.tolist()], number)
    return known


def _containing(tree: Tree, name: str, values: list[str], needs: tuple[str, ...]) -> Iterable[int]:
    """Return the places of the values that may contain one of the words.

    Patterns match some other characters as letters, too: all values that are not ASCII are returned.
    """
    known: tuple[str, list[str], bool] | None = tree._known.get(f"all of {name}")
    if known is None:
        lowered = [*map(str.lower, values)]
        known = tree._known[f"all of {name}"] = ("\n".join(lowered), lowered, all(map(str.isascii, values)))
    joined, lowered, ascii_only = known
    words = [word for word in needs if word in joined]
    if not words and ascii_only:
        return ()
    possible = set[int]()
    if words:
        starts: list[int] | None = tree._known.get(f"starts of {name}")
        if starts is None:
            starts = tree._known[f"starts of {name}"] = [0, *itertools.accumulate(map((1).__add__, map(len, lowered)))]
        for word in words:
            at = joined.find(word)
            while at >= 0:
                place = bisect_right(starts, at) - 1
                possible.add(place)
                at = joined.find(word, starts[place + 1])
    if not ascii_only:
        possible.update(place for place, value in enumerate(values) if not value.isascii())
    return sorted(possible)


@overload
def subtree_sums(tree: Tree, values: FloatArray) -> FloatArray: ...
@overload
def subtree_sums(tree: Tree, values: NDArray[np.bool_ | np.signedinteger[Any]]) -> NDArray[np.int64]: ...
def subtree_sums(tree: Tree, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of a column over each node's subtree, the node itself included, float64 or int64 (nodes,)."""
    return span_sums(values, None, tree.end)


def rows_by_depth(tree: Tree) -> list[IntColumn]:
    """Return the rows of each depth below the root, for processing a tree level by level."""
    order = np.argsort(tree.depth, kind="stable").astype(np.int32)
    bounds = np.searchsorted(tree.depth[order], np.arange(1, int(tree.depth.max(initial=0)) + 2))
    return [order[first:last] for first, last in itertools.pairwise(bounds)]


def unique_names(values: Iterable[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return each distinct name once, in order of first use, and the index of each."""
    index: dict[str, int] = {}
    for value in values:
        index.setdefault(value, len(index))
    return tuple(index), index
