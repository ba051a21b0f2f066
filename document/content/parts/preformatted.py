"""Text whose line ends are rendered as such by ``white-space``: verse, addresses."""

from __future__ import annotations

import re

import numpy as np

from ....page.arrays import BoolColumn, between
from ....page.geometry import Geometry
from ....page.page import Page

_KEEPS = ("pre", "pre-line", "pre-wrap", "break-spaces")
_STYLE = re.compile(r"(?:^|[;{\s])white-space\s*:\s*([a-z-]+)", re.IGNORECASE)
#: Utility classes for the property.
_CLASS = re.compile(r"(?:^|\s)whitespace-(pre(?:-line|-wrap)?|break-spaces|normal|nowrap)(?=\s|$)")


def lines_kept(page: Page) -> BoolColumn:
    """Mark texts in which line ends break lines, as laid out or else as declared, bool (nodes,)."""
    if page.geometry is not None:
        return _laid_out_so(page, page.geometry, _broken(page))
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


def _laid_out_so(page: Page, geometry: Geometry, broken: BoolColumn) -> BoolColumn:
    """Mark the texts of blocks in which a line end is laid out as a break."""
    texts, short = broken.nonzero()[0], np.zeros(len(page), dtype=bool)
    short[geometry.line_node[geometry.line_length == 1]] = True
    kept = np.zeros(len(page), dtype=bool)
    kept[[row for row in texts[short[texts]].tolist() if _laid_out(page, geometry, row)]] = True
    kept[texts] |= np.isin(page.owner[texts], page.owner[kept])
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
    """Return the ``white-space`` value that attributes and utility classes declare, by row."""
    declared: dict[int, str] = {}
    for name, pattern in (("class", _CLASS), ("style", _STYLE)):
        values = page.attribute(name)
        for row in page.attribute_matches(name, lambda value: "white" in value.lower(), needs=("white",)).nonzero()[0]:
            if found := pattern.search(page.strings[int(values[row])]):
                declared[int(row)] = found[1].lower()
    return declared
