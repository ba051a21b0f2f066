"""Fields of the records of a group: named columns, and the text without what is around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

import numpy as np

from ..lexicon.phrases import BY, alternatives
from ..page.arrays import BoolColumn, cached_by_owner, prefix_sums
from ..page.clean_text import clean_leaves
from ..page.lazy import Lazy, Readable
from ..page.page import Page
from ..page.tables import headed_rows
from ..page.urls import Addresses
from ..segment.record_groups import RecordGroup, Span
from .body import body_place, is_named_otherwise, is_prose
from .candidates import RecordCandidates
from .field_columns import Aligned, Cells, leaf_text
from .field_names import columns_of_records
from .field_values import FIELDS, is_just_price, written_value
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
_NUMBERS, _SIGNS = re.compile(r"^[\W\d_]*$"), re.compile(r"^[\W_]*$")
#: Least characters of a text at another place than that of the other records.
_SENTENCES = 100
#: Keys of a record that no column of a table has as its name, and most characters of a name.
RESERVED = frozenset(
    (*FIELDS, "html", "quotes", "records", "box", "selector", "set", "kind", "type", "number", "depth", "page", "url")
)
_NAME = 60
#: Share of the records with a picture, and with a link; of these with another one than the others.
_HALF, _MOST, _DIFFERENT = 0.5, 0.6, 0.8
_PORTRAIT = re.compile(r"avatar|user|member|author|emoji|smil|icon|badge|flag")


#: Locates the text of records, 0 for the whole record, and names their columns.
ColumnNaming = Callable[[Aligned], tuple[int, dict[str, FieldColumn]]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """A group of records with its fields.

    ``body`` is the place of the text, ``columns`` has the text fields, ``fields`` the values and ``texts`` the leaves
    of the text of each record, ``links`` the link of those that have one; ``signed`` is whether they are like posts,
    with who wrote them and when. Values, texts and links are read on first access.
    """

    group: RecordGroup
    aligned: Aligned
    body: int
    columns: dict[str, FieldColumn]
    fields: Readable[list[dict[str, str]]] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    texts: Readable[list[list[int]]] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    signed: bool = False
    links: Lazy[dict[int, str]] = field(default_factory=lambda: Lazy(dict[int, str]))

    def share(self, field: str) -> float:
        """Return the share of records that have a field; of posts, what is between them does not count."""
        fields = [one for one in self.fields if one] if self.signed else self.fields
        return sum(field in one for one in fields) / max(len(fields), 1)

    def with_permalinks(self) -> Reading:
        """Return posts with the address of each as its link; that of a profile or a button is none."""
        links = permalinks(self.aligned, self.columns)
        titled = "title" in self.columns
        fields = [
            one if titled and not link else _ordered({**one, "link": link} if one else one)
            for one, link in zip(self.fields, links, strict=True)
        ]
        return replace(self, fields=fields)

    def leaves_of(self, field: str) -> list[int]:
        """Return the leaves of a text field, of all records."""
        column = self.columns.get(field)
        return [] if column is None else [leaf for some in column.leaves.values() for leaf in some]


class FieldReader:
    """Reads the groups of one page.

    On pages of ``posts``, and of records that are like posts, names are authors by their place.
    """

    def __init__(self, candidates: RecordCandidates, *, posts: bool = False) -> None:
        self.candidates, self.posts = candidates, posts
        self._known: dict[tuple[Span, ...], Reading] = {}
        page = candidates.page
        self.page, self.shown = page, candidates.shown
        self.addresses, self.row_cells = Lazy(partial(Addresses, page)), Lazy(partial(headed_rows, page))

    def read(self, group: RecordGroup, naming: ColumnNaming | None = None) -> Reading:
        """Read the records of a group, once; columns are named by texts and class names unless ``naming`` is given."""
        if naming is not None:
            return self._read(group, naming)
        if group.spans not in self._known:
            self._known[group.spans] = self._read(group, None)
        return self._known[group.spans]

    def _read(self, group: RecordGroup, naming: ColumnNaming | None) -> Reading:
        aligned = self.candidates.aligned(group)
        by_rule = naming is None
        body, columns = self._columns(aligned, group) if naming is None else naming(aligned)
        posts = by_rule and (self.posts or are_like_posts(aligned, columns))
        if posts:
            columns = signed_columns(aligned, body, columns, posts=self.posts)
        signed = posts and {"author", "date"} <= columns.keys() and (self.posts or not have_titles(aligned, columns))
        if signed:
            leave_out_cards(aligned, columns)
        counted = are_posts(aligned, columns) if signed else [True] * len(aligned.cells)
        of_rows = by_rule and not self.posts and not signed and group.tag == "tr"
        cells = Lazy(partial(self._row_cells, aligned, columns, body) if of_rows else list[dict[str, list[int]]])
        links = Lazy(lambda: {row: link for row, link in self._links(aligned, columns).items() if counted[row]})
        texts = Lazy(lambda: self._texts(aligned, body, columns, cells.value, counted))

        def fields() -> list[dict[str, str]]:
            values = [self._fields(record, columns, text) for record, text in enumerate(texts.value)]
            for name, found in (("image", self._images(aligned)), ("link", links.value)):
                for record, value in found.items():
                    values[record][name] = value
            for one, named in zip(values, cells.value, strict=False):
                one |= {name: self.text_of(leaves).replace("\n", " ") for name, leaves in named.items()}
            if signed:
                with_inherited_names(aligned, columns, values)
            return [_ordered(one) if counts else {} for one, counts in zip(values, counted, strict=True)]

        return Reading(
            group=group,
            aligned=aligned,
            body=body,
            columns=columns,
            fields=Lazy(fields),
            links=links,
            texts=texts,
            signed=signed,
        )

    def _columns(self, aligned: Aligned, group: RecordGroup) -> tuple[int, dict[str, FieldColumn]]:
        """Return the place of the text and the columns by their texts and class names."""
        if any(cells.quotes for cells in aligned.cells):
            collect_quotes(aligned, body := body_place(aligned))
            return body, columns_of_records(aligned, body).named
        known = self.candidates.columns_of(group)
        return known.body, dict(known.named)

    def _row_cells(self, aligned: Aligned, columns: dict[str, FieldColumn], body: int) -> list[dict[str, list[int]]]:
        """Return the leaves of the cells of table rows by the headers of their columns, without fields and text."""
        inside, fields = aligned.below(body) if body else set(), _leaves_of(columns)
        found = []
        for cells in aligned.cells:
            text = {leaf for leaf, place in zip(cells.leaves, cells.places, strict=True) if place in inside}
            named: dict[str, list[int]] = {}
            first, end = cells.span
            row = first if end == self.page.end[first] else -1
            for name, cell in self.row_cells.value.get(row, ()) if row >= 0 else ():
                first_leaf, last_leaf = self.page.leaf_range[cell.node].tolist()
                low, high = bisect_left(cells.leaves, first_leaf), bisect_left(cells.leaves, last_leaf)
                leaves = cells.leaves[low:high]
                if cell.node < row:  # it is of a row above, and covers this one
                    leaves = [leaf for leaf in range(first_leaf, last_leaf) if self.shown[leaf]]
                free = text.isdisjoint(leaves) and fields.isdisjoint(leaves)
                if 0 < len(name) <= _NAME and name not in RESERVED and leaves and free:
                    named.setdefault(name, []).extend(leaves)
            found.append(named)
        names = {name for named in found for name in named}
        buttons = {name for name in names if self._are_buttons(aligned, [one.get(name, []) for one in found])}
        return [{name: leaves for name, leaves in named.items() if name not in buttons} for named in found]

    def _are_buttons(self, aligned: Aligned, cells: list[list[int]]) -> bool:
        """Return whether the cells of a column are links with the same words."""
        linked = all(aligned.linked[leaf] for some in cells for leaf in some)
        return linked and len(cells) > 1 and len({self.text_of(some) for some in cells}) == 1

    # -- text -----------------------------------------------------------------------------------------------------

    def _texts(
        self,
        aligned: Aligned,
        body: int,
        columns: dict[str, FieldColumn],
        row_cells: list[dict[str, list[int]]],
        counted: list[bool],
    ) -> list[list[int]]:
        """Return the leaves of the text of each record; those that are not ``counted`` have none."""
        fields = _leaves_of(columns)
        # Of each record for itself: a cell that covers the row below may be a field there, and text here.
        of_cells = [set(chain.from_iterable(named.values())) for named in row_cells] or [set()] * len(aligned.cells)
        inside = aligned.below(body) if body else None
        texts = [
            self._text(aligned, cells, inside, fields.intersection(cells.leaves) | named) if counts else []
            for cells, named, counts in zip(aligned.cells, of_cells, counted, strict=True)
        ]
        if "price" in columns and not body:
            # Other prices are earlier or discounted ones.
            texts = [[leaf for leaf in some if not is_just_price(leaf_text(self.page, leaf))] for some in texts]
        return texts

    def _text(self, aligned: Aligned, cells: Cells, inside: set[int] | None, field_leaves: set[int]) -> list[int]:
        """Return the leaves of a record's text; of records with fields but another structure, the text elsewhere."""
        leaves = self._body(aligned, cells, inside, field_leaves)
        if leaves or inside is None or field_leaves.isdisjoint(cells.leaves):
            return leaves
        other = self._body(aligned, cells, None, field_leaves)
        said_by_it = sum(len(leaf_text(self.page, leaf)) for leaf in other if not aligned.linked[leaf])
        return other if said_by_it >= _SENTENCES else []

    def _body(self, aligned: Aligned, cells: Cells, inside: set[int] | None, field_leaves: set[int]) -> list[int]:
        besides = (field_leaves, cells.signed, cells.boilerplate)
        if inside is not None:
            places = zip(cells.leaves, cells.places, strict=True)
            return [leaf for leaf, place in places if place in inside and not any(leaf in some for some in besides)]
        leaves, left_out, texts, linked = [], [], clean_leaves(self.page), aligned.linked[cells.leaves].tolist()
        # In a card that is a link as a whole, links are not buttons.
        whole = all(linked)
        # All cells of a table's row are values.
        row = not self.posts and self.page.tag_of(cells.span[0]) == "tr"
        for leaf, place, link in zip(cells.leaves, cells.places, linked, strict=True):
            text = texts[leaf]
            if (
                any(leaf in some for some in besides)
                or (not row and (is_named_otherwise(aligned.names[place]) or _NUMBERS.match(text)))
                or _SIGNS.match(text)
                or (not whole and link and not is_prose(text))
            ):
                left_out.append(leaf)
            else:
                leaves.append(leaf)
        return self._without_holes(leaves, left_out)

    def _without_holes(self, leaves: list[int], left_out: list[int]) -> list[int]:
        """Return the leaves without labels of which parts are left out: "112 points by" without the name."""
        line, parts = _text_lines(self.page).line, dict[int, list[int]]()
        for leaf in leaves:
            parts.setdefault(line[leaf], []).append(leaf)
        broken = {
            row
            for row, some in parts.items()
            if not any(is_prose(leaf_text(self.page, leaf)) for leaf in some)
            and any(
                line[leaf] == row and some[0] < leaf and (leaf < some[-1] or _BY.search(leaf_text(self.page, some[-1])))
                for leaf in left_out
            )
        }
        return [leaf for leaf in leaves if line[leaf] not in broken]

    def text_of(self, leaves: Iterable[int]) -> str:
        """Return the text of leaves: a line for each paragraph and after each break."""
        lines, page, pieces, last = _text_lines(self.page), self.page, list[str](), -1
        for leaf in leaves:
            if last >= 0:
                broken = lines.line[leaf] != lines.line[last]
                pieces.append("\n" if broken else " " if lines.white[leaf] > lines.white[last] else "")
            pieces.append(_SPACE.sub(" ", page.leaf_texts[leaf]))
            last = leaf
        written = [line.strip() for line in "".join(pieces).split("\n")]
        return "\n".join(line for line in written if line.strip("|·•"))

    def _fields(self, record: int, columns: dict[str, FieldColumn], text: list[int]) -> dict[str, str]:
        values = {
            name: written_value(name, column.texts[record])
            for name, column in columns.items()
            if record in column.texts
        }
        values["text"] = self.text_of(text)
        return values

    # -- attributes -------------------------------------------------------------------------------------------------

    def _images(self, aligned: Aligned) -> dict[int, str]:
        """Return the picture at a place that most records have, with mostly different addresses."""
        found = dict[int, dict[int, str]]()
        for place, rows in _elements_at(aligned, self.page.has_tag("img")).items():
            values = self._first_addresses(rows, "data-src", "src")
            if not _PORTRAIT.search(aligned.names[place]) and _vary(values, aligned, _HALF, _HALF):
                found[place] = values
        return found[max(found, key=lambda place: (len(found[place]), -place))] if found else {}

    def _first_addresses(self, rows: list[tuple[int, int]], *names: str) -> dict[int, str]:
        """Return the first address of each record, given record and row of elements."""
        found = dict[int, str]()
        for record, row in rows:
            if address := next(filter(None, (self.address(row, name) for name in names)), ""):
                found.setdefault(record, address)
        return found

    def _links(self, aligned: Aligned, columns: dict[str, FieldColumn]) -> dict[int, str]:
        """Return the link of each title, else of the whole record, else the first one that differs between records."""
        link = self.page.nearest(self.page.has_tag("a"))
        titles = columns["title"].leaves if "title" in columns else {}
        titled = {record: int(link[self.page.leaves[leaves[0]]]) for record, leaves in titles.items()}
        whole = {number: int(link[cells.span[0]]) for number, cells in enumerate(aligned.cells)}
        for rows in (titled, whole):
            links = {number: self.address(row, "href") for number, row in rows.items() if row >= 0}
            links = {number: address for number, address in links.items() if address}
            if len(links) * 2 >= len(aligned.cells):
                return links
        places = sorted(_elements_at(aligned, self.page.attribute("href") >= 0).items())
        values = (self._first_addresses(rows, "href") for _, rows in places)
        return next((one for one in values if _vary(one, aligned, _MOST, _DIFFERENT)), {})

    def address(self, row: int, name: str) -> str:
        """Return an attribute of an element as an absolute URL, "" if it has none."""
        code = int(self.page.attribute(name)[row])
        written = self.page.strings[code] if code >= 0 else ""
        return "" if not written or written.startswith("data:") else self.addresses.value.absolute(row, written)


def _vary(values: dict[int, str], aligned: Aligned, least: float, different: float) -> bool:
    """Return whether at least some share of the records have a value, and some share of these another one."""
    return len(values) >= least * len(aligned.cells) and len(set(values.values())) >= different * len(values)


def _leaves_of(columns: dict[str, FieldColumn]) -> set[int]:
    return {leaf for column in columns.values() for some in column.leaves.values() for leaf in some}


def _elements_at(aligned: Aligned, marked: BoolColumn) -> dict[int, list[tuple[int, int]]]:
    """Return record and row of the marked elements at each place."""
    found: dict[int, list[tuple[int, int]]] = {}
    for record, cells in enumerate(aligned.cells):
        for row, place in cells.elements:
            if marked[row]:
                found.setdefault(place, []).append((record, row))
    return found


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
