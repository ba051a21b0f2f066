"""Documents in the form of XML, as programs save them: elements that are closed in themselves, which HTML leaves open.

An HTML parser takes all that follows ``<script src="a.js"/>`` or ``<title/>`` for the text of this element.
"""

from __future__ import annotations

import re

from .html import VOID_TAGS

#: What a document in the form of XML starts with: its declaration, or the namespace of its root.
_START = re.compile(r"\A\ufeff?\s*<\?xml\s|<html\b[^>]{0,2000}\sxmlns\s*=", re.IGNORECASE)
_START_CHARACTERS = 5000
_ATTRIBUTES = r"(?:\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=`/]+))?)*+\s*+"
_CLOSED = re.compile(rf"<(?!(?:{'|'.join(VOID_TAGS)})[\s/])([a-zA-Z][\w:.-]*+)({_ATTRIBUTES})/>", re.IGNORECASE)
_VOID = re.compile(rf"<(?:{'|'.join(VOID_TAGS)})\b{_ATTRIBUTES}(/?)>", re.IGNORECASE)
#: Least share of the elements without content, such as ``br``, that are closed in XML.
_LEAST_CLOSED = 0.9


def with_end_tags(text: str) -> str:
    """Return a document in the form of XML with an end tag for each element that is closed in itself.

    Many pages have the namespace of XHTML and are HTML: their ``br`` are not closed, and they are returned as they are.

    >>> with_end_tags('<?xml version="1.0"?><title/><p>Eels<br/></p>')
    '<?xml version="1.0"?><title></title><p>Eels<br/></p>'
    """
    head = text[:_START_CHARACTERS].lower()
    if "/>" not in text or not ("<?xml" in head or "xmlns" in head) or not _START.search(text, 0, _START_CHARACTERS):
        return text
    closed = [slash == "/" for slash in _VOID.findall(text)]
    if sum(closed) < _LEAST_CLOSED * len(closed):
        return text
    return _CLOSED.sub(r"<\1\2></\1>", text)
