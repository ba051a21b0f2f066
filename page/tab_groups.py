"""Tab groups: tabs with their panels, and the panels that a click on their tab was seen to open."""

from __future__ import annotations

from collections.abc import Iterator

from .arrays import BoolColumn
from .page import Page

#: Most tabs of a group, and most levels between the tabs and the element around all panels.
MOST_TABS, MOST_LEVELS = 20, 4
#: Name of the rows of the opened panels in the environment of a page.
OPENED = "opened"

#: A tab and its panel, by row.
Pair = tuple[int, int]


def tab_groups(page: Page) -> Iterator[list[Pair]]:
    """Yield the tabs with their panels, group by group, whatever the panels hold."""
    ids = page.attribute("id")
    by_id = {page.strings[int(ids[row])]: row for row in (ids >= 0).nonzero()[0][::-1].tolist()}
    tab = page.attribute_matches("role", lambda role: role.strip().lower() == "tab")
    lists = page.attribute_matches("role", lambda role: role.strip().lower() == "tablist")
    panel = page.attribute_matches("role", lambda role: role.strip().lower() == "tabpanel")
    for row in lists.nonzero()[0].tolist():
        tabs = tab[row : page.end[row]].nonzero()[0][:MOST_TABS] + row
        named = [by_id.get(page.attributes_of(one).get("aria-controls", ""), -1) for one in tabs.tolist()]
        panels = [one for one in named if one >= 0]
        if len(panels) < len(tabs):
            panels = _panels_near(page, row, panel, len(tabs))
        if len(tabs) == len(panels) > 1:
            yield list(zip(tabs.tolist(), panels, strict=True))
    yield from _radio_groups(page, by_id)


def code_in_panels(page: Page) -> list[list[Pair]]:
    """Return the tab groups with code in a panel, of which some text is hidden."""
    code = page.has_tag("pre")
    if not code.any():
        return []
    groups = []
    for pairs in tab_groups(page):
        parts = [slice(*page.leaf_range[panel].tolist()) for _, panel in pairs]
        hidden = any(page.hidden[part].any() for part in parts)
        if hidden and any(code[panel : page.end[panel]].any() for _, panel in pairs):
            groups.append(pairs)
    return groups


def opened_panels(page: Page) -> frozenset[int]:
    """Return the rows of the panels whose text all was visible after a click on their tab, when it was rendered."""
    return frozenset(int(row) for row in page.environment.get(OPENED, "").split() if row.isdecimal())


def _panels_near(page: Page, row: int, panel: BoolColumn, count: int) -> list[int]:
    """Return the panels in the nearest element around a list of tabs that has any, if they are so many."""
    for _ in range(MOST_LEVELS):
        row = int(page.parent[row])
        if row < 0:
            break
        inside = (panel[row : page.end[row]].nonzero()[0] + row).tolist()
        if inside:
            return inside if len(inside) == count else []
    return []


def _radio_groups(page: Page, by_id: dict[str, int]) -> Iterator[list[Pair]]:
    """Yield groups whose tabs are labels of radio buttons, and whose panels are the children of one element."""
    radio = page.has_tag("input") & page.attribute_matches("type", lambda kind: kind.strip().lower() == "radio")
    labels: dict[int, list[int]] = {}
    for row in (page.has_tag("label") & (page.attribute("for") >= 0)).nonzero()[0].tolist():
        button = by_id.get(page.attributes_of(row)["for"], -1)
        if button >= 0 and radio[button]:
            labels.setdefault(int(page.parent[button]), []).append(row)
    for container, tabs in labels.items():
        above = container
        for _ in range(2):
            panels = _children_with_code(page, above, len(tabs))
            if 1 < len(tabs) == len(panels) <= MOST_TABS:
                yield list(zip(tabs, panels, strict=True))
                break
            above = int(page.parent[above])
            if above < 0:
                break


def _children_with_code(page: Page, row: int, count: int) -> list[int]:
    """Return the elements with code that are the only children with text of one element, if they are so many."""
    code = page.has_tag("pre")[row : page.end[row]].nonzero()[0] + row
    panels: dict[int, int] = {}
    for pre in code.tolist():
        path = [pre]
        while path[-1] > row and page.parent[path[-1]] > row:
            path.append(int(page.parent[path[-1]]))
        for one in path:
            panels.setdefault(one, pre)
    by_parent: dict[int, list[int]] = {}
    for one in sorted(panels):
        by_parent.setdefault(int(page.parent[one]), []).append(one)
    return next((children for _, children in sorted(by_parent.items()) if len(children) == count), [])
