"""The do-nothing baseline: all text that can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ..system import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """Takes the whole page for content; what is better than this has understood something."""

    card: ClassVar[Card] = Card(
        name="everything",
        title="the whole page's text, the do-nothing baseline",
        paper="none",
        year=2026,
        visual=False,
        trained=False,
    )

    def mark(self, page: Page) -> Marks:
        """Mark every leaf that is not hidden."""
        return ~invisible_leaves(page)
