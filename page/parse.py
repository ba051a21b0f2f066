"""HTML parser: builds the tree that browsers build, without a browser, scripts or geometry (docs/extract.md)."""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from w3lib.encoding import html_body_declared_encoding, html_to_unicode

from . import arrays
from .arrays import IntColumn
from .bounds import any_case, is_plain, limit_elements
from .html import ADDED_PREFIX, TEXT, as_title, noted_address
from .page import Page
from .xhtml import with_end_tags

if TYPE_CHECKING:
    from turbohtml.saxparse import SaxHandler

#: The attribute is marked, so that the parser leaves declared shadow trees in their templates.
_TEMPLATE = re.compile(rf"<{any_case('template')}[\s/]")
_SHADOW = re.compile(rf"{any_case('shadowrootmode')}(?=[\s=/>])")
_MARK = "\ufdd0"
#: Comments that are read for the address of a saved page: it is the first one.
_FIRST_COMMENTS = 5

#: Callbacks of the parser for the start of an element, and for its end or a text.
_OnStart = Callable[[str, tuple[tuple[str, str | None], ...]], None]
_OnText = Callable[[str], None]

_DETECT_BYTES = 65536
#: Most cached spellings of names.
_MOST_NAMES = 1 << 12
#: Python's codecs for single words and source code, and encodings that browsers do not support.
_OF_NO_PAGE = frozenset(
    "idna punycode undefined unicode-escape raw-unicode-escape unicode_escape raw_unicode_escape utf-7 mbcs oem".split()
)

#: The name of a file or an address, passed instead of HTML.
_NO_HTML = re.compile(r"(?:https?://[^\s<>]{1,2000}|[^\s<>]{1,500}\.(?:x?html?|mhtml?|page))", re.IGNORECASE)


def parse(html: str | bytes, *, url: str = "about:blank", encoding: str | None = None) -> Page:
    """Parse raw HTML into a page without geometry.

    The tree is that of the HTML standard, as browsers build it without scripts: omitted elements (``html``, ``head``,
    ``body``, ``tbody``) are inserted, and wrong nesting is repaired. Elements deeper than 512 levels become siblings.

    Parameters
    ----------
    html : str or bytes
        The document.
    url : str
        Its address.
    encoding : str, optional
        The encoding of bytes; by default it is detected (:func:`decode`).

    Returns
    -------
    Page
        Without geometry; an empty document is a page without text.

    Raises
    ------
    PageFailed
        If unclosed formatting elements would multiply it to millions of nodes.
    TypeError
        If it is no document: a path, for example, whose file must be read before; or if ``url`` is no str.
    ValueError
        If it is the name of a file or an address alone, and no ``url`` is given.
    """
    if not isinstance(url, str):
        raise TypeError(f"url takes the address of the page as str, not {type(url).__name__}: leave it out if unknown")
    if not isinstance(html, str | bytes):
        raise TypeError(f"parse takes HTML as str or bytes, not {type(html).__name__}; of a file: path.read_bytes()")
    # With an address it has been read from somewhere: the whole of a document may be a name.
    if isinstance(html, str) and url == "about:blank" and _NO_HTML.fullmatch(html):
        raise ValueError(
            f"parse takes HTML, and {html!r} is a name: parse(Path(name).read_bytes()) reads a file, "
            "Browser().open(address) renders a page"
        )
    # Importing takes longer than parsing a page.
    from turbohtml.saxparse import sax_parse

    text = None if isinstance(html, str) or encoding else _as_utf8(html)
    plain = text is not None and is_plain(cast("bytes", html))
    if text is None:
        text = _encodable(html if isinstance(html, str) else decode(html, encoding))
    text = with_end_tags(text)
    if not plain:
        text = limit_elements(text, url)
        if all((_TEMPLATE.search(text), "shadowrootmode" in text.lower())):
            text = _SHADOW.sub(rf"\g<0>{_MARK}", text)
    builder = _PageBuilder(marked=_MARK in text)
    sax_parse(text, cast("SaxHandler", builder))
    page = builder.page(url)
    root = page.attributes_of(0)
    return page.replace(title=_title(page), language=root.get("lang") or root.get("xml:lang") or "")


def decode(html: bytes, encoding: str | None = None) -> str:
    """Decode HTML as a browser would: by byte order mark, declaration, or detection from the bytes.

    Valid UTF-8 overrides a contradicting declaration, since text in other encodings is hardly ever valid UTF-8.
    Undecodable bytes become U+FFFD; names of unsupported encodings are ignored.
    """
    if encoding and is_page_encoding(encoding):
        return html_to_unicode(f"text/html; charset={encoding}", html)[1]
    if (text := _as_utf8(html)) is not None:
        return text
    name = html_body_declared_encoding(html)
    if name is not None and not is_page_encoding(name):
        return str(html_to_unicode(f"text/html; charset={_detect(html)}", html)[1])
    declared, text = html_to_unicode(None, html, default_encoding="utf-8", auto_detect_fun=_detect)
    if _is_single_byte(declared) or "\ufffd" in text:
        with suppress(UnicodeDecodeError):
            return html.decode("utf-8")
    return str(text)


def _as_utf8(html: bytes) -> str | None:
    """Return bytes without a byte order mark that are valid UTF-8, unless they declare an encoding of several bytes."""
    if html.startswith(codecs.BOM_UTF8):
        return None
    name = html_body_declared_encoding(html)
    if name is None or name == "utf-8" or _is_single_byte(name):
        with suppress(UnicodeDecodeError):
            return html.decode("utf-8")
    return None


def is_page_encoding(name: str) -> bool:
    """Return whether this is the name of an encoding in which pages are written.

    >>> is_page_encoding("Shift_JIS"), is_page_encoding("hex"), is_page_encoding("punycode"), is_page_encoding("none")
    (True, False, False, False)
    """
    try:
        codec = codecs.lookup(name)
        "".encode(name)  # fails for codecs from bytes to bytes
    except (LookupError, ValueError):
        return False
    return codec.name not in _OF_NO_PAGE


def _is_single_byte(encoding: str) -> bool:
    return encoding.startswith(("cp125", "iso8859", "latin", "koi8", "windows-125", "ascii"))


def _detect(html: bytes) -> str:
    with suppress(UnicodeDecodeError):
        html.decode("utf-8")
        return "utf-8"
    from turbohtml.detect import detect

    # Scripts and styles say nothing; long ones would be all that is read.
    lines = b"\n".join(line for line in html.splitlines() if not line.isascii())
    return detect(lines[:_DETECT_BYTES]).codec or "windows-1252"


def _encodable(text: str) -> str:
    """Remove the byte order mark, and replace lone surrogates, which cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.removeprefix("\ufeff")


class _Codes(dict[str, int]):
    """Index of each name by its spelling in the tree: names in SVG have capitals."""

    def __init__(self, names: dict[str, int]) -> None:
        super().__init__()
        self.names = names

    def __missing__(self, name: str) -> int:
        plain = _plain_name(name)
        code = self[name] = -1 if plain is None else self.names.setdefault(plain, len(self.names))
        return code


@lru_cache(_MOST_NAMES)
def _plain_name(name: str) -> str | None:
    """Return a name in lower case; None for attributes that are dropped: a browser adds those with their prefix."""
    return None if name.startswith(ADDED_PREFIX) else _unmarked(name.lower())


class _PageBuilder:
    """Builds the columns of a page; its public methods are callbacks of the parser."""

    def __init__(self, marked: bool) -> None:
        self.marked = marked
        self.comments, self.saved_from = 0, ""
        self.names: dict[str, int] = {TEXT: 0}
        self.strings: dict[str, int] = {}
        self.parent = array("i")
        #: The index of a text among the strings; of an element -1 less its name.
        self.node = array("i")
        self.attributes = array("i")
        if arrays.compiled:
            built = arrays.compiled.callbacks(_Codes(self.names), self.strings)
            self.start_element, self.end_element, self.characters, self.finish = built
        else:
            self.start_element, self.end_element, self.characters = self._callbacks()
            self.finish = lambda: (self.parent, self.node, self.attributes)

    def _callbacks(self) -> tuple[_OnStart, _OnText, _OnText]:
        """Return the callbacks for the start of an element, its end, and a text; closures are the fastest form."""
        parents, attributes = self.parent, self.attributes
        strings = self.strings
        code_of, index_of = _Codes(self.names).__getitem__, strings.setdefault
        add_parent, add_node, add_attribute = parents.append, self.node.append, attributes.extend
        open_row = last_row = -1

        def start_element(tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
            nonlocal open_row, last_row
            add_parent(open_row)
            add_node(~code_of(tag))
            open_row = last_row = row = last_row + 1
            for name, value in attrs:
                code = code_of(name)
                if code >= 0:
                    add_attribute((row, code, index_of(value or "", len(strings))))

        def end_element(_tag: str) -> None:
            nonlocal open_row
            open_row = parents[open_row]

        def characters(data: str) -> None:
            nonlocal last_row
            last_row += 1
            add_parent(open_row)
            add_node(index_of(data, len(strings)))

        return start_element, end_element, characters

    def comment(self, data: str) -> None:
        """Keep the address from which a browser saved the page; ignore all other comments."""
        self.comments += 1
        if self.comments <= _FIRST_COMMENTS:
            self.saved_from = self.saved_from or noted_address(data)

    def doctype(self, _name: str, _public_id: str | None, _system_id: str | None) -> None:
        """Ignore the document type."""

    def processing_instruction(self, _target: str, _data: str) -> None:
        """Ignore processing instructions."""

    def page(self, url: str) -> Page:
        parent, node, flat_attributes = map(_column, self.finish())
        attributes = flat_attributes.reshape(-1, 3)
        return Page(
            url=url,
            title="",
            language="",
            saved_from=_unmarked(self.saved_from),
            names=tuple(self.names),
            strings=tuple(map(_unmarked, self.strings)) if self.marked else tuple(self.strings),
            parent=parent,
            tag=np.where(node < 0, ~node, np.int32(0)),
            text=np.maximum(node, np.int32(-1)),
            attribute_node=attributes[:, 0].copy(),
            attribute_name=attributes[:, 1].copy(),
            attribute_value=attributes[:, 2].copy(),
        )


def _unmarked(text: str) -> str:
    return text.replace(_MARK, "")


def _column(values: array[int] | bytes) -> IntColumn:
    return np.frombuffer(values, dtype=np.int32).copy() if values else np.zeros(0, dtype=np.int32)


def _title(page: Page) -> str:
    """Return the text of the first title element outside of SVG."""
    titles = (page.has_tag("title") & ~page.below(page.has_tag("svg"))).nonzero()[0]
    if not len(titles):
        return ""
    texts = page.text[(page.parent == titles[0]) & (page.text >= 0)]
    return as_title("".join(page.strings[text] for text in texts.tolist()))
