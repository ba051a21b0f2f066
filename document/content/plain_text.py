"""Plain text of clean HTML: white space separates paragraphs, items and cells; lists have markers."""

from __future__ import annotations

import re
from itertools import accumulate

from lxml import etree

from .clean_html import CAPTION, Element
from .content import Content
from .list_numbers import ListNumbers
from .table_grid import grid_of

#: Newlines before and after an element in plain text.
_LINES = dict.fromkeys("h1 h2 h3 h4 h5 h6 p pre blockquote ul ol dl table figure hr details".split(), 2)
_LINES |= dict.fromkeys("li dt dd tr caption figcaption aside summary".split(), 1)
_WORD = re.compile(r"\S+")
_LISTS, _NESTED = frozenset({"ul", "ol"}), frozenset({"ul", "ol", "dl"})
#: Elements of which more than line breaks and text is written.
_MARKED = frozenset("table tr td th br ul ol li aside input span a".split())


def plain_text(root: Element, *, marks: bool = True) -> str:
    """Return the text of clean HTML; ``marks`` adds markers of items, check boxes, formulas and footnotes."""
    return "".join(_written(root, marks=marks).parts)


def _written(root: Element, *, marks: bool) -> _PlainText:
    writer = _PlainText(marks=marks)
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start" and element.get("class") == CAPTION:
            walk.skip_subtree()
        elif event == "start":
            writer.enter(element)
        else:
            writer.leave(element)
    return writer


def word_offsets(content: Content) -> tuple[str, str, list[int]]:
    """Return the plain text, the page's own text in it without white space, and the offset of each character of it."""
    writer = _written(content.root, marks=True)
    places = writer.places()
    offsets = [offset + number for offset, text in places for number in range(len(text))]
    return "".join(writer.parts), "".join(text for _, text in places), offsets


def paragraph_ranges(content: Content) -> list[tuple[int, int]]:
    """Return the range of each paragraph's words in the plain text, without what clean HTML adds."""
    _, solid, offsets = word_offsets(content)
    ranges: list[tuple[int, int]] = []
    at = 0
    for paragraph in content.paragraphs:
        runs = [text for path, text in paragraph.runs if not any(("class", "embed") in step.given for step in path)]
        own_text = "".join("".join(text.split()) for text in runs)
        # Replacements of something that is not text, such as a formula in a picture, belong to no paragraph.
        first = solid.find(own_text, at)
        if paragraph.caption or not own_text or first < 0:
            ranges.append((ranges[-1][1], ranges[-1][1]) if ranges else (0, 0))
            continue
        at = first + len(own_text)
        ranges.append((offsets[first], offsets[at - 1] + 1))
    return ranges


class _PlainText:
    """Writer of text, with the white space and markers that are pending."""

    def __init__(self, *, marks: bool) -> None:
        self.marks = marks
        self.parts: list[str] = []
        self.newlines = self.tabs = self.cells = 0
        self.bullets: list[str] = []
        self.due = 0
        self.numbers: list[ListNumbers] = []
        self.tabs_before: dict[Element, int] = {}
        self.own_text: list[tuple[int, int]] = []

    def places(self) -> list[tuple[int, str]]:
        """Return the words of the page without markers, each with its offset in the text."""
        starts = [0, *accumulate(map(len, self.parts))]
        pieces = [(starts[part] + behind, self.parts[part][behind:]) for part, behind in self.own_text]
        return [(start + word.start(), word[0]) for start, text in pieces for word in _WORD.finditer(text)]

    def enter(self, element: Element) -> None:
        """Write the start of an element and its text."""
        tag = element.tag
        self._break(tag, element)
        if tag in _MARKED:
            self._enter(tag, element)
        if (text := element.text) and element.get("class") != "embed":
            self._say(text, own=True)

    def leave(self, element: Element) -> None:
        """Write the end of an element, and the text behind it."""
        tag, tail = element.tag, element.tail
        self._break(tag, element)
        if tag in _MARKED:
            self._leave(tag, element)
        if tail:
            # Nothing is written of a picture, so that one space is enough.
            if not self.parts or (tag == "img" and self.parts[-1][-1:].isspace()):
                tail = tail.lstrip(" ")
            self._say(tail, own=True)

    def _break(self, tag: str, element: Element) -> None:
        lines = _LINES.get(tag, 0)
        if lines > self.newlines:
            if tag in _NESTED and getattr(element.getparent(), "tag", "") in {"li", "dd"}:
                lines = 1
            self.newlines = max(self.newlines, lines)

    def _enter(self, tag: str, element: Element) -> None:
        if tag == "table":
            self._lay_out(element)
        elif tag == "tr":
            self.tabs = 0
        elif tag in {"td", "th"}:
            self.tabs += self.tabs_before[element]
            self.cells += 1
        elif tag == "br":
            self.parts.append(" " if self.cells else "\n" + self._indent())
        elif self.marks:
            self._mark(tag, element)

    def _lay_out(self, table: Element) -> None:
        """Note the number of columns from each cell of a row to the next one."""
        for line in grid_of(table):
            last = 0
            for column, (cell, starts) in enumerate(line):
                if starts:
                    self.tabs_before[cell], last = column - last, column

    def _mark(self, tag: str, element: Element) -> None:
        if tag in _LISTS:
            self.numbers.append(ListNumbers(element))
        elif tag == "li":
            number = self.numbers[-1].next(element)
            self.bullets.append(f"{number}. " if number else "- ")
            self.due += 1
        elif tag == "aside":
            self.bullets.append(f"[{element.get('title', '')}] ")
            self.due += 1
        elif tag == "input":
            space = "" if (element.tail or " ")[0].isspace() else " "
            self._say(("[x]" if element.get("checked") else "[ ]") + space)
        elif tag in {"span", "a"}:
            self._say(_OPENING.get(element.get("class", ""), ""))

    def _leave(self, tag: str, element: Element) -> None:
        if tag in {"td", "th"}:
            self.cells -= 1
        elif self.marks and tag in _LISTS:
            self.numbers.pop()
        elif self.marks and tag in {"li", "aside"}:
            self.bullets.pop()
            self.due = min(self.due, len(self.bullets))
        elif self.marks and tag in {"span", "a"}:
            self._say(_CLOSING.get(element.get("class", ""), ""))

    def _say(self, text: str | None, *, own: bool = False) -> None:
        if not text:
            return
        between = "\n" * self.newlines if self.parts else ""
        if self.newlines or not self.parts:
            between += self._indent() + "\t" * (self.tabs if self.parts else 0)
        else:
            between += "\t" * self.tabs
        if own:
            self.own_text.append((len(self.parts), len(between)))
        self.parts.append(between + text)
        self.newlines = self.tabs = self.due = 0

    def _indent(self) -> str:
        """Return the start of a line in items: their markers, then as much white space."""
        begun = len(self.bullets) - self.due
        return " " * sum(map(len, self.bullets[:begun])) + "".join(self.bullets[begun:])


_OPENING = {"footnote": "[", "math inline": "$", "math display": "$$"}
_CLOSING = {"footnote": "]", "math inline": "$", "math display": "$$"}
