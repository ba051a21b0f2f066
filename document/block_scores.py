"""The blocks of a document: box, kind, score and role of each paragraph."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classify.roles import LeafRoles
from ..page.arrays import FloatArray
from ..page.hidden import Hidden
from ..page.page import Page
from ..page.visibility import revealed_leaves
from ..segment.blocks import leaf_boxes
from .content.content import Content
from .line_columns import LineColumns, line_columns

#: Kind of a paragraph by the tag of its element.
_KINDS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading")
_KINDS |= dict.fromkeys(("li", "ul", "ol"), "list item")
_KINDS |= dict.fromkeys(("td", "th", "tr", "table", "thead", "tbody", "tfoot"), "table cell")
_KINDS |= {"dt": "term", "dd": "definition", "dl": "definition", "pre": "code", "blockquote": "quote"}
_KINDS |= {"caption": "caption", "figcaption": "caption", "aside": "footnote"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockScore:
    """One paragraph of the content."""

    box: tuple[float, float, float, float] | None  # (x, y, width, height) of its lines, CSS pixels of the document
    score: float | None  # mean of its text leaves, weighted by their length
    kind: str  # heading, paragraph, list item, term, definition, table cell, code, quote, caption or footnote
    text: str
    hidden: str | None = None  # name of a Hidden reason in lower case, "" for visible text; None unless requested
    role: str | None = None
    role_probability: float | None = None
    revealed: str | None = None  # name of what was clicked to show any of it; None for what is visible without a click

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain values; ``hidden`` only if it was requested, ``revealed`` only if it was."""
        values: dict[str, Any] = {"box": self.box and list(self.box), "score": self.score, "kind": self.kind}
        values |= {"role": self.role, "role_probability": self.role_probability, "text": self.text}
        more = {"hidden": self.hidden, "revealed": self.revealed}
        return values | {name: value for name, value in more.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockVerdict:
    """One block of the page, kept or not; other fields are those of :class:`BlockScore`."""

    kept: bool  # whether any of it is content
    probability: float | None  # of content; None for invisible text
    kind: str
    box: tuple[float, float, float, float] | None
    text: str
    role: str | None = None
    role_probability: float | None = None
    reason: str = ""  # the main reason why it was left out

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain values."""
        values: dict[str, Any] = {"kept": self.kept, "probability": self.probability, "kind": self.kind}
        values |= {"role": self.role, "role_probability": self.role_probability}
        values |= {"reason": self.reason}
        return values | {"box": self.box and list(self.box), "text": self.text}


def kind_of(tag: str) -> str:
    """Return the kind of a block by the tag of its element."""
    return _KINDS.get(tag, "paragraph")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParagraphColumns:
    """Columns from which blocks are built: independent of the page, so that it can be released.

    ``boxes`` is float64 (paragraphs, 4) as ``[x, y, width, height]``, NaN without a rendered line; ``lines`` are the
    boxes of the lines; ``lengths`` int64, ``scores`` float and ``reasons`` uint8 are (leaves,). ``revealed`` has the
    leaves that a click has shown, with the name of what was clicked.
    """

    boxes: FloatArray
    lines: LineColumns
    lengths: NDArray[np.int64]
    scores: NDArray[np.floating[Any]] | None
    reasons: NDArray[np.uint8] | None
    roles: LeafRoles | None = None
    revealed: dict[int, str] = field(default_factory=dict)


def paragraph_columns(
    page: Page,
    content: Content,
    scores: NDArray[np.floating[Any]] | None,
    reasons: NDArray[np.uint8] | None,
    roles: LeafRoles | None = None,
) -> ParagraphColumns:
    """Collect the columns of the paragraphs of a page's content."""
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    for number, paragraph in enumerate(content.paragraphs):
        leaf_block[paragraph.leaves] = number
    boxes = leaf_boxes(page, leaf_block, len(content.paragraphs)).astype(np.float64).round(2)
    return ParagraphColumns(
        boxes=boxes,
        lines=line_columns(page, content, boxes),
        lengths=np.fromiter(map(len, page.leaf_texts), dtype=np.int64, count=len(page.leaves)),
        scores=scores,
        reasons=reasons,
        roles=roles,
        revealed=revealed_leaves(page),
    )


def block_scores(content: Content, evidence: ParagraphColumns) -> tuple[BlockScore, ...]:
    """Return the paragraphs as blocks."""
    rows = zip(content.paragraphs, content.tags, evidence.boxes.tolist(), strict=True)
    return tuple(_block(paragraph.leaves, paragraph.text, tag, box, evidence) for paragraph, tag, box in rows)


def box_of(values: list[float]) -> tuple[float, float, float, float] | None:
    """Return a box that was measured, None for NaN."""
    x, y, width, height = values
    return None if math.isnan(x) else (x, y, width, height)


def _block(leaves: list[int], text: str, tag: str, box: list[float], evidence: ParagraphColumns) -> BlockScore:
    role, likely = (None, None) if evidence.roles is None else evidence.roles.of(leaves, evidence.lengths)
    return BlockScore(
        box=box_of(box),
        score=_mean(leaves, evidence),
        kind=kind_of(tag),
        text=text,
        hidden=None if evidence.reasons is None else _reason(evidence.reasons[leaves]),
        role=role,
        role_probability=likely,
        revealed=next((evidence.revealed[leaf] for leaf in leaves if leaf in evidence.revealed), None),
    )


def _reason(reasons: NDArray[np.uint8]) -> str:
    """Return why a block is invisible; "" if any of it is visible."""
    return Hidden(int(reasons[0])).name.lower() if reasons.all() else ""


def _mean(leaves: list[int], evidence: ParagraphColumns) -> float | None:
    if evidence.scores is None:
        return None
    return float(np.average(evidence.scores[leaves], weights=evidence.lengths[leaves]))
