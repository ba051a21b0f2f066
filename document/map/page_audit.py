"""Layout facts of a page for accessibility: contrast, reading order, headings by look, size of targets."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...page.arrays import FloatArray, IntColumn
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...render.visibility.clipping import opacity_product
from ...render.visibility.visible_boxes import visible_boxes
from ...segment.element_locators import ElementLocators
from ...segment.order import reading_order
from .controls import Control, ControlFinder

#: Least contrast of text and of large text (WCAG 2.2, 1.4.3); large is from 24 pixels on, or 18.66 if bold.
CONTRAST, LARGE_CONTRAST = 4.5, 3.0
_LARGE, _LARGE_BOLD, _BOLD = 24.0, 18.66, 700
#: Least side of a target in CSS pixels (WCAG 2.2, 2.5.8).
TARGET = 24.0
#: Text of this size relative to most of the text looks like a heading if it is alone and has few words.
_HEADING_SIZE, _HEADING_WORDS = 1.2, 12
#: Difference of font sizes that counts.
_SAME_SIZE = 1.0
#: Most characters of a text.
_LONGEST = 120
KINDS = ("contrast", "order", "heading", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFinding:
    """One place of a page that may be hard to use."""

    kind: str  # one of KINDS
    text: str  # visible text or accessible name, at most 120 characters
    why: str
    value: float  # contrast ratio, position, font size or smallest side
    needed: float  # 0 if there is no limit
    box: tuple[float, float, float, float]  # (x, y, width, height) in CSS pixels of the document
    selector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAudit:
    """The findings of a page, by kind and in document order.

    ``unknown_contrast`` is the number of words over pictures and gradients, whose contrast is not computed.
    """

    url: str
    findings: tuple[AuditFinding, ...]
    words: int
    unknown_contrast: int

    @property
    def counts(self) -> dict[str, int]:
        """Number of findings of each kind."""
        counted = Counter(finding.kind for finding in self.findings)
        return {kind: counted[kind] for kind in KINDS}

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain values."""
        findings = [asdict(finding) | {"box": list(finding.box)} for finding in self.findings]
        return {
            "url": self.url,
            "counts": self.counts,
            "words": self.words,
            "unknown_contrast": self.unknown_contrast,
            "findings": findings,
        }


def page_audit(page: Page) -> PageAudit:
    """Return the findings of a rendered page; ValueError without geometry."""
    return _Auditor(page).audit()


class _Auditor:
    def __init__(self, page: Page) -> None:
        if page.geometry is None:
            raise ValueError("an audit needs geometry: render the page with Browser().open(...)")
        self.page, self.geometry = page, page.geometry
        self.finder = ControlFinder(page)
        self.controls = self.finder.find()
        self.shown = np.flatnonzero(~invisible_leaves(page))
        self.words = np.asarray([len(text.split()) for text in page.leaf_texts], dtype=np.int64)
        self.extent = visible_boxes(page).extent
        self.locators = ElementLocators(page)

    def audit(self) -> PageAudit:
        contrast, unknown = self._contrast()
        findings = [*contrast, *self._order(), *self._headings(), *self._targets()]
        words = int(self.words[self.shown].sum())
        return PageAudit(url=self.page.url, findings=tuple(findings), words=words, unknown_contrast=unknown)

    def _finding(self, row: int, kind: str, text: str, why: str, value: float, needed: float = 0.0) -> AuditFinding:
        corners = np.nan_to_num(self.extent[row])
        left, top, right, bottom = (round(float(value), 1) for value in corners.tolist())
        element = self.locators.element(row)
        return AuditFinding(
            kind=kind,
            text=" ".join(text.split())[:_LONGEST],
            why=why,
            value=round(value, 2),
            needed=needed,
            box=(left, top, round(right - left, 1), round(bottom - top, 1)),
            selector=self.locators.for_playwright(element) if element >= 0 else "",
        )

    # -- contrast ---------------------------------------------------------------------------------------------------

    def _contrast(self) -> tuple[list[AuditFinding], int]:
        geometry, leaves = self.geometry, self.page.leaves
        color = geometry.color if geometry.paint is None else geometry.paint.fill
        opacity = opacity_product(self.page, geometry)
        findings, unknown = [], 0
        for leaf in self.shown.tolist():
            row = int(leaves[leaf])
            ground = self._ground(row)
            if ground is None:
                unknown += int(self.words[leaf])
                continue
            alpha = (int(color[row]) & 0xFF) / 255 * float(opacity[row])
            ratio = contrast_ratio(_over(_rgb(int(color[row])), alpha, ground), ground)
            size, weight = float(geometry.font_size[row]), int(geometry.font_weight[row])
            is_large = size >= _LARGE or (size >= _LARGE_BOLD and weight >= _BOLD)
            needed = LARGE_CONTRAST if is_large else CONTRAST
            if ratio < needed:
                why = f"contrast of {ratio:.2f}, less than {needed}"
                findings.append(self._finding(row, "contrast", self.page.leaf_texts[leaf], why, ratio, needed))
        return findings, unknown

    def _ground(self, row: int) -> FloatArray | None:
        """Return the colour behind a node, float64 (3,); None if a picture or gradient is behind it."""
        layers: list[tuple[FloatArray, float]] = []
        above, paint = int(self.page.parent[row]), self.geometry.paint
        while above >= 0:
            background = int(self.geometry.background[above])
            if paint is not None and paint.image[above]:
                return None
            if background & 0xFF:
                layers.append((_rgb(background), (background & 0xFF) / 255))
                if background & 0xFF == 0xFF:
                    break
            above = int(self.page.parent[above])
        ground = np.full(3, 255.0)
        for rgb, alpha in reversed(layers):
            ground = _over(rgb, alpha, ground)
        return ground

    # -- order ------------------------------------------------------------------------------------------------------

    def _order(self) -> list[AuditFinding]:
        """Return the blocks that are read before another block that precedes them in the document."""
        order = reading_order(self.page)
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        shown = position[self.shown]
        findings: list[AuditFinding] = []
        reported: set[int] = set()
        for index in np.flatnonzero(np.diff(shown) < 0).tolist():
            leaf = int(self.shown[index + 1])
            row = int(self.page.leaves[leaf])
            owner = int(self.page.owner[row])
            if owner not in reported:
                reported.add(owner)
                before = " ".join(self.page.leaf_texts[int(self.shown[index])].split())[:40]
                why = f'it is seen before "{before}", which comes before it in the document'
                findings.append(self._finding(row, "order", self.page.leaf_texts[leaf], why, float(shown[index + 1])))
        return findings

    # -- headings ---------------------------------------------------------------------------------------------------

    def _headings(self) -> list[AuditFinding]:
        findings: list[AuditFinding] = []
        levels = self._levels()
        smallest: dict[int, float] = {}
        last = 0
        for row, level, size, text in levels:
            if last and level > last + 1:
                why = f"a heading of level {level} after one of level {last}"
                findings.append(self._finding(row, "heading", text, why, size))
            higher = [other for above, other in smallest.items() if above < level]
            if higher and size > min(higher) + _SAME_SIZE:
                why = f"level {level} of {size:g} pixels is larger than a higher level of {min(higher):g}"
                findings.append(self._finding(row, "heading", text, why, size))
            smallest[level] = min(size, smallest.get(level, np.inf))
            last = level
        return findings + self._unmarked_headings()

    def _levels(self) -> list[tuple[int, int, float, str]]:
        """Return row, level, font size and text of each visible heading."""
        page, found = self.page, []
        is_shown = np.zeros(len(page.leaves), dtype=bool)
        is_shown[self.shown] = True
        for row in np.flatnonzero(page.has_tag(*(f"h{level}" for level in range(1, 7)))).tolist():
            first, last = page.leaf_range[row].tolist()
            inside = [leaf for leaf in range(first, last) if is_shown[leaf]]
            if inside:
                size = max(float(self.geometry.font_size[page.leaves[leaf]]) for leaf in inside)
                found.append((row, int(page.tag_of(row)[1]), size, " ".join(page.leaf_texts[leaf] for leaf in inside)))
        return found

    def _unmarked_headings(self) -> list[AuditFinding]:
        """Return blocks that look like headings: short, alone, larger than the text; not in a heading or control."""
        page = self.page
        in_heading = page.below(
            page.has_tag(*(f"h{level}" for level in range(1, 7)), "a", "button", "nav", "table", "label", "summary")
            | page.attribute_matches("role", lambda value: value.strip().lower() in ("heading", "button", "link"))
        )
        size = self.geometry.font_size[page.leaves]
        weight = page.leaf_lengths[self.shown]
        if not len(weight):
            return []
        ordered = np.argsort(size[self.shown], kind="stable")
        body = float(size[self.shown][ordered][np.searchsorted(np.cumsum(weight[ordered]), weight.sum() / 2)])
        owner = page.owner[page.leaves]
        total = np.bincount(np.maximum(owner[self.shown], 0), weights=self.words[self.shown], minlength=len(page))
        findings = []
        for leaf in self.shown.tolist():
            row = int(page.leaves[leaf])
            is_short = 0 < total[max(int(owner[leaf]), 0)] <= _HEADING_WORDS and self.words[leaf] > 0
            has_letters = any(character.isalpha() for character in page.leaf_texts[leaf])
            if is_short and has_letters and size[leaf] >= _HEADING_SIZE * body and not in_heading[row]:
                why = f"{size[leaf]:g} pixels, where most text has {body:g}: it looks like a heading and is none"
                findings.append(self._finding(row, "heading", page.leaf_texts[leaf], why, float(size[leaf])))
        return findings

    # -- targets ----------------------------------------------------------------------------------------------------

    def _targets(self) -> list[AuditFinding]:
        targets = [control for control in self.controls if control.clickable and not self._is_in_sentence(control)]
        centers = np.asarray([(x + width / 2, y + height / 2) for x, y, width, height in self._boxes(targets)])
        findings = []
        for index, control in enumerate(targets):
            side = min(control.box[2:])
            if side >= TARGET:
                continue
            # Small targets with enough room around them are allowed: circles of that size that do not touch.
            distance = np.hypot(*(centers - centers[index]).T)
            distance[index] = np.inf
            if distance.min(initial=np.inf) < TARGET:
                why = f"{side:g} pixels, less than {TARGET:g}, and another target within {distance.min():.0f} pixels"
                finding = self._finding(control.row, "target", control.name, why, side, TARGET)
                findings.append(finding)
        return findings

    def _boxes(self, targets: list[Control]) -> list[tuple[float, float, float, float]]:
        return [control.box for control in targets] or [(0.0, 0.0, 0.0, 0.0)]

    def _is_in_sentence(self, control: Control) -> bool:
        """Return whether a link is part of running text: the line around it has other words."""
        if control.role != "link":
            return False
        page, owner = self.page, int(self.page.owner[control.row])
        inside = self._words_by_owner[max(owner, 0)]
        first, last = page.leaf_range[control.row].tolist()
        return owner != control.row and inside > int(self.words[first:last].sum()) + 2

    @cached_property
    def _words_by_owner(self) -> IntColumn:
        owner = np.maximum(self.page.owner[self.page.leaves[self.shown]], 0)
        return np.bincount(owner, weights=self.words[self.shown], minlength=len(self.page)).astype(np.int32)


def contrast_ratio(first: FloatArray, second: FloatArray) -> float:
    """Return the contrast ratio of two colours of 0 to 255 (WCAG 2.2): 1 to 21.

    >>> round(contrast_ratio(np.zeros(3), np.full(3, 255.0)), 2)
    21.0
    """
    dark, bright = sorted((_luminance(first), _luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


def _luminance(rgb: FloatArray) -> float:
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.asarray([0.2126, 0.7152, 0.0722]))


def _rgb(color: int) -> FloatArray:
    return np.asarray([color >> 24 & 0xFF, color >> 16 & 0xFF, color >> 8 & 0xFF], dtype=np.float64)


def _over(rgb: FloatArray, alpha: float, ground: FloatArray) -> FloatArray:
    return rgb * alpha + ground * (1 - alpha)
