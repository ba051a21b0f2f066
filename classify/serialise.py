"""Paragraphs to clean HTML, plain text and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import numpy as np
from lxml import etree
from markdownify import ATX, MarkdownConverter

from ..render.page import Page
from .outlining import DEEPEST, HEADINGS, INLINE, Outline, Paragraph

#: Elements that hold text themselves; in all others a paragraph gets a ``p``.
_DIRECT = frozenset(["li", "dt", "dd", "td", "th", "caption", "figcaption", "pre", *HEADINGS])
_SPACE = re.compile(r"[ \t\n\r\f\v\u2028\u2029]+")
#: Characters that neither HTML nor XML can hold.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush:)[-_ ]?([\w+#-]+)")

Piece = tuple[str, tuple[int, ...]]
BREAK = "\n"


class Writer:
    """Writes the paragraphs of an outline."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.page: Page = outline.page
        self.paragraphs = list(outline.paragraphs())
        self._breaks = np.flatnonzero(self.page.has_tag("br"))
        self._texts = np.flatnonzero(self.page.text >= 0)
        self._cells: dict[int, Any] = {}
        self._inline: dict[int, tuple[int, ...]] = {-1: ()}

    # -- plain text -----------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Give plain text: paragraphs apart by an empty line, items and rows by a line break, cells by a tab."""
        written: list[str] = []
        before: Paragraph | None = None
        for paragraph in self.paragraphs:
            content = self.paragraph_text(paragraph)
            if not content:
                continue
            written.append(self._joint(before, paragraph) if before else "")
            written.append(content)
            before = paragraph
        return "".join(written)

    def paragraph_text(self, paragraph: Paragraph) -> str:
        """Give one paragraph's text, white space collapsed but in code."""
        return "".join(text for text, _ in self.pieces(paragraph)).strip("\n" if self._is_code(paragraph) else None)

    def _joint(self, before: Paragraph, after: Paragraph) -> str:
        kinds = self.outline.kinds
        shared = [one for one, other in zip(before.containers, after.containers, strict=False) if one == other]
        shared_kinds = [kinds[row] for row in shared]
        if "tr" in shared_kinds:
            return "\t" if not {"td", "th"} & set(shared_kinds) else "\n"
        if "table" in shared_kinds and "caption" not in (kinds[before.containers[-1]], kinds[after.containers[-1]]):
            return "\n"
        lists = {"ul", "ol", "dl"} & set(shared_kinds)
        return "\n" if lists else "\n\n"

    # -- HTML -----------------------------------------------------------------------------------------------------

    def html(self) -> str:
        """Give clean HTML: structure and text only, no attributes but those that carry meaning."""
        root = self.tree()
        return "\n".join(
            etree.tostring(child, method="html", encoding="unicode", with_tail=False).strip("\n") for child in root
        )

    def tree(self) -> Any:
        """Give the same as an lxml tree under one ``div``."""
        root = etree.Element("div")
        several = self._crowded()
        opened: list[tuple[int, Any]] = []
        for paragraph in self.paragraphs:
            pieces = self.pieces(paragraph)
            if not any(text.strip() for text, _ in pieces):
                continue
            holder = self._open(root, opened, paragraph.containers)
            innermost = paragraph.containers[-1] if paragraph.containers else -1
            kind = self.outline.kinds[innermost] if innermost >= 0 else ""
            if kind == "pre":
                holder = self._code(holder, innermost)
            elif kind not in _DIRECT or innermost in several:
                holder = etree.SubElement(holder, "p")
            self._fill(holder, pieces)
        return root

    def _crowded(self) -> set[int]:
        """Rows of items and cells that hold several paragraphs directly: there each gets its own ``p``."""
        seen: set[int] = set()
        crowded: set[int] = set()
        for paragraph in self.paragraphs:
            innermost = paragraph.containers[-1] if paragraph.containers else -1
            if self.outline.kinds[innermost] in {"li", "dd", "td", "th", "figcaption"} if innermost >= 0 else False:
                (crowded if innermost in seen else seen).add(innermost)
        return crowded

    def _open(self, root: Any, opened: list[tuple[int, Any]], containers: tuple[int, ...]) -> Any:
        """Open the elements around a paragraph, and close those that it is not in."""
        shared = 0
        for (row, _), wanted in zip(opened, containers, strict=False):
            if row != wanted:
                break
            shared += 1
        del opened[shared:]
        holder = opened[-1][1] if opened else root
        for row in containers[shared:]:
            holder = self._element(holder, row)
            opened.append((row, holder))
        return holder

    def _element(self, holder: Any, row: int) -> Any:
        kind = self.outline.kinds[row]
        if row in self._cells:
            return self._cells[row]
        if kind in {"li"} and holder.tag not in {"ul", "ol"}:
            holder = etree.SubElement(holder, "ul") if not self._last_is(holder, "ul") else holder[-1]
        if kind in {"dt", "dd"} and holder.tag != "dl":
            holder = etree.SubElement(holder, "dl") if not self._last_is(holder, "dl") else holder[-1]
        element = etree.SubElement(holder, kind)
        attributes = self.page.attributes_of(row)
        if kind == "ol" and attributes.get("start", "").lstrip("-").isdigit():
            element.set("start", attributes["start"])
        if kind == "table":
            self._grid(element, row)
        return element

    @staticmethod
    def _last_is(holder: Any, tag: str) -> bool:
        return len(holder) > 0 and holder[-1].tag == tag and not (holder[-1].tail or "").strip()

    def _grid(self, element: Any, table: int) -> None:
        """Lay out all rows that have a marked leaf, with their empty cells, so that columns stay in line."""
        page, kinds = self.page, self.outline.kinds
        marked = np.concatenate([[0], np.cumsum(self.outline.marks)])
        row_element: Any = None
        for row in range(table + 1, int(page.end[table])):
            first, last = page.leaf_range[row]
            if kinds[row] == "tr":
                row_element = etree.SubElement(element, "tr") if marked[last] > marked[first] else None
                self._cells[row] = row_element
            elif kinds[row] in {"td", "th"} and row_element is not None:
                cell = etree.SubElement(row_element, kinds[row])
                attributes = page.attributes_of(row)
                for name in ("colspan", "rowspan"):
                    if attributes.get(name, "").isdigit() and attributes[name] != "1":
                        cell.set(name, attributes[name])
                self._cells[row] = cell

    def _code(self, pre: Any, row: int) -> Any:
        code = etree.SubElement(pre, "code")
        inside = range(row, min(row + 3, int(self.page.end[row])))
        for node in (*inside, int(self.page.parent[row])):
            found = _LANGUAGE.search(self.page.attributes_of(node).get("class", "")) if node >= 0 else None
            if found:
                code.set("class", f"language-{found[1]}")
                break
        return code

    def _fill(self, holder: Any, pieces: list[Piece]) -> None:
        opened: list[tuple[int, Any]] = []
        code = holder.tag == "code"
        for text, around in pieces:
            shared = 0
            for (row, _), wanted in zip(opened, around, strict=False):
                if row != wanted:
                    break
                shared += 1
            del opened[shared:]
            for row in () if code else around[shared:]:
                opened.append((row, self._inline_element(opened[-1][1] if opened else holder, row)))
            target = opened[-1][1] if opened else holder
            if text == BREAK and not code:
                etree.SubElement(target, "br")
            else:
                _append(target, _ILLEGAL.sub("", text))

    def _inline_element(self, holder: Any, row: int) -> Any:
        element = etree.SubElement(holder, self.page.tag_of(row))
        if element.tag == "a":
            element.set("href", self._address(row))
        return element

    def _address(self, row: int) -> str:
        address = self.page.attributes_of(row).get("href", "")
        try:
            joined = urljoin(self.page.url, address.strip())
        except ValueError:
            return ""
        return _ILLEGAL.sub("", joined) if joined.startswith(("http://", "https://", "mailto:")) else ""

    # -- pieces ---------------------------------------------------------------------------------------------------

    def pieces(self, paragraph: Paragraph) -> list[Piece]:
        """Give a paragraph as texts, each with the inline elements around it; a lone line feed is a ``<br>``."""
        raw = list(self._code_pieces(paragraph) if self._is_code(paragraph) else self._flowing(paragraph))
        return raw if self._is_code(paragraph) else list(_collapsed(raw))

    def _is_code(self, paragraph: Paragraph) -> bool:
        return any(self.outline.kinds[row] == "pre" for row in paragraph.containers)

    def _flowing(self, paragraph: Paragraph) -> Iterator[Piece]:
        for row, leaf in self._run(paragraph):
            if leaf is None and self.page.text[row] < 0:
                yield BREAK, ()
            elif leaf is None:
                yield " ", ()
            else:
                yield _SPACE.sub(" ", self.page.leaf_texts[leaf]), self._around(row)

    def _code_pieces(self, paragraph: Paragraph) -> Iterator[Piece]:
        """Code keeps its white space; elements that break lines (one a line in many viewers) give a line feed."""
        block = self.page.nearest(self.page.block_level)
        owner = -1
        text = ""
        for row, leaf in self._run(paragraph):
            if leaf is None and self.page.text[row] < 0:
                text += "\n"
                continue
            if owner >= 0 and int(block[row]) != owner and not text.endswith("\n"):
                text += "\n"
            owner = int(block[row])
            text += self.page.text_of(row)
        yield text, ()

    def _run(self, paragraph: Paragraph) -> Iterator[tuple[int, int | None]]:
        """Yield the rows from the first to the last leaf: marked leaves, white space, and breaks."""
        page = self.page
        first, last = int(page.leaves[paragraph.leaves[0]]), int(page.leaves[paragraph.leaves[-1]])
        own = {int(page.leaves[leaf]): leaf for leaf in paragraph.leaves}
        texts = self._texts[np.searchsorted(self._texts, first) : np.searchsorted(self._texts, last, "right")]
        breaks = self._breaks[np.searchsorted(self._breaks, first) : np.searchsorted(self._breaks, last)]
        for row in np.sort(np.concatenate([texts, breaks])).tolist():
            if row in own:
                yield row, own[row]
            elif page.text[row] < 0 or page.text_of(row).isspace():
                yield row, None
            elif not self._is_code(paragraph):
                # What was left out parts what stands on its two sides, as white space would.
                yield row, None

    def _around(self, row: int) -> tuple[int, ...]:
        """Rows of the inline elements around a text, outermost first."""
        climbed = []
        above = int(self.page.parent[row])
        while above not in self._inline:
            climbed.append(above)
            above = int(self.page.parent[above])
        for node in reversed(climbed):
            outer = self._inline[int(self.page.parent[node])]
            self._inline[node] = (*outer, node) if len(outer) < DEEPEST and self._is_inline(node) else outer
        return self._inline[int(self.page.parent[row])]

    def _is_inline(self, row: int) -> bool:
        tag = self.page.tag_of(row)
        return tag in INLINE and (tag != "a" or bool(self._address(row)))


def _append(element: Any, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _collapsed(pieces: list[Piece]) -> Iterator[Piece]:
    """Collapse white space across pieces, and drop it at the ends of lines."""
    kept: list[Piece] = []
    for text, around in pieces:
        if text == BREAK:
            _strip_end(kept)
            if kept and kept[-1][0] != BREAK:
                kept.append((BREAK, ()))
            continue
        fresh = not kept or kept[-1][0].endswith((" ", BREAK))
        trimmed = text.lstrip(" ") if fresh else text
        if trimmed:
            kept.append((trimmed, around))
    _strip_end(kept)
    while kept and kept[-1][0] == BREAK:
        kept.pop()
        _strip_end(kept)
    yield from kept


def _strip_end(kept: list[Piece]) -> None:
    while kept and kept[-1][0] != BREAK and kept[-1][0].endswith(" "):
        text, around = kept.pop()
        if text.rstrip(" "):
            kept.append((text.rstrip(" "), around))


class _Markdown(MarkdownConverter):  # type: ignore[misc]
    """markdownify with the language of code kept."""

    class Options(MarkdownConverter.DefaultOptions):  # type: ignore[misc]
        """How Markdown is written."""

        heading_style = ATX
        bullets = "-"
        escape_misc = False
        table_infer_header = True
        newline_style = "backslash"

        @staticmethod
        def code_language_callback(element: Any) -> str:
            """Find the language of a ``pre``."""
            code = element.find("code")
            names = code.get("class", []) if code is not None else []
            return next((str(name).removeprefix("language-") for name in names), "")


    def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write a cell; a bar in it must not part columns."""
        written: str = super().convert_td(el, text.replace("|", "\\|"), parent_tags)
        return written

    convert_th = convert_td


def markdown(html: str) -> str:
    """Write clean HTML as Markdown (ATX headings, fenced code)."""
    written: str = _Markdown().convert(html)
    lines = (line.rstrip() for line in written.strip().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
