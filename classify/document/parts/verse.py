"""Text whose line ends are seen: verse, addresses and the like, set by ``white-space``."""

from __future__ import annotations

import re

import numpy as np

from ....render.arrays import BoolColumn, between
from ....render.page import Page

_KEEPS = frozenset({"pre", "pre-line", "pre-wrap", "break-spaces"})
_STYLE = re.compile(r"(?:^|[;{\s])white-space\s*:\s*([a-z-]+)", re.IGNORECASE)
#: Rules of a style sheet for one class.
_RULE = re.compile(r"\.([\w-]+)\s*\{([^{}]*white-space[^{}]*)\}", re.IGNORECASE)
_CLASS = re.compile(r"(?:^|\s)whitespace-(pre(?:-line|-wrap)?|break-spaces|normal|nowrap)(?=\s|$)")
#: Characters of style sheets that are read.
_MOST = 500_000


def lines_kept(page: Page) -> BoolColumn:
    """Mark texts in which line ends break lines: as laid out, or, where nobody has looked, as declared.

    Returns
    -------
    bool (nodes,)
    """
    broken = np.asarray([text >= 0 and "\n" in page.strings[text] for text in page.text.tolist()], dtype=bool)
    broken &= ~page.below(page.has_tag("script", "style", "head"))
    if page.geometry is not None:
        return _laid_out_so(page, broken)
    declared = _declared(page) if broken.any() else {}
    if not declared:
        return np.zeros(len(page), dtype=bool)
    named = np.zeros(len(page), dtype=bool)
    named[list(declared)] = True
    nearest = page.nearest(named)
    for row in np.flatnonzero(broken).tolist():
        broken[row] = nearest[row] >= 0 and declared[int(nearest[row])] in _KEEPS
    return broken


def _laid_out_so(page: Page, broken: BoolColumn) -> BoolColumn:
    """Mark the texts of blocks in which a line end is laid out as a break."""
    kept = np.zeros(len(page), dtype=bool)
    texts = np.flatnonzero(broken)
    kept[[row for row in texts.tolist() if _laid_out(page, row)]] = True
    block = page.nearest(page.block_level)
    kept[texts] |= np.isin(block[texts], block[kept])
    return kept


def _laid_out(page: Page, row: int) -> bool:
    """Return whether a line end within a text is laid out by itself, as where it breaks the line.

    Where line ends are spaces they are part of what stands around them.
    """
    geometry = page.geometry
    if geometry is None:
        return False
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
    """Return what attributes and simple rules of style sheets say of ``white-space``, by row."""
    found: dict[int, str] = {}
    rules = _rules(page)
    styles, classes = page.attribute("style"), page.attribute("class")
    for row in np.flatnonzero((styles >= 0) | (classes >= 0)).tolist():
        names = page.strings[int(classes[row])] if classes[row] >= 0 else ""
        said = _STYLE.search(page.strings[int(styles[row])]) if styles[row] >= 0 else None
        said = said or _CLASS.search(names)
        value = said[1].lower() if said else next((rules[name] for name in names.split() if name in rules), "")
        if value:
            found[row] = value
    return found


def _rules(page: Page) -> dict[str, str]:
    texts = (
        page.strings[text] for row in np.flatnonzero(page.has_tag("style")).tolist() for text in _inside(page, row)
    )
    sheets = "".join(texts)[:_MOST]
    if "white-space" not in sheets:
        return {}
    found = ((rule[1], _STYLE.search(rule[2])) for rule in _RULE.finditer(sheets))
    return {name: said[1].lower() for name, said in found if said}


def _inside(page: Page, row: int) -> list[int]:
    return [int(text) for text in page.text[row : page.end[row]] if text >= 0]
