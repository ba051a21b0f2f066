"""What a corpus says of a page's structure, in whichever of four forms, as facts that can be counted."""

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
    Fact,
    Facts,
    address_key,
    facts_of_element,
    facts_of_html,
    facts_of_markdown,
    file_key,
    heading_fact,
    latex_key,
    tex_in_text,
)

#: An element that holds less of the words of the gold text is not the one that was meant.
WORDS_FOUND = 0.9
#: Pictures of buttons by which a page is passed on.
_SHARED = re.compile(r"(?:facebook|twitter|linkedin|reddit|whatsapp|pinterest|email|rss)\.\w+\Z")
_WITH_WORDS = ("headings", "lists", "tables", "code", "links")


def structure_of(gold: GoldPage) -> Facts:
    """Return the gold structure of a page; kinds of items that the corpus does not cover are missing.

    The heading with the page's title is left out, as corpora disagree whether it belongs to the content.
    """
    return _structure(gold) if gold.has_structure else {}


@lru_cache(maxsize=8)
def _structure(gold: GoldPage) -> Facts:
    base = gold.base
    if gold.structure.counts:
        return read_stated_structure(dict(gold.structure.counts), base)
    if gold.structure.markdown:
        return facts_of_markdown(gold.structure.markdown, base)
    if gold.structure.html:
        return facts_of_html(gold.structure.html, base)
    return _facts_in_page(gold, base)


def _facts_in_page(gold: GoldPage, base: str) -> Facts:
    """Count the items of the element that holds the content, without those that are not in the gold text."""
    try:
        # As bytes of a known encoding: what XHTML declares at its beginning is refused in texts.
        text = decode(gold.raw(), gold.encoding).encode("utf-8", "replace")
        root = html.document_fromstring(text, parser=html.HTMLParser(encoding="utf-8"))
        found = root.xpath(gold.structure.element)
    except (PageFailed, etree.LxmlError, ValueError):
        return {}
    element = found[0] if isinstance(found, list) and found else None
    if not isinstance(element, etree._Element) or not _holds(element, gold.text):
        return {}
    bases = [href for one in root.iter("base") if (href := one.get("href"))]
    facts = facts_of_element(element, bases[0] if bases else base)
    facts["formulas"] += tex_in_text(element)
    return _said(facts, gold.text)


def _holds(element: Any, text: str) -> bool:
    wanted, there = Counter(words(text)), Counter(words(" ".join(map(str, element.itertext()))))
    return (wanted & there).total() >= WORDS_FOUND * wanted.total()


def _said(facts: Facts, text: str) -> Facts:
    """Remove the items that are in the page but not in the gold text, such as additions by the theme."""
    said = f" {' '.join(words(text))} "
    for kind in _WITH_WORDS:
        kept = {fact: number for fact, number in facts[kind].items() if f" {' '.join(words(str(fact[-1])))} " in said}
        facts[kind] = Counter(kept)
    facts["pictures"] = Counter({fact: 1 for fact in facts["pictures"] if not _SHARED.match(fact[0])})
    return facts


def read_stated_structure(stated: dict[str, Any], base: str = "") -> Facts:
    """Count the items that an entry of ``gold.jsonl`` lists by kind. Raises ValueError for malformed ones."""
    if not isinstance(stated, dict):
        raise ValueError(f"structure is written as lists by kind, not as {str(stated)[:40]!r}")
    if unknown := set(stated) - set(KINDS):
        raise ValueError(f"no kind of structure: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    try:
        found: Facts = {}
        for kind, given in stated.items():
            facts = [_READ[kind](one, base) for one in given]
            if kind == "tables":
                found["grids"] = Counter(_size(one) for one in facts)
                facts = [cell for one in facts for cell in one]
            found[kind] = Counter(facts)
        return found
    except (TypeError, ValueError, IndexError, AttributeError, KeyError, OverflowError) as error:
        raise ValueError(f"facts of structure that have not their form: {error}") from error


def _size(cells: Fact) -> Fact:
    return max(row for row, _, _ in cells), max(column for _, column, _ in cells)


def _table(rows: list[list[str]], _: str) -> Fact:
    """Return the cells of a table given as a list of rows."""
    return tuple(
        (row, column, " ".join(words(cell)))
        for row, cells in enumerate(rows, 1)
        for column, cell in enumerate(cells, 1)
        if words(cell)
    )


_READ: dict[str, Callable[[Any, str], Fact]] = {
    "headings": lambda text, _: heading_fact(text),
    "lists": lambda item, _: (int(item[0]), bool(item[1]), " ".join(words(item[2]))),
    "tables": _table,
    "grids": lambda size, _: (int(size[0]), int(size[1])),
    "code": lambda text, _: (str(text).strip("\n"),),
    "links": lambda link, base: (address_key(link[0], base), " ".join(words(link[1]))),
    "pictures": lambda name, _: (file_key(name),),
    "formulas": lambda latex, _: (latex_key(latex),),
}
