"""Tab groups of code: alternatives of one example, each with the name of its tab.

Panels that are not shown can be opened by a click; of other tabs the shown panel alone is content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ....page.arrays import BoolColumn
from ....page.hidden import Hidden, declared_hidden
from ....page.page import Page
from ....page.tab_groups import Pair, opened_panels, tab_groups
from ...metadata.clean_text import clean
from .inline import Surroundings

#: Least share of code in the text of each panel, and most characters of a tab's name.
CODE_SHARE, NAME_CHARACTERS = 0.6, 40
#: Reasons for which a panel that is not shown has no visible text.
_CLOSED = (Hidden.VISIBLE, Hidden.DISPLAY, Hidden.VISIBILITY)

#: Declarations by which text is not seen even in an open panel.
_UNSEEN = re.compile(
    r"(?:display|visibility|opacity|font-size|font|position|clip|clip-path|width|height|max-height|text-indent|transform"
    r"|margin|left|top|scale|filter)\s*:|transparent",
    re.IGNORECASE,
)


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
    for group in tab_groups(page):
        pairs = _that_open(page, group)
        if len(pairs) < 2:
            continue
        tabs, panels = [tab for tab, _ in pairs], [panel for _, panel in pairs]
        leaves = [np.arange(*page.leaf_range[panel]) for panel in panels]
        if not all(map(len, leaves)) or not around.marks[np.concatenate(leaves)].any():
            continue
        names = [range(*page.leaf_range[tab].tolist()) for tab in tabs]
        texts = [clean("".join(page.leaf_texts[leaf] for leaf in name)) for name in names]
        if not all(0 < len(text) <= NAME_CHARACTERS for text in texts) or len(set(texts)) < len(texts):
            continue
        if not all(_is_code(page, part, code) for part in leaves):
            continue
        for name, panel, part in zip(names, panels, leaves, strict=True):
            found.names[panel] = list(name)
            found.along.extend(part[code[part]].tolist())
            found.omitted.extend(name)
    return found


def _that_open(page: Page, pairs: list[Pair]) -> list[Pair]:
    """Return the pairs of a visible tab and a panel that it opens.

    Of a rendered page the browser has tried it. Without a browser nothing is known of style sheets and scripts: then
    the panel alone may be what markup hides, and nothing inside or around it.
    """
    shown = page.hidden == 0
    seen = [pair for pair in pairs if shown[slice(*page.leaf_range[pair[0]].tolist())].all()]
    if page.geometry is not None or page.rendered_hidden is not None:
        opened = opened_panels(page)
        return [(tab, panel) for tab, panel in seen if panel in opened]
    hidden = declared_hidden(page) > 0
    return [(tab, panel) for tab, panel in seen if not (hidden[page.parent[panel]] or _hides(page, panel))]


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
