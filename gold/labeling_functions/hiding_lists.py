"""Labeling functions from element-hiding lists: files of rules that people keep to hide promotion and notices.

The package has no such list. ``blocksight train shipped`` reads files that are given to it, in the syntax of filter
lists of content blockers (``example.org##.class``). Rules of names, tags and attributes of one element are used;
combinations of elements, procedural rules and rules of style are counted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from ...page.arrays import Marks
from ...page.page import Page
from .label_context import LabelContext, Vote, rows_within

#: Roles of text that lists hide, each with a list of its own.
HIDDEN_ROLES = ("promotion", "notice")
#: Share of a row's text that must be in a hidden element, and largest share of a page's words in one.
_WHOLE, _MOST_OF_PAGE = 0.9, 0.3
_RULE = re.compile(r"(?P<domains>[^#\s]*)#(?P<exception>@?)#(?P<selector>[^#+^$?@].*|#[\w-].*)")
_NAME = r"-?[A-Za-z_][\w-]*"
#: One element: a tag, one id or class, and at most one attribute.
_SELECTOR = re.compile(
    rf"(?P<tag>[A-Za-z][A-Za-z0-9-]*|\*)?(?P<name>[.#]{_NAME})?"
    rf"(?:\[(?P<attribute>{_NAME})(?:(?P<relation>[\^*$]?=)[\"']?(?P<value>[^\"'\]]*)[\"']?)?\])?"
)
_RELATIONS: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": str.__contains__,
}
#: Comments of lists, their headers, and rules that block requests.
_OTHER = re.compile(r"\s*(?:!|\[Adblock|$)|@@|\|\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selector:
    """A selector of one element; parts that it has not are ""."""

    tag: str
    name: str  # with its "." or "#"
    attribute: str
    relation: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HidingList:
    """The rules of a list by the domain that they are for, "" for all, and where they do not hold.

    ``left_out`` counts the element-hiding rules that are not of one element.
    """

    rules: Mapping[str, frozenset[_Selector]]
    exceptions: Mapping[str, frozenset[_Selector]] = field(default_factory=dict)
    left_out: int = 0

    def hidden(self, page: Page, address: str) -> Marks:
        """Return the elements that the list hides on a page of an address, bool (nodes,)."""
        domains = ["", *_domains(address)]
        selectors = frozenset[_Selector]().union(*(self.rules.get(domain, ()) for domain in domains))
        selectors -= frozenset[_Selector]().union(*(self.exceptions.get(domain, ()) for domain in domains))
        marks = np.zeros(len(page), dtype=bool)
        present = _names(page)
        for selector in selectors:
            if not selector.name or selector.name in present:
                marks |= _matching(page, selector)
        return marks & ~page.has_tag("html", "body", "main", "article")


def read_hiding_list(path: str | Path) -> HidingList:
    """Read a list; ValueError if it has no rule of one element."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        known = parse_hiding_list(lines)
    if not known.rules:
        raise ValueError(f"{path}: no element-hiding rule such as ##.banner; give a filter list of a content blocker")
    return known


def parse_hiding_list(lines: Iterable[str]) -> HidingList:
    """Parse the lines of a list."""
    rules, exceptions = dict[str, set[_Selector]](), dict[str, set[_Selector]]()
    left_out = 0
    for line in lines:
        if _OTHER.match(line) or (rule := _RULE.fullmatch(line.strip())) is None:
            left_out += "##" in line or "#?#" in line or "#$#" in line
            continue
        selectors = [_selector(part.strip()) for part in rule["selector"].split(",")]
        known = [selector for selector in selectors if selector is not None]
        left_out += len(known) < len(selectors)
        domains = rule["domains"].split(",")
        for domain in domains:
            # "~example.org": on all pages but those of this domain.
            refused = domain.startswith("~")
            into = exceptions if refused or rule["exception"] else rules
            into.setdefault(domain.removeprefix("~").lower(), set()).update(known)
            if refused and domains == [domain]:
                rules.setdefault("", set()).update(known)
    return HidingList(
        rules={domain: frozenset(some) for domain, some in rules.items() if some},
        exceptions={domain: frozenset(some) for domain, some in exceptions.items() if some},
        left_out=left_out,
    )


def hiding_votes(context: LabelContext, lists: Mapping[str, HidingList]) -> list[Vote]:
    """Return the votes of lists by their role; none for elements with much of the page's text or of the gold."""
    page, rows = context.page, context.rows
    inside, in_gold = rows.over_nodes(rows.words), rows.over_nodes(rows.words * context.in_gold)
    large = (inside > _MOST_OF_PAGE * rows.words.sum()) | (in_gold > 0)
    address = page.url if page.url.startswith(("http://", "https://")) else context.gold.url or ""
    return [
        Vote(source="hiding list", role=role, rows=rows_within(rows, some.hidden(page, address) & ~large, _WHOLE))
        for role, some in lists.items()
    ]


def _selector(written: str) -> _Selector | None:
    """Return a selector of one element with a name or an attribute; None for any other."""
    parts = _SELECTOR.fullmatch(written)
    if parts is None or not (parts["name"] or parts["attribute"]):
        return None
    tag = (parts["tag"] or "").lower()
    return _Selector(
        tag="" if tag == "*" else tag,
        name=parts["name"] or "",
        attribute=(parts["attribute"] or "").lower(),
        relation=parts["relation"] or "",
        value=parts["value"] or "",
    )


def _domains(address: str) -> list[str]:
    """Return the host of an address and the domains above it."""
    try:
        labels = (urlsplit(address).hostname or "").split(".")
    except ValueError:
        return []
    return [".".join(labels[first:]) for first in range(len(labels) - 1)]


def _names(page: Page) -> frozenset[str]:
    """Return the ids and class names of a page, each with its "#" or "."."""
    ids = {f"#{page.strings[code].strip()}" for code in set(page.attribute("id").tolist()) if code >= 0}
    written = (page.strings[code] for code in set(page.attribute("class").tolist()) if code >= 0)
    return frozenset(ids | {f".{name}" for names in written for name in names.split()})


def _matching(page: Page, selector: _Selector) -> Marks:
    marks = page.has_tag(selector.tag).copy() if selector.tag else np.ones(len(page), dtype=bool)
    if selector.name.startswith("#"):
        marks &= page.attribute_matches("id", lambda value: value.strip() == selector.name[1:])
    elif selector.name:
        marks &= page.attribute_matches("class", lambda value: selector.name[1:] in value.split())
    if selector.attribute:
        relation = _RELATIONS.get(selector.relation)
        marks &= page.attribute_matches(
            selector.attribute, lambda value: relation is None or relation(value, selector.value)
        )
    result: Marks = marks
    return result
