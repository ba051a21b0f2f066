"""The elements of a page by which a verdict is decided: fields, forms, buttons, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ...page.arrays import BoolColumn
from .shown import ShownText

#: Most words of a button.
_BUTTON_WORDS = 6.0
_WRITABLE = ("text", "email", "tel", "search", "url", "number", "password", "")
#: A refresh to another address; one without is a page that reloads itself.
_REFRESH = re.compile(r"\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=)?\s*\S", re.IGNORECASE)


class ShownPage(ShownText):
    """The text that a page shows, with its elements."""

    @cached_property
    def drawn(self) -> BoolColumn:
        """bool (nodes,): elements that are drawn, such as fields of a form; without geometry, that are not hidden."""
        geometry = self.page.geometry
        if geometry is None:
            shown: BoolColumn = self.page.declared_hidden == 0
            return shown
        width, height = geometry.box[:, 2], geometry.box[:, 3]
        return np.isfinite(geometry.box[:, 0]) & (width > 1) & (height > 1)

    @cached_property
    def fields(self) -> dict[int, str]:
        """The fields to write into that are drawn: the row of each, and its type."""
        page = self.page
        rows = np.flatnonzero(page.has_tag("input", "textarea") & self.drawn).tolist()
        types = {
            row: "text" if page.tag_of(row) == "textarea" else page.attributes_of(row).get("type", "").strip().lower()
            for row in rows
        }
        return {row: kind for row, kind in types.items() if kind in _WRITABLE}

    def form_of(self, row: int) -> int:
        """Return the form of a field; without one, the nearest element around it with a label."""
        page = self.page
        form = int(page.nearest(page.has_tag("form", "dialog"))[row])
        while form < 0 and row > 0:
            row = int(page.parent[row])
            first, last = page.leaf_range[row].tolist()
            form = row if self.leaf_words[first:last].sum() >= 1 else -1
        return max(form, 0)

    def inside(self, row: int) -> BoolColumn:
        """bool (nodes,): an element and what is in it."""
        marked = np.zeros(len(self.page), dtype=bool)
        marked[row : self.page.end[row]] = True
        return marked

    def buttons(self, pattern: re.Pattern[str]) -> Iterator[int]:
        """Yield the visible buttons and links whose text matches."""
        page = self.page
        clickable = page.has_tag("button", "a", "summary") | page.attribute_matches("role", "button".__eq__)
        words = page.sum_leaves(self.leaf_words)
        for row in np.flatnonzero(clickable & (words > 0) & (words <= _BUTTON_WORDS)).tolist():
            if pattern.search(self.text_in(row)):
                yield row
        for row in np.flatnonzero(page.has_tag("input") & self.drawn).tolist():
            attributes = page.attributes_of(row)
            is_button = attributes.get("type", "").lower() in ("submit", "button")
            if is_button and pattern.search(attributes.get("value", "")):
                yield row

    def named(self, pattern: re.Pattern[str], *attributes: str) -> int:
        """Return the first element of which an attribute matches, -1 for none."""
        matching = np.zeros(len(self.page), dtype=bool)
        for name in attributes:
            matching |= self.page.attribute_matches(name, lambda value: pattern.search(value[:300]) is not None)
        matching &= ~self.page.has_tag("html", "body", "a", "link", "meta")
        rows = np.flatnonzero(matching)
        return int(rows[0]) if len(rows) else -1

    @cached_property
    def scripts(self) -> list[int]:
        """The scripts that would run."""
        page = self.page
        rows = np.flatnonzero(page.has_tag("script"))[:500].tolist()
        return [row for row in rows if "json" not in page.attributes_of(row).get("type", "").lower()]

    def script_text(self, row: int) -> str:
        """Return the text of a script or of any element whose text is not shown."""
        return "".join(self.page.text_of(node) for node in range(row + 1, int(self.page.end[row])))

    @cached_property
    def refresh(self) -> tuple[int, float] | None:
        """The ``meta`` element that sends readers to another address, and the seconds until then."""
        page = self.page
        for row in np.flatnonzero(page.has_tag("meta")).tolist():
            attributes = page.attributes_of(row)
            if attributes.get("http-equiv", "").strip().lower() == "refresh":
                match = _REFRESH.match(attributes.get("content", ""))
                if match is not None:
                    return row, float(match[1])
        return None
