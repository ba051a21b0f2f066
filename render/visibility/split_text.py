"""Split text nodes that are visible in part, as clamped paragraphs are: each part becomes a node."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, between
from ...page.geometry import Geometry, Paint
from ...page.hidden import Hidden
from ...page.page import Page

#: Characters that must be clipped at one side of a line to split it.
_FEWEST = 2
_NARROW, _WIDE = frozenset("ijltfrI.,;:'|!()[] "), frozenset("mwMW@%")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A part of a text node with one reason; ``drawn`` is its start in the text as it is laid out."""

    start: int
    end: int
    reason: int
    drawn: int


def leaf_reasons(page: Page, geometry: Geometry, reason: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the reason of each leaf, uint8 (leaves,): VISIBLE if a line is, else the greatest of its lines."""
    reasons = np.full(len(page), Hidden.DISPLAY, dtype=np.uint8)
    order = np.argsort(np.where(reason == Hidden.VISIBLE, 255, reason), kind="stable")
    reasons[geometry.line_node[order]] = reason[order]
    return reasons[page.leaves]


def split(
    page: Page,
    geometry: Geometry,
    reason: NDArray[np.uint8],
    visible_part: tuple[FloatArray, FloatArray],
    *,
    drawn: Sequence[str],
    backward: BoolColumn,
    words: Mapping[int, Mapping[int, int]] | None = None,
) -> tuple[Page, Geometry, NDArray[np.uint8]]:
    """Split the text nodes that are visible in part; return the page, its geometry, and the reasons of its leaves.

    ``drawn`` has the texts as they are laid out, of which ``line_start`` counts UTF-16 units; ``words`` the reason of
    each word of lines with visible words, by the number of characters of the text before it, white space aside.
    """
    spans = _LineSpans(page, geometry, reason, visible_part, drawn, backward, words or {})
    parts = spans.parts()
    if not parts:
        return page, geometry, leaf_reasons(page, geometry, reason)
    return _Splitter(page, geometry, reason, parts).split()


@dataclass(frozen=True, slots=True)
class _LineSpans:
    """The spans of texts with one reason each; arguments as those of :func:`split`."""

    page: Page
    geometry: Geometry
    reason: NDArray[np.uint8]
    visible_part: tuple[FloatArray, FloatArray]
    drawn: Sequence[str]
    backward: BoolColumn
    words: Mapping[int, Mapping[int, int]]

    def parts(self) -> dict[int, list[TextPart]]:
        """Return the parts of each text node of which something is visible and something is not."""
        page, geometry, drawn = self.page, self.geometry, self.drawn
        left, right = self.visible_part
        shown = self.reason == Hidden.VISIBLE
        partial = shown & ((left > 0) | (right < 1))
        partial[list(self.words)] = True
        has_visible, has_hidden = np.zeros(len(page), dtype=bool), np.zeros(len(page), dtype=bool)
        has_visible[geometry.line_node[shown]] = True
        has_hidden[geometry.line_node[~shown | partial]] = True
        ends = np.zeros(len(page), dtype=np.int64)
        np.maximum.at(ends, geometry.line_node, geometry.line_start + geometry.line_length)
        parts = {}
        for row in page.leaves[has_visible[page.leaves]].tolist():
            # Text after the last line was left out: a clamped paragraph.
            tail = ends[row] < len(drawn[row]) and bool(units(drawn[row], int(ends[row]), len(drawn[row])).strip())
            if not (has_hidden[row] or tail):
                continue
            lines = range(*between(geometry.line_node, row, row + 1))
            spans = [span for line in lines for span in self._spans(line, row)]
            if tail:
                spans.append((int(ends[row]), int(Hidden.CLIP)))
            merged = _merged(page.text_of(row), drawn[row], spans)
            # Only white space may be visible of a text.
            if len(merged) > 1 or any(part.reason != Hidden.VISIBLE for part in merged):
                parts[row] = merged
        return parts

    def _spans(self, line: int, row: int) -> list[tuple[int, int]]:
        """Return the starts of spans in the drawn text of a line and their reasons."""
        start, length = int(self.geometry.line_start[line]), int(self.geometry.line_length[line])
        drawn, reason = self.drawn[row], int(self.reason[line])
        left, right = (float(end[line]) for end in self.visible_part)
        if line in self.words and reason == Hidden.VISIBLE:
            reasons = self.words[line]
            return [(_utf16_length(drawn[: _index(drawn, before)]), reasons[before]) for before in sorted(reasons)]
        # A visible line without a visible part is seen elsewhere, by its shadow.
        if reason != Hidden.VISIBLE or (left <= 0 and right >= 1) or left >= right:
            return [(start, reason)]
        text = units(drawn, start, length)
        first, last = (1 - right, 1 - left) if self.backward[row] else (left, right)
        edges = np.concatenate([[0.0], np.cumsum([_width(character) for character in text])])
        edges /= max(edges[-1], 1e-9)
        begin = int(np.searchsorted(edges, first - 1e-6))
        end = max(int(np.searchsorted(edges, last + 1e-6, side="right")) - 1, begin)
        begin, end = begin if begin >= _FEWEST else 0, end if len(text) - end >= _FEWEST else len(text)
        spans = [(start, int(Hidden.CLIP))] if begin else []
        spans.append((start + _utf16_length(text[:begin]), int(Hidden.VISIBLE)))
        if end < len(text):
            spans.append((start + _utf16_length(text[:end]), int(Hidden.CLIP)))
        return spans


def units(text: str, start: int, length: int) -> str:
    """Return a part of a text by its UTF-16 units."""
    if text.isascii():
        return text[start : start + length]
    return text.encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _width(character: str) -> float:
    """Return the approximate width of a character in ems."""
    if character in _NARROW:
        return 0.28
    if character in _WIDE:
        return 0.85
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    return 0.67 if character.isupper() else 0.54


def _merged(text: str, drawn: str, spans: list[tuple[int, int]]) -> list[TextPart]:
    """Convert spans of the drawn text to parts of the text: both have the same characters, white space aside."""
    parts: list[TextPart] = []
    for start, reason in sorted(spans):
        if parts and parts[-1].reason == reason:
            continue
        index = _index(text, len("".join(units(drawn, 0, start).split()))) if parts else 0
        if parts:
            parts[-1] = replace(parts[-1], end=index)
        parts.append(TextPart(start=index, end=len(text), reason=reason, drawn=start))
    # A line break has no area: white space is no part, and equal parts on both sides of it are one.
    visible = [part for part in parts if text[part.start : part.end].strip()]
    return visible[:1] + [part for before, part in pairwise(visible) if before.reason != part.reason]


def _index(text: str, characters: int) -> int:
    """Return the index after a number of characters, white space aside; white space belongs to what follows."""
    count = 0
    for index, character in enumerate(text):
        if count == characters:
            return index
        count += not character.isspace()
    return len(text)


class _Splitter:
    """Replaces text nodes by their parts."""

    def __init__(
        self, page: Page, geometry: Geometry, reason: NDArray[np.uint8], parts: dict[int, list[TextPart]]
    ) -> None:
        self.page, self.geometry, self.reason, self.parts = page, geometry, reason, parts
        self.copies = np.ones(len(page), dtype=np.int64)
        for row, of_text in parts.items():
            self.copies[row] = len(of_text)
        #: The new row of each node; for a split text that of its first part.
        self.moved = np.cumsum(self.copies) - self.copies

    def split(self) -> tuple[Page, Geometry, NDArray[np.uint8]]:
        page, moved = self.page, self.moved
        strings = list(page.strings)
        text = np.repeat(page.text, self.copies)
        for row, parts in self.parts.items():
            whole, first = page.text_of(row), int(moved[row])
            for number, part in enumerate(parts):
                # White space between two parts belongs to the first of them.
                end = parts[number + 1].start if number + 1 < len(parts) else len(whole)
                text[first + number] = len(strings)
                strings.append(whole[part.start if number else 0 : end])
        cut = replace(
            page,
            strings=tuple(strings),
            parent=np.where(page.parent >= 0, moved[page.parent], -1).astype(np.int32)[self._old],
            tag=page.tag[self._old],
            text=text.astype(np.int32),
            attribute_node=moved[page.attribute_node].astype(np.int32),
            geometry=None,
        )
        # By the old rows; the parts have reasons of their own.
        reasons = np.full(len(cut), Hidden.DISPLAY, dtype=np.uint8)
        reasons[moved[page.leaves]] = leaf_reasons(page, self.geometry, self.reason)
        hidden = reasons[cut.leaves]
        leaf = {row: number for number, row in enumerate(cut.leaves.tolist())}
        for row, parts in self.parts.items():
            for number, part in enumerate(parts):
                hidden[leaf[int(moved[row]) + number]] = part.reason
        return cut, self._split_geometry(), hidden

    @property
    def _old(self) -> IntColumn:
        return np.repeat(np.arange(len(self.page)), self.copies).astype(np.int32)

    def _split_geometry(self) -> Geometry:
        geometry, old = self.geometry, self._old
        columns: dict[str, Any] = {
            name: column[old]
            for name, column in _columns(geometry).items()
            if name != "hidden" and not name.startswith("line_")
        }
        node = self.moved[geometry.line_node]
        for line in np.flatnonzero(np.isin(geometry.line_node, list(self.parts))).tolist():
            parts = self.parts[int(geometry.line_node[line])]
            node[line] += max(sum(part.drawn <= geometry.line_start[line] for part in parts) - 1, 0)
        order = np.argsort(node, kind="stable")
        lines: dict[str, Any] = {
            name: column[order] for name, column in _columns(geometry).items() if name.startswith("line_")
        }
        paint = geometry.paint
        return replace(
            geometry,
            **columns,
            **lines | {"line_node": node[order].astype(np.int32)},
            paint=paint and replace(paint, **{name: column[old] for name, column in _columns(paint).items()}),
        )


def _columns(of: Geometry | Paint) -> dict[str, NDArray[Any]]:
    values = {member.name: getattr(of, member.name) for member in fields(of)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
