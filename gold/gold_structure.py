"""The gold structure of a page, in any of four forms, as counts of items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from lxml import etree, html

from ..errors import PageFailed
from ..lexicon.words import words
from ..page.parse import decode
from .pages import GoldPage
from .structure_counts import (
    KINDS,
    Item,
    ItemCounts,
    address_key,
    element_items,
    file_key,
    heading_item,
    html_items,
    latex_key,
    markdown_items,
    tex_in_text,
)

#: Least share of the gold text's words in the element that holds the content.
MIN_WORDS = 0.9
#: Pictures of share buttons.
_SHARED = re.compile(r"(?:facebook|twitter|linkedin|reddit|whatsapp|pinterest|email|rss)\.\w+\Z")
_WITH_WORDS = ("headings", "lists", "tables", "code", "links")


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
    if gold.structure.html:
        return html_items(gold.structure.html, base)
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
    if not isinstance(element, etree._Element) or not _holds(element, gold.text):
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
