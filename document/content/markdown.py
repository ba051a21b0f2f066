"""Markdown of clean HTML: CommonMark with GitHub's tables and strikethrough, and Pandoc's definition lists."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lxml import etree

from .markdown_elements import OPENS, WRITERS, Around, MarkdownElement, Spans

Element = etree._Element

_BLOCKS = frozenset("h1 h2 h3 h4 h5 h6 p li ul ol dl dt dd table thead tbody tfoot tr td th caption".split())
_BLOCKS |= {"pre", "blockquote", "figure", "figcaption", "hr", "aside", "details", "summary"}
#: White space at the inner edges of these, and around these, means nothing.
_TRIMMED = _BLOCKS - {"caption", "pre", "figure", "figcaption", "hr"}
_TRIMMED_AROUND = _TRIMMED | {"pre"}

_ESCAPES = (
    (re.compile(r"\\(?=[!-/:-@\[-`{-~\s]|\Z)"), r"\\\\"),
    (re.compile(r"`|(?<!\s)\*|\*(?!\s)"), r"\\\g<0>"),
    (re.compile(r"(?<![^\W_])_+|_+(?![^\W_])"), lambda found: r"\_" * len(found[0])),
    (re.compile(r"~~+"), lambda found: r"\~" * len(found[0])),
    (re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[])"), r"\\\g<0>"),
    # Marks of footnotes, in the text or between brackets.
    (re.compile(r"\[(?=\^)|\^(?=\[|\Z)"), r"\\\g<0>"),
)
#: Hardly any text holds one of the signs above.
_SIGNS = re.compile(r"[\\`*_~<&\]^]")
#: Start of a line that would be parsed as a heading, a list, a quote, a rule or a definition.
_LINE_START = re.compile(r"\A(?=(?:#{1,6}|[-+*])(?:\s|$)|>|[-=]{2,}\s*$|~~~|\[[^\]]*\]:|[:~]\s)")
_NUMBER_START = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
#: With the backslashes before it, each escaped by another one.
_BRACKET = re.compile(r"(?<!\\)((?:\\\\)*)([\[\]])")
_SPACE = re.compile(r"[\t \r\n]+")


def to_markdown(html: str, *, spans: Spans = "blank") -> str:
    """Convert clean HTML (with closed elements) to Markdown, "" or with a final newline.

    ``spans`` is how cells that span columns or rows are written: "repeat" their text in each, leave the others "blank",
    or write such tables as "html".
    """
    root = etree.fromstring(f"<div>{html}</div>", etree.XMLParser(huge_tree=True, resolve_entities=False))
    # In documents with formulas, dollars are parsed as their delimiters.
    text = _inside(root, Around(formulas='<span class="math ' in html, spans=spans)).strip("\n")
    lines = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    return f"{lines}\n" if lines else ""


def _inside(element: Element, around: Around) -> str:
    pieces: list[str] = []
    previous: Element | None = None
    text, items = element.text or "", 0
    children = iter(element)
    while True:
        following = next(children, None)
        if text:
            written = _text(text, element, previous, following, around)
            # Behind the mark of a footnote, a bracket would make a link of it.
            joins = written[:1] == "(" and pieces and pieces[-1][-1:] == "]" and not around.verbatim
            pieces.append(f"\\{written}" if joins else written)
        if following is None:
            return "".join(pieces) if around.pre else _joined(pieces)
        first = not text and (around.first if previous is None else _ends_line(previous))
        written = _element(
            following, text, items, _within(around, "", first=first) if first != around.first else around
        )
        if written[:1] == "[" and pieces and pieces[-1][-1:] == "!" and not around.verbatim:
            pieces[-1] = f"{pieces[-1][:-1]}\\!"  # else it would make a picture of the link
        if written[:1] == "`" and not text and pieces and pieces[-1][-1:] == "`" and not around.verbatim:
            pieces.append(" ")  # else the marks of both would be one
        pieces.append(written)
        items += following.tag == "li"
        previous, text = following, following.tail or ""


def _element(element: Element, before: str, number: int, around: Around) -> str:
    tag = str(element.tag)
    inner = around
    if tag in OPENS or tag in _BLOCKS:
        inner = _within(around, tag, first=around.first or tag in _BLOCKS)
    text = _inside(element, inner)
    write = WRITERS.get(tag)
    if write is None:
        return text
    return write(MarkdownElement(element=element, text=text, before=before, number=number, around=around))


@lru_cache(maxsize=1 << 10)
def _within(around: Around, tag: str, *, first: bool) -> Around:
    """Return the context within an element, "" for the same element."""
    opened: dict[str, Any] = OPENS.get(tag, {})
    return replace(around, **opened, first=first)


def _ends_line(element: Element) -> bool:
    return element.tag == "br" or element.tag in _BLOCKS


def _joined(pieces: list[str]) -> str:
    """Join pieces; newlines of neighbours are merged to the longer run, at most two."""
    found = [""]
    for piece in pieces:
        if not piece:
            continue
        rest = piece.lstrip("\n")
        newlines, content = piece[: len(piece) - len(rest)], rest.rstrip("\n")
        if found[-1] and newlines:
            newlines = "\n" * min(2, max(len(found.pop()), len(newlines)))
        found += [newlines, content, rest[len(content) :]]
    return "".join(found)


# -- text -----------------------------------------------------------------------------------------------------------


def _text(text: str, parent: Element, previous: Element | None, following: Element | None, around: Around) -> str:
    trims = parent.tag in _TRIMMED
    left = trims if previous is None else previous.tag in _TRIMMED_AROUND
    right = trims if following is None else following.tag in _TRIMMED_AROUND
    if (left or right) and not text.strip():
        return ""
    if not around.pre:
        text = _SPACE.sub(lambda found: "\n" if "\n" in found[0] or "\r" in found[0] else " ", text)
    if not around.verbatim:
        text = _escaped(text, link=around.link)
        text = text.replace("$", r"\$") if around.formulas else text
    if left:
        text = text.lstrip(" \t\r\n")
    if right:
        text = text.rstrip()
    if around.formulas and not around.verbatim and text[-1:] == "\\" and _ends_text(parent, following):
        # Parsers scan backslashes backwards to see whether a dollar is escaped, some of them from the end of the text.
        text = f"{text[:-2]}&#92;"
    begins = around.first if previous is None else _ends_line(previous)
    if begins and text and not around.verbatim and not around.line:
        text = _NUMBER_START.sub(r"\1\\", _LINE_START.sub(r"\\", text))
    return text


def _ends_text(parent: Element, following: Element | None) -> bool:
    """Return whether a text is the end of its paragraph."""
    while following is None and parent.tag not in _BLOCKS:
        above = parent.getparent()
        if above is None or (parent.tail or "").strip():
            return above is None
        parent, following = above, parent.getnext()
    return following is None or following.tag in _BLOCKS


def _escaped(text: str, *, link: bool) -> str:
    """Escape only characters that would be parsed as markup."""
    if _SIGNS.search(text):
        for pattern, replacement in _ESCAPES:
            text = pattern.sub(replacement, text)
    return _BRACKET.sub(r"\1\\\2", text) if link else text
