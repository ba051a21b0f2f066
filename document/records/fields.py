"""Fields of the records of a group: named columns, and the text without what is around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...lexicon.phrases import BY, alternatives
from ...page.arrays import Marks, prefix_sums
from ...page.page import Page
from ...page.tables import headed_rows
from ...segment.record_groups import RecordGroup
from ..content.lazy import Lazy
from ..content.posts import quoted_name
from ..metadata.urls import Addresses, base_of
from .body import body_place, is_named_otherwise, is_prose
from .field_columns import Aligned, Cells, align, collect_quotes, leaf_text, quote_rows
from .field_names import named_columns
from .field_values import is_just_price, written_value
from .posts.permalinks import permalinks
from .posts.signatures import (
    are_like_posts,
    are_posts,
    have_titles,
    leave_out_cards,
    signed_columns,
    with_inherited_names,
)
from .record import FIELDS, Box, Record, Source
from .subpage import subpage_of
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
_PORTRAIT = re.compile(r"avatar|user|member|author|emoji|smil|icon|badge|flag")


class ColumnNaming:
    """Locates the text of records, and names their columns by their texts and class names."""

    def body(self, aligned: Aligned) -> int:
        """Return the place of the text, 0 for the whole record."""
        return body_place(aligned)

    def columns(self, aligned: Aligned, body: int) -> dict[str, FieldColumn]:
        """Return the columns of text fields, by name."""
        return named_columns(aligned, body)


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """A group of records with its fields.

    ``body`` is the place of the text, ``columns`` has the text fields, ``fields`` the values and ``texts`` the leaves
    of the text of each record; ``signed`` is whether they are like posts, with who wrote them and when.
    """

    group: RecordGroup
    aligned: Aligned
    body: int
    columns: dict[str, FieldColumn]
    fields: list[dict[str, str]]
    texts: list[list[int]]
    signed: bool = False

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
    """Reads the groups of one page; ``shown``, bool (leaves,), marks the text that counts.

    On pages of ``posts``, and of records that are like posts, names are authors by their place.
    """

    def __init__(self, page: Page, shown: Marks, *, posts: bool = False) -> None:
        self.page, self.shown, self.posts = page, shown, posts
        self.addresses, self.row_cells = Addresses(page), Lazy(partial(headed_rows, page))
        # A line ends where its element does, at a break, and where another element of its own line is between.
        named = np.zeros(len(page), dtype=bool)
        named[[row for quote in quote_rows(page) if (row := quoted_name(page, quote)) >= 0]] = True
        starts = prefix_sums(page.has_tag("br") | page.block_level | named)[page.leaves]
        owners = page.nearest(page.block_level | named)[page.leaves]
        new = (np.diff(starts, prepend=-1) != 0) | (np.diff(owners, prepend=-2) != 0)
        self.line = np.cumsum(new)
        white = np.zeros(len(page), dtype=bool)
        texts = np.flatnonzero(page.text >= 0)
        white[texts] = [page.strings[code].isspace() for code in page.text[texts].tolist()]
        self.white = prefix_sums(white)
        self.attributes = {
            name: page.attribute(name) for name in ("href", "src", "data-src", "alt", "title", "aria-label")
        }

    def read(self, group: RecordGroup, naming: ColumnNaming | None = None) -> Reading:
        """Read the records of a group; columns are named by :class:`ColumnNaming` unless ``naming`` is given."""
        aligned = align(self.page, group, self.shown)
        by_rule, naming = naming is None, naming or ColumnNaming()
        body = naming.body(aligned)
        collect_quotes(aligned, body)
        columns = naming.columns(aligned, body)
        posts = by_rule and (self.posts or are_like_posts(aligned, columns))
        if posts:
            columns = signed_columns(aligned, body, columns, posts=self.posts)
        signed = posts and {"author", "date"} <= columns.keys() and (self.posts or not have_titles(aligned, columns))
        if signed:
            leave_out_cards(aligned, body, columns)
        field_leaves = {leaf for column in columns.values() for some in column.leaves.values() for leaf in some}
        cells = self._row_cells(aligned, group, field_leaves, body) if by_rule and not self.posts and not signed else []
        field_leaves |= {leaf for some in cells for leaves in some.values() for leaf in leaves}
        inside = aligned.below(body)
        texts = [self._text(aligned, cells, inside if body else None, field_leaves) for cells in aligned.cells]
        if "price" in columns and not body:
            # Other prices are earlier or discounted ones.
            texts = [[leaf for leaf in some if not is_just_price(leaf_text(self.page, leaf))] for some in texts]
        fields = [self._fields(record, columns, texts[record]) for record in range(len(aligned.cells))]
        for name, values in (("image", self._images(aligned)), ("link", self._links(aligned, columns))):
            for record, value in values.items():
                fields[record][name] = value
        for one, named in zip(fields, cells, strict=False):
            one |= {name: self.text_of(leaves).replace("\n", " ") for name, leaves in named.items()}
        if signed:
            with_inherited_names(aligned, columns, fields)
            for record, is_post in enumerate(are_posts(aligned, columns)):
                if not is_post:
                    fields[record], texts[record] = {}, []
        ordered = [_ordered(one) for one in fields]
        return Reading(
            group=group, aligned=aligned, body=body, columns=columns, fields=ordered, texts=texts, signed=signed
        )

    def _row_cells(
        self, aligned: Aligned, group: RecordGroup, fields: set[int], body: int
    ) -> list[dict[str, list[int]]]:
        """Return the leaves of the cells of table rows by the headers of their columns, without fields and text."""
        if group.tag != "tr":
            return []
        inside = aligned.below(body) if body else set()
        found = []
        for cells in aligned.cells:
            text = {leaf for leaf, place in zip(cells.leaves, cells.places, strict=True) if place in inside}
            named: dict[str, list[int]] = {}
            first, end = cells.span
            row = first if end == self.page.end[first] else -1
            for name, cell in self.row_cells.value.get(row, ()) if row >= 0 else ():
                low, high = (bisect_left(cells.leaves, leaf) for leaf in self.page.leaf_range[cell.node].tolist())
                leaves = cells.leaves[low:high]
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

    def _text(self, aligned: Aligned, cells: Cells, inside: set[int] | None, field_leaves: set[int]) -> list[int]:
        """Return the leaves of a record's text; of records with fields but another structure, the text elsewhere."""
        leaves = self._body(aligned, cells, inside, field_leaves)
        if leaves or inside is None or field_leaves.isdisjoint(cells.leaves):
            return leaves
        other = self._body(aligned, cells, None, field_leaves)
        said_by_it = sum(len(leaf_text(self.page, leaf)) for leaf in other if not aligned.linked[leaf])
        return other if said_by_it >= _SENTENCES else []

    def _body(self, aligned: Aligned, cells: Cells, inside: set[int] | None, field_leaves: set[int]) -> list[int]:
        leaves, left_out = [], []
        # In a card that is a link as a whole, links are not buttons.
        whole = inside is None and all(aligned.linked[leaf] for leaf in cells.leaves)
        # All cells of a table's row are values.
        row = not self.posts and self.page.tag_of(cells.span[0]) == "tr"
        for leaf, place in zip(cells.leaves, cells.places, strict=True):
            if leaf in field_leaves or leaf in cells.signed or leaf in cells.boilerplate:
                left_out.append(leaf)
                continue
            if inside is None:
                text = leaf_text(self.page, leaf)
                if (
                    (not row and (is_named_otherwise(aligned.names[place]) or _NUMBERS.match(text)))
                    or _SIGNS.match(text)
                    or (not whole and aligned.linked[leaf] and not is_prose(text))
                ):
                    left_out.append(leaf)
                    continue
            elif place not in inside:
                continue
            leaves.append(leaf)
        return self._without_holes(leaves, left_out) if inside is None else leaves

    def _without_holes(self, leaves: list[int], left_out: list[int]) -> list[int]:
        """Return the leaves without labels of which parts are left out: "112 points by" without the name."""
        line, parts = self.line, dict[int, list[int]]()
        for leaf in leaves:
            parts.setdefault(int(line[leaf]), []).append(leaf)
        broken = {
            row
            for row, some in parts.items()
            if not any(is_prose(leaf_text(self.page, leaf)) for leaf in some)
            and any(
                line[leaf] == row and some[0] < leaf and (leaf < some[-1] or _BY.search(leaf_text(self.page, some[-1])))
                for leaf in left_out
            )
        }
        return [leaf for leaf in leaves if int(line[leaf]) not in broken]

    def text_of(self, leaves: Iterable[int]) -> str:
        """Return the text of leaves: a line for each paragraph and after each break."""
        rows, page, pieces, last = self.page.leaves, self.page, list[str](), -1
        for leaf in leaves:
            row = int(rows[leaf])
            if last >= 0:
                broken = self.line[leaf] != self.line[last]
                pieces.append("\n" if broken else " " if self.white[row] > self.white[rows[last]] else "")
            pieces.append(_SPACE.sub(" ", page.leaf_texts[leaf]))
            last = leaf
        lines = [line.strip() for line in "".join(pieces).split("\n")]
        return "\n".join(line for line in lines if line.strip("|·•"))

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
        places: dict[int, dict[int, str]] = {}
        picture = self.page.has_tag("img")
        for record, cells in enumerate(aligned.cells):
            for row, place in cells.elements:
                if picture[row] and (address := self.address(row, "data-src") or self.address(row, "src")):
                    places.setdefault(place, {}).setdefault(record, address)
        wanted = [
            (len(values), place)
            for place, values in places.items()
            if len(values) * 2 >= len(aligned.cells)
            and len(set(values.values())) * 2 >= len(values)
            and not _PORTRAIT.search(aligned.names[place])
        ]
        return places[max(wanted, key=lambda one: (one[0], -one[1]))[1]] if wanted else {}

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
        places: dict[int, dict[int, str]] = {}
        for record, cells in enumerate(aligned.cells):
            for row, place in cells.elements:
                if address := self.address(row, "href"):
                    places.setdefault(place, {}).setdefault(record, address)
        for _, values in sorted(places.items()):
            if len(values) >= 0.6 * len(aligned.cells) and len(set(values.values())) >= 0.8 * len(values):
                return values
        return {}

    def address(self, row: int, name: str) -> str:
        """Return an attribute of an element as an absolute URL, "" if it has none."""
        code = int(self.attributes[name][row])
        written = self.page.strings[code] if code >= 0 else ""
        return "" if not written or written.startswith("data:") else self.addresses.absolute(row, written)


def _ordered(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields that have a value in their order; custom ones are last."""
    return {name: fields[name] for name in dict.fromkeys((*FIELDS, *fields)) if fields.get(name)}


def records_in(reader: FieldReader, reading: Reading, selector: Callable[[int], tuple[str, ...]]) -> tuple[Record, ...]:
    """Build the records, each with those inside it."""
    made: list[tuple[int, list[Record]]] = []
    # Backwards, as records inside another come after it.
    for number, cells in reversed(list(enumerate(reading.aligned.cells))):
        first, end = cells.span
        inner = []
        while made and made[-1][0] < end:
            inner += made.pop()[1]
        made.append((first, [_record(reader, reading, number, tuple(inner), selector)]))
    return tuple(record for _, some in reversed(made) for record in some)


def _record(
    reader: FieldReader,
    reading: Reading,
    number: int,
    inner: tuple[Record, ...],
    selector: Callable[[int], tuple[str, ...]],
) -> Record:
    cells, page = reading.aligned.cells[number], reader.page
    first, end = cells.span
    text = reading.texts[number]
    leaves = set(text)
    quoted_rows = [row for row, _, _ in cells.quotes]
    quotes = [
        [leaf for leaf in cells.leaves if low <= page.leaves[leaf] < high and leaf in leaves]
        for low, high, _ in cells.quotes
    ]

    def source() -> Source:  # without the cells, which take most of the memory of a long list
        part = subpage_of(page, first, end, quoted_rows, url=base_of(page))
        return Source(page=part, marks=np.isin(part.leaves, page.leaves[text] - first + 1))

    return Record(
        fields=reading.fields[number],
        quotes=tuple(reader.text_of(some) for some in quotes if some),
        box=_box(page, cells),
        selector=selector(first),
        leaves=tuple(text),
        records=inner,
        source=Lazy(source),
    )


def _box(page: Page, cells: Cells) -> Box | None:
    """Return the box of a record's elements, or of those that were laid out."""
    if page.geometry is None:
        return None
    first, end = cells.span
    boxes = page.geometry.box[first:end][page.parent[first:end] == page.parent[first]]
    boxes = boxes[np.isfinite(boxes[:, 0])]
    if not len(boxes):
        return None
    left, top = boxes[:, 0].min(), boxes[:, 1].min()
    right, bottom = (boxes[:, 0] + boxes[:, 2]).max(), (boxes[:, 1] + boxes[:, 3]).max()
    return tuple(round(float(value), 2) for value in (left, top, right - left, bottom - top))  # type: ignore[return-value]
