"""What a system is: a name card, and marks on a page's text leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..render.arrays import Marks
from ..render.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Who a system is.

    Attributes
    ----------
    name : str
        By which it is called.
    title : str
        What it does, in a few words.
    paper : str
        Its source.
    year : int
    visual : bool
        Whether it looks at geometry; others are handed pages without.
    trained : bool
        Whether it learned from labelled pages.
    """

    name: str
    title: str
    paper: str
    year: int
    visual: bool
    trained: bool


class System(Protocol):
    """Anything that marks the content of a page."""

    @property
    def card(self) -> Card:
        """Who it is."""
        ...

    def mark(self, page: Page) -> Marks:
        """Mark the content among a page's text leaves."""
        ...
