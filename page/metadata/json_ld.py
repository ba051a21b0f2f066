"""JSON-LD of a page's main entity: properties as text (JSON-LD 1.1, W3C 2020; schema.org's names)."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ..clean_text import clean
from .page_metadata import ABOUT, PRODUCT

#: Wrappers that pages add around the JSON: comments and sections of XML and of scripts.
_OPENING = re.compile(r"\A(?:\s*(?:<!--|(?:(?:/\*|//)\s*)?<!\[CDATA\[(?:\s*\*/)?))+")
_CLOSING = re.compile(r"(?:(?://\s*)?-->\s*|(?:(?:/\*|//)\s*)?\]\]>(?:\s*\*/)?\s*)+$")
_ENDING = "; \t\r\n\f\v\xa0"
#: Most characters of a wrapper at the end of a script.
MOST_WRAPPED = 200
_TRAILING = re.compile(r",(?=\s*[}\]])")
#: Most levels and values that are read: entities may refer to each other in cycles.
MOST_LEVELS, MOST_VALUES = 12, 20_000
#: Properties with people, who may be referred to by their identifier.
_PEOPLE = ("author", "creator")
#: Most authors of other entities that can be the authors of the page.
MOST_OTHERS = 3

Node = dict[str, Any]


def read_scripts(scripts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the JSON-LD of the page: pairs of a schema.org property and its value as text.

    People and organizations are their names. ``@type`` is the type of the main entity, ``site`` the name of a WebSite
    in the same data, ``product`` that of a Product, ``person`` an author that is declared as a Person, ``organization``
    the name of an organization, ``other author`` one of another entity that the page is about: the recipe in an
    article. Invalid JSON is skipped, except for comments around it and trailing commas.
    """
    nodes = [node for script in scripts for node in _nodes(_loaded(script), 0)]
    by_id = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}
    about = [node for node in nodes if any(map(ABOUT.search, _types(node)))]
    products = [node for node in nodes if not PRODUCT.isdisjoint(map(str.lower, _types(node)))]
    # A web page contains the article; one without is about its only product.
    main = min(about, key=lambda node: "WebPage" in _types(node), default=products[0] if len(products) == 1 else {})
    pairs = [pair for name in main for pair in _values(name, main[name], by_id, iter(range(MOST_VALUES)))]
    pairs += [("@type", kind) for kind in _types(main)]
    pairs += [pair for node in nodes for pair in _names(node)]
    pairs += _people(about, main, by_id)
    return tuple((name, value) for name, value in pairs if value)


def _people(about: list[Node], main: Node, by_id: dict[str, Node]) -> Iterator[tuple[str, str]]:
    """Yield the publishers and authors of the entities that a page is about."""
    authors = [(node, kinds, name) for node in about for kinds, name in _authors(node, by_id)]
    for node in about:
        yield from (pair for pair in _names(node.get("publisher")) if pair[0] == "organization")
    yield from (("person", name) for _, kinds, name in authors if "Person" in kinds)
    others = dict.fromkeys(name for node, _, name in authors if node is not main)
    if len(others) <= MOST_OTHERS:  # more are the authors of comments or of other texts
        yield from (("other author", name) for name in others)


def _names(node: Any) -> Iterator[tuple[str, str]]:
    """Yield the name of a site, a product or an organization."""
    if not isinstance(node, dict):
        return
    kinds, name = _types(node), _name(node)
    if "WebSite" in kinds:
        yield "site", name
    if PRODUCT & {*map(str.lower, kinds)}:
        yield "product", name
    if "Person" not in kinds and any(kind.endswith("Organization") for kind in kinds):
        yield "organization", name


def _authors(node: Node, by_id: dict[str, Node]) -> Iterator[tuple[list[str], str]]:
    """Yield types and name of each author of an entity."""
    for role in _PEOPLE:
        values = node.get(role)
        for value in (values if isinstance(values, list) else [values])[:MOST_VALUES]:
            entry = value if isinstance(value, dict) else by_id.get(str(value), {"name": value})
            entry = by_id.get(str(entry.get("@id")), {}) | entry
            if name := _name(entry):
                yield _types(entry), name


def _name(node: Node) -> str:
    """Return the name of an entity, or those of a person."""
    if isinstance(node.get("name"), str) and node["name"].strip():
        return _text(node["name"])
    return _text(" ".join(name for key in ("givenName", "familyName") if isinstance(name := node.get(key), str)))


def _text(value: Any) -> str:
    """Return a value as text; some programs escape it as HTML."""
    text = clean(str(value))
    return clean(html.unescape(text)) if "&" in text else text


def _loaded(script: str) -> Any:
    text = _unwrapped(script)
    for attempt in (text, _TRAILING.sub("", text)):
        with suppress(ValueError, RecursionError):
            return json.loads(attempt, strict=False)
    return None


def _unwrapped(script: str) -> str:
    text = _OPENING.sub("", script).rstrip(_ENDING)
    # Searched near the end only: a long run of white space would be scanned from each of its characters.
    end = max(len(text) - MOST_WRAPPED, 0)
    return (text[:end] + _CLOSING.sub("", text[end:], count=1)).rstrip(_ENDING)


def _nodes(data: Any, level: int) -> Iterator[Node]:
    """Yield entities in the order of the data, also those of lists, graphs and main entities."""
    if level > MOST_LEVELS:
        return
    if isinstance(data, list):
        for item in data:
            yield from _nodes(item, level + 1)
    elif isinstance(data, dict):
        yield data
        for name in ("@graph", "mainEntity", "mainEntityOfPage", "isPartOf", "hasPart"):
            if isinstance(data.get(name), (dict, list)):
                yield from _nodes(data[name], level + 1)


def _types(node: Node) -> list[str]:
    kinds = node.get("@type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return [re.split(r"[/:#]", kind)[-1] for kind in kinds if isinstance(kind, str)]


def _values(
    name: str, value: Any, by_id: dict[str, Node], steps: Iterator[int], level: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield a property as text, each value of a list, while there are steps left."""
    if next(steps, None) is None:
        return
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        node = by_id.get(value, {}) if name in _PEOPLE and isinstance(value, str) else {}
        yield name, _text(node.get("name") or value)
    elif isinstance(value, list) and level < MOST_LEVELS:
        for item in value:
            yield from _values(name, item, by_id, steps, level + 1)
    elif isinstance(value, dict):
        node = by_id.get(str(value.get("@id")), {}) | value
        keys = ("url", "contentUrl", "@id") if name in {"image", "license", "mainEntityOfPage"} else ("name", "@value")
        text_value = next(
            (node[key] for key in keys if isinstance(node.get(key), str | list) and node[key]), _name(node)
        )
        yield from _values(name, text_value, by_id, steps, level + 1) if level < MOST_LEVELS else ()
