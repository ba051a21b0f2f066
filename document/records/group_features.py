"""Features of a group of records: its text, its position, its class names."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.class_names import FAMILIES, node_families
from ...page.arrays import BoolColumn, FloatArray, Marks, cached_by_owner, prefix_sums
from ...page.page import Page
from ...segment.record_groups import RecordGroup, find_record_groups, visible_or_covered
from .body import is_prose
from .field_values import is_date, is_price

#: Elements that frame a page, by tag.
_FRAMES = ("nav", "header", "footer", "aside", "form", "main", "article", "dialog")
_DIGIT = re.compile(r"\d")
_LONGEST = 60
#: Features of a group besides names and frames.
_MEASURES = (
    "records", "characters", "free", "prose", "linked", "share", "free_share", "first", "last", "rank", "dates",
    "prices", "pictures", "headings", "nested", "even", "after_heading", "links_each", "texts_each", "buttons",
    "largest",
)  # fmt: skip
SET_COLUMNS = (
    *_MEASURES,
    *(f"in_{tag}" for tag in _FRAMES),
    *(f"own_{family}" for family in FAMILIES),
    *(f"around_{family}" for family in FAMILIES),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupMeasures:
    """A page, its groups of records, and their counts; ``shown``, bool (leaves,), marks the text that counts."""

    page: Page
    shown: Marks
    groups: list[RecordGroup]

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
        return np.asarray([len(text) for text in self.texts], dtype=np.float64)

    @cached_property
    def prose(self) -> FloatArray:
        """float64 (leaves,): characters of sentences outside links."""
        long = np.asarray([is_prose(text) for text in self.texts], dtype=bool)
        return self.characters * (long & ~self.linked)

    @cached_property
    def dates(self) -> BoolColumn:
        """bool (leaves,): short texts with a date."""
        return self._short(is_date)

    @cached_property
    def prices(self) -> BoolColumn:
        """bool (leaves,): short texts with a price."""
        return self._short(is_price)

    def _short(self, test: object) -> BoolColumn:
        assert callable(test)
        marks = np.zeros(len(self.texts), dtype=bool)
        marks[[leaf for leaf in self._numbered if test(self.texts[leaf])]] = True
        return marks

    @cached_property
    def _numbered(self) -> list[int]:
        """Short leaves with a digit."""
        return [leaf for leaf, text in enumerate(self.texts) if len(text) <= _LONGEST and _DIGIT.search(text)]

    @cached_property
    def families(self) -> NDArray[np.uint64]:
        """uint64 (nodes,): see :func:`~blocksight.features.class_names.node_families`."""
        return node_families(self.page)

    @cached_property
    def measured(self) -> dict[str, FloatArray]:
        """Cache of page features by name: they are needed before the groups are found, and again after."""
        return {}

    def with_groups(self, groups: list[RecordGroup]) -> GroupMeasures:
        """Return a copy with other groups that shares the counts of the page."""
        other = replace(self, groups=groups)
        other.__dict__.update({name: self.__dict__[name] for name in _OF_TEXTS if name in self.__dict__})
        return other

    @cached_property
    def matrix(self) -> FloatArray:
        """float64 (groups, :data:`SET_COLUMNS`)."""
        if not self.groups:
            return np.zeros((0, len(SET_COLUMNS)))
        return np.concatenate([self._measures(), self._frames(), *self._names()], axis=1)

    # -- columns ---------------------------------------------------------------------------------------------------

    def _measures(self) -> FloatArray:
        page = self.page
        sums = {
            "characters": prefix_sums(self.characters),
            "free": prefix_sums(self.characters * ~self.linked),
            "prose": prefix_sums(self.prose),
            "texts": prefix_sums(self.characters > 0),
        }
        nodes = {
            "pictures": prefix_sums(page.has_tag("img", "picture", "video")),
            "headings": prefix_sums(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6")),
            "links": prefix_sums(page.has_tag("a")),
            "buttons": prefix_sums(page.has_tag("button", "input", "select")),
        }
        dates, prices = prefix_sums(self.dates), prefix_sums(self.prices)
        whole = max(float(sums["characters"][-1]), 1.0)
        free = max(float(sums["free"][-1]), 1.0)
        heading = np.flatnonzero(page.has_tag("h1"))
        rows = []
        for group in self.groups:
            spans = np.asarray(group.outer)
            low, high = page.leaf_range[spans[:, 0], 0], page.leaf_range[spans[:, 1] - 1, 1]
            size = sums["characters"][high] - sums["characters"][low]
            each = {name: sums[name][high] - sums[name][low] for name in ("free", "prose", "texts")}
            held = {name: counts[spans[:, 1]] - counts[spans[:, 0]] for name, counts in nodes.items()}
            total, count = float(size.sum()), len(spans)
            rows.append([
                np.log1p(count), np.log1p(total / count), np.log1p(each["free"].sum() / count),
                np.log1p(each["prose"].sum() / count),
                1 - each["free"].sum() / max(total, 1.0), total / whole, each["free"].sum() / free,
                sums["characters"][low[0]] / whole, sums["characters"][high[-1]] / whole, 0.0,
                np.mean(dates[high] > dates[low]), np.mean(prices[high] > prices[low]), np.mean(held["pictures"] > 0),
                np.mean(held["headings"] > 0), np.log1p(len(group.spans) - count),
                float(np.median(size)) / max(total / count, 1.0),
                float(len(heading) > 0 and heading[0] < spans[0, 0]), np.log1p(held["links"].mean()),
                np.log1p(each["texts"].mean()),
                np.mean(held["buttons"] > 0), float(size.max()) / max(total, 1.0),
            ])  # fmt: skip
        matrix = np.asarray(rows, dtype=np.float64)
        matrix[:, _MEASURES.index("rank")] = np.argsort(np.argsort(-matrix[:, _MEASURES.index("free_share")]))
        return matrix

    def _frames(self) -> FloatArray:
        first = [group.spans[0][0] for group in self.groups]
        roles = {"nav": "navigation", "footer": "contentinfo", "header": "banner", "aside": "complementary"}
        roles |= {"main": "main"}
        columns = []
        for tag in _FRAMES:
            marked = self.page.has_tag(tag)
            if tag in roles:
                marked |= _has_role(self.page, roles[tag])
            columns.append(self.page.below(marked)[first])
        return np.stack(columns, axis=1).astype(np.float64)

    def _names(self) -> tuple[FloatArray, FloatArray]:
        """Return the class-name families of the records, and of the elements around them."""
        page = self.page
        first = np.asarray([group.spans[0][0] for group in self.groups], dtype=np.intp)
        of_parts = np.where(page.has_tag("body", "html"), np.uint64(0), self.families)
        # The last one is that of the parent of the root.
        around = np.append(page.inherited_bits(of_parts), np.uint64(0))
        return _bits(self.families[first].tolist()), _bits(around[page.parent[first]].tolist())


#: Cached properties that do not depend on the groups.
_OF_TEXTS = ("texts", "linked", "characters", "prose", "_numbered", "dates", "prices", "families", "measured")


def _has_role(page: Page, role: str) -> BoolColumn:
    return page.attribute_matches("role", lambda value: value.strip().lower() == role)


def _bits(families: list[int]) -> FloatArray:
    return np.asarray([[bits >> place & 1 for place in range(len(FAMILIES))] for bits in families], dtype=np.float64)


def measures_without_groups(page: Page) -> GroupMeasures:
    """Return the counts of a page without finding its records, which is slow."""
    alone = GroupMeasures(page=page, shown=visible_or_covered(page), groups=[])
    known = _known_counts(page)
    if not known:
        known |= {name: getattr(alone, name) for name in _OF_TEXTS}
    vars(alone).update(known)
    return alone


@cached_by_owner
def _known_counts(_: Page) -> dict[str, Any]:
    """Return a place for the counts of a page: its readings, its type and its records need them."""
    return {}


def measure_groups(page: Page) -> GroupMeasures:
    """Find the groups of records of a page."""
    return measures_without_groups(page).with_groups(find_record_groups(page))
