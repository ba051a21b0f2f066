"""Text nodes of which only a part is seen: clamped paragraphs, lines cut off at an edge. Each part becomes a node."""

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

#: Of a line that is cut off sideways so many characters at least must be gone before they are taken out.
_FEWEST = 2
_NARROW, _WIDE = frozenset("ijltfrI.,;:'|!()[] "), frozenset("mwMW@%")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A part of a text node, and why it is not seen; ``drawn`` is where it begins in the text as it is laid out."""

    start: int
    end: int
    reason: int
    drawn: int


def leaf_reasons(page: Page, geometry: Geometry, reason: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return why each leaf is not seen: what one line shows is seen, of several reasons the last in order is told.

    Parameters
    ----------
    reason : uint8 (lines,)
        A :class:`~blocksight.page.hidden.Hidden` each.
    """
    found = np.full(len(page), Hidden.DISPLAY, dtype=np.uint8)
    order = np.argsort(np.where(reason == Hidden.VISIBLE, 255, reason), kind="stable")
    found[geometry.line_node[order]] = reason[order]
    return found[page.leaves]


def split(
    page: Page,
    geometry: Geometry,
    reason: NDArray[np.uint8],
    left: FloatArray,
    right: FloatArray,
    *,
    drawn: Sequence[str],
    backward: BoolColumn,
    words: Mapping[int, Mapping[int, int]] | None = None,
) -> tuple[Page, Geometry, NDArray[np.uint8]]:
    """Cut the text nodes of which only a part is seen.

    Parameters
    ----------
    page, geometry
    reason : uint8 (lines,)
        A :class:`~blocksight.page.hidden.Hidden` each.
    left, right : float (lines,)
        The part of each line's width that is seen, in shares.
    drawn : sequence of str
        The text of each node as it is laid out (white space collapsed), "" for other nodes; ``line_start`` counts its
        UTF-16 units.
    backward : bool (nodes,)
        Whether text runs from right to left.
    words : mapping of int to mapping of int to int, optional
        Of lines of which only some words are seen, the reason of each word, by how many characters of the whole text
        come before it, white space aside.

    Returns
    -------
    page, geometry, hidden
        The same where nothing is to be cut; ``hidden`` has one entry a leaf.
    """
    pieces = _pieces(page, geometry, reason, left, right, drawn, backward, words or {})
    if not pieces:
        return page, geometry, leaf_reasons(page, geometry, reason)
    return _Cutting(page, geometry, reason, pieces).done()


def _pieces(
    page: Page,
    geometry: Geometry,
    reason: NDArray[np.uint8],
    left: FloatArray,
    right: FloatArray,
    drawn: Sequence[str],
    backward: BoolColumn,
    words: Mapping[int, Mapping[int, int]],
) -> dict[int, list[TextPart]]:
    """Return the pieces of each text node of which something is seen and something is not."""
    shown = reason == Hidden.VISIBLE
    short = shown & ((left > 0) | (right < 1))
    short[list(words)] = True
    some, unsure = np.zeros(len(page), dtype=bool), np.zeros(len(page), dtype=bool)
    some[geometry.line_node[shown]] = True
    unsure[geometry.line_node[~shown | short]] = True
    ends = np.zeros(len(page), dtype=np.int64)
    np.maximum.at(ends, geometry.line_node, geometry.line_start + geometry.line_length)
    found = {}
    for row in page.leaves[some[page.leaves]].tolist():
        # What comes after the last line has been left out: a clamped paragraph.
        tail = ends[row] < len(drawn[row]) and bool(units(drawn[row], int(ends[row]), len(drawn[row])).strip())
        if not (unsure[row] or tail):
            continue
        lines = np.arange(*between(geometry.line_node, row, row + 1))
        spans = [
            span
            for line in lines.tolist()
            for span in (
                _word_spans(drawn[row], words[line])
                if line in words and shown[line]
                else _spans(geometry, line, int(reason[line]), left[line], right[line], drawn[row], backward[row])
            )
        ]
        if tail:
            spans.append((int(ends[row]), int(Hidden.CLIP)))
        cut = _merged(page.text_of(row), drawn[row], spans)
        if len(cut) > 1:
            found[row] = cut
    return found


def _spans(
    geometry: Geometry, line: int, reason: int, left: float, right: float, drawn: str, backward: bool
) -> list[tuple[int, int]]:
    """Return from which character of the drawn text on which reason holds, as (start, reason)."""
    start, length = int(geometry.line_start[line]), int(geometry.line_length[line])
    if reason != Hidden.VISIBLE or (left <= 0 and right >= 1):
        return [(start, reason)]
    text = units(drawn, start, length)
    first, last = (1 - right, 1 - left) if backward else (left, right)
    edges = np.concatenate([[0.0], np.cumsum([_width(character) for character in text])])
    edges /= max(edges[-1], 1e-9)
    begin = int(np.searchsorted(edges, first - 1e-6))
    end = max(int(np.searchsorted(edges, last + 1e-6, side="right")) - 1, begin)
    begin, end = begin if begin >= _FEWEST else 0, end if len(text) - end >= _FEWEST else len(text)
    gone = [len(text[:place].encode("utf-16-le")) // 2 for place in (begin, end)]
    spans = [(start, int(Hidden.CLIP))] if begin else []
    spans.append((start + gone[0], int(Hidden.VISIBLE)))
    if end < len(text):
        spans.append((start + gone[1], int(Hidden.CLIP)))
    return spans


def _word_spans(drawn: str, words: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return where in the drawn text each word of a line begins, and its reason."""
    return [(len(drawn[: _place(drawn, before)].encode("utf-16-le")) // 2, words[before]) for before in sorted(words)]


def units(text: str, start: int, length: int) -> str:
    """Return a part of a text by its UTF-16 units."""
    if text.isascii():
        return text[start : start + length]
    return text.encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")


def _width(character: str) -> float:
    """Return about how wide a character is, in ems."""
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
    """Turn places in the drawn text into pieces of the text as it is: both have the same characters but white space."""
    pieces: list[TextPart] = []
    for start, reason in sorted(spans):
        if pieces and pieces[-1].reason == reason:
            continue
        place = _place(text, len("".join(units(drawn, 0, start).split()))) if pieces else 0
        if pieces:
            pieces[-1] = replace(pieces[-1], end=place)
        pieces.append(TextPart(start=place, end=len(text), reason=reason, drawn=start))
    # A line break has no area: white space is no piece, and what stands on both sides of it is one.
    told = [piece for piece in pieces if text[piece.start : piece.end].strip()]
    return told[:1] + [piece for before, piece in pairwise(told) if before.reason != piece.reason]


def _place(text: str, characters: int) -> int:
    """Return where so many characters that are no white space have gone by; white space goes with what follows."""
    gone = 0
    for place, character in enumerate(text):
        if gone == characters:
            return place
        gone += not character.isspace()
    return len(text)


class _Cutting:
    """Puts the pieces of text nodes in their place."""

    def __init__(
        self, page: Page, geometry: Geometry, reason: NDArray[np.uint8], pieces: dict[int, list[TextPart]]
    ) -> None:
        self.page, self.geometry, self.reason, self.pieces = page, geometry, reason, pieces
        self.copies = np.ones(len(page), dtype=np.int64)
        for row, parts in pieces.items():
            self.copies[row] = len(parts)
        #: The new row of each node, that of its first piece for a node that is cut.
        self.moved = np.cumsum(self.copies) - self.copies

    def done(self) -> tuple[Page, Geometry, NDArray[np.uint8]]:
        page, moved = self.page, self.moved
        strings = list(page.strings)
        text = np.repeat(page.text, self.copies)
        for row, parts in self.pieces.items():
            whole, first = page.text_of(row), int(moved[row])
            for number, part in enumerate(parts):
                # What stands between two pieces is white space and goes with the one before.
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
        # By the old rows: the pieces have reasons of their own.
        found = np.full(len(cut), Hidden.DISPLAY, dtype=np.uint8)
        found[moved[page.leaves]] = leaf_reasons(page, self.geometry, self.reason)
        hidden = found[cut.leaves]
        leaf = {row: number for number, row in enumerate(cut.leaves.tolist())}
        for row, parts in self.pieces.items():
            for number, part in enumerate(parts):
                hidden[leaf[int(moved[row]) + number]] = part.reason
        return cut, self._geometry(), hidden

    @property
    def _old(self) -> IntColumn:
        return np.repeat(np.arange(len(self.page)), self.copies).astype(np.int32)

    def _geometry(self) -> Geometry:
        geometry, old = self.geometry, self._old
        columns: dict[str, Any] = {
            name: column[old]
            for name, column in _columns(geometry).items()
            if name != "hidden" and not name.startswith("line_")
        }
        node = self.moved[geometry.line_node]
        for line in np.flatnonzero(np.isin(geometry.line_node, list(self.pieces))).tolist():
            parts = self.pieces[int(geometry.line_node[line])]
            node[line] += max(sum(part.drawn <= geometry.line_start[line] for part in parts) - 1, 0)
        order = np.argsort(node, kind="stable")
        paint = geometry.paint
        return replace(
            geometry,
            **columns,
            line_node=node[order].astype(np.int32),
            line_box=geometry.line_box[order],
            line_start=geometry.line_start[order],
            line_length=geometry.line_length[order],
            paint=paint and replace(paint, **{name: column[old] for name, column in _columns(paint).items()}),
        )


def _columns(of: Geometry | Paint) -> dict[str, NDArray[Any]]:
    values = {member.name: getattr(of, member.name) for member in fields(of)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
