"""Fields of the records of a group: named columns, and the text without what is around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ..lexicon.phrases import BY, alternatives
from ..page.arrays import HALF, MOST, MOSTLY, BoolColumn, cached_by_owner, prefix_sums
from ..page.clean_text import clean_leaves
from ..page.lazy import Lazy
from ..page.page import Page
from ..page.tables import headed_rows
from ..page.urls import Addresses
from ..segment.record_groups import RecordGroup, Span
from .body import body_place, is_named_otherwise, is_prose
from .candidates import RecordCandidates
from .field_columns import Aligned, Cells, leaf_text
from .field_names import columns_of_records
from .field_values import CLOCK, FIELDS, LONGEST, is_just_price, written_value
from .posts.permalinks import permalinks
from .posts.quotes import collect_quotes, quote_rows, quoted_name
from .posts.signatures import (
    are_like_posts,
    are_posts,
    have_titles,
    leave_out_cards,
    signed_columns,
    with_inherited_names,
)
from .text_columns import FieldColumn

_SPACE = re.compile(r"\s+")
#: The end of a text that a name completes.
_BY = re.compile(rf"(?:^|\s)(?:{alternatives(BY)})\s*$", re.IGNORECASE)
#: Numbers, but for times of day.
_NUMBERS, _SIGNS = re.compile(rf"^(?!{CLOCK.pattern}$)[\W\d_]*$", re.IGNORECASE), re.compile(r"^[\W_]*$")
#: Least characters of a text at another place than that of the other records.
_SENTENCES = 100
#: Keys of a record that no column of a table has as its name.
RESERVED = frozenset(
    (*FIELDS, "html", "quotes", "records", "box", "selector", "set", "kind", "type", "number", "depth", "page", "url")
)
_PORTRAIT = re.compile(r"avatar|user|member|author|emoji|smil|icon|badge|flag")


class FieldReader:
    """Reads the groups of one page.

    On pages of ``posts``, and of records that are like posts, names are authors by their place.
    """

    def __init__(self, candidates: RecordCandidates, *, posts: bool = False) -> None:
        self.candidates, self.posts, self.page = candidates, posts, candidates.page
        self._known: dict[tuple[Span, ...], Reading] = {}
        self._addresses = Lazy(partial(Addresses, self.page))
        self.row_cells = Lazy(partial(headed_rows, self.page))

    def read(self, group: RecordGroup) -> Reading:
        """Read the records of a group, once; columns are named by texts and class names."""
        if group.spans not in self._known:
            self._known[group.spans] = self._read(group)
        return self._known[group.spans]

    def _read(self, group: RecordGroup) -> Reading:
        aligned = self.candidates.aligned(group)
        body, columns = self._columns(aligned, group)
        posts = self.posts or are_like_posts(aligned, columns)
        if posts:
            columns = signed_columns(aligned, body, columns, posts=self.posts or "comment" in "".join(group.names))
        signed = posts and {"author", "date"} <= columns.keys() and (self.posts or not have_titles(aligned, columns))
        if signed:
            leave_out_cards(aligned, columns)
        rows = not self.posts and not signed and group.tag == "tr"
        return Reading(reader=self, aligned=aligned, body=body, columns=columns, signed=signed, rows=rows)

    def _columns(self, aligned: Aligned, group: RecordGroup) -> tuple[int, dict[str, FieldColumn]]:
        """Return the place of the text and the columns by their texts and class names."""
        if any(cells.quotes for cells in aligned.cells):
            collect_quotes(aligned, body := body_place(aligned))
            return body, columns_of_records(aligned, body).named
        known = self.candidates.columns_of(group)
        return known.body, dict(known.named)

    def address(self, row: int, name: str) -> str:
        """Return an attribute of an element as an absolute URL, "" if it has none."""
        code = int(self.page.attribute(name)[row])
        written = self.page.strings[code] if code >= 0 else ""
        return "" if not written or written.startswith("data:") else self._addresses.value.absolute(row, written)


# Without slots: values, texts and links are read on first access.
@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """A group of records with its fields."""

    reader: FieldReader
    aligned: Aligned
    body: int  # place of the text
    columns: dict[str, FieldColumn]  # of the text fields
    signed: bool = False  # whether they are like posts, with who wrote them and when
    rows: bool = False  # whether they are rows of a table, whose cells have the names of its columns

    @property
    def page(self) -> Page:
        """The page."""
        return self.aligned.page

    def share(self, field: str) -> float:
        """Return the share of records that have a field; of posts, what is between them does not count."""
        fields = [one for one in self.fields if one] if self.signed else self.fields
        return sum(field in one for one in fields) / max(len(fields), 1)

    def leaves_of(self, field: str) -> list[int]:
        """Return the leaves of a text field, of all records."""
        column = self.columns.get(field)
        return [] if column is None else [leaf for some in column.leaves.values() for leaf in some]

    @cached_property
    def fields(self) -> list[dict[str, str]]:
        """The fields of each record, in the order of :data:`~.field_values.FIELDS`; custom ones are last."""
        values = [
            {name: written_value(name, column.texts[n]) for name, column in self.columns.items() if n in column.texts}
            | {"text": text_of(self.page, text)}
            for n, text in enumerate(self.texts)
        ]
        for name, found in (("image", self._images()), ("link", self.links)):
            for record, value in found.items():
                values[record][name] = value
        for one, named in zip(values, self._row_cells, strict=True):
            one |= {name: text_of(self.page, leaves).replace("\n", " ") for name, leaves in named.items()}
        if self.signed:
            with_inherited_names(self.aligned, self.columns, values)
        return [_ordered(one) if counts else {} for one, counts in zip(values, self._counted, strict=True)]

    def permalinked(self) -> list[dict[str, str]]:
        """Return the fields of posts with the address of each as its link; that of a profile or a button is none."""
        titled, links = "title" in self.columns, permalinks(self.aligned, self.columns)
        return [
            one if titled and not link else _ordered({**one, "link": link} if one else one)
            for one, link in zip(self.fields, links, strict=True)
        ]

    @cached_property
    def _counted(self) -> list[bool]:
        return are_posts(self.aligned, self.columns) if self.signed else [True] * len(self.aligned.cells)

    @cached_property
    def _field_leaves(self) -> set[int]:
        return {leaf for column in self.columns.values() for some in column.leaves.values() for leaf in some}

    @cached_property
    def _inside(self) -> set[int]:
        """The places of the text, none if it has no place of its own."""
        return self.aligned.below(self.body) if self.body else set()

    # -- cells of tables --------------------------------------------------------------------------------------------

    @cached_property
    def _row_cells(self) -> list[dict[str, list[int]]]:
        """The leaves of the cells of table rows by the headers of their columns, without fields and text."""
        found = [self._cells_of(cells) if self.rows else {} for cells in self.aligned.cells]
        names = {name for named in found for name in named}
        buttons = {name for name in names if self._are_buttons([one.get(name, []) for one in found])}
        return [{name: leaves for name, leaves in named.items() if name not in buttons} for named in found]

    def _cells_of(self, cells: Cells) -> dict[str, list[int]]:
        text = {leaf for leaf, place in zip(cells.leaves, cells.places, strict=True) if place in self._inside}
        first, end = cells.span
        named: dict[str, list[int]] = {}
        headed = self.reader.row_cells.value.get(first, ()) if end == self.page.end[first] else ()
        for name, cell in headed:
            low, high = self.page.leaf_range[cell.node].tolist()
            # A cell of a row above covers this one.
            leaves = [leaf for leaf in range(low, high) if self.reader.candidates.shown[leaf]]
            if cell.node >= first:
                leaves = cells.leaves[bisect_left(cells.leaves, low) : bisect_left(cells.leaves, high)]
            free = text.isdisjoint(leaves) and self._field_leaves.isdisjoint(leaves)
            if 0 < len(name) <= LONGEST and name not in RESERVED and leaves and free:
                named.setdefault(name, []).extend(leaves)
        return named

    def _are_buttons(self, cells: list[list[int]]) -> bool:
        """Return whether the cells of a column are links with the same words."""
        linked = all(self.aligned.linked[leaf] for some in cells for leaf in some)
        return linked and len(cells) > 1 and len({text_of(self.page, some) for some in cells}) == 1

    # -- text -------------------------------------------------------------------------------------------------------

    @cached_property
    def texts(self) -> list[list[int]]:
        """The leaves of the text of each record; what is between posts has none."""
        texts = list[list[int]]()
        for cells, named, counts in zip(self.aligned.cells, self._row_cells, self._counted, strict=True):
            # Of each record for itself: a cell that covers the row below may be a field there, and text here.
            fields = self._field_leaves.intersection(cells.leaves).union(*named.values())
            texts.append(self._text(cells, fields) if counts else [])
        if "price" in self.columns and not self.body:
            # Other prices are earlier or discounted ones.
            return [[leaf for leaf in some if not is_just_price(leaf_text(self.page, leaf))] for some in texts]
        return texts

    def _text(self, cells: Cells, fields: set[int]) -> list[int]:
        """Return the leaves of a record's text; of records with fields but another structure, the text elsewhere."""
        besides = fields | cells.signed | cells.boilerplate
        if not self._inside:
            return self._elsewhere(cells, besides)
        places = zip(cells.leaves, cells.places, strict=True)
        leaves = [leaf for leaf, place in places if place in self._inside and leaf not in besides]
        if leaves or fields.isdisjoint(cells.leaves):
            return leaves
        other = self._elsewhere(cells, besides)
        size = sum(len(leaf_text(self.page, leaf)) for leaf in other if not self.aligned.linked[leaf])
        return other if size >= _SENTENCES else []

    def _elsewhere(self, cells: Cells, besides: set[int]) -> list[int]:
        """Return the leaves of the text of a record without a place for it."""
        texts, linked = clean_leaves(self.page), self.aligned.linked[cells.leaves].tolist()
        # In a card that is a link as a whole, links are not buttons; all cells of a table's row are values.
        whole, row = all(linked), not self.reader.posts and self.page.tag_of(cells.span[0]) == "tr"
        named = [is_named_otherwise(name) for name in self.aligned.names]
        leaves = [
            leaf
            for leaf, place, link in zip(cells.leaves, cells.places, linked, strict=True)
            if leaf not in besides
            and (row or leaf in cells.quoted or not (named[place] or _NUMBERS.match(texts[leaf])))
            and not _SIGNS.match(texts[leaf])
            and (whole or not link or is_prose(texts[leaf]))
        ]
        return self._without_holes(leaves, sorted(set(cells.leaves).difference(leaves)))

    def _without_holes(self, leaves: list[int], left_out: list[int]) -> list[int]:
        """Return the leaves without labels of which parts are left out: "112 points by" without the name."""
        line, parts = _text_lines(self.page).line, dict[int, list[int]]()
        for leaf in leaves:
            parts.setdefault(line[leaf], []).append(leaf)
        broken = set[int]()
        for leaf in left_out:
            some = parts.get(line[leaf], [])
            follows = bool(some) and some[0] < leaf
            if follows and (leaf < some[-1] or _BY.search(leaf_text(self.page, some[-1]))):
                broken.add(line[leaf])
        sentences = {line[leaf] for leaf in leaves if is_prose(leaf_text(self.page, leaf))}
        return [leaf for leaf in leaves if line[leaf] not in broken - sentences]

    # -- attributes -------------------------------------------------------------------------------------------------

    def _images(self) -> dict[int, str]:
        """Return the picture at a place that most records have, with mostly different addresses."""
        found = dict[int, dict[int, str]]()
        for place, rows in self._elements_at(self.page.has_tag("img")).items():
            values = self._first_addresses(rows, "data-src", "src")
            if not _PORTRAIT.search(self.aligned.names[place]) and self._vary(values, HALF, HALF):
                found[place] = values
        return found[max(found, key=lambda place: (len(found[place]), -place))] if found else {}

    @cached_property
    def links(self) -> dict[int, str]:
        """The link of each title, else of the whole record, else of its date, else the first that differs."""
        link = self.page.nearest(self.page.has_tag("a"))
        titles, dates = (
            [(record, int(link[self.page.leaves[some[0]]])) for record, some in self.columns[name].leaves.items()]
            if name in self.columns
            else []
            for name in ("title", "date")
        )
        for some in (titles, [(record, int(link[cells.span[0]])) for record, cells in enumerate(self.aligned.cells)]):
            values = self._first_addresses(some, "href")
            if len(values) >= HALF * len(self.aligned.cells):
                return self._of_counted(values)
        several = len(self.aligned.cells) > 1
        places = self._elements_at(self.page.attribute("href") >= 0)
        for some in (dates, *(places[place] for place in sorted(places))) if several else ():
            values = self._first_addresses(some, "href")
            if self._vary(values, MOSTLY, MOST):
                return self._of_counted(values)
        return {}

    def _of_counted(self, values: dict[int, str]) -> dict[int, str]:
        return {record: value for record, value in values.items() if self._counted[record]}

    def _first_addresses(self, rows: list[tuple[int, int]], *names: str) -> dict[int, str]:
        """Return the first address of each record, given record and row of elements."""
        found = dict[int, str]()
        for record, row in rows:
            if row >= 0 and (address := next(filter(None, (self.reader.address(row, name) for name in names)), "")):
                found.setdefault(record, address)
        return found

    def _elements_at(self, marked: BoolColumn) -> dict[int, list[tuple[int, int]]]:
        """Return record and row of the marked elements at each place."""
        found: dict[int, list[tuple[int, int]]] = {}
        for record, cells in enumerate(self.aligned.cells):
            for row, place in cells.elements:
                if marked[row]:
                    found.setdefault(place, []).append((record, row))
        return found

    def _vary(self, values: dict[int, str], least: float, different: float) -> bool:
        """Return whether some share of the records have a value, and some share of these another one."""
        enough = len(values) >= least * len(self.aligned.cells)
        return enough and len(set(values.values())) >= different * len(values)


def text_of(page: Page, leaves: Iterable[int]) -> str:
    """Return the text of leaves: a line for each paragraph and after each break."""
    lines, pieces, last = _text_lines(page), list[str](), -1
    for leaf in leaves:
        if last >= 0:
            broken = lines.line[leaf] != lines.line[last]
            pieces.append("\n" if broken else " " if lines.white[leaf] > lines.white[last] else "")
        pieces.append(_SPACE.sub(" ", page.leaf_texts[leaf]))
        last = leaf
    written = [line.strip() for line in "".join(pieces).split("\n")]
    return "\n".join(line for line in written if line.strip("|·•"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TextLines:
    """The line of each leaf, and the white texts before it."""

    line: list[int]
    white: list[int]


@cached_by_owner
def _text_lines(page: Page) -> _TextLines:
    """Find lines: one ends where its element does, at a break, and where another element of its own line is between."""
    block = page.block_level
    if named := [row for quote in quote_rows(page) if (row := quoted_name(page, quote)) >= 0]:
        block = block.copy()
        block[named] = True
    starts = prefix_sums(page.has_tag("br") | block)[page.leaves]
    owners = (page.nearest(block) if named else page.owner)[page.leaves]
    new = (np.diff(starts, prepend=-1) != 0) | (np.diff(owners, prepend=-2) != 0)
    white = page.text >= 0
    white[page.leaves] = False
    codes, blank = page.text[white], np.zeros(len(page.strings), dtype=bool)
    # Few texts differ in their white space.
    blank[[code for code in {*codes.tolist()} if page.strings[code].isspace()]] = True
    white[white] = blank[codes]
    return _TextLines(line=np.cumsum(new).tolist(), white=prefix_sums(white)[page.leaves].tolist())


def _ordered(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields that have a value in their order; custom ones are last."""
    return {name: fields[name] for name in dict.fromkeys((*FIELDS, *fields)) if fields.get(name)}
