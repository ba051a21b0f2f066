"""Clean markup to plain text: paragraphs, items and cells set apart by white space alone."""

from __future__ import annotations

from lxml import etree

from .clean_markup import Element

#: Newlines before and after an element in plain text.
_LINES = dict.fromkeys("h1 h2 h3 h4 h5 h6 p pre blockquote ul ol dl table figure hr".split(), 2)
_LINES |= dict.fromkeys("li dt dd tr caption figcaption".split(), 1)


def plain_text(root: Element) -> str:
    """Return the text of clean markup: paragraphs parted by a blank line, cells of a row by a tab."""
    writer = _PlainText()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        writer.take(event, element)
    return "".join(writer.parts)


class _PlainText:
    """Text, and the white space that is due before the next piece of it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.newlines = self.tabs = self.cells = 0

    def take(self, event: str, element: Element) -> None:
        tag = str(element.tag)
        nested = tag in {"ul", "ol", "dl"} and getattr(element.getparent(), "tag", "") in {"li", "dd"}
        self.newlines = max(self.newlines, 1 if nested else _LINES.get(tag, 0))
        if event == "start":
            self._enter(tag, element)
            self._say(element.text)
        else:
            self.cells -= tag in {"td", "th"}
            self._say(element.tail)

    def _enter(self, tag: str, element: Element) -> None:
        if tag == "tr":
            self.tabs = 0
        elif tag in {"td", "th"}:
            self.tabs += element.getprevious() is not None
            self.cells += 1
        elif tag == "br":
            self.parts.append(" " if self.cells else "\n")

    def _say(self, text: str | None) -> None:
        if text:
            between = "\n" * self.newlines + "\t" * self.tabs
            self.parts.append(between + text if self.parts else text)
            self.newlines = self.tabs = 0
