"""Counts of the items of a content's structure: of Markdown, of HTML, and of the gold of a page.

Gold and predictions are counted in the same way: Markdown is converted to HTML by a CommonMark parser (markdown-it-py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree, html

from ..errors import PageFailed
from ..lexicon.words import words
from ..page.parse import decode
from .pages import GoldPage

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

Element = etree._Element
#: Words, an address with words, or a position with words.
Item = tuple[Any, ...]
#: The items of each kind.
ItemCounts = dict[str, Counter[Item]]

#: Kinds of items, and their definitions.
KINDS = {
    "headings": "its words",
    "lists": "an item: its depth, whether it is numbered, its own words",
    "tables": "a cell: row, column, words",
    "grids": "a table: its number of rows and columns",
    "code": "a block: its text",
    "links": "its address and words",
    "pictures": "the name of its file",
    "formulas": "its LaTeX without white space",
}

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: Elements that are never content.
_LEFT_OUT = frozenset({"style", "template", "noscript", "nav", "button", "select", "svg", "head", "iframe", "form"})
#: Classes of line numbers and copy buttons in code.
_ADDED_TO_CODE = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?nos?|linenumbers?|line-?numbers?(?:-rows)?|lnt?|copy\S*)(?=\s|$)"
)
_PICTURE_OF_FORMULA = re.compile(r"(?:^|\s)(?:math|latex|tex|mwe-math-\S+)(?=\s|$)")
#: Elements that hold the LaTeX of a formula, by their class.
_MATH = frozenset({"span", "div"})
_NUMBERS = re.compile(r"[\d\s]+")
_LATER = ("data-src", "data-original", "data-lazy-src", "data-actualsrc")
_MARKS_OF_FORMULAS = re.compile(r"^\s*(?:\$\$?|\\[(\[])|(?:\$\$?|\\[)\]])\s*$")
_TEX = re.compile(
    r"\\\(.+?\\\)|\\\[.+?\\\]|\$\$[^$]+\$\$|(?<![\\$\w])\$[^\s$](?:[^$\n]*[^\s\\$])?\$(?![\w$])", re.DOTALL
)
_SIGN_OF_TEX = re.compile(r"\\[A-Za-z]|[\^_]")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*", re.MULTILINE)
#: The base of relative addresses without a base URL.
_NO_BASE = "http://page.invalid/"
#: Least share of the gold text's words in the element that holds the content.
MIN_WORDS = 0.9
#: Pictures of share buttons.
_SHARED = re.compile(r"(?:facebook|twitter|linkedin|reddit|whatsapp|pinterest|email|rss)\.\w+\Z")
_WITH_WORDS = ("headings", "lists", "tables", "code", "links")
_BREAKING = frozenset({"br", "p", "div", "li", "tr", "td", "th", "dd", "dt", "blockquote", *_HEADINGS})


def markdown_items(text: str, base: str = "") -> ItemCounts:
    """Count the items of CommonMark with tables, strikethrough and dollar formulas, without front matter."""
    text = _NOTE.sub("", _FRONT_MATTER.sub("", text, count=1))
    return html_items(_parser().render(text), base)


def html_items(markup: str, base: str = "") -> ItemCounts:
    """Count the items of a piece of HTML."""
    return element_items(html.fragment_fromstring(markup or "<p></p>", create_parent="div"), base)


def element_items(root: Element, base: str = "") -> ItemCounts:
    """Count the items of an element and its descendants; a picture counts once."""
    counts: ItemCounts = {kind: Counter() for kind in KINDS}
    for element in _content(root):
        for kind, item in _items(element, base):
            counts[kind][item] += 1
    counts["pictures"] = Counter(set(counts["pictures"]))
    return counts


def _items(element: Element, base: str) -> Iterator[tuple[str, Item]]:
    """Yield the kinds and items of one element."""
    if formula := formula_of(element):
        yield "formulas", (formula,)
    elif element.tag == "table":
        cells = _cells(element)
        yield from (("tables", cell) for cell in cells)
        if cells:
            yield "grids", _size(tuple(cells))
    elif element.tag in _ITEMS:
        kind, item_of = _ITEMS[str(element.tag)]
        if item := item_of(element, base):
            yield kind, item


def tex_in_text(root: Element) -> Counter[Item]:
    """Count the TeX formulas in the text of an element, outside of code."""
    texts = []
    for element in _content(root):
        if element.tag not in ("pre", "code", "script", "annotation"):
            texts.append(element.text or "")
            texts += [child.tail or "" for child in element]
    formulas = [latex_key(match[0]) for text in texts for match in _TEX.finditer(text)]
    if not any(map(_SIGN_OF_TEX.search, formulas)):
        return Counter()
    return Counter((latex,) for latex in formulas if _SIGN_OF_TEX.search(latex) or not _WORDS.search(latex))


def heading_item(text: str) -> Item:
    """Return the item of a heading with this text."""
    return (" ".join(words(text)),)


def formula_of(element: Element) -> str:
    """Return the LaTeX of an element that represents a formula, without white space; "" for others."""
    kind = element.get("class") or ""
    if element.tag == "annotation" and "tex" in (element.get("encoding") or "").lower():
        return latex_key(_text(element))
    if element.tag == "script" and (element.get("type") or "").startswith("math/tex"):
        return latex_key(_text(element))
    if element.tag in _MATH and kind.startswith("math "):
        return latex_key(_text(element))
    if element.tag == "img" and _PICTURE_OF_FORMULA.search(kind):
        return latex_key(element.get("alt") or "")
    return ""


def latex_key(latex: str) -> str:
    """Return LaTeX without white space, its delimiters and style commands."""
    latex = "".join(_MARKS_OF_FORMULAS.sub("", _MARKS_OF_FORMULAS.sub("", latex)).split())
    inner = re.fullmatch(r"\{\\(?:display|text)style(.*)\}", latex)
    return (inner[1] if inner else latex).removeprefix(r"\displaystyle")


def _content(root: Element) -> Iterator[Element]:
    """Yield the content elements in document order; code and formulas are one element each."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or _is_left_out(element):
            continue
        yield element
        if element.tag != "pre" and not (element.tag in _MATH and formula_of(element)):
            stack.extend(reversed(element))


def _is_left_out(element: Element) -> bool:
    if element.tag == "script":
        return not formula_of(element)
    silent = element.get("aria-hidden") == "true" and element.tag != "i"
    return element.tag in _LEFT_OUT or silent or element.get("hidden") is not None


def _text(element: Element) -> str:
    return "".join(map(str, element.itertext()))


def _words(element: Element, without: frozenset[str] = frozenset()) -> str:
    """Return the words in an element, without those of descendants with some tags."""
    return " ".join(words("".join(_pieces(element, without))))


def _pieces(element: Element, without: frozenset[str]) -> Iterator[str]:
    """Yield the texts in an element, with spaces at line-breaking elements."""
    yield element.text or ""
    for child in element:
        left_out = not isinstance(child.tag, str) or child.tag in without or _is_left_out(child)
        breaks = child.tag in _BREAKING
        yield " " * breaks
        if not left_out and child.tag != "script":
            yield from _pieces(child, without)
        yield " " * breaks
        yield child.tail or ""


def _item(element: Element) -> Item | None:
    """Return a list item, None for entries of a table of contents (a link within the page)."""
    own = _words(element, frozenset({"ul", "ol", "pre", "table"}))
    leads = [a for a in element.iter("a") if (a.get("href") or "").startswith("#")]
    if not own or any(_words(a) == own for a in leads):
        return None
    above = [str(ancestor.tag) for ancestor in element.iterancestors("ul", "ol")]
    return len(above), above[:1] == ["ol"], own


def _cells(table: Element) -> list[tuple[int, int, str]]:
    """Return row, column and words of the cells of a data table; rows and tables without words do not count."""
    if sum(1 for _ in table.iter("table")) > 1:
        return []
    cells: list[tuple[int, int, str]] = []
    occupied: set[tuple[int, int]] = set()
    number = 0
    for row in table.iter("tr"):
        column, own = 0, []
        for cell in row.iter("td", "th"):
            while (number, column) in occupied:
                column += 1
            width, height = _span(cell, "colspan"), _span(cell, "rowspan")
            occupied |= {(number + down, column + right) for down in range(height) for right in range(width)}
            if text := _words(cell):
                own.append((number + 1, column + 1, text))
            column += width
        if own:
            cells += own
            number += 1
        else:
            occupied -= {position for position in occupied if position[0] == number}
    return cells if number > 1 and max(column for _, column, _ in cells) > 1 else []


def _span(cell: Element, name: str) -> int:
    value = cell.get(name) or ""
    return min(max(int(value), 1), 100) if value.isdecimal() else 1


def _code(element: Element) -> str:
    """Return the lines of a code block without line numbers and buttons."""
    text = "".join(_lines(element)).replace("\xa0", " ").replace("\t", "    ")
    lines = [line.rstrip() for line in text.splitlines()]
    text = "\n".join(lines).strip("\n")
    return "" if _NUMBERS.fullmatch(text) else text


def _lines(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
            if child.tag == "br":
                yield "\n"
            elif not _ADDED_TO_CODE.search(child.get("class") or ""):
                yield from _lines(child)
                yield "\n" * (child.tag in ("div", "p", "li"))
        yield child.tail or ""


def _link(element: Element, base: str) -> Item | None:
    """Return a link with text to another page, None for others."""
    text, href = _words(element), (element.get("href") or "").strip()
    if not text or not href or href.startswith(("#", "javascript:", "data:")):
        return None
    address = address_key(href, base)
    same_page = "#" in href and address.partition("#")[0] == address_key(base, base).partition("#")[0]
    return None if same_page else (address, text)


def address_key(href: str, base: str = "") -> str:
    """Return the normal form of an address."""
    try:
        joined = urljoin(urljoin(_NO_BASE, base), href)
        parts = urlsplit(joined)
    except ValueError:  # not a valid address
        return href
    return unquote(joined.replace(f"{parts.scheme}://", "", 1)).rstrip("/").casefold()


def _picture(element: Element) -> str:
    """Return the file name of a picture, "" for emoji and other signs."""
    alt = (element.get("alt") or "").strip()
    if alt and len(alt) <= 4 and not any(map(str.isalnum, alt)):
        return ""
    sources = [element.get(name) or "" for name in (*_LATER, "src")]
    address = next((source for source in sources if source.strip() and not source.startswith("data:")), "")
    return file_key(address)


def file_key(address: str) -> str:
    """Return the file name at the end of an address, else the address."""
    path = re.split(r"[?#]", address.strip())[0].rstrip("/")
    return unquote(path.rpartition("/")[2]).casefold()


# -- the gold of a page ---------------------------------------------------------------------------------------------


def structure_of(gold: GoldPage) -> ItemCounts:
    """Return the gold structure of a page; kinds of items that the corpus does not cover are missing.

    The heading with the page's title is left out, as corpora disagree whether it belongs to the content.
    """
    return _structure(gold) if gold.has_structure else {}


@lru_cache(maxsize=8)
def _structure(gold: GoldPage) -> ItemCounts:
    base = gold.base
    if gold.structure.counts:
        return read_stated_structure(dict(gold.structure.counts), base)
    if gold.structure.markdown:
        return markdown_items(gold.structure.markdown, base)
    return _items_in_page(gold, base)


def _items_in_page(gold: GoldPage, base: str) -> ItemCounts:
    """Count the items of the element that holds the content, without those that are not in the gold text."""
    try:
        # As bytes of a known encoding: lxml rejects the encoding declaration of XHTML in strings.
        text = decode(gold.raw(), gold.encoding).encode("utf-8", "replace")
        root = html.document_fromstring(text, parser=html.HTMLParser(encoding="utf-8"))
        elements = root.xpath(gold.structure.element)
    except (PageFailed, etree.LxmlError, ValueError):
        return {}
    element = elements[0] if isinstance(elements, list) and elements else None
    if not isinstance(element, Element) or not _holds(element, gold.text):
        return {}
    bases = [href for one in root.iter("base") if (href := one.get("href"))]
    items = element_items(element, bases[0] if bases else base)
    items["formulas"] += tex_in_text(element)
    return _in_gold_text(items, gold.text)


def _holds(element: Any, text: str) -> bool:
    gold, inside = Counter(words(text)), Counter(words(" ".join(map(str, element.itertext()))))
    return (gold & inside).total() >= MIN_WORDS * gold.total()


def _in_gold_text(items: ItemCounts, text: str) -> ItemCounts:
    """Remove the items that are in the page but not in the gold text, such as additions by the theme."""
    gold = f" {' '.join(words(text))} "
    for kind in _WITH_WORDS:
        counts = items[kind].items()
        items[kind] = Counter({item: n for item, n in counts if f" {' '.join(words(str(item[-1])))} " in gold})
    items["pictures"] = Counter({item: 1 for item in items["pictures"] if not _SHARED.match(item[0])})
    return items


def read_stated_structure(stated: dict[str, Any], base: str = "") -> ItemCounts:
    """Count the items that an entry of ``gold.jsonl`` lists by kind. Raises ValueError for malformed ones."""
    if not isinstance(stated, dict):
        raise ValueError(f"structure is written as lists by kind, not as {str(stated)[:40]!r}")
    if unknown := set(stated) - set(KINDS):
        raise ValueError(f"no kind of structure: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    try:
        counts: ItemCounts = {}
        for kind, entries in stated.items():
            items = [_READ[kind](entry, base) for entry in entries]
            if kind == "tables":
                counts["grids"] = Counter(_size(cells) for cells in items)
                items = [cell for cells in items for cell in cells]
            counts[kind] = Counter(items)
        return counts
    except (TypeError, ValueError, IndexError, AttributeError, KeyError, OverflowError) as error:
        raise ValueError(f"malformed items of structure: {error}") from error


def _size(cells: Item) -> Item:
    return max(row for row, _, _ in cells), max(column for _, column, _ in cells)


def _table(rows: list[list[str]], _: str) -> Item:
    return tuple(
        (row, column, " ".join(words(cell)))
        for row, cells in enumerate(rows, 1)
        for column, cell in enumerate(cells, 1)
        if words(cell)
    )


_READ: dict[str, Callable[[Any, str], Item]] = {
    "headings": lambda text, _: heading_item(text),
    "lists": lambda item, _: (int(item[0]), bool(item[1]), " ".join(words(item[2]))),
    "tables": _table,
    "grids": lambda size, _: (int(size[0]), int(size[1])),
    "code": lambda text, _: (str(text).strip("\n"),),
    "links": lambda link, base: (address_key(link[0], base), " ".join(words(link[1]))),
    "pictures": lambda name, _: (file_key(name),),
    "formulas": lambda latex, _: (latex_key(latex),),
}


# -- Markdown -------------------------------------------------------------------------------------------------------


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    # Formulas between dollars as Pandoc reads them: no space inside, no digit next to them.
    options = {"allow_space": False, "allow_digits": False, "double_inline": True}
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(dollarmath_plugin, **options)


#: Kind and item of elements by their tag; elements without an item do not count.
_ITEMS: dict[str, tuple[str, Callable[[Element, str], Item | None]]] = {
    **dict.fromkeys(_HEADINGS, ("headings", lambda element, _: _single(_words(element)))),
    "li": ("lists", lambda element, _: _item(element)),
    "pre": ("code", lambda element, _: _single(_code(element))),
    "a": ("links", _link),
    "img": ("pictures", lambda element, _: _single(_picture(element))),
}


def _single(text: str) -> Item | None:
    return (text,) if text else None
