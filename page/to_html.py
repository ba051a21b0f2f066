"""HTML of a page: the input of DOM-only systems for a rendered page."""

from __future__ import annotations

from html import escape

import turbohtml

from .html import ADDED_PREFIX, TEXT, VOID_TAGS
from .page import Page

_VOID = VOID_TAGS - {"param"} | {"embed"}
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])


_ROW = "data-blocksight-row"


def rows_of(page: Page, selector: str) -> list[int]:
    """Return the rows of the elements that a CSS selector matches in the composed tree; ValueError if it is none."""
    try:
        found = turbohtml.parse(to_html(page, numbered=True)).select(selector)
    except turbohtml.SelectorSyntaxError as error:
        raise ValueError(str(error)) from error
    return [int(str(element.attrs[_ROW])) for element in found if _ROW in element.attrs]


def to_html(page: Page, *, numbered: bool = False) -> str:
    """Return a page's composed tree as HTML, with shadow trees, slots and frames in place.

    Frames become ``div`` elements, since HTML cannot embed a frame's document. In ``numbered`` HTML each element has
    its row as an attribute.
    """
    parts = ["<!DOCTYPE html>\n"]
    open_rows: list[int] = []
    skip = -1
    for row in range(len(page)):
        if row < skip:
            continue
        while open_rows and page.end[open_rows[-1]] <= row:
            parts.append(f"</{_tag_name(page, open_rows.pop())}>")
        tag = page.tag_of(row)
        if tag == TEXT:
            raw = bool(open_rows) and page.tag_of(open_rows[-1]) in _RAW
            parts.append(page.text_of(row) if raw else escape(page.text_of(row), quote=False))
        elif tag.startswith("::"):
            skip = int(page.end[row])
        else:
            attributes = "".join(
                f' {name}="{escape(value)}"'
                for name, value in page.attributes_of(row).items()
                if not name.startswith(ADDED_PREFIX)
            )
            # Before those of the page, which may have it as well: of two the first counts.
            attributes = f' {_ROW}="{row}"{attributes}' if numbered else attributes
            parts.append(f"<{_tag_name(page, row)}{attributes}>")
            if tag not in _VOID:
                open_rows.append(row)
    parts += [f"</{_tag_name(page, row)}>" for row in reversed(open_rows)]
    return "".join(parts)


def _tag_name(page: Page, row: int) -> str:
    """Return the tag name; "div" for a frame, and for the html, head and body elements in it."""
    tag, parent = page.tag_of(row), int(page.parent[row])
    inner = parent >= 0 and tag in {"html", "body", "head"} and page.tag_of(parent) != "html"
    framed = parent >= 0 and tag in {"body", "head"} and page.parent[parent] >= 0
    has_document = tag in {"iframe", "frame"} and page.end[row] > row + 1 and page.tag_of(row + 1) == "html"
    return "div" if inner or framed or has_document else tag
