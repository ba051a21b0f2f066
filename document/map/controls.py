"""The controls of a page: role, accessible name, state, selector, and whether a click reaches them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...lexicon.instructions import without_instruction
from ...page.arrays import HARDLY_ANY, BoolColumn, mask_of
from ...page.geometry import Position
from ...page.html import BORDER, HAND, LISTENS, POINTER
from ...page.page import Page
from ...render.visibility.css_values import four, numbers
from ...segment.element_locators import ElementLocators
from .accessible import CONTROL_ROLES, LONGEST, AccessibleTree, option_text, selected_option
from .hit_test import Hit, HitTest

#: A box in CSS pixels of the document: (x, y, width, height).
Box = tuple[float, float, float, float]

_FIELDS = ("button", "input", "select", "textarea")
_TAGS = ("a", "area", *_FIELDS, "summary")
#: Roles of input elements that WAI-ARIA has no name for.
_OWN_ROLES = frozenset(("file", "color", "date", "time"))
#: Most controls of a page, and options of a list.
MOST_CONTROLS = 3_000
#: ARIA attributes that are states if they are true, and those with other values.
_FLAGS = ("checked", "pressed", "selected", "expanded", "disabled", "required", "invalid", "readonly", "busy")
_CHECKABLE = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
_TEXT_FIELDS = ("textbox", "searchbox", "spinbutton", "slider", "combobox", "date", "time", "color")


@dataclass(frozen=True, kw_only=True)
class Control:
    """Something on a page that can be operated.

    Attributes
    ----------
    number : int
        Number in the map, from 1.
    role, name : str
        Role of WAI-ARIA ("clickable" for an element that only a script makes a control), and name: what is seen of it,
        else its accessible name.
    state : dict
        States that differ from the default: checked, expanded, disabled, value, options ... ``unseen`` is an accessible
        name that says something else than what is seen, or True if the name itself is not seen.
    selector : str
        Selector for Playwright of the element to click: the label for a field that its label covers; "" if no selector
        reaches it.
    box : tuple of float
        ``(x, y, width, height)`` of its visible part in CSS pixels of the document.
    clickable : bool
        Whether a click in Playwright reaches it, after scrolling.
    position : tuple of float or None
        Where to click, relative to its padding box, if its middle is covered.
    cover : int
        Row of what covers it, or a part of it; -1 for none.
    free : float
        Share of it that is not covered.
    clipped : bool
        A box around clips it: a person does not see it, programs may scroll to it.
    screens : float
        Distance from the window in heights of the window: 0 in view, 1.5 further down, -1 further up.
    sticky : bool
        It stays in the window when the page is scrolled.
    target : str
        Address of a link as written.
    row : int
        Row of the page.
    """

    number: int
    role: str
    name: str
    state: dict[str, Any] = field(default_factory=dict)
    selector: str
    box: Box
    clickable: bool
    position: tuple[float, float] | None = None
    cover: int
    free: float
    clipped: bool = False
    screens: float
    sticky: bool = False
    target: str = ""
    row: int


class ControlFinder:
    """The controls of a rendered page."""

    def __init__(self, page: Page) -> None:
        assert page.geometry is not None
        self.page, self.geometry = page, page.geometry
        self.tree, self._seen = AccessibleTree(page), AccessibleTree(page, only_seen=True)
        self.hits = HitTest(page)
        self.locators = ElementLocators(page)
        self.sticky = page.below(np.isin(page.geometry.position, (Position.FIXED, Position.STICKY)))
        self.drawn = page.below(page.has_tag("svg"))
        self._disabled = _in_disabled_fieldset(page)

    def find(self) -> list[Control]:
        """Return the controls in document order, numbered from 1."""
        controls: list[Control] = []
        for row, role in self._rows():
            control = self._control(len(controls) + 1, row, role)
            if control is not None:
                controls.append(control)
            if len(controls) == MOST_CONTROLS:
                break
        return controls

    def _rows(self) -> list[tuple[int, str]]:
        """Return the rows of the controls with their roles."""
        page = self.page
        candidates = page.has_tag(*_TAGS) | (page.attribute("role") >= 0) | (page.attribute("contenteditable") >= 0)
        rows = [(row, self.tree.role(row)) for row in np.flatnonzero(candidates).tolist()]
        chosen = [(row, role) for row, role in rows if role in CONTROL_ROLES or role in _OWN_ROLES]
        chosen = [(row, role) for row, role in chosen if page.tag_of(row) != "option"]
        marked = mask_of(len(page), [row for row, _ in chosen])
        chosen += [(row, "clickable") for row in self._scripted(marked)]
        return sorted(chosen)

    def _scripted(self, controls: BoolColumn) -> list[int]:
        """Return elements that only scripts make controls: with a cursor for clicks, or small and with a listener."""
        page, geometry = self.page, self.geometry
        hand = page.attribute_matches(POINTER, lambda value: HAND in value.split())
        listens = page.attribute_matches(POINTER, lambda value: LISTENS in value.split())
        area = np.nan_to_num(geometry.box[:, 2:].prod(axis=1))
        small = area <= HARDLY_ANY * np.prod(geometry.viewport)
        around = page.below(controls | page.has_tag("label", "option", "select"))
        candidates = (hand | (listens & small)) & ~around & ~page.has_tag("html", "body", "label", "option")
        candidates &= (page.count_below(controls) == 0) & (area > 0) & page.in_source
        # A box with the cursor alone, around several that listen, is none itself.
        candidates &= listens | (page.count_below(candidates & listens) < 2)
        # Of nested ones the innermost, unless the outer one has the cursor.
        inner = page.count_below(candidates) > 0
        outer_hand = np.where(page.parent >= 0, page.below(candidates & hand)[page.parent], False)
        candidates &= ~outer_hand & (hand | ~inner)
        return [row for row in np.flatnonzero(candidates).tolist() if self._has_content(row)]

    def _has_content(self, row: int) -> bool:
        first, last = self.page.leaf_range[row].tolist()
        pictured = (self.drawn | self.page.has_tag("img", "i", "span", "canvas"))[row : self.page.end[row]].any()
        return last > first or bool(pictured) or bool(self.tree.name(row))

    def _control(self, number: int, row: int, role: str) -> Control | None:
        hit, clicked = self.hits.of(row), row
        if hit.point is None and (label := self.tree.label_of(row)) >= 0:
            # A field that is hidden behind the picture that its label draws is operated by the label.
            through = self.hits.of(label)
            if through.point is not None and not through.is_clipped:
                hit, clicked = through, label
        if clicked == row and not np.isfinite(self.geometry.box[row, 0]):
            return None
        if hit.point is None and (hit.box[2] - hit.box[0] <= 0 or self.geometry.invisible[row]):
            return None
        state = self._state(row, role)
        name, unseen = self._names(row, role)
        state |= unseen
        left, top, right, bottom = hit.box
        selector = self.locators.for_playwright(clicked)
        clickable = hit.point is not None and "disabled" not in state and bool(selector)
        return Control(
            number=number,
            role=role,
            name=name,
            state=state,
            selector=selector,
            box=(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)),
            clickable=clickable,
            position=self._position(clicked, hit) if clickable else None,
            cover=hit.cover,
            free=round(hit.free, 2),
            clipped=hit.is_clipped,
            screens=self._screens(row, hit),
            sticky=bool(self.sticky[row]),
            target=self.page.attributes_of(row).get("href", "") if role == "link" else "",
            row=row,
        )

    def _names(self, row: int, role: str) -> tuple[str, dict[str, Any]]:
        """Return the name of a control, which is what a person sees of it, and its accessible name if that differs.

        Without anything to see the accessible name is its name. One that addresses a language model is left out.
        """
        by_content = role == "clickable"
        seen, name = (tree.name(row, by_content=by_content) for tree in (self._seen, self.tree))
        if not name or _letters(name) == _letters(seen):
            return seen, {}
        if not without_instruction(name):
            return seen, {"unseen_instruction": True}
        return (seen, {"unseen": name}) if seen else (name, {"unseen": True})

    def _position(self, row: int, hit: Hit) -> tuple[float, float] | None:
        """Return where to click, relative to the element's padding box as in Playwright, unless its middle is free."""
        if hit.is_middle or hit.point is None:
            return None
        left, top = self.geometry.box[row, :2].tolist()
        above, _, _, before = four(numbers(self.page.attributes_of(row).get(BORDER, "")))
        return round(hit.point[0] - left - before, 1), round(hit.point[1] - top - above, 1)

    def _screens(self, row: int, hit: Hit) -> float:
        height = self.geometry.viewport[1]
        if self.sticky[row] or height <= 0:
            return 0.0
        top, bottom = (float(edge - self.hits.scroll[1]) / height for edge in hit.box[1::2])
        if bottom > 0 and top < 1:
            return 0.0
        return round(max(top, HARDLY_ANY), 1) if top >= 1 else round(min(bottom, -HARDLY_ANY), 1)

    def _state(self, row: int, role: str) -> dict[str, Any]:
        """Return the states that ARIA and HTML declare, the value, and the options."""
        page, attributes = self.page, self.page.attributes_of(row)
        tag = page.tag_of(row)
        state: dict[str, Any] = {}
        for name in _FLAGS:
            value = attributes.get(f"aria-{name}", "").strip().lower()
            if value and (value != "false" or name == "expanded"):
                state[name] = {"true": True, "false": False}.get(value, value)
        declared = {
            "disabled": tag in _FIELDS and ("disabled" in attributes or self._disabled[row]),
            "checked": tag == "input" and role in _CHECKABLE and "checked" in attributes,
            "required": tag in _FIELDS and "required" in attributes,
            "readonly": tag in _FIELDS and "readonly" in attributes,
            "current": attributes.get("aria-current", "false").lower() != "false",
        }
        state |= {name: True for name, is_declared in declared.items() if is_declared}
        state |= _popup(attributes.get("aria-haspopup", "false").strip().lower())
        if tag == "summary" and page.parent[row] >= 0:
            state["expanded"] = "open" in page.attributes_of(int(page.parent[row]))
        return state | self._value(row, tag, role)

    def _value(self, row: int, tag: str, role: str) -> dict[str, Any]:
        """Return the value of a field and its options or hint; nothing that was typed as a password."""
        page, attributes = self.page, self.page.attributes_of(row)
        if tag == "select":
            options = (np.flatnonzero(page.has_tag("option")[row : page.end[row]]) + row)[:MOST_CONTROLS].tolist()
            return {
                "value": selected_option(page, row),
                "options": [option_text(page, option) for option in options],
            }
        if role not in _TEXT_FIELDS or (tag not in ("input", "textarea") and "contenteditable" not in attributes):
            return {}
        secret = attributes.get("type", "").lower() == "password"
        written = attributes.get("value", "") if tag in _FIELDS else self.tree.text(row)
        value = "" if secret else written[:LONGEST]
        found = {"value": value, "placeholder": attributes.get("placeholder", ""), "password": secret}
        return {name: entry for name, entry in found.items() if entry}


def _popup(value: str) -> dict[str, str]:
    """Return what a control opens, from ``aria-haspopup``."""
    return {} if value == "false" else {"popup": "menu" if value in ("", "true") else value}


def _letters(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _in_disabled_fieldset(page: Page) -> BoolColumn:
    """Return the elements in a disabled fieldset but not in its legend, bool (nodes,)."""
    fieldsets = page.has_tag("fieldset") & (page.attribute("disabled") >= 0)
    legends = page.has_tag("legend") & (page.parent >= 0) & fieldsets[page.parent]
    inside: BoolColumn = page.below(fieldsets) & ~page.below(legends)
    return inside
