"""The content in pieces of Markdown that can be joined again: blocks, and parts of those that are too long."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from lxml import etree

from .clean_html import CAPTION, Element
from .content import Content
from .keep_elements import HEADING_CHARACTERS
from .markdown import to_markdown
from .markdown_elements import Spans
from .parts.inline import HEADINGS
from .plain_text import word_offsets

#: Elements that are divided between their children, each in a copy of the element.
_DIVIDED = frozenset({"ul", "ol", "dl", "blockquote", "details", "figure"})
_LISTS = frozenset({"ul", "ol"})
#: Elements that are never divided.
_WHOLE = frozenset({"table", "pre"})
#: Separators at which a text is divided: lines, sentences, words; at last characters.
_CUTS = (r"\n+", r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])", r"\s+", r"(?<=.)(?=.)")

#: The Markdown of a label: with a colon at its end, or in bold and a line.
_LABEL = re.compile(r"[:：](?:\*\*)?\Z|\A\*\*[^*\n]+\*\*\Z")

Range = tuple[int, int]
#: Whether a text has room in a chunk.
Fits = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block of the content, or a part of one."""

    markdown: str
    start: int  # of its text in the plain text of the document
    end: int
    level: int = 0  # of a heading, 0 for other blocks
    item: bool = False  # an item of a list that continues that of the piece before
    continues: bool = False  # it continues the block of the piece before

    @property
    def is_label(self) -> bool:
        """Whether it names what follows: a heading, a line in bold, a text that ends with a colon."""
        return bool(self.level or _LABEL.search(self.markdown))


def joined(pieces: list[Piece]) -> str:
    """Return the Markdown of successive pieces."""
    text = ""
    for piece in pieces:
        text += ("\n" if piece.item else "\n\n") * bool(text) + piece.markdown
    return text


def pieces_of(content: Content, fits: Fits, spans: Spans) -> list[Piece]:
    """Return the blocks of the content in order; those that do not fit in parts. Tables and code stay whole."""
    return _Divider(content, fits, spans).pieces()


class _Divider:
    """Divides blocks; their text is counted in characters without white space."""

    def __init__(self, content: Content, fits: Fits, spans: Spans) -> None:
        self.content, self.most, self.spans, self.above = content, fits, spans, ""
        self.text, _, self.offsets = word_offsets(content)
        self.at = self.end = 0

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        for element in self.content.root:
            # What is cut has room below its heading, unless that takes most of it.
            self.above = ""
            for label in takewhile(lambda piece: piece.is_label, reversed(found)):
                self.above += f"{label.markdown}\n\n"
                if not self.most(self.above * 2):
                    self.above = ""
                    break
            found += self.divided(element)
        return found

    def fits(self, text: str) -> bool:
        """Return whether a text has room below the labels above it."""
        return self.most(self.above + text)

    def divided(self, element: Element) -> Iterator[Piece]:
        """Yield the pieces of an element."""
        tag, markdown = str(element.tag), self.markdown(element)
        level = int(tag[1]) if tag in HEADINGS else 0
        if not markdown:
            self.at += _size(element)
        elif tag in _WHOLE or (level and len(markdown) <= HEADING_CHARACTERS) or self.fits(markdown):
            yield replace(self.piece(markdown, _size(element)), level=level)
        elif len(parts := list(_parts(element))) > 1:
            for number, part in enumerate(parts):
                for piece in self.divided(part):
                    yield replace(piece, item=number > 0 and tag in _LISTS and not piece.continues)
        else:
            for number, piece in enumerate(self.cut(element)):
                yield replace(piece, level=level, continues=number > 0)

    def cut(self, element: Element) -> Iterator[Piece]:
        """Yield the parts of an element, divided at the best separators."""
        text = "".join(_texts(element))
        ranges = cut_text(text, self.fits)
        if len(ranges) < 2:
            # Its addresses take the room.
            middle = text.rfind(" ", 0, len(text) // 2 + 1)
            ranges = [(0, middle), (middle, len(text))] if text[: max(middle, 0)].strip() else ranges
        for part in _divided_at(element, [start for start, _ in ranges[1:]]) if ranges else ():
            markdown = self.markdown(part)
            if len(ranges) > 1 and not self.fits(markdown):
                yield from self.cut(part)
            elif markdown:
                yield self.piece(markdown, _size(part))

    def markdown(self, element: Element) -> str:
        return to_markdown(etree.tostring(element, encoding="unicode", with_tail=False), spans=self.spans).rstrip("\n")

    def piece(self, markdown: str, size: int) -> Piece:
        """Return the next piece, with the markers around its text."""
        first, self.at = self.at, self.at + size
        if not size:
            return Piece(markdown=markdown, start=self.end, end=self.end)
        start, end = self.offsets[first], self.offsets[self.at - 1] + 1
        line = self.text.rfind("\n", self.end, start) + 1
        if line or not self.end:
            between = self.text[line:start]
            start = line + len(between) - len(between.lstrip())
        most = self.offsets[self.at] if self.at < len(self.offsets) else len(self.text)
        while end < most and self.text[end] in "$]":
            end += 1
        self.end = end
        return Piece(markdown=markdown, start=start, end=end)


def cut_text(text: str, fits: Fits, way: int = 0, within: Range | None = None) -> list[Range]:
    """Return the ranges of a text, divided at the best separators until each fits, and no more often than necessary."""
    start, end = _trimmed(text, within or (0, len(text)))
    if start >= end or fits(text[start:end]) or way == len(_CUTS):
        return [(start, end)] if start < end else []
    ranges: list[Range] = []
    borders = [found.end() for found in re.compile(_CUTS[way]).finditer(text, start, end)]
    for first, last in zip([start, *borders], [*borders, end], strict=True):
        for one in cut_text(text, fits, way + 1, (first, last)):
            if ranges and fits(text[ranges[-1][0] : one[1]]):
                ranges[-1] = (ranges[-1][0], one[1])
            else:
                ranges.append(one)
    return ranges


def _trimmed(text: str, within: Range) -> Range:
    inner = text[slice(*within)]
    start = within[0] + len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())


def _attributes(element: Element) -> dict[str, str]:
    """Return the attributes of an element."""
    return {str(name): str(value) for name, value in element.items()}


def _size(element: Element) -> int:
    """Return the number of characters of the plain text, without white space."""
    return sum(len("".join(text.split())) for text in _texts(element))


def _texts(element: Element) -> Iterator[str]:
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        if event == "start" and inner.get("class") == CAPTION:
            walk.skip_subtree()
        elif event == "start" and inner.get("class") != "embed":
            yield inner.text or ""
        elif event == "end" and inner is not element:
            yield inner.tail or ""


def _parts(element: Element) -> Iterator[Element]:
    """Yield a copy of an element that is divided for each child; a term stays with its definitions."""
    if element.tag not in _DIVIDED or (element.text or "").strip():
        return
    part, number = None, int(element.get("start", "1"))
    for child in element:
        if part is None or (part[-1].tag != "dt" and child.tag != "dd"):
            if part is not None:
                yield part
            part = etree.Element(element.tag, _attributes(element))
            if element.tag == "ol":
                part.set("start", str(number))
        part.append(deepcopy(child))
        number += child.tag == "li"
    if part is not None:
        yield part


def _divided_at(element: Element, cuts: Iterable[int]) -> list[Element]:
    """Return copies of an element, each with a part of its text: that of :func:`_texts`, divided at positions in it."""
    copies = _Copies(cuts)
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        is_caption = inner.get("class") == CAPTION
        if event == "start" and is_caption:
            caption = deepcopy(inner)
            caption.tail = None
            copies.open[-1].append(caption)
            walk.skip_subtree()
        elif event == "start":
            copies.enter(inner)
            if inner.get("class") == "embed":
                copies.open[-1].text = inner.text
            else:
                copies.add(inner.text or "")
        else:
            if not is_caption:
                copies.open.pop()
            if inner is not element:
                copies.add(inner.tail or "")
    return copies.parts


class _Copies:
    def __init__(self, cuts: Iterable[int]) -> None:
        self.parts: list[Element] = []
        #: The copies of the elements around the next text, outermost first.
        self.open: list[Element] = []
        self._cuts = iter([*cuts, sys.maxsize])
        self._at, self._cut = 0, next(self._cuts)

    def enter(self, element: Element) -> None:
        copy = etree.Element(element.tag, _attributes(element))
        if self.open:
            self.open[-1].append(copy)
        else:
            self.parts.append(copy)
        self.open.append(copy)

    def add(self, text: str) -> None:
        start = 0
        while start < len(text):
            if self._at >= self._cut:
                self._begin_part()
            end = min(start + self._cut - self._at, len(text))
            around = self.open[-1]
            if len(around):
                around[-1].tail = (around[-1].tail or "") + text[start:end]
            else:
                around.text = (around.text or "") + text[start:end]
            self._at, start = self._at + end - start, end

    def _begin_part(self) -> None:
        around, self.open, self._cut = self.open, [], next(self._cuts)
        for copy in around:
            self.enter(copy)
        for outer, copy in reversed([*pairwise(around)]):
            # Of what the part before has nothing of.
            if not len(copy) and not (copy.text or "").strip():
                outer.remove(copy)
