"""Raw HTML to a Page: the tree that browsers build, without a browser, scripts or geometry (docs/parsing.md)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import numpy as np
from w3lib.encoding import html_body_declared_encoding, html_to_unicode

from .arrays import IntColumn
from .bounds import limit_elements
from .encodings import is_page_encoding
from .html import ADDED_PREFIX, TEXT, as_title
from .page import Page

if TYPE_CHECKING:
    from turbohtml.saxparse import SaxHandler

#: Shadow trees stay where they are declared, in their templates: the parser is not to see what these are.
_TEMPLATE = re.compile(r"<template[\s/]", re.IGNORECASE)
_SHADOW = re.compile(r"shadowrootmode(?=[\s=/>])", re.IGNORECASE)
_MARK = "\ufdd0"

#: What the parser calls at the start of an element, and at its end or for a text.
Start = Callable[[str, tuple[tuple[str, str | None], ...]], None]
Taken = Callable[[str], None]

_DETECT_BYTES = 65536
#: What undeclared pages are written in, beside UTF-8.
_ENCODINGS = (
    "cp1252 cp1251 koi8_r cp1250 gb18030 big5 shift_jis euc_jp euc_kr cp1256 cp1253 cp1255 cp1254 tis_620"
).split()


def parse(html: str | bytes, *, url: str = "about:blank", encoding: str | None = None) -> Page:
    """Parse raw HTML into a page without geometry.

    The tree is that of the HTML standard, as browsers build it where scripts are off: elements that are left out
    (``html``, ``head``, ``body``, ``tbody``) are there, and what is nested wrongly is mended as they mend it. Below 512
    levels elements stand side by side.

    Parameters
    ----------
    html : str or bytes
        The document.
    url : str
        Its address, kept on the page.
    encoding : str, optional
        The encoding of bytes; by default it is found out by :func:`decode`.

    Returns
    -------
    Page
        Without geometry; a document with nothing in it is a page without text.

    Raises
    ------
    PageFailed
        When formatting elements that are never closed would multiply it to millions of nodes.
    TypeError
        When it is no document: a path, for example, which must be read before.
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"parse takes HTML as str or bytes, not {type(html).__name__}; of a file: path.read_bytes()")
    # It takes longer to import than a page to parse.
    from turbohtml.saxparse import sax_parse

    text = limit_elements(_whole(html if isinstance(html, str) else decode(html, encoding)), url)
    if _TEMPLATE.search(text):
        text = _SHADOW.sub(rf"\g<0>{_MARK}", text)
    columns = _PageBuilder(marked=_MARK in text)
    sax_parse(text, cast("SaxHandler", columns))
    page = columns.page(url)
    root = page.attributes_of(0)
    return page.replace(title=_title(page), language=root.get("lang") or root.get("xml:lang") or "")


def decode(html: bytes, encoding: str | None = None) -> str:
    """Decode HTML bytes as a browser would: byte order mark, declaration, then what the bytes look like.

    A declaration that the bytes contradict loses against strict UTF-8, which other encodings hardly ever satisfy by
    accident. Bytes that fit nothing become U+FFFD; a name that stands for no encoding of pages counts as none.
    """
    if encoding and is_page_encoding(encoding):
        return html_to_unicode(f"text/html; charset={encoding}", html)[1]
    named = html_body_declared_encoding(html)
    if named is not None and not is_page_encoding(named):
        return str(html_to_unicode(f"text/html; charset={_detect(html)}", html)[1])
    declared, text = html_to_unicode(None, html, default_encoding="utf-8", auto_detect_fun=_detect)
    if _fits_one_byte(declared) or "\ufffd" in text:
        with suppress(UnicodeDecodeError):
            return html.decode("utf-8")
    return str(text)


def _fits_one_byte(encoding: str) -> bool:
    return encoding.startswith(("cp125", "iso8859", "latin", "koi8", "windows-125", "ascii"))


def _detect(html: bytes) -> str:
    with suppress(UnicodeDecodeError):
        html.decode("utf-8")
        return "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(html[:_DETECT_BYTES], cp_isolation=_ENCODINGS).best()
    return best.encoding if best else "windows-1252"


def _whole(text: str) -> str:
    """Leave out the byte order mark, and replace lone surrogates, which no file format can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.removeprefix("\ufeff")


class _Codes(dict[str, int]):
    """The code of each name as it is written in the tree: names of SVG have capitals."""

    def __init__(self, names: dict[str, int]) -> None:
        super().__init__()
        self.names = names

    def __missing__(self, name: str) -> int:
        # A page has no attributes that only a browser adds.
        code = -1 if name.startswith(ADDED_PREFIX) else self.names.setdefault(_unmarked(name.lower()), len(self.names))
        self[name] = code
        return code


class _PageBuilder:
    """The columns of a page while they grow; the parser calls the public methods for each piece of its tree."""

    def __init__(self, marked: bool) -> None:
        self.marked = marked
        self.names: dict[str, int] = {TEXT: 0}
        self.strings: dict[str, int] = {}
        self.parent = array("i")
        self.tag = array("i")
        self.text = array("i")
        self.attributes = array("i")
        self.start_element, self.end_element, self.characters = self._taking()

    # -- what the parser calls -----------------------------------------------------------------------------------

    def _taking(self) -> tuple[Start, Taken, Taken]:
        """Return what takes in the start of an element, its end, and text: for each node as little as can be."""
        parents, tags, texts, attributes = self.parent, self.tag, self.text, self.attributes
        codes, strings = _Codes(self.names), self.strings
        coded, numbered = codes.__getitem__, strings.setdefault
        add_parent, add_tag, add_text, add_attribute = parents.append, tags.append, texts.append, attributes.extend
        above = -1

        def start_element(tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
            nonlocal above
            row = len(parents)
            add_parent(above)
            add_tag(coded(tag))
            add_text(-1)
            above = row
            for name, value in attrs:
                code = coded(name)
                if code >= 0:
                    add_attribute((row, code, numbered(value or "", len(strings))))

        def end_element(_tag: str) -> None:
            nonlocal above
            above = parents[above]

        def characters(data: str) -> None:
            add_parent(above)
            add_tag(0)
            add_text(numbered(data, len(strings)))

        return start_element, end_element, characters

    def comment(self, _data: str) -> None:
        """Comments are no part of a page."""

    def doctype(self, _name: str, _public_id: str | None, _system_id: str | None) -> None:
        """Neither are document types."""

    def processing_instruction(self, _target: str, _data: str) -> None:
        """Neither are these."""

    # -- what comes of it ----------------------------------------------------------------------------------------

    def page(self, url: str) -> Page:
        attributes = _column(self.attributes).reshape(-1, 3)
        return Page(
            url=url,
            title="",
            language="",
            names=tuple(self.names),
            strings=tuple(map(_unmarked, self.strings)) if self.marked else tuple(self.strings),
            parent=_column(self.parent),
            tag=_column(self.tag),
            text=_column(self.text),
            attribute_node=attributes[:, 0].copy(),
            attribute_name=attributes[:, 1].copy(),
            attribute_value=attributes[:, 2].copy(),
        )


def _unmarked(text: str) -> str:
    return text.replace(_MARK, "")


def _column(values: array[int]) -> IntColumn:
    return np.frombuffer(values, dtype=np.int32).copy() if values else np.zeros(0, dtype=np.int32)


def _title(page: Page) -> str:
    """Return the text of the first title element that is not a picture's."""
    titles = np.flatnonzero(page.has_tag("title") & ~page.below(page.has_tag("svg")))
    if not len(titles):
        return ""
    texts = page.text[(page.parent == titles[0]) & (page.text >= 0)]
    return as_title("".join(page.strings[text] for text in texts.tolist()))
