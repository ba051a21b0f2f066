"""Verdicts on the blocks of a page with reasons, and the regions that were left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classify.model.reasons import LeafReasons
from ..classify.roles import LeafRoles
from ..features.rows import Rows, rows_of
from ..page.arrays import DIGITS, HALF, TINY, FloatArray, Marks
from ..page.invisible_characters import strip_invisible
from ..page.page import Page
from ..records.field_columns import FEWEST
from ..segment.blocks import leaf_boxes, text_blocks, visible_blocks
from .block_scores import BlockVerdict, box_of, kind_of

#: Reasons by role.
_BY_ROLE = dict.fromkeys(("title", "author", "date"), "metadata, not text") | {"caption": "caption of a picture"}
#: Most characters of the first words.
_FIRST_WORDS = 60


def _leaves_of_rows(rows: Rows) -> list[list[int]]:
    """Return the leaves of each row."""
    order = np.argsort(rows.leaf_row, kind="stable")
    starts = np.searchsorted(rows.leaf_row[order], np.arange(len(rows)))
    return [some.tolist() for some in np.split(order, starts)[1:]]


# -- verdicts on blocks -----------------------------------------------------------------------------------------------


def explain_blocks(
    page: Page,
    marks: Marks,
    scores: NDArray[np.floating[Any]] | None = None,
    roles: LeafRoles | None = None,
    reasons: LeafReasons | None = None,
) -> tuple[BlockVerdict, ...]:
    """Return the verdict on each block, and the reason for those that are left out; all columns are of leaves."""
    rows = rows_of(page, text_blocks(page))
    boxes = leaf_boxes(page, rows.leaf_row, len(rows)).astype(np.float64).round(2).tolist()
    kept = rows.summed(marks.astype(np.float64)) > 0
    probabilities = [None] * len(rows) if scores is None else _means(rows, scores)
    verdicts = []
    for row, (node, leaves) in enumerate(zip(rows.node.tolist(), _leaves_of_rows(rows), strict=True)):
        role, likely = (None, None) if roles is None else roles.of(leaves, page.leaf_lengths)
        verdicts.append(
            BlockVerdict(
                kept=bool(kept[row]),
                probability=probabilities[row],
                kind=kind_of(page.tag_of(node)),
                box=box_of(boxes[row]),
                text=rows.texts[row],
                role=role,
                role_probability=likely,
                reason="" if kept[row] else _reason(role, leaves, scores, reasons, has_text=bool(kept.any())),
            )
        )
    return tuple(verdicts)


def _means(rows: Rows, probability: NDArray[np.floating[Any]]) -> list[float | None]:
    """Return the mean probability of each block's leaves, weighted by words; None if it is unknown for all."""
    known = np.isfinite(probability)
    weight = (rows.leaf_words + TINY) * known
    words, sums = rows.summed(weight), rows.summed(weight * np.nan_to_num(probability))
    return [
        round(total / weight_sum, DIGITS) if weight_sum > 0 else None
        for total, weight_sum in zip(sums.tolist(), words.tolist(), strict=True)
    ]


# -- what was left out ------------------------------------------------------------------------------------------------


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
        return round(self.kept_words / self.seen_words, DIGITS) if self.seen_words else 1.0


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
    of_row = _leaves_of_rows(rows)
    row_role = [None if roles is None else roles.of(some, page.leaf_lengths)[0] for some in of_row]
    why = [
        _reason(role, leaves, scores, reasons, has_text=bool(kept.any()))
        for role, leaves in zip(row_role, of_row, strict=True)
    ]
    parts = _parts(np.flatnonzero(kept <= rows.words / 2).tolist(), row_role, rows.words)
    regions = tuple(_region(some, role, rows, why) for some, role in parts if rows.words[some].sum() > 0)
    return LeftOut(regions=regions, seen_words=round(seen), kept_words=round(float(kept.sum())))


def _parts(
    numbers: Sequence[int], roles: Sequence[str | None], words: FloatArray
) -> list[tuple[list[int], str | None]]:
    """Return rows and role of each region: blocks with the same role, with a few words of another between them."""
    parts: list[tuple[list[int], str | None]] = []
    # Blocks that follow each other without content in between have the same difference of number and position.
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        here: list[tuple[list[int], str | None]] = []
        for role, some in groupby((row for _, row in run), key=roles.__getitem__):
            here.append((list(some), role))
            if len(here) > 2 and role == here[-3][1] and words[here[-2][0]].sum() <= FEWEST:
                last, few = here.pop(), here.pop()
                here[-1][0].extend([*few[0], *last[0]])
        parts += here
    return parts


def _region(some: list[int], role: str | None, rows: Rows, why: Sequence[str]) -> Region:
    own = [row for row in some if rows.words[row] > 0]
    weight: Counter[str] = Counter()
    for row in own:
        weight[why[row]] += rows.words[row]
    box = rows.box[some].astype(np.float64)
    box = box[np.isfinite(box[:, 0])]
    return Region(
        role=role,
        words=round(float(rows.words[some].sum())),
        box=_around(box) if len(box) else None,
        text=_cut(strip_invisible(" ".join(rows.texts[row] for row in own[:_FIRST_WORDS])), _FIRST_WORDS),
        reason=max(weight, key=lambda reason: (bool(reason), weight[reason]), default=""),
    )


def _around(boxes: FloatArray) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0).tolist(), (boxes[:, :2] + boxes[:, 2:]).max(axis=0).tolist()
    return (round(left, 2), round(top, 2), round(right - left, 2), round(bottom - top, 2))


def _reason(
    role: str | None,
    leaves: list[int],
    scores: NDArray[np.floating[Any]] | None,
    reasons: LeafReasons | None,
    *,
    has_text: bool,
) -> str:
    if role in _BY_ROLE:
        return _BY_ROLE[role]
    known = [] if scores is None else [float(scores[leaf]) for leaf in leaves if np.isfinite(scores[leaf])]
    score = sum(known) / len(known) if known else float("nan")
    if score >= HALF:
        return "likely content, but apart from the text" if has_text else "likely content, but no main text"
    words = reasons.of(leaves[0]) if reasons is not None and leaves else ""
    return words or ("" if math.isnan(score) else f"probability of content {score:.2f}")


# -- a report for a terminal -----------------------------------------------------------------------------------------


def report_lines(found: LeftOut, width: int = 100) -> list[str]:
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
    roles, sizes, boxes, texts, reasons = map(list, zip(*rows, strict=True))
    fixed = [_column(roles), _column(sizes, str.rjust)]
    fixed += [] if all(region.box is None for region in found.regions) else [_column(boxes)]
    left = ["  ".join(cells) for cells in zip(*fixed, strict=True)]
    rest = width - len(left[0]) - 2 - 2
    first = [_cut(text, rest // 2).ljust(rest // 2) for text in texts]
    lines = zip(left, first, (_cut(reason, rest - rest // 2) for reason in reasons), strict=True)
    return [f"{share}; {count} left out:", *("  ".join(cells).rstrip() for cells in lines)]


def _column(cells: list[str], align: Callable[[str, int], str] = str.ljust) -> list[str]:
    """Return cells of the same width."""
    widest = max(map(len, cells))
    return [align(cell, widest) for cell in cells]


def _box(box: tuple[float, ...] | None) -> str:
    return "" if box is None else "{:.0f},{:.0f} {:.0f}×{:.0f}".format(*box)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"
