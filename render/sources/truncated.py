"""The truncated document that is rendered if a browser cannot render the whole one in time."""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, cast

from ...errors import Refused
from ...page.bounds import limit_elements

if TYPE_CHECKING:
    from turbohtml.saxparse import SaxHandler

#: Maximum bytes that are read.
MAX_BYTES = 10_000_000
#: Maximum number of elements and texts, per second of the time limit and in total.
NODES_PER_SECOND, MAX_NODES = 1_250, 25_000
#: Maximum characters of all texts and of one text; maximum depth of elements.
MAX_CHARACTERS, MAX_TEXT, MAX_DEPTH = 300_000, 5_000, 100
#: Maximum attributes of an element, and characters of a value: elements with more are dropped, since the attributes may
#: hide their content.
MAX_ATTRIBUTES, MAX_VALUE = 60, 4_000
#: Maximum characters of style sheets; none is truncated, since its rules may hide text.
MAX_STYLE = 500_000
#: Maximum number of fonts in style sheets, and nesting of rules: nested rules multiply.
MAX_FONTS, MAX_NESTING = 300, 9
#: Maximum number of marquee elements: each causes continuous layout.
MAX_MARQUEES = 30
#: Maximum column and row span of a cell.
_MAX_SPAN = 50

#: Elements that are dropped with their content: scripts, embedded pages and media.
_DROPPED = frozenset("script iframe frame frameset object embed applet canvas video audio use noembed noframes".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
#: Disables expensive properties that do not hide text; animations run once and keep their final state.
_CHEAP = (
    "<style>*,*::before,*::after{columns:auto!important;box-shadow:none!important;text-shadow:none!important;"
    "backdrop-filter:none!important;will-change:auto!important;counter-increment:none!important;"
    "animation-iteration-count:1!important;animation-fill-mode:both!important}</style>"
)
_BRACE = re.compile(r"[{}]")
#: In SVG and MathML style sheets are escaped as text, but not in their elements with HTML content.
_FOREIGN = frozenset(("svg", "math"))
_HTML_CONTENT = frozenset("foreignobject desc title mi mo mn ms mtext annotation-xml".split())
#: Attributes of any length: they hide nothing.
_LONG = frozenset("href src srcset content alt title poster placeholder".split())


def truncate_html(html: str, name: str, seconds: float) -> str:
    """Return the start of a document, without scripts, frames and expensive parts, to be rendered in ``seconds``.

    The tree is parsed and serialized again, so that all elements are closed and keep their ancestors. Style sheets are
    complete. Raises Refused if they are too large, PageFailed if unclosed formatting elements would multiply the
    document to millions of nodes.
    """
    from turbohtml.saxparse import sax_parse  # slow to import

    writer = _TruncatingWriter(name, min(MAX_NODES, int(NODES_PER_SECOND * seconds)))
    with suppress(_LimitReachedError):
        sax_parse(limit_elements(html.removeprefix("\ufeff"), name), cast("SaxHandler", writer))
    return writer.html()


class _LimitReachedError(Exception):
    """The document is long enough."""


class _TruncatingWriter:
    """Serializes the tree from the callbacks of the parser until a limit is reached."""

    def __init__(self, name: str, max_nodes: int) -> None:
        self.name, self.max_nodes = name, max_nodes
        self.pieces = ["<!doctype html>"]
        self.open: list[str] = []
        self.nodes = self.characters_ = self.style = 0
        self.marquees = self.fonts = 0
        #: Number of open elements in a dropped one, itself included.
        self.dropped = 0

    def html(self) -> str:
        return "".join(self.pieces) + "".join(f"</{tag}>" for tag in reversed(self.open))

    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> None:
        """Write the document type, which determines the layout mode."""
        if public_id or system_id:
            self.pieces[0] = f'<!doctype {escape(name)} public "{escape(public_id or "")}" "{escape(system_id or "")}">'

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        self.marquees += tag == "marquee" and not self.dropped
        excess = tag == "marquee" and self.marquees > MAX_MARQUEES
        if self.dropped or excess or len(self.open) >= MAX_DEPTH or _is_dropped(tag, attrs):
            self.dropped += 1
            return
        self._count()
        tag = "pre" if tag in ("xmp", "plaintext") else tag  # they do not interpret entities
        self.pieces.append(f"<{tag}{''.join(map(_attribute, attrs))}>")
        self.open.append(tag)
        if tag == "head" and len(self.open) == 2:
            self.pieces.append(_CHEAP)

    def end_element(self, _tag: str) -> None:
        if self.dropped:
            self.dropped -= 1
            return
        tag = self.open.pop()
        if tag not in _VOID:
            self.pieces.append(f"</{tag}>")

    def characters(self, data: str) -> None:
        if self.dropped:
            return
        if self.open and self.open[-1] == "style":
            self._style(data)
            return
        self._count()
        data = data[:MAX_TEXT]
        self.characters_ += len(data)
        self.pieces.append(escape(data, quote=False))
        if self.characters_ > MAX_CHARACTERS:
            raise _LimitReachedError

    def comment(self, _data: str) -> None:
        """Drop comments."""

    def processing_instruction(self, _target: str, _data: str) -> None:
        """Drop processing instructions."""

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise _LimitReachedError

    def _style(self, data: str) -> None:
        self.style += len(data)
        self.fonts += data.lower().count("@font-face")
        if self.style > MAX_STYLE or self.fonts > MAX_FONTS or _nesting(data) > MAX_NESTING:
            raise Refused(self.name, "its style sheets are too large to be applied in time (timeout gives more)")
        ancestors = (tag.lower() for tag in reversed(self.open[:-1]))
        foreign = next((tag for tag in ancestors if tag in _FOREIGN | _HTML_CONTENT), "") in _FOREIGN
        self.pieces.append(escape(data, quote=False) if foreign else data)


def _nesting(style: str) -> int:
    """Return the maximum nesting of braces in a style sheet, unbalanced ones included."""
    depth = deepest = 0
    for brace in _BRACE.findall(style):
        depth = depth + 1 if brace == "{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _is_dropped(tag: str, attrs: tuple[tuple[str, str | None], ...]) -> bool:
    if tag in _DROPPED or len(attrs) > MAX_ATTRIBUTES:
        return True
    if tag == "meta":
        return any(name.lower() == "http-equiv" for name, _ in attrs)
    return any(len(value or "") > MAX_VALUE and name.lower() not in _LONG for name, value in attrs)


def _attribute(pair: tuple[str, str | None]) -> str:
    name, value = pair[0], pair[1] or ""
    if name[:2].lower() == "on" or (name in ("colspan", "rowspan") and not _is_small(value)):
        return ""
    return f' {name}="{escape(value[:MAX_VALUE])}"'


def _is_small(value: str) -> bool:
    return value.strip()[:3].isdecimal() and len(value.strip()) < 3 and int(value) <= _MAX_SPAN
