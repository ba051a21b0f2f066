"""The data of a page map, without the ways to write it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .controls import Control
from .map_regions import MapRegion


@dataclass(frozen=True, kw_only=True)
class MapSection:
    """A part of a region: a heading with what follows it, or a record of a series.

    Attributes
    ----------
    region : int
        Index of its region.
    level : int
        Level of its heading, 1 to 6; 0 without one.
    heading, text : str
        Visible text; ``text`` is without the heading and without the texts of controls.
    words : int
        Number of words of ``text``.
    controls : tuple of int
        Numbers of its controls.
    series, record : int
        Number of its series on the page and of its record in it, from 0; -1 for none.
    top : float
        Its upper edge in CSS pixels of the document.
    """

    region: int
    level: int = 0
    heading: str = ""
    text: str = ""
    words: int = 0
    controls: tuple[int, ...] = ()
    series: int = -1
    record: int = -1
    top: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class MapData:
    """The regions, sections and controls of a rendered page.

    Attributes
    ----------
    url, title : str
    viewport, size : tuple of float
        Width and height of the window and of the page in CSS pixels.
    scroll : tuple of float
        How far the window was scrolled.
    regions : tuple of MapRegion
    sections : tuple of MapSection
        In document order.
    controls : tuple of Control
        In document order; their numbers are those of the text and of the marks.
    region_of_cover : mapping of int to int
        Index of the innermost region of each row that covers a control.
    """

    url: str
    title: str
    viewport: tuple[float, float]
    size: tuple[float, float]
    scroll: tuple[float, float]
    regions: tuple[MapRegion, ...]
    sections: tuple[MapSection, ...]
    controls: tuple[Control, ...]
    region_of_cover: Mapping[int, int] = field(default_factory=dict)

    def control(self, number: int) -> Control:
        """Return a control by its number; KeyError for any other number."""
        return self._by_number[number]

    @cached_property
    def _by_number(self) -> dict[int, Control]:
        return {control.number: control for control in self.controls}

    def region_index(self, row: int) -> int:
        """Return the index of the innermost region of a row that covers a control; -1 for none."""
        return self.region_of_cover.get(row, -1)
