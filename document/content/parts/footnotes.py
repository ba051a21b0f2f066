"""Footnotes: the references in a text, and their notes anywhere on the page or in the margin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag

import numpy as np

from ....page.arrays import BoolColumn
from ....page.page import Page
from ....page.surroundings import Surroundings
from ....page.urls import Addresses, address_of
from .inline import HEADINGS, Inset, Step

#: Text of a reference: a number, a letter, a symbol, in brackets or not.
_SIGN = re.compile(
    r"\A[\[(（［]?\s*(?P<sign>\d{1,3}|[ivxlcdm]{1,6}|[a-z]|[*∗†‡§¶⁂]{1,4}|(?:note|nb|n|fn)\.?\s?\d{1,3})\s*[\])）］]?[.:]?\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(r"fn|note|cite|ftn|endn|ref|reference|sdend|sdfoot|anm|fu(?:ss|ß)n|bib", re.IGNORECASE)
_ROLES = ("doc-noteref", "noteref")
#: Symbols at the start of a note, besides its links back.
_BACK_SIGN = re.compile(r"\A[\s\^↑↩⤴⇑︎\[\]().:]+\Z")
#: A longer target is no note but a part of the text.
LONGEST = 3_000
_WORD = re.compile(r"\A\w+\Z")
#: Class names of notes in the margin, elements of one line, which hold no notes of their own, and most nodes between
#: a note and its label, such as a check box and white space.
_MARGIN = re.compile(r"(?:^|[\s_-])(?:side|margin)[_-]?notes?(?=\s|$)", re.IGNORECASE)
_LINES = (*HEADINGS, "pre", "code", "td", "th", "caption", "figcaption", "summary", "dt")
NEAR = 8
_HOLDERS = ("li", "p", "div", "dd", "aside", "section", "blockquote")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNotes:
    """The footnotes of the content.

    ``insets`` are those of the references; ``notes`` the unique label of each note and its symbol on the page, by row;
    ``leaves`` the text of the notes; ``omitted`` the links back to the text; ``margin`` the notes in the margin,
    with the row of the label of each, or its own if it has none.
    """

    insets: dict[int, Inset]
    notes: dict[int, tuple[str, str]]
    leaves: list[int]
    omitted: list[int]
    margin: dict[int, int]


def find_footnotes(page: Page, around: Surroundings) -> FoundNotes:
    """Find the footnote references in the content, and their notes."""
    links, margin = _inner_links(page), _margin_notes(page, around)
    none = FoundNotes(insets={}, notes={}, leaves=[], omitted=[], margin={})
    return _FootnoteFinder(page, around, links, margin).found() if links or margin else none


def _margin_notes(page: Page, around: Surroundings) -> dict[int, int]:
    """Return the notes in the margin next to text of their block, each with the row of its label or its own."""
    margin, end = dict[int, int](), 0
    named = page.attribute_matches("class", lambda name: _MARGIN.search(name) is not None, needs=("note",))
    rows = page.has_tag("span", "small", "aside") & (named | _floats(page)) | page.has_tag("div") & named
    block = page.owner[page.leaves]
    for row in (rows & ~page.below(page.has_tag(*_LINES))).nonzero()[0].tolist():
        above, (first, last) = int(page.parent[row]), page.leaf_range[row].tolist()
        text = [leaf for leaf in (first - 1, last) if 0 <= leaf < len(block) and block[leaf] == page.owner[above]]
        if row < end or not around.seen[first:last].any() or len(text) < (1 if named[row] else 2):
            continue
        end = page.end[row]
        label = next((one for one in range(row - 1, max(above, row - NEAR), -1) if page.tag_of(one) == "label"), row)
        margin[row] = label if page.leaf_range[label, 1] == first else row
    return margin


def _floats(page: Page) -> BoolColumn:
    """Mark the blocks that begin above the end of the text before them, as one that floats or is positioned does."""
    if page.geometry is None or not len(page.leaves):
        return np.zeros(len(page), dtype=bool)
    before = page.leaves[page.leaf_range[:, 0] - 1]
    top, bottom, display = page.geometry.box[:, 1], page.geometry.box[:, [1, 3]].sum(axis=1), page.geometry.display
    floats: BoolColumn = page.has_name(display, "block") & ~page.has_name(display, "flex", "grid")[page.parent]
    floats &= top < bottom[before] - page.geometry.font_size[before] / 2
    return floats


def _inner_links(page: Page) -> dict[int, str]:
    """Return the links within the page that have text, with the names of their targets."""
    href = page.attribute("href")
    own, base = urldefrag(address_of(page)).url, Addresses(page, address_of(page))
    targets = {}
    for row in (page.has_tag("a") & (href >= 0)).nonzero()[0].tolist():
        address, mark, name = page.strings[int(href[row])].strip().partition("#")
        if mark and name and (address in {"", own} or base.absolute(row, address) == own):
            targets[row] = unquote(name)
    return targets


class _FootnoteFinder:
    def __init__(self, page: Page, around: Surroundings, links: dict[int, str], margin: dict[int, int]) -> None:
        self.page, self.around, self.links, self.margin = page, around, links, margin
        self.ordered = np.asarray(sorted(links))
        self.rows = self._rows_by_name()
        self.heading = page.has_tag(*HEADINGS)
        # No format can mark a note in code or within another link.
        self.closed = page.below(page.has_tag("pre", "code"))
        self.link = page.nearest(page.has_tag("a"))
        self.holder = page.nearest(page.has_tag(*_HOLDERS, "td", "th", "body", *HEADINGS))

    def found(self) -> FoundNotes:
        marks = dict(self._marks())
        notes = self._labels(marks)
        references: dict[int, list[int]] = {}
        insets, omitted, leaves = {}, [], []
        for row, (note, sign) in marks.items():
            if note not in notes:
                continue
            references.setdefault(note, []).append(row)
            first, last = self.page.leaf_range[row].tolist()
            own = tuple(leaf for leaf in range(first, last) if self.around.marks[leaf])
            link = Step("a", (("class", "footnote"), ("href", f"#fn-{notes[note][0]}")), row)
            insets[row] = Inset(path=(link, Step("sup", (), row)), text=sign, leaves=own)
        for note in notes:
            back = self._links_back(note, references[note])
            omitted += back
            note_leaves = range(*self.page.leaf_range[note].tolist())
            leaves += [leaf for leaf in note_leaves if self.around.seen[leaf] and leaf not in set(back)]
        return FoundNotes(insets=insets, notes=notes, leaves=leaves, omitted=omitted, margin=self.margin)

    def _rows_by_name(self) -> dict[str, int]:
        wanted, rows = set(self.links.values()), {}
        for attribute in ("name", "id"):
            column = self.page.attribute(attribute)
            for row in (column >= 0).nonzero()[0][::-1].tolist():
                name = self.page.strings[int(column[row])]
                if name in wanted:
                    rows[name] = row
        return rows

    def _marks(self) -> Iterator[tuple[int, tuple[int, str]]]:
        """Yield the references in the content: the element, and its note and symbol."""
        marked = self.around.marks
        for row, name in self.links.items():
            target = self.rows.get(name, -1)
            first, last = self.page.leaf_range[row].tolist()
            text = "".join(self.page.leaf_texts[first:last]).strip() if last - first <= 3 else ""
            sign = _SIGN.match(text)
            if target < 0 or sign is None or self.closed[row]:
                continue
            if self.link[self.page.parent[row]] >= 0 or not (marked[first:last].any() or self.around.holds(row)):
                continue
            outer = self._outer(row)
            note = self._note(target, row)
            if note >= 0 and self._means_a_note(row, outer, name, note):
                yield outer, (note, sign["sign"])
        for number, (note, row) in enumerate(self.margin.items(), 1):
            if row != note and self.around.holds(row):
                yield row, (note, str(number))

    def _outer(self, row: int) -> int:
        """Return the ``sup`` or bracketed ``span`` around a reference's link, if it has no other text."""
        page = self.page
        while True:
            above = int(page.parent[row])
            if above < 0 or page.tag_of(above) not in {"sup", "span", "small", "cite"}:
                return row
            inner, outer = page.leaf_range[[row, above]]
            neighbours = [*page.leaf_texts[outer[0] : inner[0]], *page.leaf_texts[inner[1] : outer[1]]]
            if any(text.strip() not in "[]()" for text in neighbours):
                return row
            row = above

    def _note(self, target: int, mark: int) -> int:
        """Return the element of a note: the target of the link, or the paragraph that starts there; -1 for none."""
        page = self.page
        row = target if page.tag_of(target) in _HOLDERS else int(self.holder[target])
        if row < 0 or page.tag_of(row) not in _HOLDERS or row <= mark < page.end[row]:
            return -1
        first, last = page.leaf_range[row].tolist()
        size = sum(len(text) for text in page.leaf_texts[first : min(last, first + LONGEST)])
        if row < mark or first == last or size > LONGEST or self.heading[row : page.end[row]].any():
            return -1
        # An element that starts long before the target contains more than the note.
        return row if page.leaf_range[target][0] - first <= 2 else -1

    def _means_a_note(self, row: int, outer: int, name: str, note: int) -> bool:
        """Return whether a link is a reference: by its role, a link back, or superscript and name."""
        attributes = self.page.attributes_of(row)
        if attributes.get("role") in _ROLES or attributes.get("epub:type") in _ROLES or self._links_back(note, [outer]):
            return True
        raised = self.page.has_tag("sup")[outer : self.page.end[outer]].any()
        return bool(raised and _NAMED.search(f"{name} {attributes.get('class', '')}"))

    def _labels(self, marks: dict[int, tuple[int, str]]) -> dict[int, tuple[str, str]]:
        """Return the notes in their order, each with its label and its symbol."""
        signs: dict[int, str] = {}
        for note, sign in marks.values():
            signs.setdefault(note, sign)
        # A note within a note would be written twice.
        inner = {note for note in signs if any(other < note < self.page.end[other] for other in signs)}
        unique = len({sign for sign in signs.values() if _WORD.match(sign)}) == len(signs)
        return {
            note: (sign if unique else str(number), sign)
            for number, (note, sign) in enumerate(signs.items(), 1)
            if note not in inner
        }

    def _links_back(self, note: int, references: list[int]) -> list[int]:
        """Return the leaves of a note's links back to its references, and of the symbols next to them."""
        page = self.page
        leaves: list[int] = []
        first, last = np.searchsorted(self.ordered, [note, page.end[note]])
        for row in self.ordered[first:last].tolist():
            target = self.rows.get(self.links[row], -1)
            if target >= 0 and any(self._is_near(target, reference) for reference in references):
                leaves += range(*page.leaf_range[row].tolist())
        if leaves:
            note_leaves = range(*page.leaf_range[note].tolist())
            leaves += [leaf for leaf in note_leaves if _BACK_SIGN.match(page.leaf_texts[leaf]) and leaf not in leaves]
        return leaves

    def _is_near(self, target: int, reference: int) -> bool:
        """Return whether a link back leads to a reference, into it, or to an element around it."""
        page = self.page
        inside = reference <= target < page.end[reference]
        # The paragraph with the reference that the link back leads to has few text leaves.
        around = target <= reference < page.end[target] and np.ptp(page.leaf_range[target]) <= 100
        return bool(inside or around or page.leaf_range[target, 0] == page.leaf_range[reference, 0])
