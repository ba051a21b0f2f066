"""The repeated records of a page, found once: groups with their texts, position, class names and columns.

One object a page, made before the choice of the content, and handed on to all that reads records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..features.class_names import FAMILIES, node_families
from ..page.arrays import BoolColumn, FloatArray, Marks, mask_of, prefix_sums
from ..page.name_flags import name_flags
from ..page.page import Page
from ..page.tree import tag_bits
from ..segment.record_groups import RecordGroup, Span, find_record_groups, visible_or_covered
from .body import body_place, prose_marks
from .field_columns import Aligned, align
from .field_names import GroupColumns, columns_of_records
from .field_values import LONGEST, is_date, is_price

#: Elements that frame a page, by tag.
_FRAMES = ("nav", "header", "footer", "aside", "form", "main", "article", "dialog")
_FRAME_ROLES = {
    "navigation": "nav",
    "contentinfo": "footer",
    "banner": "header",
    "complementary": "aside",
    "main": "main",
}
_DIGIT, _NUMBERS = re.compile(r"\d"), re.compile(r"[0-9,:;()+%\s]+")
#: Features of a group besides names and frames.
_MEASURES = (
    "records", "characters", "free", "prose", "linked", "share", "free_share", "first", "last", "rank", "dates",
    "prices", "pictures", "headings", "nested", "even", "after_heading", "links_each", "texts_each", "buttons",
    "largest",
)  # fmt: skip
#: Those that are logarithms.
_LOGS = [_MEASURES.index(name) for name in "records characters free prose nested links_each texts_each".split()]
#: Elements that are counted: pictures, headings, links, buttons; the main heading.
_COUNTED = (
    *(("img", "picture", "video"), ("h1", "h2", "h3", "h4", "h5", "h6"), ("a",), ("button", "input", "select")),
    ("h1",),
)
SET_COLUMNS = (
    *_MEASURES,
    *(f"in_{tag}" for tag in _FRAMES),
    *(f"own_{family}" for family in FAMILIES),
    *(f"around_{family}" for family in FAMILIES),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordCandidates:
    """A page, its groups of records, and their counts; ``shown``, bool (leaves,), marks the text that counts.

    Groups are found, aligned and measured on first access, each once.
    """

    page: Page
    shown: Marks
    given: tuple[RecordGroup, ...] | None = None  # the groups, where they are others than those of the page

    @cached_property
    def groups(self) -> list[RecordGroup]:
        """The groups in document order; each part of the page is in the records of at most one."""
        return find_record_groups(self.page, self.shown) if self.given is None else list(self.given)

    @cached_property
    def _alignments(self) -> dict[tuple[Span, ...], Aligned]:
        return {}

    @cached_property
    def _columns(self) -> dict[tuple[Span, ...], GroupColumns]:
        return {}

    def aligned(self, group: RecordGroup) -> Aligned:
        """Return the aligned records of a group, a copy whose cells may be changed."""
        if group.spans not in self._alignments:
            self._alignments[group.spans] = align(self.page, group, self.shown)
        return self._alignments[group.spans].copy()

    def columns_of(self, group: RecordGroup) -> GroupColumns:
        """Return the columns of the records of a group, and those that are fields."""
        if group.spans not in self._columns:
            aligned = self.aligned(group)
            self._columns[group.spans] = columns_of_records(aligned, body_place(aligned))
        return self._columns[group.spans]

    @cached_property
    def texts(self) -> list[str]:
        """The counted text of each leaf."""
        return [
            text.strip() if seen else "" for text, seen in zip(self.page.leaf_texts, self.shown.tolist(), strict=True)
        ]

    @cached_property
    def linked(self) -> Marks:
        """Leaves in links, bool (leaves,)."""
        marks: Marks = self.page.below(self.page.has_tag("a"))[self.page.leaves]
        return marks

    @cached_property
    def characters(self) -> FloatArray:
        """float64 (leaves,)."""
        return np.asarray([*map(len, self.texts)], dtype=np.float64)

    @cached_property
    def prose(self) -> FloatArray:
        """float64 (leaves,): characters of sentences outside links."""
        return self.characters * (prose_marks(self.texts, self.characters) & ~self.linked)

    @cached_property
    def dates(self) -> BoolColumn:
        """bool (leaves,): short texts with a date."""
        return self._short(is_date)

    @cached_property
    def prices(self) -> BoolColumn:
        """bool (leaves,): short texts with a price."""
        return self._short(is_price)

    def _short(self, test: Callable[[str], bool]) -> BoolColumn:
        return mask_of(len(self.texts), [leaf for leaf in self._numbered if test(self.texts[leaf])])

    @cached_property
    def _numbered(self) -> list[int]:
        """Short leaves with a digit that are no plain numbers, which are neither dates nor prices."""
        return [
            leaf
            for leaf, text in enumerate(self.texts)
            if len(text) <= LONGEST and _DIGIT.search(text) and not _NUMBERS.fullmatch(text)
        ]

    @cached_property
    def families(self) -> NDArray[np.uint64]:
        """uint64 (nodes,): see :func:`~blocksight.features.class_names.node_families`."""
        return node_families(self.page)

    def with_group(self, group: RecordGroup) -> RecordCandidates:
        """Return a copy with a further group, the last one, in place of those inside its first record."""
        first, end = group.spans[0]
        return self.with_groups([*(one for one in self.groups if not first <= one.spans[0][0] < end), group])

    def with_groups(self, groups: Iterable[RecordGroup]) -> RecordCandidates:
        """Return a copy with other groups that shares the counts of the page."""
        other = replace(self, given=tuple(groups))
        self._alignments, self._columns  # noqa: B018 (both share them)
        other.__dict__.update({name: self.__dict__[name] for name in _OF_TEXTS if name in self.__dict__})
        return other

    @cached_property
    def matrix(self) -> FloatArray:
        """float64 (groups, :data:`SET_COLUMNS`)."""
        if not self.groups:
            return np.zeros((0, len(SET_COLUMNS)))
        return np.concatenate([self.without_names, *self._names()], axis=1)

    @cached_property
    def without_names(self) -> FloatArray:
        """float64 (groups, columns): the columns of :attr:`matrix` before those of class names."""
        return np.concatenate([self._measures(), self._frames()], axis=1)

    @cached_property
    def outer(self) -> tuple[NDArray[Any], ...]:
        """The number of the first outer record of each group; then of each its rows [first, end), and its leaves."""
        count = np.asarray([len(group.outer) for group in self.groups], dtype=np.intp)
        spans = [span for group in self.groups for span in group.outer]
        begin, end = np.asarray(spans, dtype=np.intp).reshape(-1, 2).T
        low, high = self.page.leaf_range[begin, 0], self.page.leaf_range[end - 1, 1]
        return np.cumsum(count) - count, begin, end, low, high

    # -- columns ---------------------------------------------------------------------------------------------------

    def _measures(self) -> FloatArray:
        matrix = self._counted()
        matrix[:, _LOGS] = np.log1p(matrix[:, _LOGS])
        matrix[:, _MEASURES.index("rank")] = np.argsort(np.argsort(-matrix[:, _MEASURES.index("free_share")]))
        return matrix

    def _counted(self) -> FloatArray:
        """Return the measures, those of :data:`_LOGS` without the logarithm."""
        page = self.page
        sums = {
            "characters": prefix_sums(self.characters),
            "free": prefix_sums(self.characters * ~self.linked),
            "prose": prefix_sums(self.prose),
            "texts": prefix_sums(self.characters > 0),
        }
        nodes = {
            name: prefix_sums(page.has_tag(*tags))
            for name, tags in zip(("pictures", "headings", "links", "buttons"), _COUNTED, strict=False)
        }
        dates, prices = prefix_sums(self.dates), prefix_sums(self.prices)
        whole = max(float(sums["characters"][-1]), 1.0)
        free = max(float(sums["free"][-1]), 1.0)
        heading = page.has_tag("h1").nonzero()[0]
        # All sums are of whole numbers, and exact.
        start, begin, end, low, high = self.outer
        records = np.diff(start, append=len(begin))

        def summed(values: NDArray[Any]) -> FloatArray:
            return np.add.reduceat(values, start, dtype=np.float64)

        size: FloatArray = (sums["characters"][high] - sums["characters"][low]).astype(np.float64)
        each = {name: summed(sums[name][high] - sums[name][low]) for name in ("free", "prose", "texts")}
        held = {name: counts[end] - counts[begin] for name, counts in nodes.items()}
        total = summed(size)
        least = np.maximum(total, 1.0)
        columns: list[Any] = [
            records, total / records, each["free"] / records, each["prose"] / records,
            1 - each["free"] / least, total / whole, each["free"] / free,
            sums["characters"][low[start]] / whole, sums["characters"][high[start + records - 1]] / whole,
            np.zeros(len(records)), summed(dates[high] > dates[low]) / records,
            summed(prices[high] > prices[low]) / records, summed(held["pictures"] > 0) / records,
            summed(held["headings"] > 0) / records,
            [len(group.spans) - len(group.outer) for group in self.groups],
            _medians(size, start, records) / np.maximum(total / records, 1.0),
            (len(heading) > 0) & (begin[start] > (heading[0] if len(heading) else 0)),
            summed(held["links"]) / records, each["texts"] / records, summed(held["buttons"] > 0) / records,
            np.maximum.reduceat(size, start) / least,
        ]  # fmt: skip
        return np.stack(columns, axis=1)

    def _frames(self) -> FloatArray:
        first = [group.spans[0][0] for group in self.groups]
        bits = tag_bits(self.page, *((tag,) for tag in _FRAMES)).astype(np.uint64)
        bits |= name_flags(self.page, ("role",), _frame_of_role)
        return _bits(self.page.inherited_bits(bits)[first].tolist(), len(_FRAMES))

    def _names(self) -> tuple[FloatArray, FloatArray]:
        """Return the class-name families of the records, and of the elements around them."""
        page = self.page
        first = np.asarray([group.spans[0][0] for group in self.groups], dtype=np.intp)
        of_parts = np.where(page.has_tag("body", "html"), np.uint64(0), self.families)
        # The last one is that of the parent of the root.
        around = np.append(page.inherited_bits(of_parts), np.uint64(0))
        own, above = self.families[first].tolist(), around[page.parent[first]].tolist()
        return _bits(own, len(FAMILIES)), _bits(above, len(FAMILIES))


#: Cached properties that do not depend on the groups.
_OF_TEXTS = (
    "texts", "linked", "characters", "prose", "_numbered", "dates", "prices", "families", "_alignments",
    "_columns",
)  # fmt: skip


def _medians(values: FloatArray, start: NDArray[np.signedinteger], count: NDArray[np.signedinteger]) -> FloatArray:
    """Return the median of each stretch of values."""
    medians = []
    for first, length in zip(start.tolist(), count.tolist(), strict=True):
        ordered = sorted(values[first : first + length].tolist())
        medians.append((ordered[(length - 1) // 2] + ordered[length // 2]) / 2)
    return np.asarray(medians)


def _frame_of_role(value: str) -> int:
    """Return the bit of the frame (:data:`_FRAMES`) that a role names, 0 for other roles."""
    tag = _FRAME_ROLES.get(value.strip().lower())
    return 0 if tag is None else 1 << _FRAMES.index(tag)


def _bits(numbers: list[int], count: int) -> FloatArray:
    return np.asarray([[bits >> place & 1 for place in range(count)] for bits in numbers], dtype=np.float64)


def fact(row: FloatArray, column: str) -> float:
    """Return one of the :data:`SET_COLUMNS` of a group's row."""
    return float(row[SET_COLUMNS.index(column)])


def find_records(page: Page) -> RecordCandidates:
    """Return the candidates for the records of a page."""
    return RecordCandidates(page=page, shown=visible_or_covered(page))
