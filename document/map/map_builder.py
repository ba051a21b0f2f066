"""Making the map of a rendered page from its controls, regions, headings and series."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from ...classify.roles import LeafRoles
from ...classify.system import Judge, System, page_for
from ...classify.systems import as_system
from ...errors import GeometryMissing
from ...lexicon.instructions import without_instruction
from ...page.arrays import BoolColumn, IntColumn, corners_of, mask_of
from ...page.page import Page
from ...page.to_html import rows_of
from ...page.visibility import invisible_leaves
from ...records.field_columns import FEWEST
from ...segment.record_groups import find_record_groups
from ..content.parts.inline import HEADINGS
from .accessible import LONGEST
from .controls import Control, ControlFinder
from .map_regions import MapRegion, RegionFinder
from .page_map import NAME, MapSection, PageMap, letter, renumbered

#: Distance to the left, in CSS pixels, within which a visible text is the label of a field without a name.
_ASIDE = 160.0
_FIELDS = ("textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox", "date", "time", "color", "file")
_BOXES = ("checkbox", "radio", "switch")


def page_map(
    page: Page,
    *,
    after: PageMap | None = None,
    within: str = "",
    only: Literal["", "controls"] = "",
    system: System | str = "blocksight",
    timeout: float | None = None,
) -> PageMap:
    """Return the map of a rendered page: regions, sections and controls, for programs that act on pages.

    Parameters
    ----------
    page : Page
        With geometry: of ``Browser().open(...)``, or of ``capture`` with the page of your own Playwright.
    after : PageMap, optional
        An earlier map of the page: what is still there keeps its number.
    within : str
        A part of the page: "window", "dialog" (the uppermost one), the letter of a region, or a CSS selector. Controls
        keep the numbers that they have on the whole page, and ``left_out`` counts what is outside.
    only : str
        "controls": without the text between them.
    system : System or str
        Predicts the roles of text outside of landmarks.
    timeout : float, optional
        Seconds, after which the process that does the work is killed.

    Returns
    -------
    PageMap
        ``text`` for a language model, ``to_dict()`` for a program, ``control(number)`` with a selector for Playwright,
        ``diff(earlier)`` for what has changed.

    Raises
    ------
    TypeError
        If ``page`` is no Page.
    GeometryMissing
        If the page was not rendered.
    ValueError
        If no system has that name, or nothing is the part that was asked for.
    TimedOut
        If it is not done within ``timeout``.

    Notes
    -----
    Roles follow HTML-AAM, names the Accessible Name and Description Computation 1.2. All is computed from the captured
    page: nothing is clicked or asked of the browser.
    """
    if not isinstance(page, Page):
        raise TypeError(f"page_map takes a Page, not a value of type {type(page).__name__}: open or capture one")
    if page.geometry is None:
        raise GeometryMissing("a page map")
    if timeout is not None:
        from ...processes.workers import run_in_time

        work = partial(page_map, after=after, within=within, only=only, system=system)
        return run_in_time(timeout, page.url, work, page)
    builder = _MapBuilder(page)
    chosen = as_system(system)
    roles = None
    if len(page.leaves) and builder.needs_roles and isinstance(chosen, Judge):
        roles = chosen.judge(page_for(chosen, page)).roles
    return builder.build(roles, after, within, only)


class _MapBuilder:
    """The steps of a page's map; ``needs_roles`` says whether roles of its text would improve it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.finder = ControlFinder(page)
        self.controls = self.finder.find()
        rows = np.asarray([control.row for control in self.controls], dtype=np.int32)
        self.regions = RegionFinder(page, self.finder.tree, rows)

    @property
    def needs_roles(self) -> bool:
        """Whether much of the page is in no landmark."""
        return self.regions.needs_roles()

    def build(
        self, roles: LeafRoles | None = None, after: PageMap | None = None, within: str = "", only: str = ""
    ) -> PageMap:
        """Return the map of a part; controls that an earlier map has keep their numbers."""
        page, geometry = self.page, self.page.geometry
        assert geometry is not None
        regions, region_of = self.regions.find(roles)
        controls = [self._with_label(control) for control in self.controls]
        if after is not None:
            controls = renumbered(controls, after)
        numbers = {control.row: control for control in controls}
        left_out = self._narrow(controls, regions, region_of, within, only) if within or only else ""
        covers = {control.cover for control in controls if control.cover >= 0}
        region_at = partial(self._region_at, regions, region_of)
        regions = [self._covered(index, region, region_at) for index, region in enumerate(regions)]
        return PageMap(
            url=page.url,
            title=page.title,
            viewport=geometry.viewport,
            size=geometry.size,
            scroll=(float(self.finder.hits.scroll[0]), float(self.finder.hits.scroll[1])),
            regions=tuple(regions),
            sections=tuple(_Sections(self, controls, region_of).sections()),
            controls=tuple(controls),
            region_of_cover={row: index for row in covers if (index := region_at(row)) >= 0},
            covers={row: self._cover(row, numbers) for row in covers},
            left_out=left_out,
        )

    def _narrow(
        self, controls: list[Control], regions: list[MapRegion], region_of: IntColumn, within: str, only: str
    ) -> str:
        """Remove controls, and hide text, outside of a part, in place; return what was left out."""
        page, shown = self.page, self.regions.shown
        inside = self._part(within, regions, region_of) if within else np.ones(len(page), dtype=bool)
        kept = shown & inside[page.leaves] & (only != "controls")
        words = sum(len(page.leaf_texts[leaf].split()) for leaf in np.flatnonzero(shown & ~kept).tolist())
        outside = [control for control in controls if not inside[control.row]]
        self.regions.shown = kept
        controls[:] = [control for control in controls if inside[control.row]]
        return f"left out: {len(outside)} controls, {words} words"

    def _part(self, within: str, regions: list[MapRegion], region_of: IntColumn) -> BoolColumn:
        """Return the nodes of a part, bool (nodes,)."""
        page, geometry, extent = self.page, self.page.geometry, self.regions.extent
        assert geometry is not None
        if within == "window":
            low, high = self.finder.hits.scroll, self.finder.hits.scroll + np.asarray(geometry.viewport)
            seen = (extent[:, :2] < high).all(axis=1) & (extent[:, 2:] > low).all(axis=1)
            return np.asarray(seen | self.finder.sticky)
        marked = np.zeros(len(page), dtype=bool)
        letters = [letter(index) for index in range(len(regions))]
        if within == "dialog":
            dialogs = [region.row for region in regions if region.kind in ("dialog", "consent") and region.row >= 0]
            marked[sorted(dialogs, key=lambda row: geometry.paint_order[row])[-1:]] = True
        elif within in letters:
            inner = {letters.index(within)}
            for index, region in enumerate(regions):
                inner |= {index} if region.parent in inner else set()
            return np.isin(region_of, sorted(inner))
        else:
            try:
                marked[rows_of(page, within)] = True
            except ValueError as error:
                raise ValueError(f"{within!r} is no letter of a region and no CSS selector: {error}") from error
        if not marked.any():
            known = f"window, dialog, a region ({', '.join(letters) or 'it has none'}) or a CSS selector"
            raise ValueError(f"nothing of the page is {within!r}; take {known}")
        return page.below(marked)

    def _region_at(self, regions: list[MapRegion], region_of: IntColumn, row: int) -> int:
        """Return the innermost region of what covers something, or the dialog in it, as of a backdrop."""
        held = [(index, region) for index, region in enumerate(regions) if row <= region.row < self.page.end[row]]
        layers = [index for index, region in held if region.row == row or region.kind in ("dialog", "consent")]
        return layers[0] if layers else int(region_of[row])

    def _cover(self, row: int, numbers: dict[int, Control]) -> str:
        """Return what covers something: the control of a row, or the element by role or tag, and its name or class."""
        above = row
        while above >= 0 and above not in numbers:
            above = int(self.page.parent[above])
        if above >= 0:
            return f"[{numbers[above].number}] {numbers[above].role} {numbers[above].name}".rstrip()
        name = without_instruction(self.finder.tree.name(row)) or f"({_hint(self.page, row)})"
        return f"{self.finder.tree.role(row) or self.page.tag_of(row)} {name}".removesuffix(" ()")

    def _covered(self, index: int, region: MapRegion, region_at: Callable[[int], int]) -> MapRegion:
        """Return a region with the other region that covers most of it."""
        if region.row < 0:
            return region
        hit = self.finder.hits.of(region.row)
        cover = region_at(hit.cover) if hit.cover >= 0 and hit.free < 0.5 else -1
        return region if cover in (-1, index, region.parent) else replace(region, covered_by=cover)

    def _with_label(self, control: Control) -> Control:
        """Return a control with a name: of a field without one the visible text next to it."""
        if control.name:
            return control
        label = self._label_by_look(control) if control.role in (*_FIELDS, *_BOXES) else ""
        if label:
            return replace(control, name=label, state=control.state | {"named_by": "look"})
        hint = _hint(self.page, control.row)
        return replace(control, state=control.state | {"hint": hint}) if hint else control

    def _label_by_look(self, control: Control) -> str:
        lines, texts = self._lines
        if not len(lines):
            return ""
        left, top, width, height = control.box
        right, bottom = left + width, top + height
        from_left, from_top, to_right, to_bottom = lines.T
        beside = self._corners[(self._corners[:, 1] < bottom) & (self._corners[:, -1] > top)]
        starts, _, ends, _ = beside.T
        reach = 2 * height
        if control.role in _BOXES:
            # What follows another control is of that one.
            ahead, free = from_left - right, from_left < starts[starts >= right].min(initial=right + reach)
        else:
            ahead, free = left - to_right, to_right > ends[ends <= left].max(initial=left - _ASIDE)
        near = np.where((from_top < bottom) & (to_bottom > top) & (ahead > -2) & free, ahead, np.inf)
        # The text before a field in its line is its label, though other text may be nearer above.
        if control.role in _FIELDS and not np.isfinite(near).any():
            in_column = (from_left < right) & (to_right > left)
            above = np.where(in_column & (to_bottom <= top + 2), top - to_bottom, np.inf)
            below = np.where(in_column & (from_top >= bottom - 2), from_top - bottom, np.inf)
            # Text below a field is more often a hint than its label.
            near = below if below.min() < min(above.min(), reach) / 2 else above
            near[near >= reach] = np.inf
        best = int(near.argmin())
        # A paragraph is no label.
        return texts[best] if np.isfinite(near[best]) and len(texts[best]) <= NAME else ""

    @cached_property
    def _corners(self) -> np.ndarray:
        return corners_of(np.asarray([control.box for control in self.controls]))

    @cached_property
    def _lines(self) -> tuple[np.ndarray, list[str]]:
        """The boxes of the visible lines outside of links and buttons, and the text of the leaf of each."""
        page, geometry = self.page, self.page.geometry
        assert geometry is not None
        leaf = np.full(len(page), -1, dtype=np.int32)
        free = ~invisible_leaves(page) & ~page.below(page.has_tag("a", "button", "option"))[page.leaves]
        free &= np.asarray([any(map(str.isalpha, text)) for text in page.leaf_texts], dtype=bool)
        leaf[page.leaves[free]] = np.flatnonzero(free)
        kept = leaf[geometry.line_node] >= 0
        texts = [" ".join(page.leaf_texts[index].split()) for index in leaf[geometry.line_node[kept]].tolist()]
        return corners_of(geometry.line_box[kept]), texts


def _hint(page: Page, row: int) -> str:
    """Return the class name, id or picture's file of a control without a name, for what they are worth."""
    for below in range(row, int(page.end[row])):
        attributes = page.attributes_of(below)
        value = attributes.get("class") or attributes.get("id") or attributes.get("src", "").rsplit("/", 1)[-1]
        if value and not value.startswith("data:") and without_instruction(re.sub(r"[-_]", " ", value)):
            return " ".join(value.split())[:NAME]
    return ""


class _Sections:
    """Splits the visible text and the controls of a page into sections."""

    def __init__(self, builder: _MapBuilder, controls: list[Control], region_of: IntColumn) -> None:
        self.page, self.controls, self.region_of = builder.page, controls, region_of
        self.shown = builder.regions.shown
        self.extent = builder.regions.extent
        page = self.page
        marked = mask_of(len(page), [control.row for control in controls])
        self.control_of = page.nearest(marked)
        #: Texts that are the names of fields: of label elements, and by look.
        self.labels = page.below(page.has_tag("label"))
        self.names = {control.name for control in controls if control.state.get("named_by") == "look"}
        self.all_names = "\n".join(control.name for control in controls)
        heading = page.has_tag(*HEADINGS) | page.attribute_matches(
            "role", lambda value: value.strip().lower() == "heading"
        )
        self.heading_of = page.nearest(heading)
        self.series, self.record = self._series()

    def _series(self) -> tuple[IntColumn, IntColumn]:
        """Return the series and the record of each node, int32 (nodes,) each; -1 for none."""
        series, record = (np.full(len(self.page), -1, dtype=np.int32) for _ in range(2))
        number = 0
        for group in find_record_groups(self.page):
            if len(group.outer) < FEWEST:
                continue
            for index, (first, end) in enumerate(group.outer):
                series[first:end], record[first:end] = number, index
            number += 1
        return series, record

    def sections(self) -> list[MapSection]:
        """Return the sections in document order."""
        leaf_rows = self.page.leaves[self.shown]
        events = sorted([(int(row), 0) for row in leaf_rows.tolist()] + [(c.row, c.number) for c in self.controls])
        sections: list[MapSection] = []
        key: tuple[int, ...] = ()
        last_heading = -1
        texts: list[str] = []
        for row, number in events:
            heading = int(self.heading_of[row])
            series, record = int(self.series[row]), int(self.record[row])
            region = int(self.region_of[row])
            # A heading starts a section, unless it is in a record: that is one section with its first heading.
            new_key = (region, series, record) if series >= 0 else (region, -1, -1)
            starts = heading >= 0 and series < 0 and heading != last_heading
            if starts or new_key != key:
                self._close(sections, texts)
                top = float(np.nan_to_num(self.extent[row, 1]))
                sections.append(MapSection(region=region, series=series, record=record, top=round(top)))
                key, last_heading = new_key, heading
            self._add(sections, texts, row, number, heading)
        self._close(sections, texts)
        return [section for section in sections if section.heading or section.words or section.controls]

    def _add(self, sections: list[MapSection], texts: list[str], row: int, number: int, heading: int) -> None:
        last = sections[-1]
        if number:
            sections[-1] = replace(last, controls=(*last.controls, number))
            return
        text = " ".join(self.page.text_of(row).split())
        if heading >= 0 and (not last.heading or self._is_same_heading(row, heading)):
            level = self.page.attributes_of(heading).get("aria-level", "") or self.page.tag_of(heading)[1:]
            sections[-1] = replace(
                last,
                heading=f"{last.heading} {text}".strip()[:LONGEST],
                level=int(level) if level.isdigit() and len(level) == 1 else 2,
            )
        elif (
            self.control_of[row] < 0
            and not (self.labels[row] and text in self.all_names)
            and text not in self.names
            and any(character.isalnum() for character in text)
        ):
            texts.append(text)

    def _is_same_heading(self, row: int, heading: int) -> bool:
        """Return whether the text before a text in document order is in the same heading."""
        index = int(np.searchsorted(self.page.leaves, row)) - 1
        return index >= 0 and int(self.heading_of[self.page.leaves[index]]) == heading

    def _close(self, sections: list[MapSection], texts: list[str]) -> None:
        if sections and texts:
            text = " ".join(texts)
            sections[-1] = replace(sections[-1], text=text, words=len(text.split()))
        texts.clear()
