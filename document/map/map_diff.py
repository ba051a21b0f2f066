"""Differences of two maps of a page, and numbers that stay with their controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from .controls import Control
from .map_data import MapData
from .map_text import control_text, letter, region_line

#: What makes a control the same one: role, name, target, and its index among those with the same three.
Key = tuple[str, str, str, int]
#: More controls that one region covers share a line.
_FEW = 3
#: Most new texts that are written, and the words of each.
_TEXTS, _WORDS = 20, 12


def keyed(controls: Iterable[Control]) -> dict[Key, Control]:
    """Return controls by their keys."""
    seen: Counter[tuple[str, str, str]] = Counter()
    keys: dict[Key, Control] = {}
    for control in controls:
        what = (control.role, control.name, control.target)
        keys[(*what, seen[what])] = control
        seen[what] += 1
    return keys


def renumbered(controls: list[Control], earlier: MapData) -> list[Control]:
    """Return controls with the numbers that they have in an earlier map; new ones follow the greatest of these."""
    before = keyed(earlier.controls)
    following = max((control.number for control in earlier.controls), default=0) + 1
    result: list[Control] = []
    for key, control in keyed(controls).items():
        if key in before:
            result.append(replace(control, number=before[key].number))
        else:
            result.append(replace(control, number=following))
            following += 1
    return result


def map_diff(earlier: MapData, later: MapData) -> str:
    """Return what is new (+), gone (-) and different (~), one line each; "" if nothing is."""
    before, after = keyed(earlier.controls), keyed(later.controls)
    changed = [
        control
        for key, control in after.items()
        if key in before
        and control_text(later, control) != control_text(earlier, replace(before[key], number=control.number))
    ]
    gone = [str(control.number) for key, control in before.items() if key not in after]
    texts = set(_texts(earlier))
    new = [text.split() for text in _texts(later) if text not in texts]
    lines = [f"+ {region_line(later, index)}" for index in _new_regions(earlier, later)]
    lines += [f"- {region_line(earlier, index)}" for index in _new_regions(later, earlier)]
    lines += [f"+ {control_text(later, control)}" for key, control in after.items() if key not in before]
    lines += _changes(later, changed)
    lines += [f"- controls {', '.join(gone)}"] if gone else []
    lines += [f'+ "{" ".join(words[:_WORDS])}{" …" if len(words) > _WORDS else ""}"' for words in new[:_TEXTS]]
    lines += [f"+ {len(new) - _TEXTS} more texts"] if len(new) > _TEXTS else []
    return "".join(line + "\n" for line in lines)


def _new_regions(earlier: MapData, later: MapData) -> list[int]:
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


def _texts(page_map: MapData) -> list[str]:
    return [text for section in page_map.sections for text in (section.heading, section.text) if text]


def _changes(later: MapData, changed: list[Control]) -> list[str]:
    """Return a line for each control that has changed, and one for all that a region newly covers."""
    by_cover: dict[int, list[Control]] = {}
    for control in changed:
        by_cover.setdefault(later.region_index(control.cover) if not control.clickable else -1, []).append(control)
    lines: list[str] = []
    for cover, controls in by_cover.items():
        if cover >= 0 and len(controls) > _FEW:
            numbers = sorted(control.number for control in controls)
            lines.append(f"~ {len(controls)} controls [{numbers[0]}-{numbers[-1]}] covered by {letter(cover)}")
        else:
            lines += [f"~ {control_text(later, control)}" for control in controls]
    return lines
