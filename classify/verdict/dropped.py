"""Text that was left out of a document: regions of neighbouring blocks with the same role, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows, rows_of
from ...page.arrays import FloatArray, Marks
from ...page.page import Page
from ...segment.blocks import text_blocks, visible_blocks
from ..roles import LeafRoles

#: Most words of a region that is part of the one around it: a date among teasers.
_FEW_WORDS = 5.0
#: Roles of metadata, which the text does not repeat; probability from which a block is likely content.
_METADATA, _LIKELY = ("title", "author", "date"), 0.5
#: Most characters of the first words.
_FIRST_WORDS = 60
_LINE = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafReasons:
    """Reasons against text leaves: ``number``, int32 (leaves,), is the index of each in ``words``, -1 for none."""

    words: tuple[str, ...]
    number: NDArray[np.int32]

    def of(self, leaf: int) -> str:
        """Return the reason of a leaf in words, "" for none."""
        number = int(self.number[leaf])
        return self.words[number] if number >= 0 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Neighbouring blocks that are not in the text.

    Attributes
    ----------
    role : str or None
        Of most of its words; None if the system has no roles.
    words : int
    box : tuple of float or None
        ``(x, y, width, height)`` in CSS pixels; None without geometry.
    text : str
        Its first words.
    reason : str
        The main reason why it was left out, "" if the system gives none.
    """

    role: str | None
    words: int
    box: tuple[float, float, float, float] | None
    text: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return the region as plain values."""
        values = {"role": self.role, "words": self.words, "box": self.box and list(self.box)}
        return values | {"text": self.text, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The regions that were left out, in document order, and the visible words of the page and of the text."""

    regions: tuple[Region, ...] = ()
    seen_words: int = 0
    kept_words: int = 0

    @property
    def coverage(self) -> float:
        """Share of the visible words that are in the text, 0 to 1; 1 for a page without words."""
        return round(self.kept_words / self.seen_words, 4) if self.seen_words else 1.0


@dataclass(slots=True, kw_only=True)
class _RegionRows:
    rows: list[int]
    role: str | None
    words: float


def left_out(
    page: Page,
    marks: Marks,
    roles: LeafRoles | None = None,
    scores: NDArray[np.floating[Any]] | None = None,
    reasons: LeafReasons | None = None,
) -> LeftOut:
    """Return what is not marked of the visible text of a page; all columns are of leaves."""
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    kept = rows.summed(rows.leaf_words * marks)
    seen = float(rows.words.sum())
    if not len(rows):
        return LeftOut()
    lengths = page.leaf_lengths
    order = np.argsort(rows.leaf_row, kind="stable")
    starts = np.searchsorted(rows.leaf_row[order], np.arange(len(rows)))
    of_row = [some.tolist() for some in np.split(order, starts)[1:]]
    is_left_out = kept <= rows.words / 2
    row_role = [None if roles is None else roles.of(some, lengths)[0] for some in of_row]
    boxes = rows.box.astype(np.float64)
    parts = _parts(np.flatnonzero(is_left_out).tolist(), row_role, rows.words)

    def reason_of(row: int) -> str:
        return _reason(row_role[row], of_row[row], scores, reasons, has_text=bool(kept.any()))

    regions = tuple(_region(part, rows, boxes, reason_of) for part in parts if part.words > 0)
    return LeftOut(regions=regions, seen_words=round(seen), kept_words=round(float(kept.sum())))


def _parts(numbers: Sequence[int], roles: Sequence[str | None], words: FloatArray) -> list[_RegionRows]:
    """Return the regions: blocks in a row with the same role, with a few words of another role between them."""
    parts: list[_RegionRows] = []
    # Blocks that follow each other without content in between have the same difference of number and position.
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        here: list[_RegionRows] = []
        for _, row in run:
            if here and here[-1].role == roles[row]:
                here[-1].rows.append(row)
                here[-1].words += float(words[row])
            else:
                here.append(_RegionRows(rows=[row], role=roles[row], words=float(words[row])))
            if len(here) > 2 and here[-1].role == here[-3].role and here[-2].words <= _FEW_WORDS:
                last, few = here.pop(), here.pop()
                here[-1].rows += few.rows + last.rows
                here[-1].words += few.words + last.words
        parts += here
    return parts


def _region(part: _RegionRows, rows: Rows, boxes: FloatArray, reason_of: Callable[[int], str]) -> Region:
    own = [row for row in part.rows if rows.words[row] > 0]
    weight: Counter[str] = Counter()
    for row in own:
        weight[reason_of(row)] += rows.words[row]
    box = boxes[part.rows]
    box = box[np.isfinite(box[:, 0])]
    return Region(
        role=part.role,
        words=round(part.words),
        box=_around(box) if len(box) else None,
        text=_first_words(rows.texts[row] for row in own),
        reason=max(weight, key=lambda reason: (bool(reason), weight[reason]), default=""),
    )


def _around(boxes: FloatArray) -> tuple[float, float, float, float]:
    left, top = float(boxes[:, 0].min()), float(boxes[:, 1].min())
    right, bottom = float((boxes[:, 0] + boxes[:, 2]).max()), float((boxes[:, 1] + boxes[:, 3]).max())
    return (round(left, 2), round(top, 2), round(right - left, 2), round(bottom - top, 2))


def _first_words(texts: Iterable[str]) -> str:
    text = ""
    for part in texts:
        text = f"{text} {part}".strip()
        if len(text) > _FIRST_WORDS:
            return _cut(text, _FIRST_WORDS)
    return text


def _reason(
    role: str | None,
    leaves: list[int],
    scores: NDArray[np.floating[Any]] | None,
    reasons: LeafReasons | None,
    *,
    has_text: bool,
) -> str:
    if role in _METADATA:
        return "metadata, not text"
    if role == "caption":
        return "caption of a picture"
    known = [] if scores is None else [float(scores[leaf]) for leaf in leaves if np.isfinite(scores[leaf])]
    score = sum(known) / len(known) if known else float("nan")
    if score >= _LIKELY:
        return "likely content, but apart from the text" if has_text else "likely content, but no main text"
    words = reasons.of(leaves[0]) if reasons is not None and leaves else ""
    return words or ("" if math.isnan(score) else f"probability of content {score:.2f}")


# -- a report for a terminal -----------------------------------------------------------------------------------------


def report_lines(found: LeftOut, width: int = _LINE) -> list[str]:
    """Return the report as lines of at most ``width`` characters: how much was kept, then a line for each region."""
    share = f"{found.kept_words:,} of {found.seen_words:,} visible words are in the text ({100 * found.coverage:.0f} %)"
    if not found.regions:
        return [f"{share}, nothing was left out"]
    count = "1 region was" if len(found.regions) == 1 else f"{len(found.regions)} regions were"
    rows = [("role", "words", "x,y width×height", "first words", "reason")]
    rows += [
        (region.role or "", f"{region.words:,}", _box(region.box), region.text, region.reason)
        for region in found.regions
    ]
    if all(region.box is None for region in found.regions):
        rows = [(*row[:2], "", *row[3:]) for row in rows]
    fixed = [max(len(row[column]) for row in rows) for column in range(3)]
    rest = width - sum(fixed) - 2 * (3 + bool(fixed[2]))
    text = rest * 2 // 5
    lines = [f"{share}; {count} left out:"]
    for role, words, box, first, reason in rows:
        cells = [role.ljust(fixed[0]), words.rjust(fixed[1]), *([box.ljust(fixed[2])] if fixed[2] else [])]
        lines.append("  ".join([*cells, _cut(first, text).ljust(text), _cut(reason, rest - text)]).rstrip())
    return lines


def _box(box: tuple[float, float, float, float] | None) -> str:
    return "" if box is None else f"{box[0]:.0f},{box[1]:.0f} {box[2]:.0f}×{box[3]:.0f}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"
