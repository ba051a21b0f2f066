"""The Markdown of each element of clean HTML, given that of its content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from lxml import etree

from ...page.clean_text import clean, letters_of
from .parts.callouts import KIND
from .parts.inline import HEADINGS
from .table_grid import grid_of

Element = etree._Element

_BACKTICKS, _FENCE = re.compile(r"`+"), re.compile(r"`{3,}")
#: Punctuation at the end of emphasised text; before a letter outside it hides the emphasis from CommonMark.
_PUNCTUATION = "：:，。,.;；!！?？…）】」』”’\"'"
#: Characters that would end a URL, or start an escape in it.
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:")
_NOT_IN_ADDRESS = re.compile(r"[\s()<>\\|`\[\]*]")
_NOT_IN_ALT = re.compile(r"[\[\]\\`*_<&!~$]")
_LETTER = re.compile(r"[^\W_]")
_START = re.compile(r"\A(?=(?:#{1,6}|[-+*])(?:\s|$)|>|[-=]{2,}\s*$|~~~|[:~]\s)")
_NUMBER = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
#: A label followed by a colon would be parsed as the definition of a link or a footnote.
_LABEL = re.compile(r"\A(\[[^\[\]]+\])(?=:)")
_OPENING = frozenset({"ul", "ol", "dl", "blockquote", "table", "pre", "hr", *HEADINGS})
_EMPHASIS = frozenset({"b", "strong", "em", "i", "del"})
_CLOSING = re.compile(r"(?<![^ ])#+\Z")
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_CELL_END = "\x1f"  # no page text holds it: control characters are dropped before
#: A blank line would end a block of HTML.
_BLANK_LINES, _NEWLINE = re.compile(r"\n\s*\n"), "\n"
_ANY_SPACE = re.compile(r"[\t \r\n]+")


#: How cells that span columns or rows are written.
Spans = Literal["repeat", "blank", "html"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """The context of an element: code block, any code, one line (heading, cell), link, list item.

    ``formulas`` is whether the document has formulas, ``first`` whether the output is at the start of a line, ``spans``
    how cells that span columns or rows are written.
    """

    pre: bool = False
    verbatim: bool = False
    line: bool = False
    link: bool = False
    item: bool = False
    formulas: bool = False
    first: bool = True
    spans: Spans = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownElement:
    """An element, its converted content, the text right before it, and the marker of an item."""

    element: Element
    text: str
    before: str
    marker: str
    around: Around


def _parted(text: str) -> tuple[str, str, str]:
    """Return the space at the start, also one that does not break, the text, and the space at its end."""
    before, after = (sign if sign.isspace() and sign != "\n" else "" for sign in (text[:1], text[-1:]))
    return before, text.strip(), after


def guarded(line: str) -> str:
    """Escape the start of a line that would be parsed as a list, heading, quote, rule or definition."""
    return _LABEL.sub(r"\1\\", _NUMBER.sub(r"\1\\", _START.sub(r"\\", line)))


Writer = Callable[[MarkdownElement], str]


def _block(write: Callable[[MarkdownElement, str], str]) -> Writer:
    """Return a writer of a block given its stripped text; within one line it is the text, and "" without any."""

    def written(piece: MarkdownElement) -> str:
        text = piece.text.strip(" \t\r\n")
        if piece.around.line:
            return f" {text} "
        return write(piece, text) if text else ""

    return written


def _paragraph(_: MarkdownElement, text: str) -> str:
    return "\n\n" + "\n".join(map(guarded, text.split("\n"))) + "\n\n"


def _heading(piece: MarkdownElement) -> str:
    if piece.around.line:
        return piece.text
    level = int(str(piece.element.tag)[1])
    # Number signs at its end would be parsed as the closing sequence.
    text = _CLOSING.sub(r"\\\g<0>", _ANY_SPACE.sub(" ", piece.text.strip()))
    return f"\n\n{'#' * level} {text}\n\n"


def _quote(piece: MarkdownElement, text: str) -> str:
    if callout := (piece.element.get("class") or "").removeprefix("callout "):
        title, _, rest = text.partition("\n\n")
        # A title that only names the kind is its mark.
        text = f"[!{callout.upper()}]\n{rest if letters_of(title) in KIND else text}"
    return "\n" + "\n".join(f"> {line}" if line else ">" for line in text.split("\n")) + "\n\n"


def _list(piece: MarkdownElement) -> str:
    if piece.around.item:
        # Only a list that starts at 1 may follow a text without a blank line.
        return "\n" * (1 + (piece.element.get("start", "1") != "1")) + piece.text.rstrip()
    following = piece.element.getnext()
    alone = following is None or following.tag in ("ul", "ol")
    more = not alone or bool((piece.element.tail or "").strip())
    return "\n\n" + piece.text + "\n" * more


def _item(piece: MarkdownElement) -> str:
    """Return an item; its further lines are indented by the width of its bullet."""
    first, *more = piece.text.strip().split("\n")
    width = " " * (piece.marker.find(" ") + 1)
    child = next(piece.element.iterchildren(), None)
    if (piece.element.text or "").strip() or child is None or child.tag not in _OPENING:
        first = guarded(first)
    return "\n".join([piece.marker + first, *(width + line if line else "" for line in more)]) + "\n"


def _definition(piece: MarkdownElement, text: str) -> str:
    above = piece.element.getparent()
    if above is not None and above[0].tag != "dt":  # without a term its mark would be read as text
        return f"\n\n{text}\n\n"
    return f":{_indented(text)[1:]}\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))


def _code_block(piece: MarkdownElement) -> str:
    """Return a fenced code block whose fence is longer than any run of backticks in it."""
    fence = "`" * (max((len(run) for run in _FENCE.findall(piece.text)), default=2) + 1)
    code = piece.element.find(".//code")
    classes = (code.get("class") or "").split() if code is not None else []
    language = classes[0].removeprefix("language-") if classes else ""
    return f"\n\n{fence}{language}\n{piece.text}\n{fence}\n\n"


def _code(piece: MarkdownElement) -> str:
    if piece.around.verbatim:
        return piece.text
    before, text, after = _parted(piece.text)
    runs = [len(run) for run in _BACKTICKS.findall(text)]
    mark, space = "`" * (max(runs, default=0) + 1), " " if runs else ""
    return f"{before}{mark}{space}{text}{space}{mark}{after}" if text else ""


def _address(written: str) -> str:
    """Percent-encode the characters that would end an address in a line or a table."""
    return _NOT_IN_ADDRESS.sub(lambda found: f"%{ord(found[0]):02X}", written)


def _link(piece: MarkdownElement) -> str:
    if piece.around.verbatim:
        return piece.text
    if piece.element.get("class") == "footnote":
        return f"[^{piece.element.get('href', '').removeprefix('#fn-')}]"
    before, text, after = _parted(piece.text)
    href = _address(piece.element.get("href", ""))
    if not text or not href:
        return text
    # Only an absolute address can be written as an autolink: CommonMark reads <page.html> as a tag.
    if _ABSOLUTE.match(href) and text.replace(r"\_", "_") == href:
        return f"<{href}>"
    return f"{before}[{text}]({href}){after}"


def _emphasis(sign: str, tag: str) -> Writer:
    """Return a writer of emphasis, with HTML tags where CommonMark would not recognise its delimiters.

    That is next to a letter if there is punctuation inside, and next to other emphasis. Punctuation at the end moves
    outside of it instead.
    """

    def write(piece: MarkdownElement) -> str:
        # Next to a letter, marks around nothing but signs would not be seen as marks.
        if piece.around.verbatim or not _LETTER.search(piece.text):
            return piece.text
        left, inner, right = _parted(piece.text)
        tail = right + (piece.element.tail or "")
        after = inner[len(inner.rstrip(_PUNCTUATION).rstrip()) :] if tail[:1].isalnum() else ""
        inner = inner.removesuffix(after)
        sides = inner.strip("*~_")
        begun = (piece.before + left)[-1:].isalnum() and not sides[:1].isalnum()
        ended = tail[:1].isalnum() and not (after or sides[-1:].isalnum())
        if begun or ended or _follows_emphasis(piece):
            return f"{left}<{tag}>{inner}{after}</{tag}>{right}"
        return f"{left}{sign}{inner}{sign}{after}{right}"

    return write


def _follows_emphasis(piece: MarkdownElement) -> bool:
    """Return whether emphasis ends right before, so that its delimiters would merge."""
    previous = piece.element.getprevious()
    return not piece.before and previous is not None and previous.tag in _EMPHASIS


def _between(opening: str, closing: str) -> Writer:
    def write(piece: MarkdownElement) -> str:
        before, text, after = _parted(piece.text)
        if piece.around.verbatim:
            return piece.text
        return f"{before}{opening}{text}{closing}{after}" if text else ""

    return write


def _quotation(piece: MarkdownElement) -> str:
    """Return a quotation with the quotation marks that a browser would generate, unless the text has its own."""
    return piece.text if piece.text[:1] in "\"'“„«‚‘" else f'"{piece.text}"'


def _picture(piece: MarkdownElement) -> str:
    if piece.around.verbatim:
        return ""
    alt = _NOT_IN_ALT.sub(r"\\\g<0>", piece.element.get("alt", ""))
    return f"![{alt}]({_address(piece.element.get('src', ''))})"


def _span(piece: MarkdownElement) -> str:
    """Return a formula between dollars, on one line so that none of its symbols starts a list."""
    kind = piece.element.get("class", "")
    if not kind.startswith("math") or piece.around.verbatim:
        return piece.text
    latex = _TAG_START.sub("< ", piece.element.text or "")
    mark = "$$" if kind == "math display" and not piece.around.line else "$"
    return f"{_space_before(piece)}{mark}{latex}{mark}{' ' * (piece.element.tail or '')[:1].isdecimal()}"


def _space_before(piece: MarkdownElement) -> str:
    """Return a space if the formula follows another one or a digit, as its dollar would not be recognised."""
    previous = piece.element.getprevious()
    joined = not piece.before and previous is not None and (previous.get("class") or "").startswith("math")
    return " " if joined or piece.before[-1:].isdecimal() else ""


def _note(piece: MarkdownElement) -> str:
    """Return a footnote, its further paragraphs indented."""
    first, *more = piece.text.strip().split("\n")
    label = piece.element.get("id", "").removeprefix("fn-")
    return "\n\n" + "\n".join([f"[^{label}]: {first}", *map(_indented, more)]) + "\n\n"


def _break(piece: MarkdownElement) -> str:
    if piece.around.pre:
        return "\n"
    return " " if piece.around.line or piece.around.verbatim else "\\\n"


def _box(piece: MarkdownElement) -> str:
    space = "" if (piece.element.tail or " ")[0].isspace() else " "
    return ("[x]" if piece.element.get("checked") else "[ ]") + space


def _table(element: Element, text: str, spans: Spans) -> str:
    """Return a table with the header that Markdown requires, empty if there is none.

    ``text`` has one row a line, with :data:`_CELL_END` behind each cell; other lines are captions.
    """
    if spans == "html" and any(cell.get("colspan") or cell.get("rowspan") for cell in element.iter("td", "th")):
        return f"\n\n{_BLANK_LINES.sub(_NEWLINE, etree.tostring(element, encoding='unicode', with_tail=False))}\n\n"
    lines = text.strip("\n").split("\n")
    captions = [line for line in lines if _CELL_END not in line and line]
    rows = _rows(element, [line.split(_CELL_END)[:-1] for line in lines if _CELL_END in line], repeat=spans == "repeat")
    first = next(element.iter("tr"))
    above = first.getparent()
    if (above is None or above.tag != "thead") and any(cell.tag == "td" for cell in first.iter("td", "th")):
        rows.insert(0, [""] * len(rows[0]))
    rows.insert(1, ["---"] * len(rows[0]))
    written = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return "\n\n" + "\n\n".join([*captions, written]) + "\n\n"


def _rows(element: Element, rows: list[list[str]], *, repeat: bool) -> list[list[str]]:
    """Return rows of equal length; the other cells of a span are empty, or ``repeat`` its text."""
    texts = dict(zip(element.iter("td", "th"), chain.from_iterable(rows), strict=True))
    grid = [[texts[cell] if starts or repeat else "" for cell, starts in line] for line in grid_of(element)]
    widest = max(map(len, grid))
    return [line + [""] * (widest - len(line)) for line in grid]


#: The context that an element is for its content.
OPENS: dict[str, dict[str, bool]] = {
    "pre": {"pre": True, "verbatim": True},
    "code": {"verbatim": True},
    "a": {"link": True},
    "span": {"verbatim": True},
    "li": {"item": True},
    **{tag: {"line": True} for tag in (*HEADINGS, "td", "th", "dt", "summary")},
}

WRITERS: dict[str, Writer] = {
    "p": _block(_paragraph), "blockquote": _block(_quote), "ul": _list, "ol": _list, "li": _item, "aside": _note,
    "dl": _block(lambda _, text: f"\n\n{text}\n\n"), "dd": _block(_definition), "pre": _code_block,
    "dt": _block(lambda _, text: f"\n\n{guarded(_ANY_SPACE.sub(' ', text))}\n"),
    "summary": _block(lambda _, text: f"\n\n**{_ANY_SPACE.sub(' ', text)}**\n\n"),
    "code": _code, "a": _link, "q": _quotation, "br": _break, "img": _picture, "span": _span, "input": _box,
    "b": _emphasis("**", "strong"), "strong": _emphasis("**", "strong"), "del": _emphasis("~~", "del"),
    "em": _emphasis("*", "em"), "i": _emphasis("*", "em"),
    "sub": _between("<sub>", "</sub>"), "sup": _between("<sup>", "</sup>"),
    "details": _block(lambda _, text: f"\n\n{text}\n\n"),
    "hr": lambda _: "\n\n---\n\n",
    "figcaption": lambda piece: f"\n\n{piece.text.strip()}\n\n",
    "caption": lambda piece: f"{piece.text.strip()}\n\n",
    "tr": lambda piece: piece.text.replace("\n", " ") + "\n",
    "table": lambda piece: _table(piece.element, piece.text, piece.around.spans),
}  # fmt: skip
WRITERS |= dict.fromkeys(("td", "th"), lambda piece: clean(piece.text).replace("|", "\\|") + _CELL_END)
WRITERS |= dict.fromkeys(HEADINGS, _heading)
