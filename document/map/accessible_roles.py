"""Accessible roles of elements: the attribute ``role``, else the element's own (WAI-ARIA 1.2, HTML-AAM)."""

from __future__ import annotations

from ...page.arrays import BoolColumn
from ...page.page import Page

#: Roles of things that are operated.
CONTROL_ROLES = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox listbox textbox "
    "searchbox slider spinbutton treeitem scrollbar".split()
)
#: Roles of the parts of a page, and of the layers over it.
LANDMARKS = frozenset("banner navigation main complementary contentinfo search form region".split())
DIALOGS = frozenset(("dialog", "alertdialog"))
#: Roles whose name may be their content (accname 1.2, 5.2.8.5).
NAMED_BY_CONTENT = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem cell columnheader "
    "gridcell heading row rowheader sectionhead tooltip clickable".split()
)
#: All roles that the attribute may have here; others are ignored, as browsers do with unknown ones.
_KNOWN = CONTROL_ROLES | LANDMARKS | DIALOGS | NAMED_BY_CONTENT | frozenset(
    "alert article feed figure grid group heading img list listitem log menu menubar none note presentation "
    "progressbar radiogroup separator status table tablist tabpanel toolbar tree treegrid".split()
)  # fmt: skip
_INPUTS = {
    "button": "button",
    "submit": "button",
    "reset": "button",
    "image": "button",
    "checkbox": "checkbox",
    "radio": "radio",
    "range": "slider",
    "number": "spinbutton",
    "search": "searchbox",
    "file": "file",
    "color": "color",
    "date": "date",
    "datetime-local": "date",
    "month": "date",
    "week": "date",
    "time": "time",
    "hidden": "",
}
_BY_TAG = {
    "button": "button",
    "summary": "button",
    "textarea": "textbox",
    "nav": "navigation",
    "main": "main",
    "aside": "complementary",
    "search": "search",
    "dialog": "dialog",
    "table": "table",
    "ul": "list",
    "ol": "list",
    "li": "listitem",
    "article": "article",
    "figure": "figure",
    "img": "img",
    "option": "option",
    "progress": "progressbar",
    "fieldset": "group",
    "details": "group",
} | {f"h{level}": "heading" for level in range(1, 7)}
#: Elements inside which header and footer are no landmarks.
_SECTIONING = ("article", "aside", "main", "nav", "section")


class AccessibleRoles:
    """Roles of the elements of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        inside = page.below(page.has_tag(*_SECTIONING))
        self._top_level: BoolColumn = ~inside

    def of(self, row: int) -> str:
        """Return the role of an element, "" for none."""
        attributes = self.page.attributes_of(row)
        own = self._own(row, self.page.tag_of(row), attributes)
        for word in attributes.get("role", "").lower().split():
            if word in ("none", "presentation"):
                # What can be focused keeps its role (WAI-ARIA 1.2, 4.6).
                return own if own in CONTROL_ROLES else ""
            if word in _KNOWN:
                return word
        return own

    def _own(self, row: int, tag: str, attributes: dict[str, str]) -> str:
        if tag in ("a", "area"):
            return "link" if "href" in attributes else ""
        if tag == "input":
            role = _INPUTS.get(attributes.get("type", "text").strip().lower(), "textbox")
            return "combobox" if "list" in attributes and role in ("textbox", "searchbox") else role
        if tag == "select":
            size = attributes.get("size", "")
            return "listbox" if "multiple" in attributes or (size.isdigit() and int(size) > 1) else "combobox"
        if tag in ("header", "footer"):
            return ("banner" if tag == "header" else "contentinfo") if self._top_level[row] else ""
        if tag in ("section", "form"):
            named = attributes.get("aria-label") or attributes.get("aria-labelledby") or attributes.get("title")
            return ("region" if tag == "section" else "form") if named else ""
        editable = attributes.get("contenteditable", "false").lower()
        return _BY_TAG.get(tag, "") or ("textbox" if editable in ("", "true", "plaintext-only") else "")
