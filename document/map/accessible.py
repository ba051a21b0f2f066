"""Accessible roles and names of elements, as far as HTML needs them (WAI-ARIA 1.2, HTML-AAM, accname 1.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from ...page.arrays import BoolColumn
from ...page.html import TEXT
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ..content.parts.inline import HEADINGS

#: Roles of things that are operated.
CONTROL_ROLES = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox listbox textbox "
    "searchbox slider spinbutton treeitem scrollbar".split()
)
#: Roles of the parts of a page, and of the layers over it.
LANDMARKS = frozenset("banner navigation main complementary contentinfo search form region".split())
DIALOGS = frozenset(("dialog", "alertdialog"))
#: Roles whose name may be their content (accname 1.2, 5.2.8.5).
_NAMED_BY_CONTENT = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem cell columnheader "
    "gridcell heading row rowheader sectionhead tooltip clickable".split()
)
#: All roles that the attribute may have here; others are ignored, as browsers do with unknown ones.
_KNOWN = CONTROL_ROLES | LANDMARKS | DIALOGS | _NAMED_BY_CONTENT | frozenset(
    "alert article feed figure grid group heading img list listitem log menu menubar none note presentation "
    "progressbar radiogroup separator status table tablist tabpanel toolbar tree treegrid".split()
)  # fmt: skip
_INPUTS = {
    "button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox",
    "radio": "radio", "range": "slider", "number": "spinbutton", "search": "searchbox", "file": "file",
    "color": "color", "date": "date", "datetime-local": "date", "month": "date", "week": "date", "time": "time",
    "hidden": "",
}  # fmt: skip
_BY_TAG = {
    "button": "button", "summary": "button", "textarea": "textbox", "nav": "navigation", "main": "main",
    "aside": "complementary", "search": "search", "dialog": "dialog", "table": "table", "ul": "list", "ol": "list",
    "li": "listitem", "article": "article", "figure": "figure", "img": "img", "option": "option",
    "progress": "progressbar", "fieldset": "group", "details": "group", **dict.fromkeys(HEADINGS, "heading"),
}  # fmt: skip
#: Elements inside which header and footer are no landmarks.
_SECTIONING = ("article", "aside", "main", "nav", "section")
#: Most characters of a name, and most nodes of which one is computed.
LONGEST, _MOST_NODES = 300, 2_000
#: Inputs whose value is their name, with the default.
_VALUE_NAMES = {"submit": "Submit", "reset": "Reset", "button": "", "image": "Submit"}
#: Elements whose name is that of a child.
_CHILD_NAMES = {"fieldset": "legend", "table": "caption", "figure": "figcaption", "svg": "title"}
_PICTURES = ("img", "area", "image")
_FIELDS = ("input", "select", "textarea", "meter", "progress", "output", "button")
_INLINE = ("inline", "contents", "ruby", "ruby-text", "ruby-base")
_VALUED = ("textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox")
_NO_TEXT = ("script", "style", "template", "noscript")


class AccessibleTree:
    """Roles and names of the elements of a page; ``only_seen``: of names the part that a person sees."""

    def __init__(self, page: Page, *, only_seen: bool = False) -> None:
        self.page, self._only_seen = page, only_seen
        self._unseen = np.zeros(len(page), dtype=bool)
        if only_seen:
            self._unseen[page.leaves[invisible_leaves(page)]] = True
        self._top_level = ~page.below(page.has_tag(*_SECTIONING))
        ids = page.attribute("id")
        self._ids = {page.strings[ids[row]]: row for row in np.flatnonzero(ids >= 0)[::-1].tolist()}
        self._labels = self._labels_by_field()
        self._hidden, self._inline = _not_rendered(page), page.has_tag(TEXT)
        if page.geometry is not None:
            self._inline = self._inline | page.has_name(page.geometry.display, *_INLINE)
        self._visited: set[int] = set()

    def role(self, row: int) -> str:
        """Return the role of an element, "" for none."""
        attributes = self.page.attributes_of(row)
        own = self._own_role(row, self.page.tag_of(row), attributes)
        for word in attributes.get("role", "").lower().split():
            if word in ("none", "presentation"):
                # What can be focused keeps its role (WAI-ARIA 1.2, 4.6).
                return own if own in CONTROL_ROLES else ""
            if word in _KNOWN:
                return word
        return own

    def name(self, row: int, *, by_content: bool = False) -> str:
        """Return the name of an element, white space collapsed; "" for none; ``by_content`` whatever its role."""
        self._visited = set()
        return " ".join(self._name(row, inside=by_content).split())[:LONGEST]

    def text(self, row: int) -> str:
        """Return the text in an element, white space collapsed."""
        self._visited = set()
        return " ".join(self._content(row, referenced=False).split())

    def label_of(self, row: int) -> int:
        """Return the row of the first label of a form field; -1 for none."""
        return next(iter(self._labels.get(row, ())), -1)

    def _own_role(self, row: int, tag: str, attributes: dict[str, str]) -> str:
        if tag in ("header", "footer"):
            return ("banner" if tag == "header" else "contentinfo") if self._top_level[row] else ""
        if tag == "input":
            role = _INPUTS.get(attributes.get("type", "text").strip().lower(), "textbox")
            return "combobox" if "list" in attributes and role in ("textbox", "searchbox") else role
        if tag == "select":
            size = attributes.get("size", "")
            return "listbox" if "multiple" in attributes or (size.isdigit() and int(size) > 1) else "combobox"
        if tag in ("a", "area"):
            return "link" * ("href" in attributes)
        if tag in ("section", "form"):
            named = any(attributes.get(name) for name in ("aria-label", "aria-labelledby", "title"))
            return ("region" if tag == "section" else "form") * named
        editable = attributes.get("contenteditable", "false").lower() in ("", "true", "plaintext-only")
        return _BY_TAG.get(tag, "textbox" * editable)

    def _name(self, row: int, *, referenced: bool = False, inside: bool = False) -> str:
        """Return the name of a node (step 2 of the computation).

        ``referenced``: aria-labelledby refers to it, or to an element around it; ``inside``: it is part of the content
        of another element.
        """
        if self.page.text[row] >= 0:
            return "" if self._unseen[row] else self.page.text_of(row)
        if row in self._visited or len(self._visited) > _MOST_NODES or (self._hidden[row] and not referenced):
            return ""
        self._visited.add(row)
        return self._name_of_element(row, referenced=referenced, inside=inside)

    def _name_of_element(self, row: int, *, referenced: bool, inside: bool) -> str:
        attributes, tag, role = self.page.attributes_of(row), self.page.tag_of(row), self.role(row)
        if not referenced and not self._only_seen and (named := self._referenced(row, attributes)):
            return named
        if inside and role in _VALUED:
            return selected_option(self.page, row) if tag == "select" else attributes.get("value", "")
        by_content = inside or referenced or role in _NAMED_BY_CONTENT or tag == "label"
        hint = attributes.get("placeholder", "") if tag in ("input", "textarea") else ""
        if self._only_seen:
            return self._seen_name(row, attributes, hint, by_content=by_content or tag == "svg", referenced=referenced)
        sources: tuple[Callable[[], str], ...] = (
            lambda: attributes.get("aria-label", ""),
            lambda: self._native_name(row, attributes, tag),
            lambda: self._content(row, referenced=referenced) if by_content else "",
            lambda: attributes.get("title", ""),
            lambda: hint,
        )
        return next((name for source in sources if (name := source()).strip()), "")

    def _seen_name(self, row: int, attributes: dict[str, str], hint: str, *, by_content: bool, referenced: bool) -> str:
        """Return what is seen of an element's name: its content, label, or the hint in an empty field."""
        shown = self._content(row, referenced=referenced) if by_content else ""
        native = self._native_name(row, attributes, self.page.tag_of(row))
        # The text in a field is its value, not its name.
        drawn = "" if attributes.get("value") else hint
        referred = self._referenced(row, attributes | {"aria-label": ""})
        return next(filter(str.strip, (shown, native, referred, drawn)), "")

    def _referenced(self, row: int, attributes: dict[str, str]) -> str:
        """Return the names of the elements that aria-labelledby refers to, with its own label for the element."""
        rows = [self._ids[name] for name in attributes.get("aria-labelledby", "").split() if name in self._ids]
        own = attributes.get("aria-label", "")
        return " ".join(own if other == row else self._name(other, referenced=True) for other in rows).strip()

    def _native_name(self, row: int, attributes: dict[str, str], tag: str) -> str:
        """Return the name by markup: labels, values of buttons, alternative texts, captions."""
        kind = attributes.get("type", "").lower() if tag == "input" else ""
        if self._only_seen and tag not in _FIELDS:
            return ""
        if tag in _PICTURES or (kind == "image" and attributes.get("alt", "").strip()):
            return attributes.get("alt", "")
        if tag in _FIELDS:
            labels = " ".join(self._name(label, inside=True) for label in self._labels.get(row, ()))
            value = attributes.get("value", "") or _VALUE_NAMES[kind] if kind in _VALUE_NAMES else ""
            return labels if labels.strip() else value
        named = (child for child in self._children(row) if self.page.tag_of(child) == _CHILD_NAMES.get(tag))
        child = next(named, -1)
        return self._content(child, referenced=tag == "svg") if child >= 0 else ""

    def _content(self, row: int, *, referenced: bool = False) -> str:
        parts: list[str] = []
        for child in self._children(row):
            if self.page.tag_of(child) not in _NO_TEXT:
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
    """Return the texts of the selected options of a select element, of the first of a closed one without any."""
    options = (np.flatnonzero(page.has_tag("option")[row : page.end[row]]) + row).tolist()
    chosen = [option for option in options if page.attribute("selected")[option] >= 0]
    default = [] if "multiple" in page.attributes_of(row) else options[:1]
    return ", ".join(option_text(page, option) for option in chosen or default)


def option_text(page: Page, row: int) -> str:
    """Return the text of an option."""
    texts = (page.text_of(below) for below in range(row + 1, int(page.end[row])))
    return page.attributes_of(row).get("label") or " ".join("".join(texts).split())


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
