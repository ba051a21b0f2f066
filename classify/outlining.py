"""Marked leaves to paragraphs: which leaves stand together, inside which lists, tables, quotes and headings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..features.words import count_words
from ..render.page import Page
from ..segment.blocks import text_blocks
from .system import Marks

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CONTAINERS = frozenset(["ul", "ol", "li", "dl", "dt", "dd", "blockquote", "figure", "figcaption", "pre", *HEADINGS])
TABLE_PARTS = frozenset(["table", "caption", "tr", "td", "th"])
INLINE = frozenset(["a", "em", "strong", "b", "i", "code", "sub", "sup", "del", "s", "ins", "mark", "q", "kbd", "var"])
#: Elements that stand deeper than this inside others of these kinds are dissolved.
DEEPEST = 24
#: Mean words a cell, above which a table without headings is taken for page layout.
_LAYOUT_WORDS = 25


@dataclass(slots=True, kw_only=True)
class Paragraph:
    """Leaves that are read in one go.

    Attributes
    ----------
    containers : tuple of int
        Rows of the elements around it that are kept, outermost first.
    leaves : list of int
        Its marked text leaves.
    """

    containers: tuple[int, ...]
    leaves: list[int] = field(default_factory=list)


class Outline:
    """What of a page's tree is worth keeping around marked leaves."""

    def __init__(self, page: Page, marks: Marks) -> None:
        if marks.shape != page.leaves.shape or marks.dtype != np.bool_:
            raise ValueError(f"marks must be {len(page.leaves)} bools, one a text leaf of the page")
        self.page = page
        self.marks = marks
        self._chains: dict[int, tuple[int, ...]] = {-1: ()}

    @cached_property
    def kinds(self) -> list[str]:
        """The tag under which each node is kept, "" for those that dissolve."""
        page = self.page
        kept = [name if name in CONTAINERS else "" for name in page.names]
        kinds = [kept[code] for code in page.tag.tolist()]
        for row in np.flatnonzero(page.below(self._data_tables)).tolist():
            if page.tag_of(row) in TABLE_PARTS:
                kinds[row] = page.tag_of(row)
        for row in np.flatnonzero(page.attribute("role") >= 0).tolist():
            attributes = page.attributes_of(row)
            if attributes.get("role") == "heading" and not kinds[row]:
                level = attributes.get("aria-level", "2")
                kinds[row] = f"h{level}" if level in "123456" and len(level) == 1 else "h6"
        return kinds

    @cached_property
    def _data_tables(self) -> NDArray[np.bool_]:
        tables = self.page.has_tag("table")
        for row in np.flatnonzero(tables).tolist():
            tables[row] = self._is_data(row)
        return tables

    def _is_data(self, table: int) -> bool:
        """Tables for page layout hold other tables, headings or long text, and have no heading cells."""
        page, inside = self.page, slice(table + 1, int(self.page.end[table]))
        if page.has_tag("table")[inside].any() or page.attributes_of(table).get("role") == "presentation":
            return False
        cells = int(page.has_tag("td", "th")[inside].sum())
        rows = int(page.has_tag("tr")[inside].sum())
        if rows < 1 or cells < 2:
            return False
        if page.has_tag("th", "caption")[inside].any():
            return True
        first, last = page.leaf_range[table]
        amount = sum(count_words(text) for text in page.leaf_texts[first:last])
        blocks = page.has_tag("h1", "h2", "h3", "form", "ul", "ol")[inside].any()
        return cells / rows >= 2 and rows >= 2 and amount / cells <= _LAYOUT_WORDS and not blocks

    def chain(self, row: int) -> tuple[int, ...]:
        """Rows of the kept elements around a node, itself included, outermost first."""
        climbed = []
        while row not in self._chains:
            climbed.append(row)
            row = int(self.page.parent[row])
        for below in reversed(climbed):
            above = self._chains[int(self.page.parent[below])]
            keep = self.kinds[below] and len(above) < DEEPEST
            self._chains[below] = (*above, below) if keep else above
        return self._chains[climbed[0]] if climbed else self._chains[row]

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yield the paragraphs of marked leaves in document order; a ``pre`` is one paragraph."""
        page = self.page
        block = text_blocks(page).leaf_block
        current: Paragraph | None = None
        last: tuple[int, ...] = ()
        for leaf in np.flatnonzero(self.marks).tolist():
            containers = self.chain(int(page.leaves[leaf]))
            pre = next((row for row in containers if self.kinds[row] == "pre"), -1)
            key = (pre,) if pre >= 0 else (int(block[leaf]), *containers)
            if current is None or key != last:
                if current is not None:
                    yield current
                current = Paragraph(containers=containers)
            current.leaves.append(leaf)
            last = key
        if current is not None:
            yield current

    def kind(self, paragraph: Paragraph) -> str:
        """Say what a paragraph is: heading, code, table cell, list item, caption, quote, term or paragraph."""
        names = {
            "pre": "code",
            "td": "table cell",
            "th": "table cell",
            "caption": "caption",
            "figcaption": "caption",
            "li": "list item",
            "dt": "term",
            "dd": "definition",
            "blockquote": "quote",
        }
        for row in reversed(paragraph.containers):
            kind = self.kinds[row]
            if kind in HEADINGS:
                return "heading"
            if kind in names:
                return names[kind]
        return "paragraph"
