"""Nodes that are laid out but not painted, or not painted where their boxes are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...page.arrays import BoolColumn
from ...page.page import Page
from .computed_styles import Styles

#: SVG elements whose content is painted only where another element refers to it (SVG 2, section 5.5).
_DEFINITIONS = ("defs", "symbol", "pattern", "mask", "clippath", "marker")
_REFERENCE = re.compile(r"""url\(["']?#([^"')]+)""")


@dataclass(frozen=True, eq=False)
class Unpainted:
    """Nodes that are laid out but not painted, by reason; each column is bool (nodes,)."""

    page: Page
    styles: Styles

    @cached_property
    def drawings(self) -> BoolColumn:
        """Content of SVG images, whose texts are scaled."""
        page = self.page
        return page.below(page.has_tag("svg")) & ~page.below(page.has_tag("foreignobject"))

    @cached_property
    def inexact(self) -> BoolColumn:
        """Nodes whose boxes do not say where they are painted."""
        return self.drawings | self.page.below(self.page.has_tag("marquee"))

    @cached_property
    def closed(self) -> BoolColumn:
        """Closed details."""
        return self.page.has_tag("details") & (self.page.attribute("open") < 0)

    @cached_property
    def closed_details(self) -> BoolColumn:
        """Content of closed details, except for their summaries."""
        page, closed = self.page, self.closed
        summaries = page.has_tag("summary") & has_parent(page, closed)
        return is_inside(page, closed) & ~page.below(summaries) if closed.any() else closed

    @cached_property
    def definitions(self) -> BoolColumn:
        """Content of SVG definitions."""
        page = self.page
        return page.below(page.has_tag(*_DEFINITIONS) & page.below(page.has_tag("svg")))

    @cached_property
    def used_definitions(self) -> BoolColumn:
        """Content of SVG definitions that something refers to and may paint."""
        page, definitions = self.page, self.definitions
        if not definitions.any():
            return definitions
        used = {name for value in self._references() for name in _REFERENCE.findall(value)}
        names = page.attribute("id")
        named = np.zeros(len(page), dtype=bool)
        rows = np.flatnonzero((names >= 0) & page.below(page.has_tag("svg")))
        named[rows] = [page.strings[names[row]] in used for row in rows.tolist()]
        return definitions & page.below(named)

    def _references(self) -> Iterator[str]:
        """Yield values that may refer to an SVG element."""
        page = self.page
        for name in ("href", "xlink:href"):
            values = page.attribute(name)[page.has_tag("use")]
            yield from (f"url({page.strings[value]})" for value in values.tolist() if value >= 0)
        yield from (value for value in page.strings if "url(" in value and "#" in value)
        yield from (row[name] for row in self.styles.rows if row for name in ("clip-path", "mask-image"))

    @cached_property
    def skipped(self) -> BoolColumn:
        """Nodes that are not painted at all: hidden content, closed details, SVG definitions."""
        hidden = self.styles.where(lambda row: row["content-visibility"] == "hidden")
        return is_inside(self.page, hidden) | self.closed_details | self.definitions


def has_parent(page: Page, marked: BoolColumn) -> BoolColumn:
    """Return the nodes whose parent is marked, bool (nodes,)."""
    found: BoolColumn = (page.parent >= 0) & marked[page.parent]
    return found


def is_inside(page: Page, marked: BoolColumn) -> BoolColumn:
    """Return the nodes with a marked ancestor, bool (nodes,)."""
    return has_parent(page, page.below(marked))
