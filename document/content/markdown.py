"""Markdown of clean HTML: CommonMark with GitHub's tables and strikethrough, and Pandoc's definition lists."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lxml import etree

from .list_numbers import ListNumbers
from .markdown_elements import OPENS, WRITERS, Around, MarkdownElement, Spans, guarded

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
#: Start of a line that would be parsed as the definition of a link or a footnote.
_DEFINITION = re.compile(r"\A(?=\[[^\]]*\]:)")
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
    text, numbers = element.text or "", ListNumbers(element)
    for following in (*element, None):
        if text:
            _append(pieces, _text(text, element, previous, following, around), around, is_text=True)
        if following is None:
            break
        first = not text and (around.first if previous is None else _ends_line(previous))
        inner = around if first == around.first else _within(around, "", first=first)
        marker = numbers.marker(following) if following.tag == "li" else ""
        _append(pieces, _element(following, text, marker, inner), around, follows=not text)
        previous, text = following, following.tail or ""
    return "".join(pieces) if around.pre else _joined(pieces)


def _append(pieces: list[str], written: str, around: Around, *, is_text: bool = False, follows: bool = False) -> None:
    """Add a text or an element, which ``follows`` another one; marks of both must not be read as one."""
    border = (pieces[-1][-1:] if pieces else "") + written[:1]
    if around.verbatim:
        pass
    elif is_text and border == "](":  # a link of the mark of a footnote
        written = f"\\{written}"
    elif not is_text and border == "![":  # a picture of a link
        pieces[-1] = f"{pieces[-1][:-1]}\\!"
    elif follows and border == "``":
        pieces.append(" ")
    pieces.append(written)


def _element(element: Element, before: str, marker: str, around: Around) -> str:
    tag = str(element.tag)
    inner = around
    if tag in OPENS or tag in _BLOCKS:
        inner = _within(around, tag, first=around.first or tag in _BLOCKS)
    text = _inside(element, inner)
    write = WRITERS.get(tag)
    if write is None:
        return text
    return write(MarkdownElement(element=element, text=text, before=before, marker=marker, around=around))


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
        text = _escaped(text, around)
    text = text.lstrip(" \t\r\n") if left else text
    text = text.rstrip() if right else text
    return text if around.verbatim else _guarded(text, parent, previous, following, around)


def _guarded(text: str, parent: Element, previous: Element | None, following: Element | None, around: Around) -> str:
    """Escape what would be parsed as markup because of its place in the line or the paragraph."""
    if around.formulas and text[-1:] == "\\" and _ends_text(parent, following):
        # Parsers scan backslashes backwards to see whether a dollar is escaped, some of them from the end of the text.
        text = f"{text[:-2]}&#92;"
    begins = around.first if previous is None else _ends_line(previous)
    return guarded(_DEFINITION.sub(r"\\", text)) if begins and text and not around.line else text


def _ends_text(parent: Element, following: Element | None) -> bool:
    """Return whether a text is the end of its paragraph."""
    while following is None and parent.tag not in _BLOCKS:
        above = parent.getparent()
        if above is None or (parent.tail or "").strip():
            return above is None
        parent, following = above, parent.getnext()
    return following is None or following.tag in _BLOCKS


def _escaped(text: str, around: Around) -> str:
    """Escape only characters that would be parsed as markup."""
    if _SIGNS.search(text):
        for pattern, replacement in _ESCAPES:
            text = pattern.sub(replacement, text)
    text = _BRACKET.sub(r"\1\\\2", text) if around.link else text
    return text.replace("$", r"\$") if around.formulas else text
