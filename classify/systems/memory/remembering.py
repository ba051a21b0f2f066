"""A system with a memory of the sites it has seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....page.arrays import Marks
from ....page.page import Page
from ...system import Card, System
from .site_memory import SiteMemory

#: If less than this share of what a system has marked stays, it looked at the wrong part of the page.
LEAST_LEFT = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemorySystem:
    """A system that remembers the pages it has seen.

    What recurs is taken out of what the system marks. If that is most of it, the system was misled: it is asked again
    about the page without what recurs. Then the page is learnt.
    """

    system: System
    memory: SiteMemory

    @property
    def card(self) -> Card:
        """That of the system, under a name of its own."""
        card = self.system.card
        return replace(card, name=f"{card.name}+memory", title=f"{card.title}, less what recurs on the site")

    def mark(self, page: Page) -> Marks:
        """Mark the content, and learn the page."""
        recurring = self.memory.recurring(page)
        marks = self.system.mark(page)
        size = np.asarray([len(text) for text in page.leaf_texts], dtype=np.int64)
        if size[marks & ~recurring].sum() < LEAST_LEFT * size[marks].sum():
            marks = np.zeros(len(marks), dtype=bool)
            marks[~recurring] = self.system.mark(remove_leaves(page, recurring))
        self.memory.learn(page)
        cleaned: Marks = marks & ~recurring
        return cleaned


def remove_leaves(page: Page, gone: Marks) -> Page:
    """Return a page without some of its text leaves; the others keep their order, and the nodes their rows."""
    blank = len(page.strings)
    text = page.text.copy()
    text[page.leaves[gone]] = blank
    geometry = page.geometry
    if geometry is not None:
        line = ~np.isin(geometry.line_node, page.leaves[gone])
        geometry = replace(
            geometry,
            hidden=geometry.hidden[~gone],
            line_node=geometry.line_node[line],
            line_box=geometry.line_box[line],
            line_start=geometry.line_start[line],
            line_length=geometry.line_length[line],
        )
    return replace(page, strings=(*page.strings, ""), text=text, geometry=geometry)
