"""Text whose line ends are rendered as such by ``white-space``: verse, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ....page.arrays import BoolColumn, between
from ....page.geometry import Geometry
from ....page.page import Page

_KEEPS = frozenset({"pre", "pre-line", "pre-wrap", "break-spaces"})
_STYLE = re.compile(r"(?:^|[;{\s])white-space\s*:\s*([a-z-]+)", re.IGNORECASE)
_PROPERTY = "white-space"
#: The selector of one class before its rules in a style sheet.
_OF_CLASS = re.compile(r"\.([\w-]+)\s*\Z")
_CLASS = re.compile(r"(?:^|\s)whitespace-(pre(?:-line|-wrap)?|break-spaces|normal|nowrap)(?=\s|$)")
_UTILITY = "whitespace-"
#: Characters of style sheets that are read.
_MOST = 500_000


def lines_kept(page: Page) -> BoolColumn:
    """Mark texts in which line ends break lines, as laid out or else as declared, bool (nodes,)."""
    if page.geometry is not None:
        return _laid_out_so(page, _broken(page))
    declared = _declared(page)
    if not declared:
        return np.zeros(len(page), dtype=bool)
    named = np.zeros(len(page), dtype=bool)
    named[list(declared)] = True
    nearest, broken = page.nearest(named), _broken(page)
    for row in broken.nonzero()[0].tolist():
        broken[row] = nearest[row] >= 0 and declared[int(nearest[row])] in _KEEPS
    return broken


def _broken(page: Page) -> BoolColumn:
    """Mark the texts that contain line ends."""
    texts = ((page.text >= 0) & ~page.below(page.has_tag("script", "style", "head"))).nonzero()[0]
    broken = np.zeros(len(page), dtype=bool)
    broken[texts] = ["\n" in page.strings[text] for text in page.text[texts].tolist()]
    return broken


def _laid_out_so(page: Page, broken: BoolColumn) -> BoolColumn:
    """Mark the texts of blocks in which a line end is laid out as a break."""
    kept = np.zeros(len(page), dtype=bool)
    texts = broken.nonzero()[0]
    geometry = page.geometry
    if geometry is None:
        return kept
    short = np.zeros(len(page), dtype=bool)
    short[geometry.line_node[geometry.line_length == 1]] = True
    kept[[row for row in texts[short[texts]].tolist() if _laid_out(page, geometry, row)]] = True
    block = page.owner
    kept[texts] |= np.isin(block[texts], block[kept])
    return kept


def _laid_out(page: Page, geometry: Geometry, row: int) -> bool:
    """Return whether a line end within a text has a text run of its own, as it has when it breaks the line."""
    text = page.text_of(row)
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    inner, units = set[int](), 0
    for place, sign in enumerate(text):
        if sign == "\n" and start < place < end:
            inner.add(units)
        units += 1 + (sign > "\uffff")  # browsers count in UTF-16
    lines = slice(*between(geometry.line_node, row, row + 1))
    single = geometry.line_start[lines][geometry.line_length[lines] == 1]
    return not inner.isdisjoint(single.tolist())


def _declared(page: Page) -> dict[int, str]:
    """Return the ``white-space`` value declared by attributes and simple rules of style sheets, by row."""
    declarations: dict[int, str] = {}
    rules = _rules(page)
    styles, classes = page.attribute("style"), page.attribute("class")
    with_property = page.attribute_matches("style", _sets_white_space, needs=(_PROPERTY,))
    # Each needed word is searched in all values: not those of thousands of rules.
    needs = () if rules else (_UTILITY,)
    with_property |= page.attribute_matches("class", lambda names: _may_set_white_space(names, rules), needs=needs)
    for row in with_property.nonzero()[0].tolist():
        names = page.strings[int(classes[row])] if classes[row] >= 0 else ""
        declaration = _STYLE.search(page.strings[int(styles[row])]) if styles[row] >= 0 else None
        declaration = declaration or _CLASS.search(names)
        by_rule = next((rules[name] for name in names.split() if name in rules), "")
        value = declaration[1].lower() if declaration else by_rule
        if value:
            declarations[row] = value
    return declarations


def _sets_white_space(declared: str) -> bool:
    return _PROPERTY in declared.lower() and _STYLE.search(declared) is not None


def _may_set_white_space(names: str, rules: dict[str, str]) -> bool:
    return _UTILITY in names or not rules.keys().isdisjoint(names.split())


def _rules(page: Page) -> dict[str, str]:
    texts = (page.strings[text] for row in page.has_tag("style").nonzero()[0].tolist() for text in _inside(page, row))
    sheets = "".join(texts)[:_MOST]
    if _PROPERTY not in sheets:
        return {}
    declarations = ((name, _STYLE.search(rule)) for name, rule in _rules_of_classes(sheets))
    return {name: declaration[1].lower() for name, declaration in declarations if declaration}


def _rules_of_classes(sheets: str) -> Iterator[tuple[str, str]]:
    """Yield classes and the declarations of their rules that contain :data:`_PROPERTY`."""
    lower = sheets.lower() if sheets.isascii() else sheets
    end = 0
    while (place := lower.find(_PROPERTY, end)) >= 0 and (end := sheets.find("}", place)) >= 0:
        inner = sheets.find("{", place, end)
        if inner >= 0:  # it is before a rule
            end = inner
            continue
        last, begin = max(sheets.rfind("}", 0, place), 0), sheets.rfind("{", 0, place)
        named = _OF_CLASS.search(sheets, max(sheets.rfind("{", 0, begin), last) if begin > 0 else 0, begin)
        if begin >= last and named:
            yield named[1], sheets[begin + 1 : end]


def _inside(page: Page, row: int) -> list[int]:
    return [int(text) for text in page.text[row : page.end[row]] if text >= 0]
