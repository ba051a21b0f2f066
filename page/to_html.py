"""A page back to HTML: what a DOM-only program is given of a rendered page."""

from __future__ import annotations

from html import escape

from .html import TEXT
from .page import Page

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])


def to_html(page: Page) -> str:
    """Write a page's composed tree as HTML: shadow trees, slots and frames stand in place, generated text does not.

    Frames become ``div`` elements, as HTML has no way to write a frame's document in line.
    """
    written = ["<!DOCTYPE html>\n"]
    open_rows: list[int] = []
    skip = -1
    for row in range(len(page)):
        if row < skip:
            continue
        while open_rows and page.end[open_rows[-1]] <= row:
            written.append(f"</{_name(page, open_rows.pop())}>")
        tag = page.tag_of(row)
        if tag == TEXT:
            raw = bool(open_rows) and page.tag_of(open_rows[-1]) in _RAW
            written.append(page.text_of(row) if raw else escape(page.text_of(row), quote=False))
        elif tag.startswith("::"):
            skip = int(page.end[row])
        else:
            attributes = "".join(
                f' {name}="{escape(value)}"' for name, value in page.attributes_of(row).items() if name[:2] != "::"
            )
            written.append(f"<{_name(page, row)}{attributes}>")
            if tag not in _VOID:
                open_rows.append(row)
    written += [f"</{_name(page, row)}>" for row in reversed(open_rows)]
    return "".join(written)


def _name(page: Page, row: int) -> str:
    """A frame, and what is a root inside a frame, cannot stand in the middle of a document."""
    tag = page.tag_of(row)
    inner = page.parent[row] >= 0 and tag in {"html", "body", "head"} and page.tag_of(int(page.parent[row])) != "html"
    framed = tag in {"body", "head"} and page.parent[page.parent[row]] >= 0 if page.parent[row] >= 0 else False
    holds_document = tag in {"iframe", "frame"} and page.end[row] > row + 1 and page.tag_of(row + 1) == "html"
    return "div" if inner or framed or holds_document else tag
