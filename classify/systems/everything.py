"""The baseline: all visible text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ..system import Card, card_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """Marks the whole page."""

    card: ClassVar[Card] = card_of("everything")

    def mark(self, page: Page) -> Marks:
        """Mark every visible leaf."""
        return ~invisible_leaves(page)
