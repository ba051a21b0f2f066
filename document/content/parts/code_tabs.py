"""Tab groups of code: alternatives of one example, each with the name of its tab.

Panels that are not shown can be opened by a click; of other tabs the shown panel alone is content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....page.arrays import BoolColumn
from ....page.hidden import Hidden
from ....page.page import Page
from ...metadata.clean_text import clean
from .inline import Surroundings

#: Least share of code in the text of each panel, and most characters of a tab's name.
CODE_SHARE, NAME_CHARACTERS = 0.6, 40
#: Most tabs of a group, and most levels between the tabs and the element around all panels.
MOST_TABS, MOST_LEVELS = 20, 4
#: Reasons for which a panel that is not shown has no visible text.
_CLOSED = (Hidden.VISIBLE, Hidden.DISPLAY, Hidden.VISIBILITY)

#: Declarations by which text is not seen even in an open panel.
_UNSEEN = re.compile(
    r"(?:display|visibility|opacity|font-size|font|position|clip|clip-path|width|height|max-height|text-indent|transform"
    r"|margin|left|top|scale|filter)\s*:|transparent",
    re.IGNORECASE,
)

#: A tab and its panel, by row.
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundTabs:
    """Tab groups of code in the content.

    ``names`` are the leaves of the tab of each panel, by row of the panel; ``along`` the leaves of the code of all
    panels; ``omitted`` those of the tabs.
    """

    names: dict[int, list[int]]
    along: list[int]
    omitted: list[int]


def find_code_tabs(page: Page, around: Surroundings) -> FoundTabs:
    """Find the tab groups whose panels are code, one of them marked."""
    found = FoundTabs(names={}, along=[], omitted=[])
    code = page.below(page.has_tag("pre"))[page.leaves]
    if not code.any():
        return found
    for pairs in _groups(page):
        tabs, panels = [tab for tab, _ in pairs], [panel for _, panel in pairs]
        leaves = [np.arange(*page.leaf_range[panel]) for panel in panels]
        if not all(map(len, leaves)) or not around.marks[np.concatenate(leaves)].any():
            continue
        names = [range(*page.leaf_range[tab].tolist()) for tab in tabs]
        texts = [clean("".join(page.leaf_texts[leaf] for leaf in name)) for name in names]
        if not all(0 < len(text) <= NAME_CHARACTERS for text in texts) or len(set(texts)) < len(texts):
            continue
        if not all(_is_code(page, part, code) for part in leaves) or any(_hides(page, panel) for panel in panels):
            continue
        for name, panel, part in zip(names, panels, leaves, strict=True):
            found.names[panel] = list(name)
            found.along.extend(part[code[part]].tolist())
            found.omitted.extend(name)
    return found


def _is_code(page: Page, leaves: np.ndarray, code: BoolColumn) -> bool:
    size = page.leaf_lengths[leaves]
    closed = np.isin(page.hidden[leaves], [int(reason) for reason in _CLOSED]).all()
    return bool(closed and (size * code[leaves]).sum() >= CODE_SHARE * size.sum() > 0)


def _hides(page: Page, panel: int) -> bool:
    """Return whether markup hides something inside of a panel."""
    inner = np.zeros(len(page), dtype=bool)
    inner[panel + 1 : page.end[panel]] = True
    styles = inner & page.attribute_matches("style", lambda style: _UNSEEN.search(style) is not None)
    return bool((styles | inner & ((page.attribute("hidden") >= 0) | (page.attribute("aria-hidden") >= 0))).any())


def _groups(page: Page) -> Iterator[list[Pair]]:
    """Yield the tabs with their panels, group by group, whatever the panels hold."""
    ids = page.attribute("id")
    by_id = {page.strings[int(ids[row])]: row for row in np.flatnonzero(ids >= 0)[::-1].tolist()}
    tab = page.attribute_matches("role", lambda role: role.strip().lower() == "tab")
    lists = page.attribute_matches("role", lambda role: role.strip().lower() == "tablist")
    panel = page.attribute_matches("role", lambda role: role.strip().lower() == "tabpanel")
    for row in np.flatnonzero(lists).tolist():
        tabs = np.flatnonzero(tab[row : page.end[row]])[:MOST_TABS] + row
        named = [by_id.get(page.attributes_of(one).get("aria-controls", ""), -1) for one in tabs.tolist()]
        panels = [one for one in named if one >= 0]
        if len(panels) < len(tabs):
            panels = _panels_near(page, row, panel, len(tabs))
        if len(tabs) == len(panels) > 1:
            yield list(zip(tabs.tolist(), panels, strict=True))
    yield from _radio_groups(page, by_id)


def _panels_near(page: Page, row: int, panel: BoolColumn, count: int) -> list[int]:
    """Return the panels in the nearest element around a list of tabs that has any, if they are so many."""
    for _ in range(MOST_LEVELS):
        row = int(page.parent[row])
        if row < 0:
            break
        inside = (np.flatnonzero(panel[row : page.end[row]]) + row).tolist()
        if inside:
            return inside if len(inside) == count else []
    return []


def _radio_groups(page: Page, by_id: dict[str, int]) -> Iterator[list[Pair]]:
    """Yield groups whose tabs are labels of radio buttons, and whose panels are the children of one element."""
    radio = page.has_tag("input") & page.attribute_matches("type", lambda kind: kind.strip().lower() == "radio")
    labels: dict[int, list[int]] = {}
    for row in np.flatnonzero(page.has_tag("label") & (page.attribute("for") >= 0)).tolist():
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
    code = np.flatnonzero(page.has_tag("pre")[row : page.end[row]]) + row
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
