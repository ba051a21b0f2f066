"""The beginning of a document, small enough for any browser: what is rendered of one that proved too much for it."""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, cast

from ...errors import Refused
from ...page.bounds import limit_elements

if TYPE_CHECKING:
    from turbohtml.saxparse import SaxHandler

#: Bytes that are looked at.
MOST_BYTES = 10_000_000
#: Elements and texts, a second of the time that there is, and in all.
NODES_A_SECOND, MOST_NODES = 1_250, 25_000
#: Characters of text, in all and in one text; and how deep elements stand in one another.
MOST_CHARACTERS, MOST_TEXT, MOST_DEPTH = 300_000, 5_000, 100
#: Attributes of one element, and characters of one: what has more is left out, for it may hide what is in it.
MOST_ATTRIBUTES, MOST_VALUE = 60, 4_000
#: Characters of style sheets. They hide things as well, so none is cut.
MOST_STYLE = 500_000
#: Fonts that style sheets may name, and how deep their rules stand in one another: rules in rules multiply.
MOST_FONTS, MOST_NESTING = 300, 9
#: Elements that move by themselves, at most: each has the page laid out again and again.
MOST_MARQUEES = 30
#: A cell spans so many columns and rows at most.
_MOST_SPAN = 50

#: What is left out with all that is in it: what runs, loads another page, or is no text.
_OUT = frozenset("script iframe frame frameset object embed applet canvas video audio use noembed noframes".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
#: Dear, and nothing that text hides by. What moves for ever does so once, and stays as it is then.
_CHEAP = (
    "<style>*,*::before,*::after{columns:auto!important;box-shadow:none!important;text-shadow:none!important;"
    "backdrop-filter:none!important;will-change:auto!important;counter-increment:none!important;"
    "animation-iteration-count:1!important;animation-fill-mode:both!important}</style>"
)
_BRACE = re.compile(r"[{}]")
#: Within drawings and formulas style sheets are written as text is, but not in those elements of them that hold HTML.
_DRAWN = frozenset(("svg", "math"))
_HOLDS_HTML = frozenset("foreignobject desc title mi mo mn ms mtext annotation-xml".split())
#: These may be as long as they want: they hide nothing.
_LONG = frozenset("href src srcset content alt title poster placeholder".split())


def truncate_html(html: str, name: str, seconds: float) -> str:
    """Return the beginning of a document as HTML: no scripts, no frames, nothing of a size that takes long.

    Its tree is built and written anew, so what is cut is whole: every element has its end, and all that is kept stands
    in what it stood in. Style sheets are kept whole.

    Parameters
    ----------
    html : str
    name : str
        Of the document, for the error.
    seconds : float
        In which it must be rendered: how many nodes are kept hangs on it.

    Raises
    ------
    Refused
        When its style sheets are too large.
    PageFailed
        When formatting elements that are never closed would multiply it to millions of nodes.
    """
    from turbohtml.saxparse import sax_parse  # takes long to import

    written = _Beginning(name, min(MOST_NODES, int(NODES_A_SECOND * seconds)))
    with suppress(_EnoughError):
        sax_parse(limit_elements(html.removeprefix("\ufeff"), name), cast("SaxHandler", written))
    return written.html()


class _EnoughError(Exception):
    """It is long enough."""


class _Beginning:
    """Writes what the parser says of a tree, until it is enough."""

    def __init__(self, name: str, most: int) -> None:
        self.name, self.most = name, most
        self.pieces = ["<!doctype html>"]
        self.open: list[str] = []
        self.nodes = self.characters_ = self.style = 0
        self.marquees = self.fonts = 0
        #: How many elements are open within one that is left out, itself included.
        self.out = 0

    def html(self) -> str:
        return "".join(self.pieces) + "".join(f"</{tag}>" for tag in reversed(self.open))

    # -- what the parser calls -----------------------------------------------------------------------------------

    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> None:
        """How lines are laid out hangs on it."""
        if public_id or system_id:
            self.pieces[0] = f'<!doctype {escape(name)} public "{escape(public_id or "")}" "{escape(system_id or "")}">'

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        self.marquees += tag == "marquee" and not self.out
        many = tag == "marquee" and self.marquees > MOST_MARQUEES
        if self.out or many or len(self.open) >= MOST_DEPTH or _is_left_out(tag, attrs):
            self.out += 1
            return
        self._count()
        tag = "pre" if tag in ("xmp", "plaintext") else tag  # in which signs are written as they are
        self.pieces.append(f"<{tag}{''.join(map(_attribute, attrs))}>")
        self.open.append(tag)
        if tag == "head" and len(self.open) == 2:
            self.pieces.append(_CHEAP)

    def end_element(self, _tag: str) -> None:
        if self.out:
            self.out -= 1
            return
        tag = self.open.pop()
        if tag not in _VOID:
            self.pieces.append(f"</{tag}>")

    def characters(self, data: str) -> None:
        if self.out:
            return
        above = self.open[-1] if self.open else ""
        if above == "style":
            self._style(data)
            return
        self._count()
        data = data[:MOST_TEXT]
        self.characters_ += len(data)
        self.pieces.append(escape(data, quote=False))
        if self.characters_ > MOST_CHARACTERS:
            raise _EnoughError

    def comment(self, _data: str) -> None:
        """Comments are no part of a page."""

    def processing_instruction(self, _target: str, _data: str) -> None:
        """Neither are these."""

    # -- how much it is ------------------------------------------------------------------------------------------

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise _EnoughError

    def _style(self, data: str) -> None:
        self.style += len(data)
        self.fonts += data.lower().count("@font-face")
        if self.style > MOST_STYLE or self.fonts > MOST_FONTS or _nesting(data) > MOST_NESTING:
            raise Refused(self.name, "its style sheets are too large to be applied in time (--timeout gives more)")
        around = (tag.lower() for tag in reversed(self.open[:-1]))
        drawn = next((tag for tag in around if tag in _DRAWN | _HOLDS_HTML), "") in _DRAWN
        self.pieces.append(escape(data, quote=False) if drawn else data)


def _nesting(style: str) -> int:
    """Return how deep the rules of a style sheet stand in one another, those that are braced by mistake included."""
    depth = most = 0
    for brace in _BRACE.findall(style):
        depth = depth + 1 if brace == "{" else max(depth - 1, 0)
        most = max(most, depth)
    return most


def _is_left_out(tag: str, attrs: tuple[tuple[str, str | None], ...]) -> bool:
    if tag in _OUT or len(attrs) > MOST_ATTRIBUTES:
        return True
    if tag == "meta":
        return any(name.lower() == "http-equiv" for name, _ in attrs)
    return any(len(value or "") > MOST_VALUE and name.lower() not in _LONG for name, value in attrs)


def _attribute(given: tuple[str, str | None]) -> str:
    name, value = given[0], given[1] or ""
    if name[:2].lower() == "on" or (name in ("colspan", "rowspan") and not _is_small(value)):
        return ""
    return f' {name}="{escape(value[:MOST_VALUE])}"'


def _is_small(value: str) -> bool:
    return value.strip()[:3].isdecimal() and len(value.strip()) < 3 and int(value) <= _MOST_SPAN
