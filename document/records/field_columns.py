"""Alignment of the records of a set: the texts at the same place of each record are a column.

A place is the path of tags and class names from the record down; paths that some records lack are separate places
(partial tree alignment: Zhai & Liu 2005, here by names instead of order). Text repeated in most records is boilerplate:
"Reply", "Share", "Add to cart".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ...page.arrays import IntColumn, Marks
from ...page.html import TEXT
from ...page.page import Page
from ...segment.record_groups import RecordGroup, Span
from ...segment.shape import Names, class_names
from ..metadata.clean_text import clean
from .field_values import is_date, is_price, is_rating

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
_SIGNATURE = re.compile(r"(?:^|[-_ ])(?:post|message|user)?-?(?:sig|signature)s?(?:$|[-_ ])|signature")
#: Most siblings with the same template that get numbers of their own, and most places whose names are compared.
_NUMBERED, _KNOWN = 6, 40
#: Least share of records with a text for it to be boilerplate, their least number, and its most characters.
_FURNITURE, _FEWEST, _LONGEST = 0.6, 3, 60
#: Characters of differing text from which its line is not boilerplate.
_WORDS = 25


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
    :func:`collect_quotes`), in signatures, and of boilerplate.
    """

    span: Span
    leaves: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    elements: list[tuple[int, int]] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)
    quotes: list[tuple[int, int, int]] = field(default_factory=list)
    # Nearly always empty: one shared set saves memory.
    quoted: frozenset[int] = frozenset()
    signed: frozenset[int] = frozenset()
    boilerplate: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """The aligned records of a set.

    ``places`` are ordered parents first, starting with the record itself; ``cells`` has one entry for each record;
    ``linked``, bool (leaves,), marks text in links; ``names`` are the class names on the path to each place, without
    the record's own.
    """

    page: Page
    places: list[FieldPath]
    cells: list[Cells]
    linked: Marks
    names: list[str]

    def path(self, place: int) -> list[int]:
        """Return a place and its ancestors."""
        ancestors = []
        while place >= 0:
            ancestors.append(place)
            place = self.places[place].above
        return ancestors

    def below(self, place: int) -> set[int]:
        """Return a place and its descendants."""
        places = {place}
        for number in range(place + 1, len(self.places)):
            if self.places[number].above in places:
                places.add(number)
        return places


class _Namer:
    """Numbers the places; the class names of one place may differ between records."""

    def __init__(self) -> None:
        self.places: list[FieldPath] = [FieldPath(above=-1, tag="", names=frozenset())]
        self._below: dict[tuple[int, str, int], list[int]] = {}
        self._same: dict[tuple[int, str, int, Names], int] = {}

    def of(self, above: int, tag: str, names: Names, number: int) -> int:
        same = (above, tag, number, names)
        if same in self._same:
            return self._same[same]
        known = self._below.setdefault((above, tag, number), [])
        for place in known[:_KNOWN]:
            other = self.places[place].names
            if len(names & other) * 2 >= len(names | other):
                self._same[same] = place
                return place
        self._same[same] = len(self.places)
        known.append(len(self.places))
        self.places.append(FieldPath(above=above, tag=tag, names=names, number=number))
        return known[-1]


def align(page: Page, group: RecordGroup, shown: Marks, owner: IntColumn) -> Aligned:
    """Align the records of a group; ``owner``, int32 (nodes,), is the block-level element around each node."""
    namer = _Namer()
    reader = _RowReader(page, shown, namer)
    cells = [reader.read(span, group.spans, number) for number, span in enumerate(group.spans)]
    linked: Marks = page.below(page.has_tag("a"))[page.leaves]
    aligned = Aligned(page=page, places=namer.places, cells=cells, linked=linked, names=_called(namer.places))
    _collect_boilerplate(aligned, owner)
    return aligned


def _called(places: list[FieldPath]) -> list[str]:
    """Return the class names on the path to each place, the nearest first."""
    names = [""]
    for place in places[1:]:
        own = " ".join(sorted(place.names))
        names.append(f"{own} {names[place.above]}" if place.above > 0 else own)
    return names


class _RowReader:
    """Collects the content of records row by row."""

    def __init__(self, page: Page, shown: Marks, namer: _Namer) -> None:
        self.page, self.namer = page, namer
        self.leaf = {row: leaf for leaf, row in enumerate(page.leaves.tolist()) if shown[leaf]}
        self.tag, self.parent, self.end = page.tag.tolist(), page.parent.tolist(), page.end.tolist()
        self.classes = page.attribute("class").tolist()
        self.known: dict[int, tuple[Names, bool, bool]] = {}
        self.telling = page.has_tag("img", "a", "time", "meta", "data", "abbr") | (page.attribute("itemprop") >= 0)
        self.telling |= (page.attribute("aria-label") >= 0) | (page.attribute("title") >= 0)

    def names_of(self, row: int) -> tuple[Names, bool, bool]:
        """Return the class names of an element, digits as "#", and whether they are those of a quote or a signature."""
        code = self.classes[row]
        if code not in self.known:
            names = class_names(self.page.strings[code]) if code >= 0 else frozenset()
            self.known[code] = (names, *_kinds_of_names(names))
        return self.known[code]

    def read(self, span: Span, spans: tuple[Span, ...], number: int) -> Cells:
        page, cells = self.page, Cells(span=span)
        first, end = span
        skipped = _inner(spans, number)
        place, seen = {first: 0} if end == self.end[first] else {self.parent[first]: 0}, Counter[tuple[int, int]]()
        signed = row = first
        signed_leaves = list[int]()
        while row < end:
            if row in skipped:
                row = skipped[row]
                continue
            tag = page.names[self.tag[row]]
            if tag == TEXT:
                if row in self.leaf:
                    cells.leaves.append(self.leaf[row])
                    cells.places.append(place.get(self.parent[row], 0))
                    if row < signed:
                        signed_leaves.append(self.leaf[row])
                row += 1
                continue
            if row not in place:
                above = place.get(self.parent[row], 0)
                place[row] = self._place(row, tag, above, seen)
                # Bold print and line breaks are no further element of their place.
                cells.counts[place[row]] += place[row] != above
                _, is_quote, is_signature = self.names_of(row)
                if is_quote or tag in ("blockquote", "q"):
                    cells.quotes.append((row, self.end[row], place[row]))
                if is_signature:
                    signed = max(signed, self.end[row])
            if self.telling[row]:
                cells.elements.append((row, place[row]))
            row += 1
        cells.signed = frozenset(signed_leaves)
        return cells

    def _sort(self, row: int) -> int:
        """Return the type of an element's text, which distinguishes it from siblings with the same template."""
        first = row + 1
        if first >= self.end[row] or first not in self.leaf:
            return 0
        text = leaf_text(self.page, self.leaf[first])
        return _sort_of(text) if len(text) <= _LONGEST else 0

    def _is_line(self, row: int) -> bool:
        """Return whether an element is one text, the first one around it, and no label or part of a sentence."""
        leaf, after, around = self.leaf.get(row + 1), self.end[row], self.parent[row]
        if leaf is None or after != row + 2 or leaf != self.page.leaf_range[around, 0]:
            return False
        if self.page.names[self.tag[around]] in HEADINGS:
            return False
        # White space is no leaf.
        return after not in self.leaf and not leaf_text(self.page, leaf).endswith((":", "\uff1a"))

    def _place(self, row: int, tag: str, above: int, seen: Counter[tuple[int, int]]) -> int:
        names, *_ = self.names_of(row)
        number = 0
        if tag in _LOOKS and not names:
            # A date in small print next to a name is a text of its own, and so is a bold line.
            number = self._sort(row)
            if number not in _OWN_TEXT and (number or tag not in _STRONG or not self._is_line(row)):
                return above
        elif tag not in _TEXTS:
            key = (self.parent[row], hash((tag, names)))
            number = self._sort(row)
            if not number:
                number = min(seen[key], _NUMBERED)
                seen[key] += 1
        return self.namer.of(above, tag, names, number)


def quote_rows(page: Page) -> list[int]:
    """Return the rows of potential quotes, by tag or class name."""
    called = page.attribute_matches("class", lambda names: _kinds_of_names(class_names(names))[0])
    rows: list[int] = np.flatnonzero(called | page.has_tag("blockquote")).tolist()
    return rows


def collect_quotes(aligned: Aligned, body: int) -> None:
    """Collect the text in quotes; an element around the text of the records is not a quote, whatever its tag."""
    around = set(aligned.path(body))
    rows = aligned.page.leaves
    for cells in aligned.cells:
        cells.quotes = _outermost(aligned.page, [quote for quote in cells.quotes if quote[2] not in around])
        for first, end, _ in cells.quotes:
            cells.quoted |= {leaf for leaf in cells.leaves if first <= rows[leaf] < end}


def _outermost(page: Page, quotes: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Drop the elements of a quote that are called quotes as well: with what they quote, below who is quoted."""
    kept: list[tuple[int, int, int]] = []
    for quote in quotes:
        around = next((one for one in reversed(kept) if one[0] < quote[0] < one[1]), None)
        if around is None or not _is_part(page, around, quote):
            kept.append(quote)
    return kept


def _is_part(page: Page, around: tuple[int, int, int], quote: tuple[int, int, int]) -> bool:
    if page.tag_of(around[0]) == page.tag_of(quote[0]) == "blockquote":
        return False
    (first, last), (low, high) = page.leaf_range[around[0]].tolist(), page.leaf_range[quote[0]].tolist()
    name = sum(len(leaf_text(page, leaf)) for leaf in range(first, low))
    return bool(high == last and name <= _LONGEST)


def _inner(spans: tuple[Span, ...], number: int) -> dict[int, int]:
    """Return the rows at which records inside one start, and their ends."""
    ends: dict[int, int] = {}
    end = spans[number][1]
    for first, last in spans[number + 1 :]:
        if first >= end:
            break
        ends.setdefault(first, last)
    return ends


#: Types of short texts.
_SORTS: tuple[Callable[[str], object], ...] = (is_price, is_rating, is_date, re.compile(r"^[\W\d]+$").search)
#: The types, as numbers below 0, that make an element without a name another place: prices, ratings, dates.
_OWN_TEXT = (-1, -2, -3)


@lru_cache(1 << 12)
def _sort_of(text: str) -> int:
    """Return the type of a short text, which records repeat."""
    return next((-number for number, test in enumerate(_SORTS, 1) if test(text)), 0)


@lru_cache(1 << 12)
def _kinds_of_names(names: Names) -> tuple[bool, bool]:
    """Return whether class names are those of a quote, and of a signature."""
    written = " ".join(names)
    return _QUOTE.search(written) is not None, _SIGNATURE.search(written) is not None


def leaf_text(page: Page, leaf: int) -> str:
    """Return the text of a leaf with white space collapsed."""
    return clean(page.leaf_texts[leaf])


def _collect_boilerplate(aligned: Aligned, owner: IntColumn) -> None:
    """Collect text that most records repeat at the same place, except for words in lines that differ otherwise."""
    if len(aligned.cells) < _FEWEST:
        return
    rows = aligned.page.leaves
    texts = [
        [(leaf, leaf_text(aligned.page, leaf), place) for leaf, place in zip(cells.leaves, cells.places, strict=True)]
        for cells in aligned.cells
    ]
    counts: Counter[tuple[int, str]] = Counter()
    for record in texts:
        counts.update({(place, text) for _, text, place in record})
    fewest = max(_FEWEST, _FURNITURE * len(aligned.cells))
    common = {key for key, count in counts.items() if count >= fewest and len(key[1]) <= _LONGEST}
    for cells, record in zip(aligned.cells, texts, strict=True):
        lines = {
            int(owner[rows[leaf]]) for leaf, text, place in record if len(text) > _WORDS and (place, text) not in common
        }
        boilerplate = {
            leaf for leaf, text, place in record if (place, text) in common and int(owner[rows[leaf]]) not in lines
        }
        # A record with nothing else has no other text.
        if len(boilerplate) < len(record):
            cells.boilerplate |= boilerplate
