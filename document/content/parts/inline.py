"""Inline parts that are not text (pictures, formulas, media, check boxes, note references)."""

from __future__ import annotations

from dataclasses import dataclass

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class Step:
    """An element around a run of text; ``own`` is the row of an element that is never merged with its neighbour."""

    tag: str
    given: tuple[tuple[str, str], ...] = ()
    own: int = -1


#: The elements around a run of text, outermost first.
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inset:
    """Output in place of an element; ``alone`` is a paragraph of its own, ``leaves`` the marked text it replaces."""

    path: Path
    text: str = ""
    alone: bool = False
    leaves: tuple[int, ...] = ()
