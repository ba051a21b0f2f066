"""Accessible names of elements: Accessible Name and Description Computation 1.2, as far as HTML needs it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ...page.arrays import BoolColumn
from ...page.html import TEXT
from ...page.page import Page
from .accessible_roles import NAMED_BY_CONTENT, AccessibleRoles

#: Most characters of a name, and most nodes of which one is computed.
LONGEST, _MOST_NODES = 300, 2_000
#: Inputs whose value is their name, with the default.
_VALUE_NAMES = {"submit": "Submit", "reset": "Reset", "button": "", "image": "Submit"}
#: Elements whose name is that of a child.
_CHILD_NAMES = {"fieldset": "legend", "table": "caption", "figure": "figcaption", "svg": "title"}
_PICTURES = ("img", "area", "image")
_FIELDS = ("input", "select", "textarea", "meter", "progress", "output", "button")
_INLINE = ("inline", "contents", "ruby", "ruby-text", "ruby-base")


class AccessibleNames:
    """Names of the elements of a page."""

    def __init__(self, page: Page, roles: AccessibleRoles) -> None:
        self.page, self.roles = page, roles
        self._ids = _first_rows(page, "id")
        self._labels = self._labels_by_field()
        self._hidden = _not_rendered(page)
        self._inline = page.has_tag(TEXT) if page.geometry is None else self._inline_boxes()
        self._visited: set[int] = set()

    def of(self, row: int) -> str:
        """Return the name of an element, white space collapsed; "" for none."""
        self._visited = set()
        return " ".join(self._name(row).split())[:LONGEST]

    def label_of(self, row: int) -> int:
        """Return the row of the first label of a form field; -1 for none."""
        return self._labels[row][0] if self._labels.get(row) else -1

    def _inline_boxes(self) -> BoolColumn:
        geometry = self.page.geometry
        assert geometry is not None
        return self.page.has_tag(TEXT) | self.page.has_name(geometry.display, *_INLINE)

    def _name(self, row: int, *, referenced: bool = False, inside: bool = False) -> str:  # noqa: PLR0911 (the steps)
        """Return the name of a node (step 2 of the computation).

        ``referenced``: aria-labelledby refers to it, or to an element around it; ``inside``: it is part of the content
        of another element.
        """
        page = self.page
        if row in self._visited or len(self._visited) > _MOST_NODES:
            return ""
        self._visited.add(row)
        if page.text[row] >= 0:
            return page.text_of(row)
        if self._hidden[row] and not referenced:
            return ""
        attributes, tag = page.attributes_of(row), page.tag_of(row)
        if not referenced and "aria-labelledby" in attributes:
            rows = [self._ids[name] for name in attributes["aria-labelledby"].split() if name in self._ids]
            parts = [
                self._name(other, referenced=True)
                if other != row
                else attributes.get("aria-label") or self._name_of_itself(row, attributes, tag)
                for other in rows
            ]
            if "".join(parts).strip():
                return " ".join(parts)
        if inside and (value := self._embedded_value(row, attributes, tag)) is not None:
            return value
        if attributes.get("aria-label", "").strip():
            return attributes["aria-label"]
        return self._name_of_itself(row, attributes, tag, referenced=referenced, inside=inside)

    def _name_of_itself(
        self, row: int, attributes: dict[str, str], tag: str, *, referenced: bool = False, inside: bool = False
    ) -> str:
        """Return the name by markup, by content, or by tooltip (steps 2D to 2I)."""
        name = self._native(row, attributes, tag)
        if not name.strip() and (inside or referenced or self.roles.of(row) in NAMED_BY_CONTENT or tag == "label"):
            name = self._content(row, referenced=referenced)
        if not name.strip():
            name = attributes.get("title", "")
        if not name.strip() and tag in ("input", "textarea"):
            name = attributes.get("placeholder", "") or attributes.get("aria-placeholder", "")
        return name

    def _native(self, row: int, attributes: dict[str, str], tag: str) -> str:
        if tag in _FIELDS:
            kind = attributes.get("type", "").lower()
            if tag == "input" and kind == "image" and attributes.get("alt", "").strip():
                return attributes["alt"]
            labels = " ".join(self._name(label, inside=True) for label in self._labels.get(row, ()))
            if labels.strip():
                return labels
            return attributes.get("value", "") or _VALUE_NAMES[kind] if tag == "input" and kind in _VALUE_NAMES else ""
        if tag in _PICTURES:
            return attributes.get("alt", "")
        child = _CHILD_NAMES.get(tag)
        if child is not None:
            for row_below in self._children(row):
                if self.page.tag_of(row_below) == child:
                    return self._content(row_below, referenced=tag == "svg")
        return ""

    def _embedded_value(self, row: int, attributes: dict[str, str], tag: str) -> str | None:
        """Return the value of a control inside of another element's name (step 2C); None for other elements."""
        role = self.roles.of(row)
        if role in ("textbox", "searchbox", "spinbutton", "slider"):
            return attributes.get("aria-valuetext") or attributes.get("aria-valuenow") or attributes.get("value", "")
        return selected_option(self.page, row) if tag == "select" else None

    def _content(self, row: int, *, referenced: bool = False) -> str:
        parts: list[str] = []
        for child in self._children(row):
            if self.page.tag_of(child) in ("script", "style", "template", "noscript"):
                continue
            name = self._name(child, referenced=referenced, inside=True)
            parts.append(name if self._inline[child] else f" {name} ")
        return "".join(parts)

    def _children(self, row: int) -> list[int]:
        children, child = [], row + 1
        while child < self.page.end[row]:
            children.append(child)
            child = int(self.page.end[child])
        return children

    def _labels_by_field(self) -> dict[int, list[int]]:
        """Return the labels of each form field: by ``for``, else the first field inside."""
        page = self.page
        labels: dict[int, list[int]] = defaultdict(list)
        fields = page.has_tag(*_FIELDS)
        for row in np.flatnonzero(page.has_tag("label")).tolist():
            name = page.attributes_of(row).get("for")
            inside = np.flatnonzero(fields[row : page.end[row]])
            field = self._ids.get(name, -1) if name is not None else int(inside[0]) + row if len(inside) else -1
            if field >= 0:
                labels[field].append(row)
        return labels


def selected_option(page: Page, row: int) -> str:
    """Return the text of the selected option of a select element, of the first without any."""
    options = np.flatnonzero(page.has_tag("option")[row : page.end[row]]) + row
    chosen = [option for option in options.tolist() if page.attribute("selected")[option] >= 0]
    return option_text(page, (chosen or options.tolist())[0]) if len(options) else ""


def option_text(page: Page, row: int) -> str:
    """Return the text of an option."""
    texts = (page.text_of(below) for below in range(row + 1, int(page.end[row])))
    return page.attributes_of(row).get("label") or " ".join("".join(texts).split())


def _first_rows(page: Page, name: str) -> dict[str, int]:
    """Return the first element with each value of an attribute."""
    column = page.attribute(name)
    rows = np.flatnonzero(column >= 0)[::-1].tolist()
    return {page.strings[column[row]]: row for row in rows}


def _not_rendered(page: Page) -> BoolColumn:
    """Return the elements that are hidden from assistive technology, bool (nodes,)."""
    hidden = page.below(page.attribute_matches("aria-hidden", lambda value: value.strip().lower() == "true"))
    geometry = page.geometry
    if geometry is None:
        return hidden | (page.declared_hidden > 0)
    transparent = page.has_name(geometry.display, "contents") | (page.text >= 0)
    # An option in a closed list has no box, but is part of its control.
    listed = page.has_tag("option", "optgroup", "area", "legend")
    return hidden | geometry.invisible | ((geometry.display < 0) & ~transparent & ~listed)
