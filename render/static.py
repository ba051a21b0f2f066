"""Raw HTML to a Page by lxml alone: no browser, no scripts, no geometry."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from charset_normalizer import from_bytes
from lxml import etree
from w3lib.encoding import html_body_declared_encoding, html_to_unicode

from .encodings import is_page_encoding
from .errors import PageFailed
from .page import TEXT, Page

_DETECT_BYTES = 65536
#: What undeclared pages are written in, beside UTF-8.
_ENCODINGS = (
    "cp1252 cp1251 koi8_r cp1250 gb18030 big5 shift_jis euc_jp euc_kr cp1256 cp1253 cp1255 cp1254 tis_620"
).split()


def parse(html: str | bytes, *, url: str = "about:blank", encoding: str | None = None) -> Page:
    """Parse raw HTML into a page without geometry.

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
        When it is nested more than 2,000 levels deep (a limit of libxml2).
    TypeError
        When it is no document: a path, for example, which must be read before.
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"parse takes HTML as str or bytes, not {type(html).__name__}; of a file: path.read_bytes()")
    text = html if isinstance(html, str) else decode(html, encoding)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    # Null characters end libxml2's input; a browser replaces them.
    data = text.replace("\x00", "\ufffd").encode("utf-8", "replace")
    root = etree.fromstring(data, parser) if text.strip() else None
    if root is None:  # nothing at all, or nothing but comments
        return _Columns(url).page(etree.Element("html"))
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise PageFailed(url, "its elements are nested too deeply to be read without a browser; render it")
    return _Columns(url).page(root)


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
    best = from_bytes(html[:_DETECT_BYTES], cp_isolation=_ENCODINGS).best()
    return best.encoding if best else "windows-1252"


class _Columns:
    """The columns of a page while they grow."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.names: dict[str, int] = {}
        self.strings: dict[str, int] = {}
        self.parent: list[int] = []
        self.tag: list[int] = []
        self.text: list[int] = []
        self.attributes: list[tuple[int, int, int]] = []

    def page(self, root: Any) -> Page:
        title = root.findtext(".//title") or ""
        self._walk(root)
        attributes = np.asarray(self.attributes, dtype=np.int32).reshape(-1, 3)
        return Page(
            url=self.url,
            title=" ".join(title.split()),
            language=root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
            names=tuple(self.names),
            strings=tuple(self.strings),
            parent=np.asarray(self.parent, dtype=np.int32),
            tag=np.asarray(self.tag, dtype=np.int32),
            text=np.asarray(self.text, dtype=np.int32),
            attribute_node=attributes[:, 0].copy(),
            attribute_name=attributes[:, 1].copy(),
            attribute_value=attributes[:, 2].copy(),
        )

    def _walk(self, root: Any) -> None:
        above = -1
        for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
            if event == "comment":
                self._text(element.tail, above)
            elif event == "start":
                above = self._element(element, above)
                self._text(element.text, above)
            else:
                above = self.parent[above]
                if above >= 0:
                    self._text(element.tail, above)

    def _element(self, element: Any, above: int) -> int:
        row = self._row(above, str(element.tag).lower(), None)
        for name, value in element.attrib.items():
            key = self.names.setdefault(str(name).lower(), len(self.names))
            self.attributes.append((row, key, self.strings.setdefault(str(value), len(self.strings))))
        return row

    def _text(self, text: str | None, above: int) -> None:
        if text:
            self._row(above, TEXT, text)

    def _row(self, above: int, tag: str, text: str | None) -> int:
        self.parent.append(above)
        self.tag.append(self.names.setdefault(tag, len(self.names)))
        self.text.append(-1 if text is None else self.strings.setdefault(text, len(self.strings)))
        return len(self.parent) - 1
