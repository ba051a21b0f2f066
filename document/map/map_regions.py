"""The regions of a page: landmarks and layers by their roles, and blocks of the adaptive cut for what has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...classify.roles import LeafRoles
from ...lexicon.instructions import without_instruction
from ...page.arrays import HARDLY_ANY, BoolColumn, IntColumn, mask_of
from ...page.geometry import Position
from ...page.overlays import Overlay, find_overlays
from ...page.page import Page
from ...page.role_names import ROLES
from ...page.visibility import invisible_leaves
from ...segment.vips.vips import vips
from ...segment.visible_boxes import visible_boxes
from .accessible import DIALOGS, LANDMARKS, AccessibleTree

_KINDS = {
    "banner": "header", "navigation": "menu", "main": "main", "complementary": "aside", "contentinfo": "footer",
    "search": "search", "form": "form", "region": "section", "dialog": "dialog", "alertdialog": "dialog",
}  # fmt: skip
#: Kinds of blocks outside of landmarks, by the role of their text.
_KINDS_OF_TEXT = {
    "navigation": "menu", "footer": "footer", "related": "aside", "promotion": "aside", "notice": "aside",
    "form": "form", "comment": "comments",
}  # fmt: skip
#: Width of a scrollbar and of margins that some bars have, in CSS pixels.
_EDGE = 24.0


@dataclass(frozen=True, kw_only=True)
class MapRegion:
    """A part of a page.

    Attributes
    ----------
    kind : str
        header, menu, main, aside, footer, search, form, section, comments, dialog, consent or bar.
    name : str
        Accessible name; "" for none.
    box : tuple of float
        ``(x, y, width, height)`` in CSS pixels of the document.
    parent : int
        Index of the region around it, -1 for none.
    row : int
        Row of its element, -1 for a run of blocks without an element of its own.
    sticky : bool
        It stays in the window when the page is scrolled.
    covered_by : int
        Index of the layer that covers most of it, -1 for none.
    """

    kind: str
    name: str
    box: tuple[float, float, float, float]
    parent: int
    row: int
    sticky: bool = False
    covered_by: int = -1


class RegionFinder:
    """The regions of a rendered page, and the region of each node."""

    def __init__(self, page: Page, tree: AccessibleTree, controls: IntColumn) -> None:
        self.page, self.tree = page, tree
        assert page.geometry is not None
        self.geometry = page.geometry
        self.shown = ~invisible_leaves(page)
        self.extent = visible_boxes(page).extent
        self.controls = mask_of(len(page), controls)
        self.holds = mask_of(len(page), page.leaves[self.shown])
        self.holds[controls] = True
        self.kind = self._elements()

    def _elements(self) -> dict[int, str]:
        """Return the kind of each element that is a region by its role or is a layer, by row."""
        page, full = self.page, self.page.count_within(self.holds) > 0
        candidates = page.has_tag(*"header nav main aside footer section form search dialog".split())
        candidates = candidates | (page.attribute("role") >= 0)
        kinds: dict[int, str] = {}
        for row in np.flatnonzero(candidates & full & (page.text < 0)).tolist():
            role = self.tree.role(row)
            if role in DIALOGS or (role in LANDMARKS and (role != "region" or self.tree.name(row))):
                kinds[row] = _KINDS[role]
        for overlay in find_overlays(page):
            inside = any(row in kinds for row in range(overlay.node, int(page.end[overlay.node])))
            if overlay.kind == "consent" or not inside:
                kinds[overlay.node] = "dialog" if self._floats(overlay) else overlay.kind
        # A layer in a layer is one thing, such as the dialog in the element that fixes it to the window.
        layers = mask_of(len(page), [row for row, kind in kinds.items() if kind in ("dialog", "consent")])
        nested = np.where(page.parent >= 0, page.below(layers)[page.parent], False)
        return {row: kind for row, kind in sorted(kinds.items()) if not (nested[row] and layers[row])}

    def _floats(self, overlay: Overlay) -> bool:
        """Return whether a bar with controls touches no edge of the window, as dialogs do."""
        left, top, width, height = overlay.box
        if overlay.kind != "bar" or self.geometry.position[overlay.node] != Position.FIXED:
            return False
        window_width, window_height = self.geometry.viewport
        inner = left > 0 and top > 0 and left + width < window_width - _EDGE and top + height < window_height - _EDGE
        return inner and bool(self.controls[overlay.node : self.page.end[overlay.node]].any())

    def needs_roles(self) -> bool:
        """Return whether much of the text is in no landmark, so that the roles of its blocks matter."""
        inside = self.page.below(self._marked())[self.page.leaves]
        size = self.page.leaf_lengths * self.shown
        return bool(size[~inside].sum() > HARDLY_ANY * max(size.sum(), 1))

    def _marked(self) -> BoolColumn:
        return mask_of(len(self.page), list(self.kind))

    def find(self, roles: LeafRoles | None) -> tuple[list[MapRegion], IntColumn]:
        """Return the regions in document order, and the index of the innermost region of each node, int32 (nodes,)."""
        page = self.page
        region_of = np.full(len(page), -1, dtype=np.int32)
        nearest = page.nearest(self._marked())
        runs = self._runs(roles, nearest)
        entries = sorted([(row, kind, row, int(page.end[row])) for row, kind in self.kind.items()] + runs)
        regions: list[MapRegion] = []
        index_of: dict[int, int] = {}
        for index, (first, kind, row, end) in enumerate(entries):
            above = int(page.parent[row]) if row >= 0 else -1
            parent = index_of.get(int(nearest[above]), -1) if above >= 0 else -1
            if row >= 0:
                index_of[row] = index
            region_of[first:end][(nearest[first:end] < 0) | (row >= 0)] = index
            regions.append(self._region(kind, row, first, end, parent, nearest))
        return regions, region_of

    def _runs(self, roles: LeafRoles | None, nearest: IntColumn) -> list[tuple[int, str, int, int]]:
        """Return the runs of blocks of one kind outside of landmarks: (first row, kind, -1, end)."""
        page = self.page
        outside = np.flatnonzero((nearest < 0) & self.holds)
        if not len(outside):
            return []
        kind_of = self._kinds_of_leaves(roles)
        leaf_at = np.searchsorted(page.leaves, outside)
        runs: list[tuple[int, str, int, int]] = []
        for row, leaf in zip(outside.tolist(), leaf_at.tolist(), strict=True):
            exact = leaf < len(page.leaves) and page.leaves[leaf] == row
            inner = page.leaf_range[row].tolist()
            kind = kind_of[leaf] if exact else kind_of[inner[0]] if inner[1] > inner[0] else ""
            end = int(page.end[row])
            # A run ends at a landmark between two blocks; a control without text continues it.
            broken = runs and bool((nearest[runs[-1][0] : row] >= 0).any())
            if runs and not broken and kind in ("", runs[-1][1]):
                first, kind, unmarked, last = runs[-1]
                runs[-1] = (first, kind, unmarked, max(end, last))
            else:
                runs.append((row, kind or "main", -1, end))
        return runs

    def _kinds_of_leaves(self, roles: LeafRoles | None) -> list[str]:
        """Return the kind of each leaf by the role of most of the text in its block of the adaptive cut."""
        page = self.page
        blocks = vips(page)
        kinds = ["main"] * len(page.leaves)
        if roles is None:
            return kinds
        lengths = page.leaf_lengths
        order = np.argsort(blocks.leaf_block, kind="stable")
        for leaves in np.split(order, np.flatnonzero(np.diff(blocks.leaf_block[order])) + 1):
            shown = leaves[self.shown[leaves]].tolist()
            role, _ = roles.of(shown, lengths) if shown else (None, None)
            kind = _KINDS_OF_TEXT.get(role or ROLES[0], "main")
            for leaf in leaves.tolist():
                kinds[leaf] = kind
        return kinds

    def _region(self, kind: str, row: int, first: int, end: int, parent: int, nearest: IntColumn) -> MapRegion:
        box = self.geometry.box[row] if row >= 0 else None
        if box is None or not np.isfinite(box[0]) or (box[2:] <= 0).any():
            inside = np.arange(first, end)
            inside = inside if row >= 0 else inside[nearest[first:end] < 0]
            extent = self.extent[inside[np.isfinite(self.extent[inside, 0])]]
            extent = extent if len(extent) else np.zeros_like(self.extent[:1])
            low, high = extent[:, :2].min(axis=0), extent[:, 2:].max(axis=0)
            box = np.concatenate([low, high - low])
        left, top, width, height = (round(float(value)) for value in box.tolist())
        stays = np.isin(self.geometry.position, (Position.FIXED, Position.STICKY))
        sticky = row >= 0 and self._is_staying(row, stays)
        name = without_instruction(self.tree.name(row)) if row >= 0 and kind != "form" else ""
        return MapRegion(kind=kind, name=name, box=(left, top, width, height), parent=parent, row=row, sticky=sticky)

    def _is_staying(self, row: int, stays: BoolColumn) -> bool:
        """Return whether an element, one around it, or its only child stays in the window."""
        if self.page.below(stays)[row]:
            return True
        child = row + 1
        return bool(child < self.page.end[row] and self.page.end[child] == self.page.end[row] and stays[child])
