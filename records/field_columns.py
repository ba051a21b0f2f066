"""Alignment of the records of a set: the texts at the same place of each record are a column.

A place is the path of tags and class names from the record down; paths that some records lack are separate places
(partial tree alignment: Zhai & Liu 2005, here by names instead of order). Text repeated in most records is boilerplate:
"Reply", "Share", "Add to cart".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np

from ..lexicon.phrases import WAS, alternatives
from ..page.arrays import HALF, MOSTLY, BoolColumn, Marks, cached_by_owner, corners_of
from ..page.clean_text import clean_leaves
from ..page.html import TEXT
from ..page.page import Page
from ..segment.blocks import text_runs
from ..segment.record_groups import RecordGroup, Span
from ..segment.shape import Names, class_names
from .field_values import CACHED, CENTS, LONGEST, PRICE, PRICE_PART, PROSE, is_date, is_price, is_rating

#: Elements that only change the style of text.
_LOOKS = frozenset("b i em strong font u s small big br wbr mark nobr abbr bdi sup sub center".split())
#: Those of them that make a title of a line of its own, but for a part of a heading.
_STRONG = ("b", "strong")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
#: Elements that are parts of one text if there are several at one place.
_TEXTS = frozenset("p li ul ol dl dt dd blockquote pre code h1 h2 h3 h4 h5 h6 table tbody tr hr q cite".split())
#: Quotes, by class name.
_QUOTE = re.compile(
    r"(?:^|[-_ ])(?:block|bb|bbcode_?|bbc?_|ips|post)?quote(?:d|box|text|content|container|block)?(?:$|[-_ #])"
)
_SIGNATURE = re.compile(r"(?:^|[-_ ])(?:post|message|user)?-?sigs?(?:$|[-_ ])|signature|(?:^| )sign(?:$| )")
#: Most siblings with the same template that get numbers of their own, and most places whose names are compared.
_NUMBERED, _KNOWN = 6, 40
#: Fewest records of which a repeated text is boilerplate.
FEWEST = 3
_WAS = re.compile(rf"(?:^|[\W\d_])(?:{alternatives(WAS)})\W*$", re.IGNORECASE)
_NONE: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldPath:
    """A place in records: the path from the record down.

    ``above`` is the place of the parent, -1 for the record itself; ``number`` the index among siblings with the same
    template, or below 0 the type of the text (:data:`_SORTS`).
    """

    above: int
    tag: str
    names: Names
    number: int = 0


@dataclass(slots=True, kw_only=True, eq=False)
class Cells:
    """The content of one record, without that of records inside it.

    ``span`` are its rows; ``leaves`` and ``places`` its text leaves and their places; ``elements`` rows and places of
    elements with relevant attributes (pictures, links, times); ``counts`` the number of elements by place; ``quotes``
    first row, end and place of potential quotes; ``quoted``, ``signed`` and ``boilerplate`` the leaves in quotes (after
    :func:`~.posts.quotes.collect_quotes`), in signatures, and of boilerplate.
    """

    span: Span
    leaves: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    elements: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    quotes: list[tuple[int, int, int]] = field(default_factory=list)
    # Nearly always empty: one shared set saves memory.
    quoted: frozenset[int] = frozenset()
    signed: frozenset[int] = frozenset()
    boilerplate: frozenset[int] = frozenset()
    # The text of the first leaf of a price that is several leaves, "" of the others.
    joined: Mapping[int, str] = field(default_factory=lambda: _NONE)

    def text_of(self, leaves: list[int], written: Mapping[int, str]) -> str:
        """Return the text of some leaves, given that of all leaves of the page."""
        return " ".join([text for leaf in leaves if (text := self.joined.get(leaf, written[leaf]))])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """The aligned records of a set.

    ``places`` are ordered parents first, starting with the record itself; ``cells`` has one entry for each record;
    ``linked``, bool (leaves,), marks text in links; ``names`` are the class names on the path to each place, without
    the record's own; ``paths`` each place with its ancestors, ``tags`` their tags.
    """

    page: Page
    places: list[FieldPath]
    cells: list[Cells]
    linked: Marks
    names: list[str]
    paths: list[list[int]]
    tags: list[frozenset[str]]

    def copy(self) -> Aligned:
        """Return a copy with cells of its own: quotes, signatures and boilerplate may be collected in each."""
        return replace(self, cells=[replace(one) for one in self.cells])

    def below(self, place: int) -> set[int]:
        """Return a place and its descendants."""
        return {number for number in range(place, len(self.places)) if place in self.paths[number]}


def align(page: Page, group: RecordGroup, shown: Marks) -> Aligned:
    """Align the records of a group; ``shown``, bool (leaves,), marks the text that counts."""
    reader = _RecordReader(page, group.spans, shown)
    paths, tags = list[list[int]](), list[frozenset[str]]()
    for number, place in enumerate(reader.places):
        paths.append([number, *(paths[place.above] if number else ())])
        tags.append(tags[place.above] | {place.tag} if number else frozenset({place.tag}))
    _collect_boilerplate(page, reader.cells)
    return Aligned(
        page=page,
        places=reader.places,
        cells=reader.cells,
        linked=page.below(page.has_tag("a"))[page.leaves],
        names=_called(reader.places),
        paths=paths,
        tags=tags,
    )


def _called(places: list[FieldPath]) -> list[str]:
    """Return the class names on the path to each place, the nearest first."""
    names = [""]
    for place in places[1:]:
        own = " ".join(sorted(place.names))
        names.append(f"{own} {names[place.above]}" if place.above > 0 else own)
    return names


@cached_by_owner
def _relevant(page: Page) -> BoolColumn:
    """Return the elements with relevant attributes, bool (nodes,)."""
    relevant = page.has_tag("img", "a", "time", "meta", "data", "abbr") | (page.attribute("itemprop") >= 0)
    return relevant | (page.attribute("aria-label") >= 0) | (page.attribute("title") >= 0)


@cached_by_owner
def struck_leaves(page: Page) -> Marks:
    """Return the leaves that are crossed out by tag or by their own style, bool (leaves,)."""
    struck = page.has_tag("del", "s", "strike")
    struck = struck | page.attribute_matches("style", lambda style: "line-through" in style, needs=("line-through",))
    marks: Marks = page.below(struck)[page.leaves]
    return marks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Template:
    """Tag and class names of elements with the same attribute ``class``; ``number`` is that of both."""

    number: int
    tag: str
    names: Names
    is_quote: bool
    is_signature: bool
    is_look: bool
    is_text: bool


class _RecordReader:
    """Collects the content of the records of a group row by row, and numbers the places.

    The class names of one place may differ between records.
    """

    def __init__(self, page: Page, spans: tuple[Span, ...], shown: Marks) -> None:
        self.page, self.spans, self.shown, self.texts = page, spans, shown, clean_leaves(page)
        self.places: list[FieldPath] = [FieldPath(above=-1, tag="", names=frozenset())]
        self._below: dict[tuple[int, str, int], list[int]] = {}
        self._same: dict[tuple[int, int, int], int] = {}
        self._templates: dict[int, _Template] = {}
        self._numbers: dict[tuple[str, Names], int] = {}
        self.cells = [Cells(span=span) for span in spans]
        self._read()

    def _rows(self) -> tuple[list[int], ...]:
        """Return record, row, shown leaf, parent, end, template, leaf of the first child, and the relevant elements.

        Rows without an element or a shown text are left out; -1 is no leaf. Those of a record inside another are its.
        A template is a number of tag and class attribute.
        """
        page, low, high = self.page, self.spans[0][0], max(end for _, end in self.spans)
        record, leaf = np.full(high - low, -1), np.full(high - low + 1, -1)
        for number, (first, end) in enumerate(self.spans):
            record[first - low : end - low] = number
        first_leaf, last_leaf = int(page.leaf_range[low, 0]), int(page.leaf_range[high - 1, 1])
        seen = np.flatnonzero(self.shown[first_leaf:last_leaf]) + first_leaf
        leaf[page.leaves[seen] - low] = seen
        rows = ((record >= 0) & (~page.has_tag(TEXT)[low:high] | (leaf[:-1] >= 0))).nonzero()[0]
        rows = rows[record[rows].argsort(kind="stable")]
        node = rows + low
        child = np.where(page.end[node] > node + 1, leaf[rows + 1], -1)
        template = page.tag[node].astype(np.int64) * (len(page.strings) + 1) + page.attribute("class")[node] + 1
        values = (record[rows], node, leaf[rows], page.parent[node], page.end[node], template, child)
        return tuple(column.tolist() for column in (*values, _relevant(page)[node]))

    def _read(self) -> None:
        place, seen, templates = dict[int, int](), dict[tuple[int, int], int](), self._templates
        record = first = signed = -1
        alone, signed_leaves = False, list[int]()
        cells = self.cells[0]
        for number, row, leaf, parent, end, kind, child, is_relevant in zip(*self._rows(), strict=True):
            if number != record:
                cells.signed = frozenset(signed_leaves)
                record, cells, signed_leaves = number, self.cells[number], []
                first, last = self.spans[number]
                # Several elements are places in the record, one is the record.
                signed, alone = first, self.page.end[first] == last
                place, seen = {}, {}
            above = place.get(parent, 0)
            if leaf >= 0:
                cells.leaves.append(leaf)
                cells.places.append(above)
                if row < signed:
                    signed_leaves.append(leaf)
                continue
            here = 0
            if row != first or not alone:
                template = templates.get(kind) or self._template(kind)
                here = place[row] = self._place(template, above, row, parent, end, child, seen)
                # Bold print and line breaks are no further element of their place.
                cells.counts[here] = cells.counts.get(here, 0) + (here != above)
                if template.is_quote:
                    cells.quotes.append((row, end, here))
                if template.is_signature:
                    signed = max(signed, end)
            if is_relevant:
                cells.elements.append((row, here))
        cells.signed = frozenset(signed_leaves)
        for cells in self.cells:
            self._part_old_prices(cells)
            self._join_prices(cells)

    @cached_property
    def _run(self) -> list[int]:
        runs: list[int] = text_runs(self.page, self.page.leaves, self.page.block_level, breaks=1).tolist()
        return runs

    def _part_old_prices(self, cells: Cells) -> None:
        """Give prices that are crossed out, or labelled as earlier ones, places of their own."""
        texts, before = self.texts, -1
        for number, leaf in enumerate(cells.leaves):
            text = texts[leaf]
            if len(text) <= LONGEST and is_price(text):
                label = texts[before] if before >= 0 and self._run[before] == self._run[leaf] else ""
                if struck_leaves(self.page)[leaf] or _WAS.search(f"{label} {PRICE.split(text)[0]}"):
                    cells.places[number] = self._struck(cells.places[number])
            before = leaf

    def _join_prices(self, cells: Cells) -> None:
        """Give the parts of a price on one line the place around them."""
        texts, leaves, joined, number = self.texts, cells.leaves, dict[int, str](), 0
        parts = [len(texts[leaf]) <= LONGEST and PRICE_PART.fullmatch(texts[leaf]) is not None for leaf in leaves]
        while number < len(parts) - 1:
            text, best, end = texts[leaves[number]], "", number + 1
            last = end
            while (
                parts[number] and last < len(parts) and parts[last] and self._are_together(*leaves[last - 1 : last + 1])
            ):
                text, last = self._together(text, leaves[last - 1], leaves[last]), last + 1
                if PRICE.fullmatch(text):
                    best, end = text, last
            if best:
                cells.places[number:end] = [self._around(cells, range(number, end))] * (end - number)
                joined |= dict.fromkeys(leaves[number:end], "") | {leaves[number]: best}
            number = end
        if joined:
            cells.joined = joined

    def _are_together(self, one: int, other: int) -> bool:
        """Return whether two texts are on one line, and both crossed out or neither."""
        struck, geometry = struck_leaves(self.page), self.page.geometry
        if struck[one] != struck[other]:
            return False
        if self._run[one] == self._run[other] or geometry is None:
            return self._run[one] == self._run[other]
        (_, left_top, left_end, left_bottom), (start, top, _, bottom) = corners_of(
            geometry.box[self.page.leaves[[one, other]]]
        ).tolist()
        near = abs(start - left_end) <= HALF * float(geometry.font_size[self.page.leaves[one]])
        return bool(near and min(left_bottom, bottom) > max(left_top, top))

    def _together(self, text: str, last: int, leaf: int) -> str:
        """Return a text with the next leaf of its line; digits of two elements are never one number."""
        more, page = self.texts[leaf], self.page
        between = page.leaf_texts[last][-1:].isspace() or page.leaf_texts[leaf][:1].isspace()
        between |= any(page.text[row] >= 0 for row in range(int(page.leaves[last]) + 1, int(page.leaves[leaf])))
        if text[-1].isdecimal() and len(more) == 2 and more.isdecimal():
            return f"{text}{CENTS}{more}"
        return f"{text}{' ' if between else ''}{more}"

    def _around(self, cells: Cells, numbers: range) -> int:
        """Return the innermost place around some leaves of a record."""
        paths = list[list[int]]()
        for number in numbers:
            path = [cells.places[number]]
            while path[-1] > 0:
                path.append(self.places[path[-1]].above)
            paths.append(path)
        return next(place for place in paths[0] if all(place in path for path in paths))

    def _struck(self, above: int) -> int:
        """Return the place of a price that is crossed out; its number is that of no type of text."""
        same = (above, -1, -len(_SORTS) - 1)
        template = _Template(
            number=-1, tag="del", names=frozenset(), is_quote=False, is_signature=False, is_look=False, is_text=False
        )
        place = self._same.get(same)
        return self._new_place(same, template) if place is None else place

    def _template(self, kind: int) -> _Template:
        tag, code = divmod(kind, len(self.page.strings) + 1)
        name, names = self.page.names[tag], class_names(self.page.strings[code - 1]) if code else frozenset[str]()
        is_quote, is_signature = quote_or_signature(names)
        template = self._templates[kind] = _Template(
            number=self._numbers.setdefault((name, names), len(self._numbers)),
            tag=name,
            names=names,
            is_quote=is_quote or name in ("blockquote", "q"),
            is_signature=is_signature,
            is_look=name in _LOOKS and not names,
            is_text=name in _TEXTS,
        )
        return template

    def _place(
        self, template: _Template, above: int, row: int, parent: int, end: int, child: int,
        seen: dict[tuple[int, int], int],
    ) -> int:  # fmt: skip
        """Return the place of an element; ``child`` is the leaf that it starts with, -1 for none."""
        if self.places[above].tag == "time":
            return above  # day and month are one date
        number = 0
        if template.is_look:
            # A date in small print next to a name is a text of its own, and so is a bold line.
            if child < 0:
                return above
            number = self._sort(child)
            bold = not number and template.tag in _STRONG and self._is_line(row, parent, end, child)
            if not -len(_SORTS) < number < 0 and not bold:
                return above
        elif not template.is_text:
            # The type of the text distinguishes an element from siblings with the same template.
            number = self._sort(child) if child >= 0 else 0
            if not number:
                key = (parent, template.number)
                number = min(seen.get(key, 0), _NUMBERED)
                seen[key] = number + 1
        same = (above, template.number, number)
        place = self._same.get(same)
        return self._new_place(same, template) if place is None else place

    def _sort(self, leaf: int) -> int:
        text = self.texts[leaf]
        return _sort_of(text) if len(text) <= LONGEST else 0

    def _is_line(self, row: int, parent: int, end: int, leaf: int) -> bool:
        """Return whether an element is one text, the first one around it, and no label or part of a sentence."""
        if end != row + 2 or leaf != self.page.leaf_range[parent, 0] or self.page.tag_of(parent) in HEADINGS:
            return False
        # White space is no leaf.
        return not self._is_shown(end) and not self.texts[leaf].endswith((":", "\uff1a"))

    def _is_shown(self, row: int) -> bool:
        """Return whether a node is a text leaf that counts."""
        leaf = int(self.page.leaf_range[row, 0]) if row < len(self.page) else len(self.shown)
        return bool(leaf < len(self.shown) and self.shown[leaf] and self.page.leaves[leaf] == row)

    def _new_place(self, same: tuple[int, int, int], template: _Template) -> int:
        above, _, number = same
        known = self._below.setdefault((above, template.tag, number), [])
        for place in known[:_KNOWN]:
            other = self.places[place].names
            if len(template.names & other) * 2 >= len(template.names | other):
                self._same[same] = place
                return place
        self._same[same] = len(self.places)
        known.append(len(self.places))
        self.places.append(FieldPath(above=above, tag=template.tag, names=template.names, number=number))
        return known[-1]


#: Types of short texts. Prices, ratings and dates make an element without a name another place, numbers do not.
_SORTS: tuple[Callable[[str], object], ...] = (is_price, is_rating, is_date, re.compile(r"^[\W\d]+$").search)


@lru_cache(CACHED)
def _sort_of(text: str) -> int:
    """Return the type of a short text, which records repeat."""
    return next((-number for number, test in enumerate(_SORTS, 1) if test(text)), 0)


@lru_cache(CACHED)
def quote_or_signature(names: Names) -> tuple[bool, bool]:
    """Return whether class names are those of a quote, and of a signature."""
    written = " ".join(names)
    return _QUOTE.search(written) is not None, _SIGNATURE.search(written) is not None


def leaf_text(page: Page, leaf: int) -> str:
    """Return the text of a leaf with white space collapsed."""
    return clean_leaves(page)[leaf]


def _collect_boilerplate(page: Page, cells: list[Cells]) -> None:
    """Collect text that most records repeat at the same place, except for words in lines that differ otherwise.

    A single record repeats nothing: its boilerplate is its buttons.
    """
    if len(cells) == 1:
        buttons = page.below(page.has_tag("button"))[page.leaves].nonzero()[0].tolist()
        cells[0].boilerplate = frozenset(buttons).intersection(cells[0].leaves)
    if len(cells) < FEWEST:
        return
    texts = clean_leaves(page)
    keys = [[(place, texts[leaf]) for leaf, place in zip(one.leaves, one.places, strict=True)] for one in cells]
    counts: Counter[tuple[int, str]] = Counter()
    for record in keys:
        counts.update(set(record))
    fewest = max(FEWEST, MOSTLY * len(cells))
    common = {key for key, count in counts.items() if count >= fewest and len(key[1]) <= LONGEST}
    for one, record in zip(cells, keys, strict=True):
        if common.isdisjoint(record):
            continue
        owners = page.owner[page.leaves[one.leaves]].tolist()
        lines = {owner for owner, key in zip(owners, record, strict=True) if len(key[1]) >= PROSE and key not in common}
        boilerplate = {
            leaf
            for leaf, owner, key in zip(one.leaves, owners, record, strict=True)
            if key in common and owner not in lines
        }
        # A record with nothing else has no other text.
        if len(boilerplate) < len(record):
            one.boilerplate |= boilerplate
