"""A system's own segments: the headings, paragraphs and items that CleanEval's "text and markup" task asks for.

A system that knows what its content is made of says so beside its marks, in a method ``segments``. Of the others, what
is a heading and what an item is told by the elements around the text (:mod:`blocksight.compare.outputs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from ..page.page import Page
from .system import System, page_for


class SegmentKind(StrEnum):
    """CleanEval's three kinds."""

    HEADING = "h"
    PARAGRAPH = "p"
    ITEM = "l"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of content with the markup that CleanEval asks for.

    Attributes
    ----------
    kind : SegmentKind
    text : str
        White space collapsed.
    """

    kind: SegmentKind
    text: str

    def __str__(self) -> str:
        """Return it as CleanEval writes it: ``<p>text``."""
        return f"<{self.kind}>{self.text}"


@runtime_checkable
class SegmentingSystem(System, Protocol):
    """A system that also says which headings, paragraphs and items its content is made of."""

    def segments(self, page: Page) -> Sequence[Segment]:
        """Return the content of a page in its order; it holds the words that :meth:`mark` marks."""
        ...


def segments_of(system: System, page: Page) -> list[Segment] | None:
    """Return a system's own segments of a page, which it sees as when it marks; None where it has no such method."""
    return list(system.segments(page_for(system, page))) if isinstance(system, SegmentingSystem) else None
