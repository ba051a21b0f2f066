"""Clean HTML of paragraphs: a tree of the few elements that a document may have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from lxml import etree

from ...page.hidden import Hidden
from ...page.html import LIST_MARKS
from ...page.page import Page
from .keep_elements import NOTE, KeptElements
from .list_numbers import KINDS
from .paragraphs import Paragraph
from .parts.all_parts import ContentParts
from .parts.code import language_of
from .parts.inline import Path, Step

Element = etree._Element

#: Element that is added around a child that its parent does not allow.
_ADMITS = {
    **dict.fromkeys(("ul", "ol"), ("li", {"li"})),
    **dict.fromkeys(("thead", "tbody", "tfoot"), ("tr", {"tr"})),
    "table": ("tr", {"thead", "tbody", "tfoot", "tr", "caption"}),
    "dl": ("dd", {"dt", "dd"}),
    "tr": ("td", {"td", "th"}),
}
_WHOLE = re.compile(r"\s*-?\d{1,9}", re.ASCII)
#: Class of the captions that come along with a picture, which plain text has not.
CAPTION = "caption"
#: Elements whose single paragraph needs no element of its own.
_BARE = frozenset({"li", "dd", NOTE})
_NEEDS = {"summary": ("details", {"details"}), "li": ("ul", {"ul", "ol"}), "dt": ("dl", {"dl"}), "dd": ("dl", {"dl"})}


def clean_markup(page: Page, kept: KeptElements, passages: list[Paragraph], parts: ContentParts) -> Element:
    """Build the tree of paragraphs: a ``div`` with the clean HTML.

    Attributes are href, src, alt, colspan, rowspan, those of numbers of lists and of check boxes, and classes:
    ``language-x`` of code, ``callout`` and its kind of quotes that are one, ``math inline`` and ``math display`` of
    formulas, ``footnote`` of notes and their references, ``embed`` of links to embedded media, ``caption`` of captions
    that come along with a picture.
    """
    crowd = Counter(passage.row for passage in passages if passage.runs)
    builder = _Builder(page, kept, crowd, parts)
    for passage in passages:
        element = builder.opened(passage.row)
        if passage.rule:
            etree.SubElement(element, "hr")
        elif passage.runs:
            builder.write(passage, element)
    for rows in list(builder.root.iter("table")):  # a table of one row is the head of the next one
        head, above = rows.getprevious(), rows.getparent()
        if above is not None and head is not None and head.tag == "table" and sum(1 for _ in head.iter("tr")) == 1:
            rows[:0] = list(head)
            above.remove(head)
    for foot in list(builder.root.iter("tfoot")):  # below the rows, wherever the markup has it
        if foot.getnext() is not None and (above := foot.getparent()) is not None:
            above.append(foot)
    return builder.root


class _Builder:
    """Opens the elements around each paragraph; elements that are already open are shared."""

    def __init__(self, page: Page, kept: KeptElements, crowd: Counter[int], parts: ContentParts) -> None:
        self.page, self.kept, self.crowd = page, kept, crowd
        self.languages, self.notes, self.callouts = parts.code.labels, parts.notes, parts.callouts
        self.root: Element = etree.Element("div")
        self.open: list[tuple[int, Element]] = []
        self.code = page.has_tag("code")
        self.items = page.has_tag("li") & (page.declared_hidden == Hidden.VISIBLE)
        #: The number of each item of ordered lists by row, and the last one written in each list.
        self.numbers: dict[int, int] = {}
        self.last: dict[Element, int] = {}

    def opened(self, row: int) -> Element:
        """Return the element of a row, with the elements around it."""
        path = self._path(row)
        for inner in path[_close(self.open, path) :]:
            self.open.append((inner, self._start(inner)))
        return self.open[-1][1] if self.open else self.root

    def _path(self, row: int) -> list[int]:
        path: list[int] = []
        while row >= 0:
            path.append(row)
            above = int(self.page.parent[row])
            row = int(self.kept.block[above]) if above >= 0 else -1
        return path[::-1]

    def _start(self, row: int) -> Element:
        tag = self.kept.tags[row]
        element = etree.SubElement(_place(self.open[-1][1] if self.open else self.root, tag), tag)
        if tag in {"td", "th"}:
            self._span(element, row)
        elif tag == "ol":
            self._series(element, row)
        elif tag == "li":
            self._number(element, row)
        elif row in self.callouts:
            element.set("class", f"callout {self.callouts[row]}")
        if tag == NOTE:
            label, sign = self.notes[row]
            for name, value in (("class", "footnote"), ("id", f"fn-{label}"), ("title", sign)):
                element.set(name, value)
        return element

    def _span(self, cell: Element, row: int) -> None:
        """Note the columns and rows that a cell spans."""
        attributes = self.page.attributes_of(row)
        for name in ("colspan", "rowspan"):
            value = attributes.get(name, "").strip()
            if value.isdecimal() and 2 <= int(value[:5]) <= 1000:
                cell.set(name, str(int(value)))

    def _series(self, element: Element, row: int) -> None:
        """Number all items of an ordered list, as a browser does, and note the kind of its numbers."""
        attributes = self.page.attributes_of(row)
        if (kind := attributes.get(LIST_MARKS) or attributes.get("type", "").strip()) in KINDS:
            element.set("type", kind)
        items = (row + self.items[row : self.page.end[row]].nonzero()[0]).tolist()
        items = [item for item in items if self.page.parent[item] == row]
        step = 1
        if "reversed" in attributes:
            element.set("reversed", "reversed")
            step = -1
        number = _whole(attributes.get("start", ""), len(items) if step < 0 else 1) - step
        for item in items:
            number = self.numbers[item] = _whole(self.page.attributes_of(item).get("value", ""), number + step)

    def _number(self, item: Element, row: int) -> None:
        """Note the number of an item that does not follow from the one before."""
        above = item.getparent()
        if row not in self.numbers or above is None or above.tag != "ol":
            return
        before, number = self.last.get(above), self.numbers[row]
        self.last[above], step = number, -1 if above.get("reversed") else 1
        if before is None and number != 1:
            above.set("start", str(number))
        elif before is not None and number != before + step:
            item.set("value", str(number))

    def write(self, passage: Paragraph, element: Element) -> None:
        """Write the text of a paragraph."""
        tag = str(element.tag)
        if tag == "pre":
            language = self._language(passage.row)
            if language is not None:
                element = etree.SubElement(element, "code")
            if language:
                element.set("class", f"language-{language}")
        else:
            inner = _place(element, "p")
            # A single paragraph of an item needs no element of its own.
            bare = inner is not element or (tag in _BARE and self.crowd[passage.row] == 1)
            bare |= tag == "figure" and not passage.text.strip()
            single = passage.row >= 0 and bool(self.kept.line[passage.row])
            own = (single or bare) and _last(inner) is None and (not passage.caption or tag == "figcaption")
            element = inner if own else etree.SubElement(inner, "p")
            if passage.caption:
                element.set("class", CAPTION)
        _write_runs(element, passage.runs, code=tag == "pre")

    def _language(self, row: int) -> str | None:
        """Return the language of a code block, "" if unnamed, None if nothing marks the block as code."""
        inner = self.code[row : self.page.end[row]].nonzero()[0]
        named = language_of(self.page, row, row + int(inner[0]) if len(inner) else -1)
        return named or self.languages.get(row) or ("" if len(inner) else None)


def _whole(written: str, otherwise: int) -> int:
    """Parse a whole number of an attribute."""
    found = _WHOLE.match(written)
    return int(found[0]) if found else otherwise


def _place(above: Element, tag: str) -> Element:
    """Return the element for a child with this tag, adding the parents that lists and tables require."""
    if above.tag in _ADMITS:
        wrapper, admitted = _ADMITS[str(above.tag)]
        if tag in admitted:
            return above
        last = _last(above)
        if last is not None and last.tag == "li" and tag in {"ul", "ol", "dl"}:
            return last
        return _place(etree.SubElement(above, wrapper), tag)
    if tag in _NEEDS and above.tag not in _NEEDS[tag][1]:
        wrapper, fitting = _NEEDS[tag]
        last = _last(above)
        return last if last is not None and last.tag in fitting else etree.SubElement(above, wrapper)
    return above


def _last(element: Element) -> Element | None:
    """Return the last child; ``len`` would count all children."""
    return next(element.iterchildren(reversed=True), None)


def _close(opened: list[tuple[Any, Element]], path: Sequence[Any]) -> int:
    """Close the open elements that are not at the start of a path; return how many stay open."""
    pairs = enumerate(zip(opened, path, strict=False))
    shared = next((number for number, ((key, _), step) in pairs if key != step), min(len(opened), len(path)))
    del opened[shared:]
    return shared


def _write_runs(element: Element, runs: list[tuple[Path, str]], *, code: bool) -> None:
    open_path: list[tuple[Step, Element]] = []
    for path, text in runs:
        for step in path[_close(open_path, path) :]:
            inner = etree.SubElement(open_path[-1][1] if open_path else element, step.tag, dict(step.given))
            open_path.append((step, inner))
        if text:
            _append(open_path[-1][1] if open_path else element, text, code=code)


def _append(element: Element, text: str, *, code: bool) -> None:
    lines = [text] if code else text.split("\n")
    for number, line in enumerate(lines):
        last = etree.SubElement(element, "br") if number else _last(element)
        if last is None:
            element.text = (element.text or "") + line
        else:
            last.tail = (last.tail or "") + line
