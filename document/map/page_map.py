"""The map of a page, for programs and language models: its regions, sections and controls, its outline, its changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from ...page.arrays import HALF, MOSTLY
from ..chunks import estimate_tokens
from .controls import Control
from .map_regions import MapRegion

#: Least tokens of a map, and most of one if nothing else is asked for.
LEAST_TOKENS, TOKENS = 100, 1500
#: Most words of a section, records of a series and controls of a section that are written; they are cut until the map
#: fits.
_GENEROUS = 40
#: Most characters of a name.
NAME = 60
#: What makes a control the same one: role, name, target, and its index among those with the same three.
Key = tuple[str, str, str, int]
#: Most new texts that are written, and the words of each.
_NEW = 20


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
    series: int
    record: int
    top: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PageMap:
    """The regions, sections and controls of a rendered page, and a short text of them for a language model.

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
        Index of the innermost region of each row that covers a control, or of the one in it.
    covers : mapping of int to str
        Each such row by itself: number, role and name of a control, else role or tag and name of the element.
    left_out : str
        What is outside of the part that was asked for; "" if nothing is.
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
    covers: Mapping[int, str] = field(default_factory=dict)
    left_out: str = ""

    def control(self, number: int) -> Control:
        """Return a control by its number; KeyError for any other number."""
        return self._by_number[number]

    @cached_property
    def _by_number(self) -> dict[int, Control]:
        return {control.number: control for control in self.controls}

    def region_index(self, row: int) -> int:
        """Return the index of the innermost region of a row that covers a control; -1 for none."""
        return self.region_of_cover.get(row, -1)

    @cached_property
    def text(self) -> str:
        """The map in at most 1,500 tokens."""
        return self.to_text()

    def to_text(self, *, tokens: int = TOKENS, count: Callable[[str], int] | None = None) -> str:
        """Return the map as an indented outline.

        Parameters
        ----------
        tokens : int
            Most tokens, at least 100. Records of a series, words and controls far from the window are cut until the
            text fits; the last line says what was cut.
        count : callable, optional
            A model's token count, such as ``lambda text: len(tokenizer.encode(text))``. By default
            :func:`~blocksight.document.chunks.estimate_tokens`.

        Raises
        ------
        ValueError
            For fewer than 100 tokens.
        """
        return _map_text(self, tokens=tokens, count=count or estimate_tokens)

    def diff(self, earlier: PageMap) -> str:
        """Return what is new (+), gone (-) and different (~) compared with an earlier map of the page; "" if equal."""
        return _map_diff(earlier, self)

    def to_dict(self) -> dict[str, Any]:
        """Return the map as plain values."""
        regions = [
            {"index": index, **asdict(region), "box": list(region.box)} for index, region in enumerate(self.regions)
        ]
        return {
            "url": self.url,
            "title": self.title,
            "viewport": list(self.viewport),
            "size": list(self.size),
            "scroll": list(self.scroll),
            "regions": [{name: value for name, value in region.items() if name != "row"} for region in regions],
            "sections": [asdict(section) | {"controls": list(section.controls)} for section in self.sections],
            "controls": [self._control_dict(control) for control in self.controls],
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    def _control_dict(self, control: Control) -> dict[str, Any]:
        values = asdict(control) | {"box": list(control.box)}
        del values["row"], values["cover"]
        position = None if control.position is None else list(control.position)
        cover = {"covered_by": self.region_index(control.cover), "cover": self.cover_of(control)}
        return values | {"position": position} | cover

    def cover_of(self, control: Control) -> str:
        """Return what covers a control: another control, else another region, else the element; "" for none."""
        what, region = self.covers.get(control.cover, ""), self.region_index(control.cover)
        if region < 0 or what.startswith("["):
            return what
        own = next((section.region for section in self.sections if control.number in section.controls), -1)
        return what if region == own else _named(self, region)

    def __repr__(self) -> str:
        return f"<PageMap {self.url} {len(self.regions)} regions, {len(self.controls)} controls>"


# -- the outline within a budget of tokens ----------------------------------------------------------------------------


def _map_text(page_map: PageMap, *, tokens: int, count: Callable[[str], int]) -> str:
    """Return the outline in at most so many tokens."""
    if tokens < LEAST_TOKENS:
        raise ValueError(f"a map needs at least {LEAST_TOKENS} tokens, not {tokens}")
    most: float = _GENEROUS
    while most >= 1:
        text = _Outline(page_map, most).text()
        if count(text) <= tokens:
            return text
        most *= MOSTLY
    # Regions are left out from the last on, those without a dialog first.
    order = sorted(range(len(page_map.regions)), key=lambda index: (_weight(page_map.regions[index]), index))
    left_out: set[int] = set()
    while order:
        left_out.add(order.pop())
        text = _Outline(page_map, 0, frozenset(left_out)).text()
        if count(text) <= tokens:
            return text
    return text


def _weight(region: MapRegion) -> int:
    """Return the importance of a region, 0 the greatest."""
    kinds = ("dialog", "consent", "main", "search", "form", "header", "menu", "bar", "section", "comments", "aside")
    return kinds.index(region.kind) if region.kind in kinds else len(kinds)


class _Outline:
    """One way to write a map: with at most so many words, records and controls."""

    def __init__(self, page_map: PageMap, most: float, left_out: frozenset[int] = frozenset()) -> None:
        self.map, self.words = page_map, round(most)
        self.records, self.most_controls = max(self.words, 1), max(self.words, 2)
        self.left_out = left_out
        self.cut: Counter[str] = Counter()
        self.lines: list[str] = []
        #: Region and series of the last line, if that is a menu.
        self._menu = (-1, -1)
        self.sections: dict[int, list[MapSection]] = defaultdict(list)
        for section in page_map.sections:
            self.sections[section.region].append(section)
        self.below: dict[int, list[int]] = defaultdict(list)
        for index, region in enumerate(page_map.regions):
            self.below[region.parent].append(index)

    def text(self) -> str:
        page, (width, height) = self.map, self.map.viewport
        screens = f"{page.size[1] / height:.1f}" if height else "1"
        self.lines.append(
            f"{page.title} | {page.url} | window {width:g}×{height:g}"
            + (f" at {page.scroll[1]:g}" if page.scroll[1] else "")
            + f" | page {screens} screens"
        )
        self._section_lines(self.sections.get(-1, []), 0)
        for index in self.below[-1]:
            self._region(index, 0)
        counts = [(name, self.cut[name]) for name in ("record", "word", "control") if self.cut[name]]
        cut = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts]
        letters = ", ".join(map(letter, sorted(self.left_out)))
        cut += [f"the regions {letters}"] if letters else []
        self.lines += [f"cut: {', '.join(cut)}"] if cut else []
        self.lines += [self.map.left_out] if self.map.left_out else []
        return "".join(line + "\n" for line in self.lines)

    def _region(self, index: int, depth: int) -> None:
        if index in self.left_out:
            self.cut["control"] += sum(len(section.controls) for section in self.sections.get(index, ()))
        elif not self.map.left_out or self._holds(index):
            self.lines.append("  " * depth + _region_line(self.map, index))
            self._section_lines(self.sections.get(index, []), depth + 1)
        for inner in self.below[index]:
            self._region(inner, depth + (index not in self.left_out))

    def _holds(self, index: int) -> bool:
        """Return whether a region or one in it has sections."""
        return bool(self.sections.get(index)) or any(map(self._holds, self.below[index]))

    def _section_lines(self, sections: list[MapSection], depth: int) -> None:
        written: dict[int, int] = defaultdict(int)
        total: dict[int, int] = defaultdict(int)
        for section in sections:
            if section.series >= 0:
                total[section.series] += 1
        for number, section in enumerate(sections):
            if section.series >= 0:
                if written[section.series] == self.records and total[section.series] > self.records + 1:
                    rest = [other for other in sections[number:] if other.series == section.series]
                    self._more(rest, depth)
                if total[section.series] > self.records + 1 and written[section.series] >= self.records:
                    written[section.series] += 1
                    continue
                written[section.series] += 1
            self._section(section, depth)

    def _more(self, rest: list[MapSection], depth: int) -> None:
        numbers = [number for section in rest for number in section.controls]
        span = f" [{min(numbers)}-{max(numbers)}]" if numbers else ""
        self.lines.append("  " * depth + f"… {len(rest)} more like this{span}")
        self.cut["record"] += len(rest)

    def _section(self, section: MapSection, depth: int) -> None:
        distance, is_far = self._distance(section)
        controls = self._controls(section, distant=is_far)
        parts = [*self._words(section), *controls]
        if not parts:
            return
        line = "  " * depth + ("- " if section.series >= 0 else "") + " · ".join(parts)
        line += f" {distance}" if distance and controls else ""
        # Entries of a menu share a line.
        single = section.series >= 0 and not section.words and not section.heading and len(parts) == 1
        if single and self._menu == (section.region, section.series):
            self.lines[-1] += " · " + parts[0]
        else:
            self.lines.append(line)
        self._menu = (section.region, section.series) if single else (-1, -1)

    def _distance(self, section: MapSection) -> tuple[str, bool]:
        """Return how far a section is from the window unless its region says so, and whether it is out of view."""
        distance = _screens(self.map, section.top, 1.0)
        if section.region < 0:
            return distance, bool(distance)
        region = self.map.regions[section.region]
        _, top, _, height = region.box
        region_is_far = bool(_screens(self.map, top, height))
        distance = "" if region_is_far or region.sticky else distance
        return distance, bool(distance) or region_is_far

    def _words(self, section: MapSection) -> list[str]:
        """Return the heading and the first words of a section."""
        words = section.text.split()[: self.words]
        left = section.words - len(words)
        self.cut["word"] += left
        parts = [f"{'#' * section.level} {section.heading}"] if section.heading else []
        return [*parts, " ".join(words) + (f" … (+{left} words)" if left else "")] if words else parts

    def _controls(self, section: MapSection, *, distant: bool) -> list[str]:
        controls = [self.map.control(number) for number in section.controls]
        rest = controls[self.most_controls :] if len(controls) > self.most_controls + 1 else []
        shown = controls[: len(controls) - len(rest)]
        parts = [_control_text(self.map, control, below=section.region, distant=distant) for control in shown]
        self.cut["control"] += len(rest)
        return [*parts, f"… {len(rest)} more [{rest[0].number}-{rest[-1].number}]"] if rest else parts


def letter(index: int) -> str:
    """Return the letters of a region: A, B, ..., Z, AA ..."""
    more, last = divmod(index, len(ascii_uppercase))
    return (letter(more - 1) if more else "") + ascii_uppercase[last]


def _region_line(page_map: PageMap, index: int) -> str:
    """Return the line of a region: letter, kind, name, box, flags."""
    region = page_map.regions[index]
    left, top, width, height = region.box
    flags = ["sticky"] if region.sticky else []
    distance = _screens(page_map, top, height)
    flags += [distance] if distance and not region.sticky else []
    flags += [f"covered by {_named(page_map, region.covered_by)}"] if region.covered_by >= 0 else []
    return " ".join([f"{_named(page_map, index)} {left:g},{top:g} {width:g}×{height:g}", *flags])


def _named(page_map: PageMap, index: int) -> str:
    """Return letter, kind and name of a region."""
    region = page_map.regions[index]
    return f"{letter(index)} {region.kind}" + (f' "{_short(region.name)}"' if region.name else "")


def _control_text(page_map: PageMap, control: Control, *, below: int = -1, distant: bool = False) -> str:
    """Return a control with its number, role (except for links), name, state and flags.

    ``below`` is its region: of its flags those of the region are not repeated; ``distant``: the distance is written
    elsewhere.
    """
    role = "" if control.role == "link" else f"{control.role} "
    hint = control.state.get("hint", "")
    name = _short(control.name) or (f"({hint})" if hint else "(no name)")
    parts = [f"[{control.number}] {role}{name}", *_states(control), _reach(page_map, control, below)]
    parts.append("clipped" if control.clipped else "")
    if control.screens and not distant:
        parts.append(f"{abs(control.screens):.1f}{'↓' if control.screens > 0 else '↑'}")
    return " ".join(filter(None, parts))


def _reach(page_map: PageMap, control: Control, below: int) -> str:
    """Return what covers a control, unless it covers its region ``below`` as well, or that it cannot be clicked."""
    cover = page_map.region_index(control.cover)
    if control.cover < 0:
        return "" if control.clickable or "disabled" in control.state else "cannot be clicked"
    known = below >= 0 and cover >= 0 and cover == page_map.regions[below].covered_by
    if control.free >= HALF or known:
        return ""
    return f"covered by {page_map.cover_of(control)}"


def _states(control: Control) -> list[str]:
    states: list[str] = []
    for name, value in control.state.items():
        if name == "value":
            states.append(f'="{_short(" ".join(str(value).split()))}"')
        elif name == "unseen" and value is not True:
            states.append(f'unseen="{_short(value)}"')
        elif name == "options":
            states.append(f"of {len(value)}")
        elif name == "expanded":
            states.append("open" if value is True else "closed")
        elif name not in ("hint", "named_by", "placeholder"):
            states.append(name if value is True else f"{name}={value}")
    return states


def _screens(page_map: PageMap, top: float, height: float) -> str:
    """Return how far a box is from the window, in heights of the window; "" if it is in view."""
    window = page_map.viewport[1]
    top -= page_map.scroll[1]
    if window <= 0 or (top < window and top + height > 0):
        return ""
    return f"{top / window:.1f}↓" if top >= window else f"{-(top + height) / window:.1f}↑"


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1].rstrip()}…"


# -- changes between two maps -----------------------------------------------------------------------------------------


def _keyed(controls: Iterable[Control]) -> dict[Key, Control]:
    """Return controls by their keys."""
    seen: Counter[tuple[str, str, str]] = Counter()
    keys: dict[Key, Control] = {}
    for control in controls:
        what = (control.role, control.name, control.target)
        keys[(*what, seen[what])] = control
        seen[what] += 1
    return keys


def _matched(earlier: Iterable[Control], later: Iterable[Control]) -> list[tuple[Control | None, Control]]:
    """Pair each control with its earlier one: by role, name and target, or by its place if it has another name now."""
    before, after = _keyed(earlier), _keyed(later)
    left = {(control.role, control.selector): control for key, control in before.items() if key not in after}
    return [
        (before[key] if key in before else left.pop((control.role, control.selector), None), control)
        for key, control in after.items()
    ]


def renumbered(controls: list[Control], earlier: PageMap) -> list[Control]:
    """Return controls with the numbers that they have in an earlier map; new ones follow the greatest of these."""
    following = max((control.number for control in earlier.controls), default=0) + 1
    result: list[Control] = []
    for before, control in _matched(earlier.controls, controls):
        result.append(replace(control, number=before.number if before else following))
        following += before is None
    return result


def _map_diff(earlier: PageMap, later: PageMap) -> str:
    """Return what is new (+), gone (-) and different (~), one line each; "" if nothing is.

    How far a control is from the window is no difference.
    """
    pairs = _matched(earlier.controls, later.controls)
    changed = [
        control
        for before, control in pairs
        if before
        and _control_text(later, control, distant=True)
        != _control_text(earlier, replace(before, number=control.number), distant=True)
    ]
    kept = {before.number for before, _ in pairs if before}
    gone = [str(control.number) for control in earlier.controls if control.number not in kept]
    texts = set(_texts(earlier))
    new = [text.split() for text in _texts(later) if text not in texts]
    lines = [f"+ {_region_line(later, index)}" for index in _new_regions(earlier, later)]
    lines += [f"- {_region_line(earlier, index)}" for index in _new_regions(later, earlier)]
    lines += [f"+ {_control_text(later, control)}" for before, control in pairs if not before]
    lines += _changes(later, changed)
    lines += [f"- controls {', '.join(gone)}"] if gone else []
    lines += [f'+ "{" ".join(words[:_NEW])}{" …" if len(words) > _NEW else ""}"' for words in new[:_NEW]]
    lines += [f"+ {len(new) - _NEW} more texts"] if len(new) > _NEW else []
    return "".join(line + "\n" for line in lines)


def _new_regions(earlier: PageMap, later: PageMap) -> list[int]:
    """Return the indices of regions of which an earlier map has fewer of the same kind and name."""
    before = Counter((region.kind, region.name) for region in earlier.regions)
    after = Counter((region.kind, region.name) for region in later.regions)
    new = after - before
    found: list[int] = []
    for index, region in enumerate(later.regions):
        if new[region.kind, region.name] > 0:
            new[region.kind, region.name] -= 1
            found.append(index)
    return found


def _texts(page_map: PageMap) -> list[str]:
    return [text for section in page_map.sections for text in (section.heading, section.text) if text]


def _changes(later: PageMap, changed: list[Control]) -> list[str]:
    """Return a line for each control that has changed, and one for all that a region newly covers."""
    by_cover: dict[int, list[Control]] = {}
    for control in changed:
        by_cover.setdefault(later.region_index(control.cover) if not control.clickable else -1, []).append(control)
    lines: list[str] = []
    for cover, controls in by_cover.items():
        if cover >= 0 and len(controls) > 1:
            numbers = sorted(control.number for control in controls)
            lines.append(f"~ {len(controls)} controls [{numbers[0]}-{numbers[-1]}] covered by {_named(later, cover)}")
        else:
            lines += [f"~ {_control_text(later, control)}" for control in controls]
    return lines
