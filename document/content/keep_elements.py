"""Selection of the elements that a document keeps: structure and emphasis around marked text.

All decisions are column operations with counts over subtrees (a list with headings, or a table with tables, is layout),
so the time is linear in the number of nodes, whatever their depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import MOST, BoolColumn, IntColumn, mask_of, prefix_sums
from ...page.metadata.title_by_look import headings_by_look
from ...page.page import Page
from ...page.tree import subtree_sums
from ...page.urls import absolute_links
from ...segment.blocks import text_runs
from .parts.all_parts import ContentParts
from .parts.inline import HEADINGS

#: Output tag of the elements that carry structure.
BLOCKS = {tag: tag for tag in "ul ol li dl dt dd table thead tbody tfoot tr td th caption pre blockquote".split()}
#: The style of the element in which Chromium shows a file of plain text, which is no code.
TEXT_FILE = "word-wrap: break-word; white-space: pre-wrap;"
BLOCKS |= {"menu": "ul", "dir": "ul", "listing": "pre", "figure": "figure", "figcaption": "figcaption"}
BLOCKS |= {"details": "details", "summary": "summary"}
#: Output tag of a footnote, whatever it was on the page.
NOTE = "aside"
#: Output tag of the elements that carry emphasis or a link.
INLINES = {tag: tag for tag in "a b strong em i sub sup del ins mark q code".split()}
INLINES |= {"s": "del", "strike": "del", "kbd": "code", "samp": "code", "tt": "code"}

_TABLE_PARTS = ("thead", "tbody", "tfoot", "tr", "td", "th", "caption")
_LISTS = ("ul", "ol", "dl", "menu", "dir")
_ITEMS = ("li", "dt", "dd")

#: Most levels that are kept; deeper elements are dropped, as readers of the result may recurse.
BLOCK_LEVELS = 20
#: Most levels of emphasis, and paragraphs in it or a link: around more it is a forgotten end tag or a wrapper.
INLINE_LEVELS = 8
#: Longer "headings" are text that somebody wanted large, and tables of longer cells without headers have a layout.
HEADING_CHARACTERS = 300
#: A list whose items are longer on average holds articles, not items, and so does a headed table with a longer cell.
ITEM_CHARACTERS = 1000
#: A quote of most of the whole, in more paragraphs than this, is an indentation.
QUOTE_PARAGRAPHS = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptElements:
    """The elements that are kept.

    ``block`` and ``inline``, int32 (nodes,), are the row of the nearest kept element of structure and of emphasis, the
    node included, -1 for none; ``tags`` and ``emphasis`` their output tags by row, ``links`` the absolute URLs of
    links. ``line``, bool (nodes,), marks kept elements with one paragraph only (headings, cells, terms, code).
    ``paragraph``, int32 (nodes,), is the run of text of each leaf and inset
    (:func:`~blocksight.segment.blocks.text_runs`), -1 for other nodes; ``empty_cells``, int32 (cells,), are the cells
    without marked text in kept rows.
    """

    block: IntColumn
    inline: IntColumn
    tags: dict[int, str]
    emphasis: dict[int, str]
    links: dict[int, str]
    line: BoolColumn
    paragraph: IntColumn
    empty_cells: IntColumn


class ElementFilter:
    """Decides which elements survive: the counts that the decisions need, then the decisions.

    ``frames``, bool (nodes,), are layout, whatever their tag; ``quotes`` the rows of quotes that are none by their tag;
    ``lines``, bool (nodes,), elements that break the line like block-level ones, besides lines of code.
    """

    def __init__(
        self,
        page: Page,
        parts: ContentParts,
        frames: BoolColumn | None = None,
        quotes: Sequence[int] = (),
        lines: BoolColumn | None = None,
    ) -> None:
        self.page, self.frames = page, frames
        insets = sorted(parts.insets)
        weight = np.zeros(len(page), dtype=np.int64)
        weight[page.leaves] = np.where(parts.marks, page.leaf_lengths, 0)
        weight[insets] += 1
        self.weight = weight
        self.characters = self._inside(weight)
        self.has = (self.characters > 0) & ~parts.omitted
        self.looked = headings_by_look(page, parts.marks)
        self.heading = (
            page.has_tag(*HEADINGS) | self._says("role", "heading") | mask_of(len(page), [*self.looked])
        ) & self.has
        self.note = mask_of(len(page), list(parts.notes)) & self.has
        self.quote = mask_of(len(page), [*quotes, *parts.callouts]) & self.has
        self.rows = np.union1d(page.leaves, np.asarray(insets, dtype=np.int32)).astype(np.int32)
        lines = parts.code.lines if lines is None else parts.code.lines | lines
        breaking = (page.block_level & ~parts.omitted) | lines
        for note, start in parts.margin.items():
            breaking[start : page.end[note]] = False
        self.runs = text_runs(page, self.rows, breaking)
        for note in parts.margin:  # a paragraph of its own
            self.runs[slice(*self.rows.searchsorted([note, page.end[note]]))] = -3 - note
        self.paragraph = np.full(len(page), -1, dtype=np.int32)
        self.paragraph[self.rows] = self.runs

    def kept(self) -> KeptElements:
        """Return the elements that are kept."""
        page = self.page
        block, line = self._blocks()
        links = absolute_links(page, (page.has_tag("a") & self.has).nonzero()[0])
        inline = self._inlines(block, links)
        empty = self._empty_cells(block)
        block |= empty
        return KeptElements(
            block=page.nearest(block),
            inline=page.nearest(inline),
            tags={row: self._tag(row) for row in block.nonzero()[0].tolist()},
            emphasis={row: INLINES[page.tag_of(row)] for row in inline.nonzero()[0].tolist()},
            links=links,
            line=line & block,
            paragraph=self.paragraph,
            empty_cells=empty.nonzero()[0].astype(np.int32),
        )

    # -- structure ------------------------------------------------------------------------------------------------

    def _blocks(self) -> tuple[BoolColumn, BoolColumn]:
        page, has = self.page, self.has
        note = self.note
        layout = note if self.frames is None else note | self.frames
        table, lists, quote = self._data_tables() & ~layout, self._lists() & ~layout, self._quotes() & ~layout
        pre = page.has_tag("pre", "listing") & has & ~page.attribute_matches("style", TEXT_FILE.__eq__)
        details, summary = self._captioned("details", "summary")
        figure, caption = self._captioned("figure", "figcaption")
        whole = (lists & page.has_tag(*_LISTS)) | (table & page.has_tag("table"))
        other = self.heading | pre | quote | figure | note | whole
        heading = self.heading & (self._inside(other) == 1) & (self.characters <= HEADING_CHARACTERS)
        block = heading | pre | quote | figure | caption | lists | table | note | summary | details
        line = block & (heading | pre | caption | summary | page.has_tag("td", "th", "caption", "dt")) & ~note
        block &= ~self._owned(page.parent, page.below(line))
        block &= self._levels(block) <= BLOCK_LEVELS
        return block, line

    def _empty_cells(self, block: BoolColumn) -> BoolColumn:
        """Mark the cells without text in kept rows."""
        page = self.page
        kept = block & page.has_tag("tr")
        if not kept.any():
            return kept
        rows = page.nearest(kept)
        cells = page.has_tag("td", "th") & (self.characters == 0) & (rows >= 0)
        empty: BoolColumn = cells & (rows == page.nearest(page.has_tag("tr"))) & (rows == page.nearest(block))
        return empty

    def _captioned(self, outer: str, inner: str) -> tuple[BoolColumn, BoolColumn]:
        """Mark elements with captions, such as figures and details, and these captions."""
        caption = self.page.has_tag(inner) & self.has & self.page.below(self.page.has_tag(outer))
        return self.page.has_tag(outer) & self.has & (self._inside(caption) > 0), caption

    def _data_tables(self) -> BoolColumn:
        page, has = self.page, self.has
        table = page.has_tag("table")
        if not table.any():
            return table
        owner = page.nearest(table)
        cell = page.has_tag("td", "th") & has & (owner >= 0)
        row = page.has_tag("tr") & has
        wide = row & (self._tally(page.nearest(page.has_tag("tr")), cell) >= 2)
        longest = np.zeros(len(page), dtype=np.int64)
        np.maximum.at(longest, owner[cell], self.characters[cell])
        heads, bodies = self._heads(owner, row)
        body = mask_of(len(page), bodies)
        headed = body | (self._tally(owner, page.has_tag("th", "thead", "caption")) > 0)
        tall = self._tally(owner, row) > 2
        # Heads of columns may be headings, and cells lists, in what is a grid: all rows are as wide.
        grid = tall & (self._tally(owner, wide) == self._tally(owner, row)) & self._even(owner, cell)
        rich = (self._inside((self.heading | page.has_tag("pre", "blockquote", *_LISTS)) & has) > 0) & ~grid
        data: BoolColumn = table & has & (self._inside(table & has) == 1) & ~self._says("role", "presentation", "none")
        data &= ((self._tally(owner, row) >= 2) | body) & (self._tally(owner, wide) >= np.where(headed, 1, 2))
        data &= (headed | ~rich) & (longest <= np.where(headed, ITEM_CHARACTERS, HEADING_CHARACTERS))
        data[heads] = data[bodies]
        part: BoolColumn = page.has_tag(*_TABLE_PARTS) & has & self._owned(owner, data)
        return data | part

    def _heads(self, owner: IntColumn, row: BoolColumn) -> tuple[IntColumn, IntColumn]:
        """Return the tables that are only a head, and directly below each the table of its rows, as wide."""
        page, rows = self.page, (row & (owner >= 0)).nonzero()[0]
        cell, inner = page.has_tag("td", "th"), page.nearest(page.has_tag("tr"))
        columns, weight = self._tally(inner, cell), prefix_sums(self.weight)
        plain = self._tally(inner, cell & ~page.below(page.has_tag("th", "thead"))) > 0
        above, below = rows[:-1], rows[1:]
        head = plain[below] & ~plain[above] & (self._tally(owner, row)[owner[above]] == 1)
        head &= (columns[above] > 1) & (columns[above] == columns[below]) & (weight[below] == weight[page.end[above]])
        return owner[above[head]], owner[below[head]]

    def _even(self, owner: IntColumn, cell: BoolColumn) -> BoolColumn:
        """Mark tables of which all rows have the same number of cells with text."""
        rows = (self.page.has_tag("tr") & (owner >= 0)).nonzero()[0]
        cells = self._tally(self.page.nearest(self.page.has_tag("tr")), cell)[rows]
        least, most = np.full(len(owner), len(owner)), np.zeros(len(owner), dtype=np.int64)
        np.minimum.at(least, owner[rows], cells)
        np.maximum.at(most, owner[rows], cells)
        return np.asarray(least == most)

    def _lists(self) -> BoolColumn:
        """Mark lists of items with their items, and items without a list; not lists used as layout of articles."""
        page, has = self.page, self.has
        item, listed = page.has_tag(*_ITEMS) & has, page.has_tag(*_LISTS) & has
        if not item.any() and not listed.any():
            return item
        owner = page.nearest(page.has_tag(*_LISTS))
        # Code and tables make an item long, not an article; an item within an item is one of its own.
        apart = page.below(page.has_tag("pre", "listing", "table"))[page.leaves]
        characters_of_items = np.zeros(len(page), dtype=np.int64)
        characters_of_items[page.leaves] = np.where(apart, 0, self.weight[page.leaves])
        mean = self._inside(characters_of_items) / np.maximum(self._inside(item), 1)
        noted = np.bincount(owner[self.note & (owner >= 0)], minlength=len(page)) > 0
        unheaded, counted = self._inside(self.heading) == 0, page.has_tag("ol") & (self._tally(owner, item) > 1)
        lists: BoolColumn = listed & ~noted & (mean <= ITEM_CHARACTERS) & (unheaded | counted)
        lists &= ~self._hollow(owner, item)
        alone = (owner < 0) & unheaded & (self.characters <= ITEM_CHARACTERS)
        held: BoolColumn = item & (self._owned(owner, lists) | alone)
        return lists | held

    def _hollow(self, owner: IntColumn, item: BoolColumn) -> BoolColumn:
        """Mark lists whose only content is a list in their one item: they would be a bullet without text."""
        inner = self.page.nearest(item)
        own = np.bincount(inner[inner >= 0], weights=self.weight[inner >= 0], minlength=len(self.page))
        bare = item & (own == 0) & (self._inside(item) > 1)
        hollow: BoolColumn = (self._tally(owner, item) == 1) & (self._tally(owner, bare) == 1)
        return hollow

    def _quotes(self) -> BoolColumn:
        quote = self.page.has_tag("blockquote") & self.has
        if not quote.any():
            return self.quote
        whole = int(self.characters[0]) if len(self.page) else 0
        quote[self._reaching(quote & (self.characters >= MOST * whole), QUOTE_PARAGRAPHS)] = False
        return quote | self.quote

    # -- emphasis -------------------------------------------------------------------------------------------------

    def _inlines(self, block: BoolColumn, links: dict[int, str]) -> BoolColumn:
        page = self.page
        inline = page.has_tag(*INLINES) & self.has
        inline[self._reaching(inline, INLINE_LEVELS)] = False
        if not inline.any():
            return inline
        inline &= mask_of(len(page), list(links)) | ~page.has_tag("a")
        inline &= ~(page.has_tag("code", "kbd", "samp", "tt") & page.below(block & page.has_tag("pre", "listing")))
        # Headings and header cells are bold already.
        strong = page.below(block & (self.heading | page.has_tag("th", "summary")))
        inline &= ~(page.has_tag("b", "strong") & strong)
        inline &= self._levels(inline) <= INLINE_LEVELS
        return inline

    # -- counts ---------------------------------------------------------------------------------------------------

    def _inside(self, amount: NDArray[np.int64] | BoolColumn) -> NDArray[np.int64]:
        """Return the sum of a column over each node's subtree."""
        return subtree_sums(self.page, amount)

    def _tally(self, owner: IntColumn, counted: BoolColumn) -> NDArray[np.int64]:
        """Return the number of marked nodes of each owner."""
        return np.bincount(owner[counted & (owner >= 0)], minlength=len(self.page)).astype(np.int64)

    def _owned(self, owner: IntColumn, chosen: BoolColumn) -> BoolColumn:
        owned: BoolColumn = np.append(chosen, False)[owner]
        return owned

    def _levels(self, marked: BoolColumn) -> NDArray[np.int64]:
        """Return the number of marked ancestors, the node included."""
        rows, count = marked.nonzero()[0], len(self.page) + 1
        steps = np.bincount(rows, minlength=count) - np.bincount(self.page.end[rows], minlength=count)
        return np.cumsum(steps[:-1])

    def _reaching(self, marked: BoolColumn, most: int) -> NDArray[np.intp]:
        """Return the rows of the marked nodes, which have text, with text in more paragraphs than ``most``."""
        rows = marked.nonzero()[0]
        first, last = self.rows.searchsorted(rows), self.rows.searchsorted(self.page.end[rows])
        return rows[self.runs[last - 1] - self.runs[first] + 1 > most]

    def _says(self, attribute: str, *values: str) -> BoolColumn:
        return self.page.attribute_matches(attribute, lambda value: value.strip().lower() in values)

    def _tag(self, row: int) -> str:
        """Return an element's output tag; a heading by role without a level has the second (ARIA)."""
        name = self.page.tag_of(row)
        if self.note[row]:
            return NOTE
        if self.quote[row]:
            return "blockquote"
        if (name in BLOCKS or name in HEADINGS) and row not in self.looked:
            return BLOCKS.get(name, str(name))
        level = self.page.attributes_of(row).get("aria-level", "").strip() or str(self.looked.get(row, 2))
        return f"h{min(max(int(level), 1), 6)}" if level.isdecimal() else "h2"
